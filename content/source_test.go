package content

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// dump returns the results of all of the library's methods.
func dump(t *testing.T, l *Library) string {
	t.Helper()
	var all strings.Builder
	for _, call := range everyCall(t, l) {
		for _, result := range call.results {
			text, err := json.Marshal(result.Interface())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "%s %s\n", call.name, text)
		}
	}
	return all.String()
}

type call struct {
	name    string
	results []reflect.Value
}

// everyCall calls each exported method of the library.
func everyCall(t *testing.T, l *Library) (calls []call) {
	t.Helper()
	arguments := map[string][]any{
		"Version": {}, "Sample": {}, "Site": {}, "Application": {}, "Suppliers": {}, "Coupons": {}, "Referrals": {}, "Events": {}, "Messages": {}, "Pages": {},
		"Event": {"hiresure-campus-2026"}, "EventByCode": {"KS_Campus"}, "Enrolment": {"hiresure-campus-2026", november},
		"HasEvent": {"hiresure-campus-2026"}, "HasPage": {"refund-policy"},
		"Landing": {"hiresure-campus-2026", november}, "LandingAtFee": {"hiresure-campus-2026", november, int64(99900)}, "Page": {"refund-policy"}, "Message": {"receipt"},
		"Logo": {"meruvia.svg"}, "SupplierAt": {november}, "RateAt": {"USD", november}, "Status": {"enrolment", "fee_due"}, "DocumentsLeft": {"all"}, "Entry": {"paid"},
	}
	methods := reflect.TypeOf(l)
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		values, known := arguments[name]
		if !known {
			t.Fatalf("nothing tries to change what %s returns", name)
		}
		in := make([]reflect.Value, len(values))
		for j, value := range values {
			in[j] = reflect.ValueOf(value)
		}
		calls = append(calls, call{name, reflect.ValueOf(l).Method(i).Call(in)})
	}
	return calls
}

// spoil changes everything reachable from v, which must be settable.
func spoil(v reflect.Value) (changes int) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			changes += spoil(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			changes += spoil(v.Index(i))
		}
		if v.Len() > 1 {
			reflect.Swapper(v.Interface())(0, v.Len()-1)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.Zero(v.Type().Elem()))
			changes++
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				changes += spoil(v.Field(i))
			}
		}
		if at, is := v.Addr().Interface().(*time.Time); is {
			*at = at.AddDate(1, 0, 0)
			changes++
		}
	case reflect.String:
		v.SetString("spoilt")
		changes++
	case reflect.Int, reflect.Int64:
		v.SetInt(-1)
		changes++
	case reflect.Bool:
		v.SetBool(!v.Bool())
		changes++
	}
	return changes
}

func TestLibraryIsImmutable(t *testing.T) {
	before, l := dump(t, library(t)), library(t) // l has not composed pages yet
	for _, call := range everyCall(t, l) {
		for _, result := range call.results {
			whole := reflect.New(result.Type()).Elem()
			whole.Set(result)
			if spoil(whole) == 0 {
				t.Errorf("%s: nothing was tried", call.name)
			}
		}
		if dump(t, l) != before {
			t.Fatalf("whoever changes what %s returned changes the library", call.name)
		}
	}
}

func TestPublish(t *testing.T) {
	first := library(t)
	source, err := NewSource(first)
	if err != nil || source.Current() != first {
		t.Fatalf("the first library is not current: %v", err)
	}
	second, err := load(changed(t, "site.yaml", "name: HireSure", "name: HireSure India"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := source.Publish(second); err != nil || source.Current().Site().Name != "HireSure India" {
		t.Errorf("current is %q, %v", source.Current().Site().Name, err)
	}
	if first.Site().Name != "HireSure" || first.Version() == second.Version() {
		t.Error("the library before is another one now")
	}
	if err := source.Publish(first); err != nil || source.Current() != first {
		t.Errorf("a library cannot be published again: %v", err)
	}
}

func TestPublishRejectsFailingLibrary(t *testing.T) {
	named := func(l *Library) error {
		if l.Site().Name != "HireSure" {
			return errors.New("the name is another one")
		}
		return nil
	}
	never := func(l *Library) error {
		if l.Site().Name != "HireSure" {
			return errors.New("and it will not do")
		}
		return nil
	}
	first := library(t)
	source, err := NewSource(first, named, never)
	if err != nil {
		t.Fatal(err)
	}
	other, err := load(changed(t, "site.yaml", "name: HireSure", "name: Another"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		sentence string
		library  *Library
		want     string
	}{
		{"one that two checks refuse", other, "the name is another one\nand it will not do"},
		{"none", nil, "there is no library to publish"},
	} {
		if err := source.Publish(test.library); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.sentence, err, test.want)
		}
		if source.Current() != first {
			t.Errorf("%s: it is current", test.sentence)
		}
	}
	if _, err := NewSource(other, named); err == nil {
		t.Error("a source began with a library that fails its check")
	}
}

func TestMemoCachesPerLibrary(t *testing.T) {
	first, second := library(t), library(t)
	source, err := NewSource(first)
	if err != nil {
		t.Fatal(err)
	}
	var memo Memo[int]
	made := map[*Library]int{}
	ask := func(l *Library) int {
		return memo.Of(source, l, func(l *Library) int { made[l]++; return made[l] })
	}
	if got := []int{ask(first), ask(first)}; !slices.Equal(got, []int{1, 1}) {
		t.Errorf("the first library: made %v, want once", got)
	}
	if got := []int{ask(second), ask(second)}; !slices.Equal(got, []int{1, 2}) {
		t.Errorf("a library that is not current: made %v, want for each", got)
	}
	if ask(first) != 1 {
		t.Error("a library that is not current took the place of the one that is")
	}
	if err := source.Publish(second); err != nil {
		t.Fatal(err)
	}
	if got := []int{ask(second), ask(second)}; !slices.Equal(got, []int{3, 3}) {
		t.Errorf("the second library: made %v, want once", got)
	}
	if got := []int{ask(first), ask(second)}; !slices.Equal(got, []int{2, 3}) {
		t.Errorf("a request with the library before: %v, want a value of its own, and the other kept", got)
	}
}

func TestMemoUnderConcurrency(t *testing.T) {
	libraries := []*Library{library(t), library(t), library(t)}
	source, err := NewSource(libraries[0])
	if err != nil {
		t.Fatal(err)
	}
	var memo Memo[*Library]
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for n := range 500 {
				if i == 0 {
					_ = source.Publish(libraries[n%3])
				}
				l := source.Current()
				if got := memo.Of(source, l, func(l *Library) *Library { return l }); got != l {
					t.Error("what was made of another library")
				}
			}
		})
	}
	group.Wait()
}

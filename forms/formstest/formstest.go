// Package formstest provides tests with the good answers of cases.json, and with forms that have additional fields.
package formstest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"hiresure/forms"
)

// Addition is a field and the field it follows.
type Addition struct {
	After string
	Field json.RawMessage
}

// goodExamples returns the good examples of cases.json by form.
var goodExamples = sync.OnceValue(func() map[string]map[string]string {
	var table struct{ Good map[string]map[string]string }
	data, err := os.ReadFile(filepath.Join(folder(), "cases.json"))
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil {
		panic(err)
	}
	return table.Good
})

// Good returns the good example of a form in cases.json: a valid value for each required field. With groups it returns only their fields.
func Good(form string, groups ...string) map[string]string {
	good := maps.Clone(goodExamples()[form])
	maps.DeleteFunc(good, func(name, _ string) bool {
		return len(groups) > 0 && !slices.Contains(groups, forms.Get(form).Field(name).Group)
	})
	return good
}

// Answers returns the good example of a form, with changes, as Form.Kept stores its answers.
func Answers(form string, changes map[string]string) map[string]string {
	typed := Good(form)
	maps.Copy(typed, changes)
	clean, _ := forms.Get(form).Check(typed, forms.Env{})
	_, answers := forms.Get(form).Kept(clean)
	return answers
}

// folder returns the folder of package forms, above the folder of the running test.
func folder() string {
	at, err := os.Getwd()
	for parent := ""; err == nil && at != parent; at, parent = filepath.Dir(at), at {
		if _, missing := os.Stat(filepath.Join(at, "forms", "cases.json")); missing == nil {
			return filepath.Join(at, "forms")
		}
	}
	panic("formstest: no forms/cases.json above the working directory")
}

// Added returns the forms with the fields of testdata/added.json.
func Added(t testing.TB) *forms.Set {
	t.Helper()
	var additions map[string][]Addition
	read(t, filepath.Join(folder(), "testdata", "added.json"), &additions)
	var definitions [][]byte
	for name := range additions {
		var form map[string]json.RawMessage
		read(t, filepath.Join(folder(), name+".json"), &form)
		form["fields"] = encode(t, insert(t, form["fields"], additions[name]))
		definitions = append(definitions, encode(t, form))
	}
	set, err := forms.With(definitions...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// insert inserts each addition after its field.
func insert(t testing.TB, data json.RawMessage, additions []Addition) (fields []json.RawMessage) {
	t.Helper()
	decode(t, data, &fields)
	for _, addition := range additions {
		at := slices.IndexFunc(fields, func(field json.RawMessage) bool {
			var named struct{ Name string }
			decode(t, field, &named)
			return named.Name == addition.After
		})
		if at < 0 {
			t.Fatalf("no field %s to insert after", addition.After)
		}
		fields = slices.Insert(fields, at+1, addition.Field)
	}
	return fields
}

func read(t testing.TB, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decode(t, data, into)
}

func decode(t testing.TB, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func encode(t testing.TB, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

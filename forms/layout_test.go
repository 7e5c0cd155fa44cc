package forms

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// made is a form with fields a (plain), b (folded), c (folded, while a is "x"), e (while c is "1") and, on a second step, d.
func made(t *testing.T) *Form {
	t.Helper()
	form, err := parse([]byte(`{"name":"made",
		"steps":[
			{"name":"one","title":"One","groups":[
				{"name":"first","kind":"plain","place":"fields"},
				{"name":"second","kind":"details","place":"fields","summary":"More"},
				{"name":"third","kind":"choices","place":"stub","summary":"Choices","when":[{"field":"a","is":"x"}]}]},
			{"name":"two","title":"Two","groups":[{"name":"fourth","kind":"plain","place":"fields"}]}],
		"fields":[
			{"name":"a","label":"A","kind":"text","group":"first","keep":"a","optional":true,"clean":["trim"]},
			{"name":"b","label":"B","kind":"checkbox","group":"second","keep":"answers","wire":"bee","optional":true,"clean":["box"]},
			{"name":"c","label":"C","kind":"checkboxes","group":"third","keep":"answers","optional":true,"rules":[{"kind":"options","message":"Not C!"}],
				"options":[{"value":"1","label":"One"},{"value":"2","label":"Two"}],
				"when":[{"field":"a","is":"x"},{"field":"b","not":"true"}]},
			{"name":"e","label":"E","kind":"text","group":"third","keep":"answers","optional":true,"when":[{"field":"c","is":"1"}]},
			{"name":"code","label":"Code","kind":"otp","group":"third","keep":"none","wire":"c_otp","unsent":true,"optional":true,"when":[{"unproven":"a"}]},
			{"name":"d","label":"D","kind":"text","group":"fourth","keep":"d","rules":[
				{"kind":"required","message":"D!"},{"kind":"differs","field":"a","message":"Not A."},{"kind":"proven","field":"a","message":"Prove A."}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return form
}

func names[T any](all []*T, name func(*T) string) string {
	var found []string
	for _, one := range all {
		found = append(found, name(one))
	}
	return strings.Join(found, " ")
}

func TestGroupsAndFieldsOrder(t *testing.T) {
	form := made(t)
	group := func(g *Group) string { return g.Name }
	for _, c := range []struct{ step, place, want string }{
		{"", "fields", "first second"}, {"one", "stub", "third"}, {"two", "fields", "fourth"}, {"two", "stub", ""}, {"three", "fields", ""},
	} {
		if got := names(form.Groups(c.step, c.place), group); got != c.want {
			t.Errorf("step %q, place %s: got %s, want %s", c.step, c.place, got, c.want)
		}
	}
	if got := names(form.FieldsOf("third"), func(f *Field) string { return f.Name }); got != "c e code" {
		t.Errorf("third holds %s", got)
	}
}

func TestCheckStep(t *testing.T) {
	form := made(t)
	clean, faults := form.CheckStep("one", map[string]string{"a": " x ", "d": ""}, Env{})
	if len(faults) != 0 || !maps.Equal(clean, map[string]string{"a": "x", "b": "", "c": "", "code": ""}) {
		t.Errorf("one: %q %q", clean, faults)
	}
	for _, c := range []struct {
		in     map[string]string
		env    Env
		faults string
	}{
		{map[string]string{}, Env{}, "[{d D!}]"},
		{map[string]string{"a": "x", "d": "x"}, Env{}, "[{d Not A.}]"},
		{map[string]string{"a": "x", "d": "y"}, Env{}, "[{d Prove A.}]"},
		{map[string]string{"a": "x", "d": "y"}, Env{Proven: map[string]string{"a": "x"}}, "[]"},
	} {
		if clean, faults := form.CheckStep("two", c.in, c.env); fmt.Sprint(faults) != c.faults || len(clean) != 1 {
			t.Errorf("two, %q: got %v of %q, want %s", c.in, faults, clean, c.faults)
		}
	}
	if clean, faults := form.CheckStep("three", nil, Env{}); len(clean)+len(faults) != 0 {
		t.Errorf("an unknown step: %q %q", clean, faults)
	}
}

func TestOpenGroups(t *testing.T) {
	form := made(t)
	for _, c := range []struct {
		typed  map[string]string
		faults []Fault
		want   string
	}{
		{nil, nil, ""},
		{map[string]string{"a": "typed", "d": "typed"}, nil, ""},
		{map[string]string{"b": "true"}, nil, "second"},
		{map[string]string{"c": "1", "b": "true"}, nil, "second third"},
		{nil, []Fault{{Field: "code", Message: "!"}, {Field: "", Message: "!"}}, "third"},
	} {
		if got := strings.Join(form.OpenGroups(c.typed, c.faults), " "); got != c.want {
			t.Errorf("%q %q: got %s, want %s", c.typed, c.faults, got, c.want)
		}
	}
}

func TestHidesGroupsAndFields(t *testing.T) {
	form := made(t)
	third, c, code := form.Groups("one", "stub")[0], form.Field("c"), form.Field("code")
	for _, line := range []struct {
		typed        map[string]string
		group, field bool
	}{
		{nil, true, false}, // the group hides it; it does not hide by itself
		{map[string]string{"a": " x "}, false, false},
		{map[string]string{"a": "x", "b": "true"}, false, true},
		{map[string]string{"a": "y", "b": "true"}, true, true},
	} {
		if group, field := form.HidesGroup(third, line.typed, Env{}), form.HidesField(c, third, line.typed, Env{}); group != line.group || field != line.field {
			t.Errorf("%q: group hidden %t, field hidden %t", line.typed, group, field)
		}
	}
	e := form.Field("e")
	for _, line := range []struct {
		typed  map[string]string
		hidden bool
	}{
		{map[string]string{"a": "x", "c": "1"}, false},
		{map[string]string{"a": "x", "c": "2"}, true},
		{map[string]string{"a": "x", "c": "1", "b": "true"}, true}, // c is typed, and does not apply
	} {
		if got := form.HidesField(e, third, line.typed, Env{}); got != line.hidden {
			t.Errorf("%q: what depends on c is hidden: %t", line.typed, got)
		}
	}
	if form.HidesField(code, third, map[string]string{"a": "x"}, Env{Proven: map[string]string{"a": "x"}}) {
		t.Error("a proof hides a field")
	}
}

func TestInvalidLayoutsAreRejected(t *testing.T) {
	const a = `{"name":"a","label":"A","kind":"text","group":"g","keep":"a","optional":true}`
	const g = `{"name":"g","kind":"plain","place":"fields"}`
	form := func(groups, fields string) string {
		return `{"name":"form","steps":[{"name":"one","groups":[` + groups + `]}],"fields":[` + fields + `]}`
	}
	for _, c := range []struct{ title, data, message string }{
		{"no name", `{"name":"","steps":[{"name":"one","groups":[` + g + `]}],"fields":[` + a + `]}`, `a form needs a name`},
		{"a step without a name", `{"name":"form","steps":[{"groups":[` + g + `]}],"fields":[` + a + `]}`, `step "": needs a name of its own, and a title where there are more steps`},
		{
			"one of two steps without a title",
			`{"name":"form","steps":[{"name":"one","title":"One","groups":[` + g + `]},{"name":"two","groups":[]}],"fields":[` + a + `]}`,
			`step "two": needs a name of its own, and a title where there are more steps`,
		},
		{
			"two steps of one name",
			`{"name":"form","steps":[{"name":"one","title":"One","groups":[` + g + `]},{"name":"one","title":"Two","groups":[]}],"fields":[` + a + `]}`,
			`step "one": needs a name of its own, and a title where there are more steps`,
		},
		{"a field without a group", form(g, `{"name":"a","label":"A","kind":"text","keep":"a","optional":true}`), `group "g": has no fields`},
		{"a field of an unknown group", form(g, a+`,{"name":"b","label":"B","kind":"text","group":"h","keep":"b","optional":true}`), `field "b": unknown group "h"`},
		{"a group without a place", form(`{"name":"g","kind":"plain"}`, a), `group "g": needs a name and a place`},
		{"a group twice", form(g+`,`+g, a), `group "g": duplicate name`},
		{"an unknown kind of group", form(`{"name":"g","kind":"tab","place":"fields"}`, a), `group "g": unknown kind "tab"`},
		{"a folded group without a summary", form(`{"name":"g","kind":"details","place":"fields"}`, a), `group "g": a folded group has a summary, and no other has`},
		{"a plain group with a summary", form(`{"name":"g","kind":"plain","place":"fields","summary":"G"}`, a), `group "g": a folded group has a summary, and no other has`},
		{"a plain group with conditions", form(`{"name":"g","kind":"plain","place":"fields","when":[{"field":"a","is":"x"}]}`, a), `group "g": only a folded group has conditions: of a plain one its fields have them`},
		{"a group on its own field", form(`{"name":"g","kind":"details","place":"fields","summary":"G","when":[{"field":"a","is":"x"}]}`, a), `group "g": condition on "a", which does not come before`},
		{
			"a group on a proof",
			form(g+`,{"name":"h","kind":"details","place":"fields","summary":"H","when":[{"unproven":"a"}]}`, a+`,{"name":"b","label":"B","kind":"text","group":"h","keep":"b","optional":true}`),
			`group "h": a group's conditions are on values`,
		},
		{
			"a field behind a later group",
			form(g+`,{"name":"h","kind":"plain","place":"fields"}`, a+`,{"name":"b","label":"B","kind":"text","group":"h","keep":"b","optional":true},{"name":"c","label":"C","kind":"text","group":"g","keep":"c","optional":true}`),
			`field "c": is after fields of a later group`,
		},
		{"a field that is kept nowhere by mistake", form(g, `{"name":"a","label":"A","kind":"text","group":"g","optional":true}`), `field "a": keep is missing`},
		{"two fields in one column", form(g, a+`,{"name":"b","label":"B","kind":"text","group":"g","keep":"a","optional":true}`), `field "a": another field is stored in "a"`},
		{"a wire name twice", form(g, a+`,{"name":"b","label":"B","kind":"text","group":"g","keep":"b","wire":"a","optional":true}`), `field "a": a call has another field named "a"`},
		{
			"a wire name that is another field's",
			form(g, `{"name":"a","label":"A","kind":"text","group":"g","keep":"a","wire":"x","optional":true},{"name":"b","label":"B","kind":"text","group":"g","keep":"b","wire":"a","optional":true}`),
			`field "b": a call has another field named "a"`,
		},
	} {
		t.Run(c.title, func(t *testing.T) {
			if _, err := parse([]byte(c.data)); err == nil || err.Error() != c.message {
				t.Errorf("got  %v\nwant %s", err, c.message)
			}
		})
	}
}

func TestWireRoundTrip(t *testing.T) {
	form := made(t)
	if got := form.Shape(); !maps.Equal(got, map[string]Kind{"a": Text, "bee": Flag, "c": List, "d": Text, "e": Text}) {
		t.Errorf("shape %v", got)
	}
	got := form.FromWire(map[string]string{"a": "x", "bee": "true", "c_otp": "123456", "captcha_token": "t"})
	if !maps.Equal(got, map[string]string{"a": "x", "b": "true", "c_otp": "123456", "captcha_token": "t"}) {
		t.Errorf("from the wire: %q", got)
	}
	for field, want := range map[string]string{"a": "a", "b": "bee", "code": "c_otp", "captcha_token": "captcha_token", "": ""} {
		if got := form.OnWire(field); got != want {
			t.Errorf("%q is %q on the wire, want %q", field, got, want)
		}
	}
}

func TestKeptRoundTrip(t *testing.T) {
	form := made(t)
	clean := map[string]string{"a": "x", "b": "true", "c": "", "code": "123456", "d": ""}
	columns, answers := form.Kept(clean)
	if !maps.Equal(columns, map[string]string{"a": "x", "d": ""}) || !maps.Equal(answers, map[string]string{"b": "true"}) {
		t.Errorf("columns %q, answers %q", columns, answers)
	}
	answers["gone"] = "of a question that is not asked any more"
	delete(columns, "d")
	if got := form.Typed(columns, answers); !maps.Equal(got, map[string]string{"a": "x", "b": "true"}) {
		t.Errorf("typed %q", got)
	}
	if columns, answers := form.Kept(map[string]string{"a": "x", "c": ""}); answers != nil || len(columns) != 1 {
		t.Errorf("nothing was answered, and d does not apply: %q %q", columns, answers)
	}
}

func TestWithReplacesBuiltInForms(t *testing.T) {
	data, err := files.ReadFile("grievance.json")
	if err != nil {
		t.Fatal(err)
	}
	set, err := With(data)
	if err != nil {
		t.Fatal(err)
	}
	if set.Get("grievance").Version != Get("grievance").Version+1 || set.Get("enquiry") != Get("enquiry") || (*Set)(nil).Get("grievance") != Get("grievance") {
		t.Error("a set holds its own forms, and those that ship for the rest")
	}
	for data, message := range map[string]string{
		`{}`: `forms: a form needs a name`,
		`{"name":"poem","steps":[{"name":"one","groups":[{"name":"g","kind":"plain","place":"p"}]}],"fields":[{"name":"a","label":"A","kind":"text","group":"g","keep":"a","optional":true}]}`: `forms: no form poem`,
	} {
		if _, err := With([]byte(data)); err == nil || err.Error() != message {
			t.Errorf("got %v, want %s", err, message)
		}
	}
}

// Every form that ships keeps what is asked: only codes, and what follows from another field, are kept nowhere.
func TestOnlyCodesAndDerivedFieldsAreNotStored(t *testing.T) {
	for name := range byName {
		for _, field := range byName[name].Fields {
			if nowhere := field.Kind == "otp" || slices.Contains(field.Clean, "dialCode"); nowhere != (field.Keep == KeepNone) {
				t.Errorf("%s: %s is kept as %q", name, field.Name, field.Keep)
			}
		}
	}
}

func TestDisplay(t *testing.T) {
	form := made(t)
	for _, c := range []struct{ field, value, want string }{
		{"c", "2,1", "Two, One"}, {"c", "2,gone", "Two, gone"}, {"a", "x,y", "x,y"}, {"unknown", "x", "x"}, {"b", "true", "Yes"},
	} {
		if got := form.Display(c.field, c.value); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.field, c.value, got, c.want)
		}
	}
	if got := form.DisplayAnswers(map[string]string{"c": "1", "b": "true", "gone": "x"}); got != "\n\nB: Yes\nC: One" {
		t.Errorf("got %q", got)
	}
	if got := form.DisplayAnswers(nil); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestCheckKeep(t *testing.T) {
	form := made(t)
	if err := form.CheckKeep("a", "d"); err != nil {
		t.Error(err)
	}
	if err := form.CheckKeep("a"); err == nil || err.Error() != `the form made stores d in "d", which does not exist` {
		t.Errorf("got %v", err)
	}
}

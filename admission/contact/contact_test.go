package contact_test

import (
	"testing"

	"hiresure/admission/contact"
	"hiresure/forms"
)

func TestFormsAreRefusedThatKeepAFieldWhereThereIsNoPlace(t *testing.T) {
	if err := contact.CheckForms(nil); err != nil {
		t.Error(err)
	}
	form := func(name, keep string) []byte {
		return []byte(`{"name":"` + name + `","steps":[{"name":"one","groups":[{"name":"all","kind":"plain","place":"fields"}]}],
			"fields":[{"name":"a","label":"A","kind":"text","group":"all","keep":"` + keep + `","optional":true}]}`)
	}
	for _, c := range []struct{ name, keep, want string }{
		{"enquiry", "category", `the form enquiry stores a in "category", which does not exist`},
		{"grievance", "consents", `the form grievance stores a in "consents", which does not exist`},
		{"enquiry", "answers", ""},
		{"grievance", "none", ""},
	} {
		set, err := forms.With(form(c.name, c.keep))
		if err != nil {
			t.Fatal(err)
		}
		if err := contact.CheckForms(set); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s, %s: got %v, want %s", c.name, c.keep, err, c.want)
		}
	}
}

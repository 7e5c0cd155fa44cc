package business_test

import (
	"testing"

	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/forms"
)

func formsWithUnknownStorage(t *testing.T, name string) *forms.Set {
	t.Helper()
	set, err := forms.With([]byte(`{"name":"` + name + `","steps":[{"name":"one","groups":[{"name":"all","kind":"plain","place":"fields"}]}],
		"fields":[{"name":"a","label":"A","kind":"text","group":"all","keep":"shoe_size","optional":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestNewRejectsFormWithUnknownStorage(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		for _, form := range []string{"enrolment", "enquiry"} {
			config := w.Config
			config.Forms = formsWithUnknownStorage(t, form)
			if _, err := business.New(config); err == nil || err.Error() != `the form `+form+` stores a in "shoe_size", which does not exist` {
				t.Errorf("%s: %v", form, err)
			}
		}
	})
}

func TestNewRequiresOfficer(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		config := w.Config
		config.GrievanceEmail = nil
		if _, err := business.New(config); err == nil || err.Error() != "the business needs GrievanceEmail" {
			t.Errorf("%v, want it named", err)
		}
	})
}

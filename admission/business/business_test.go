package business_test

import (
	"testing"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/forms"
)

func TestFormAnswersAreStored(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		first := w.Enrolled(nil).RegistrationID // of the form that ships
		w.AddFields()
		p := w.Verified()
		_, err := p.SubmitEnrolment(businesstest.Fields{"hobby_horse": " Kites ", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "late_week", "referral_code": "SETU2025"})
		w.Must(err)
		got := w.Texts("SELECT COALESCE(answers, 'none'), form_version FROM registrations ORDER BY form_version")
		businesstest.Same(t, "answers", got, businesstest.StoredVersions("enrolment", `{"hobby_horse":"Kites","owns_telescope":"true","spare_evenings":"late_week","telescope_name":"big-eye"}`))
		businesstest.Equal(t, "another registration", p.RegistrationID != first, true)
		_, typed, err := w.Enrol.Typed(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		for name, want := range map[string]string{
			"hobby_horse": "Kites", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "late_week", "hobby_story": "", "referral_code": "SETU2025", "state": "Karnataka",
		} {
			businesstest.Equal(t, name, typed[name], want)
		}

		_, err = p.SubmitEnrolment(businesstest.Fields{"hobby_horse": "a horse with far more letters than thirty"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "hobby_horse", "Your hobby horse must have at most 30 letters.")
		_, err = p.SubmitEnrolment(businesstest.Fields{"telescope_name": "big-eye"}) // which does not apply without a telescope
		w.Must(err)
		businesstest.Same(t, "answers", w.Texts("SELECT COALESCE(answers, 'none') FROM registrations"), []string{"none", "none"})
	})
}

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
			needs := w.Config
			needs.Forms = formsWithUnknownStorage(t, form)
			if _, err := business.New(needs); err == nil || err.Error() != `the form `+form+` stores a in "shoe_size", which does not exist` {
				t.Errorf("%s: %v", form, err)
			}
		}
	})
}

func TestNewRequiresOfficer(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		needs := w.Config
		needs.GrievanceEmail = nil
		if _, err := business.New(needs); err == nil || err.Error() != "the business needs GrievanceEmail" {
			t.Errorf("%v, want it named", err)
		}
	})
}

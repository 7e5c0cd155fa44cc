package business_test

import (
	"fmt"
	"slices"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/forms"
	"hiresure/forms/formstest"
)

// addFields uses forms with more fields than the built-in ones.
func (w *world) addFields() {
	w.t.Helper()
	w.needs.Forms = formstest.Added(w.t)
	services, err := business.New(w.needs)
	w.must(err)
	w.Services = services
}

// storedVersions returns the stored answers of a form: none in the built-in version, then answers in the next one.
func storedVersions(form, answers string) []string {
	ships := forms.Get(form).Version
	return []string{fmt.Sprintf("none | %d", ships), fmt.Sprintf("%s | %d", answers, ships+1)}
}

func TestFormAnswersAreStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.enrolled(nil).registration // of the form that ships
		w.addFields()
		p := w.verified()
		_, err := p.enrol(fields{"hobby_horse": " Kites ", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "late_week", "referral_code": "SETU2025"})
		w.must(err)
		got := w.texts("SELECT COALESCE(answers, 'none'), form_version FROM registrations ORDER BY form_version")
		same(t, "answers", got, storedVersions("enrolment", `{"hobby_horse":"Kites","owns_telescope":"true","spare_evenings":"late_week","telescope_name":"big-eye"}`))
		equal(t, "another registration", p.registration != first, true)
		_, typed, err := w.Enrol.Typed(w.ctx, p.Visitor, p.registration)
		w.must(err)
		for name, want := range map[string]string{
			"hobby_horse": "Kites", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "late_week", "hobby_story": "", "referral_code": "SETU2025", "state": "Karnataka",
		} {
			equal(t, name, typed[name], want)
		}

		_, err = p.enrol(fields{"hobby_horse": "a horse with far more letters than thirty"})
		expectProblem(t, err, admission.Invalid, "hobby_horse", "Your hobby horse must have at most 30 letters.")
		_, err = p.enrol(fields{"telescope_name": "big-eye"}) // which does not apply without a telescope
		w.must(err)
		same(t, "answers", w.texts("SELECT COALESCE(answers, 'none') FROM registrations"), []string{"none", "none"})
	})
}

func TestEnquiryAndComplaintAnswersAreStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 2 {
			_, err := w.Contact.SendEnquiry(w.ctx, w.somebody().Visitor, map[string]string{
				"fullname": "Asha Rao", "email": "asha@example.com", "countryCode": "in", "phone": "9812345670", "hobby_horse": "Kites",
			})
			w.must(err)
			_, err = w.complain(w.somebody().Visitor, fields{"spare_evenings": "early_week"})
			w.must(err)
			w.addFields()
		}
		same(t, "enquiries", w.texts("SELECT COALESCE(answers, 'none'), form_version FROM enquiries ORDER BY form_version"), storedVersions("enquiry", `{"hobby_horse":"Kites"}`))
		same(t, "complaints", w.texts("SELECT COALESCE(answers, 'none'), form_version FROM grievances ORDER BY form_version"), storedVersions("grievance", `{"spare_evenings":"early_week"}`))
		w.runJobs()
		var read []string
		for _, mail := range w.post.to(officer) {
			read = append(read, mail.Params["Message"])
		}
		slices.Sort(read)
		same(t, "what the officer reads", read, []string{"I paid twice for one enrolment.", "I paid twice for one enrolment.\n\nCall me on: Monday or Tuesday"})
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
	onSQLite(t, func(t *testing.T, w *world) {
		for _, form := range []string{"enrolment", "enquiry"} {
			needs := w.needs
			needs.Forms = formsWithUnknownStorage(t, form)
			if _, err := business.New(needs); err == nil || err.Error() != `the form `+form+` stores a in "shoe_size", which does not exist` {
				t.Errorf("%s: %v", form, err)
			}
		}
	})
}

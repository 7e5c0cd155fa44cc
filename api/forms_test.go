package api_test

import (
	"net/http"
	"testing"

	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/api"
	"hiresure/forms/formstest"
	"hiresure/store"
)

// A call accepts the fields of another form, by wire name and kind, as its served description says.
func TestCallAcceptsFieldsOfAnotherForm(t *testing.T) {
	set := formstest.Added(t)
	s := newSite(t, func(n *business.Config, of *api.Config) { n.Forms, of.Forms = set, set })
	served := s.browser().get("/api/openapi.yaml")
	var err error
	if s.document, err = parseDocument(served.raw); err != nil {
		t.Fatal(err)
	}
	b := proven(s.browser())
	const tooLong = "Your hobby horse must have at most 30 letters."
	long := "a horse with far more letters than thirty"
	for _, c := range []struct {
		path string
		body object
		want map[string]string
	}{
		{enrolPath, enrolment(object{"pastimeWord": long}), map[string]string{"pastimeWord": tooLong}},
		{enrolPath, enrolment(object{"hobby_horse": "Kites"}), map[string]string{"hobby_horse": "This field is unknown."}},
		{enrolPath, enrolment(object{"owns_telescope": "true", "spare_evenings": "late_week"}), map[string]string{"owns_telescope": "This must be true or false.", "spare_evenings": "This must be a list of texts."}},
		{enquiryPath, enquiry(object{"pastimeWord": long}), map[string]string{"pastimeWord": tooLong}},
	} {
		got := b.post(c.path, c.body)
		if got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s %v answers %d", c.path, c.body, got.status)
		}
		for name, message := range c.want {
			if got.errors()[name] != message || len(got.errors()) != len(c.want) {
				t.Errorf("%s: errors %q, want %q", c.path, got.errors(), c.want)
			}
		}
	}
	want(t, b.post(enquiryPath, enquiry(object{"pastimeWord": "Kites"})), http.StatusOK, "Request successfully submitted.")
	b.enrols(object{"pastimeWord": "Kites", "owns_telescope": true, "spare_evenings": []string{"late_week"}})
	var kept *enrol.Registration
	if err := s.ledger.View(t.Context(), func(tx store.Tx) (err error) {
		kept, err = tx.RegistrationOf("KS_Mgrow", "+91"+phone)
		return err
	}); err != nil || kept.Answers["hobby_horse"] != "Kites" || kept.Answers["owns_telescope"] != "true" || kept.Answers["spare_evenings"] != "late_week" {
		t.Errorf("kept %+v, %v", kept, err)
	}
}

// An application's answers are returned, also those that the specification's record has no place for.
func TestRecordContainsFieldsOfAnotherForm(t *testing.T) {
	set := formstest.Added(t)
	s := newSite(t, func(n *business.Config, of *api.Config) { n.Forms, of.Forms = set, set })
	var err error
	if s.document, err = parseDocument(s.browser().get("/api/openapi.yaml").raw); err != nil {
		t.Fatal(err)
	}
	b, _ := s.applies(enrol.StepPersonal)
	if record := b.get(ownPath).records()[0]; record["more_answers"] != nil {
		t.Errorf("what was not answered is told: %v", record["more_answers"])
	}
	want(t, b.post(detailsPath, details(enrol.StepPersonal, object{"pastimeWord": "Kites"})), http.StatusOK, "Your details are saved.")
	more, _ := b.get(ownPath).records()[0]["more_answers"].(map[string]any)
	if len(more) != 1 || more["pastimeWord"] != "Kites" {
		t.Errorf("more answers are %v, want the pastime alone", more)
	}
}

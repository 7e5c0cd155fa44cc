package application_test

import (
	"net/http"
	"testing"

	"hiresure/admission/enrol"
)

// Where a script was overtaken by another tab it lets the page ask: keeping what is typed stays on the page, or asks which stays.
func TestWhatIsTypedIsKeptWithoutLeaving(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 1)
	b.get(academic).is(http.StatusOK)
	half := map[string]string{"course": "B.Com."}
	b.post(academic, "keep", half).leadsTo(academic)
	if kept := b.kept("academic"); !kept.Half || kept.Values["course"] != "B.Com." {
		t.Errorf("kept %+v", kept)
	}
	b.get(academic + "?from=review").is(http.StatusOK)
	b.post(academic, "keep", half).leadsTo(academic + "?from=review")
	b.standsAt(enrol.StepPersonal)
}

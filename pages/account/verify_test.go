package account_test

import (
	"fmt"
	"net/http"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/web"
)

// applied is signed in, with an application at a step; without one at enrol.StepUnverified.
func (s *site) applied(number int, step enrol.Step) (b *browser, registration string) {
	s.t.Helper()
	own := fmt.Sprintf("98765000%02d", number)
	b = s.signedUp(own, fmt.Sprintf("asha%d@example.com", number))
	if step == enrol.StepUnverified {
		return b, ""
	}
	b.post(web.VerifyPath, "do", "begin").leadsTo("/hiresure/form/personal")
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationOf(enrol.ApplicationCode, admission.IndianPhone(own))
		if err != nil {
			return err
		}
		registration, r.Step = r.ID, step
		return tx.SaveRegistration(r)
	}))
	return b, registration
}

// expectStep checks the step of a phone's application; none at enrol.StepUnverified.
func (s *site) expectStep(number int, step enrol.Step) {
	s.t.Helper()
	check(s.t, s.store.View(s.t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationOf(enrol.ApplicationCode, admission.IndianPhone(fmt.Sprintf("98765000%02d", number)))
		if now := enrol.StepUnverified; r == nil && step != now || r != nil && r.Step != step {
			s.t.Errorf("the application is at %+v, want step %d", r, step)
		}
		return err
	}))
}

func TestVerificationPageAtEachStep(t *testing.T) {
	s := newSite(t)
	for i, step := range enrol.Steps {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			b, registration := s.applied(i, step)
			if place := businesstest.PageAt(enrol.PlaceVerify, step); place == enrol.PlaceVerify {
				b.get(web.VerifyPath).is(http.StatusOK, "A scholarship based on family income and marks", "Start application")
			} else {
				b.get(web.VerifyPath).leadsTo(web.PlacePath(string(place), registration))
			}
			s.expectStep(i, step)
			after, refusal := businesstest.TryTo(enrol.StepVerified).From(step)
			if refusal != nil {
				t.Fatalf("the table refuses a number that is proven: %v", refusal)
			}
			lands := web.PlacePath(string(after.Fact().Lands), registration)
			b.post(web.VerifyPath, "do", "begin").leadsTo(lands)
			s.expectStep(i, after)
			if step != enrol.StepUnverified { // whatever else is sent there
				written := len(s.written)
				for _, do := range []string{"", "verify", "resend", "another"} {
					b.post(web.VerifyPath, "do", do, "phone_number", "9123456780", "otp", "123456").leadsTo(lands)
				}
				if s.expectStep(i, after); len(s.written) != written {
					t.Errorf("%d messages went out", len(s.written)-written)
				}
			}
		})
	}
}

package business_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
)

func TestClockSetBackDelaysCodeByAMinuteAtMost(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		for _, back := range []time.Duration{0, 4 * time.Second, 30 * time.Second, 10 * time.Minute, 3 * time.Hour} {
			ways := map[string]func(*businesstest.Person, string) error{
				"a resend": func(p *businesstest.Person, id string) error {
					_, err := p.Access.ResendCode(p.Ctx, p.Visitor, id)
					return err
				},
				"a request":                    func(p *businesstest.Person, _ string) error { return requestCode(p) },
				"a request in another browser": func(p *businesstest.Person, _ string) error { p.NewBrowser(); return requestCode(p) },
			}
			for way, again := range ways {
				sentence := fmt.Sprintf("%s, the clock %s back", way, back)
				w.Clock.Set(businesstest.Noon)
				p := w.Somebody()
				sent, err := p.Access.RequestCode(p.Ctx, p.Visitor, codeInput(p))
				p.Must(err)
				w.Clock.Pass(-back)
				waited := time.Duration(0)
				for err = again(p, sent.RequestID); err != nil && waited < time.Hour; err = again(p, sent.RequestID) {
					problem := admission.AsProblem(err)
					if problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter > time.Minute {
						t.Fatalf("%s: %v", sentence, err)
					}
					w.Clock.Pass(time.Second)
					waited += time.Second
				}
				most := time.Minute
				if back == 4*time.Second { // as the clocks of two copies may be apart
					most += back
				}
				if waited > most || back < 5*time.Second && waited < most {
					t.Errorf("%s: the next code came after %s", sentence, waited)
				}
				if problem := admission.AsProblem(again(p, sent.RequestID)); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Minute {
					t.Errorf("%s: one more at once: %v", sentence, problem)
				}
			}
		}
	})
}

func codeInput(p *businesstest.Person) access.PhoneCodeInput {
	return access.PhoneCodeInput{Purpose: access.ForPhone, Phone: p.Phone, Email: p.Email, EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025"}
}

func requestCode(p *businesstest.Person) error {
	_, err := p.Access.RequestCode(p.Ctx, p.Visitor, codeInput(p))
	return err
}

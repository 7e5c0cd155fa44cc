package business_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

func TestClockSetBackDelaysCodeByAMinuteAtMost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, back := range []time.Duration{0, 4 * time.Second, 30 * time.Second, 10 * time.Minute, 3 * time.Hour} {
			ways := map[string]func(*person, string) error{
				"a resend":                     func(p *person, id string) error { _, err := p.Access.ResendCode(p.ctx, p.Visitor, id); return err },
				"a request":                    func(p *person, _ string) error { return p.requestCode() },
				"a request in another browser": func(p *person, _ string) error { p.newBrowser(); return p.requestCode() },
			}
			for way, again := range ways {
				sentence := fmt.Sprintf("%s, the clock %s back", way, back)
				w.clock.Set(noon)
				p := w.somebody()
				sent, err := p.Access.RequestCode(p.ctx, p.Visitor, p.codeInput())
				p.must(err)
				w.clock.Pass(-back)
				waited := time.Duration(0)
				for err = again(p, sent.RequestID); err != nil && waited < time.Hour; err = again(p, sent.RequestID) {
					problem := admission.AsProblem(err)
					if problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter > time.Minute {
						t.Fatalf("%s: %v", sentence, err)
					}
					w.clock.Pass(time.Second)
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

func (p *person) codeInput() access.PhoneCodeInput {
	return access.PhoneCodeInput{Purpose: access.ForPhone, Phone: p.phone, Email: p.email, EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025"}
}

func (p *person) requestCode() error {
	_, err := p.Access.RequestCode(p.ctx, p.Visitor, p.codeInput())
	return err
}

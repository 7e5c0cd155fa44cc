package business_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// What a limit counts is kept as long as it counts, and no longer.
func TestWhatALimitCountsOutlivesThePurge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.verified()
		guess := func() error {
			_, err := p.enrol(fields{"coupon_code": "NOSUCH99"})
			return err
		}
		for range 10 {
			refused(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		}
		w.clock.Pass(time.Hour - time.Second)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		if problem := admission.AsProblem(guess()); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Second {
			t.Errorf("the eleventh guess within an hour: %v", problem)
		}
		w.clock.Pass(time.Second)
		refused(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		w.clock.Pass(time.Hour)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		equal(t, "hits that are kept", w.count("hits WHERE bucket LIKE 'guess:%'"), 0)
	})
}

// Each change of what stands on record is a row for good: so many a day. A no is always taken.
func TestWhoIsSignedInChangesSoMuchADay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.applied(enrol.StepPersonal)
		before := len(strings.Split(p.timeline(), ", "))
		save := func(i int) error {
			_, err := p.saves("personal", fields{"gender": []string{"O", "F"}[i%2]})
			return err
		}
		w.must(save(0))
		w.must(save(0)) // the same again is no change
		for i := range 99 {
			w.must(save(i + 1))
		}
		refused(t, save(100), admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		equal(t, "entries", len(strings.Split(p.timeline(), ", "))-before, 100)

		for range 100 {
			w.clock.Pass(time.Second)
			w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
			w.clock.Pass(time.Second)
			w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", false))
		}
		w.clock.Pass(time.Second)
		refused(t, p.MyData.Choose(p.ctx, p.Visitor, "marketing", true), admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		equal(t, "lines of the ledger", w.count("consents WHERE purpose = 'marketing'"), 200)
		w.clock.Pass(24 * time.Hour)
		w.must(save(100))
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
	})
}

// 20 an hour, and no more than 100 a day; ten times as much after a human check, five times by the page without scripts.
func TestAnAddressWritesSoMuchADay(t *testing.T) {
	writes := map[string]func(*person, int) error{
		"enquiry": func(p *person, i int) error {
			_, err := p.Contact.SendEnquiry(p.ctx, p.Visitor, map[string]string{"fullname": "Asha Rao", "email": fmt.Sprintf("a%d@example.com", i), "country": "in", "phone": "9812345670", "description": "When is it?"})
			return err
		},
		"complaint": func(p *person, i int) error {
			_, err := p.complain(p.Visitor, fields{"email": fmt.Sprintf("a%d@example.com", i)})
			return err
		},
		"lead": func(p *person, i int) error {
			lead := map[string]string{"fullname": "Asha Rao", "email": fmt.Sprintf("a%d@example.com", i), "phone_number": p.phone, "consents": "reminders"}
			return p.Enrol.SaveLead(p.ctx, p.Visitor, "KS_Mgrow", lead)
		},
	}
	for what, write := range writes {
		t.Run(what, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				w.Access.RateLimitsOff = false
				p, sent := w.somebody(), 0
				hour := func() (hourly int) {
					for ; ; sent, hourly = sent+1, hourly+1 {
						if err := write(p, sent); err != nil {
							if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.TooMany {
								t.Fatal(err)
							}
							return hourly
						}
					}
				}
				for i, want := range []int{20, 20, 20, 20, 20, 0, 0} {
					equal(t, fmt.Sprint("in hour ", i), hour(), want)
					w.clock.Pass(time.Hour)
				}
				refused(t, write(p, sent), admission.TooMany, "", "Too many tries. Please wait 17 hours and try again.")
				w.clock.Pass(17*time.Hour - time.Second)
				equal(t, "a second before a day is over", hour(), 0)
				w.clock.Pass(time.Second)
				equal(t, "after a day", hour(), 20)
				other := w.somebody()
				other.IP = "198.51.100.8"
				w.must(write(other, 0))
			})
		})
	}
}

package business_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
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

// asks are what strangers may ask of us, each time of somebody or something else.
var asks = map[string]func(*person, int) error{
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
	"code": func(p *person, i int) error {
		_, err := p.Access.RequestCode(p.ctx, p.Visitor, access.PhoneCodeInput{Purpose: access.ForPhone, Phone: fmt.Sprintf("9%03d5%05d", i%400, i), Email: p.email, EventCode: "KS_Mgrow"})
		return err
	},
	"code to sign in": func(p *person, i int) error {
		_, _, err := p.Account.RequestCode(p.ctx, p.Visitor, fmt.Sprintf("a%d@example.com", i))
		return err
	},
	"coupon": func(p *person, i int) error {
		_, err := p.Enrol.ApplyCoupon(p.ctx, p.Visitor, enrol.CouponRequest{Code: fmt.Sprint("GUESS", i), EventCode: "KS_Mgrow"})
		return err
	},
	"referral code": func(p *person, i int) error {
		return p.Enrol.CheckReferral(p.ctx, p.Visitor, fmt.Sprint("GUESS", i), "")
	},
	"look-up": func(p *person, i int) error {
		_, err := p.Enrol.PhoneExists(p.ctx, p.Visitor, fmt.Sprintf("98%08d", i), false)
		return err
	},
}

// let asks until there is too much of it, and returns how much there was.
func (p *person) let(what string, from int) (n int) {
	p.t.Helper()
	for ; n < 400; n++ {
		err := asks[what](p, from+n)
		problem := admission.AsProblem(err)
		if err != nil && problem == nil {
			p.t.Fatal(err)
		}
		if problem != nil && problem.Kind == admission.TooMany {
			break
		}
	}
	return n
}

// passed is somebody in a new browser at the same address who has passed the human check.
func (w *world) passed(byTicket bool) *person {
	w.t.Helper()
	p := w.somebody()
	w.must(w.Access.Store.Update(w.ctx, func(tx access.Tx) error {
		session, err := tx.SessionForUpdate(p.SessionID)
		if err != nil {
			return err
		}
		session.HumanUntil, session.ByTicket = w.clock.Now().Add(2*time.Hour), byTicket
		return tx.SaveSession(session)
	}))
	return p
}

// One human check does not buy what a whole college may do.
func TestASessionHasItsShareOfItsAddress(t *testing.T) {
	const hour = "Too many tries. Please wait 60 minutes and try again."
	for what, share := range map[string]int{"enquiry": 10, "complaint": 10, "lead": 10, "code": 10, "code to sign in": 10, "coupon": 10, "referral code": 10, "look-up": 5} {
		for how, byTicket := range map[string]bool{"": false, ", without scripts": true} {
			t.Run(what+how, func(t *testing.T) {
				onSQLite(t, func(t *testing.T, w *world) {
					w.Access.RateLimitsOff = false
					p := w.passed(byTicket)
					equal(t, "in an hour", p.let(what, 0), share)
					refused(t, asks[what](p, share), admission.TooMany, "", hour)
					equal(t, "hits of the session", w.count("hits WHERE bucket LIKE '%:session:"+p.SessionID+"'"), share)
					equal(t, "of a newcomer at the same address", w.passed(byTicket).let(what, 100), share)
					w.clock.Pass(time.Hour - time.Second)
					refused(t, asks[what](p, share), admission.TooMany, "", "Too many tries. Please wait 1 second and try again.")
					w.clock.Pass(time.Second)
					equal(t, "an hour later", p.let(what, 200), share)
				})
			})
		}
	}
}

func TestWhatIsNotWidenedIsCountedByNoSession(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		equal(t, "codes of one address without a human check", w.somebody().let("code", 0), 30)
		p := w.passed(false)
		p.IP = "198.51.100.8"
		w.must(p.prove(access.ForPhone, p.phone))
		equal(t, "hits of a session until it has proven a phone", w.count("hits WHERE bucket LIKE '%:session:%'"), 1)
		equal(t, "codes of who has proven one", p.let("code", 100), 30)
		equal(t, "hits of a session since", w.count("hits WHERE bucket LIKE '%:session:%'"), 1)

		w.Access.RateLimitsOff = true
		before := w.count("hits WHERE bucket LIKE 'coupon:%'")
		equal(t, "coupons without limits", w.passed(false).let("coupon", 0), 400)
		equal(t, "hits of them", w.count("hits WHERE bucket LIKE 'coupon:%'"), before)
	})
}

func TestAnAddressIsUsedUpByThirtyChecks(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		for i := range 30 {
			equal(t, fmt.Sprint("codes of session ", i), w.passed(false).let("code", 100*i), 10)
		}
		equal(t, "codes of one more", w.passed(false).let("code", 9000), 0)
	})
}

// 20 an hour, and no more than 100 a day; ten times as much after a human check, five times by the page without scripts.
func TestAnAddressWritesSoMuchADay(t *testing.T) {
	for _, what := range []string{"enquiry", "complaint", "lead"} {
		t.Run(what, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				w.Access.RateLimitsOff = false
				p, sent := w.somebody(), 0
				hour := func() int {
					n := p.let(what, sent)
					sent += n
					return n
				}
				for i, want := range []int{20, 20, 20, 20, 20, 0, 0} {
					equal(t, fmt.Sprint("in hour ", i), hour(), want)
					w.clock.Pass(time.Hour)
				}
				refused(t, asks[what](p, sent), admission.TooMany, "", "Too many tries. Please wait 17 hours and try again.")
				w.clock.Pass(17*time.Hour - time.Second)
				equal(t, "a second before a day is over", hour(), 0)
				w.clock.Pass(time.Second)
				equal(t, "after a day", hour(), 20)
				other := w.somebody()
				other.IP = "198.51.100.8"
				w.must(asks[what](other, 0))
			})
		})
	}
}

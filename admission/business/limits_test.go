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

// Hits are kept exactly as long as they count.
func TestPurgeKeepsCountedHits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.verified()
		guess := func() error {
			_, err := p.enrol(fields{"coupon_code": "NOSUCH99"})
			return err
		}
		for range 10 {
			expectProblem(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		}
		w.clock.Pass(time.Hour - time.Second)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		if problem := admission.AsProblem(guess()); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Second {
			t.Errorf("the eleventh guess within an hour: %v", problem)
		}
		w.clock.Pass(time.Second)
		expectProblem(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		w.clock.Pass(time.Hour)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		equal(t, "hits that are kept", w.count("hits WHERE bucket LIKE 'guess:%'"), 0)
	})
}

// Recorded actions are stored permanently, so they are limited per day. A withdrawal is always accepted.
func TestDailyLimitOfRecordedActions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.applicantAt(enrol.StepPersonal)
		before := len(strings.Split(p.timeline(), ", "))
		save := func(i int) error {
			_, err := p.saveStep("personal", fields{"gender": []string{"O", "F"}[i%2]})
			return err
		}
		w.must(save(0))
		w.must(save(0)) // the same again is no change
		for i := range 99 {
			w.must(save(i + 1))
		}
		expectProblem(t, save(100), admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		equal(t, "entries", len(strings.Split(p.timeline(), ", "))-before, 100)

		for range 100 {
			w.clock.Pass(time.Second)
			w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
			w.clock.Pass(time.Second)
			w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", false))
		}
		w.clock.Pass(time.Second)
		expectProblem(t, p.MyData.Choose(p.ctx, p.Visitor, "marketing", true), admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		equal(t, "lines of the ledger", w.count("consents WHERE purpose = 'marketing'"), 200)
		w.clock.Pass(24 * time.Hour)
		w.must(save(100))
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
	})
}

// limitedRequests are the calls that strangers may make, each with new data.
var limitedRequests = map[string]func(*person, int) error{
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

// requestsUntilLimit repeats a call until it is limited and returns the number of accepted calls.
func (p *person) requestsUntilLimit(what string, from int) (n int) {
	p.t.Helper()
	for ; n < 400; n++ {
		err := limitedRequests[what](p, from+n)
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

// passedHumanCheck returns a visitor in a new browser at the same address who has passed the human check.
func (w *world) passedHumanCheck(byTicket bool) *person {
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

// One human check does not unlock the address's whole limit.
func TestSessionShareOfAddressLimit(t *testing.T) {
	const hour = "Too many tries. Please wait 60 minutes and try again."
	for what, share := range map[string]int{"enquiry": 10, "complaint": 10, "lead": 10, "code": 10, "code to sign in": 10, "coupon": 10, "referral code": 10, "look-up": 5} {
		for how, byTicket := range map[string]bool{"": false, ", without scripts": true} {
			t.Run(what+how, func(t *testing.T) {
				onSQLite(t, func(t *testing.T, w *world) {
					w.Access.RateLimitsOff = false
					p := w.passedHumanCheck(byTicket)
					equal(t, "in an hour", p.requestsUntilLimit(what, 0), share)
					expectProblem(t, limitedRequests[what](p, share), admission.TooMany, "", hour)
					equal(t, "hits of the session", w.count("hits WHERE bucket LIKE '%:session:"+p.SessionID+"'"), share)
					equal(t, "of a newcomer at the same address", w.passedHumanCheck(byTicket).requestsUntilLimit(what, 100), share)
					w.clock.Pass(time.Hour - time.Second)
					expectProblem(t, limitedRequests[what](p, share), admission.TooMany, "", "Too many tries. Please wait 1 second and try again.")
					w.clock.Pass(time.Second)
					equal(t, "an hour later", p.requestsUntilLimit(what, 200), share)
				})
			})
		}
	}
}

func TestUnraisedLimitIsNotCountedBySession(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		equal(t, "codes of one address without a human check", w.somebody().requestsUntilLimit("code", 0), 30)
		p := w.passedHumanCheck(false)
		p.IP = "198.51.100.8"
		w.must(p.verifyCode(access.ForPhone, p.phone))
		equal(t, "hits of a session until it has proven a phone", w.count("hits WHERE bucket LIKE '%:session:%'"), 1)
		equal(t, "codes of who has proven one", p.requestsUntilLimit("code", 100), 30)
		equal(t, "hits of a session since", w.count("hits WHERE bucket LIKE '%:session:%'"), 1)

		w.Access.RateLimitsOff = true
		before := w.count("hits WHERE bucket LIKE 'coupon:%'")
		equal(t, "coupons without limits", w.passedHumanCheck(false).requestsUntilLimit("coupon", 0), 400)
		equal(t, "hits of them", w.count("hits WHERE bucket LIKE 'coupon:%'"), before)
	})
}

func TestThirtyChecksExhaustAddress(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		for i := range 30 {
			equal(t, fmt.Sprint("codes of session ", i), w.passedHumanCheck(false).requestsUntilLimit("code", 100*i), 10)
		}
		equal(t, "codes of one more", w.passedHumanCheck(false).requestsUntilLimit("code", 9000), 0)
	})
}

// 20 per hour and 100 per day; ten times as much after a human check, five times on the page without scripts.
func TestDailySubmissionLimit(t *testing.T) {
	for _, what := range []string{"enquiry", "complaint", "lead"} {
		t.Run(what, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				w.Access.RateLimitsOff = false
				p, sent := w.somebody(), 0
				hour := func() int {
					n := p.requestsUntilLimit(what, sent)
					sent += n
					return n
				}
				for i, want := range []int{20, 20, 20, 20, 20, 0, 0} {
					equal(t, fmt.Sprint("in hour ", i), hour(), want)
					w.clock.Pass(time.Hour)
				}
				expectProblem(t, limitedRequests[what](p, sent), admission.TooMany, "", "Too many tries. Please wait 17 hours and try again.")
				w.clock.Pass(17*time.Hour - time.Second)
				equal(t, "a second before a day is over", hour(), 0)
				w.clock.Pass(time.Second)
				equal(t, "after a day", hour(), 20)
				other := w.somebody()
				other.IP = "198.51.100.8"
				w.must(limitedRequests[what](other, 0))
			})
		})
	}
}

package access_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
)

// Hits are kept exactly as long as they count.
func TestPurgeKeepsCountedHits(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := w.Verified()
		guess := func() error {
			_, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "NOSUCH99"})
			return err
		}
		for range 10 {
			businesstest.ExpectProblem(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		}
		w.Clock.Pass(time.Hour - time.Second)
		w.Must(w.Database.Purge(w.Ctx, w.Clock.Now()))
		if problem := admission.AsProblem(guess()); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Second {
			t.Errorf("the eleventh guess within an hour: %v", problem)
		}
		w.Clock.Pass(time.Second)
		businesstest.ExpectProblem(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		w.Clock.Pass(time.Hour)
		w.Must(w.Database.Purge(w.Ctx, w.Clock.Now()))
		businesstest.Equal(t, "hits that are kept", w.Count("hits WHERE bucket LIKE 'guess:%'"), 0)
	})
}

// Recorded actions are stored permanently, so they are limited per day. A withdrawal is always accepted.
func TestDailyLimitOfRecordedActions(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := w.ApplicantAt(enrol.StepPersonal)
		before := len(strings.Split(p.Timeline(), ", "))
		save := func(i int) error {
			_, err := p.SaveStep("personal", businesstest.Fields{"gender": []string{"O", "F"}[i%2]})
			return err
		}
		w.Must(save(0))
		w.Must(save(0)) // the same again is no change
		for i := range 99 {
			w.Must(save(i + 1))
		}
		businesstest.ExpectProblem(t, save(100), admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		businesstest.Equal(t, "entries", len(strings.Split(p.Timeline(), ", "))-before, 100)

		for range 100 {
			w.Clock.Pass(time.Second)
			w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true))
			w.Clock.Pass(time.Second)
			w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", false))
		}
		w.Clock.Pass(time.Second)
		businesstest.ExpectProblem(t, p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true), admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		businesstest.Equal(t, "lines of the ledger", w.Count("consents WHERE purpose = 'marketing'"), 200)
		w.Clock.Pass(24 * time.Hour)
		w.Must(save(100))
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true))
	})
}

// limitedRequests are the calls that strangers may make, each with new data.
var limitedRequests = map[string]func(*businesstest.Person, int) error{
	"enquiry": func(p *businesstest.Person, i int) error {
		_, err := p.Contact.SendEnquiry(p.Ctx, p.Visitor, map[string]string{"fullname": "Asha Rao", "email": fmt.Sprintf("a%d@example.com", i), "country": "in", "phone": "9812345670", "description": "When is it?"})
		return err
	},
	"complaint": func(p *businesstest.Person, i int) error {
		_, err := p.Complain(p.Visitor, businesstest.Fields{"email": fmt.Sprintf("a%d@example.com", i)})
		return err
	},
	"lead": func(p *businesstest.Person, i int) error {
		lead := map[string]string{"fullname": "Asha Rao", "email": fmt.Sprintf("a%d@example.com", i), "phone_number": p.Phone, "consents": "reminders"}
		return p.Enrol.SaveLead(p.Ctx, p.Visitor, "KS_Mgrow", lead)
	},
	"code": func(p *businesstest.Person, i int) error {
		_, err := p.Access.RequestCode(p.Ctx, p.Visitor, access.PhoneCodeInput{Purpose: access.ForPhone, Phone: fmt.Sprintf("9%03d5%05d", i%400, i), Email: p.Email, EventCode: "KS_Mgrow"})
		return err
	},
	"code to sign in": func(p *businesstest.Person, i int) error {
		_, _, err := p.Account.RequestCode(p.Ctx, p.Visitor, fmt.Sprintf("a%d@example.com", i))
		return err
	},
	"coupon": func(p *businesstest.Person, i int) error {
		_, err := p.Enrol.ApplyCoupon(p.Ctx, p.Visitor, enrol.CouponRequest{Code: fmt.Sprint("GUESS", i), EventCode: "KS_Mgrow"})
		return err
	},
	"referral code": func(p *businesstest.Person, i int) error {
		return p.Enrol.CheckReferral(p.Ctx, p.Visitor, fmt.Sprint("GUESS", i), "")
	},
	"look-up": func(p *businesstest.Person, i int) error {
		_, err := p.Enrol.PhoneExists(p.Ctx, p.Visitor, fmt.Sprintf("98%08d", i), false)
		return err
	},
}

// requestsUntilLimit repeats a call until it is limited and returns the number of accepted calls.
func requestsUntilLimit(p *businesstest.Person, what string, from int) (n int) {
	p.T.Helper()
	for ; n < 400; n++ {
		err := limitedRequests[what](p, from+n)
		problem := admission.AsProblem(err)
		if err != nil && problem == nil {
			p.T.Fatal(err)
		}
		if problem != nil && problem.Kind == admission.TooMany {
			break
		}
	}
	return n
}

// passedHumanCheck returns a visitor in a new browser at the same address who has passed the human check.
func passedHumanCheck(w *businesstest.World, byTicket bool) *businesstest.Person {
	w.T.Helper()
	p := w.Somebody()
	w.Must(w.Access.Store.Update(w.Ctx, func(tx access.Tx) error {
		session, err := tx.SessionForUpdate(p.SessionID)
		if err != nil {
			return err
		}
		session.HumanUntil, session.ByTicket = w.Clock.Now().Add(2*time.Hour), byTicket
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
				businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
					w.Access.RateLimitsOff = false
					p := passedHumanCheck(w, byTicket)
					businesstest.Equal(t, "in an hour", requestsUntilLimit(p, what, 0), share)
					businesstest.ExpectProblem(t, limitedRequests[what](p, share), admission.TooMany, "", hour)
					businesstest.Equal(t, "hits of the session", w.Count("hits WHERE bucket LIKE '%:session:"+p.SessionID+"'"), share)
					businesstest.Equal(t, "of a newcomer at the same address", requestsUntilLimit(passedHumanCheck(w, byTicket), what, 100), share)
					w.Clock.Pass(time.Hour - time.Second)
					businesstest.ExpectProblem(t, limitedRequests[what](p, share), admission.TooMany, "", "Too many tries. Please wait 1 second and try again.")
					w.Clock.Pass(time.Second)
					businesstest.Equal(t, "an hour later", requestsUntilLimit(p, what, 200), share)
				})
			})
		}
	}
}

func TestUnraisedLimitIsNotCountedBySession(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		businesstest.Equal(t, "codes of one address without a human check", requestsUntilLimit(w.Somebody(), "code", 0), 30)
		p := passedHumanCheck(w, false)
		p.IP = "198.51.100.8"
		w.Must(p.VerifyCode(access.ForPhone, p.Phone))
		businesstest.Equal(t, "hits of a session until it has proven a phone", w.Count("hits WHERE bucket LIKE '%:session:%'"), 1)
		businesstest.Equal(t, "codes of somebody who has proven one", requestsUntilLimit(p, "code", 100), 30)
		businesstest.Equal(t, "hits of a session since", w.Count("hits WHERE bucket LIKE '%:session:%'"), 1)

		w.Access.RateLimitsOff = true
		before := w.Count("hits WHERE bucket LIKE 'coupon:%'")
		businesstest.Equal(t, "coupons without limits", requestsUntilLimit(passedHumanCheck(w, false), "coupon", 0), 400)
		businesstest.Equal(t, "hits of them", w.Count("hits WHERE bucket LIKE 'coupon:%'"), before)
	})
}

func TestHumanChecksExhaustAddress(t *testing.T) {
	for name, how := range map[string]struct {
		byTicket bool
		checks   int
	}{"with scripts": {false, 30}, "without scripts": {true, 15}} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
				w.Access.RateLimitsOff = false
				for i := range how.checks {
					businesstest.Equal(t, fmt.Sprint("codes of session ", i), requestsUntilLimit(passedHumanCheck(w, how.byTicket), "code", 100*i), 10)
				}
				businesstest.Equal(t, "codes of one more", requestsUntilLimit(passedHumanCheck(w, how.byTicket), "code", 9000), 0)
			})
		})
	}
}

func TestHumanCheckRaisesLimitsForTwoHours(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := passedHumanCheck(w, false)
		w.Clock.Pass(2 * time.Hour)
		businesstest.Equal(t, "codes of the address", requestsUntilLimit(p, "code", 0), 30)
	})
}

// 20 per hour and 100 per day; ten times as much after a human check, five times on the page without scripts.
func TestDailySubmissionLimit(t *testing.T) {
	for _, what := range []string{"enquiry", "complaint", "lead"} {
		t.Run(what, func(t *testing.T) {
			businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
				w.Access.RateLimitsOff = false
				p, sent := w.Somebody(), 0
				hour := func() int {
					n := requestsUntilLimit(p, what, sent)
					sent += n
					return n
				}
				for i, want := range []int{20, 20, 20, 20, 20, 0, 0} {
					businesstest.Equal(t, fmt.Sprint("in hour ", i), hour(), want)
					w.Clock.Pass(time.Hour)
				}
				businesstest.ExpectProblem(t, limitedRequests[what](p, sent), admission.TooMany, "", "Many requests came from your network. Please wait 17 hours and try again.")
				w.Clock.Pass(17*time.Hour - time.Second)
				businesstest.Equal(t, "a second before a day is over", hour(), 0)
				w.Clock.Pass(time.Second)
				businesstest.Equal(t, "after a day", hour(), 20)
				other := w.Somebody()
				other.IP = "198.51.100.8"
				w.Must(limitedRequests[what](other, 0))
			})
		})
	}
}

package enrol_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

const (
	usedUp     = "This coupon has just been used up."
	badCoupon  = "Invalid coupon code. Please check and try again."
	badReferee = "Invalid referral code. Please check and try again."
)

// applyCoupon returns the price with a coupon for the person's phone.
func applyCoupon(p *businesstest.Person, code, event string) (enrol.Price, error) {
	return p.Enrol.ApplyCoupon(p.Ctx, p.Visitor, enrol.CouponRequest{Code: code, EventCode: event, Phone: "+91" + p.Phone})
}

func TestCouponLimits(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		off := enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}
		w.AddCoupon(enrol.Coupon{Code: "SEASON26", Terms: off, StartsAt: businesstest.Noon.Add(time.Hour), EndsAt: businesstest.Noon.Add(2 * time.Hour)})
		w.AddCoupon(enrol.Coupon{Code: "CAMPUS26", Terms: off, EventCode: "KS_Campus"})
		w.AddCoupon(enrol.Coupon{Code: "ONCEEACH", Terms: off, MaxPerPhone: 1})
		w.AddCoupon(enrol.Coupon{Code: "BUDGET12", Terms: off, BudgetMinor: 1200_00})
		somebody := w.Verified()

		for _, c := range []struct {
			name, code, event string
			at                time.Duration
			message           string // "" where the coupon counts
		}{
			{"an unknown code", "NOSUCH99", "KS_Mgrow", 0, badCoupon},
			{"before its window", "SEASON26", "KS_Mgrow", time.Hour - time.Second, badCoupon},
			{"as its window opens", "SEASON26", "KS_Mgrow", time.Hour, ""},
			{"in its last second", "SEASON26", "KS_Mgrow", 2*time.Hour - time.Second, ""},
			{"as its window closes", "SEASON26", "KS_Mgrow", 2 * time.Hour, badCoupon},
			{"for another event", "CAMPUS26", "KS_Mgrow", 0, badCoupon},
			{"for its own event", "CAMPUS26", "KS_Campus", 0, ""},
			{"in small letters", "mgrow500", "KS_Mgrow", 0, ""},
			{"of another shape", "A B", "KS_Mgrow", 0, badCoupon},
			{"none at all", "", "KS_Mgrow", 0, badCoupon},
		} {
			w.Clock.Set(businesstest.Noon.Add(c.at))
			price, err := applyCoupon(somebody, c.code, c.event)
			if c.message != "" {
				businesstest.ExpectProblem(t, err, admission.Invalid, "coupon_code", c.message)
				continue
			}
			if err != nil || price.Discount != admission.INR(500_00) || price.List.Minor-500_00 != price.Final.Minor {
				t.Errorf("%s: %+v, %v", c.name, price, err)
			}
		}
		w.Clock.Set(businesstest.Noon)
		businesstest.Equal(t, "uses that asking for a price holds", w.Count("coupon_uses"), 0)

		once := w.Paid(businesstest.Fields{"coupon_code": "ONCEEACH"})
		_, err := applyCoupon(once, "ONCEEACH", "KS_Mgrow")
		businesstest.ExpectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
		if _, err = applyCoupon(somebody, "ONCEEACH", "KS_Mgrow"); err != nil {
			t.Errorf("another phone: %v", err)
		}

		// A budget of ₹1,200 covers two discounts of ₹500.
		w.Paid(businesstest.Fields{"coupon_code": "BUDGET12"})
		w.Paying(businesstest.Fields{"coupon_code": "BUDGET12"})
		_, err = applyCoupon(somebody, "BUDGET12", "KS_Mgrow")
		businesstest.ExpectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
	})
}

// A link's code is judged without a human check, so that guesses are few.
func TestTwentyRefusedCodesOfLinksAnHour(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		stranger := admission.Visitor{IP: "203.0.113.7"}
		shown := func(v admission.Visitor, code string) (enrol.Price, error) {
			return w.Enrol.ShownPrice(w.Ctx, v, enrol.CouponRequest{Code: code, EventCode: "KS_Mgrow"})
		}
		for range 30 { // valid codes do not count
			if price, err := shown(stranger, "MGROW500"); err != nil || price.Final != admission.INR(999_00) {
				t.Fatalf("a valid code: %+v, %v", price, err)
			}
		}
		for range 20 {
			_, err := shown(stranger, "NOSUCH99")
			businesstest.ExpectProblem(t, err, admission.Invalid, "coupon_code", badCoupon)
		}
		for _, code := range []string{"NOSUCH99", "MGROW500"} { // equal, so that a code is not found by trying
			if _, err := shown(stranger, code); !admission.HasKind(err, admission.TooMany) {
				t.Errorf("%s after 20 refusals: %v", code, err)
			}
		}
		if _, err := shown(admission.Visitor{IP: "198.51.100.9"}, "MGROW500"); err != nil {
			t.Errorf("another address: %v", err)
		}
		w.Advance(time.Hour)
		if _, err := shown(stranger, "MGROW500"); err != nil {
			t.Errorf("an hour later: %v", err)
		}
		businesstest.Equal(t, "sessions that links open", w.Count("sessions"), 0)
	})
}

func TestHeldCouponIsReleasedAfterThirtyMinutes(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		holder := w.Paying(businesstest.Fields{"coupon_code": "LASTSEAT"})
		other := w.Verified()
		w.Advance(29*time.Minute + 59*time.Second)
		_, err := applyCoupon(other, "LASTSEAT", "KS_Mgrow")
		businesstest.ExpectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
		w.Advance(time.Second)
		if _, err = applyCoupon(other, "LASTSEAT", "KS_Mgrow"); err != nil {
			t.Errorf("after 30 minutes: %v", err)
		}
		holder.ExpectState(holder.TxnID, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		_, err = other.SubmitEnrolment(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.Must(err)
		other.MustStart("")
		other.ReturnWith(sandbox.Paid)
		other.ExpectState(other.TxnID, businesstest.PaidOnce)
	})
}

func TestLatePaymentUsesReleasedCoupon(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		late := w.Paying(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.Sandbox.PressWithoutReturn(late.TxnID, sandbox.LateExpired)
		w.Advance(30 * time.Minute)
		second := w.Paid(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.Advance(30 * time.Minute)
		late.ExpectState(late.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseOverLimit, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "coupon used beyond its limit, enrolled, paid, payment expired"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"coupon used beyond its limit"})
		second.ExpectState(second.TxnID, businesstest.PaidOnce)
		businesstest.Same(t, "what both paid", w.Texts("SELECT total_minor, discount_minor FROM invoices"), []string{"99900 | 50000", "99900 | 50000"})
	})
}

// A refunded enrolment gives its coupon back (refund policy, "Coupons"). If the refund bounces, the enrolment takes it again.
func TestRefundedEnrolmentReleasesItsCoupon(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Paid(businesstest.Fields{"coupon_code": "LASTSEAT"}), w.Verified()
		_, err := applyCoupon(other, "LASTSEAT", "KS_Mgrow")
		businesstest.ExpectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
		first := p.TxnID
		w.AfterPayment(first, sandbox.RefundedThere)
		use := func(txn string) []string {
			return w.Texts("SELECT state FROM coupon_uses WHERE txn_id = '" + txn + "'")
		}
		businesstest.Same(t, "use after the refund", use(first), []string{"released"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
		if _, err = applyCoupon(other, "LASTSEAT", "KS_Mgrow"); err != nil {
			t.Errorf("coupon for another person after the refund: %v", err)
		}

		w.AfterPayment(first, sandbox.RefundBounces)
		businesstest.Same(t, "use after the bounce", use(first), []string{"used"})
		w.AfterPayment(first, sandbox.RefundedThere)
		_, err = p.SubmitEnrolment(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.Must(err)
		p.MustStart("")
		p.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "use by the same person again", use(p.TxnID), []string{"used"})
		w.AfterPayment(first, sandbox.RefundBounces)
		businesstest.Same(t, "use of a bounced refund after a new enrolment", use(first), []string{"released"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"refund returned by the payer's bank", "refund returned by the payer's bank"})
	})
}

// Others may use a coupon up before the refund bounces.
func TestBounceUsesCouponBeyondItsLimit(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.AfterPayment(p.TxnID, sandbox.RefundedThere)
		w.Paid(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.AfterPayment(p.TxnID, sandbox.RefundBounces)
		businesstest.Same(t, "use", w.Texts("SELECT state FROM coupon_uses ORDER BY state"), []string{"over limit", "used"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"refund returned by the payer's bank", "coupon used beyond its limit"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func TestCouponUsedUpBeforePayment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.AddCoupon(enrol.Coupon{Code: "TODAY100", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 100_00}, EndsAt: businesstest.Noon.Add(time.Hour)})
		usedUpMeanwhile, over := w.Enrolled(businesstest.Fields{"coupon_code": "LASTSEAT"}), w.Enrolled(businesstest.Fields{"coupon_code": "TODAY100"})
		w.Paid(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.Clock.Pass(time.Hour)
		for _, c := range []struct {
			*businesstest.Person
			kind    admission.Kind
			message string
		}{{usedUpMeanwhile, admission.Conflict, usedUp}, {over, admission.Invalid, badCoupon}} {
			due, err := w.Payment.Due(w.Ctx, c.Visitor, c.RegistrationID)
			w.Must(err)
			businesstest.Equal(t, "what the page says", due.CouponGone, c.message)
			businesstest.Equal(t, "what the page shows", due.Price.Final, admission.INR(1499_00))
			w.Sandbox.Calls()
			_, err = c.Start("")
			businesstest.ExpectProblem(t, err, c.kind, "coupon_code", c.message)
			businesstest.Equal(t, "attempts", w.Count("transactions WHERE registration_id = $1", c.RegistrationID), 0)
			businesstest.Same(t, "what the provider was asked", w.Sandbox.Calls(), nil)
			businesstest.Equal(t, "the next start charges", c.MustStart("").Charge, admission.INR(1499_00))
			c.ExpectState(c.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})
		}
	})
}

func TestPaidRegistrationIgnoresCouponState(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		off := enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}
		w.AddCoupon(enrol.Coupon{Code: "ONCEEACH", Terms: off, MaxPerPhone: 1})
		w.AddCoupon(enrol.Coupon{Code: "ONEINALL", Terms: off, MaxUses: 1})
		w.AddCoupon(enrol.Coupon{Code: "BUDGET05", Terms: off, BudgetMinor: 500_00})
		w.AddCoupon(enrol.Coupon{Code: "TODAY500", Terms: off, EndsAt: businesstest.Noon.Add(time.Hour)})
		var paid []*businesstest.Person
		for _, code := range []string{"ONCEEACH", "ONEINALL", "BUDGET05", "TODAY500"} {
			paid = append(paid, w.Paid(businesstest.Fields{"coupon_code": code}))
		}
		w.Clock.Set(time.Date(2028, 1, 1, 0, 0, 0, 0, admission.IST)) // enrolment has closed since
		for _, p := range paid {
			due, err := w.Payment.Due(w.Ctx, p.Visitor, p.RegistrationID)
			w.Must(err)
			coupon := due.Registration.CouponCode
			businesstest.Equal(t, "what is said of "+coupon, due.CouponGone+due.Refusal, "")
			businesstest.Equal(t, "price with "+coupon, due.Price.Final, admission.INR(999_00))
			businesstest.Equal(t, "ways to pay again with "+coupon, len(due.Methods), 0)
		}
	})
}

func TestFailedAttemptReleasesCoupon(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.Fields{"coupon_code": "LASTSEAT"})
		p.ReturnWith(sandbox.Failed)
		first := p.TxnID
		businesstest.Equal(t, "the next attempt charges", p.MustStart("").Charge, admission.INR(999_00))
		p.ReturnWith(sandbox.Paid)
		p.ExpectState(first, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt", Timeline: "enrolled, paid, payment failed"})
	})
}

func TestNobodyHoldsTheLastUseForEver(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		const often = "You have started 8 payments with this coupon in a day. Pay without it, or use it again tomorrow."
		w.AddCoupon(enrol.Coupon{Code: "NOLIMIT5", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxPerPhone: 1})
		w.AddCoupon(enrol.Coupon{Code: "BUDGET50", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, BudgetMinor: 500_00})
		for code, limited := range map[string]bool{"LASTSEAT": true, "BUDGET50": true, "NOLIMIT5": false} {
			p := w.Enrolled(businesstest.Fields{"coupon_code": code})
			fails := func() {
				businesstest.Equal(t, "an attempt with "+code, p.MustStart("").Charge, admission.INR(999_00))
				p.ReturnWith(sandbox.Failed)
				w.Clock.Pass(10 * time.Minute) // of ten attempts an hour
			}
			for range 8 {
				fails()
			}
			if !limited {
				fails()
				continue
			}
			_, err := p.Start("")
			businesstest.ExpectProblem(t, err, admission.Conflict, "coupon_code", often)
			businesstest.Equal(t, "attempts with "+code, w.Count("transactions WHERE registration_id = $1", p.RegistrationID), 8)
			businesstest.Equal(t, "the next charges", p.MustStart("").Charge, admission.INR(1499_00))
			p.ReturnWith(sandbox.Failed)
			businesstest.Equal(t, "another payer of "+code, w.Enrolled(businesstest.Fields{"coupon_code": code}).MustStart("").Charge, admission.INR(999_00))
		}
	})
}

func TestGatewayOfAnotherCurrency(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Sandbox.Currencies, w.Second.Currencies = []string{"USD", "EUR"}, []string{"EUR"}
		w.Open(w.Sandbox, w.Second)
		p := w.Enrolled(businesstest.WithCoupon)
		event, _ := w.Catalogue.EventByCode("KS_Mgrow")
		businesstest.Same(t, "gateways offered", offered(w, event), []string{"sandbox"}) // the event has a price in USD, none in EUR
		started := p.MustStart("")
		businesstest.Equal(t, "charge", started.Charge, admission.Money{Minor: 12_66, Currency: "USD"}) // 19.00 · 999 / 1499, half up
		p.ReturnWith(sandbox.Paid)
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
		businesstest.Equal(t, "amount in the mail", p.Post.To(p.Email)[0].Params["Amount"], "$12.66")
		w.AddCoupon(enrol.Coupon{Code: "ONEPAISA", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 1498_99}})
		businesstest.Equal(t, "charge for one paisa", w.Enrolled(businesstest.Fields{"coupon_code": "ONEPAISA"}).MustStart("").Charge, admission.Money{Minor: 1, Currency: "USD"})
		_, err := w.Enrolled(nil).Start("second")
		businesstest.ExpectProblem(t, err, admission.Invalid, "gateway", "Unsupported gateway")
		w.Sandbox.Currencies = []string{"EUR"}
		w.Open(w.Sandbox, w.Second)
		_, err = w.Enrolled(nil).Start("")
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
	})
}

// offered returns the names of the gateways offered to new payers.
func offered(w *businesstest.World, event admission.Event) (names []string) {
	for _, gateway := range w.Payment.Gateways.For(event) {
		names = append(names, gateway.Name)
	}
	return names
}

func TestOwnHoldDoesNotUseUpCoupon(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		price, err := w.Enrol.ApplyCoupon(w.Ctx, p.Visitor, enrol.CouponRequest{Code: "MGROW500", EventCode: "KS_Mgrow", Phone: "+91" + p.Phone})
		w.Must(err)
		businesstest.Equal(t, "price", price.Final, admission.INR(99900))
	})
}

func TestEnrolCountsGuesses(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := w.Verified()
		for range 10 {
			_, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "NOSUCH99"})
			businesstest.ExpectProblem(t, err, admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		}
		_, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "NOSUCH99"})
		problem := admission.AsProblem(err)
		if problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Hour {
			t.Errorf("the eleventh guess: %v, want an hour's wait", err)
		}
		businesstest.Equal(t, "registrations", w.Count("registrations"), 0)
	})
}

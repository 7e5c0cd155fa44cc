package business_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
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
func (p *person) applyCoupon(code, event string) (enrol.Price, error) {
	return p.Enrol.ApplyCoupon(p.ctx, p.Visitor, enrol.CouponRequest{Code: code, EventCode: event, Phone: "+91" + p.phone})
}

func TestCouponLimits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		off := enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}
		w.coupon(enrol.Coupon{Code: "SEASON26", Terms: off, StartsAt: noon.Add(time.Hour), EndsAt: noon.Add(2 * time.Hour)})
		w.coupon(enrol.Coupon{Code: "CAMPUS26", Terms: off, EventCode: "KS_Campus"})
		w.coupon(enrol.Coupon{Code: "ONCEEACH", Terms: off, MaxPerPhone: 1})
		w.coupon(enrol.Coupon{Code: "BUDGET12", Terms: off, BudgetMinor: 1200_00})
		somebody := w.verified()

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
			w.clock.Set(noon.Add(c.at))
			price, err := somebody.applyCoupon(c.code, c.event)
			if c.message != "" {
				expectProblem(t, err, admission.Invalid, "coupon_code", c.message)
				continue
			}
			if err != nil || price.Discount != admission.INR(500_00) || price.List.Minor-500_00 != price.Final.Minor {
				t.Errorf("%s: %+v, %v", c.name, price, err)
			}
		}
		w.clock.Set(noon)
		equal(t, "uses that asking for a price holds", w.count("coupon_uses"), 0)

		// One use per phone: the same person enrols again after a refund.
		again := w.paid(fields{"coupon_code": "ONCEEACH"})
		_, err := w.Payment.Refund(w.ctx, again.txn)
		w.must(err)
		_, err = again.applyCoupon("ONCEEACH", "KS_Mgrow")
		expectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
		_, err = again.enrol(fields{"coupon_code": "ONCEEACH"})
		expectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
		if _, err = somebody.applyCoupon("ONCEEACH", "KS_Mgrow"); err != nil {
			t.Errorf("another phone: %v", err)
		}

		// A budget of ₹1,200 covers two discounts of ₹500.
		w.paid(fields{"coupon_code": "BUDGET12"})
		w.paying(fields{"coupon_code": "BUDGET12"})
		_, err = somebody.applyCoupon("BUDGET12", "KS_Mgrow")
		expectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
	})
}

func TestHeldCouponIsReleasedAfterThirtyMinutes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		holder := w.paying(fields{"coupon_code": "LASTSEAT"})
		other := w.verified()
		w.advance(29*time.Minute + 59*time.Second)
		_, err := other.applyCoupon("LASTSEAT", "KS_Mgrow")
		expectProblem(t, err, admission.Conflict, "coupon_code", usedUp)
		w.advance(time.Second)
		if _, err = other.applyCoupon("LASTSEAT", "KS_Mgrow"); err != nil {
			t.Errorf("after 30 minutes: %v", err)
		}
		holder.expectState(holder.txn, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		_, err = other.enrol(fields{"coupon_code": "LASTSEAT"})
		w.must(err)
		other.mustStart("")
		other.returnWith(sandbox.Paid)
		other.expectState(other.txn, paidOnce)
	})
}

func TestLatePaymentUsesReleasedCoupon(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		late := w.paying(fields{"coupon_code": "LASTSEAT"})
		w.sandbox.press(late.txn, sandbox.LateExpired)
		w.advance(30 * time.Minute)
		second := w.paid(fields{"coupon_code": "LASTSEAT"})
		w.advance(30 * time.Minute)
		late.expectState(late.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseOverLimit, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "coupon used beyond its limit, enrolled, paid, payment expired"})
		same(t, "alerts", w.alerts.all(), []string{"coupon used beyond its limit by a late payment"})
		second.expectState(second.txn, paidOnce)
		same(t, "what both paid", w.texts("SELECT total_minor, discount_minor FROM invoices"), []string{"99900 | 50000", "99900 | 50000"})
	})
}

func TestCouponUsedUpBeforePayment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.coupon(enrol.Coupon{Code: "TODAY100", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 100_00}, EndsAt: noon.Add(time.Hour)})
		usedUpMeanwhile, over := w.enrolled(fields{"coupon_code": "LASTSEAT"}), w.enrolled(fields{"coupon_code": "TODAY100"})
		w.paid(fields{"coupon_code": "LASTSEAT"})
		w.clock.Pass(time.Hour)
		for _, c := range []struct {
			*person
			kind    admission.Kind
			message string
		}{{usedUpMeanwhile, admission.Conflict, usedUp}, {over, admission.Invalid, badCoupon}} {
			due, err := w.Payment.Due(w.ctx, c.Visitor, c.registration)
			w.must(err)
			equal(t, "what the page says", due.CouponGone, c.message)
			equal(t, "what the page shows", due.Price.Final, admission.INR(1499_00))
			w.sandbox.asked()
			_, err = c.start("")
			expectProblem(t, err, c.kind, "coupon_code", c.message)
			equal(t, "attempts", w.count("transactions WHERE registration_id = $1", c.registration), 0)
			same(t, "what the provider was asked", w.sandbox.asked(), nil)
			equal(t, "the next start charges", c.mustStart("").Charge, admission.INR(1499_00))
			c.expectState(c.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})
		}
	})
}

func TestPaidRegistrationIgnoresCouponState(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		off := enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}
		w.coupon(enrol.Coupon{Code: "ONCEEACH", Terms: off, MaxPerPhone: 1})
		w.coupon(enrol.Coupon{Code: "ONEINALL", Terms: off, MaxUses: 1})
		w.coupon(enrol.Coupon{Code: "BUDGET05", Terms: off, BudgetMinor: 500_00})
		w.coupon(enrol.Coupon{Code: "TODAY500", Terms: off, EndsAt: noon.Add(time.Hour)})
		var paid []*person
		for _, code := range []string{"ONCEEACH", "ONEINALL", "BUDGET05", "TODAY500"} {
			paid = append(paid, w.paid(fields{"coupon_code": code}))
		}
		w.clock.Set(time.Date(2028, 1, 1, 0, 0, 0, 0, admission.IST)) // enrolment has closed since
		for _, p := range paid {
			due, err := w.Payment.Due(w.ctx, p.Visitor, p.registration)
			w.must(err)
			coupon := due.Registration.CouponCode
			equal(t, "what is said of "+coupon, due.CouponGone+due.Refusal, "")
			equal(t, "price with "+coupon, due.Price.Final, admission.INR(999_00))
			equal(t, "ways to pay again with "+coupon, len(due.Methods), 0)
		}
	})
}

func TestFailedAttemptReleasesCoupon(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(fields{"coupon_code": "LASTSEAT"})
		p.returnWith(sandbox.Failed)
		first := p.txn
		equal(t, "the next attempt charges", p.mustStart("").Charge, admission.INR(999_00))
		p.returnWith(sandbox.Paid)
		p.expectState(first, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt", Timeline: "enrolled, paid, payment failed"})
	})
}

func TestGatewayOfAnotherCurrency(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.sandbox.Currencies, w.other.Currencies = []string{"USD", "EUR"}, []string{"EUR"}
		w.open(w.sandbox, w.other)
		p := w.enrolled(withCoupon)
		event, _ := w.catalogue.EventByCode("KS_Mgrow")
		same(t, "gateways offered", offered(w, event), []string{"sandbox"}) // the event has a price in USD, none in EUR
		started := p.mustStart("")
		equal(t, "charge", started.Charge, admission.Money{Minor: 12_66, Currency: "USD"}) // 19.00 · 999 / 1499, half up
		p.returnWith(sandbox.Paid)
		p.expectState(p.txn, paidOnce)
		same(t, "invoice", w.texts("SELECT list_minor, discount_minor, total_minor, tax_taxable + tax_cgst + tax_sgst, charged_minor, charged_currency FROM invoices"),
			[]string{"149900 | 50000 | 99900 | 99900 | 1266 | USD"})
		equal(t, "amount in the mail", p.post.to(p.email)[0].Params["Amount"], "$12.66")
		w.coupon(enrol.Coupon{Code: "ONEPAISA", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 1498_99}})
		equal(t, "charge for one paisa", w.enrolled(fields{"coupon_code": "ONEPAISA"}).mustStart("").Charge, admission.Money{Minor: 1, Currency: "USD"})
		_, err := w.enrolled(nil).start("second")
		expectProblem(t, err, admission.Invalid, "gateway", "Unsupported gateway")
		w.sandbox.Currencies = []string{"EUR"}
		w.open(w.sandbox, w.other)
		_, err = w.enrolled(nil).start("")
		expectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
	})
}

func TestReferral(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(w.database.SaveReferral(w.ctx, enrol.Referral{Code: "MYOWN123", OwnerName: "Asha Rao", OwnerPhone: "+919800000001", CreditMinor: 200_00}))
		owner := w.verified()
		equal(t, "the owner's phone", owner.phone, "9800000001")
		_, err := owner.enrol(fields{"referral_code": "MYOWN123"})
		expectProblem(t, err, admission.Invalid, "referral_code", badReferee)
		_, err = owner.enrol(fields{"referral_code": "NOSUCH99"})
		expectProblem(t, err, admission.Invalid, "referral_code", badReferee)
		equal(t, "registrations", w.count("registrations"), 0)
		for code, message := range map[string]string{"MYOWN123": badReferee, "NOSUCH99": badReferee, "": badReferee, "SETU2025": "", "setu2025": ""} {
			err := w.Enrol.CheckReferral(w.ctx, owner.Visitor, code, "+91"+owner.phone)
			if message == "" {
				w.must(err)
				continue
			}
			expectProblem(t, err, admission.Invalid, "referral_code", message)
		}

		p := w.paying(fields{"referral_code": "myown123"})
		equal(t, "credits before anybody paid", w.count("referral_credits"), 0)
		for range 3 {
			p.returnWith(sandbox.Paid)
			w.must(w.sandbox.webhook(p.txn, "payment.paid"))
			w.runJobs()
		}
		same(t, "credits", w.texts("SELECT code, registration_id, amount_minor, paid_at FROM referral_credits"), []string{"MYOWN123 | " + p.registration + " | 20000 | 0"})
		failed := w.paying(fields{"referral_code": "SETU2025"})
		failed.returnWith(sandbox.Failed)
		equal(t, "credits", w.count("referral_credits"), 1)

		stands := w.paid(fields{"referral_code": "SETU2025"})
		w.clock.Pass(time.Minute)
		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		same(t, "credits after a refund", w.texts("SELECT code, registration_id, amount_minor, paid_at, cancelled_at FROM referral_credits ORDER BY code"), []string{
			fmt.Sprintf("MYOWN123 | %s | 20000 | 0 | %d", p.registration, w.clock.Now().UnixMicro()),
			"SETU2025 | " + stands.registration + " | 20000 | 0 | 0",
		})
	})
}

// offered returns the names of the gateways offered to new payers.
func offered(w *world, event admission.Event) (names []string) {
	for _, gateway := range w.Payment.Gateways.For(event) {
		names = append(names, gateway.Name)
	}
	return names
}

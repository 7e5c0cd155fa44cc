package business_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func TestAttemptLimitPerRegistration(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.enrolled(nil)
		for range 10 {
			p.mustStart("")
			p.returnWith(sandbox.Failed)
		}
		_, err := p.start("")
		if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Hour {
			t.Errorf("the eleventh attempt: %v, want an hour's wait", err)
		}
		equal(t, "attempts", w.count("transactions"), 10)
		w.clock.Pass(time.Hour)
		p.mustStart("")
	})
}

func TestAttemptLimitKeepsOpenAttempt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.enrolled(nil)
		for range 5 {
			p.mustStart("sandbox")
			p.mustStart("second")
		}
		open := p.txn
		_, err := p.start("sandbox")
		expectProblem(t, err, admission.TooMany, "", "Too many tries. Please wait 60 minutes and try again.")
		equal(t, "the tenth", p.state(open).State, payment.Pending)
		equal(t, "goes on", p.mustStart("second").ID, open)
	})
}

func TestOtherAttemptIsCancelledAfterPayment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, first := w.abandonedAttempt(nil)
		second := p.txn
		w.advance(2 * time.Minute)
		equal(t, "the first", p.state(first).State, payment.Paid)
		equal(t, "the second", p.state(second).State, payment.Expired)
		equal(t, "mails", p.state(first).Mails, "receipt")
		same(t, "differences", w.reconcileNextDay(), nil)
	})
}

func TestFailureOfAnotherPaymentIsIgnored(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		for _, said := range []method.Status{{State: method.ChargeFailed}, {State: method.ChargePending, AttemptFailed: true}, {State: method.ChargeRefunded}} {
			said.TxnID = admission.NewID()
			_, err := w.Payment.Settle(w.ctx, p.txn, said)
			w.must(err)
		}
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
	})
}

func TestClockSetBackDoesNotStopQueries(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.verifyPayment()
		w.sandbox.press(p.txn, sandbox.Paid)
		w.clock.Pass(-5 * time.Minute)
		equal(t, "state", p.verifyPayment().State, payment.Paid)
	})
}

func TestForgedReturnDoesNotStopQueries(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.sandbox.press(p.txn, sandbox.Paid)
		_, err := w.Payment.Complete(w.ctx, p.txn, method.Return{Form: map[string][]string{"outcome": {"paid"}}})
		expectProblem(t, err, admission.Invalid, "", "Something went wrong.")
		equal(t, "state", p.verifyPayment().State, payment.Paid)
	})
}

// Enrolling again during a payment changes the registration, not the payment.
func TestIntentIsFrozen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		_, err := p.enrol(fields{"fullname": "Asha Bhat", "email": "other@example.com", "state": "Maharashtra"})
		w.must(err)
		p.returnWith(sandbox.Paid)
		same(t, "the invoice", w.texts("SELECT buyer_name, buyer_email, place_of_supply FROM invoices"), []string{"Asha Rao | " + p.email + " | Karnataka"})
		equal(t, "payments known to the provider by a name of their own", w.count("transactions WHERE LENGTH(merchant_ref) = 20"), 1)
	})
}

func TestUnconfiguredGateway(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(fields{"coupon_code": "LASTSEAT"})
		w.openWithout(w.sandbox)
		w.advance(29 * time.Minute)
		equal(t, "state", w.texts("SELECT state FROM transactions")[0], "pending")
		w.advance(time.Minute)
		p.expectState(p.txn, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		same(t, "alerts", w.alerts.all(), []string{"an attempt of a gateway that is not configured has ended: was it paid?"})
		_, err := p.start("")
		expectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
		header, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.paid")
		_, _, err = w.Payment.ReceiveWebhook(w.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
		expectProblem(t, err, admission.Unavailable, "", "This gateway is not configured at the moment.")
		equal(t, "events", w.count("inbox"), 0)

		w.captureLateAt(p.txn)
		w.open(w.sandbox, w.other)
		w.advance(time.Hour)
		equal(t, "once it is configured again", w.texts("SELECT state FROM transactions")[0], "paid")
	})
}

func TestRefusedCredentialsAlertOncePerDay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.sandbox.setDown(fmt.Errorf("%w: 401", method.ErrCredentials))
		w.advance(6 * time.Hour)
		same(t, "alerts", w.alerts.all(), []string{"gateway refuses our credentials: sandbox"})
		w.advance(24 * time.Hour)
		equal(t, "alerts a day later", len(w.alerts.all()), 2)
		w.sandbox.setDown(nil)
		w.sandbox.press(p.txn, sandbox.Paid)
		w.advance(5 * time.Minute)
	})
}

func TestOneReviewPerRegistration(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, first := w.abandonedAttempt(nil)
		second := p.txn
		w.other.press(second, sandbox.WrongAmount)
		equal(t, "the second", p.verifyPayment().State, payment.Review)
		w.clock.Pass(15 * time.Second)
		w.sandbox.afterNext("fetch", func(s *method.Status) error { s.Charges[0].Amount.Minor--; return nil })
		w.poll(first)
		equal(t, "the first goes back by itself", p.state(first).State, payment.Refunded)
		_, err := p.start("")
		expectProblem(t, err, admission.Conflict, "", "Your payment is being checked. We write to you as soon as we know more.")
		w.must(w.Payment.OrderRefund(w.ctx, second, "test"))
	})
}

func TestDueRefundWaitsForGateway(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.returnWith(sandbox.WrongAmount)
		w.openWithout(w.sandbox)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.advance(time.Hour)
		same(t, "alerts", w.alerts.all(), []string{"payment in review: amount or currency differ", "a refund waits for a gateway that is not configured: sandbox"})
		w.open(w.sandbox, w.other)
		w.advance(24 * time.Hour)
		equal(t, "state", p.state(p.txn).State, payment.Refunded)
		same(t, "refunds", w.texts("SELECT minor FROM refunds"), []string{"149899"})
	})
}

package business_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func TestAttemptStaysOpenWithoutAnswer(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.sandbox.press(p.txn, sandbox.Paid) // at the last moment, and the answer is lost
		w.sandbox.setDown(method.ErrUnknown)
		w.advance(45 * time.Minute)
		equal(t, "outcome", w.outcome(p.txn), payment.OutcomePending)
		w.sandbox.setDown(nil)
		w.advance(5 * time.Minute)
		equal(t, "outcome", w.outcome(p.txn), payment.OutcomePaid)
	})
}

// inReview returns a person whose payment has another amount.
func (w *world) inReview() *person {
	w.t.Helper()
	p := w.paying(nil)
	w.sandbox.press(p.txn, sandbox.WrongAmount)
	w.clock.Pass(3 * time.Second)
	equal(w.t, "outcome", w.outcome(p.txn), payment.OutcomePending)
	return p
}

func TestPaymentInReviewIsNotDue(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.inReview()
		_, err := w.Payment.Start(w.ctx, p.Visitor, payment.StartRequest{RegistrationID: p.registration})
		expectProblem(t, err, admission.Conflict, "", "Your payment is being checked. We write to you as soon as we know more.")
		due, err := w.Payment.Due(w.ctx, p.Visitor, p.registration)
		w.must(err)
		equal(t, "what /pay says", due.Refusal, "Your payment is being checked. We write to you as soon as we know more.")
		equal(t, "what arrived", due.Open.Arrived, admission.INR(149899))
		equal(t, "attempts", w.count("transactions"), 1)
		_, err = w.Payment.Refund(w.ctx, p.txn) // a person has looked at it
		w.must(err)
		p.mustStart("")
		equal(t, "attempts", w.count("transactions"), 2)
	})
}

func TestReviewedPaymentEnrolsAfterClosing(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.inReview()
		due, err := w.Payment.Due(w.ctx, p.Visitor, p.registration)
		w.must(err)
		w.clock.Pass(due.Event.ClosesAt.Sub(w.clock.Now()))
		_, err = w.Payment.AcceptReview(w.ctx, p.txn, "staff")
		w.must(err)
		equal(t, "outcome", w.outcome(p.txn), payment.OutcomePaid)
	})
}

func TestClosedProgrammeRejectsPayment(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		w.clock.Pass(2 * 365 * 24 * time.Hour)
		_, err := w.Payment.Start(w.ctx, p.Visitor, payment.StartRequest{RegistrationID: p.registration})
		problem := admission.AsProblem(err)
		if problem == nil || problem.Kind != admission.Conflict {
			t.Fatalf("got %v, want a conflict", err)
		}
		equal(t, "attempts", w.count("transactions"), 0)
	})
}

func TestOwnHoldDoesNotUseUpCoupon(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		price, err := w.Enrol.ApplyCoupon(w.ctx, p.Visitor, enrol.CouponRequest{Code: "MGROW500", EventCode: "KS_Mgrow", Phone: "+91" + p.phone})
		w.must(err)
		equal(t, "price", price.Final, admission.INR(99900))
	})
}

func TestEnrolCountsGuesses(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.verified()
		for range 10 {
			_, err := p.enrol(fields{"coupon_code": "NOSUCH99"})
			expectProblem(t, err, admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		}
		_, err := p.enrol(fields{"coupon_code": "NOSUCH99"})
		problem := admission.AsProblem(err)
		if problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Hour {
			t.Errorf("the eleventh guess: %v, want an hour's wait", err)
		}
		equal(t, "registrations", w.count("registrations"), 0)
	})
}

// outcome returns a payment's outcome on the wire.
func (w *world) outcome(txn string) payment.Outcome {
	w.t.Helper()
	t, err := w.Payment.Verify(w.ctx, txn)
	w.must(err)
	return t.Outcome()
}

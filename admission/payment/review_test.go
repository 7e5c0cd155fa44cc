package payment_test

import (
	"context"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

func TestAttemptStaysOpenWithoutAnswer(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid) // at the last moment, and the answer is lost
		w.Sandbox.SetDown(method.ErrUnknown)
		w.Advance(45 * time.Minute)
		businesstest.Equal(t, "outcome", outcome(w, p.TxnID), payment.OutcomePending)
		w.Sandbox.SetDown(nil)
		w.Advance(5 * time.Minute)
		businesstest.Equal(t, "outcome", outcome(w, p.TxnID), payment.OutcomePaid)
	})
}

// inReview returns a person whose payment has another amount.
func inReview(w *businesstest.World) *businesstest.Person {
	w.T.Helper()
	p := w.Paying(nil)
	w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.WrongAmount)
	w.Clock.Pass(3 * time.Second)
	businesstest.Equal(w.T, "outcome", outcome(w, p.TxnID), payment.OutcomePending)
	return p
}

func TestPaymentInReviewIsNotDue(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := inReview(w)
		_, err := w.Payment.Start(w.Ctx, p.Visitor, payment.StartRequest{RegistrationID: p.RegistrationID})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Your payment is being checked. We e-mail you as soon as we know more.")
		due, err := w.Payment.Due(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "what /pay says", due.Refusal, "Your payment is being checked. We e-mail you as soon as we know more.")
		businesstest.Equal(t, "what arrived", due.Open.Arrived, admission.INR(149899))
		businesstest.Equal(t, "attempts", w.Count("transactions"), 1)
		_, err = w.Payment.Refund(w.Ctx, p.TxnID) // a person has looked at it
		w.Must(err)
		p.MustStart("")
		businesstest.Equal(t, "attempts", w.Count("transactions"), 2)
	})
}

func TestReviewedPaymentEnrolsAfterClosing(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := inReview(w)
		due, err := w.Payment.Due(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		w.Clock.Pass(due.Event.ClosesAt.Sub(w.Clock.Now()))
		_, err = w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "staff"})
		w.Must(err)
		businesstest.Equal(t, "outcome", outcome(w, p.TxnID), payment.OutcomePaid)
	})
}

func TestClosedProgrammeRejectsPayment(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		w.Clock.Pass(2 * 365 * 24 * time.Hour)
		_, err := w.Payment.Start(w.Ctx, p.Visitor, payment.StartRequest{RegistrationID: p.RegistrationID})
		problem := admission.AsProblem(err)
		if problem == nil || problem.Kind != admission.Conflict {
			t.Fatalf("got %v, want a conflict", err)
		}
		businesstest.Equal(t, "attempts", w.Count("transactions"), 0)
	})
}

// outcome returns a payment's outcome on the wire.
func outcome(w *businesstest.World, txn string) payment.Outcome {
	w.T.Helper()
	t, err := w.Payment.Verify(w.Ctx, txn)
	w.Must(err)
	return t.Outcome()
}

func TestReviewWithOrderedRefundIsNotAccepted(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		const ordered = "was ordered to go back"
		_, err := w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "payment "+p.TxnID+" "+ordered)
		_, err = w.Payment.JudgeAgain(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "payment "+p.TxnID+" "+ordered)
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.RunJobs()
		businesstest.Equal(t, "state when the refund has failed", p.State(p.TxnID).State, payment.Review)
		_, err = w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
		w.Must(err)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)
	})
}

package business_test

import (
	"context"
	"testing"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func TestReviewWithOrderedRefundIsNotAccepted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.returnWith(sandbox.WrongAmount)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		const ordered = "was ordered to go back"
		_, err := w.Payment.AcceptReview(w.ctx, p.txn, "test")
		expectProblem(t, err, admission.Conflict, "", "payment "+p.txn+" "+ordered)
		_, err = w.Payment.JudgeAgain(w.ctx, p.txn, "test")
		expectProblem(t, err, admission.Conflict, "", "payment "+p.txn+" "+ordered)
		w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.runJobs()
		equal(t, "state when the refund has failed", p.state(p.txn).State, payment.Review)
		_, err = w.Payment.AcceptReview(w.ctx, p.txn, "test")
		w.must(err)
		equal(t, "state", p.state(p.txn).State, payment.Paid)
	})
}

package business_test

import (
	"context"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func TestReviewWithOrderedRefundIsNotAccepted(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"))
		const ordered = "was ordered to go back"
		_, err := w.Payment.AcceptReview(w.Ctx, p.TxnID, "test")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "payment "+p.TxnID+" "+ordered)
		_, err = w.Payment.JudgeAgain(w.Ctx, p.TxnID, "test")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "payment "+p.TxnID+" "+ordered)
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.RunJobs()
		businesstest.Equal(t, "state when the refund has failed", p.State(p.TxnID).State, payment.Review)
		_, err = w.Payment.AcceptReview(w.Ctx, p.TxnID, "test")
		w.Must(err)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)
	})
}

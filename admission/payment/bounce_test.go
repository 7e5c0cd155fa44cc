package payment_test

import (
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

const bouncedAlert = "refund returned by the payer's bank"

func TestProviderRefundBounces(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.Fields{"referral_code": "SETU2025"})
		happens := func(what ...sandbox.ChargeEvent) {
			for _, each := range what {
				w.Clock.Pass(time.Second)
				w.Sandbox.EventAfterPayment(p.TxnID, each)
				w.RunJobs()
			}
		}
		happens(sandbox.PartRefundedThere, sandbox.RefundedThere, sandbox.RefundBounces)
		got := p.State(p.TxnID)
		businesstest.Equal(t, "state", got.State, payment.Paid)
		businesstest.Equal(t, "outcome", got.Outcome, payment.OutcomePaid)
		businesstest.Equal(t, "step", got.Step, enrol.StepComplete)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds ORDER BY minor"), []string{"14990 | done", "134910 | bounced"})
		businesstest.Same(t, "refunded", w.Texts("SELECT refunded_minor FROM transactions"), []string{"14990"})
		businesstest.Same(t, "invoices", w.Texts("SELECT total_minor, reverses FROM invoices ORDER BY issue"), []string{"149900 | ", "134910 | KSC/26-27/000002"})
		businesstest.Same(t, "the referral credit", w.Texts("SELECT cancelled_at FROM referral_credits"), []string{"0"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{bouncedAlert})

		happens(sandbox.RefundedThere)
		businesstest.Equal(t, "state when it has gone back again", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor FROM credit_notes ORDER BY number"), []string{"14990", "134910", "134910"})
		businesstest.Same(t, "differences", reconcileNextDay(w), nil)
	})
}

func TestBouncedRefundIsFoundByAmount(t *testing.T) {
	for name, test := range map[string]struct {
		comesBack int64
		want      []string
	}{
		"the first of two":        {500_00, []string{"50000 | bounced", "99900 | done"}},
		"the second of two":       {999_00, []string{"50000 | done", "99900 | bounced"}},
		"what is neither of them": {100_00, []string{"50000 | done", "89900 | done", "99900 | bounced"}},
		"both":                    {1499_00, []string{"50000 | bounced", "99900 | bounced"}},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				var back int64
				for _, by := range []int64{500_00, 999_00, -test.comesBack} {
					w.Clock.Pass(time.Second)
					back += by
					w.Must(w.Sandbox.SetRefunded(p.TxnID, back))
					w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.moved"))
					w.RunJobs()
				}
				reconcileNextDay(w)
				businesstest.Same(t, "differences in the end", reconcileNextDay(w), nil)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds ORDER BY minor"), test.want)
			})
		})
	}
}

func TestProviderRefundOfSecondChargeBounces(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
		w.RunJobs()
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundBounces)
		w.RunJobs()
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"149900 | bounced"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), []string{"₹1,499.00 of a second charge of payment " + p.TxnID + " is here again, and no refund of it under way: site refund " + p.TxnID + " --as NAME"})
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds ORDER BY created_at"), []string{"149900 | bounced", "149900 | done"})
	})
}

// After a new enrolment the bounced refund of the old one is due again.
func TestReconciliationFindsABounceThatNobodyReported(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.BouncingRefund)
		w.Clock.Pass(time.Minute)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
		w.RunJobs()
		states := func() []string { return w.Texts("SELECT state FROM refunds ORDER BY created_at") }
		businesstest.Same(t, "refunds", states(), []string{"done"})

		businesstest.Same(t, "differences", reconcileNextDay(w), []string{"₹0.00 refunded there, ₹1,499.00 here"})
		businesstest.Same(t, "refunds the next day", states(), []string{"bounced"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"order charged twice: the second charge is refunded", bouncedAlert})
		businesstest.Same(t, "site verify", w.VerifyBooks(), []string{"₹1,499.00 of a second charge of payment " + p.TxnID + " is here again, and no refund of it under way: site refund " + p.TxnID + " --as NAME"})

		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Same(t, "refunds once ordered", states(), []string{"bounced", "done"})
		businesstest.Same(t, "differences the day after", reconcileNextDay(w), nil)
	})
}

func TestBounceAfterNewEnrolmentIsRefundedAgain(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		first := p.TxnID
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(first, sandbox.RefundedThere)
		w.RunJobs()
		_, err := p.SubmitEnrolment(nil)
		w.Must(err)
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(first, sandbox.RefundBounces)
		businesstest.Equal(t, "state", p.State(first).State, payment.RefundDue)
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, first, staff.Actor{Name: "test"}))
		businesstest.Equal(t, "state when it has gone back", p.State(first).State, payment.Refunded)
		businesstest.Same(t, "refunds", w.Texts("SELECT state, reason FROM refunds ORDER BY created_at"), []string{"bounced | at the provider", "done | paid twice"})
	})
}

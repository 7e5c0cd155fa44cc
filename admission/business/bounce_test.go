package business_test

import (
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

const bouncedAlert = "a refund bounced: its money is with us again"

func TestProviderRefundBounces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(fields{"referral_code": "SETU2025"})
		happens := func(what ...sandbox.Afterwards) {
			for _, each := range what {
				w.clock.Pass(time.Second)
				w.sandbox.eventAfterPayment(p.txn, each)
				w.runJobs()
			}
		}
		happens(sandbox.PartRefundedThere, sandbox.RefundedThere, sandbox.RefundBounces)
		got := p.state(p.txn)
		equal(t, "state", got.State, payment.Paid)
		equal(t, "outcome", got.Outcome, payment.OutcomePaid)
		equal(t, "step", got.Step, enrol.StepComplete)
		same(t, "refunds", w.texts("SELECT minor, state FROM refunds ORDER BY minor"), []string{"14990 | done", "134910 | bounced"})
		same(t, "refunded", w.texts("SELECT refunded_minor FROM transactions"), []string{"14990"})
		same(t, "invoices", w.texts("SELECT total_minor, reverses FROM invoices ORDER BY issue"), []string{"149900 | ", "134910 | KSC/26-27/000002"})
		same(t, "the referral credit", w.texts("SELECT cancelled_at FROM referral_credits"), []string{"0"})
		same(t, "alerts", w.alerts.all(), []string{bouncedAlert})

		happens(sandbox.RefundedThere)
		equal(t, "state when it has gone back again", p.state(p.txn).State, payment.Refunded)
		same(t, "credit notes", w.texts("SELECT total_minor FROM credit_notes ORDER BY number"), []string{"14990", "134910", "134910"})
		same(t, "differences", w.reconcileNextDay(), nil)
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
			each(t, func(t *testing.T, w *world) {
				p := w.paid(nil)
				var back int64
				for _, by := range []int64{500_00, 999_00, -test.comesBack} {
					w.clock.Pass(time.Second)
					back += by
					w.must(w.sandbox.setRefunded(p.txn, back))
					w.must(w.sandbox.webhook(p.txn, "refund.moved"))
					w.runJobs()
				}
				w.reconcileNextDay()
				same(t, "differences in the end", w.reconcileNextDay(), nil)
				same(t, "refunds", w.texts("SELECT minor, state FROM refunds ORDER BY minor"), test.want)
			})
		})
	}
}

func TestProviderRefundOfSecondChargeBounces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.clock.Pass(time.Minute)
		w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
		w.runJobs()
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(p.txn, sandbox.RefundBounces)
		w.runJobs()
		equal(t, "state", p.state(p.txn).State, payment.Paid)
		same(t, "refunds", w.texts("SELECT minor, state FROM refunds"), []string{"149900 | bounced"})
		same(t, "site verify", w.verifiedBooks(), []string{"149900 of a second charge of payment " + p.txn + " is here again, and no refund of it under way: site refund " + p.txn})
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
		same(t, "refunds", w.texts("SELECT minor, state FROM refunds ORDER BY created_at"), []string{"149900 | bounced", "149900 | done"})
	})
}

// After a new enrolment the bounced refund of the old one is due again.
func TestBounceAfterNewEnrolmentIsRefundedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		first := p.txn
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(first, sandbox.RefundedThere)
		w.runJobs()
		_, err := p.enrol(nil)
		w.must(err)
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(first, sandbox.RefundBounces)
		equal(t, "state", p.state(first).State, payment.RefundDue)
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, first, "test"))
		equal(t, "state when it has gone back", p.state(first).State, payment.Refunded)
		same(t, "refunds", w.texts("SELECT state, reason FROM refunds ORDER BY created_at"), []string{"bounced | at the provider", "done | paid twice"})
	})
}

package business_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// failedSecond returns a payer charged twice, with a failed refund of the second charge.
func (w *world) failedSecond() (p *person, second string) {
	w.t.Helper()
	p = w.paid(nil)
	w.clock.Pass(time.Minute)
	w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
	w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
	w.runJobs()
	return p, "sbxpay_" + p.txn + "_2"
}

func TestSecondChargeRefundIsOrderedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, _ := w.failedSecond()
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		expectProblem(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is paid; only refund_due and review go back from here")
		same(t, "refunds", w.texts("SELECT state FROM refunds ORDER BY created_at"), []string{"failed", "asked"})
		w.runJobs()
	})
}

func TestDisputedSecondChargeIsNotRefunded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, second := w.failedSecond()
		w.clock.Pass(time.Second)
		w.sandbox.disputes(p.txn, 1, true)
		expectProblem(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is paid; only refund_due and review go back from here")
		same(t, "refunds", w.texts("SELECT payment_id, state FROM refunds"), []string{second + " | failed"})
		w.sandbox.disputes(p.txn, 1, false)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
	})
}

func TestFailedRefundOfSecondChargeKeepsOwnRefund(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.clock.Pass(time.Minute)
		w.sandbox.afterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
		_, err := w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		equal(t, "state", w.texts("SELECT state FROM transactions")[0], "refund_pending")
		w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
		for range 2 { // the second charge's
			w.sandbox.afterRefund("fetch refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
			w.runJobs()
		}
		same(t, "refunds", w.texts("SELECT state FROM refunds ORDER BY payment_id"), []string{"accepted", "failed"})
		equal(t, "state", w.texts("SELECT state FROM transactions")[0], "refund_pending")
		for range 3 {
			w.advance(time.Hour)
		}
		equal(t, "state once it is done", p.state(p.txn).State, payment.Refunded)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
	})
}

func TestAnswerAboutAnotherPaymentRefundsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, first, second := paidTwice(w)
		p.verifyPayment()
		w.other.afterNext("fetch", func(s *method.Status) error { s.TxnID = first; return nil })
		_, err := w.Payment.Refund(w.ctx, second)
		if err == nil {
			t.Error("an answer about another payment was taken for this one's")
		}
		equal(t, "refunds", w.count("refunds"), 0)
		w.runJobs()
		equal(t, "state", p.state(second).State, payment.Refunded)
	})
}

func TestRefundKeepsProviderID(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, _, second := paidTwice(w)
		p.verifyPayment()
		accepted := func(number string) func(s *method.RefundStatus) error {
			return func(s *method.RefundStatus) error {
				s.State, s.ProviderID = method.RefundAccepted, number
				return nil
			}
		}
		w.other.afterRefund("refund", accepted("one"))
		w.runJobs()
		same(t, "number", w.texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.other.afterRefund("fetch refund", accepted("another"))
		w.advance(time.Hour)
		same(t, "number", w.texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.advance(time.Hour)
		equal(t, "state", p.state(second).State, payment.Refunded)
	})
}

// recordsIntents records the intents passed to its provider.
type recordsIntents struct {
	*provider
	told *[]method.Intent
}

func (g recordsIntents) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.provider.Cancel(ctx, in, ref)
}

func (g recordsIntents) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.provider.Fetch(ctx, in, ref)
}

func (w *world) watch() *[]method.Intent {
	told := &[]method.Intent{}
	entry := w.Payment.Gateways[0]
	entry.Gateway = recordsIntents{w.sandbox, told}
	w.Payment.Gateways[0] = entry
	return told
}

// A provider captures an authorised payment if the intent is wanted.
func TestAbandonedAttemptIsNotCaptured(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		told := w.watch()
		p := w.enrolled(nil)
		first := p.mustStart("sandbox").ID
		*told = nil
		p.mustStart("second")
		if len(*told) == 0 {
			t.Fatal("the provider was not told that the first attempt is given up")
		}
		for _, in := range *told {
			if in.TxnID != first || in.Wanted {
				t.Errorf("told of %s, wanted: %t", in.TxnID, in.Wanted)
			}
		}
	})
}

func TestFailedRefundIsNotSubtracted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		told := w.watch()
		p, second := w.failedSecond()
		*told = nil
		w.must(w.sandbox.webhook(p.txn, "payment.paid"))
		w.runJobs()
		i := slices.IndexFunc(*told, func(in method.Intent) bool { return in.TxnID == p.txn })
		if i < 0 {
			t.Fatal("nobody was asked")
		}
		equal(t, "sent back of the second charge", (*told)[i].SentBack[second].Minor, 0)
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
		*told = nil
		w.clock.Pass(time.Second)
		w.must(w.sandbox.webhook(p.txn, "payment.paid"))
		w.runJobs()
		equal(t, "sent back of it once it is", (*told)[0].SentBack[second].Minor, 1499_00)
	})
}

// listsOneMore lists one movement more.
type listsOneMore struct {
	*provider
	more method.Movement
}

func (g listsOneMore) List(context.Context, time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) { yield(g.more, nil) }
}

func TestReconciliationIgnoresOtherProviders(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		i := slices.IndexFunc(w.Payment.Gateways, func(e payment.Entry) bool { return e.Name == "second" })
		entry := w.Payment.Gateways[i]
		entry.Gateway = listsOneMore{w.other, method.Movement{TxnID: p.txn, Charge: method.Charge{PaymentID: "sbxpay_" + p.txn, State: method.ChargePaid, Amount: admission.INR(1499_00)}}}
		w.Payment.Gateways[i] = entry
		same(t, "differences", slices.Compact(w.reconcileNextDay()), []string{"charged, but not in our books"})
	})
}

func TestReconciliationFailsWithoutAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.paid(nil)
		entry := w.Payment.Gateways[0]
		entry.Gateway = listsOneMore{w.sandbox, method.Movement{}}
		w.Payment.Gateways[0] = entry
		w.sandbox.setDown(method.ErrUnknown)
		found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -1), w.clock.Now().AddDate(0, 0, 1))
		w.sandbox.setDown(nil)
		if err == nil || slices.ContainsFunc(found, func(d payment.Difference) bool { return d.What == "paid in our books, not charged there" }) {
			t.Errorf("found %v, and the error %v", found, err)
		}
	})
}

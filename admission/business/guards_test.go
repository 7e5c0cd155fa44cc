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

// What guards money where a provider answers oddly, or two things happen to one order.

// failedSecond has paid, and was charged a second time; the refund of that has failed.
func (w *world) failedSecond() (p *person, second string) {
	w.t.Helper()
	p = w.paid(nil)
	w.clock.Pass(time.Minute)
	w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
	w.sandbox.happens(p.txn, sandbox.SecondCharge)
	w.work()
	return p, "sbxpay_" + p.txn + "_2"
}

func TestASecondChargeIsOrderedBackOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, _ := w.failedSecond()
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		refused(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is paid; only refund_due and review go back from here")
		same(t, "refunds", w.texts("SELECT state FROM refunds ORDER BY created_at"), []string{"failed", "asked"})
		w.work()
	})
}

func TestADisputedSecondChargeIsNotOrderedBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, second := w.failedSecond()
		w.clock.Pass(time.Second)
		w.sandbox.disputes(p.txn, 1, true)
		refused(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is paid; only refund_due and review go back from here")
		same(t, "refunds", w.texts("SELECT payment_id, state FROM refunds"), []string{second + " | failed"})
		w.sandbox.disputes(p.txn, 1, false)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.work()
	})
}

func TestAFailedRefundOfASecondChargeLeavesTheOwnOneUnderWay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.clock.Pass(time.Minute)
		w.sandbox.afterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
		_, err := w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		equal(t, "state", w.texts("SELECT state FROM transactions")[0], "refund_pending")
		w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.sandbox.happens(p.txn, sandbox.SecondCharge)
		for range 2 { // the second charge's
			w.sandbox.afterRefund("fetch refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
			w.work()
		}
		same(t, "refunds", w.texts("SELECT state FROM refunds ORDER BY payment_id"), []string{"accepted", "failed"})
		equal(t, "state", w.texts("SELECT state FROM transactions")[0], "refund_pending")
		for range 3 {
			w.pass(time.Hour)
		}
		equal(t, "state once it is done", p.stands(p.txn).State, payment.Refunded)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.work()
	})
}

func TestNothingGoesBackByAnAnswerAboutAnotherPayment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, first, second := paysTwice(w)
		p.verifies()
		w.other.afterNext("fetch", func(s *method.Status) error { s.TxnID = first; return nil })
		_, err := w.Payment.Refund(w.ctx, second)
		if err == nil {
			t.Error("an answer about another payment was taken for this one's")
		}
		equal(t, "refunds", w.count("refunds"), 0)
		w.work()
		equal(t, "state", p.stands(second).State, payment.Refunded)
	})
}

func TestARefundKeepsTheNumberThatItWasAcceptedUnder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, _, second := paysTwice(w)
		p.verifies()
		accepted := func(number string) func(s *method.RefundStatus) error {
			return func(s *method.RefundStatus) error {
				s.State, s.ProviderID = method.RefundAccepted, number
				return nil
			}
		}
		w.other.afterRefund("refund", accepted("one"))
		w.work()
		same(t, "number", w.texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.other.afterRefund("fetch refund", accepted("another"))
		w.pass(time.Hour)
		same(t, "number", w.texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.pass(time.Hour)
		equal(t, "state", p.stands(second).State, payment.Refunded)
	})
}

// watched remembers what its provider is told of an attempt.
type watched struct {
	*provider
	told *[]method.Intent
}

func (g watched) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.provider.Cancel(ctx, in, ref)
}

func (g watched) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.provider.Fetch(ctx, in, ref)
}

func (w *world) watch() *[]method.Intent {
	told := &[]method.Intent{}
	entry := w.Payment.Gateways[0]
	entry.Gateway = watched{w.sandbox, told}
	w.Payment.Gateways[0] = entry
	return told
}

// A provider that is told that an attempt is wanted may capture what is authorised.
func TestNothingIsCapturedOfWhatIsGivenUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		told := w.watch()
		p := w.enrolled(nil)
		first := p.starts("sandbox").ID
		*told = nil
		p.starts("second")
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

func TestWhatHasNotGoneBackIsNotTakenOffWhatIsHeld(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		told := w.watch()
		p, second := w.failedSecond()
		*told = nil
		w.must(w.sandbox.webhook(p.txn, "payment.paid"))
		w.work()
		i := slices.IndexFunc(*told, func(in method.Intent) bool { return in.TxnID == p.txn })
		if i < 0 {
			t.Fatal("nobody was asked")
		}
		equal(t, "sent back of the second charge", (*told)[i].SentBack[second].Minor, 0)
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.work()
		*told = nil
		w.clock.Pass(time.Second)
		w.must(w.sandbox.webhook(p.txn, "payment.paid"))
		w.work()
		equal(t, "sent back of it once it is", (*told)[0].SentBack[second].Minor, 1499_00)
	})
}

// lists lists a movement more.
type lists struct {
	*provider
	more method.Movement
}

func (g lists) List(context.Context, time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) { yield(g.more, nil) }
}

func TestAPaymentAtAnotherProviderIsNoneOfOurs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		i := slices.IndexFunc(w.Payment.Gateways, func(e payment.Entry) bool { return e.Name == "second" })
		entry := w.Payment.Gateways[i]
		entry.Gateway = lists{w.other, method.Movement{TxnID: p.txn, Charge: method.Charge{PaymentID: "sbxpay_" + p.txn, State: method.ChargePaid, Amount: admission.INR(1499_00)}}}
		w.Payment.Gateways[i] = entry
		same(t, "differences", slices.Compact(w.reconciled()), []string{"charged, but not in our books"})
	})
}

// A provider that cannot be asked knows of a charge perhaps.
func TestADayIsNotComparedWithoutTheProvidersAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.paid(nil)
		entry := w.Payment.Gateways[0]
		entry.Gateway = lists{w.sandbox, method.Movement{}}
		w.Payment.Gateways[0] = entry
		w.sandbox.setDown(method.ErrUnknown)
		found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -1), w.clock.Now().AddDate(0, 0, 1))
		w.sandbox.setDown(nil)
		if err == nil || slices.ContainsFunc(found, func(d payment.Difference) bool { return d.What == "paid in our books, not charged there" }) {
			t.Errorf("found %v, and the error %v", found, err)
		}
	})
}

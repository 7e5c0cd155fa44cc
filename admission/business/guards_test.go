package business_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// failedSecond returns a payer charged twice, with a failed refund of the second charge.
func failedSecond(w *businesstest.World) (p *businesstest.Person, second string) {
	w.T.Helper()
	p = w.Paid(nil)
	w.Clock.Pass(time.Minute)
	w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
	w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
	w.RunJobs()
	return p, "sbxpay_" + p.TxnID + "_2"
}

func TestSecondChargeRefundIsOrderedOnce(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, _ := failedSecond(w)
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"))
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		businesstest.Same(t, "refunds", w.Texts("SELECT state FROM refunds ORDER BY created_at"), []string{"failed", "asked"})
		w.RunJobs()
	})
}

func TestDisputedSecondChargeIsNotRefunded(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, second := failedSecond(w)
		w.Clock.Pass(time.Second)
		disputes(w.Sandbox, p.TxnID, 1, true)
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		businesstest.Same(t, "refunds", w.Texts("SELECT payment_id, state FROM refunds"), []string{second + " | failed"})
		disputes(w.Sandbox, p.TxnID, 1, false)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"))
		w.RunJobs()
	})
}

func TestFailedRefundOfSecondChargeKeepsOwnRefund(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		w.Sandbox.AfterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
		_, err := w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "state", w.Texts("SELECT state FROM transactions")[0], "refund_pending")
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
		for range 2 { // the second charge's
			w.Sandbox.AfterRefund("fetch refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
			w.RunJobs()
		}
		businesstest.Same(t, "refunds", w.Texts("SELECT state FROM refunds ORDER BY payment_id"), []string{"accepted", "failed"})
		businesstest.Equal(t, "state", w.Texts("SELECT state FROM transactions")[0], "refund_pending")
		for range 3 {
			w.Advance(time.Hour)
		}
		businesstest.Equal(t, "state once it is done", p.State(p.TxnID).State, payment.Refunded)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"))
		w.RunJobs()
	})
}

func TestAnswerAboutAnotherPaymentRefundsNothing(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, first, second := paidTwice(w)
		p.VerifyPayment()
		w.Second.AfterNext("fetch", func(s *method.Status) error { s.TxnID = first; return nil })
		_, err := w.Payment.Refund(w.Ctx, second)
		if err == nil {
			t.Error("an answer about another payment was taken for this one's")
		}
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
		w.RunJobs()
		businesstest.Equal(t, "state", p.State(second).State, payment.Refunded)
	})
}

func TestRefundKeepsProviderID(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, _, second := paidTwice(w)
		p.VerifyPayment()
		accepted := func(number string) func(s *method.RefundStatus) error {
			return func(s *method.RefundStatus) error {
				s.State, s.ProviderID = method.RefundAccepted, number
				return nil
			}
		}
		w.Second.AfterRefund("refund", accepted("one"))
		w.RunJobs()
		businesstest.Same(t, "number", w.Texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.Second.AfterRefund("fetch refund", accepted("another"))
		w.Advance(time.Hour)
		businesstest.Same(t, "number", w.Texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.Advance(time.Hour)
		businesstest.Equal(t, "state", p.State(second).State, payment.Refunded)
	})
}

// recordsIntents records the intents passed to its provider.
type recordsIntents struct {
	*businesstest.Provider
	told *[]method.Intent
}

func (g recordsIntents) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.Provider.Cancel(ctx, in, ref)
}

func (g recordsIntents) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.Provider.Fetch(ctx, in, ref)
}

func watch(w *businesstest.World) *[]method.Intent {
	told := &[]method.Intent{}
	entry := w.Payment.Gateways[0]
	entry.Gateway = recordsIntents{w.Sandbox, told}
	w.Payment.Gateways[0] = entry
	return told
}

// A provider captures an authorised payment if the intent is wanted.
func TestAbandonedAttemptIsNotCaptured(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		told := watch(w)
		p := w.Enrolled(nil)
		first := p.MustStart("sandbox").ID
		*told = nil
		p.MustStart("second")
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
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		told := watch(w)
		p, second := failedSecond(w)
		*told = nil
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
		w.RunJobs()
		i := slices.IndexFunc(*told, func(in method.Intent) bool { return in.TxnID == p.TxnID })
		if i < 0 {
			t.Fatal("nobody was asked")
		}
		businesstest.Equal(t, "sent back of the second charge", (*told)[i].SentBack[second].Minor, 0)
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, "test"))
		w.RunJobs()
		*told = nil
		w.Clock.Pass(time.Second)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
		w.RunJobs()
		businesstest.Equal(t, "sent back of it once it is", (*told)[0].SentBack[second].Minor, 1499_00)
	})
}

// listsOneMore lists one movement more.
type listsOneMore struct {
	*businesstest.Provider
	more method.Movement
}

func (g listsOneMore) List(context.Context, time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) { yield(g.more, nil) }
}

func TestReconciliationIgnoresOtherProviders(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		i := slices.IndexFunc(w.Payment.Gateways, func(e payment.Entry) bool { return e.Name == "second" })
		entry := w.Payment.Gateways[i]
		entry.Gateway = listsOneMore{w.Second, method.Movement{TxnID: p.TxnID, Charge: method.Charge{PaymentID: "sbxpay_" + p.TxnID, State: method.ChargePaid, Amount: admission.INR(1499_00)}}}
		w.Payment.Gateways[i] = entry
		businesstest.Same(t, "differences", slices.Compact(reconcileNextDay(w)), []string{"charged, but not in our books"})
	})
}

func TestReconciliationFailsWithoutAnswer(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Paid(nil)
		entry := w.Payment.Gateways[0]
		entry.Gateway = listsOneMore{w.Sandbox, method.Movement{}}
		w.Payment.Gateways[0] = entry
		w.Sandbox.SetDown(method.ErrUnknown)
		found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -1), w.Clock.Now().AddDate(0, 0, 1))
		w.Sandbox.SetDown(nil)
		if err == nil || slices.ContainsFunc(found, func(d payment.Difference) bool { return d.What == "paid in our books, not charged there" }) {
			t.Errorf("found %v, and the error %v", found, err)
		}
	})
}

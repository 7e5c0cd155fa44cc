package payment_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

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

func TestReconciliationFindsEachKindOfDifference(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		w.Open(w.Sandbox) // both sandboxes write into one book
		w.Paid(nil)
		free := w.Enrolled(businesstest.Fields{"coupon_code": "FULLSEAT"})
		free.MustStart("")
		refundedHere := w.Paid(nil)
		_, err := w.Payment.Refund(w.Ctx, refundedHere.TxnID)
		w.Must(err)
		found, err := w.Payment.Reconcile(w.Ctx, businesstest.Noon, businesstest.Noon.AddDate(0, 0, 1))
		w.Must(err)
		businesstest.Same(t, "differences where all is well", found, nil)

		unknown := admission.NewID()
		_, err = w.Sandbox.Bank.Start(w.Ctx, method.Intent{TxnID: unknown, Amount: admission.INR(1499_00)})
		w.Must(err)
		w.Sandbox.PressWithoutReturn(unknown, sandbox.Paid)
		missed := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(missed.TxnID, sandbox.Paid)
		wrong := w.Paying(nil)
		wrong.ReturnWith(sandbox.WrongAmount)
		refundedThere := w.Paid(nil)
		_, err = w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: refundedThere.TxnID}, method.Charge{PaymentID: "sbxpay_" + refundedThere.TxnID}, "by hand", admission.INR(1499_00))
		w.Must(err)
		invented := w.Paying(nil)
		_, err = w.Payment.Settle(w.Ctx, invented.TxnID, method.Status{TxnID: invented.TxnID, State: method.ChargePaid, Charges: heldCharge("sbxpay_"+invented.TxnID, admission.INR(1499_00))})
		w.Must(err)

		want := []payment.Difference{
			{TxnID: unknown, Gateway: "sandbox", What: "charged, but not in our books"},
			{TxnID: missed.TxnID, Gateway: "sandbox", What: "charged there, pending here"},
			{TxnID: wrong.TxnID, Gateway: "sandbox", What: "charged ₹1,498.99 for ₹1,499.00"},
			{TxnID: refundedThere.TxnID, Gateway: "sandbox", What: "refunded there, paid here"},
			{TxnID: invented.TxnID, Gateway: "sandbox", What: "paid in our books, not charged there"},
		}
		found, err = w.Payment.Reconcile(w.Ctx, businesstest.Noon, businesstest.Noon.AddDate(0, 0, 1))
		w.Must(err)
		byTxn := func(a, b payment.Difference) int { return slices.Compare([]string{a.TxnID}, []string{b.TxnID}) }
		slices.SortFunc(found, byTxn)
		slices.SortFunc(want, byTxn)
		businesstest.Same(t, "differences", found, want)
		for _, day := range []time.Time{businesstest.Noon.AddDate(0, 0, -1), businesstest.Noon.AddDate(0, 0, 1)} {
			found, err = w.Payment.Reconcile(w.Ctx, day, day.AddDate(0, 0, 1))
			w.Must(err)
			businesstest.Same(t, "differences of another day", found, nil)
		}

		w.Sandbox.SetDown(errors.New("no answer"))
		if _, err = w.Payment.Reconcile(w.Ctx, businesstest.Noon, businesstest.Noon.AddDate(0, 0, 1)); err == nil {
			t.Error("a provider that does not answer looked like one without charges")
		}
		w.Sandbox.SetDown(nil)

		// Staff resolve the differences.
		_, err = w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: unknown}, method.Charge{PaymentID: "sbxpay_" + unknown}, "by hand", admission.INR(1499_00))
		w.Must(err)
		w.Advance(30 * time.Second)
		for _, txn := range []string{wrong.TxnID, refundedThere.TxnID} {
			_, err = w.Payment.Refund(w.Ctx, txn)
			w.Must(err)
		}
		w.Sandbox.PressWithoutReturn(invented.TxnID, sandbox.Paid)
	})
}

func TestReconciliationAcrossMidnight(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		midnight := time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC)
		w.Clock.Set(midnight.Add(-10 * time.Second))
		p := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Clock.Set(midnight.Add(20 * time.Second))
		w.RunJobs()
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)
		for _, day := range []time.Time{midnight.Add(-time.Second), midnight} {
			found, err := w.Payment.Reconcile(w.Ctx, day, day.AddDate(0, 0, 1))
			w.Must(err)
			businesstest.Same(t, "differences", found, nil)
		}
	})
}

// A charge may be days older than its settlement, so that day's list does not contain it.
func TestPaymentAcceptedLaterIsNoDifference(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		w.Advance(5 * 24 * time.Hour)
		_, err := w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
		w.Must(err)
		found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now(), w.Clock.Now().AddDate(0, 0, 1))
		w.Must(err)
		businesstest.Same(t, "differences", found, nil)
	})
}

func TestReconciliationSettlesMissedPayments(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		refundedThere, disputed, twice := w.Paid(nil), w.Paid(nil), w.Paid(nil)
		w.Clock.Pass(24 * time.Hour)
		for txn, what := range map[string]sandbox.ChargeEvent{refundedThere.TxnID: sandbox.RefundedThere, disputed.TxnID: sandbox.DisputeOpens, twice.TxnID: sandbox.SecondCharge} {
			w.Sandbox.Deaf = true // no webhook arrives
			w.Must(w.Sandbox.Bank.Apply(w.Ctx, txn, what))
		}
		w.Clock.Pass(24 * time.Hour)
		found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now().AddDate(0, 0, 1))
		w.Must(err)
		businesstest.Equal(t, "differences", len(found) >= 3, true)
		businesstest.Equal(t, "refunded at the provider", refundedThere.State(refundedThere.TxnID).State, payment.Refunded)
		businesstest.Equal(t, "disputed", disputed.State(disputed.TxnID).State, payment.Disputed)
		businesstest.Equal(t, "the second charge", w.Count("refunds WHERE reason = 'second charge of one order' AND state = 'done'"), 1)
		again, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now().AddDate(0, 0, 1))
		w.Must(err)
		businesstest.Same(t, "differences afterwards", again, nil)
		w.Sandbox.Deaf = false
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(disputed.TxnID, sandbox.DisputeWon)
	})
}

func TestRefundedReviewIsNoDifference(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		reconciled := func() (whats []string) {
			w.Clock.Pass(24 * time.Hour)
			found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now())
			w.Must(err)
			for _, difference := range found {
				whats = append(whats, difference.What)
			}
			return whats
		}
		businesstest.Same(t, "while it is looked at", reconciled(), []string{"charged ₹1,498.99 for ₹1,499.00"})
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Same(t, "when it has gone back", reconciled(), nil)

		twice := w.Paying(nil)
		twice.ReturnWith(sandbox.WrongAmount)
		for _, what := range []sandbox.ChargeEvent{sandbox.SecondCharge, sandbox.RefundedThere} {
			w.Clock.Pass(time.Second)
			w.Sandbox.EventAfterPayment(twice.TxnID, what)
		}
		w.Must(w.Payment.OrderRefund(w.Ctx, twice.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Same(t, "when one charge went back there and one from here", reconciled(), nil)
	})
}

// reconcileNextDay returns the differences that the reconciliation finds a day later.
func reconcileNextDay(w *businesstest.World) (whats []string) {
	w.T.Helper()
	w.Clock.Pass(24 * time.Hour)
	found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now())
	w.Must(err)
	w.RunJobs()
	for _, difference := range found {
		whats = append(whats, difference.What)
	}
	return whats
}

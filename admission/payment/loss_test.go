package payment_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

const lossAlert = "more money left than was paid: a loss"

// Money that leaves a charge twice, by refunds and disputes in any order, is a loss: no credit note, no mail, and neither the
// event's job nor the comparison with the gateway fails.
func TestMoneyThatLeavesTwiceIsALoss(t *testing.T) {
	const there, opens, lost, won, bounces, part = sandbox.RefundedThere, sandbox.DisputeOpens, sandbox.DisputeLost, sandbox.DisputeWon, sandbox.RefundBounces, sandbox.PartRefundedThere
	for sentence, c := range map[string]struct {
		happens   []sandbox.ChargeEvent
		ours      bool // refunded by us before
		refunds   []string
		credits   []string
		verify    string // after the payment's id
		different string
	}{
		"refunded there, then a dispute is lost": {happens: []sandbox.ChargeEvent{there, opens, lost}, refunds: []string{
			"149900 | done | at the provider", "149900 | done | dispute lost beyond the charge",
		}, credits: []string{"149900"}, verify: "₹1,499.00 more than was paid has left its charge sbxpay_%s (dispute lost beyond the charge)", different: "₹1,499.00 more than was paid has left"},
		"a dispute is lost, then refunded there": {happens: []sandbox.ChargeEvent{opens, lost, there}, refunds: []string{
			"149900 | done | dispute lost", "149900 | done | refunded beyond the charge",
		}, credits: []string{"149900"}, verify: "₹1,499.00 more than was paid has left its charge sbxpay_%s (refunded beyond the charge)", different: "₹1,499.00 more than was paid has left"},
		"refunded there during a dispute that is lost": {happens: []sandbox.ChargeEvent{opens, there, lost}, refunds: []string{
			"149900 | done | dispute lost", "149900 | done | refunded beyond the charge",
		}, credits: []string{"149900"}, verify: "₹1,499.00 more than was paid has left its charge sbxpay_%s (refunded beyond the charge)", different: "₹1,499.00 more than was paid has left"},
		"refunded by us, then a dispute is lost": {happens: []sandbox.ChargeEvent{opens, lost}, ours: true, refunds: []string{
			"149900 | done | ordered", "149900 | done | dispute lost beyond the charge",
		}, credits: []string{"149900"}, verify: "₹1,499.00 more than was paid has left its charge sbxpay_%s (dispute lost beyond the charge)", different: "₹1,499.00 more than was paid has left"},
		"a part is refunded after a dispute is lost": {happens: []sandbox.ChargeEvent{opens, lost, part}, refunds: []string{
			"149900 | done | dispute lost", "14990 | done | refunded beyond the charge",
		}, credits: []string{"149900"}, verify: "₹149.90 more than was paid has left its charge sbxpay_%s (refunded beyond the charge)", different: "₹149.90 more than was paid has left"},
		"the bank gives back what it took twice": {happens: []sandbox.ChargeEvent{there, opens, lost, won}, refunds: []string{
			"149900 | done | at the provider", "149900 | bounced | dispute lost beyond the charge",
		}, credits: []string{"149900"}},
		"the refund of what the bank took bounces": {happens: []sandbox.ChargeEvent{there, opens, lost, bounces}, refunds: []string{
			"149900 | bounced | at the provider", "149900 | done | dispute lost",
		}, credits: []string{"149900", "149900"}},
		"our refund of what the bank took bounces": {happens: []sandbox.ChargeEvent{opens, lost, bounces}, ours: true, refunds: []string{
			"149900 | bounced | ordered", "149900 | done | dispute lost",
		}, credits: []string{"149900", "149900"}},
	} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p, other := w.Paid(nil), w.Paid(nil)
				w.Clock.Pass(time.Second)
				if c.ours {
					w.RunRefund(p.TxnID)
				}
				w.AfterPayment(p.TxnID, c.happens...)
				w.RunJobs()
				got := p.State(p.TxnID)
				businesstest.Equal(t, "state", got.State, payment.Refunded)
				mails := "receipt, refunded"
				if strings.HasSuffix(c.refunds[0], string(payment.ReasonDispute)) {
					mails = "dispute-lost, dispute-open, receipt"
				}
				businesstest.Equal(t, "mails", got.Mails, mails)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY created_at"), c.refunds)
				businesstest.Same(t, "refunded", w.Texts("SELECT refunded_minor FROM transactions WHERE id = $1", p.TxnID), []string{"149900"})
				businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor FROM credit_notes ORDER BY number"), c.credits)
				businesstest.Equal(t, "jobs that failed", w.Count("jobs WHERE attempts > 0"), 0)
				var verify, differences []string
				if c.verify != "" {
					verify = []string{"payment " + p.TxnID + ": " + strings.ReplaceAll(c.verify, "%s", p.TxnID)}
					differences = []string{c.different}
					businesstest.Equal(t, "the alert of the loss", strings.Count(strings.Join(w.Alerts.All(), "\n"), lossAlert), 1)
				}
				businesstest.Same(t, "site verify", w.VerifyBooks(), verify)

				w.Sandbox.Deaf = true // the other payment's refund is only found by the comparison
				w.Sandbox.EventAfterPayment(other.TxnID, there)
				businesstest.Equal(t, "the other payment is found", len(reconcileNextDay(w)), len(differences)+1)
				businesstest.Equal(t, "its state", other.State(other.TxnID).State, payment.Refunded)
				businesstest.Same(t, "what is still different", reconcileNextDay(w), differences)
				w.ExpectedFaults = verify
			})
		})
	}
}

// A charge may be lost at more than it was, in a dispute that was lost after a part had gone back.
func TestLossOfPart(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.AfterPayment(p.TxnID, sandbox.PartRefundedThere, sandbox.DisputeOpens)
		w.Clock.Pass(time.Second)
		w.Must(w.Sandbox.SetLost(p.TxnID, 1499_00))
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "dispute.lost"))
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY created_at, minor DESC"), []string{
			"14990 | done | at the provider", "134910 | done | dispute lost", "14990 | done | dispute lost beyond the charge",
		})
		businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor FROM credit_notes ORDER BY number"), []string{"14990", "134910"})
		w.AfterPayment(p.TxnID, sandbox.RefundBounces) // its loss takes its place
		businesstest.Same(t, "refunds after the bounce", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY created_at, minor DESC"), []string{
			"14990 | bounced | at the provider", "134910 | done | dispute lost", "14990 | done | dispute lost",
		})
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
		businesstest.Same(t, "differences", reconcileNextDay(w), nil)
	})
}

// A payment that cannot be compared does not hide the others; a gateway that does not answer is asked three times.
func TestReconciliationGoesOn(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		bad, good := w.Paying(nil), w.Paid(nil)
		w.Sandbox.Deaf = true
		w.Sandbox.PressWithoutReturn(bad.TxnID, sandbox.Paid)
		w.Sandbox.EventAfterPayment(good.TxnID, sandbox.PartRefundedThere)
		w.Clock.Pass(24 * time.Hour)
		series := w.Supplier.Series
		w.Supplier.Series = "longer than sixteen"
		found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -2), w.Clock.Now())
		w.Supplier.Series = series
		if err == nil || !strings.HasPrefix(err.Error(), "compare payment "+bad.TxnID+" of sandbox: number of series longer than sixteen: ") {
			t.Errorf("the error is %v", err)
		}
		whats := map[string]string{}
		for _, difference := range found {
			whats[difference.TxnID] = difference.What
		}
		businesstest.Equal(t, "what differs of the bad one", whats[bad.TxnID], "charged there, pending here")
		businesstest.Equal(t, "what differs of the good one", whats[good.TxnID], "₹149.90 refunded there, ₹0.00 here")
		businesstest.Same(t, "refunds", w.Texts("SELECT txn_id, minor FROM refunds"), []string{good.TxnID + " | 14990"})

		for _, c := range []struct {
			err   error
			calls int
		}{{method.ErrUnknown, 3}, {method.ErrCredentials, 1}} {
			w.Sandbox.SetDown(fmt.Errorf("%w: test", c.err))
			w.Sandbox.Calls()
			_, err = w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now())
			businesstest.Equal(t, "calls", len(w.Sandbox.Calls()), c.calls)
			if !errors.Is(err, c.err) {
				t.Errorf("the error is %v, want %v", err, c.err)
			}
		}
		w.Sandbox.SetDown(nil)
	})
}

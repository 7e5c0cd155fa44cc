package payment_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

// The payer hears that money goes back once the provider has accepted the refund, or, once, that it could not be sent.
func TestRefundIsPromisedOnceAccepted(t *testing.T) {
	declined := func(context.Context) error { return fmt.Errorf("%w: choose by hand", method.ErrDeclined) }
	secondCharge := func(w *businesstest.World) (*businesstest.Person, string) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
		return p, p.TxnID
	}
	secondPayment := func(w *businesstest.World) (*businesstest.Person, string) {
		p, _, second := paidTwice(w)
		p.VerifyPayment()
		return p, second
	}
	review := func(w *businesstest.World) (*businesstest.Person, string) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		return p, p.TxnID
	}
	for sentence, c := range map[string]struct {
		begins           func(w *businesstest.World) (*businesstest.Person, string)
		at               func(w *businesstest.World) *businesstest.Provider
		failed, accepted string // mails then
	}{
		"a second charge":  {secondCharge, func(w *businesstest.World) *businesstest.Provider { return w.Sandbox }, "receipt, refund-due, refund-failed", "receipt, refund-due, refund-failed, refund-started"},
		"a second payment": {secondPayment, func(w *businesstest.World) *businesstest.Provider { return w.Second }, "receipt, refund-due, refund-failed", "receipt, refund-due, refund-failed, refund-started"},
		"in review":        {review, func(w *businesstest.World) *businesstest.Provider { return w.Sandbox }, "payment-checked, refund-failed", "payment-checked, refund-failed, refunded-review"},
	} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				at := c.at(w)
				at.BeforeNext("refund", declined)
				p, txn := c.begins(w)
				businesstest.Equal(t, "mails of the refund before the provider has answered", w.Count("messages WHERE cause LIKE 'refund:%' OR cause LIKE 'refund-failed:%'"), 0)
				w.RunJobs()
				businesstest.Equal(t, "mails once it has declined", p.State(p.TxnID).Mails, c.failed)
				if sentence != "a second charge" { // whose payment counts
					w.RunRefund(txn) // a job that polled it and is late
					businesstest.Equal(t, "refunds before staff order another", w.Count("refunds WHERE txn_id = $1", txn), 1)
				}
				businesstest.Equal(t, "the timeline", w.Count("entries WHERE what = 'refund failed' AND detail = $1", txn), 1)
				w.Clock.Pass(time.Minute)
				at.BeforeNext("refund", declined)
				w.Must(w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}))
				w.RunJobs()
				businesstest.Equal(t, "mails once it has declined again", p.State(p.TxnID).Mails, c.failed)
				w.Clock.Pass(time.Minute)
				at.AfterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
				w.Must(w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}))
				w.RunJobs()
				if sentence != "in review" { // whose mail asks to pay again
					businesstest.Equal(t, "mails once it is accepted", p.State(p.TxnID).Mails, c.accepted)
				}
				w.Advance(2 * time.Hour)
				businesstest.Equal(t, "mails once it is done", p.State(p.TxnID).Mails, c.accepted)
			})
		})
	}
}

// What staff send back by hand after a failed refund is told too, and a refund that failed because they had sent it before
// is not told as failed.
func TestRefundByHandIsTold(t *testing.T) {
	byHand := func(w *businesstest.World, p *businesstest.Person, minor int64) error {
		_, err := w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: "sbxpay_" + p.TxnID + "_2"}, "by hand", admission.INR(minor))
		return err
	}
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, _ := failedSecond(w)
		businesstest.Equal(t, "mails", p.State(p.TxnID).Mails, "receipt, refund-due, refund-failed")
		mails := p.Post.To(p.Email)
		failed := mails[slices.IndexFunc(mails, func(m message.Message) bool { return m.Template == "refund-failed" })]
		businesstest.Equal(t, "what it names", failed.Params["Transaction"]+" "+failed.Params["Amount"], p.TxnID+" ₹1,499.00")
		w.Clock.Pass(time.Second)
		w.Must(byHand(w, p, 1499_00))
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
		w.RunJobs()
		businesstest.Equal(t, "mails once it is sent by hand", p.State(p.TxnID).Mails, "receipt, refund-due, refund-failed, refund-started")

		early := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return byHand(w, early, 1499_00) })
		w.Sandbox.EventAfterPayment(early.TxnID, sandbox.SecondCharge)
		w.RunJobs()
		businesstest.Equal(t, "mails of what was sent by hand before", early.State(early.TxnID).Mails, "receipt, refund-due, refund-started")
	})
}

// A gateway that confirms payments and does not list their refunds pays as any other. What we refunded stays refunded.
func TestPaymentWithoutReportedRefunds(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		silent := func(s *method.Status) error {
			for i := range s.Charges {
				s.Charges[i].State, s.Charges[i].Refunded.Minor, s.Charges[i].RefundsUnknown = method.ChargePaid, 0, true
			}
			return nil
		}
		p := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Sandbox.AfterNext("fetch", silent)
		w.Advance(time.Minute)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"a gateway does not report refunds: sandbox"})

		w.AfterPayment(p.TxnID, sandbox.PartRefundedThere)
		w.Clock.Pass(time.Second)
		w.Sandbox.AfterNext("fetch", silent)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "something.happened"))
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"14990 | done"})
		businesstest.Same(t, "alerts on the same day", w.Alerts.All()[1:], nil)
	})
}

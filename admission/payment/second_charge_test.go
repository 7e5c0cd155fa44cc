package payment_test

import (
	"context"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

// A second charge whose refund fails or bounces is reported until staff refund it here or at the provider.
func TestSecondChargeIsReportedUntilRefunded(t *testing.T) {
	tests := map[string]struct {
		comesBack func(w *businesstest.World, p *businesstest.Person)
		state     string // of the first refund
	}{
		"its refund fails": {func(w *businesstest.World, p *businesstest.Person) {
			w.Clock.Pass(time.Minute)
			w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
			w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
			w.RunJobs()
		}, "failed"},
		"its refund bounces": {func(w *businesstest.World, p *businesstest.Person) {
			w.Clock.Pass(time.Minute)
			w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
			w.RunJobs()
			w.Clock.Pass(15 * time.Second)
			w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.failed"))
			w.RunJobs()
		}, "bounced"},
	}
	for name, test := range tests {
		for end, goesBack := range map[string]func(w *businesstest.World, p *businesstest.Person){
			"ordered": func(w *businesstest.World, p *businesstest.Person) {
				w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			},
			"by hand": func(w *businesstest.World, p *businesstest.Person) {
				w.Clock.Pass(time.Second)
				charge := method.Charge{PaymentID: "sbxpay_" + p.TxnID + "_2"}
				_, err := w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: p.TxnID}, charge, "by hand", admission.INR(1499_00))
				w.Must(err)
				w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
			},
		} {
			t.Run(name+", "+end, func(t *testing.T) {
				businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
					p := w.Paying(nil)
					if test.state == "bounced" {
						p.ReturnWith(sandbox.BouncingRefund)
					} else {
						p.ReturnWith(sandbox.Paid)
					}
					test.comesBack(w, p)
					businesstest.Same(t, "refunds", w.Texts("SELECT payment_id, state FROM refunds"), []string{"sbxpay_" + p.TxnID + "_2 | " + test.state})
					businesstest.Same(t, "site verify", w.VerifyBooks(), []string{"₹1,499.00 of a second charge of payment " + p.TxnID + " is here again, and no refund of it under way: site refund " + p.TxnID + " --as NAME"})
					w.Clock.Pass(time.Second)
					w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
					w.RunJobs()
					businesstest.Equal(t, "by itself it is not sent again", w.Count("refunds"), 1)

					goesBack(w, p)
					w.RunJobs()
					businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds ORDER BY created_at"), []string{"149900 | " + test.state, "149900 | done"})
					businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
					businesstest.Equal(t, "what paid for the seat", w.Texts("SELECT state, refunded_minor FROM transactions")[0], "paid | 0")
					businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 0)
					w.Clock.Pass(24 * time.Hour)
					found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now())
					w.Must(err)
					businesstest.Same(t, "differences", found, nil)
					if test.state == "failed" { // in the sandbox every refund of the other order bounces
						businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
					}
				})
			})
		}
	}
}

// A part refunded at the provider is not refunded again.
func TestRestOfSecondChargeIsRefunded(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		w.Sandbox.BeforeNext("refund", func(ctx context.Context) error {
			_, err := w.Sandbox.Bank.Refund(ctx, method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: "sbxpay_" + p.TxnID + "_2"}, "by hand", admission.INR(500_00))
			return err
		})
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds ORDER BY minor"), []string{"50000 | done", "149900 | failed"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), []string{"₹999.00 of a second charge of payment " + p.TxnID + " is here again, and no refund of it under way: site refund " + p.TxnID + " --as NAME"})
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds ORDER BY minor"), []string{"50000 | done", "99900 | done", "149900 | failed"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func TestOrderRefundKeepsCountedPayment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
	})
}

// Refunding a disputed charge would pay the payer twice.
func TestDisputedChargeIsNotRefunded(t *testing.T) {
	const waits = "refund postponed: the payment is disputed"
	t.Run("paid twice", func(t *testing.T) {
		businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
			p, _, second := paidTwice(w)
			w.Second.SetDisputed(second, 0, true)
			p.VerifyPayment()
			w.Advance(time.Hour)
			businesstest.Equal(t, "state", p.State(second).State, payment.RefundDue)
			businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
			businesstest.Same(t, "alerts", w.Alerts.All(), []string{waits})
			w.Advance(24 * time.Hour)
			businesstest.Same(t, "alerts a day later", w.Alerts.All(), []string{waits, waits})
			w.Second.SetDisputed(second, 0, false)
			w.Advance(24 * time.Hour)
			businesstest.Equal(t, "state", p.State(second).State, payment.Refunded)
			businesstest.Same(t, "refunds", w.Texts("SELECT state, reason FROM refunds"), []string{"done | paid twice"})
		})
	})
	t.Run("in review", func(t *testing.T) {
		businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
			p := w.Paying(nil)
			p.ReturnWith(sandbox.WrongAmount)
			w.Sandbox.SetDisputed(p.TxnID, 0, true)
			w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			w.RunJobs()
			businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Review)
			w.Clock.Pass(time.Second)
			w.Sandbox.EventAfterPayment(p.TxnID, sandbox.DisputeLost)
			w.Advance(24 * time.Hour)
			businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
			businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), []string{"149899 | done | dispute lost"})
		})
	})
	t.Run("second charge of one order", func(t *testing.T) {
		businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
			p := w.Paid(nil)
			w.Clock.Pass(time.Minute)
			w.Sandbox.Deaf = true
			w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
			w.Sandbox.SetDisputed(p.TxnID, 1, true)
			w.Sandbox.Deaf = false
			w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
			w.RunJobs()
			businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
			w.Sandbox.SetDisputed(p.TxnID, 1, false)
			w.Clock.Pass(time.Second)
			w.Must(w.Sandbox.SendWebhook(p.TxnID, "dispute.won"))
			w.RunJobs()
			businesstest.Same(t, "refunds", w.Texts("SELECT state, reason FROM refunds"), []string{"done | second charge of one order"})
		})
	})
}

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
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		businesstest.Same(t, "refunds", w.Texts("SELECT state FROM refunds ORDER BY created_at"), []string{"failed", "asked"})
		w.RunJobs()
	})
}

func TestDisputedSecondChargeIsNotRefunded(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, second := failedSecond(w)
		w.Clock.Pass(time.Second)
		w.Sandbox.SetDisputed(p.TxnID, 1, true)
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		businesstest.Same(t, "refunds", w.Texts("SELECT payment_id, state FROM refunds"), []string{second + " | failed"})
		w.Sandbox.SetDisputed(p.TxnID, 1, false)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
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
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
	})
}

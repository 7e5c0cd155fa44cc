package business_test

import (
	"errors"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

func TestRefundIsSentOnce(t *testing.T) {
	for name, fault := range map[string]func(*businesstest.Person){
		"the job runs ten times at once": func(p *businesstest.Person) {
			for _, err := range businesstest.Concurrently(10, func(int) error { _, err := p.Payment.Refund(p.Ctx, p.TxnID); return err }) {
				p.Must(err)
			}
		},
		"the provider's answer is lost": func(p *businesstest.Person) {
			p.Sandbox.AfterRefund("refund", func(*method.RefundStatus) error { return method.ErrUnknown })
			if _, err := p.Payment.Refund(p.Ctx, p.TxnID); !errors.Is(err, method.ErrUnknown) {
				p.T.Errorf("got %v", err)
			}
			businesstest.Equal(p.T, "state", p.Texts("SELECT state FROM transactions WHERE id = $1", p.TxnID)[0], "refund_pending")
			_, err := p.Payment.Refund(p.Ctx, p.TxnID)
			p.Must(err)
		},
		"the process dies between refund and record": func(p *businesstest.Person) {
			p.Sandbox.AfterRefund("refund", func(*method.RefundStatus) error {
				p.Recorder.BeforeCommit(func(*businesstest.RecordedTx) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Refund(p.Ctx, p.TxnID); err == nil {
				p.T.Error("the record stood")
			}
			p.Recorder.BeforeCommit(nil)
			p.Open(p.Sandbox, p.Second)
			_, err := p.Payment.Refund(p.Ctx, p.TxnID)
			p.Must(err)
		},
		"it is asked for again when it is done": func(p *businesstest.Person) {
			for range 3 {
				_, err := p.Payment.Refund(p.Ctx, p.TxnID)
				p.Must(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				fault(p)
				p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refunded"})
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"149900 | done"})
			})
		})
	}
}

func TestRefundsAtTheProvider(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		intent, charge := method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: "sbxpay_" + p.TxnID}
		_, err := w.Sandbox.Refund(w.Ctx, intent, charge, "too much", admission.INR(1499_01))
		if !errors.Is(err, method.ErrDeclined) {
			t.Errorf("more than was captured: %v", err)
		}
		for range 2 { // one id, one refund
			_, err = w.Sandbox.Refund(w.Ctx, intent, charge, "part", admission.INR(500_00))
			w.Must(err)
		}
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded"})
		businesstest.Same(t, "refunded so far", w.Texts("SELECT refunded_minor FROM transactions"), []string{"50000"})
		_, err = w.Payment.Refund(w.Ctx, p.TxnID) // the rest
		w.Must(err)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded, refunded-part", Timeline: "enrolled, paid, partly refunded, refunded"})
		businesstest.Same(t, "refunded", w.Texts("SELECT refunded_minor FROM transactions"), []string{"149900"})
	})
}

package business_test

import (
	"errors"
	"testing"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

func TestRefundIsSentOnce(t *testing.T) {
	for name, fault := range map[string]func(*person){
		"the job runs ten times at once": func(p *person) {
			for _, err := range concurrently(10, func(int) error { _, err := p.Payment.Refund(p.ctx, p.txn); return err }) {
				p.must(err)
			}
		},
		"the provider's answer is lost": func(p *person) {
			p.sandbox.afterRefund("refund", func(*method.RefundStatus) error { return method.ErrUnknown })
			if _, err := p.Payment.Refund(p.ctx, p.txn); !errors.Is(err, method.ErrUnknown) {
				p.t.Errorf("got %v", err)
			}
			equal(p.t, "state", p.texts("SELECT state FROM transactions WHERE id = $1", p.txn)[0], "refund_pending")
			_, err := p.Payment.Refund(p.ctx, p.txn)
			p.must(err)
		},
		"the process dies between refund and record": func(p *person) {
			p.sandbox.afterRefund("refund", func(*method.RefundStatus) error {
				p.recorder.beforeCommit(func(*recordedTx) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Refund(p.ctx, p.txn); err == nil {
				p.t.Error("the record stood")
			}
			p.recorder.beforeCommit(nil)
			p.open(p.sandbox, p.other)
			_, err := p.Payment.Refund(p.ctx, p.txn)
			p.must(err)
		},
		"it is asked for again when it is done": func(p *person) {
			for range 3 {
				_, err := p.Payment.Refund(p.ctx, p.txn)
				p.must(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				p := w.paid(nil)
				fault(p)
				p.expectState(p.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refunded"})
				same(t, "refunds", w.texts("SELECT minor, state FROM refunds"), []string{"149900 | done"})
			})
		})
	}
}

func TestRefundsAtTheProvider(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		intent, charge := method.Intent{TxnID: p.txn}, method.Charge{PaymentID: "sbxpay_" + p.txn}
		_, err := w.sandbox.Refund(w.ctx, intent, charge, "too much", admission.INR(1499_01))
		if !errors.Is(err, method.ErrDeclined) {
			t.Errorf("more than was captured: %v", err)
		}
		for range 2 { // one id, one refund
			_, err = w.sandbox.Refund(w.ctx, intent, charge, "part", admission.INR(500_00))
			w.must(err)
		}
		w.must(w.sandbox.webhook(p.txn, "refund.processed"))
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded"})
		same(t, "refunded so far", w.texts("SELECT refunded_minor FROM transactions"), []string{"50000"})
		_, err = w.Payment.Refund(w.ctx, p.txn) // the rest
		w.must(err)
		p.expectState(p.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded, refunded-part", Timeline: "enrolled, paid, partly refunded, refunded"})
		same(t, "refunded", w.texts("SELECT refunded_minor FROM transactions"), []string{"149900"})
	})
}

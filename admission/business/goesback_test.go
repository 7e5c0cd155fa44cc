package business_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

// verifiedBooks returns the output of site verify.
func (w *world) verifiedBooks() []string {
	w.t.Helper()
	found, err := w.database.Verify(w.ctx, func(time.Time) bool { return true })
	w.must(err)
	return found
}

// disputes marks a charge of an order as disputed or not at the provider, without an event.
func (p *provider) disputes(txn string, charge int, disputed bool) {
	p.world.t.Helper()
	p.world.must(p.world.database.ChangeSandboxOrder(p.world.ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		order["Charges"].([]any)[charge].(map[string]any)["Disputed"] = disputed
		return json.Marshal(order)
	}))
}

// A second charge whose refund fails or bounces is reported until staff refund it here or at the provider.
func TestSecondChargeIsReportedUntilRefunded(t *testing.T) {
	tests := map[string]struct {
		comesBack func(w *world, p *person)
		state     string // of the first refund
	}{
		"its refund fails": {func(w *world, p *person) {
			w.clock.Pass(time.Minute)
			w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
			w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
			w.runJobs()
		}, "failed"},
		"its refund bounces": {func(w *world, p *person) {
			w.clock.Pass(time.Minute)
			w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
			w.runJobs()
			w.clock.Pass(15 * time.Second)
			w.must(w.sandbox.webhook(p.txn, "refund.failed"))
			w.runJobs()
		}, "bounced"},
	}
	for name, test := range tests {
		for end, goesBack := range map[string]func(w *world, p *person){
			"ordered": func(w *world, p *person) { w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test")) },
			"by hand": func(w *world, p *person) {
				w.clock.Pass(time.Second)
				charge := method.Charge{PaymentID: "sbxpay_" + p.txn + "_2"}
				_, err := w.sandbox.bank.Refund(w.ctx, method.Intent{TxnID: p.txn}, charge, "by hand", admission.INR(1499_00))
				w.must(err)
				w.must(w.sandbox.webhook(p.txn, "refund.processed"))
			},
		} {
			t.Run(name+", "+end, func(t *testing.T) {
				each(t, func(t *testing.T, w *world) {
					p := w.paying(nil)
					if test.state == "bounced" {
						p.returnWith(sandbox.BouncingRefund)
					} else {
						p.returnWith(sandbox.Paid)
					}
					test.comesBack(w, p)
					same(t, "refunds", w.texts("SELECT payment_id, state FROM refunds"), []string{"sbxpay_" + p.txn + "_2 | " + test.state})
					same(t, "site verify", w.verifiedBooks(), []string{"149900 of a second charge of payment " + p.txn + " is here again, and no refund of it under way: site refund " + p.txn})
					w.clock.Pass(time.Second)
					w.must(w.sandbox.webhook(p.txn, "payment.paid"))
					w.runJobs()
					equal(t, "by itself it is not sent again", w.count("refunds"), 1)

					goesBack(w, p)
					w.runJobs()
					same(t, "refunds", w.texts("SELECT minor, state FROM refunds ORDER BY created_at"), []string{"149900 | " + test.state, "149900 | done"})
					same(t, "site verify", w.verifiedBooks(), nil)
					equal(t, "what paid for the seat", w.texts("SELECT state, refunded_minor FROM transactions")[0], "paid | 0")
					equal(t, "credit notes", w.count("credit_notes"), 0)
					w.clock.Pass(24 * time.Hour)
					found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -35), w.clock.Now())
					w.must(err)
					same(t, "differences", found, nil)
					if test.state == "failed" { // in the sandbox every refund of the other order bounces
						expectProblem(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is paid; only refund_due and review go back from here")
					}
				})
			})
		}
	}
}

// A part refunded at the provider is not refunded again.
func TestRestOfSecondChargeIsRefunded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.clock.Pass(time.Minute)
		w.sandbox.beforeNext("refund", func(ctx context.Context) error {
			_, err := w.sandbox.bank.Refund(ctx, method.Intent{TxnID: p.txn}, method.Charge{PaymentID: "sbxpay_" + p.txn + "_2"}, "by hand", admission.INR(500_00))
			return err
		})
		w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
		w.runJobs()
		same(t, "refunds", w.texts("SELECT minor, state FROM refunds ORDER BY minor"), []string{"50000 | done", "149900 | failed"})
		same(t, "site verify", w.verifiedBooks(), []string{"99900 of a second charge of payment " + p.txn + " is here again, and no refund of it under way: site refund " + p.txn})
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
		same(t, "refunds", w.texts("SELECT minor, state FROM refunds ORDER BY minor"), []string{"50000 | done", "99900 | done", "149900 | failed"})
		same(t, "site verify", w.verifiedBooks(), nil)
	})
}

func TestOrderRefundKeepsCountedPayment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.refund(p.txn)
		expectProblem(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is paid; only refund_due and review go back from here")
		same(t, "refunds", w.texts("SELECT state FROM refunds"), []string{"failed"})
	})
}

// Refunding a disputed charge would pay the payer twice.
func TestDisputedChargeIsNotRefunded(t *testing.T) {
	const waits = "a payment that must go back is disputed: it waits for the dispute's end"
	t.Run("paid twice", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			p, _, second := paidTwice(w)
			w.other.disputes(second, 0, true)
			p.verifyPayment()
			w.advance(time.Hour)
			equal(t, "state", p.state(second).State, payment.RefundDue)
			equal(t, "refunds", w.count("refunds"), 0)
			same(t, "alerts", w.alerts.all(), []string{waits})
			w.advance(24 * time.Hour)
			same(t, "alerts a day later", w.alerts.all(), []string{waits, waits})
			w.other.disputes(second, 0, false)
			w.advance(24 * time.Hour)
			equal(t, "state", p.state(second).State, payment.Refunded)
			same(t, "refunds", w.texts("SELECT state, reason FROM refunds"), []string{"done | paid twice"})
		})
	})
	t.Run("in review", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			p := w.paying(nil)
			p.returnWith(sandbox.WrongAmount)
			w.sandbox.disputes(p.txn, 0, true)
			w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
			w.runJobs()
			equal(t, "state", p.state(p.txn).State, payment.Review)
			w.clock.Pass(time.Second)
			w.sandbox.eventAfterPayment(p.txn, sandbox.DisputeLost)
			w.advance(24 * time.Hour)
			equal(t, "state", p.state(p.txn).State, payment.Refunded)
			equal(t, "refunds", w.count("refunds WHERE reason <> 'at the provider'"), 0)
		})
	})
	t.Run("second charge of one order", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			p := w.paid(nil)
			w.clock.Pass(time.Minute)
			w.sandbox.deaf = true
			w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
			w.sandbox.disputes(p.txn, 1, true)
			w.sandbox.deaf = false
			w.must(w.sandbox.webhook(p.txn, "payment.paid"))
			w.runJobs()
			equal(t, "refunds", w.count("refunds"), 0)
			w.sandbox.disputes(p.txn, 1, false)
			w.clock.Pass(time.Second)
			w.must(w.sandbox.webhook(p.txn, "dispute.won"))
			w.runJobs()
			same(t, "refunds", w.texts("SELECT state, reason FROM refunds"), []string{"done | second charge of one order"})
		})
	})
}

// A provider may fail for a week and then be removed from the configuration.
func TestOldAttemptOfRemovedGatewayEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(fields{"coupon_code": "LASTSEAT"})
		w.sandbox.setDown(method.ErrUnknown)
		w.advance(8 * 24 * time.Hour)
		equal(t, "state", p.state(p.txn).State, payment.Pending)
		w.openWithout(w.sandbox)
		w.advance(time.Hour)
		equal(t, "state", p.state(p.txn).State, payment.Expired)
		equal(t, "coupon", p.state(p.txn).Coupon, "released")
		same(t, "alerts", w.alerts.all(), []string{"an attempt of a gateway that is not configured has ended: was it paid?"})
	})
}

func TestStaleAnswerChangesNothing(t *testing.T) {
	for what, want := range map[sandbox.Afterwards]payment.State{
		sandbox.DisputeOpens: payment.Disputed, sandbox.RefundedThere: payment.Refunded, sandbox.RefundBounces: payment.Paid,
	} {
		t.Run(string(what), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paid(nil)
				if what == sandbox.RefundBounces {
					w.refund(p.txn)
				}
				w.clock.Pass(time.Second)
				w.sandbox.afterNext("complete", func(*method.Status) error {
					w.sandbox.eventAfterPayment(p.txn, what)
					w.runJobs()
					equal(t, "state", p.state(p.txn).State, want)
					return nil
				})
				_, err := w.Payment.Complete(w.ctx, p.txn, method.Return{Form: w.sandbox.Press(p.txn, sandbox.Paid)})
				w.must(err)
				w.runJobs()
				equal(t, "state", p.state(p.txn).State, want)
				equal(t, "disputes won", w.count("entries WHERE what = 'dispute won'"), 0)
			})
		})
	}
}

// Another process may still be posting the refund: it is posted again only after a while.
func TestRefundBeingPostedIsNotPostedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrUnknown })
		if _, err := w.Payment.Refund(w.ctx, p.txn); !errors.Is(err, method.ErrUnknown) {
			t.Fatalf("a refund without an answer: %v", err)
		}
		for _, passed := range []time.Duration{0, 59 * time.Second} {
			w.clock.Pass(passed)
			w.sandbox.asked()
			again, err := w.Payment.Refund(w.ctx, p.txn)
			w.must(err)
			equal(t, "asks again in", again, time.Minute)
			same(t, "the provider's calls", w.sandbox.asked(), []string{"fetch", "fetch refund"})
		}
		w.clock.Pass(time.Second)
		w.refund(p.txn)
		same(t, "refunds", w.texts("SELECT minor, state FROM refunds"), []string{"149900 | done"})
	})
}

func TestRefundPapersAreIssuedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.returnWith(sandbox.BouncingRefund)
		w.refund(p.txn)
		w.clock.Pass(15 * time.Second)
		w.must(w.sandbox.webhook(p.txn, "refund.failed"))
		w.runJobs()
		refund := w.texts("SELECT id FROM refunds")[0]
		w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
			if note, err := w.Invoices.Credit(tx, p.txn, refund, admission.INR(1499_00), 0); err != nil || note != nil {
				t.Errorf("a second credit note: %+v, %v", note, err)
			}
			again, err := w.Invoices.Reverse(tx, p.txn, refund)
			if again != nil {
				t.Errorf("a second reversal: %+v", again)
			}
			return err
		}))
		same(t, "invoices", w.texts("SELECT number, reverses FROM invoices ORDER BY issue"), []string{"KS/26-27/000001 | ", "KS/26-27/000002 | KSC/26-27/000001"})
		equal(t, "credit notes", w.count("credit_notes"), 1)

		w.clock.Pass(time.Second)
		w.refund(p.txn) // the bounced amount is refunded again, with a new credit note
		same(t, "credit notes", w.texts("SELECT number, total_minor FROM credit_notes ORDER BY number"), []string{"KSC/26-27/000001 | 149900", "KSC/26-27/000002 | 149900"})
	})
}

package business_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// reconcileNextDay returns the differences that the reconciliation finds a day later.
func (w *world) reconcileNextDay() (whats []string) {
	w.t.Helper()
	w.clock.Pass(24 * time.Hour)
	found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -35), w.clock.Now())
	w.must(err)
	w.runJobs()
	for _, difference := range found {
		whats = append(whats, difference.What)
	}
	return whats
}

func TestReviewRefundedAtProvider(t *testing.T) {
	for name, end := range map[string]func(w *world, txn string) error{
		"by itself": func(w *world, _ string) error { w.advance(2 * time.Minute); return nil },
		"refunded":  func(w *world, txn string) error { return w.Payment.OrderRefund(w.ctx, txn, "test") },
		"judged again": func(w *world, txn string) error {
			_, err := w.Payment.JudgeAgain(w.ctx, txn, "test")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paying(nil)
				w.sandbox.afterNext("complete", func(s *method.Status) error { s.Charges[0].Amount.Minor *= 100; return nil })
				p.returnWith(sandbox.Paid)
				w.clock.Pass(time.Second)
				w.sandbox.setDown(method.ErrUnknown) // so that it is not heard of yet
				w.sandbox.eventAfterPayment(p.txn, sandbox.RefundedThere)
				w.sandbox.setDown(nil)
				w.must(end(w, p.txn))
				w.advance(2 * time.Minute)
				got := p.state(p.txn)
				equal(t, "state", got.State, payment.Refunded)
				equal(t, "the registration may be paid again", got.Step, enrol.StepUnpaid)
				equal(t, "mails", got.Mails, "refunded-review")
				for _, mail := range p.post.to(p.email) {
					equal(t, "the mail tells what went back", mail.Params["Amount"], "₹1,499.00")
					equal(t, "and leads to where it is paid", mail.Params["PayURL"], w.Payment.BaseURL+"/hiresure/registration/"+p.registration)
				}
				same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds"), []string{"149900 | done | at the provider"})
				same(t, "differences", w.reconcileNextDay(), nil)
			})
		})
	}
}

func TestReviewRefundIsOfWholeCharge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.sandbox.press(p.txn, sandbox.Paid)
		w.must(w.sandbox.setCharge(p.txn, admission.INR(149900_00)))
		w.clock.Pass(3 * time.Second)
		equal(t, "state", p.verifyPayment().State, payment.Review)
		w.sandbox.eventAfterPayment(p.txn, sandbox.RefundedThere)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		equal(t, "state", p.state(p.txn).State, payment.Refunded)
		same(t, "site verify", w.verifiedBooks(), nil)
	})
}

func TestBouncedReviewRefundIsRefundedAgain(t *testing.T) {
	for name, charge := range map[string]func(w *world, p *person){
		"one paisa less":   func(_ *world, p *person) { p.returnWith(sandbox.WrongAmount) },
		"another currency": func(_ *world, p *person) { p.returnWith(sandbox.WrongCurrency) },
		"a hundred times as much": func(w *world, p *person) {
			w.sandbox.press(p.txn, sandbox.Paid)
			w.must(w.sandbox.setCharge(p.txn, admission.INR(149900_00)))
			w.clock.Pass(3 * time.Second)
			p.verifyPayment()
		},
	} {
		for end, again := range map[string]func(w *world, txn string){
			"ordered": func(w *world, txn string) { w.must(w.Payment.OrderRefund(w.ctx, txn, "test")) },
			"by hand": func(w *world, txn string) { w.sandbox.eventAfterPayment(txn, sandbox.RefundedThere) },
		} {
			t.Run(name+", "+end, func(t *testing.T) {
				each(t, func(t *testing.T, w *world) {
					p := w.paying(nil)
					charge(w, p)
					w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
					equal(t, "state", p.state(p.txn).State, payment.Refunded)
					w.clock.Pass(time.Second)
					w.sandbox.eventAfterPayment(p.txn, sandbox.RefundBounces)
					equal(t, "state when it has bounced", p.state(p.txn).State, payment.RefundDue)
					w.clock.Pass(time.Second)
					again(w, p.txn)
					equal(t, "state in the end", p.state(p.txn).State, payment.Refunded)
					same(t, "differences", w.reconcileNextDay(), nil)
				})
			})
		}
	}
}

func TestAcceptedReviewIsReconciled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		part, twice := w.paying(nil), w.paying(nil)
		for p, what := range map[*person]sandbox.Afterwards{part: sandbox.PartRefundedThere, twice: sandbox.SecondCharge} {
			p.returnWith(sandbox.WrongAmount)
			w.clock.Pass(time.Second)
			w.sandbox.eventAfterPayment(p.txn, what)
			w.runJobs()
			_, err := w.Payment.AcceptReview(w.ctx, p.txn, "test")
			w.must(err)
		}
		equal(t, "mails of who got a part back", part.state(part.txn).Mails, "receipt, refunded-part")
		same(t, "credit notes", w.texts("SELECT total_minor FROM credit_notes"), []string{"14989"})
		equal(t, "mails of who was charged twice", twice.state(twice.txn).Mails, "receipt, refund-started")
		same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds ORDER BY minor"), []string{"14989 | done | at the provider", "149900 | done | second charge of one order"})
	})
}

func TestReviewOfPaidRegistrationDoesNotAskToPay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, first := w.abandonedAttempt(nil)
		w.clock.Pass(15 * time.Second)
		w.sandbox.afterNext("fetch", onePaisaMore)
		w.poll(first)
		w.other.press(p.txn, sandbox.Paid)
		p.verifyPayment()
		equal(t, "state", p.state(first).State, payment.Review)
		w.must(w.Payment.OrderRefund(w.ctx, first, "test"))
		got := p.state(first)
		equal(t, "state", got.State, payment.Refunded)
		equal(t, "mails", got.Mails, "receipt, refund-started")
	})
}

func TestRefundedReviewReleasesCoupon(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, first := w.abandonedAttempt(withCoupon)
		second := p.txn
		w.other.press(second, sandbox.WrongAmount)
		equal(t, "the second", p.verifyPayment().State, payment.Review)
		w.clock.Pass(15 * time.Second)
		w.poll(first)
		equal(t, "the first", p.state(first).State, payment.Paid)
		w.must(w.Payment.OrderRefund(w.ctx, second, "test"))
		equal(t, "the second", p.state(second).State, payment.Refunded)
		same(t, "uses of the coupon", w.texts("SELECT txn_id, state FROM coupon_uses WHERE state <> 'released'"), []string{first + " | used"})
	})
}

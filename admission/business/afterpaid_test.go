package business_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// afterPaidTests are the rows of testdata/moves.md about money after payment.
var afterPaidTests = map[string]func(*testing.T, *world){
	"Money that goes back at the provider is booked, with its credit note": func(t *testing.T, w *world) {
		p := w.paid(fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"})
		w.sandbox.eventAfterPayment(p.txn, sandbox.PartRefundedThere)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded"})
		same(t, "credit notes", w.creditNotes(), []string{"KSC/26-27/000001 | KS/26-27/000001 | 9990 | Ninety Nine Rupees And Ninety Paise Only"})
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(p.txn, sandbox.RefundedThere)
		p.expectState(p.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refunded, refunded-part", Timeline: "enrolled, paid, partly refunded, refunded"})
		equal(t, "credited in all", w.count("(SELECT SUM(total_minor) AS s, SUM(tax_taxable) AS v FROM credit_notes) AS sums WHERE s = 99900 AND v = (SELECT tax_taxable FROM invoices)"), 1)
		same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds ORDER BY minor"), []string{"9990 | done | at the provider", "89910 | done | at the provider"})
		same(t, "the referral credit", w.texts("SELECT cancelled_at FROM referral_credits"), []string{fmt.Sprint(w.clock.Now().UnixMicro())})
		equal(t, "the mail names the credit note", p.post.to(p.email)[2].Params["CreditNote"], "KSC/26-27/000002")
		for range 2 { // the same is said again
			w.clock.Pass(time.Second)
			w.must(w.sandbox.webhook(p.txn, "refund.processed"))
			w.runJobs()
		}
		equal(t, "credit notes", w.count("credit_notes"), 2)

		twice, _, second := paidTwice(w)
		twice.verifyPayment()
		w.must(w.other.bank.Happen(w.ctx, second, sandbox.RefundedThere))
		got := twice.state(second)
		equal(t, "a payment that was due to go back, and has gone", fmt.Sprint(got.State, got.Mails), fmt.Sprint(payment.Refunded, "receipt, refund-started"))
		same(t, "what the provider was told", w.texts("SELECT reason FROM refunds WHERE txn_id = $1", second), []string{"at the provider"})
		equal(t, "credit notes", w.count("credit_notes"), 2)
	},
	"A second charge of the same order goes back alone, by itself": func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		p.returnWith(sandbox.ChargedTwice)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refund-started", Timeline: "charged twice, refund due, enrolled, paid, second charge refunded"})
		same(t, "payment", w.texts("SELECT payment_id, refunded_minor FROM transactions"), []string{"sbxpay_" + p.txn + " | 0"})
		same(t, "refunds", w.texts("SELECT payment_id, minor, state, reason FROM refunds"), []string{"sbxpay_" + p.txn + "_2 | 99900 | done | second charge of one order"})
		same(t, "alerts", w.alerts.all(), []string{"one order was charged twice: the second charge goes back"})

		for _, before := range []func(*person){func(*person) {}, func(p *person) { w.refund(p.txn) }} {
			later := w.paid(nil)
			before(later)
			state := w.texts("SELECT state FROM transactions WHERE id = $1", later.txn)[0]
			w.clock.Pass(time.Minute)
			w.sandbox.eventAfterPayment(later.txn, sandbox.SecondCharge)
			w.runJobs()
			same(t, "state", w.texts("SELECT state, payment_id FROM transactions WHERE id = $1", later.txn), []string{state + " | sbxpay_" + later.txn})
			equal(t, "refunds of the second charge", w.count("refunds WHERE payment_id = $1 AND state = 'done'", "sbxpay_"+later.txn+"_2"), 1)
		}
	},
	"A refund that bounces lets its payment stand again": func(t *testing.T, w *world) {
		p := w.paying(fields{"referral_code": "SETU2025"})
		p.returnWith(sandbox.BouncingRefund)
		w.refund(p.txn)
		equal(t, "state", p.state(p.txn).State, payment.Refunded)
		w.clock.Pass(15 * time.Second)
		w.must(w.sandbox.webhook(p.txn, "refund.failed"))
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 2, Mails: "receipt, refund-bounced, refunded", Timeline: "enrolled, paid, refund bounced, refunded"})
		same(t, "alerts", w.alerts.all(), []string{"a refund bounced: its money is with us again"})
		same(t, "invoices", w.texts("SELECT number, total_minor, reverses FROM invoices ORDER BY issue"), []string{"KS/26-27/000001 | 149900 | ", "KS/26-27/000002 | 149900 | KSC/26-27/000001"})
		same(t, "the registration", w.texts("SELECT CASE WHEN refunded THEN 'refunded' ELSE 'stands' END FROM registrations"), []string{"stands"})
		same(t, "the referral credit", w.texts("SELECT cancelled_at FROM referral_credits"), []string{"0"})

		twice, _, second := paidTwiceWith(w, sandbox.BouncingRefund)
		twice.verifyPayment()
		equal(t, "state", twice.state(second).State, payment.Refunded)
		w.clock.Pass(15 * time.Second)
		w.must(w.other.webhook(second, "refund.failed"))
		equal(t, "a duplicate's refund that bounces is due again", twice.state(second).State, payment.RefundDue)
		w.clock.Pass(time.Second)
		w.refund(second)
	},
	"A dispute is told of, and takes nothing from who has paid": func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(p.txn, sandbox.DisputeOpens)
		p.expectState(p.txn, paymentState{State: payment.Disputed, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt", Timeline: "dispute opened, enrolled, paid"})
		same(t, "alerts", w.alerts.all(), []string{"a dispute was opened: answer it at the provider before its deadline"})
		_, err := p.start("")
		expectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		expectProblem(t, w.Payment.OrderRefund(w.ctx, p.txn, "test"), admission.Conflict, "", "payment "+p.txn+" is disputed; only refund_due and review go back from here")
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(p.txn, sandbox.DisputeWon)

		refunded := w.paid(nil)
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(refunded.txn, sandbox.RefundedThere)
		w.runJobs()
		w.sandbox.disputes(refunded.txn, 0, true)
		before := len(w.alerts.all())
		for range 2 {
			w.clock.Pass(time.Second)
			w.must(w.sandbox.webhook(refunded.txn, "dispute.created"))
			w.runJobs()
		}
		equal(t, "state of what was refunded already", refunded.state(refunded.txn).State, payment.Refunded)
		same(t, "alerts of it", w.alerts.all()[before:], []string{"a dispute was opened: answer it at the provider before its deadline"})
	},
	"A dispute that is won changes nothing, one that is lost is a refund": func(t *testing.T, w *world) {
		won, lost := w.paid(nil), w.paid(nil)
		for _, p := range []*person{won, lost} {
			w.clock.Pass(time.Second)
			w.sandbox.eventAfterPayment(p.txn, sandbox.DisputeOpens)
			w.runJobs()
			w.clock.Pass(time.Second)
		}
		w.sandbox.eventAfterPayment(won.txn, sandbox.DisputeWon)
		won.expectState(won.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt", Timeline: "dispute opened, dispute won, enrolled, paid"})
		w.sandbox.eventAfterPayment(lost.txn, sandbox.DisputeLost)
		lost.expectState(lost.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded", Timeline: "dispute opened, enrolled, paid, refunded"})
		same(t, "refunds", w.texts("SELECT minor, reason FROM refunds"), []string{"149900 | dispute lost"})
		equal(t, "credit notes", w.count("credit_notes"), 1)
	},
	"A review ends as staff decide: accepted, judged again, or refunded": func(t *testing.T, w *world) {
		accepted := w.paying(nil)
		accepted.returnWith(sandbox.WrongAmount)
		_, err := w.Payment.AcceptReview(w.ctx, accepted.txn, "test")
		w.must(err)
		accepted.expectState(accepted.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment in review, review accepted"})
		_, err = w.Payment.AcceptReview(w.ctx, accepted.txn, "test")
		expectProblem(t, err, admission.Conflict, "", "payment "+accepted.txn+" is paid, not in review")

		review := func(outcome sandbox.Outcome, lies func(*method.Status) error) *person {
			p := w.paying(nil)
			w.sandbox.afterNext("complete", lies)
			p.returnWith(outcome)
			equal(t, "state", p.state(p.txn).State, payment.Review)
			return p
		}
		asked := review(sandbox.Paid, onePaisaMore)
		after, err := w.Payment.JudgeAgain(w.ctx, asked.txn, "test")
		w.must(err)
		equal(t, "judged again, and the amount is right", after.State, payment.Paid)
		asked.expectState(asked.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment in review, review judged again"})

		still := w.paying(nil)
		still.returnWith(sandbox.WrongAmount)
		after, err = w.Payment.JudgeAgain(w.ctx, still.txn, "test")
		w.must(err)
		equal(t, "judged again, and nothing has changed", after.State, payment.Review)
		w.must(w.Payment.OrderRefund(w.ctx, still.txn, "test"))
		equal(t, "refunded", still.state(still.txn).State, payment.Refunded)
		equal(t, "the registration may be paid again", still.state(still.txn).Step, enrol.StepUnpaid)

		empty := review(sandbox.Pending, func(s *method.Status) error {
			s.State, s.Charges = method.ChargePaid, heldCharge("never", admission.INR(1))
			return nil
		})
		after, err = w.Payment.JudgeAgain(w.ctx, empty.txn, "test")
		w.must(err)
		equal(t, "nothing was captured", after.State, payment.Failed)

		gone := w.paying(nil)
		gone.returnWith(sandbox.WrongAmount)
		w.must(w.sandbox.bank.Happen(w.ctx, gone.txn, sandbox.RefundedThere))
		w.must(w.Payment.OrderRefund(w.ctx, gone.txn, "test"))
		equal(t, "it went back at the provider", gone.state(gone.txn).State, payment.Refunded)

		late, first := w.abandonedAttempt(nil)
		w.clock.Pass(15 * time.Second)
		w.sandbox.afterNext("fetch", onePaisaMore)
		w.poll(first)
		equal(t, "a late success of another amount", w.texts("SELECT state FROM transactions WHERE id = $1", first)[0], "review")
		w.other.press(late.txn, sandbox.Paid)
		late.verifyPayment()
		_, err = w.Payment.AcceptReview(w.ctx, first, "test")
		expectProblem(t, err, admission.Conflict, "", "registration "+late.registration+" is paid by "+late.txn+": this payment can only go back")
		after, err = w.Payment.JudgeAgain(w.ctx, first, "test")
		w.must(err)
		equal(t, "judged again beside a paid one", after.State, payment.RefundDue)
		equal(t, "in the end", late.state(first).State, payment.Refunded)
	},
}

// onePaisaMore raises an answer's amount.
func onePaisaMore(s *method.Status) error { s.Charges[0].Amount.Minor++; return nil }

// creditNotes returns the credit notes with their invoices.
func (w *world) creditNotes() []string {
	return w.texts("SELECT number, invoice_number, total_minor, words FROM credit_notes ORDER BY number")
}

// refund runs the refund job of a payment until it is done.
func (w *world) refund(txn string) {
	w.t.Helper()
	again, err := w.Payment.Refund(w.ctx, txn)
	w.must(err)
	equal(w.t, "asks again in", again, 0)
	w.runJobs()
}

// A stale "attempt failed" may name another payment. A settled payment keeps its ids.
func TestSettledPaymentKeepsItsIds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		want := w.texts("SELECT ref, payment_id, means_reference FROM transactions")
		for _, said := range []method.Status{
			{TxnID: p.txn, Ref: "other", State: method.ChargePending, AttemptFailed: true, Charges: []method.Charge{{PaymentID: "failed", State: method.ChargeFailed}}},
			{TxnID: p.txn, Ref: "other", State: method.ChargeFailed},
		} {
			_, err := w.Payment.Settle(w.ctx, p.txn, said)
			w.must(err)
		}
		same(t, "ids", w.texts("SELECT ref, payment_id, means_reference FROM transactions"), want)
		w.refund(p.txn)
		same(t, "the refund aims at", w.texts("SELECT payment_id FROM refunds"), []string{"sbxpay_" + p.txn})
	})
}

func TestPaymentHasMeans(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		means := func(txn string) []string {
			return w.texts("SELECT state, means_name, means_reference FROM transactions WHERE id = $1", txn)
		}
		byUPI := func(s *method.Status) error {
			s.Charges[0].Means = method.MeansOf(method.UPI, "612345678901")
			return nil
		}
		p := w.paying(nil)
		same(t, "before", means(p.txn), []string{"pending |  | "})
		w.sandbox.afterNext("complete", byUPI)
		p.returnWith(sandbox.Paid)
		same(t, "paid", means(p.txn), []string{"paid | UPI | 612345678901"})
		another := w.paying(nil)
		w.sandbox.afterNext("complete", func(s *method.Status) error { s.TxnID = p.txn; return byUPI(s) })
		another.returnWith(sandbox.Paid)
		same(t, "by a charge that is another's", means(another.txn), []string{"review |  | "})
		w.refund(another.txn)
		same(t, "as the provider tells it when it goes back", w.texts("SELECT state, means_name FROM transactions WHERE id = $1", another.txn), []string{"refunded | Test money"})
	})
}

func TestUnwantedPaymentIsNotCaptured(t *testing.T) {
	for name, unwanted := range map[string]func(*person){
		"the attempt has expired": func(p *person) { p.clock.Pass(30 * time.Minute) },
		"its registration is paid": func(p *person) {
			first := p.txn
			w := p.world
			p.mustStart("second")
			w.other.press(p.txn, sandbox.Paid)
			p.verifyPayment()
			p.txn = first
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				p := w.paying(nil)
				if name != "the attempt has expired" { // the provider has not heard that it is over
					w.sandbox.afterNext("cancel", func(*method.Status) error { return method.ErrUnknown })
					w.sandbox.beforeNext("cancel", func(context.Context) error { return method.ErrUnknown })
				}
				unwanted(p)
				_, err := w.Payment.Complete(w.ctx, p.txn, method.Return{Form: w.sandbox.Press(p.txn, sandbox.Paid)})
				w.must(err)
				w.clock.Pass(3 * time.Second)
				_, err = w.Payment.Verify(w.ctx, p.txn)
				w.must(err)
				w.advance(time.Hour)
				body, err := w.database.SandboxOrder(w.ctx, p.txn)
				w.must(err)
				kept, err := sandbox.Held(body)
				w.must(err)
				equal(t, "captured", kept["INR"], 0)
				equal(t, "refunds", w.count("refunds"), 0)
			})
		})
	}
}

func TestAuthorisedPaymentIsCapturedWhileWanted(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		_, err := w.sandbox.bank.Complete(w.ctx, method.Intent{TxnID: p.txn}, "", method.Return{Form: w.sandbox.Press(p.txn, sandbox.Paid)}) // authorised, not captured
		w.must(err)
		equal(t, "state", p.verifyPayment().State, payment.Paid)
	})
}

// A refund is posted once and polled afterwards, however long the provider takes.
func TestAcceptedRefundIsPolledNotPostedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.sandbox.LateAfter, w.sandbox.bank.LateAfter = 10*24*time.Hour, 10*24*time.Hour
		p := w.paying(nil)
		p.returnWith(sandbox.SlowRefund)
		w.must(w.database.Update(w.ctx, refundJob(p.txn, w.clock.Now())))
		w.sandbox.asked()
		for hour := range 10*24 + 2 {
			if hour == 7*24 {
				same(t, "alerts before seven days have passed", w.alerts.all(), nil)
			}
			w.advance(time.Hour)
		}
		calls := map[string]int{}
		for _, call := range w.sandbox.asked() {
			calls[call]++
		}
		equal(t, "posted", calls["refund"], 1)
		equal(t, "asked about at least daily", calls["fetch refund"] >= 10, true)
		equal(t, "state", p.state(p.txn).State, payment.Refunded)
		same(t, "alerts", w.alerts.all(), []string{"a refund was accepted more than seven days ago and is not done"})
	})
}

func TestReconciliationSettlesMissedPayments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		refundedThere, disputed, twice := w.paid(nil), w.paid(nil), w.paid(nil)
		w.clock.Pass(24 * time.Hour)
		for txn, what := range map[string]sandbox.Afterwards{refundedThere.txn: sandbox.RefundedThere, disputed.txn: sandbox.DisputeOpens, twice.txn: sandbox.SecondCharge} {
			w.sandbox.deaf = true // no webhook arrives
			w.must(w.sandbox.bank.Happen(w.ctx, txn, what))
		}
		w.clock.Pass(24 * time.Hour)
		found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -35), w.clock.Now().AddDate(0, 0, 1))
		w.must(err)
		equal(t, "differences", len(found) >= 3, true)
		equal(t, "refunded at the provider", refundedThere.state(refundedThere.txn).State, payment.Refunded)
		equal(t, "disputed", disputed.state(disputed.txn).State, payment.Disputed)
		equal(t, "the second charge", w.count("refunds WHERE reason = 'second charge of one order' AND state = 'done'"), 1)
		again, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -35), w.clock.Now().AddDate(0, 0, 1))
		w.must(err)
		same(t, "differences afterwards", again, nil)
		w.sandbox.deaf = false
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(disputed.txn, sandbox.DisputeWon)
	})
}

func TestRefundedReviewIsNoDifference(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.returnWith(sandbox.WrongAmount)
		reconciled := func() (whats []string) {
			w.clock.Pass(24 * time.Hour)
			found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -35), w.clock.Now())
			w.must(err)
			for _, difference := range found {
				whats = append(whats, difference.What)
			}
			return whats
		}
		same(t, "while it is looked at", reconciled(), []string{"charged ₹1,498.99 for ₹1,499.00"})
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
		same(t, "when it has gone back", reconciled(), nil)

		twice := w.paying(nil)
		twice.returnWith(sandbox.WrongAmount)
		for _, what := range []sandbox.Afterwards{sandbox.SecondCharge, sandbox.RefundedThere} {
			w.clock.Pass(time.Second)
			w.sandbox.eventAfterPayment(twice.txn, what)
		}
		w.must(w.Payment.OrderRefund(w.ctx, twice.txn, "test"))
		w.runJobs()
		same(t, "when one charge went back there and one from here", reconciled(), nil)
	})
}

var errNoWebhook = errors.New("nobody hears of it")

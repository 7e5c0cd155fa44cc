package payment_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

// afterPaidTests are the rows of testdata/moves.md about money after payment.
var afterPaidTests = map[string]func(*testing.T, *businesstest.World){
	"Money that goes back at the provider is booked, with its credit note": func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.Fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"})
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.PartRefundedThere)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded"})
		businesstest.Same(t, "credit notes", creditNotes(w), []string{"KSC/26-27/000001 | KS/26-27/000001 | 9990 | Ninety Nine Rupees And Ninety Paise Only"})
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Invoices: 1, Mails: "receipt, refunded, refunded-part", Timeline: "enrolled, paid, partly refunded, refunded"})
		businesstest.Equal(t, "credited in all", w.Count("(SELECT SUM(total_minor) AS s, SUM(tax_taxable) AS v FROM credit_notes) AS sums WHERE s = 99900 AND v = (SELECT tax_taxable FROM invoices)"), 1)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY minor"), []string{"9990 | done | at the provider", "89910 | done | at the provider"})
		businesstest.Same(t, "the referral credit", w.Texts("SELECT cancelled_at FROM referral_credits"), []string{fmt.Sprint(w.Clock.Now().UnixMicro())})
		businesstest.Equal(t, "the mail names the credit note", p.Post.To(p.Email)[2].Params["CreditNote"], "KSC/26-27/000002")
		for range 2 { // the same is said again
			w.Clock.Pass(time.Second)
			w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
			w.RunJobs()
		}
		businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 2)

		twice, _, second := paidTwice(w)
		twice.VerifyPayment()
		w.Must(w.Second.Bank.Apply(w.Ctx, second, sandbox.RefundedThere))
		got := twice.State(second)
		businesstest.Equal(t, "a payment that was due to go back, and has gone", fmt.Sprint(got.State, got.Mails), fmt.Sprint(payment.Refunded, "receipt, refund-due, refund-started"))
		businesstest.Same(t, "what the provider was told", w.Texts("SELECT reason FROM refunds WHERE txn_id = $1", second), []string{"at the provider"})
		businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 2)
	},
	"A second charge of the same order goes back alone, by itself": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		p.ReturnWith(sandbox.ChargedTwice)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refund-due, refund-started", Timeline: "charged twice, refund due, enrolled, paid, second charge refunded"})
		businesstest.Same(t, "payment", w.Texts("SELECT payment_id, refunded_minor FROM transactions"), []string{"sbxpay_" + p.TxnID + " | 0"})
		businesstest.Same(t, "refunds", w.Texts("SELECT payment_id, minor, state, reason FROM refunds"), []string{"sbxpay_" + p.TxnID + "_2 | 99900 | done | second charge of one order"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"order charged twice: the second charge is refunded"})

		for _, before := range []func(*businesstest.Person){func(*businesstest.Person) {}, func(p *businesstest.Person) { w.RunRefund(p.TxnID) }} {
			later := w.Paid(nil)
			before(later)
			state := w.Texts("SELECT state FROM transactions WHERE id = $1", later.TxnID)[0]
			w.Clock.Pass(time.Minute)
			w.Sandbox.EventAfterPayment(later.TxnID, sandbox.SecondCharge)
			w.RunJobs()
			businesstest.Same(t, "state", w.Texts("SELECT state, payment_id FROM transactions WHERE id = $1", later.TxnID), []string{state + " | sbxpay_" + later.TxnID})
			businesstest.Equal(t, "refunds of the second charge", w.Count("refunds WHERE payment_id = $1 AND state = 'done'", "sbxpay_"+later.TxnID+"_2"), 1)
		}
	},
	"A refund that bounces lets its payment stand again": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.Fields{"referral_code": "SETU2025"})
		p.ReturnWith(sandbox.BouncingRefund)
		w.RunRefund(p.TxnID)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		w.Clock.Pass(15 * time.Second)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.failed"))
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 2, Mails: "receipt, refund-bounced, refunded", Timeline: "enrolled, paid, refund bounced, refunded"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"refund returned by the payer's bank"})
		businesstest.Same(t, "invoices", w.Texts("SELECT number, total_minor, reverses FROM invoices ORDER BY issue"), []string{"KS/26-27/000001 | 149900 | ", "KSD/26-27/000001 | 149900 | KSC/26-27/000001"})
		businesstest.Same(t, "the registration", w.Texts("SELECT CASE WHEN refunded THEN 'refunded' ELSE 'stands' END FROM registrations"), []string{"stands"})
		businesstest.Same(t, "the referral credit", w.Texts("SELECT cancelled_at FROM referral_credits"), []string{"0"})

		twice, _, second := paidTwiceWith(w, sandbox.BouncingRefund)
		twice.VerifyPayment()
		businesstest.Equal(t, "state", twice.State(second).State, payment.Refunded)
		w.Clock.Pass(15 * time.Second)
		w.Must(w.Second.SendWebhook(second, "refund.failed"))
		businesstest.Equal(t, "a duplicate's refund that bounces is due again", twice.State(second).State, payment.RefundDue)
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, second, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Equal(t, "it goes back once staff have ordered it", twice.State(second).State, payment.Refunded)
	},
	"A dispute is told of, and takes nothing from who has paid": func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.DisputeOpens)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Disputed, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "dispute-open, receipt", Timeline: "dispute opened, enrolled, paid"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"a dispute was opened: answer it at the provider before its deadline"})
		_, err := p.Start("")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is disputed; only refund_due and review go back from here")
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.DisputeWon)

		refunded := w.Paid(nil)
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(refunded.TxnID, sandbox.RefundedThere)
		w.RunJobs()
		w.Sandbox.SetDisputed(refunded.TxnID, 0, true)
		before := len(w.Alerts.All())
		for range 2 {
			w.Clock.Pass(time.Second)
			w.Must(w.Sandbox.SendWebhook(refunded.TxnID, "dispute.created"))
			w.RunJobs()
		}
		businesstest.Equal(t, "state of what was refunded already", refunded.State(refunded.TxnID).State, payment.Refunded)
		businesstest.Same(t, "alerts of it", w.Alerts.All()[before:], []string{"a dispute was opened: answer it at the provider before its deadline"})
	},
	"A dispute that is won changes nothing, one that is lost is a refund": func(t *testing.T, w *businesstest.World) {
		won, lost := w.Paid(nil), w.Paid(nil)
		for _, p := range []*businesstest.Person{won, lost} {
			w.Clock.Pass(time.Second)
			w.Sandbox.EventAfterPayment(p.TxnID, sandbox.DisputeOpens)
			w.RunJobs()
			w.Clock.Pass(time.Second)
		}
		w.Sandbox.EventAfterPayment(won.TxnID, sandbox.DisputeWon)
		won.ExpectState(won.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "dispute-open, dispute-won, receipt", Timeline: "dispute opened, dispute won, enrolled, paid"})
		w.Sandbox.EventAfterPayment(lost.TxnID, sandbox.DisputeLost)
		lost.ExpectState(lost.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "dispute-lost, dispute-open, receipt", Timeline: "dispute opened, enrolled, paid, refunded"})
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, reason FROM refunds"), []string{"149900 | dispute lost"})
		businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 1)
	},
	"A review ends as staff decide: accepted, judged again, or refunded": func(t *testing.T, w *businesstest.World) {
		accepted := w.Paying(nil)
		accepted.ReturnWith(sandbox.WrongAmount)
		_, err := w.Payment.AcceptReview(w.Ctx, accepted.TxnID, staff.Actor{Name: "test"})
		w.Must(err)
		accepted.ExpectState(accepted.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "payment-checked, receipt", Timeline: "enrolled, paid, payment in review, review accepted"})
		_, err = w.Payment.AcceptReview(w.Ctx, accepted.TxnID, staff.Actor{Name: "test"})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "payment "+accepted.TxnID+" is paid, not in review")

		review := func(outcome sandbox.Outcome, lies func(*method.Status) error) *businesstest.Person {
			p := w.Paying(nil)
			w.Sandbox.AfterNext("complete", lies)
			p.ReturnWith(outcome)
			businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Review)
			return p
		}
		asked := review(sandbox.Paid, onePaisaMore)
		after, err := w.Payment.JudgeAgain(w.Ctx, asked.TxnID, staff.Actor{Name: "test"})
		w.Must(err)
		businesstest.Equal(t, "judged again, and the amount is right", after.State, payment.Paid)
		asked.ExpectState(asked.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "payment-checked, receipt", Timeline: "enrolled, paid, payment in review, review judged again"})

		still := w.Paying(nil)
		still.ReturnWith(sandbox.WrongAmount)
		after, err = w.Payment.JudgeAgain(w.Ctx, still.TxnID, staff.Actor{Name: "test"})
		w.Must(err)
		businesstest.Equal(t, "judged again, and nothing has changed", after.State, payment.Review)
		w.Must(w.Payment.OrderRefund(w.Ctx, still.TxnID, staff.Actor{Name: "test"}))
		businesstest.Equal(t, "refunded", still.State(still.TxnID).State, payment.Refunded)
		businesstest.Equal(t, "the registration may be paid again", still.State(still.TxnID).Step, enrol.StepUnpaid)

		empty := review(sandbox.Pending, func(s *method.Status) error {
			s.State, s.Charges = method.ChargePaid, heldCharge("never", admission.INR(1))
			return nil
		})
		after, err = w.Payment.JudgeAgain(w.Ctx, empty.TxnID, staff.Actor{Name: "test"})
		w.Must(err)
		businesstest.Equal(t, "nothing was captured", after.State, payment.Failed)

		gone := w.Paying(nil)
		gone.ReturnWith(sandbox.WrongAmount)
		w.Must(w.Sandbox.Bank.Apply(w.Ctx, gone.TxnID, sandbox.RefundedThere))
		w.Must(w.Payment.OrderRefund(w.Ctx, gone.TxnID, staff.Actor{Name: "test"}))
		businesstest.Equal(t, "it went back at the provider", gone.State(gone.TxnID).State, payment.Refunded)

		late, first := w.AbandonedAttempt(nil)
		w.Clock.Pass(15 * time.Second)
		w.Sandbox.AfterNext("fetch", onePaisaMore)
		w.Poll(first)
		businesstest.Equal(t, "a late success of another amount", w.Texts("SELECT state FROM transactions WHERE id = $1", first)[0], "review")
		w.Second.PressWithoutReturn(late.TxnID, sandbox.Paid)
		late.VerifyPayment()
		_, err = w.Payment.AcceptReview(w.Ctx, first, staff.Actor{Name: "test"})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "registration "+late.RegistrationID+" is paid by "+late.TxnID+": this payment can only go back")
		after, err = w.Payment.JudgeAgain(w.Ctx, first, staff.Actor{Name: "test"})
		w.Must(err)
		businesstest.Equal(t, "judged again beside a paid one", after.State, payment.RefundDue)
		businesstest.Equal(t, "in the end", late.State(first).State, payment.Refunded)
	},
}

// onePaisaMore raises an answer's amount.
func onePaisaMore(s *method.Status) error { s.Charges[0].Amount.Minor++; return nil }

// creditNotes returns the credit notes with their invoices.
func creditNotes(w *businesstest.World) []string {
	return w.Texts("SELECT number, invoice_number, total_minor, words FROM credit_notes ORDER BY number")
}

// A stale "attempt failed" may name another payment. A settled payment keeps its ids.
func TestSettledPaymentKeepsItsIds(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		want := w.Texts("SELECT ref, payment_id, means_reference FROM transactions")
		for _, said := range []method.Status{
			{TxnID: p.TxnID, Ref: "other", State: method.ChargePending, AttemptFailed: true, Charges: []method.Charge{{PaymentID: "failed", State: method.ChargeFailed}}},
			{TxnID: p.TxnID, Ref: "other", State: method.ChargeFailed},
		} {
			_, err := w.Payment.Settle(w.Ctx, p.TxnID, said)
			w.Must(err)
		}
		businesstest.Same(t, "ids", w.Texts("SELECT ref, payment_id, means_reference FROM transactions"), want)
		w.RunRefund(p.TxnID)
		businesstest.Same(t, "the refund aims at", w.Texts("SELECT payment_id FROM refunds"), []string{"sbxpay_" + p.TxnID})
	})
}

func TestPaymentHasMeans(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		means := func(txn string) []string {
			return w.Texts("SELECT state, means_name, means_reference FROM transactions WHERE id = $1", txn)
		}
		byUPI := func(s *method.Status) error {
			s.Charges[0].Means = method.MeansOf(method.UPI, "612345678901")
			return nil
		}
		p := w.Paying(nil)
		businesstest.Same(t, "before", means(p.TxnID), []string{"pending |  | "})
		w.Sandbox.AfterNext("complete", byUPI)
		p.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "paid", means(p.TxnID), []string{"paid | UPI | 612345678901"})
		another := w.Paying(nil)
		w.Sandbox.AfterNext("complete", func(s *method.Status) error { s.TxnID = p.TxnID; return byUPI(s) })
		another.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "by a charge that is another's", means(another.TxnID), []string{"review |  | "})
		w.RunRefund(another.TxnID)
		businesstest.Same(t, "as the provider tells it when it goes back", w.Texts("SELECT state, means_name FROM transactions WHERE id = $1", another.TxnID), []string{"refunded | Test money"})
	})
}

func TestUnwantedPaymentIsNotCaptured(t *testing.T) {
	for name, unwanted := range map[string]func(*businesstest.Person){
		"the attempt has expired": func(p *businesstest.Person) { p.Clock.Pass(30 * time.Minute) },
		"its registration is paid": func(p *businesstest.Person) {
			first := p.TxnID
			w := p.World
			p.MustStart("second")
			w.Second.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.VerifyPayment()
			p.TxnID = first
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paying(nil)
				if name != "the attempt has expired" { // the provider has not heard that it is over
					w.Sandbox.AfterNext("cancel", func(*method.Status) error { return method.ErrUnknown })
					w.Sandbox.BeforeNext("cancel", func(context.Context) error { return method.ErrUnknown })
				}
				unwanted(p)
				_, err := w.Payment.Complete(w.Ctx, p.TxnID, method.Return{Form: w.Sandbox.Press(p.TxnID, sandbox.Paid)})
				w.Must(err)
				w.Clock.Pass(3 * time.Second)
				_, err = w.Payment.Verify(w.Ctx, p.TxnID)
				w.Must(err)
				w.Advance(time.Hour)
				body, err := w.Database.SandboxOrder(w.Ctx, p.TxnID)
				w.Must(err)
				_, kept, err := sandbox.Held(body)
				w.Must(err)
				businesstest.Equal(t, "captured", kept["INR"], 0)
				businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
			})
		})
	}
}

func TestAuthorisedPaymentIsCapturedWhileWanted(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		_, err := w.Sandbox.Bank.Complete(w.Ctx, method.Intent{TxnID: p.TxnID}, "", method.Return{Form: w.Sandbox.Press(p.TxnID, sandbox.Paid)}) // authorised, not captured
		w.Must(err)
		businesstest.Equal(t, "state", p.VerifyPayment().State, payment.Paid)
	})
}

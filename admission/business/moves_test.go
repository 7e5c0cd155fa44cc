package business_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

var withCoupon = fields{"coupon_code": "MGROW500"}

// moveTests are the tests of testdata/moves.md, by sentence.
var moveTests = map[string]func(*testing.T, *world){
	"Our row is committed before the provider hears of it": func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.sandbox.beforeNext("start", func(context.Context) error {
			same(t, "payments", w.texts("SELECT state, gateway, ref, list_minor, discount_minor, charge_minor, charge_currency, return_url FROM transactions"),
				[]string{"created | sandbox |  | 149900 | 50000 | 99900 | INR | /success"})
			same(t, "coupon uses", w.texts("SELECT state FROM coupon_uses"), []string{"held"})
			same(t, "registrations", w.texts("SELECT step, paid_txn_id FROM registrations"), []string{"5 | "})
			equal(t, "questions planned in 30 s", w.count("jobs WHERE kind = 'poll' AND due_at = $1", noon.Add(30*time.Second).UnixMicro()), 1)
			equal(t, "orders at the provider", w.count("sandbox_orders"), 0)
			return nil
		})
		started := p.mustStart("")
		equal(t, "life", started.ExpiresAt.Sub(started.CreatedAt), 30*time.Minute)
		equal(t, "orders at the provider", w.count("sandbox_orders"), 1)
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
	},
	"A provider that starts, or whose answer is lost, leaves the attempt pending": func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		same(t, "payments", w.texts("SELECT state, ref FROM transactions WHERE id = $1", p.txn), []string{"pending | sbx_" + p.txn})
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})

		lost := w.enrolled(withCoupon)
		w.sandbox.afterNext("start", func(*method.Status) error { return fmt.Errorf("%w: torn", method.ErrUnknown) })
		first := lost.mustStart("")
		equal(t, "the provider's id", first.Ref, "")
		lost.expectState(first.ID, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		again := lost.mustStart("")
		equal(t, "the attempt that is asked for again", again.ID, first.ID)
		equal(t, "the provider's id", again.Ref, "sbx_"+first.ID)
		equal(t, "the provider's fields are there", again.Checkout["buttons"] != nil, true)

		never := w.enrolled(nil)
		w.sandbox.afterNext("start", func(*method.Status) error { return method.ErrUnknown })
		never.mustStart("")
		w.sandbox.press(never.txn, sandbox.Paid) // the provider is asked by our id
		equal(t, "state", never.verifyPayment().State, payment.Paid)
	},
	"A provider that refuses to start fails the attempt, and another may start": func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.sandbox.beforeNext("start", func(context.Context) error { return errors.New("401: bad key") })
		_, err := p.start("")
		expectProblem(t, err, admission.Unavailable, "", "The payment window failed to load. Are you online?")
		first := w.texts("SELECT id FROM transactions")[0]
		p.expectState(first, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, payment failed"})
		second := p.mustStart("")
		equal(t, "the second is another", second.ID != first, true)
		p.expectState(second.ID, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment failed"})
	},
	"A charge that equals what we asked for pays, with everything that follows, at once": func(t *testing.T, w *world) {
		p := w.paying(fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"})
		paid := p.returnWith(sandbox.Paid)
		equal(t, "settled at", paid.SettledAt, noon)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
		same(t, "registrations", w.texts("SELECT paid_txn_id FROM registrations"), []string{p.txn})
		same(t, "referral credits", w.texts("SELECT code, registration_id, amount_minor FROM referral_credits"), []string{"SETU2025 | " + p.registration + " | 20000"})
		same(t, "invoices", w.texts("SELECT number, total_minor FROM invoices"), []string{"KS/26-27/000001 | 99900"})

		mail := p.post.to(p.email)[0]
		for name, want := range map[string]string{"Name": "Asha Rao", "Programme": "HireSure mGrow Scholarship", "Amount": "₹999.00", "InvoiceNumber": "KS/26-27/000001"} {
			equal(t, name+" in the mail", mail.Params[name], want)
		}
		same(t, "the ticket in the mail", w.texts("SELECT ticket, 'https://www.example.in/ticket/' || ticket_key FROM registrations"), []string{mail.Params["Ticket"] + " | " + mail.Params["TicketURL"]})
		token, isLink := strings.CutPrefix(mail.Params["ReceiptURL"], "https://www.example.in/receipt/")
		equal(t, "the mail links to a receipt", isLink, true)
		equal(t, "link to the invoice", mail.Params["InvoiceURL"], "https://www.example.in/invoice/"+token)
		receipt, err := w.Receipts.OpenReceipt(w.ctx, token)
		w.must(err)
		equal(t, "what the link opens", receipt.Transaction.ID+" "+receipt.Invoice.Number, p.txn+" KS/26-27/000001")
		_, err = p.start("")
		expectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
	},
	"A charge of another amount, currency or payment goes to review and registers nobody": func(t *testing.T, w *world) {
		stranger := w.paid(nil)
		for what, charge := range map[string]func(*person){
			"one paisa less":   func(p *person) { p.returnWith(sandbox.WrongAmount) },
			"another currency": func(p *person) { p.returnWith(sandbox.WrongCurrency) },
			"a hundred times as much": func(p *person) {
				w.sandbox.afterNext("complete", func(s *method.Status) error { s.Charges[0].Amount.Minor *= 100; return nil })
				p.returnWith(sandbox.Paid)
			},
			"the payment of another person": func(p *person) {
				theirs, err := w.sandbox.bank.Fetch(w.ctx, method.Intent{TxnID: stranger.txn}, "")
				w.must(err)
				w.sandbox.press(p.txn, sandbox.Paid)
				w.sandbox.afterNext("fetch", func(s *method.Status) error { *s = theirs; return nil })
				p.verifyPayment()
			},
		} {
			before := len(w.alerts.all())
			p := w.paying(withCoupon)
			charge(p)
			p.expectState(p.txn, paymentState{State: payment.Review, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment in review"})
			same(t, what+": alerts", w.alerts.all()[before:], []string{"payment in review: amount or currency differ"})
			// Staff refund the charge.
			_, err := w.Payment.Refund(w.ctx, p.txn)
			w.must(err)
			p.expectState(p.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "refunded-review", Timeline: "enrolled, payment in review, refunded"})
		}
		equal(t, "invoices", w.count("invoices"), 1)
	},
	"A failed try leaves the attempt pending, and the next try pays": func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		p.returnWith(sandbox.DeclinedTry)
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomeFailed, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment attempt failed"})
		w.clock.Pass(2 * time.Second)
		p.verifyPayment() // the same answer is not a second failure
		equal(t, "failed tries", w.count("entries WHERE what = 'payment attempt failed'"), 1)
		p.returnWith(sandbox.Paid)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment attempt failed"})
	},
	"A failure for good fails the attempt": func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		p.returnWith(sandbox.Failed)
		p.expectState(p.txn, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, payment failed"})
		first := p.txn
		equal(t, "another attempt starts", p.mustStart("").ID != first, true)
	},
	"An attempt that is over its life is cancelled there, asked about once more, and expires": func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		w.advance(29*time.Minute + 59*time.Second)
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		w.sandbox.asked()
		w.advance(time.Second)
		same(t, "what the provider was asked", w.sandbox.asked(), []string{"fetch", "cancel", "fetch"})
		p.expectState(p.txn, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		w.sandbox.press(p.txn, sandbox.Paid) // too late: the order is cancelled there too
		w.clock.Pass(2 * time.Second)
		equal(t, "state", p.verifyPayment().State, payment.Expired)
	},
	"A late success pays after all, or goes back where the registration is paid": func(t *testing.T, w *world) {
		failed := w.paying(withCoupon)
		failed.returnWith(sandbox.Late)
		failed.expectState(failed.txn, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, payment failed"})
		w.advance(30 * time.Second)
		failed.expectState(failed.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt-late", Timeline: "enrolled, paid, payment failed"})

		expired := w.paying(withCoupon)
		w.sandbox.press(expired.txn, sandbox.LateExpired)
		w.advance(30 * time.Minute)
		expired.expectState(expired.txn, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		w.advance(30 * time.Minute)
		expired.expectState(expired.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "enrolled, paid, payment expired"})

		for _, first := range []struct {
			outcome sandbox.Outcome
			ends    payment.State
		}{{sandbox.Late, payment.Failed}, {sandbox.LateExpired, payment.Expired}} {
			twice := w.paying(withCoupon)
			late := twice.txn
			twice.returnWith(first.outcome)
			second := twice.mustStart("second") // cancels the first, where it is still open
			w.other.press(second.ID, sandbox.Paid)
			equal(t, "state of the second", twice.verifyPayment().State, payment.Paid)
			w.clock.Pass(15 * time.Second)
			w.poll(late)
			paidTwice := fmt.Sprintf("enrolled, paid, paid twice, refund due, payment %s, refunded", first.ends)
			twice.expectState(late, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt, refund-started", Timeline: paidTwice})
			twice.expectState(second.ID, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refund-started", Timeline: paidTwice})
		}
	},
	"A second payment of a paid registration goes back by itself": func(t *testing.T, w *world) {
		p, first, second := paidTwice(w)
		p.verifyPayment()
		equal(t, "state before the worker comes", w.texts("SELECT state FROM transactions WHERE id = $1", second)[0], "refund_due")
		p.expectState(second, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt, refund-started", Timeline: "enrolled, paid, paid twice, refund due, payment expired, refunded"})
		p.expectState(first, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refund-started", Timeline: "enrolled, paid, paid twice, refund due, payment expired, refunded"})
		for _, mail := range p.post.to(p.email) {
			if mail.Template == "refund-started" {
				equal(t, "the mail tells which payment goes back", mail.Params["Transaction"]+" "+mail.Params["Amount"], second+" ₹999.00")
			}
		}
		same(t, "refunds", w.texts("SELECT txn_id, minor, currency, state FROM refunds"), []string{second + " | 99900 | INR | done"})
		same(t, "the registration", w.texts("SELECT paid_txn_id, CASE WHEN refunded THEN 'refunded' ELSE 'stands' END FROM registrations"), []string{first + " | stands"})
		same(t, "the referral credit", w.texts("SELECT registration_id, cancelled_at FROM referral_credits"), []string{p.registration + " | 0"})
	},
	"A refund stands in our books before the provider hears of it": func(t *testing.T, w *world) {
		paid := w.paid(nil)
		review := w.paying(nil)
		review.returnWith(sandbox.WrongAmount)
		twice, _, second := paidTwice(w)
		twice.verifyPayment()
		for txn, minor := range map[string]int64{paid.txn: 1499_00, review.txn: 1498_99, second: 999_00} {
			gateway := w.sandbox
			if txn == second {
				gateway = w.other
			}
			heard := false
			gateway.beforeNext("refund", func(context.Context) error {
				heard = true
				same(t, "payment", w.texts("SELECT state FROM transactions WHERE id = $1", txn), []string{"refund_pending"})
				same(t, "refund", w.texts("SELECT minor, state, provider_id FROM refunds WHERE txn_id = $1", txn), []string{fmt.Sprintf("%d | asked | ", minor)})
				return nil
			})
			_, err := w.Payment.Refund(w.ctx, txn)
			w.must(err)
			equal(t, "the provider was asked", heard, true)
			same(t, "refund", w.texts("SELECT state, provider_id = 'sbxref_' || id FROM refunds WHERE txn_id = $1", txn), []string{"done | " + dbTrue(w)})
		}
	},
	"A refund that is processed ends its registration; one that fails changes nothing back": func(t *testing.T, w *world) {
		p := w.paid(withCoupon)
		w.sandbox.beforeNext("refund", func(context.Context) error { return fmt.Errorf("%w: closed account", method.ErrDeclined) })
		again, err := w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		equal(t, "asks again in", again, 0)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
		same(t, "alerts", w.alerts.all(), []string{"refund failed"})
		same(t, "refunds", w.texts("SELECT state FROM refunds"), []string{"failed"})

		w.sandbox.afterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil }) // not processed
		again, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		equal(t, "asks again in", again, time.Hour)
		p.expectState(p.txn, paymentState{State: payment.RefundPending, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		p.expectState(p.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refunded"})
		r, err := w.Enrol.RegistrationOfVisitor(w.ctx, p.Visitor, p.registration)
		w.must(err)
		equal(t, "status", r.Status(), "Refunded")
	},
	"What is paid stays paid, whatever is said later": func(t *testing.T, w *world) {
		p := w.paid(withCoupon)
		for _, said := range []method.Status{
			{State: method.ChargeFailed}, {State: method.ChargePending}, {State: method.ChargePending, AttemptFailed: true}, {State: method.ChargeRefunded}, {State: method.ChargePaid}, {State: method.ChargePaid, Charges: heldCharge("sbxpay_"+p.txn, admission.INR(1))}, {State: method.ChargePaid, Charges: heldCharge("sbxpay_"+p.txn, admission.INR(999_00))},
		} {
			said.TxnID = p.txn
			_, err := w.Payment.Settle(w.ctx, p.txn, said)
			w.must(err)
		}
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
	},
	"What costs nothing is paid at once, without a gateway": func(t *testing.T, w *world) {
		p := w.enrolled(fields{"coupon_code": "FULLSEAT", "referral_code": "SETU2025"})
		free := p.mustStart("")
		equal(t, "gateway and charge", free.Gateway+" "+free.Charge.String(), "none ₹0.00")
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Mails: "receipt-free", Timeline: "enrolled, paid"})
		same(t, "series", w.texts("SELECT serial FROM invoice_series"), nil)
		same(t, "what the providers were asked", append(w.sandbox.asked(), w.other.asked()...), nil)
		equal(t, "planned questions", w.count("jobs WHERE kind = 'poll'"), 0)
		equal(t, "referral credits for nothing", w.count("referral_credits"), 0)
		receipt, err := w.Receipts.ReceiptOfVisitor(w.ctx, p.Visitor, p.txn)
		w.must(err)
		equal(t, "no invoice", receipt.Invoice == nil, true)
	},
	"Paid before the start's answer was kept": func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.sandbox.afterNext("start", func(s *method.Status) error {
			w.sandbox.press(s.TxnID, sandbox.Paid)
			w.must(w.sandbox.webhook(s.TxnID, "payment.paid"))
			w.runJobs()
			return nil
		})
		started := p.mustStart("")
		equal(t, "state", started.State, payment.Paid)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
	},
	"Paid twice before the start's answer was kept": func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		first := p.txn
		w.sandbox.press(first, sandbox.LateExpired)
		w.other.afterNext("start", func(s *method.Status) error {
			w.clock.Pass(15 * time.Second)
			w.poll(first)
			w.other.press(s.TxnID, sandbox.Paid)
			_, err := w.Payment.Verify(w.ctx, s.TxnID)
			w.must(err)
			equal(t, "state", w.texts("SELECT state FROM transactions WHERE id = $1", s.TxnID)[0], "refund_due")
			return nil
		})
		second := p.mustStart("second")
		p.expectState(second.ID, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt, refund-started", Timeline: "enrolled, paid, paid twice, refund due, payment expired, refunded"})
	},
	"Charged wrongly before the start's answer was kept": func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		w.sandbox.afterNext("start", func(s *method.Status) error {
			w.sandbox.press(s.TxnID, sandbox.WrongCurrency)
			_, err := w.Payment.Verify(w.ctx, s.TxnID)
			return err
		})
		p.mustStart("")
		p.expectState(p.txn, paymentState{State: payment.Review, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled, payment in review"})
		_, err := w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
	},
	"Failed before the start's answer was kept": func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.sandbox.afterNext("start", func(s *method.Status) error {
			w.sandbox.press(s.TxnID, sandbox.Failed)
			_, err := w.Payment.Verify(w.ctx, s.TxnID)
			return err
		})
		p.mustStart("")
		p.expectState(p.txn, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment failed"})
	},
	"An attempt of which only our row exists expires": func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		dies := errors.New("the process is gone")
		w.sandbox.beforeNext("start", func(context.Context) error {
			w.recorder.beforeCommit(func(*recordedTx) error { return dies })
			return method.ErrUnknown
		})
		if _, err := p.start(""); !errors.Is(err, dies) {
			t.Fatalf("got %v", err)
		}
		w.recorder.beforeCommit(nil)
		w.open(w.sandbox, w.other)
		only := w.texts("SELECT id FROM transactions WHERE state = 'created'")[0]
		w.advance(30 * time.Minute)
		p.expectState(only, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
	},
	"A late success of another amount goes to review": func(t *testing.T, w *world) {
		for outcome, mails := range map[sandbox.Outcome]string{sandbox.Late: "", sandbox.LateExpired: "payment-missing"} {
			p := w.paying(withCoupon)
			p.returnWith(outcome)
			if outcome == sandbox.LateExpired {
				w.clock.Pass(30 * time.Minute)
				w.poll(p.txn)
			}
			w.clock.Pass(15 * time.Second)
			w.sandbox.afterNext("fetch", func(s *method.Status) error { s.Charges[0].Amount.Minor--; return nil })
			w.poll(p.txn)
			got := p.state(p.txn)
			equal(t, "state, step, invoices and mails", fmt.Sprint(got.State, got.Step, got.Invoices, got.Mails), fmt.Sprint(payment.Review, enrol.StepUnpaid, 0, mails))
			_, err := w.Payment.Refund(w.ctx, p.txn)
			w.must(err)
		}
	},
}

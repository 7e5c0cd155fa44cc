package payment_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// moveTests are the tests of testdata/moves.md, by sentence.
var moveTests = map[string]func(*testing.T, *businesstest.World){
	"Our row is committed before the provider hears of it": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.BeforeNext("start", func(context.Context) error {
			businesstest.Same(t, "payments", w.Texts("SELECT state, gateway, ref, list_minor, discount_minor, charge_minor, charge_currency, return_url FROM transactions"),
				[]string{"created | sandbox |  | 149900 | 50000 | 99900 | INR | /success"})
			businesstest.Same(t, "coupon uses", w.Texts("SELECT state FROM coupon_uses"), []string{"held"})
			businesstest.Same(t, "registrations", w.Texts("SELECT step, paid_txn_id FROM registrations"), []string{"5 | "})
			businesstest.Equal(t, "questions planned in 30 s", w.Count("jobs WHERE kind = 'poll' AND due_at = $1", businesstest.Noon.Add(30*time.Second).UnixMicro()), 1)
			businesstest.Equal(t, "orders at the provider", w.Count("sandbox_orders"), 0)
			return nil
		})
		started := p.MustStart("")
		businesstest.Equal(t, "life", started.ExpiresAt.Sub(started.CreatedAt), 30*time.Minute)
		businesstest.Equal(t, "orders at the provider", w.Count("sandbox_orders"), 1)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
	},
	"A provider that starts, or whose answer is lost, leaves the attempt pending": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		businesstest.Same(t, "payments", w.Texts("SELECT state, ref FROM transactions WHERE id = $1", p.TxnID), []string{"pending | sbx_" + p.TxnID})
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})

		lost := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.AfterNext("start", func(*method.Status) error { return fmt.Errorf("%w: torn", method.ErrUnknown) })
		first := lost.MustStart("")
		businesstest.Equal(t, "the provider's id", first.Ref, "")
		lost.ExpectState(first.ID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		again := lost.MustStart("")
		businesstest.Equal(t, "the attempt that is asked for again", again.ID, first.ID)
		businesstest.Equal(t, "the provider's id", again.Ref, "sbx_"+first.ID)
		businesstest.Equal(t, "the provider's fields are there", again.Checkout["buttons"] != nil, true)

		never := w.Enrolled(nil)
		w.Sandbox.AfterNext("start", func(*method.Status) error { return method.ErrUnknown })
		never.MustStart("")
		w.Sandbox.PressWithoutReturn(never.TxnID, sandbox.Paid) // the provider is asked by our id
		businesstest.Equal(t, "state", never.VerifyPayment().State, payment.Paid)
	},
	"A provider that refuses to start fails the attempt, and another may start": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.BeforeNext("start", func(context.Context) error { return errors.New("401: bad key") })
		_, err := p.Start("")
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "The payment window failed to load. Are you online?")
		first := w.Texts("SELECT id FROM transactions")[0]
		p.ExpectState(first, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, payment failed"})
		second := p.MustStart("")
		businesstest.Equal(t, "the second is another", second.ID != first, true)
		p.ExpectState(second.ID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment failed"})
	},
	"A charge that equals what we asked for pays, with everything that follows, at once": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.Fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"})
		paid := p.ReturnWith(sandbox.Paid)
		businesstest.Equal(t, "settled at", paid.SettledAt, businesstest.Noon)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
		businesstest.Same(t, "registrations", w.Texts("SELECT paid_txn_id FROM registrations"), []string{p.TxnID})
		businesstest.Same(t, "referral credits", w.Texts("SELECT code, registration_id, amount_minor FROM referral_credits"), []string{"SETU2025 | " + p.RegistrationID + " | 20000"})
		businesstest.Same(t, "invoices", w.Texts("SELECT number, total_minor FROM invoices"), []string{"KS/26-27/000001 | 99900"})

		mail := p.Post.To(p.Email)[0]
		for name, want := range map[string]string{"Name": "Asha Rao", "Programme": "HireSure mGrow Scholarship", "Amount": "₹999.00", "InvoiceNumber": "KS/26-27/000001"} {
			businesstest.Equal(t, name+" in the mail", mail.Params[name], want)
		}
		businesstest.Same(t, "the ticket in the mail", w.Texts("SELECT ticket, 'https://www.example.in/ticket/' || ticket_key FROM registrations"), []string{mail.Params["Ticket"] + " | " + mail.Params["TicketURL"]})
		token, isLink := strings.CutPrefix(mail.Params["ReceiptURL"], "https://www.example.in/receipt/")
		businesstest.Equal(t, "the mail links to a receipt", isLink, true)
		businesstest.Equal(t, "link to the invoice", mail.Params["InvoiceURL"], "https://www.example.in/invoice/"+token)
		receipt, err := w.Receipts.OpenReceipt(w.Ctx, token)
		w.Must(err)
		businesstest.Equal(t, "what the link opens", receipt.Transaction.ID+" "+receipt.Invoice.Number, p.TxnID+" KS/26-27/000001")
		_, err = p.Start("")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
	},
	"A charge of another amount, currency or payment goes to review and registers nobody": func(t *testing.T, w *businesstest.World) {
		stranger := w.Paid(nil)
		for what, charge := range map[string]func(*businesstest.Person){
			"one paisa less":   func(p *businesstest.Person) { p.ReturnWith(sandbox.WrongAmount) },
			"another currency": func(p *businesstest.Person) { p.ReturnWith(sandbox.WrongCurrency) },
			"a hundred times as much": func(p *businesstest.Person) {
				w.Sandbox.AfterNext("complete", func(s *method.Status) error { s.Charges[0].Amount.Minor *= 100; return nil })
				p.ReturnWith(sandbox.Paid)
			},
			"the payment of another person": func(p *businesstest.Person) {
				theirs, err := w.Sandbox.Bank.Fetch(w.Ctx, method.Intent{TxnID: stranger.TxnID}, "")
				w.Must(err)
				w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
				w.Sandbox.AfterNext("fetch", func(s *method.Status) error { *s = theirs; return nil })
				p.VerifyPayment()
			},
		} {
			before := len(w.Alerts.All())
			p := w.Paying(businesstest.WithCoupon)
			charge(p)
			p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Review, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Mails: "payment-checked", Timeline: "enrolled, payment in review"})
			businesstest.Same(t, what+": alerts", w.Alerts.All()[before:], []string{"payment in review: amount or currency differ"})
			// Staff refund the charge.
			_, err := w.Payment.Refund(w.Ctx, p.TxnID)
			w.Must(err)
			p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-checked, refunded-review", Timeline: "enrolled, payment in review, refunded"})
		}
		businesstest.Equal(t, "invoices", w.Count("invoices"), 1)
	},
	"A failed try leaves the attempt pending, and the next try pays": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		p.ReturnWith(sandbox.DeclinedTry)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomeFailed, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment attempt failed"})
		w.Clock.Pass(2 * time.Second)
		p.VerifyPayment() // the same answer is not a second failure
		businesstest.Equal(t, "failed tries", w.Count("entries WHERE what = 'payment attempt failed'"), 1)
		p.ReturnWith(sandbox.Paid)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment attempt failed"})
	},
	"A failure for good fails the attempt": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		p.ReturnWith(sandbox.Failed)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, payment failed"})
		first := p.TxnID
		businesstest.Equal(t, "another attempt starts", p.MustStart("").ID != first, true)
	},
	"An attempt that is over its life is cancelled there, asked about once more, and expires": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		w.Advance(29*time.Minute + 59*time.Second)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		w.Sandbox.Calls()
		w.Advance(time.Second)
		businesstest.Same(t, "what the provider was asked", w.Sandbox.Calls(), []string{"fetch", "cancel", "fetch"})
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid) // too late: the order is cancelled there too
		w.Clock.Pass(2 * time.Second)
		businesstest.Equal(t, "state", p.VerifyPayment().State, payment.Expired)
	},
	"A late success pays after all, or goes back where the registration is paid": func(t *testing.T, w *businesstest.World) {
		failed := w.Paying(businesstest.WithCoupon)
		failed.ReturnWith(sandbox.Late)
		failed.ExpectState(failed.TxnID, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, payment failed"})
		w.Advance(30 * time.Second)
		failed.ExpectState(failed.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt-late", Timeline: "enrolled, paid, payment failed"})

		expired := w.Paying(businesstest.WithCoupon)
		w.Sandbox.PressWithoutReturn(expired.TxnID, sandbox.LateExpired)
		w.Advance(30 * time.Minute)
		expired.ExpectState(expired.TxnID, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		w.Advance(30 * time.Minute)
		expired.ExpectState(expired.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "enrolled, paid, payment expired"})

		for _, first := range []struct {
			outcome sandbox.Outcome
			ends    payment.State
		}{{sandbox.Late, payment.Failed}, {sandbox.LateExpired, payment.Expired}} {
			twice := w.Paying(businesstest.WithCoupon)
			late := twice.TxnID
			twice.ReturnWith(first.outcome)
			second := twice.MustStart("second") // cancels the first, where it is still open
			w.Second.PressWithoutReturn(second.ID, sandbox.Paid)
			businesstest.Equal(t, "state of the second", twice.VerifyPayment().State, payment.Paid)
			w.Clock.Pass(15 * time.Second)
			w.Poll(late)
			paidTwice := fmt.Sprintf("enrolled, paid, paid twice, refund due, payment %s, refunded", first.ends)
			twice.ExpectState(late, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt, refund-due, refund-started", Timeline: paidTwice})
			twice.ExpectState(second.ID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refund-due, refund-started", Timeline: paidTwice})
		}
	},
	"A second payment of a paid registration goes back by itself": func(t *testing.T, w *businesstest.World) {
		p, first, second := paidTwice(w)
		p.VerifyPayment()
		businesstest.Equal(t, "state before the worker comes", w.Texts("SELECT state FROM transactions WHERE id = $1", second)[0], "refund_due")
		p.ExpectState(second, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt, refund-due, refund-started", Timeline: "enrolled, paid, paid twice, refund due, payment expired, refunded"})
		p.ExpectState(first, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt, refund-due, refund-started", Timeline: "enrolled, paid, paid twice, refund due, payment expired, refunded"})
		for _, mail := range p.Post.To(p.Email) {
			if mail.Template == "refund-started" {
				businesstest.Equal(t, "the mail tells which payment goes back", mail.Params["Transaction"]+" "+mail.Params["Amount"], second+" ₹999.00")
			}
		}
		businesstest.Same(t, "refunds", w.Texts("SELECT txn_id, minor, currency, state FROM refunds"), []string{second + " | 99900 | INR | done"})
		businesstest.Same(t, "the registration", w.Texts("SELECT paid_txn_id, CASE WHEN refunded THEN 'refunded' ELSE 'stands' END FROM registrations"), []string{first + " | stands"})
		businesstest.Same(t, "the referral credit", w.Texts("SELECT registration_id, cancelled_at FROM referral_credits"), []string{p.RegistrationID + " | 0"})
	},
	"A refund stands in our books before the provider hears of it": func(t *testing.T, w *businesstest.World) {
		paid := w.Paid(nil)
		review := w.Paying(nil)
		review.ReturnWith(sandbox.WrongAmount)
		twice, _, second := paidTwice(w)
		twice.VerifyPayment()
		for txn, minor := range map[string]int64{paid.TxnID: 1499_00, review.TxnID: 1498_99, second: 999_00} {
			gateway := w.Sandbox
			if txn == second {
				gateway = w.Second
			}
			heard := false
			gateway.BeforeNext("refund", func(context.Context) error {
				heard = true
				businesstest.Same(t, "payment", w.Texts("SELECT state FROM transactions WHERE id = $1", txn), []string{"refund_pending"})
				businesstest.Same(t, "refund", w.Texts("SELECT minor, state, provider_id FROM refunds WHERE txn_id = $1", txn), []string{fmt.Sprintf("%d | asked | ", minor)})
				return nil
			})
			_, err := w.Payment.Refund(w.Ctx, txn)
			w.Must(err)
			businesstest.Equal(t, "the provider was asked", heard, true)
			businesstest.Same(t, "refund", w.Texts("SELECT state, provider_id = 'sbxref_' || id FROM refunds WHERE txn_id = $1", txn), []string{"done | " + businesstest.True(w)})
		}
	},
	"A refund that is processed ends its registration; one that fails changes nothing back": func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.WithCoupon)
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return fmt.Errorf("%w: closed account", method.ErrDeclined) })
		again, err := w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "asks again in", again, 0)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, refund failed"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"refund failed"})
		businesstest.Same(t, "refunds", w.Texts("SELECT state FROM refunds"), []string{"failed"})

		w.Sandbox.AfterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil }) // not processed
		again, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "asks again in", again, time.Hour)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.RefundPending, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, refund failed"})
		_, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refund failed, refunded"})
		r, err := w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "status", r.Status(), "Refunded")
	},
	"What is paid stays paid, whatever is said later": func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.WithCoupon)
		for _, said := range []method.Status{
			{State: method.ChargeFailed}, {State: method.ChargePending}, {State: method.ChargePending, AttemptFailed: true}, {State: method.ChargeRefunded}, {State: method.ChargePaid}, {State: method.ChargePaid, Charges: heldCharge("sbxpay_"+p.TxnID, admission.INR(1))}, {State: method.ChargePaid, Charges: heldCharge("sbxpay_"+p.TxnID, admission.INR(999_00))},
		} {
			said.TxnID = p.TxnID
			_, err := w.Payment.Settle(w.Ctx, p.TxnID, said)
			w.Must(err)
		}
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
	},
	"What costs nothing is paid at once, without a gateway": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"coupon_code": "FULLSEAT", "referral_code": "SETU2025"})
		free := p.MustStart("")
		businesstest.Equal(t, "gateway and charge", free.Gateway+" "+free.Charge.String(), "none ₹0.00")
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Mails: "receipt-free", Timeline: "enrolled, paid"})
		businesstest.Same(t, "series", w.Texts("SELECT serial FROM invoice_series"), nil)
		businesstest.Same(t, "what the providers were asked", append(w.Sandbox.Calls(), w.Second.Calls()...), nil)
		businesstest.Equal(t, "planned questions", w.Count("jobs WHERE kind = 'poll'"), 0)
		businesstest.Equal(t, "referral credits for nothing", w.Count("referral_credits"), 0)
		receipt, err := w.Receipts.ReceiptOfVisitor(w.Ctx, p.Visitor, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "no invoice", receipt.Invoice == nil, true)
	},
	"Paid before the start's answer was kept": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.AfterNext("start", func(s *method.Status) error {
			w.Sandbox.PressWithoutReturn(s.TxnID, sandbox.Paid)
			w.Must(w.Sandbox.SendWebhook(s.TxnID, "payment.paid"))
			w.RunJobs()
			return nil
		})
		started := p.MustStart("")
		businesstest.Equal(t, "state", started.State, payment.Paid)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
	},
	"Paid twice before the start's answer was kept": func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		first := p.TxnID
		w.Sandbox.PressWithoutReturn(first, sandbox.LateExpired)
		w.Second.AfterNext("start", func(s *method.Status) error {
			w.Clock.Pass(15 * time.Second)
			w.Poll(first)
			w.Second.PressWithoutReturn(s.TxnID, sandbox.Paid)
			_, err := w.Payment.Verify(w.Ctx, s.TxnID)
			w.Must(err)
			businesstest.Equal(t, "state", w.Texts("SELECT state FROM transactions WHERE id = $1", s.TxnID)[0], "refund_due")
			return nil
		})
		second := p.MustStart("second")
		p.ExpectState(second.ID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Mails: "receipt, refund-due, refund-started", Timeline: "enrolled, paid, paid twice, refund due, payment expired, refunded"})
	},
	"Charged wrongly before the start's answer was kept": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		w.Sandbox.AfterNext("start", func(s *method.Status) error {
			w.Sandbox.PressWithoutReturn(s.TxnID, sandbox.WrongCurrency)
			_, err := w.Payment.Verify(w.Ctx, s.TxnID)
			return err
		})
		p.MustStart("")
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Review, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Mails: "payment-checked", Timeline: "enrolled, payment in review"})
		_, err := w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
	},
	"Failed before the start's answer was kept": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.AfterNext("start", func(s *method.Status) error {
			w.Sandbox.PressWithoutReturn(s.TxnID, sandbox.Failed)
			_, err := w.Payment.Verify(w.Ctx, s.TxnID)
			return err
		})
		p.MustStart("")
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment failed"})
	},
	"An attempt of which only our row exists expires": func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		dies := errors.New("the process is gone")
		w.Sandbox.BeforeNext("start", func(context.Context) error {
			w.Recorder.BeforeCommit(func(*businesstest.RecordedTx) error { return dies })
			return method.ErrUnknown
		})
		if _, err := p.Start(""); !errors.Is(err, dies) {
			t.Fatalf("got %v", err)
		}
		w.Recorder.BeforeCommit(nil)
		w.Open(w.Sandbox, w.Second)
		only := w.Texts("SELECT id FROM transactions WHERE state = 'created'")[0]
		w.Advance(30 * time.Minute)
		p.ExpectState(only, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
	},
	"What returned before we heard of the payment is booked, and the payer may pay again": func(t *testing.T, w *businesstest.World) {
		w.Sandbox.Deaf, w.Second.Deaf = true, true
		expired := w.Paying(businesstest.WithCoupon)
		w.Clock.Pass(30 * time.Minute)
		w.Poll(expired.TxnID)
		w.Sandbox.CaptureLate(expired.TxnID)
		failed := w.Paying(businesstest.WithCoupon)
		_, err := w.Payment.Settle(w.Ctx, failed.TxnID, method.Status{TxnID: failed.TxnID, State: method.ChargeFailed})
		w.Must(err)
		w.Sandbox.PressWithoutReturn(failed.TxnID, sandbox.Paid)
		pending := w.Paying(businesstest.WithCoupon)
		w.Sandbox.PressWithoutReturn(pending.TxnID, sandbox.Paid)
		for _, p := range []*businesstest.Person{pending, failed, expired} {
			w.Clock.Pass(3 * time.Second)
			w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
			w.Poll(p.TxnID)
		}
		created := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.AfterNext("start", func(s *method.Status) error {
			w.Sandbox.PressWithoutReturn(s.TxnID, sandbox.Paid)
			w.Clock.Pass(3 * time.Second)
			w.Sandbox.EventAfterPayment(s.TxnID, sandbox.RefundedThere)
			_, err := w.Payment.Verify(w.Ctx, s.TxnID)
			return err
		})
		created.MustStart("")
		for p, earlier := range map[*businesstest.Person]string{created: "", pending: "", failed: "payment failed, ", expired: "payment expired, "} {
			got := p.State(p.TxnID)
			businesstest.Equal(t, "mails of "+earlier, strings.TrimPrefix(got.Mails, "payment-missing, "), "refunded-review")
			got.Mails = ""
			businesstest.Equal(t, "state", got, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Timeline: "enrolled, " + earlier + "refunded"})
			p.MustStart("")
			p.ReturnWith(sandbox.Paid)
			businesstest.Equal(t, "state of the next attempt", p.State(p.TxnID).State, payment.Paid)
		}
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), slices.Repeat([]string{"99900 | done | at the provider"}, 4))
		businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 0)
		businesstest.Same(t, "differences", reconcileNextDay(w), nil)
	},
	"A late success of another amount goes to review": func(t *testing.T, w *businesstest.World) {
		for outcome, mails := range map[sandbox.Outcome]string{sandbox.Late: "payment-checked", sandbox.LateExpired: "payment-checked, payment-missing"} {
			p := w.Paying(businesstest.WithCoupon)
			p.ReturnWith(outcome)
			if outcome == sandbox.LateExpired {
				w.Clock.Pass(30 * time.Minute)
				w.Poll(p.TxnID)
			}
			w.Clock.Pass(15 * time.Second)
			w.Sandbox.AfterNext("fetch", func(s *method.Status) error { s.Charges[0].Amount.Minor--; return nil })
			w.Poll(p.TxnID)
			got := p.State(p.TxnID)
			businesstest.Equal(t, "state, step, invoices and mails", fmt.Sprint(got.State, got.Step, got.Invoices, got.Mails), fmt.Sprint(payment.Review, enrol.StepUnpaid, 0, mails))
			_, err := w.Payment.Refund(w.Ctx, p.TxnID)
			w.Must(err)
		}
	},
}

package checkout_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/content"
	"hiresure/integrations/payment/sandbox"
	"hiresure/pages"
	"hiresure/store"
)

// post renders messages with the site's words and records them.
type post struct {
	words *content.Library
	sent  []message.Message
}

func (p *post) Render(m *message.Message) error {
	template, _ := p.words.Message(m.Template)
	words, err := template.Words("www.hiresure.example", m.Params)
	m.Content = message.Content{Subject: words.Subject, Text: words.Text, Parts: words.Parts}
	return err
}

func (p *post) Send(_ context.Context, m message.Message) error {
	p.sent = append(p.sent, m)
	return nil
}

// last returns subject and preview of the last mail, and the last SMS; "" for none.
func (p *post) last(t *testing.T) (mail, sms string) {
	t.Helper()
	for _, m := range p.sent {
		if m.Channel == message.SMS {
			sms = m.Content.Text
			continue
		}
		var blocks []content.Block
		check(t, json.Unmarshal([]byte(m.Content.Parts), &blocks))
		mail = m.Content.Subject + " | " + blocks[0].Text
	}
	return mail, sms
}

// worded is a site whose messages have words.
func worded(t *testing.T) (*site, *post) {
	words, err := content.Load()
	check(t, err)
	p := &post{words: words}
	return newSite(t, func(_ *site, c *business.Config) { c.Notifier = p }), p
}

// deliverAll delivers what is written.
func (s *site) deliverAll() {
	for range 5 {
		s.deliver()
	}
}

// twice returns the browser of a payer who paid twice, and the payment that counts and the other.
func (s *site) twice() (b *browser, counts, other string) {
	b, other = s.at(sandbox.Late, nil)
	counts = b.start()
	b.press(counts, sandbox.Paid)
	s.clock.Pass(16 * time.Second) // then the first attempt is paid too
	b.get("/success?kspay_id=" + other).leadsTo("/success?kspay_id=" + counts)
	return b, counts, other
}

// declinesRefunds makes the provider refuse every refund.
func (s *site) declinesRefunds() {
	s.gateway.Faults.Before = func(_ context.Context, call, _ string) error {
		if call == "refund" {
			return method.ErrDeclined
		}
		return nil
	}
}

// Each state of money, as its payer reads it: the page, the last mail with its preview, and the SMS.
func TestPayerReadsEachStateOfMoney(t *testing.T) {
	after := func(outcome sandbox.Outcome, events ...sandbox.ChargeEvent) func(*site) (*browser, string) {
		return func(s *site) (*browser, string) {
			b, txn := s.at(outcome, nil)
			for _, event := range events {
				s.happens(txn, event)
			}
			return b, "/success?kspay_id=" + txn
		}
	}
	const enrolled = "You are enrolled "
	promises := []string{"Congratulations!", "Full refund", "You can cancel", "to cancel by"} // false during a dispute and after a lost one
	for _, row := range []struct {
		sentence       string
		begins         func(*site) (*browser, string) // with the page that is read
		page           string
		not            []string
		mail, sms      string
		receipt, other string // on the receipt, and on the page in another browser
	}{
		{
			sentence: "pending", begins: func(s *site) (*browser, string) {
				b, txn := s.at(sandbox.Pending, nil)
				s.clock.Pass(10 * time.Minute)
				check(s.t, s.services.Payment.Wait(s.t.Context(), txn))
				check(s.t, s.services.Payment.Wait(s.t.Context(), txn)) // written once
				return b, "/success?kspay_id=" + txn
			},
			page: "Do not pay again We ask the bank every few seconds and e-mail you when it answers. You need not do anything now. You can close this page and come back. Transaction in pending!",
			mail: "Do not pay again: your bank has not answered yet | You need not do anything. We e-mail you when the bank answers.",
			sms:  "HireSure: do not pay again. Your bank has not confirmed Rs 1499 yet. We tell you when it does. Help: +91 80 0000 0101", other: "We ask the bank every few seconds and write to the payer when it answers.",
		},
		{
			sentence: "failed", begins: func(s *site) (*browser, string) {
				b, txn := s.at(sandbox.Pending, nil)
				s.clock.Pass(31 * time.Minute)
				_, err := s.services.Payment.Poll(s.t.Context(), txn)
				check(s.t, err)
				check(s.t, s.services.Payment.Wait(s.t.Context(), txn)) // it does not wait any more
				return b, "/success?kspay_id=" + txn
			},
			page: "Your payment did not go through You are not enrolled yet. Your details are kept. Check your bank or UPI app before you pay again. Transaction failed!",
			mail: "Your payment did not go through: you are not enrolled yet | Your details are saved. Only the payment of ₹1,499.00 is missing.",
			sms:  "HireSure: your payment did not go through. You are not enrolled yet. Check your bank first, then pay: www.hiresure.example/pay", other: "The bank or the payment provider returns it to the account it was paid from. The payer need not ask for it. Not back after 4 business days? Call us with the payment ID.",
		},
		{
			sentence: "paid", begins: after(sandbox.Paid), page: enrolled + "₹1,499 is paid. Next: mock test on Sunday, 28 February. Congratulations!", not: []string{"money-note"},
			mail: "You are enrolled: HireSure mGrow Scholarship | Ticket HS26-",
		},
		{
			sentence: "paid late", begins: func(s *site) (*browser, string) {
				b, txn := s.at(sandbox.Late, nil)
				s.clock.Pass(16 * time.Second)
				return b, "/success?kspay_id=" + txn
			},
			page: enrolled + "Your bank confirmed ₹1,499 late. The payment is complete. Next: mock test on Sunday, 28 February.", mail: "You are enrolled: your bank confirmed late | Ticket HS26-", not: []string{"data-leave"},
			receipt: "Did you pay again in between?",
		},
		{
			sentence: "paid twice, refund asked", begins: func(s *site) (*browser, string) {
				b, counts, _ := s.twice()
				return b, "/success?kspay_id=" + counts
			},
			page: "You paid twice We refund the second payment, ₹1,499.00, and e-mail you when it is sent. Your ticket is valid. Please do not pay again.",
			mail: "You paid twice: we are refunding ₹1,499.00 | Your ticket is valid. We e-mail you when the money is sent.", not: []string{"data-leave", "should arrive"},
		},
		{
			sentence: "paid twice, accepted", begins: func(s *site) (*browser, string) {
				b, counts, _ := s.twice()
				s.clock.Pass(time.Second)
				s.work(payment.JobRefund)
				return b, "/success?kspay_id=" + counts
			},
			page: "Refund of ₹1,499.00 sent You paid twice. We refunded the second payment on 21 Nov 2026. It should arrive by Thursday, 26 November, in the account you paid from.", not: []string{"data-leave"},
			mail:    "You paid twice: refund of ₹1,499.00 sent | It should arrive by Thursday, 26 November. Your ticket is valid.",
			receipt: "You paid twice. Refund of ₹1,499.00 sent. It should arrive by Thursday, 26 November. Your ticket is valid.",
		},
		{
			sentence: "paid twice, refused for good", begins: func(s *site) (*browser, string) {
				b, counts, _ := s.twice()
				s.declinesRefunds()
				s.clock.Pass(time.Second)
				s.work(payment.JobRefund)
				return b, "/success?kspay_id=" + counts
			},
			page:    "₹1,499.00 is still with us You paid twice. The payment provider refused our refund. The money is safe, and it is yours. We refund you another way and e-mail you the next step by Monday, 23 November.",
			mail:    "Your refund of ₹1,499.00 needs another way | The money is safe with us. Your ticket is valid.",
			sms:     "HireSure: our refund of Rs 1499 did not go through. The money is safe with us. We e-mail you the next step by 23 Nov 2026. Help: +91 80 0000 0101",
			receipt: "₹1,499.00 is still with us, and it is yours. The payment provider refused our refund. We e-mail you the next step by Monday, 23 November. Your ticket is valid.",
		},
		{
			sentence: "part refund", begins: after(sandbox.Paid, sandbox.PartRefundedThere), not: []string{"data-leave", "is paid."},
			page:    "Refund of ₹149.90 sent We refunded a part of your fee on 21 Nov 2026. It should arrive by Tuesday, 1 December. Your ticket is valid.",
			mail:    "Refund of a part of your fee sent: ₹149.90 | It should arrive by Tuesday, 1 December. Your ticket is valid.",
			receipt: "Refund of ₹149.90 sent on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from. Your ticket is valid.",
		},
		{
			sentence: "whole refund", begins: after(sandbox.Paid, sandbox.RefundedThere), not: []string{"Ticket as PDF", "ticket.pdf"},
			page:    "Refund sent Your enrolment is cancelled. We refunded ₹1,499.00 on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from.",
			mail:    "Refund of your fee sent: ₹1,499.00 | It should arrive by Tuesday, 1 December. Your enrolment is cancelled.",
			receipt: "Refund sent Your enrolment is cancelled. We refunded ₹1,499.00 on 21 Nov 2026.", other: "Your payment was refunded",
		},
		{
			sentence: "refund bounced", begins: after(sandbox.Paid, sandbox.RefundedThere, sandbox.RefundBounces), not: []string{"data-leave"},
			page:    "Your refund came back to us Your bank did not accept ₹1,499.00. The money is safe, and it is yours. We refund you another way and e-mail you the next step by Monday, 23 November. Until then your ticket is valid.",
			mail:    "Your refund of ₹1,499.00 came back to us | The money is safe with us.",
			sms:     "HireSure: our refund of Rs 1499 did not go through. The money is safe with us. We e-mail you the next step by 23 Nov 2026. Help: +91 80 0000 0101",
			receipt: "Your refund came back to us. Your bank did not accept ₹1,499.00.",
		},
		{
			sentence: "dispute open", begins: after(sandbox.Paid, sandbox.DisputeOpens), not: append([]string{"data-leave", "Tell your bank", "is paid."}, promises...),
			page:    "Your bank is looking into this payment, because it was disputed. Your ticket is valid until the bank decides. We e-mail you then. See the receipt",
			mail:    "Your bank is looking into your payment of ₹1,499.00 | Your ticket is valid until the bank decides.",
			receipt: "Your bank is looking into this payment, because it was disputed. Your ticket is valid until the bank decides. We e-mail you then. Was it a mistake? Tell your bank.",
		},
		{
			sentence: "dispute won", begins: after(sandbox.Paid, sandbox.DisputeOpens, sandbox.DisputeWon), page: enrolled + "₹1,499 is paid. Next: mock test", not: []string{"money-note"},
			mail: "Your enrolment stays valid | Your bank has decided. You need not pay or do anything.",
		},
		{
			sentence: "dispute lost", begins: after(sandbox.Paid, sandbox.DisputeOpens, sandbox.DisputeLost), not: append([]string{"ticket.pdf"}, promises...),
			page:    "Your bank took back your fee You had disputed this payment, and the bank decided for you. Your enrolment is cancelled.",
			mail:    "Your bank took back ₹1,499.00: your enrolment is cancelled | You had disputed this payment. Your bank knows when you get the money.",
			receipt: "Your bank took back your fee Your enrolment is cancelled. You had disputed this payment, and the bank decided for you. Ask your bank when the money is in your account.",
		},
		{
			sentence: "lost in part", begins: after(sandbox.Paid, sandbox.DisputeOpens, sandbox.DisputeLostInPart), not: append([]string{"data-leave", "is paid."}, promises...),
			page:    "Your bank took back ₹499.66 It decided so on the payment that you disputed. ₹999.34 stays with us. Your ticket is valid, and you need not pay the difference.",
			mail:    "Your bank took back ₹499.66 of your fee | You had disputed this payment. Your ticket is valid.",
			receipt: "Your bank took back ₹499.66 after your dispute. Your ticket is valid.",
		},
		{
			sentence: "lost, later won", begins: after(sandbox.Paid, sandbox.DisputeOpens, sandbox.DisputeLost, sandbox.DisputeWon), not: []string{"data-leave"},
			page: "The bank gave ₹1,499.00 back to us It has changed its decision on the payment that you disputed. You need not pay or do anything.",
			mail: "Your enrolment is valid again | The bank gave ₹1,499.00 back to us. You need not pay.",
		},
		{
			sentence: "lost in part, later won", begins: after(sandbox.Paid, sandbox.DisputeOpens, sandbox.DisputeLostInPart, sandbox.DisputeWon), not: []string{"data-leave", "valid again"},
			page: "The bank gave ₹499.66 back to us It has changed its decision on the payment that you disputed.",
			mail: "The bank gave ₹499.66 back to us | It changed its decision on the payment that you disputed. You need not pay.",
		},
		{
			sentence: "too little came", begins: after(sandbox.WrongAmount),
			page: "Your payment is being checked Do not pay again. ₹1,498.99 reached us, ₹0.01 less than the fee. A reviewer decides by Monday, 23 November. We e-mail you either way, and keep your place.",
			mail: "Do not pay again: we are checking ₹1,498.99 | ₹0.01 is missing. A reviewer decides by Monday, 23 November.", other: "Do not pay again. A reviewer checks this payment.",
		},
		{
			sentence: "accepted", begins: func(s *site) (*browser, string) {
				b, txn := s.at(sandbox.WrongAmount, nil)
				s.clock.Pass(time.Second)
				_, err := s.services.Payment.AcceptReview(s.t.Context(), txn, staff.Actor{Name: "test"})
				check(s.t, err)
				return b, "/success?kspay_id=" + txn
			},
			page: enrolled + "₹1,498.99 is paid.", mail: "You are enrolled: HireSure mGrow Scholarship | Ticket HS26-",
			receipt: "Adjustment we accepted what reached us −0.01 Paid ₹1,498.99",
		},
		{
			sentence: "not accepted", begins: func(s *site) (*browser, string) {
				b, txn := s.at(sandbox.WrongAmount, nil)
				s.clock.Pass(time.Second)
				check(s.t, s.services.Payment.OrderRefund(s.t.Context(), txn, staff.Actor{Name: "test"}))
				s.clock.Pass(time.Second)
				s.work(payment.JobRefund)
				b.get("/success?kspay_id=" + txn).leadsTo("/pay?scholarship_requested_id=" + b.registration.ID)
				return b, "/pay?scholarship_requested_id=" + b.registration.ID
			},
			page: "Please pay again ₹1,498.99 reached us; the fee is ₹1,499. We refunded it on 21 Nov 2026.",
			mail: "Refund of ₹1,498.99 sent: please pay again | It was not the amount of the fee. Your details are saved.", not: []string{"If the payment fails", "If money has left"},
		},
		{
			sentence: "not accepted, and the refund bounced", begins: func(s *site) (*browser, string) {
				b, txn := s.at(sandbox.WrongAmount, nil)
				s.clock.Pass(time.Second)
				check(s.t, s.services.Payment.OrderRefund(s.t.Context(), txn, staff.Actor{Name: "test"}))
				s.clock.Pass(time.Second)
				s.work(payment.JobRefund)
				s.happens(txn, sandbox.RefundBounces)
				return b, "/pay?scholarship_requested_id=" + b.registration.ID
			},
			page: "Please pay again ₹1,498.99 reached us; the fee is ₹1,499. Your bank did not accept our refund. The money is safe, and it is yours.",
			mail: "Your refund of ₹1,498.99 came back to us | The money is safe with us.", not: []string{"We refund it", "Not there by then", "If money has left"},
			sms: "HireSure: our refund of Rs 1498.99 did not go through. The money is safe with us. We e-mail you the next step by 23 Nov 2026. Help: +91 80 0000 0101",
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s, sent := worded(t)
			b, page := row.begins(s)
			b.get(page).is(http.StatusOK, row.page).without(row.not...).without("notice-failed")
			s.deliverAll()
			mail, sms := sent.last(t)
			if !strings.HasPrefix(mail, row.mail) || strings.HasSuffix(row.mail, ".") && mail != row.mail {
				t.Errorf("mail %q, want %q", mail, row.mail)
			}
			if sms != row.sms {
				t.Errorf("SMS %q, want %q", sms, row.sms)
			}
			_, txn, _ := strings.Cut(page, "kspay_id=")
			var never []string
			if slices.Contains(row.not, promises[0]) {
				never = promises
			}
			if row.receipt != "" {
				b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, row.receipt).without(never...)
			}
			if txn != "" {
				s.stranger().get(page).is(http.StatusOK, row.other).without("Ananya", "example.com</dd>", "1,49").without(never...)
			}
		})
	}
}

func TestMoreThanTheFeeIsChecked(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.WrongAmount, nil)
	check(t, s.store.Update(t.Context(), func(tx store.Tx) error {
		made, err := tx.TransactionForUpdate(txn)
		check(t, err)
		made.Arrived = admission.INR(1600_00)
		return tx.SaveTransaction(made)
	}))
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "Do not pay again. ₹1,600.00 reached us, ₹101.00 more than the fee.", "Accepted You are enrolled, and we refund ₹101.00. The invoice is for ₹1,499.00. Not accepted We refund ₹1,600.00 within 3-4 business days, and you can pay again.", "Received, being checked ₹1,600.00")
	b.get("/pay").is(http.StatusOK, "₹1,600.00 Received, being checked").without("If the payment fails", "notice-failed")
}

// changePayment changes a stored payment, and adds refunds of it.
func (s *site) changePayment(txn string, change func(*payment.Transaction), refunds ...payment.Refund) {
	s.t.Helper()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		made, err := tx.TransactionForUpdate(txn)
		check(s.t, err)
		change(made)
		for _, refund := range refunds {
			refund.TxnID, refund.PaymentID, refund.CreatedAt, refund.ChangedAt = txn, made.PaymentID, s.clock.Now(), s.clock.Now()
			check(s.t, tx.SaveRefund(&refund))
		}
		return tx.SaveTransaction(made)
	}))
}

func TestPayNamesWhatBecameOfThePaymentThatWentBack(t *testing.T) {
	const returned, fee = "Your payment of ₹1,499.00 was returned before it reached us.", "reached us; the fee is"
	refund := func(minor int64, reason payment.RefundReason, state method.RefundState) []payment.Refund {
		return []payment.Refund{{ID: admission.NewID(), Amount: admission.INR(minor), Reason: reason, State: state}}
	}
	for _, row := range []struct {
		sentence string
		state    payment.State
		refunds  []payment.Refund
		says     string
		not      []string
	}{
		{"returned, with a refund", payment.Refunded, refund(1499_00, payment.ReasonAtProvider, method.RefundDone), returned + " ", []string{fee, "If money has left", "0.00 should"}},
		{"returned, without one", payment.Refunded, nil, returned + " ", []string{fee, "0.00 should", "₹0.00"}},
		{"due", payment.RefundDue, nil, "We refund your payment and e-mail you when it is sent.", []string{fee, "₹0.00", "was returned", "Not there by then"}},
		{"another amount, sent", payment.Refunded, refund(1400_00, payment.ReasonPaidTwice, method.RefundDone), "₹1,400.00 reached us; the fee is ₹1,499. We refunded it on 21 Nov 2026.", []string{"was returned"}},
		{"the fee, sent", payment.Refunded, refund(1499_00, payment.ReasonPaidTwice, method.RefundDone), "₹1,499.00 reached us. We refunded it on 21 Nov 2026.", []string{"was returned", fee}},
		{"another amount, asked", payment.RefundPending, refund(1400_00, payment.ReasonPaidTwice, method.RefundAsked), "₹1,400.00 reached us; the fee is ₹1,499. We refund it and e-mail you when it is sent.", []string{"Not there by then"}},
		{"another amount, refused", payment.RefundDue, refund(1400_00, payment.ReasonPaidTwice, method.RefundFailed), "₹1,400.00 reached us; the fee is ₹1,499. The payment provider refused our refund. The money is safe, and it is yours.", []string{"We refund it", "Not there by then"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			b, txn := s.at(sandbox.Failed, nil)
			s.changePayment(txn, func(t *payment.Transaction) {
				t.State, t.PaymentID, t.SettledAt, t.AttemptFailed = row.state, "pay_1", s.clock.Now(), false
			}, row.refunds...)
			b.get("/pay").is(http.StatusOK, "Please pay again", row.says).without(row.not...)
		})
	}
}

func TestSecondPaymentOfAnotherAmount(t *testing.T) {
	s := newSite(t)
	b, counts, other := s.twice()
	s.changePayment(other, func(t *payment.Transaction) { t.Arrived = admission.INR(1600_00) })
	b.get("/success?kspay_id="+counts).is(http.StatusOK, "We are refunding ₹1,499.00 It was not the amount of the fee. We refund it and e-mail you when it is sent. Your ticket is valid.")
}

func TestFeePageNamesItsPayer(t *testing.T) {
	for _, row := range []struct {
		failed bool
		says   string
	}{
		{false, "We e-mail you when the money is sent."},
		{true, "We refund you another way and e-mail you the next step."},
	} {
		s := newSite(t, withApplication)
		b := s.applicant(enrol.StepAgreed)
		txn := b.pays()
		b.press(txn, sandbox.Pending)
		s.changePayment(txn, func(t *payment.Transaction) {
			t.State, t.RefundFailed, t.SettledAt = payment.RefundDue, row.failed, s.clock.Now()
		})
		b.get(feePath+"?kspay_id="+txn).is(http.StatusOK, row.says).without("the payer")
	}
}

// The provider has not accepted the refund of the whole fee yet: the ticket is still valid.
func TestRefundUnderWayStopsTheCount(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	s.changePayment(txn, func(t *payment.Transaction) { t.State, t.StateBefore = payment.RefundPending, payment.Paid },
		payment.Refund{ID: admission.NewID(), Amount: admission.INR(1499_00), Reason: payment.ReasonOrdered, State: method.RefundAsked})
	const says = "We are refunding your fee We e-mail you when it is sent."
	b.get("/success?kspay_id="+txn).is(http.StatusOK, says).without("data-leave", "is paid.", "should arrive")
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, says)
}

func TestPaidApplicationStaysBesideANoteAboutMoney(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	txn := b.pays()
	b.press(txn, sandbox.Paid)
	page := feePath + "?kspay_id=" + txn
	b.get(page).is(http.StatusOK, "Your documents open in").holds("data-leave")
	s.happens(txn, sandbox.DisputeOpens)
	b.get(page).is(http.StatusOK, "Your bank is looking into this payment, because it was disputed. Your application is valid until the bank decides. We e-mail you then. Was it a mistake? Tell your bank. See the receipt", "Upload Documents").
		holds(`href="/checkout/`+txn+`/receipt"`).without("data-leave", "data-stay", "Congratulations!")
}

func TestReceiptOfDisputedApplication(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	txn := b.pays()
	b.press(txn, sandbox.Paid)
	s.happens(txn, sandbox.DisputeOpens)
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Your application is valid until the bank decides. We e-mail you then.").without("Your ticket is valid", "Refund, within")
	s.happens(txn, sandbox.DisputeLost)
	b.get(feePath+"?kspay_id="+txn).is(http.StatusOK, "Your bank took back your fee").without("Ask us after", "Congratulations!")
}

func TestSurplusTimeIsSurplusDays(t *testing.T) {
	if want := fmt.Sprintf("3-%d business days", payment.SurplusDays); pages.SurplusTime != want {
		t.Errorf("%q, want %q", pages.SurplusTime, want)
	}
}

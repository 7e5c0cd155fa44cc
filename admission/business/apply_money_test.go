package business_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// afterPayment returns the state of an application after a payment, with further mails and timeline entries.
func afterPayment(mails string, more ...string) paymentState {
	return paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: mails, Timeline: timelineWith(append(more, "payment started", "paid")...)}
}

func TestEveryPaymentSourceAdvancesApplication(t *testing.T) {
	for name, road := range map[string]func(*person){
		"the return":         func(p *person) { p.returnWith(sandbox.Paid) },
		"a look at the page": func(p *person) { p.sandbox.press(p.txn, sandbox.Paid); p.verifyPayment() },
		"the webhook": func(p *person) {
			p.sandbox.press(p.txn, sandbox.Paid)
			p.must(p.sandbox.webhook(p.txn, "payment.paid"))
			p.runJobs()
		},
		"the poller": func(p *person) { p.sandbox.press(p.txn, sandbox.Paid); p.advance(31 * time.Second) },
		"all of them": func(p *person) {
			p.returnWith(sandbox.Paid)
			p.must(p.sandbox.webhook(p.txn, "payment.paid"))
			p.verifyPayment()
			p.advance(time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.applicantAt(enrol.StepPaying)
				road(p)
				p.expectState(p.txn, afterPayment("receipt-application"))
				w.checkBooks()
			})
		})
	}
}

func TestLatePaymentAfterFailedAttemptOfApplication(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPaying)
		p.returnWith(sandbox.Late)
		p.expectState(p.txn, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Timeline: timelineWith("payment started", "payment failed")})
		w.advance(time.Hour)
		p.expectState(p.txn, afterPayment("receipt-application", "payment failed"))
		equal(t, "the receipt owns up to it", w.post.to(p.email)[0].Params["Late"], "yes")
	})
}

func TestSecondPaymentOfApplicationIsRefunded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPaying)
		first := p.txn
		w.sandbox.press(first, sandbox.LateExpired)
		p.mustStart("second")
		w.other.press(p.txn, sandbox.Paid)
		p.verifyPayment()
		p.expectState(p.txn, afterPayment("receipt-application", "payment expired", "payment started"))
		w.advance(time.Hour) // the first one arrives
		p.expectState(first, paymentState{
			State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepPaid, Mails: "receipt-application, refund-started",
			Timeline: timelineWith("payment started", "payment expired", "payment started", "paid", "paid twice, refund due", "refunded"),
		})
		equal(t, "the mail knows what stays", w.post.to(p.email)[1].Params["Application"], "yes")
		p.expectStep(enrol.StepPaid)
		w.checkBooks()
	})
}

func TestApplicationInvoiceDescription(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPaid)
		receipt, err := w.Receipts.ReceiptOfVisitor(w.ctx, p.Visitor, p.txn)
		w.must(err)
		paper := receipt.Invoice
		equal(t, "line", paper.Description+" "+fmt.Sprint(paper.TotalMinor, paper.DiscountMinor), "Application fee – HireSure Scholarship 250000 0")
		equal(t, "words", paper.Words, "Two Thousand Five Hundred Rupees Only")
		equal(t, "place of supply", paper.PlaceOfSupply, "Karnataka")
		equal(t, "it adds up", paper.Tax.Taxable+paper.Tax.IGST+paper.Tax.CGST+paper.Tax.SGST+paper.Tax.UTGST, 250000)
		equal(t, "billed to", paper.Buyer.Name+", "+paper.Buyer.Email, receipt.Registration.FullName+", "+p.email)
	})
}

func TestUnpaidMailIsSentOnce(t *testing.T) {
	lost := func(p *person) { // the bank declines
		p.sandbox.press(p.txn, sandbox.Failed)
		p.must(p.sandbox.webhook(p.txn, "payment.failed"))
		p.runJobs()
	}
	for _, row := range []struct {
		sentence string
		do       func(*person)
		mails    string
	}{
		{"whose browser brings the bank's no reads it there", func(p *person) { p.returnWith(sandbox.Failed) }, ""},
		{"who left the page that waits, a moment later", func(p *person) { p.returnWith(sandbox.Pending); p.clock.Pass(time.Second); lost(p) }, "payment-missing"},
		{"who left the provider's page", lost, "payment-missing"},
		{"it is written once", func(p *person) {
			p.returnWith(sandbox.Pending)
			p.clock.Pass(15 * time.Minute)
			lost(p)
			lost(p)
			p.advance(time.Hour)
		}, "payment-missing"},
		{"also to who is still on the page that waits: it says so", func(p *person) {
			p.returnWith(sandbox.Pending)
			p.sandbox.press(p.txn, sandbox.Failed)
			p.clock.Pass(3 * time.Second)
			p.verifyPayment()
		}, "payment-missing"},
		{"the bank never answers", func(p *person) {
			p.returnWith(sandbox.Pending)
			p.advance(31 * time.Minute)
			p.advance(8 * 24 * time.Hour)
		}, "payment-missing"},
		{"who chooses another method knows", func(p *person) { p.mustStart("second") }, ""},
		{"and who does so after a while", func(p *person) { p.clock.Pass(20 * time.Minute); p.mustStart("second") }, ""},
		{"who tries again where the bank has said no", func(p *person) {
			p.sandbox.press(p.txn, sandbox.Failed)
			p.clock.Pass(3 * time.Second)
			p.mustStart("")
		}, ""},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.applicantAt(enrol.StepPaying)
				enrolled := w.paying(nil)
				for _, of := range []struct {
					*person
					says string
				}{
					{p, "₹2,500.00 https://www.example.in/hiresure/payment yes"},
					{enrolled, "₹1,499.00 https://www.example.in/hiresure/registration/" + enrolled.registration + " "},
				} {
					row.do(of.person)
					w.runJobs()
					equal(t, "mails", of.mails(), row.mails)
					if row.mails != "" {
						mail := w.post.to(of.email)[0].Params
						equal(t, "it says", mail["Amount"]+" "+mail["PayURL"]+" "+mail["Application"], of.says)
					}
				}
			})
		})
	}
	t.Run("an attempt that could not start is told at once", func(t *testing.T) {
		onSQLite(t, func(t *testing.T, w *world) {
			p := w.enrolled(nil)
			w.sandbox.beforeNext("start", func(context.Context) error { return method.ErrDeclined })
			_, err := p.start("")
			expectProblem(t, err, admission.Unavailable, "", "The payment window failed to load. Are you online?")
			w.runJobs()
			equal(t, "mails", p.mails(), "")
		})
	})
}

func TestReturnURLByProduct(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		equal(t, "an application's", w.applicantAt(enrol.StepAgreed).mustStart("").ReturnURL, "/hiresure/payment")
		equal(t, "an enrolment's", w.enrolled(nil).mustStart("").ReturnURL, "/success")
	})
}

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

// paidFor is how an application stands once a payment of it has arrived; more stands in its timeline, beside mails.
func paidFor(mails string, more ...string) at {
	return at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: mails, Timeline: timelineWith(append(more, "payment started", "paid")...)}
}

func TestEveryRoadOfAPaymentLeadsAnApplicationOn(t *testing.T) {
	for name, road := range map[string]func(*person){
		"the return":         func(p *person) { p.returns(sandbox.Paid) },
		"a look at the page": func(p *person) { p.sandbox.press(p.txn, sandbox.Paid); p.verifies() },
		"the webhook": func(p *person) {
			p.sandbox.press(p.txn, sandbox.Paid)
			p.must(p.sandbox.webhook(p.txn, "payment.paid"))
			p.work()
		},
		"the poller": func(p *person) { p.sandbox.press(p.txn, sandbox.Paid); p.pass(31 * time.Second) },
		"all of them": func(p *person) {
			p.returns(sandbox.Paid)
			p.must(p.sandbox.webhook(p.txn, "payment.paid"))
			p.verifies()
			p.pass(time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.applied(enrol.StepPaying)
				road(p)
				p.stand(p.txn, paidFor("receipt-application"))
				w.balances()
			})
		})
	}
}

func TestAnApplicationThatFailedIsPaidLate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applied(enrol.StepPaying)
		p.returns(sandbox.Late)
		p.stand(p.txn, at{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Timeline: timelineWith("payment started", "payment failed")})
		w.pass(time.Hour)
		p.stand(p.txn, paidFor("receipt-application", "payment failed"))
		equal(t, "the receipt owns up to it", w.post.to(p.email)[0].Params["Late"], "yes")
	})
}

func TestASecondPaymentOfAnApplicationGoesBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applied(enrol.StepPaying)
		first := p.txn
		w.sandbox.press(first, sandbox.LateExpired)
		p.starts("second")
		w.other.press(p.txn, sandbox.Paid)
		p.verifies()
		p.stand(p.txn, paidFor("receipt-application", "payment expired", "payment started"))
		w.pass(time.Hour) // the first one arrives
		p.stand(first, at{
			State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepPaid, Mails: "receipt-application, refund-started",
			Timeline: timelineWith("payment started", "payment expired", "payment started", "paid", "paid twice, refund due", "refunded"),
		})
		equal(t, "the mail knows what stays", w.post.to(p.email)[1].Params["Application"], "yes")
		p.standsAt(enrol.StepPaid)
		w.balances()
	})
}

func TestTheInvoiceOfAnApplicationSaysWhatWasPaidFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applied(enrol.StepPaid)
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

func TestWhoLeftHearsOnceThatNothingIsPaid(t *testing.T) {
	lost := func(p *person) { // the bank says no
		p.sandbox.press(p.txn, sandbox.Failed)
		p.must(p.sandbox.webhook(p.txn, "payment.failed"))
		p.work()
	}
	for _, row := range []struct {
		sentence string
		do       func(*person)
		mails    string
	}{
		{"whose browser brings the bank's no reads it there", func(p *person) { p.returns(sandbox.Failed) }, ""},
		{"who left the page that waits, a moment later", func(p *person) { p.returns(sandbox.Pending); p.clock.Pass(time.Second); lost(p) }, "payment-missing"},
		{"who left the provider's page", lost, "payment-missing"},
		{"it is written once", func(p *person) {
			p.returns(sandbox.Pending)
			p.clock.Pass(15 * time.Minute)
			lost(p)
			lost(p)
			p.pass(time.Hour)
		}, "payment-missing"},
		{"also to who is still on the page that waits: it says so", func(p *person) {
			p.returns(sandbox.Pending)
			p.sandbox.press(p.txn, sandbox.Failed)
			p.clock.Pass(3 * time.Second)
			p.verifies()
		}, "payment-missing"},
		{"the bank never answers", func(p *person) { p.returns(sandbox.Pending); p.pass(31 * time.Minute); p.pass(8 * 24 * time.Hour) }, "payment-missing"},
		{"who chooses another method knows", func(p *person) { p.starts("second") }, ""},
		{"and who does so after a while", func(p *person) { p.clock.Pass(20 * time.Minute); p.starts("second") }, ""},
		{"who tries again where the bank has said no", func(p *person) { p.sandbox.press(p.txn, sandbox.Failed); p.clock.Pass(3 * time.Second); p.starts("") }, ""},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.applied(enrol.StepPaying)
				enrolled := w.paying(nil)
				for _, of := range []struct {
					*person
					says string
				}{
					{p, "₹2,500.00 https://www.example.in/hiresure/payment yes"},
					{enrolled, "₹1,499.00 https://www.example.in/hiresure/registration/" + enrolled.registration + " "},
				} {
					row.do(of.person)
					w.work()
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
			refused(t, err, admission.Unavailable, "", "The payment window failed to load. Are you online?")
			w.work()
			equal(t, "mails", p.mails(), "")
		})
	})
}

func TestAnAttemptComesBackToWhereItsRegistrationIsPaid(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		equal(t, "an application's", w.applied(enrol.StepAgreed).starts("").ReturnURL, "/hiresure/payment")
		equal(t, "an enrolment's", w.enrolled(nil).starts("").ReturnURL, "/success")
	})
}

package payment_test

import (
	"context"
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
	"hiresure/store"
)

// afterPayment returns the state of an application after a payment, with further mails and timeline entries.
func afterPayment(mails string, more ...string) businesstest.PaymentState {
	return businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: mails, Timeline: timelineWith(append(more, "payment started", "paid")...)}
}

func TestEveryPaymentSourceAdvancesApplication(t *testing.T) {
	for name, road := range map[string]func(*businesstest.Person){
		"the return":         func(p *businesstest.Person) { p.ReturnWith(sandbox.Paid) },
		"a look at the page": func(p *businesstest.Person) { p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid); p.VerifyPayment() },
		"the webhook": func(p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.Must(p.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
			p.RunJobs()
		},
		"the poller": func(p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.Advance(31 * time.Second)
		},
		"all of them": func(p *businesstest.Person) {
			p.ReturnWith(sandbox.Paid)
			p.Must(p.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
			p.VerifyPayment()
			p.Advance(time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.ApplicantAt(enrol.StepPaying)
				road(p)
				p.ExpectState(p.TxnID, afterPayment("receipt-application"))
				w.CheckBooks()
			})
		})
	}
}

func TestLatePaymentAfterFailedAttemptOfApplication(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPaying)
		p.ReturnWith(sandbox.Late)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Timeline: timelineWith("payment started", "payment failed")})
		w.Advance(time.Hour)
		p.ExpectState(p.TxnID, afterPayment("receipt-application", "payment failed"))
		businesstest.Equal(t, "the receipt owns up to it", w.Post.To(p.Email)[0].Params["Late"], "yes")
	})
}

func TestSecondPaymentOfApplicationIsRefunded(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPaying)
		first := p.TxnID
		w.Sandbox.PressWithoutReturn(first, sandbox.LateExpired)
		p.MustStart("second")
		w.Second.PressWithoutReturn(p.TxnID, sandbox.Paid)
		p.VerifyPayment()
		p.ExpectState(p.TxnID, afterPayment("receipt-application", "payment expired", "payment started"))
		w.Advance(time.Hour) // the first one arrives
		p.ExpectState(first, businesstest.PaymentState{
			State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepPaid, Mails: "receipt-application, refund-due, refund-started",
			Timeline: timelineWith("payment started", "payment expired", "payment started", "paid", "paid twice, refund due", "refunded"),
		})
		businesstest.Equal(t, "the mail knows what stays", w.Post.To(p.Email)[1].Params["Application"], "yes")
		p.ExpectStep(enrol.StepPaid)
		w.CheckBooks()
	})
}

func TestApplicationInvoiceDescription(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPaid)
		receipt, err := w.Receipts.ReceiptOfVisitor(w.Ctx, p.Visitor, p.TxnID)
		w.Must(err)
		paper := receipt.Invoice
		businesstest.Equal(t, "line", paper.Description+" "+fmt.Sprint(paper.TotalMinor, paper.DiscountMinor), "Application fee – HireSure Scholarship 250000 0")
		businesstest.Equal(t, "SAC", paper.SAC, "999299")
		businesstest.Equal(t, "words", paper.Words, "Two Thousand Five Hundred Rupees Only")
		businesstest.Equal(t, "place of supply", paper.PlaceOfSupply, "Karnataka")
		businesstest.Equal(t, "it adds up", paper.Tax.Taxable+paper.Tax.IGST+paper.Tax.CGST+paper.Tax.SGST+paper.Tax.UTGST, 250000)
		businesstest.Equal(t, "billed to", paper.Buyer.Name+", "+paper.Buyer.Email, receipt.Registration.FullName+", "+p.Email)
	})
}

func TestUnpaidMailIsSentOnce(t *testing.T) {
	lost := func(p *businesstest.Person) { // the bank declines
		p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Failed)
		p.Must(p.Sandbox.SendWebhook(p.TxnID, "payment.failed"))
		p.RunJobs()
	}
	for _, row := range []struct {
		sentence string
		do       func(*businesstest.Person)
		mails    string
	}{
		{"whose browser brings the bank's no reads it there", func(p *businesstest.Person) { p.ReturnWith(sandbox.Failed) }, ""},
		{"who left the page that waits, a moment later", func(p *businesstest.Person) { p.ReturnWith(sandbox.Pending); p.Clock.Pass(time.Second); lost(p) }, "payment-missing"},
		{"who left the provider's page", lost, "payment-missing"},
		{"it is written once", func(p *businesstest.Person) {
			p.ReturnWith(sandbox.Pending)
			p.Clock.Pass(15 * time.Minute)
			lost(p)
			lost(p)
			p.Advance(time.Hour)
		}, "payment-missing"},
		{"also to somebody who is still on the page that waits: it says so", func(p *businesstest.Person) {
			p.ReturnWith(sandbox.Pending)
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Failed)
			p.Clock.Pass(3 * time.Second)
			p.VerifyPayment()
		}, "payment-missing"},
		{"the bank never answers", func(p *businesstest.Person) {
			p.ReturnWith(sandbox.Pending)
			p.Advance(31 * time.Minute)
			p.Advance(8 * 24 * time.Hour)
		}, "payment-missing"},
		{"who chooses another method knows", func(p *businesstest.Person) { p.MustStart("second") }, ""},
		{"and who does so after a while", func(p *businesstest.Person) { p.Clock.Pass(20 * time.Minute); p.MustStart("second") }, ""},
		{"who tries again where the bank has said no", func(p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Failed)
			p.Clock.Pass(3 * time.Second)
			p.MustStart("")
		}, ""},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.ApplicantAt(enrol.StepPaying)
				enrolled := w.Paying(nil)
				for _, of := range []struct {
					*businesstest.Person
					says string
				}{
					{p, "₹2,500.00 https://www.example.in/hiresure/payment yes"},
					{enrolled, "₹1,499.00 https://www.example.in/pay?scholarship_requested_id=" + enrolled.RegistrationID + " "},
				} {
					row.do(of.Person)
					w.RunJobs()
					businesstest.Equal(t, "mails", of.Mails(), row.mails)
					if row.mails != "" {
						mail := w.Post.To(of.Email)[0].Params
						businesstest.Equal(t, "it says", mail["Amount"]+" "+mail["PayURL"]+" "+mail["Application"], of.says)
					}
				}
			})
		})
	}
	t.Run("an attempt that could not start is told at once", func(t *testing.T) {
		businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
			p := w.Enrolled(nil)
			w.Sandbox.BeforeNext("start", func(context.Context) error { return method.ErrDeclined })
			_, err := p.Start("")
			businesstest.ExpectProblem(t, err, admission.Unavailable, "", "The payment window failed to load. Are you online?")
			w.RunJobs()
			businesstest.Equal(t, "mails", p.Mails(), "")
		})
	})
}

func TestReturnURLByProduct(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		businesstest.Equal(t, "an application's", w.ApplicantAt(enrol.StepAgreed).MustStart("").ReturnURL, "/hiresure/payment")
		businesstest.Equal(t, "an enrolment's", w.Enrolled(nil).MustStart("").ReturnURL, "/success")
	})
}

const uptoTerms = "academic details saved, personal details saved, phone verified, scholarship details saved, terms agreed"

// timelineWith returns an application's timeline until payment with further entries.
func timelineWith(more ...string) string {
	all := append(strings.Split(uptoTerms, ", "), more...)
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestApplicationPayment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepAgreed)
		started := p.MustStart("")
		businesstest.Equal(t, "what is paid for", started.Payer.Description+" "+started.Charge.String(), "Application fee – HireSure Scholarship ₹2,500.00")
		businesstest.Equal(t, "the State of the invoice", started.Payer.StateCode, "29")
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: timelineWith("payment started")})
		p.ReturnWith(sandbox.Failed)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Timeline: timelineWith("payment started", "payment failed")})
		p.MustStart("")
		p.ReturnWith(sandbox.Paid)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: "receipt-application", Timeline: timelineWith("payment started", "payment failed", "payment started", "paid")})
		r := p.Application()
		businesstest.Equal(t, "ticket and referral code", r.Ticket+r.TicketKey+r.OwnReferral, "")
		w.Must(w.Receipts.IssueTickets(w.Ctx))
		businesstest.Equal(t, "the tickets' job gives it none", p.Application().Ticket, "")
		mail := w.Post.To(p.Email)[0].Params
		businesstest.Equal(t, "the receipt says", mail["For"]+", "+mail["Amount"]+", "+mail["Free"]+mail["Ticket"], "the check of your application, ₹2,500.00, ")
		businesstest.Equal(t, "its links", fmt.Sprint(strings.HasPrefix(mail["ReceiptURL"], "https://www.example.in/receipt/"), strings.HasPrefix(mail["InvoiceURL"], "https://www.example.in/invoice/")), "true true")
		w.Clock.Pass(3 * 24 * time.Hour) // the books balance later too, without a ticket

		_, err := p.Start("")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", enrol.AlreadyPaid)
		_, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepPaid, Invoices: 1, Mails: "receipt-application, refunded", Timeline: timelineWith("payment started", "payment failed", "payment started", "paid", "refunded")})
		businesstest.Equal(t, "the refund's mail knows that it is an application", w.Post.To(p.Email)[1].Params["Application"], "yes")
		p.ExpectStep(enrol.StepUnverified)
		again, err := w.Apply.Begin(w.Ctx, p.Visitor, "", "")
		w.Must(err)
		businesstest.Equal(t, "a new one may begin", again.Registration.ID != p.RegistrationID && again.Step == enrol.StepVerified, true)
	})
}

func TestLatePaymentOfApplication(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPaying)
		late := p.TxnID
		w.Sandbox.PressWithoutReturn(late, sandbox.LateExpired)
		w.Advance(31 * time.Minute)
		p.ExpectState(late, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Mails: "payment-missing", Timeline: timelineWith("payment started", "payment expired")})
		w.Advance(time.Hour)
		p.ExpectState(late, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: "payment-missing, receipt-application", Timeline: timelineWith("payment started", "payment expired", "paid")})
	})
}

func TestFreeApplicationIsPaidAtOnce(t *testing.T) {
	for name, free := range map[string]func(*businesstest.Person){
		"by its fee": func(p *businesstest.Person) {
			p.Catalogue[2].Fee, p.Catalogue[2].ListFee = admission.INR(0), admission.INR(0)
		},
		"by a coupon": func(p *businesstest.Person) {
			p.AddCoupon(enrol.Coupon{Code: "FULLAPPLY", EventCode: enrol.ApplicationCode, Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}})
			p.Must(p.Database.Update(p.Ctx, func(tx store.Tx) error {
				r, err := tx.RegistrationForUpdate(p.RegistrationID)
				if err != nil {
					return err
				}
				r.CouponCode = "FULLAPPLY"
				return tx.SaveRegistration(r)
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.ApplicantAt(enrol.StepAgreed)
				free(p)
				businesstest.Equal(t, "gateway", p.MustStart("").Gateway, "none")
				got := p.State(p.TxnID)
				got.Coupon = ""
				if want := (businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Mails: "receipt-application", Timeline: timelineWith("paid")}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
				businesstest.Equal(t, "the receipt says that it was free", w.Post.To(p.Email)[0].Params["Free"], "yes")
			})
		})
	}
}

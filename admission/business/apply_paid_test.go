package business_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

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

// withReminderConsent returns an applicant at a step who consents to reminders.
func withReminderConsent(w *businesstest.World, step enrol.Step) *businesstest.Person {
	w.T.Helper()
	p := w.Somebody()
	p.SignUp(p.Email)
	standing, err := w.Apply.Begin(w.Ctx, p.Visitor, "", "reminders")
	w.Must(err)
	p.RegistrationID = standing.Registration.ID
	if step >= enrol.StepPersonal {
		_, err = p.SaveStep("personal", nil)
		w.Must(err)
	}
	return p
}

// reminders returns the next steps named in the person's reminders, latest last.
func reminders(p *businesstest.Person) string {
	p.T.Helper()
	p.RunJobs()
	var all []string
	for _, m := range p.Post.To(p.Email) {
		if m.Template == "application-reminder" {
			all = append(all, m.Params["Next"]+m.Params["Last"])
		}
	}
	return strings.Join(all, ", ")
}

func TestApplicationIsRemindedThreeTimes(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, silent := withReminderConsent(w, enrol.StepPersonal), w.ApplicantAt(enrol.StepPersonal)
		for _, row := range []struct {
			pass time.Duration
			want string
		}{
			{23 * time.Hour, ""}, {time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info, Academic Info"},
			{4*24*time.Hour - time.Second, "Academic Info, Academic Info"}, {time.Second, "Academic Info, Academic Info, Academic Infoyes"},
			{60 * 24 * time.Hour, "Academic Info, Academic Info, Academic Infoyes"},
		} {
			w.Advance(row.pass)
			businesstest.Equal(t, "reminders after "+row.pass.String(), reminders(p), row.want)
		}
		businesstest.Equal(t, "the link", w.Post.To(p.Email)[0].Params["ContinueURL"], "https://www.example.in/hiresure/form")
		businesstest.Equal(t, "without the consent", silent.Mails(), "")
		businesstest.Equal(t, "jobs that wait", w.Count("jobs WHERE kind = 'application-remind'"), 0)
		_, err := p.SaveStep("academic", nil)
		w.Must(err)
		w.Advance(30 * 24 * time.Hour)
		businesstest.Equal(t, "there is no fourth", reminders(p), "Academic Info, Academic Info, Academic Infoyes")
	})
}

func TestRemindersStop(t *testing.T) {
	for name, row := range map[string]struct {
		do   func(*businesstest.Person)
		want string // a day and a half later
	}{
		"a saved step begins the day anew":  {func(p *businesstest.Person) { p.Must(second(p.SaveStep("academic", nil))) }, ""},
		"so does what is typed":             {func(p *businesstest.Person) { p.Must(saveDraft(p, "academic")) }, ""},
		"a consent that is taken back ends": {func(p *businesstest.Person) { withdrawReminders(p) }, ""},
		"nothing happens":                   {func(*businesstest.Person) {}, "Academic Info"},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := withReminderConsent(w, enrol.StepPersonal)
				w.Advance(23 * time.Hour)
				row.do(p)
				w.Advance(13 * time.Hour)
				businesstest.Equal(t, "reminders", reminders(p), row.want)
			})
		})
	}
	t.Run("who has paid is not reminded", func(t *testing.T) {
		businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
			p := withReminderConsent(w, enrol.StepPersonal)
			for _, step := range []string{"academic", "scholarship"} {
				w.Must(second(p.SaveStep(step, nil)))
			}
			w.Must(second(p.AgreeTerms("reminders")))
			p.MustStart("")
			p.ReturnWith(sandbox.Paid)
			w.Advance(30 * 24 * time.Hour)
			businesstest.Equal(t, "reminders", reminders(p), "")
			businesstest.Equal(t, "jobs that wait", w.Count("jobs WHERE kind = 'application-remind'"), 0)
		})
	})
}

func second[T any](_ T, err error) error { return err }

// withdrawReminders withdraws the consent to reminders.
func withdrawReminders(p *businesstest.Person) {
	p.T.Helper()
	p.Must(p.Database.Update(p.Ctx, func(tx store.Tx) error {
		return p.Apply.Consents.Revise(tx, p.Visitor, "+91"+p.Phone, p.RegistrationID, "")
	}))
}

package business_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
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
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepAgreed)
		started := p.mustStart("")
		equal(t, "what is paid for", started.Payer.Description+" "+started.Charge.String(), "Application fee – HireSure Scholarship ₹2,500.00")
		equal(t, "the State of the invoice", started.Payer.StateCode, "29")
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: timelineWith("payment started")})
		p.returnWith(sandbox.Failed)
		p.expectState(p.txn, paymentState{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Timeline: timelineWith("payment started", "payment failed")})
		p.mustStart("")
		p.returnWith(sandbox.Paid)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: "receipt-application", Timeline: timelineWith("payment started", "payment failed", "payment started", "paid")})
		r := p.application()
		equal(t, "ticket and referral code", r.Ticket+r.TicketKey+r.OwnReferral, "")
		w.must(w.Receipts.IssueTickets(w.ctx))
		equal(t, "the tickets' job gives it none", p.application().Ticket, "")
		mail := w.post.to(p.email)[0].Params
		equal(t, "the receipt says", mail["For"]+", "+mail["Amount"]+", "+mail["Free"]+mail["Ticket"], "the check of your application, ₹2,500.00, ")
		equal(t, "its links", fmt.Sprint(strings.HasPrefix(mail["ReceiptURL"], "https://www.example.in/receipt/"), strings.HasPrefix(mail["InvoiceURL"], "https://www.example.in/invoice/")), "true true")
		w.clock.Pass(3 * 24 * time.Hour) // the books balance later too, without a ticket

		_, err := p.start("")
		expectProblem(t, err, admission.Conflict, "", enrol.AlreadyPaid)
		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		p.expectState(p.txn, paymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepPaid, Invoices: 1, Mails: "receipt-application, refunded", Timeline: timelineWith("payment started", "payment failed", "payment started", "paid", "refunded")})
		equal(t, "the refund's mail knows that it is an application", w.post.to(p.email)[1].Params["Application"], "yes")
		p.expectStep(enrol.StepUnverified)
		again, err := w.Apply.Begin(w.ctx, p.Visitor, "", "")
		w.must(err)
		equal(t, "a new one may begin", again.Registration.ID != p.registration && again.Step == enrol.StepVerified, true)
	})
}

func TestLatePaymentOfApplication(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPaying)
		late := p.txn
		w.sandbox.press(late, sandbox.LateExpired)
		w.advance(31 * time.Minute)
		p.expectState(late, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Mails: "payment-missing", Timeline: timelineWith("payment started", "payment expired")})
		w.advance(time.Hour)
		p.expectState(late, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: "payment-missing, receipt-application", Timeline: timelineWith("payment started", "payment expired", "paid")})
	})
}

func TestFreeApplicationIsPaidAtOnce(t *testing.T) {
	for name, free := range map[string]func(*person){
		"by its fee": func(p *person) { p.catalogue[2].Fee, p.catalogue[2].ListFee = admission.INR(0), admission.INR(0) },
		"by a coupon": func(p *person) {
			p.coupon(enrol.Coupon{Code: "FULLAPPLY", EventCode: enrol.ApplicationCode, Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}})
			p.must(p.database.Update(p.ctx, func(tx store.Tx) error {
				r, err := tx.RegistrationForUpdate(p.registration)
				if err != nil {
					return err
				}
				r.CouponCode = "FULLAPPLY"
				return tx.SaveRegistration(r)
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.applicantAt(enrol.StepAgreed)
				free(p)
				equal(t, "gateway", p.mustStart("").Gateway, "none")
				got := p.state(p.txn)
				got.Coupon = ""
				if want := (paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Mails: "receipt-application", Timeline: timelineWith("paid")}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
				equal(t, "the receipt says that it was free", w.post.to(p.email)[0].Params["Free"], "yes")
			})
		})
	}
}

// withReminderConsent returns an applicant at a step who consents to reminders.
func (w *world) withReminderConsent(step enrol.Step) *person {
	w.t.Helper()
	p := w.somebody()
	p.signUp(p.email)
	standing, err := w.Apply.Begin(w.ctx, p.Visitor, "", "reminders")
	w.must(err)
	p.registration = standing.Registration.ID
	if step >= enrol.StepPersonal {
		_, err = p.saveStep("personal", nil)
		w.must(err)
	}
	return p
}

// reminders returns the next steps named in the person's reminders, latest last.
func (p *person) reminders() string {
	p.t.Helper()
	p.runJobs()
	var all []string
	for _, m := range p.post.to(p.email) {
		if m.Template == "application-reminder" {
			all = append(all, m.Params["Next"]+m.Params["Last"])
		}
	}
	return strings.Join(all, ", ")
}

func TestApplicationIsRemindedThreeTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, silent := w.withReminderConsent(enrol.StepPersonal), w.applicantAt(enrol.StepPersonal)
		for _, row := range []struct {
			pass time.Duration
			want string
		}{
			{23 * time.Hour, ""}, {time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info, Academic Info"},
			{4*24*time.Hour - time.Second, "Academic Info, Academic Info"}, {time.Second, "Academic Info, Academic Info, Academic Infoyes"},
			{60 * 24 * time.Hour, "Academic Info, Academic Info, Academic Infoyes"},
		} {
			w.advance(row.pass)
			equal(t, "reminders after "+row.pass.String(), p.reminders(), row.want)
		}
		equal(t, "the link", w.post.to(p.email)[0].Params["ContinueURL"], "https://www.example.in/hiresure/form")
		equal(t, "without the consent", silent.mails(), "")
		equal(t, "jobs that wait", w.count("jobs WHERE kind = 'application-remind'"), 0)
		_, err := p.saveStep("academic", nil)
		w.must(err)
		w.advance(30 * 24 * time.Hour)
		equal(t, "there is no fourth", p.reminders(), "Academic Info, Academic Info, Academic Infoyes")
	})
}

func TestRemindersStop(t *testing.T) {
	for name, row := range map[string]struct {
		do   func(*person)
		want string // a day and a half later
	}{
		"a saved step begins the day anew":  {func(p *person) { p.must(second(p.saveStep("academic", nil))) }, ""},
		"so does what is typed":             {func(p *person) { p.must(p.saveDraft("academic")) }, ""},
		"a consent that is taken back ends": {func(p *person) { p.withdrawReminders() }, ""},
		"nothing happens":                   {func(*person) {}, "Academic Info"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.withReminderConsent(enrol.StepPersonal)
				w.advance(23 * time.Hour)
				row.do(p)
				w.advance(13 * time.Hour)
				equal(t, "reminders", p.reminders(), row.want)
			})
		})
	}
	t.Run("who has paid is not reminded", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			p := w.withReminderConsent(enrol.StepPersonal)
			for _, step := range []string{"academic", "scholarship"} {
				w.must(second(p.saveStep(step, nil)))
			}
			w.must(second(p.agreeTerms("reminders")))
			p.mustStart("")
			p.returnWith(sandbox.Paid)
			w.advance(30 * 24 * time.Hour)
			equal(t, "reminders", p.reminders(), "")
			equal(t, "jobs that wait", w.count("jobs WHERE kind = 'application-remind'"), 0)
		})
	})
}

func second[T any](_ T, err error) error { return err }

// withdrawReminders withdraws the consent to reminders.
func (p *person) withdrawReminders() {
	p.t.Helper()
	p.must(p.database.Update(p.ctx, func(tx store.Tx) error {
		return p.Apply.Consents.Revise(tx, p.Visitor, "+91"+p.phone, p.registration, "")
	}))
}

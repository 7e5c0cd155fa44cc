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

// timelineWith is what an application's timeline holds beside what brings it to the payment, by name.
func timelineWith(more ...string) string {
	all := append(strings.Split(uptoTerms, ", "), more...)
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestAnApplicationIsPaidAsAnEnrolmentIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applied(enrol.StepAgreed)
		started := p.starts("")
		equal(t, "what is paid for", started.Payer.Description+" "+started.Charge.String(), "Application fee – HireSure Scholarship ₹2,500.00")
		equal(t, "the State of the invoice", started.Payer.StateCode, "29")
		p.stand(p.txn, at{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: timelineWith("payment started")})
		p.returns(sandbox.Failed)
		p.stand(p.txn, at{State: payment.Failed, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Timeline: timelineWith("payment started", "payment failed")})
		p.starts("")
		p.returns(sandbox.Paid)
		p.stand(p.txn, at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: "receipt-application", Timeline: timelineWith("payment started", "payment failed", "payment started", "paid")})
		r := p.application()
		equal(t, "ticket and referral code", r.Ticket+r.TicketKey+r.OwnReferral, "")
		w.must(w.Receipts.IssueTickets(w.ctx))
		equal(t, "the tickets' job gives it none", p.application().Ticket, "")
		mail := w.post.to(p.email)[0].Params
		equal(t, "the receipt says", mail["For"]+", "+mail["Amount"]+", "+mail["Free"]+mail["Ticket"], "the check of your application, ₹2,500.00, ")
		equal(t, "its links", fmt.Sprint(strings.HasPrefix(mail["ReceiptURL"], "https://www.example.in/receipt/"), strings.HasPrefix(mail["InvoiceURL"], "https://www.example.in/invoice/")), "true true")
		w.clock.Pass(3 * 24 * time.Hour) // the books balance later too, without a ticket

		_, err := p.start("")
		refused(t, err, admission.Conflict, "", enrol.AlreadyPaid)
		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		p.stand(p.txn, at{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepPaid, Invoices: 1, Mails: "receipt-application, refunded", Timeline: timelineWith("payment started", "payment failed", "payment started", "paid", "refunded")})
		equal(t, "the refund's mail knows that it is an application", w.post.to(p.email)[1].Params["Application"], "yes")
		p.standsAt(enrol.StepUnverified)
		again, err := w.Apply.Begin(w.ctx, p.Visitor, "", "")
		w.must(err)
		equal(t, "a new one may begin", again.Registration.ID != p.registration && again.Step == enrol.StepVerified, true)
	})
}

func TestALatePaymentOfAnApplicationCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applied(enrol.StepPaying)
		late := p.txn
		w.sandbox.press(late, sandbox.LateExpired)
		w.pass(31 * time.Minute)
		p.stand(late, at{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Mails: "payment-missing", Timeline: timelineWith("payment started", "payment expired")})
		w.pass(time.Hour)
		p.stand(late, at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Invoices: 1, Mails: "payment-missing, receipt-application", Timeline: timelineWith("payment started", "payment expired", "paid")})
	})
}

func TestAnApplicationThatCostsNothingIsPaidAtOnce(t *testing.T) {
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
				p := w.applied(enrol.StepAgreed)
				free(p)
				equal(t, "gateway", p.starts("").Gateway, "none")
				got := p.stands(p.txn)
				got.Coupon = ""
				if want := (at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepPaid, Mails: "receipt-application", Timeline: timelineWith("paid")}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
				equal(t, "the receipt says that it was free", w.post.to(p.email)[0].Params["Free"], "yes")
			})
		})
	}
}

// remindable has begun with the consent to reminders, and come as far as a step.
func (w *world) remindable(step enrol.Step) *person {
	w.t.Helper()
	p := w.somebody()
	p.signsUp(p.email)
	standing, err := w.Apply.Begin(w.ctx, p.Visitor, "", "reminders")
	w.must(err)
	p.registration = standing.Registration.ID
	if step >= enrol.StepPersonal {
		_, err = p.saves("personal", nil)
		w.must(err)
	}
	return p
}

// reminders are what the person was reminded of next, the latest last.
func (p *person) reminders() string {
	p.t.Helper()
	p.work()
	var all []string
	for _, m := range p.post.to(p.email) {
		if m.Template == "application-reminder" {
			all = append(all, m.Params["Next"]+m.Params["Last"])
		}
	}
	return strings.Join(all, ", ")
}

func TestAnApplicationThatStandsStillIsRemindedThreeTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, silent := w.remindable(enrol.StepPersonal), w.applied(enrol.StepPersonal)
		for _, row := range []struct {
			pass time.Duration
			want string
		}{
			{23 * time.Hour, ""}, {time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info, Academic Info"},
			{4*24*time.Hour - time.Second, "Academic Info, Academic Info"}, {time.Second, "Academic Info, Academic Info, Academic Infoyes"},
			{60 * 24 * time.Hour, "Academic Info, Academic Info, Academic Infoyes"},
		} {
			w.pass(row.pass)
			equal(t, "reminders after "+row.pass.String(), p.reminders(), row.want)
		}
		equal(t, "the link", w.post.to(p.email)[0].Params["ContinueURL"], "https://www.example.in/hiresure/form")
		equal(t, "without the consent", silent.mails(), "")
		equal(t, "jobs that wait", w.count("jobs WHERE kind = 'application-remind'"), 0)
		_, err := p.saves("academic", nil)
		w.must(err)
		w.pass(30 * 24 * time.Hour)
		equal(t, "there is no fourth", p.reminders(), "Academic Info, Academic Info, Academic Infoyes")
	})
}

func TestRemindersStopByThemselves(t *testing.T) {
	for name, row := range map[string]struct {
		do   func(*person)
		want string // a day and a half later
	}{
		"a saved step begins the day anew":  {func(p *person) { p.must(second(p.saves("academic", nil))) }, ""},
		"so does what is typed":             {func(p *person) { p.must(p.types("academic")) }, ""},
		"a consent that is taken back ends": {func(p *person) { p.takesBack() }, ""},
		"nothing happens":                   {func(*person) {}, "Academic Info"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.remindable(enrol.StepPersonal)
				w.pass(23 * time.Hour)
				row.do(p)
				w.pass(13 * time.Hour)
				equal(t, "reminders", p.reminders(), row.want)
			})
		})
	}
	t.Run("who has paid is not reminded", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			p := w.remindable(enrol.StepPersonal)
			for _, step := range []string{"academic", "scholarship"} {
				w.must(second(p.saves(step, nil)))
			}
			w.must(second(p.agrees("reminders")))
			p.starts("")
			p.returns(sandbox.Paid)
			w.pass(30 * 24 * time.Hour)
			equal(t, "reminders", p.reminders(), "")
			equal(t, "jobs that wait", w.count("jobs WHERE kind = 'application-remind'"), 0)
		})
	})
}

func second[T any](_ T, err error) error { return err }

// takesBack withdraws the consent to reminders.
func (p *person) takesBack() {
	p.t.Helper()
	p.must(p.database.Update(p.ctx, func(tx store.Tx) error {
		return p.Apply.Consents.Revise(tx, p.Visitor, "+91"+p.phone, p.registration, "")
	}))
}

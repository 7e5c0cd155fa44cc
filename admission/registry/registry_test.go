package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/content"
	"hiresure/integrations/payment/sandbox"
	"hiresure/pages"
	"hiresure/pages/hiresure"
	"hiresure/store"
)

// ownRegistration returns the person's only registration.
func ownRegistration(p *businesstest.Person) registry.Detail {
	p.T.Helper()
	detail, err := p.Registry.Detail(p.Ctx, p.Visitor, p.RegistrationID)
	p.Must(err)
	return detail
}

// library returns the content.
func library(w *businesstest.World) *content.Library {
	w.T.Helper()
	library, err := businesstest.Content()
	w.Must(err)
	return library
}

// statusTexts returns a registration's status in words.
func statusTexts(w *businesstest.World, item registry.Item) pages.Standing {
	return pages.StandingOf(library(w), item.Facts, item.Status, item.Documents, w.Clock.Now())
}

func timelineOf(w *businesstest.World, detail registry.Detail) []hiresure.Moment {
	return hiresure.Timeline(library(w), detail, w.Clock.Now())
}

// badgeOf returns a status badge's text and style.
func badgeOf(r enrol.Registration) string {
	return r.Status() + ", " + pages.BadgeLook(r.Fact().Badge)
}

// timelineText formats a timeline: past | next | later.
func timelineText(moments []hiresure.Moment) string {
	var lines []string
	for _, m := range moments {
		line := string(m.State) + ": " + m.Title
		if m.Text != "" {
			line += " (" + m.Text + ")"
		}
		if m.Assignee != "" {
			line += ", " + pages.AssigneeClass(m.Assignee)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// withDays sets an exam and two days of the first event.
func withDays(w *businesstest.World) {
	w.Catalogue = slices.Clone(w.Catalogue)
	event := &w.Catalogue[0]
	event.Exam, event.HourBy = businesstest.Noon.AddDate(0, 3, 0), businesstest.Noon.AddDate(0, 2, 0)
	event.Days = []admission.Day{{What: "Scholarship exam", On: event.Exam, Brief: "Online"}, {What: "Results", On: event.Exam.AddDate(0, 0, 8), Brief: "By e-mail"}}
}

func TestTimelineOfLateEnrolment(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		withDays(w)
		event := &w.Catalogue[0]
		event.Days = append([]admission.Day{{What: "Mock test", On: businesstest.Noon.AddDate(0, 0, -3), Brief: "One hour", Late: "before the exam"}}, event.Days...)
		late := w.Enrolled(nil).PayLater(sandbox.Paid)
		timeline := timelineOf(w, ownRegistration(late))
		mock := timeline[slices.IndexFunc(timeline, func(m hiresure.Moment) bool { return m.Title == "Mock test" })]
		businesstest.Equal(t, "the mock test", mock.When+", "+mock.Text, "Any day before the exam, One hour")
		event.Days[0].On = businesstest.Noon.AddDate(0, 0, 3) // who paid before it had it then
		w.Clock.Pass(5 * 24 * time.Hour)
		businesstest.Equal(t, "over", slices.ContainsFunc(timelineOf(w, ownRegistration(late)), func(m hiresure.Moment) bool { return m.Title == "Mock test" }), false)
	})
}

func TestRegistrationStatus(t *testing.T) {
	const enrolled, ticket = "done: Number Verified (With a code by SMS)", "ahead: Your ticket (It comes by e-mail)"
	const days = "ahead: Scholarship exam (Online)\nahead: Results (By e-mail)"
	exam := "Exam on " + businesstest.Noon.AddDate(0, 3, 0).In(admission.IST).Format("Monday, 2 January 2006") + "."
	for _, row := range []struct {
		sentence string
		comes    func(w *businesstest.World) *businesstest.Person
		badge    string
		action   status.Action
		turn     status.Assignee
		title    string
		line     string
		way      string
	}{
		{
			"who has not tried to pay", func(w *businesstest.World) *businesstest.Person { return w.Enrolled(nil).SignedIn() }, "Number Verified, open", status.CompleteForm, status.Person,
			"Pay the fee", "Your details are saved.",
			enrolled + "\nnow: Pay the fee (By 10 Mar 2027), you\n" + ticket + ", us",
		},
		{
			"an attempt is open", func(w *businesstest.World) *businesstest.Person { return w.Enrolled(nil).PayLater("") }, "Payment Initiated, waiting", status.PayNow, status.Staff,
			"Payment not finished", "Paid already? Do not pay again: we ask your bank and e-mail you.",
			enrolled + "\nnow: Payment not finished (Paid already? Do not pay again: we ask your bank), us\n" + ticket,
		},
		{
			"it failed", func(w *businesstest.World) *businesstest.Person { return w.Enrolled(nil).PayLater(sandbox.Failed) }, "Payment Failed, failed", status.PayNow, status.Person,
			"Pay the fee again", "Only the fee is missing. Your details are saved.",
			enrolled + "\nfailed: Payment failed (₹1,499.00 did not go through. Any amount deducted will be refunded in 3-4 business days)\nnow: Pay the fee (By 10 Mar 2027), you\n" + ticket + ", us",
		},
		{
			"it failed, and enrolment is over", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Failed)
				w.Catalogue[0].ClosesAt = w.Clock.Now()
				return p
			}, "Payment Failed, failed", "", status.Nobody,
			"Enrolment is closed", "Enrolment for this programme closed on 21 Nov 2026.",
			enrolled + "\nfailed: Payment failed (₹1,499.00 did not go through. Any amount deducted will be refunded in 3-4 business days)",
		},
		{
			"a payment is looked at", func(w *businesstest.World) *businesstest.Person { return w.Enrolled(nil).PayLater(sandbox.WrongAmount) }, "Payment Initiated, waiting", "", status.Staff,
			"We are checking your payment", "Do not pay again. We e-mail you as soon as we know more.",
			enrolled + "\ndone: We are checking your payment (It was not the amount of the fee)\nnow: We are checking your payment (Do not pay again), us\nahead: You hear from us (By e-mail)",
		},
		{
			"what was looked at was sent back", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.WrongAmount)
				w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "staff"}))
				p.State(p.TxnID)
				return p
			}, "Payment Failed, failed", status.PayNow, status.Person,
			"Your payment was refunded", "₹1,498.99 was not the fee. We refunded it to the account you paid from.",
			enrolled + "\ndone: We are checking your payment (It was not the amount of the fee)\ndone: Refund of ₹1,498.99 sent (To the account you paid from)\nnow: Pay the fee (By 10 Mar 2027), you\n" + ticket + ", us",
		},
		{
			"who has paid", func(w *businesstest.World) *businesstest.Person { return w.Enrolled(nil).PayLater(sandbox.Paid) }, "Completed, done", status.DownloadInvoice, status.Staff,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\nnow: We confirm the start time (By " + admission.Date(businesstest.Noon.AddDate(0, 2, 0)) + "), us\n" + days,
		},
		{
			"it failed, and was paid late", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Late)
				w.Clock.Pass(10 * time.Minute)
				p.State(p.TxnID)
				return p
			}, "Completed, done", status.DownloadInvoice, status.Staff,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\nfailed: Payment failed (Your bank confirmed it later)\ndone: ₹1,499.00 paid (Your ticket is issued)\nnow: We confirm the start time (By " + admission.Date(businesstest.Noon.AddDate(0, 2, 0)) + "), us\n" + days,
		},
		{
			"who had nothing to pay", func(w *businesstest.World) *businesstest.Person {
				return w.Enrolled(businesstest.Fields{"coupon_code": "FULLSEAT"}).PayLater("")
			}, "Completed, done", "", status.Staff,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\ndone: Nothing to pay (Your ticket is issued)\nnow: We confirm the start time (By " + admission.Date(businesstest.Noon.AddDate(0, 2, 0)) + "), us\n" + days,
		},
		{
			"all days are over", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Paid)
				w.Catalogue[0].Days = w.Catalogue[0].Days[:0]
				return p
			}, "Completed, done", status.DownloadInvoice, status.Nobody,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)",
		},
		{
			"the fee was sent back", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Paid)
				p.RefundAll()
				return p
			}, "Refunded, refunded", status.DownloadInvoice, status.Staff,
			"Refund sent", "We refunded ₹1,499.00. It should arrive by Tuesday, 1 December, in the account you paid from.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: Refund of ₹1,499.00 sent (To the account you paid from)\nnow: Your fee should arrive (On the account you paid from), us",
		},
		{
			"the fee has arrived", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Paid)
				p.RefundAll()
				w.Clock.Pass(15 * 24 * time.Hour)
				return p
			}, "Refunded, refunded", status.DownloadInvoice, status.Nobody,
			"Your fee was refunded", "₹1,499.00 went to the account you paid from.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: Refund of ₹1,499.00 sent (To the account you paid from)",
		},
		{
			"a part was sent back, then the rest", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Paid)
				w.Sandbox.EventAfterPayment(p.TxnID, sandbox.PartRefundedThere)
				w.RunJobs()
				p.RefundAll()
				return p
			}, "Refunded, refunded", status.DownloadInvoice, status.Staff,
			"Refund sent", "We refunded ₹1,499.00. It should arrive by Tuesday, 1 December, in the account you paid from.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: Part of your fee refunded (To the account you paid from)\ndone: Rest of your fee refunded (To the account you paid from)\nnow: Your fee should arrive (On the account you paid from), us",
		},
		{
			"the payer's bank took it back in a dispute", func(w *businesstest.World) *businesstest.Person {
				p := w.Enrolled(nil).PayLater(sandbox.Paid)
				w.AfterPayment(p.TxnID, sandbox.DisputeOpens, sandbox.DisputeLost)
				return p
			}, "Refunded, refunded", status.DownloadInvoice, status.Nobody,
			"Your bank took back your fee", "You had disputed this payment, and the bank decided for you.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: Your bank took back your fee (You had disputed this payment)",
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				withDays(w)
				p := row.comes(w)
				detail := ownRegistration(p)
				businesstest.Equal(t, "badge", badgeOf(detail.Registration), row.badge)
				businesstest.Equal(t, "action", detail.Action, row.action)
				businesstest.Equal(t, "turn", detail.Assignee, row.turn)
				businesstest.Equal(t, "title", statusTexts(w, detail.Item).Title(), row.title)
				if !strings.HasPrefix(statusTexts(w, detail.Item).ListLine(), row.line) || !strings.Contains(row.line, "HS26-") && statusTexts(w, detail.Item).ListLine() != row.line {
					t.Errorf("line %q, want %q", statusTexts(w, detail.Item).ListLine(), row.line)
				}
				if got := timelineText(timelineOf(w, detail)); got != row.way {
					t.Errorf("timeline:\n%s\nwant\n%s", got, row.way)
				}
				_, err := w.Database.RenewEveryPhase(w.Ctx, "") // the test has changed the content
				w.Must(err)
				list, err := w.Registry.List(w.Ctx, p.Visitor, "", 10)
				w.Must(err)
				businesstest.Equal(t, "rows of the list", len(list.Items), 1)
				businesstest.Equal(t, "the list's standing is the detail's", list.Items[0].Status, detail.Status)
				businesstest.Equal(t, "all", list.All, 1)
				businesstest.Equal(t, "waiting for the person", list.Waiting == 1, row.turn == status.Person)
				if row.title == "We are checking your payment" { // so that the books are even in the end
					w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "staff"}))
				}
			})
		})
	}
}

// auditRecorder records denied access.
type auditRecorder struct{ denied []string }

func (l *auditRecorder) Denied(id string) { l.denied = append(l.denied, id) }

func TestRegistrationOfAnotherPersonIsNotFound(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		owner, other := w.Enrolled(nil).PayLater(sandbox.Paid), w.Somebody().SignedIn()
		for _, row := range []struct {
			sentence string
			visitor  *businesstest.Person
			id       string
			denied   []string
		}{
			{"another account's", other, owner.RegistrationID, []string{owner.RegistrationID}},
			{"one that nobody has", other, strings.Repeat("0", len(owner.RegistrationID)), []string{strings.Repeat("0", len(owner.RegistrationID))}},
			{"what is no id", other, "../" + owner.RegistrationID, nil},
			{"the own one of a browser that is not signed in", w.Somebody(), owner.RegistrationID, []string{owner.RegistrationID}},
		} {
			audit := &auditRecorder{}
			v := row.visitor.Visitor
			v.Audit = audit
			_, err := w.Registry.Detail(w.Ctx, v, row.id)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
			businesstest.Same(t, row.sentence+": the audit", audit.denied, row.denied)
			list, err := w.Registry.List(w.Ctx, v, "", 10)
			w.Must(err)
			businesstest.Equal(t, row.sentence+": rows of the list", len(list.Items)+list.All, 0)
			page, err := w.Registry.Page(w.Ctx, v, 10, 1)
			w.Must(err)
			businesstest.Equal(t, row.sentence+": rows of a page", len(page), 0)
		}
		audit := &auditRecorder{}
		owner.Visitor.Audit = audit
		businesstest.Equal(t, "the owner's", ownRegistration(owner).Registration.ID, owner.RegistrationID)
		businesstest.Same(t, "the audit", audit.denied, nil)
	})
}

func TestListPages(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Somebody().SignedIn(), w.Somebody().SignedIn()
		var want []string
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			want = nil
			for i := range 25 { // each five were changed at the same moment
				at := businesstest.Noon.Add(time.Duration(i/5) * time.Second)
				r := enrol.Registration{ID: fmt.Sprintf("%032x", i), EventCode: fmt.Sprintf("old%d", i), Phone: "+91" + p.Phone, AccountID: p.AccountID, Step: enrol.StepUnpaid, CreatedAt: at, ModifiedAt: at, TermsAt: at}
				if err := tx.AddRegistration(&r); err != nil {
					return err
				}
				want = append(want, r.ID)
			}
			return nil
		}))
		slices.Reverse(want)
		var got []string
		cursor, pages := "", 0
		for {
			list, err := w.Registry.List(w.Ctx, p.Visitor, cursor, 10)
			w.Must(err)
			businesstest.Equal(t, "all", list.All, 25)
			businesstest.Equal(t, "waiting", list.Waiting, 25)
			for _, item := range list.Items {
				got = append(got, item.Registration.ID)
			}
			pages++
			if cursor = list.Next; cursor == "" {
				break
			}
			_, err = w.Registry.List(w.Ctx, other.Visitor, cursor, 10)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "This page of the list does not exist.")
		}
		businesstest.Same(t, "registrations", got, want)
		businesstest.Equal(t, "pages", pages, 3)

		got = nil
		for page := 1; page <= 4; page++ {
			items, err := w.Registry.Page(w.Ctx, p.Visitor, 10, page)
			w.Must(err)
			for _, item := range items {
				got = append(got, item.Registration.ID)
			}
		}
		businesstest.Same(t, "registrations by page numbers", got, want)
	})
}

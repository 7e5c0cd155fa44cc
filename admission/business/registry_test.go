package business_test

import (
	"fmt"
	"hiresure/admission/status"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/hiresure"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

// signedIn signs the person in to a new account, which owns the phone's enrolments.
func (p *person) signedIn() *person {
	p.t.Helper()
	p.clock.Pass(time.Minute) // the next code
	p.signUp(p.email)
	return p
}

// payAfterAWhile starts a payment a while after enrolling and presses a button on the provider's page, "" for none.
func (p *person) payAfterAWhile(outcome sandbox.Outcome) *person {
	p.t.Helper()
	p.clock.Pass(time.Minute)
	p.mustStart("")
	if outcome != "" {
		p.returnWith(outcome)
	}
	return p.signedIn()
}

// ownRegistration returns the person's only registration.
func (p *person) ownRegistration() registry.Detail {
	p.t.Helper()
	detail, err := p.Registry.Detail(p.ctx, p.Visitor, p.registration)
	p.must(err)
	return detail
}

// library returns the content.
func (w *world) library() *content.Library {
	w.t.Helper()
	library, err := words()
	w.must(err)
	return library
}

// statusTexts returns a registration's status in words.
func (w *world) statusTexts(item registry.Item) pages.Standing {
	return pages.StandingOf(w.library(), item.Facts, item.Status, item.Documents, w.clock.Now())
}

func (w *world) timeline(detail registry.Detail) []hiresure.Moment {
	return hiresure.Timeline(w.library(), detail, w.clock.Now())
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
func (w *world) withDays() {
	w.catalogue = slices.Clone(w.catalogue)
	event := &w.catalogue[0]
	event.Exam, event.HourBy = noon.AddDate(0, 3, 0), noon.AddDate(0, 2, 0)
	event.Days = []admission.Day{{What: "Scholarship exam", On: event.Exam, Brief: "Online"}, {What: "Results", On: event.Exam.AddDate(0, 0, 8), Brief: "By e-mail"}}
}

func TestTimelineOfLateEnrolment(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.withDays()
		event := &w.catalogue[0]
		event.Days = append([]admission.Day{{What: "Mock test", On: noon.AddDate(0, 0, -3), Brief: "One hour", Late: "before the exam"}}, event.Days...)
		late := w.enrolled(nil).payAfterAWhile(sandbox.Paid)
		timeline := w.timeline(late.ownRegistration())
		mock := timeline[slices.IndexFunc(timeline, func(m hiresure.Moment) bool { return m.Title == "Mock test" })]
		equal(t, "the mock test", mock.When+", "+mock.Text, "Any day before the exam, One hour")
		event.Days[0].On = noon.AddDate(0, 0, 3) // who paid before it had it then
		w.clock.Pass(5 * 24 * time.Hour)
		equal(t, "over", slices.ContainsFunc(w.timeline(late.ownRegistration()), func(m hiresure.Moment) bool { return m.Title == "Mock test" }), false)
	})
}

func TestRegistrationStatus(t *testing.T) {
	const enrolled, ticket = "done: Number Verified (By code to +91 98000 00001)", "ahead: Your ticket (It comes by e-mail), us"
	const days = "ahead: Scholarship exam (Online)\nahead: Results (By e-mail)"
	exam := "Exam on " + noon.AddDate(0, 3, 0).In(admission.IST).Format("Monday, 2 January 2006") + "."
	for _, row := range []struct {
		sentence string
		comes    func(w *world) *person
		badge    string
		action   status.Action
		turn     status.Assignee
		title    string
		line     string
		way      string
	}{
		{
			"who has not tried to pay", func(w *world) *person { return w.enrolled(nil).signedIn() }, "Number Verified, open", status.CompleteForm, status.Person,
			"One step is left", "Your details are kept. Enrolment closes on 10 Mar 2027.",
			enrolled + "\nnow: Pay the fee (By 10 Mar 2027), you\n" + ticket,
		},
		{
			"an attempt is open", func(w *world) *person { return w.enrolled(nil).payAfterAWhile("") }, "Payment Initiated, wait", status.PayNow, status.Person,
			"Your payment is still open", "₹1,499.00 is open until 12:31. If you have paid already, wait a moment: we ask your bank.",
			enrolled + "\nnow: Pay ₹1,499.00 (Open until 12:31), you\n" + ticket,
		},
		{
			"it failed", func(w *world) *person { return w.enrolled(nil).payAfterAWhile(sandbox.Failed) }, "Payment Failed, failed", status.PayNow, status.Person,
			"Your payment did not go through", "₹1,499.00 did not go through. Look in your bank or UPI app first: money that was taken comes back by itself. " + exam,
			enrolled + "\nfailed: Payment failed (₹1,499.00 did not go through. If it was deducted, it comes back in 3-4 business days)\nnow: Pay the fee (By 10 Mar 2027), you\n" + ticket,
		},
		{
			"it failed, and enrolment is over", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.Failed)
				w.catalogue[0].ClosesAt = w.clock.Now()
				return p
			}, "Payment Failed, failed", "", status.Nobody,
			"Enrolment is closed", "Enrolment for this programme closed on 21 Nov 2026.",
			enrolled + "\nfailed: Payment failed (₹1,499.00 did not go through. If it was deducted, it comes back in 3-4 business days)",
		},
		{
			"a payment is looked at", func(w *world) *person { return w.enrolled(nil).payAfterAWhile(sandbox.WrongAmount) }, "Payment Initiated, wait", "", status.Staff,
			"We check your payment", "Your payment is being checked. We write to you as soon as we know more.",
			enrolled + "\ndone: We check your payment (₹1,499.00 came otherwise than asked for)\nnow: We check your payment (Do not pay again), us\nahead: You hear from us (By e-mail), us",
		},
		{
			"what was looked at was sent back", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.WrongAmount)
				w.must(w.Payment.OrderRefund(w.ctx, p.txn, "staff"))
				p.state(p.txn)
				return p
			}, "Payment Failed, failed", status.PayNow, status.Person,
			"Your payment was sent back", "₹1,498.99 came otherwise than asked for, and goes back to where it came from. " + exam,
			enrolled + "\ndone: We check your payment (₹1,499.00 came otherwise than asked for)\ndone: ₹1,498.99 was sent back (To where it came from)\nnow: Pay the fee (By 10 Mar 2027), you\n" + ticket,
		},
		{
			"who has paid", func(w *world) *person { return w.enrolled(nil).payAfterAWhile(sandbox.Paid) }, "Completed, done", status.DownloadInvoice, status.Staff,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\nnow: We confirm the start time (By " + admission.Date(noon.AddDate(0, 2, 0)) + "), us\n" + days,
		},
		{
			"it failed, and was paid late", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.Late)
				w.clock.Pass(10 * time.Minute)
				p.state(p.txn)
				return p
			}, "Completed, done", status.DownloadInvoice, status.Staff,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\nfailed: Payment failed (Your bank confirmed it later)\ndone: ₹1,499.00 paid (Your ticket is issued)\nnow: We confirm the start time (By " + admission.Date(noon.AddDate(0, 2, 0)) + "), us\n" + days,
		},
		{
			"who had nothing to pay", func(w *world) *person { return w.enrolled(fields{"coupon_code": "FULLSEAT"}).payAfterAWhile("") }, "Completed, done", "", status.Staff,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\ndone: Nothing to pay (Your ticket is issued)\nnow: We confirm the start time (By " + admission.Date(noon.AddDate(0, 2, 0)) + "), us\n" + days,
		},
		{
			"all days are over", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.Paid)
				w.catalogue[0].Days = w.catalogue[0].Days[:0]
				return p
			}, "Completed, done", status.DownloadInvoice, status.Nobody,
			"You are enrolled", exam + " Ticket HS26-", enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)",
		},
		{
			"the fee was sent back", func(w *world) *person { p := w.enrolled(nil).payAfterAWhile(sandbox.Paid); p.refundAll(); return p }, "Refunded, back", status.DownloadInvoice, status.Staff,
			"Your fee is on its way back", "₹1,499.00 goes back to where it came from. It arrives within 7 business days.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: ₹1,499.00 was sent back (To where it came from)\nnow: Your fee arrives (Where it came from), us",
		},
		{
			"the fee has arrived", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.Paid)
				p.refundAll()
				w.clock.Pass(15 * 24 * time.Hour)
				return p
			}, "Refunded, back", status.DownloadInvoice, status.Nobody,
			"Your fee went back", "₹1,499.00 went back to where it came from.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: ₹1,499.00 was sent back (To where it came from)",
		},
		{
			"a part was sent back, then the rest", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.Paid)
				w.sandbox.eventAfterPayment(p.txn, sandbox.PartRefundedThere)
				w.runJobs()
				p.refundAll()
				return p
			}, "Refunded, back", status.DownloadInvoice, status.Staff,
			"Your fee is on its way back", "₹1,499.00 goes back to where it came from. It arrives within 7 business days.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: A part of your fee was sent back (To where it came from)\ndone: The rest of your fee was sent back (To where it came from)\nnow: Your fee arrives (Where it came from), us",
		},
		{
			"the payer's bank took it back in a dispute", func(w *world) *person {
				p := w.enrolled(nil).payAfterAWhile(sandbox.Paid)
				w.moreEvents(p.txn, sandbox.DisputeOpens, sandbox.DisputeLost)
				return p
			}, "Refunded, back", status.DownloadInvoice, status.Nobody,
			"Your fee went back to your bank", "You had disputed this payment, and your bank has taken it back from us.",
			enrolled + "\ndone: ₹1,499.00 paid (Your ticket is issued)\ndone: Your bank took your fee back (You had disputed this payment)",
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.withDays()
				p := row.comes(w)
				detail := p.ownRegistration()
				equal(t, "badge", badgeOf(detail.Registration), row.badge)
				equal(t, "action", detail.Action, row.action)
				equal(t, "turn", detail.Assignee, row.turn)
				equal(t, "title", w.statusTexts(detail.Item).Title(), row.title)
				if !strings.HasPrefix(w.statusTexts(detail.Item).Line(), row.line) || !strings.Contains(row.line, "HS26-") && w.statusTexts(detail.Item).Line() != row.line {
					t.Errorf("line %q, want %q", w.statusTexts(detail.Item).Line(), row.line)
				}
				if got := timelineText(w.timeline(detail)); got != row.way {
					t.Errorf("timeline:\n%s\nwant\n%s", got, row.way)
				}
				_, err := w.database.RenewEveryPhase(w.ctx, "") // the test has changed the content
				w.must(err)
				list, err := w.Registry.List(w.ctx, p.Visitor, "", 10)
				w.must(err)
				equal(t, "rows of the list", len(list.Items), 1)
				equal(t, "the list's standing is the detail's", list.Items[0].Status, detail.Status)
				equal(t, "all", list.All, 1)
				equal(t, "waiting for the person", list.Waiting == 1, row.turn == status.Person)
				if row.title == "We check your payment" { // so that the books are even in the end
					w.must(w.Payment.OrderRefund(w.ctx, p.txn, "staff"))
				}
			})
		})
	}
}

// refundAll refunds the whole fee at the provider.
func (p *person) refundAll() {
	p.t.Helper()
	p.clock.Pass(time.Minute)
	p.sandbox.eventAfterPayment(p.txn, sandbox.RefundedThere)
	p.runJobs()
}

// auditRecorder records denied access.
type auditRecorder struct{ denied []string }

func (l *auditRecorder) Denied(id string) { l.denied = append(l.denied, id) }

func TestRegistrationOfAnotherPersonIsNotFound(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		owner, other := w.enrolled(nil).payAfterAWhile(sandbox.Paid), w.somebody().signedIn()
		for _, row := range []struct {
			sentence string
			visitor  *person
			id       string
			denied   []string
		}{
			{"another account's", other, owner.registration, []string{owner.registration}},
			{"one that nobody has", other, strings.Repeat("0", len(owner.registration)), []string{strings.Repeat("0", len(owner.registration))}},
			{"what is no id", other, "../" + owner.registration, nil},
			{"the own one of a browser that is not signed in", w.somebody(), owner.registration, []string{owner.registration}},
		} {
			audit := &auditRecorder{}
			v := row.visitor.Visitor
			v.Audit = audit
			_, err := w.Registry.Detail(w.ctx, v, row.id)
			expectProblem(t, err, admission.NotFound, "", "Registration not found.")
			same(t, row.sentence+": the audit", audit.denied, row.denied)
			list, err := w.Registry.List(w.ctx, v, "", 10)
			w.must(err)
			equal(t, row.sentence+": rows of the list", len(list.Items)+list.All, 0)
			page, err := w.Registry.Page(w.ctx, v, 10, 1)
			w.must(err)
			equal(t, row.sentence+": rows of a page", len(page), 0)
		}
		audit := &auditRecorder{}
		owner.Visitor.Audit = audit
		equal(t, "the owner's", owner.ownRegistration().Registration.ID, owner.registration)
		same(t, "the audit", audit.denied, nil)
	})
}

func TestListPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, other := w.somebody().signedIn(), w.somebody().signedIn()
		var want []string
		w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
			want = nil
			for i := range 25 { // each five were changed at the same moment
				at := noon.Add(time.Duration(i/5) * time.Second)
				r := enrol.Registration{ID: fmt.Sprintf("%032x", i), EventCode: fmt.Sprintf("old%d", i), Phone: "+91" + p.phone, AccountID: p.AccountID, Step: enrol.StepUnpaid, CreatedAt: at, ModifiedAt: at, TermsAt: at}
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
			list, err := w.Registry.List(w.ctx, p.Visitor, cursor, 10)
			w.must(err)
			equal(t, "all", list.All, 25)
			equal(t, "waiting", list.Waiting, 25)
			for _, item := range list.Items {
				got = append(got, item.Registration.ID)
			}
			pages++
			if cursor = list.Next; cursor == "" {
				break
			}
			_, err = w.Registry.List(w.ctx, other.Visitor, cursor, 10)
			expectProblem(t, err, admission.NotFound, "", "This page of the list does not exist.")
		}
		same(t, "registrations", got, want)
		equal(t, "pages", pages, 3)

		got = nil
		for page := 1; page <= 4; page++ {
			items, err := w.Registry.Page(w.ctx, p.Visitor, 10, page)
			w.must(err)
			for _, item := range items {
				got = append(got, item.Registration.ID)
			}
		}
		same(t, "registrations by page numbers", got, want)
	})
}

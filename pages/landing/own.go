package landing

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// ownView is what the page shows to who has enrolled, in the form's place.
type ownView struct {
	Page   *content.Landing
	Name   string            // the first one
	Ticket *pages.TicketView // who has paid
	Next   ownNext           // who has paid: what comes next
	Unpaid *unpaidView       // who has not
	Dates  []components.DateProps
	Fee    admission.Money // paid or to pay: the whole page says it
	Coupon string          // that counts in it; "" for none
	Refund string          // until when it is returned; "" once that is over
}

// enrolled reports whether the page is that of who has paid.
func (v view) enrolled() bool { return v.Own != nil && v.Own.Ticket != nil }

// outcome tells the script whether the draft of the form may be forgotten.
func (v *ownView) outcome() string {
	if v.Ticket != nil {
		return "paid"
	}
	return "unpaid"
}

// ownNext is the first day of the schedule that is to come.
type ownNext struct{ Name, Day, Text string }

// more is what follows the day, and ends the sentence: ", one hour online."
func (n ownNext) more() string {
	if n.Text == "" {
		return "."
	}
	return ", " + content.Lower(n.Text)
}

// unpaidView is an enrolment that is not paid for yet.
type unpaidView struct {
	Ticket components.UnpaidProps
	Title  string // "One step is left"
	Lead   string // stands below it: what matters most; may be empty
	Stands string // what is to be known beside the ticket of how the payment stands, in sentences; may be empty
	Brief  string // the same beside a button, in few words
	Closes string // "Wednesday, 10 March at 23:59": day and hour never part; "" where nothing is to be paid now
	Change string // address; "" where nothing can be changed now
}

// stands says how the payment stands, and leads on: to pay, or, while one is checked, to what is known of that. A payment in
// review is looked at within reviewDays business days.
func (u *unpaidView) stands(due payment.Due, standing pages.Standing, now time.Time, reviewDays int) {
	words := standing.Unpaid.Landing
	u.Title, u.Lead, u.Brief = words.Title, words.Lead, words.Brief
	u.Ticket.First, u.Ticket.Then = words.First, words.Text
	u.Ticket.Payment = components.Knot{Name: "Pay", State: components.KnotNow, Text: "is next"}
	u.Ticket.Pay = components.ButtonProps{Look: "gold", Text: "Continue to pay", Href: web.PayPath}
	if words.Step != "" {
		u.Ticket.Payment.State, _ = standing.PaymentKnot()
		u.Ticket.Payment.Text = words.Step
	}
	switch standing.Phase {
	case status.PaymentReview:
		checked := *due.Payment
		u.Closes = ""
		u.arrived(checked)
		u.Ticket.First = pages.AmountDifference(checked) + " We will write to " + due.Registration.Email + cmp.Or(pages.ReviewDeadline(checked, reviewDays, now), " as soon as we know more") + "."
		u.Stands = "We keep your place while we check, even if enrolment closes. Then your ticket comes, or the whole amount goes back within " + pages.RefundTime + ", and you can pay again. Nobody calls you about it. " + pages.NeverAsked
		u.Ticket.Pay = components.ButtonProps{Look: "outline", Text: words.Button, Href: web.PaymentPath(checked.ID)}
	case status.PaymentFailed:
		failed := due.Failed
		if failed.ID == "" {
			return
		}
		u.Ticket.Label, u.Ticket.Help = "Fee, last tried on "+admission.Moment(failed.CreatedAt), web.PaymentPath(failed.ID)
		u.Stands = pages.OnlyUnpaid + " Nobody calls you about it. " + pages.NeverAsked
	}
}

// arrived shows what came where the fee stands, which nobody owes while it is checked.
func (u *unpaidView) arrived(t payment.Transaction) {
	if t.Arrived.Currency == "" { // came to an older version of the program
		return
	}
	u.Ticket.Label = "Received on " + admission.Date(t.SettledAt) + ", being checked"
	u.Ticket.Price = components.PriceProps{Amount: t.Arrived.Short()}
}

// own returns what the visitor has of an event; nil for nothing that counts. Only who brings a session is looked up. While
// the database does not answer there is the page that everybody gets.
func (l *Landing) own(c *echo.Context, words *content.Library, slug string) (*ownView, error) {
	if !l.Session.BringsSession(c) { // nearly everybody: for them the page costs nothing more
		return nil, nil
	}
	ctx := c.Request().Context()
	v, err := l.Session.Visitor(c)
	event, known := l.Events.EventBySlug(slug)
	if err != nil || v.SessionID == "" || !known {
		return nil, available(err)
	}
	r, err := l.Enrol.LatestRegistration(ctx, v, event.Code)
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return nil, nil
	}
	if err != nil || r.Refunded {
		return nil, available(err)
	}
	page, _ := words.Landing(slug, l.Clock())
	view := &ownView{Page: page, Name: content.FirstName(r.FullName)}
	if r.Paid() {
		err = l.paid(c, v, r, view)
	} else {
		err = l.unpaid(c, v, words, r, view)
	}
	if err != nil || view.Ticket == nil && view.Unpaid == nil {
		return nil, available(err)
	}
	if view.Fee.Minor > 0 && view.Fee.Currency == page.Event.Currency {
		view.Page, _ = words.LandingAtFee(slug, l.Clock(), view.Fee.Minor)
	}
	return view, nil
}

func (l *Landing) paid(c *echo.Context, v admission.Visitor, r enrol.Registration, view *ownView) error {
	receipt, err := l.Receipts.ReceiptOfVisitor(c.Request().Context(), v, r.PaidTxnID)
	if err != nil {
		return err
	}
	page := view.Page
	view.Ticket = l.TicketOf(page, r, page.Event.Title, receipt.Transaction)
	view.Fee, view.Coupon, view.Refund = receipt.Transaction.Charge, r.CouponCode, view.Ticket.Refund
	view.Ticket.Receipt = web.OwnReceiptPath(r.PaidTxnID)
	now := l.Clock()
	for _, day := range page.Event.Schedule {
		switch {
		case day.Name != "" && page.Event.OpenTo(day, receipt.Transaction.SettledAt, now):
			view.Next = ownNext{day.Name, day.AnyDay(), day.Brief}
		case day.Name == "" || day.Date.Over(now):
		case view.Next.Name == "":
			view.Next = ownNext{day.Name, day.Date.DayMonthAndWeekday(), day.Brief}
			if day.Date.Equal(page.Event.Exam.Time) {
				view.Dates = append(view.Dates, dateOf(day.Date, day.Name))
			}
		case day.Date.Equal(page.Event.Exam.Time):
			view.Dates = append(view.Dates, daysTo(day, now))
		default:
			view.Dates = append(view.Dates, dateOf(day.Date, day.Title))
		}
	}
	return nil
}

func (l *Landing) unpaid(c *echo.Context, v admission.Visitor, words *content.Library, r enrol.Registration, view *ownView) error {
	due, err := l.Payment.Due(c.Request().Context(), v, r.ID)
	if err != nil {
		return err
	}
	page, exam := view.Page, view.Page.Event.Exam
	last := content.Date{Time: page.Event.EnrolmentCloses.Add(-time.Minute)}
	if due.Refusal != "" && due.Open == nil { // enrolment is over: the page says so
		return nil
	}
	unpaid := &unpaidView{
		Ticket: components.UnpaidProps{
			Programme: page.Event.Title, Name: r.FullName, Course: enrol.CourseLabel(r.Course), Phone: pages.Mobile(r.Phone),
		},
		Closes: last.Format("Monday, 2\u00a0January") + "\u00a0at\u00a0" + admission.TimeOfDay(last.Time),
	}
	unpaid.Ticket.Day, unpaid.Ticket.Month, unpaid.Ticket.Weekday = exam.Parts()
	view.Fee, view.Coupon = pages.ChargeOf(due)
	unpaid.Ticket.Label, unpaid.Ticket.Price = "Registration fee, all taxes included", pages.PriceOf(due.Price.List, due.Price.Discount, view.Fee, view.Coupon)
	view.Coupon = unpaid.Ticket.Price.Coupon // counts only where it makes the fee less
	unpaid.stands(due, pages.DueStanding(words, due, l.Clock()), l.Clock(), page.Site.PaymentReviewDays)
	unpaid.Stands = strings.TrimSpace(unpaid.Stands + " " + due.CouponGone)
	if unpaid.Closes != "" && unpaid.Ticket.Help == "" { // else what may come back first is not the fee of who cancels
		view.Refund = l.Refund(page.Event)
	}
	unpaid.Change = pages.ChangeOf(due)
	for _, day := range page.Event.Schedule {
		switch {
		case day.Name == "" || len(view.Dates) == 4:
		case day.Open:
			view.Dates = append(view.Dates, components.DateProps{Day: "Any", Month: "day", What: day.Name})
		case !day.Date.Over(l.Clock()):
			view.Dates = append(view.Dates, dateOf(day.Date, day.Name))
		}
	}
	view.Unpaid = unpaid
	return nil
}

// daysTo counts the days to the exam as long as they are several.
func daysTo(exam content.Milestone, now time.Time) components.DateProps {
	if days := pages.DaysTo(exam.Date, now); days > 1 {
		return components.DateProps{Day: strconv.Itoa(days), Month: "days", What: "to the exam"}
	}
	return dateOf(exam.Date, exam.Name)
}

// available leaves out that the database does not answer.
func available(err error) error {
	if errors.Is(err, admission.ErrUnavailable) {
		return nil
	}
	return err
}

func dateOf(date content.Date, what string) components.DateProps {
	return components.DateProps{Day: date.Format("2"), Month: date.Format("January"), What: what}
}

package landing

import (
	"cmp"
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
	"hiresure/prose"
	"hiresure/web"
)

// enrolledView replaces the form for an enrolled visitor.
type enrolledView struct {
	Page   *content.Landing
	Name   string            // the first one
	Ticket *pages.TicketView // if paid
	Money  []pages.MoneyNote // if paid
	Next   nextDate          // next date, if paid
	Unpaid *unpaidView       // if unpaid
	Dates  []components.DateProps
	Fee    admission.Money // paid or due; the page shows it everywhere
	Coupon string          // applied; "" for none
	Refund string          // refund deadline; "" afterwards
	SignUp string          // path to an account that keeps the ticket; "" with an account
	// Refunded leaves the offer as it is: the visitor may enrol again. All other fields are empty then.
	Refunded bool
}

// enrolled reports whether the visitor has paid.
func (v view) enrolled() bool { return v.Enrolled != nil && v.Enrolled.Ticket != nil }

// replaces reports whether the enrolment replaces the offer. A coupon in the address is for visitors who have not paid.
func (v *enrolledView) replaces(given invitation) bool {
	return v != nil && !v.Refunded && (v.Ticket != nil || given.Coupon == "")
}

// outcome returns the state by which the script deletes the form's draft.
func (v *enrolledView) outcome() string {
	if v.Ticket != nil {
		return "paid"
	}
	return "unpaid"
}

// nextDate is the next date of the schedule.
type nextDate struct{ Name, Day, Text string }

// more returns the end of the sentence: ", one hour online."
func (n nextDate) more() string {
	if n.Text == "" {
		return "."
	}
	return ", " + prose.Lower(n.Text)
}

// unpaidView is an unpaid enrolment.
type unpaidView struct {
	Ticket components.UnpaidProps
	Title  string // "One step is left"
	Lead   string // main message below the title; may be empty
	Notes  string // notes on the payment; may be empty
	Brief  string // short form of Lead and Stands
	Closes string // "Wednesday, 10 March at 23:59", without breaks inside; "" when nothing is due
	Change string // address; "" while details are fixed
}

// setPayment sets the payment's status and its button: to pay or, during a review, to the payment.
func (u *unpaidView) setPayment(due payment.Due, standing pages.Standing, now time.Time) {
	words := standing.Unpaid.Landing
	u.Title, u.Lead, u.Brief = words.Title, words.Lead, words.Brief
	u.Ticket.First, u.Ticket.Then = words.First, words.Text
	u.Ticket.Payment = components.Step{Name: "Pay", State: components.StepCurrent, Text: "is next"}
	u.Ticket.Pay = components.ButtonProps{Look: "gold", Text: "Continue to pay", Href: web.PayPath}
	if words.Step != "" {
		u.Ticket.Payment.State, _ = standing.PaymentStep()
		u.Ticket.Payment.Text = words.Step
	}
	switch standing.Phase {
	case status.PaymentOpen: // its page tells who has paid not to pay again, and leads the others to the checkout
		u.Ticket.Pay = components.ButtonProps{Look: "outline", Text: words.Button, Href: web.PaymentPath(due.Open.ID)}
	case status.PaymentReview:
		checked := *due.Payment
		u.Closes = ""
		u.showReceived(checked)
		u.Ticket.First = pages.AmountDifference(checked) + " We will write to " + due.Registration.Email + cmp.Or(pages.ReviewDeadline(checked, now), " as soon as we know more") + "."
		u.Notes = "We keep your place while we check, even if enrolment closes. Then your ticket comes, or we refund the whole amount within " + pages.SurplusTime + ", and you can pay again. Nobody calls you about it. " + pages.NeverAsked
		u.Ticket.Pay = components.ButtonProps{Look: "outline", Text: words.Button, Href: web.PaymentPath(checked.ID)}
	case status.PaymentFailed:
		failed := due.Failed
		if failed.ID == "" {
			return
		}
		u.Ticket.Label, u.Ticket.Help = "Fee, last tried on "+admission.Moment(failed.CreatedAt), web.PaymentPath(failed.ID)
		u.Notes = pages.OnlyUnpaid + " Nobody calls you about it. " + pages.NeverAsked
	}
}

// showReceived shows the received amount in place of the fee, during a review.
func (u *unpaidView) showReceived(t payment.Transaction) {
	if t.Arrived.Currency == "" { // received by an older version
		return
	}
	u.Ticket.Label = "Received on " + admission.Date(t.SettledAt) + ", being checked"
	u.Ticket.Price = components.PriceProps{Amount: t.Arrived.Short()}
}

// enrolledView returns the visitor's enrolment in an event; nil for none, and while the database is unavailable. It reads the
// database only with a session.
func (l *Landing) enrolledView(c *echo.Context, words *content.Library, slug string) (*enrolledView, error) {
	if !l.Session.HasSessionCookie(c) { // most visitors
		return nil, nil
	}
	ctx := c.Request().Context()
	v, err := l.Session.Visitor(c)
	event, known := l.Events.EventBySlug(slug)
	if err != nil || v.SessionID == "" || !known {
		return nil, pages.IgnoreUnavailable(err)
	}
	r, err := l.Enrol.LatestRegistration(ctx, v, event.Code)
	if admission.HasKind(err, admission.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	if r.Refunded {
		return &enrolledView{Refunded: true}, nil
	}
	page, _ := words.Landing(slug, l.Clock())
	view := &enrolledView{Page: page, Name: content.FirstName(r.FullName)}
	if r.Paid() {
		err = l.paid(c, v, r, view)
	} else {
		err = l.unpaid(c, v, words, r, view)
	}
	if err != nil || view.Ticket == nil && view.Unpaid == nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	if view.Fee.Minor > 0 && view.Fee.Currency == page.Event.Currency {
		view.Page, _ = words.LandingAtFee(slug, l.Clock(), view.Fee.Minor)
	}
	return view, nil
}

func (l *Landing) paid(c *echo.Context, v admission.Visitor, r enrol.Registration, view *enrolledView) error {
	receipt, err := l.Receipts.ReceiptOfVisitor(c.Request().Context(), v, r.PaidTxnID)
	if err != nil {
		return err
	}
	page := view.Page
	view.Ticket = l.TicketOf(page, r, page.Event.Title, receipt.Transaction)
	view.Fee, view.Coupon, view.Refund = receipt.Transaction.Charge, r.CouponCode, view.Ticket.Refund
	view.Ticket.Receipt, view.Money = web.OwnReceiptPath(r.PaidTxnID), pages.MoneyNotes(receipt, l.Clock())
	if v.AccountID == "" {
		view.SignUp = web.SignUpPath
	}
	now := l.Clock()
	for _, day := range page.Event.Schedule {
		switch {
		case day.Name != "" && page.Event.OpenTo(day, receipt.Transaction.SettledAt, now):
			view.Next = nextDate{day.Name, day.AnyDay(), day.Brief}
		case day.Name == "" || day.Date.Over(now):
		case view.Next.Name == "":
			view.Next = nextDate{day.Name, day.Date.DayMonthAndWeekday(), day.Brief}
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

func (l *Landing) unpaid(c *echo.Context, v admission.Visitor, words *content.Library, r enrol.Registration, view *enrolledView) error {
	due, err := l.Payment.Due(c.Request().Context(), v, r.ID)
	if err != nil {
		return err
	}
	page, exam := view.Page, view.Page.Event.Exam
	last := content.Date{Time: page.Event.EnrolmentCloses.Add(-time.Minute)}
	if due.Refusal != "" && due.Open == nil { // enrolment is closed, as the page says
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
	unpaid.Ticket.Label, unpaid.Ticket.Price = page.Words.FeeLabel, pages.PriceOf(due.Price.List, due.Price.Discount, view.Fee, view.Coupon)
	view.Coupon = unpaid.Ticket.Price.Coupon // only with a discount
	unpaid.setPayment(due, pages.DueStanding(words, due, l.Clock()), l.Clock())
	unpaid.Notes = strings.TrimSpace(unpaid.Notes + " " + due.CouponGone)
	if unpaid.Closes != "" && unpaid.Ticket.Help == "" { // otherwise the missing money comes first
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

// daysTo counts the days to the exam if there are several.
func daysTo(exam content.Milestone, now time.Time) components.DateProps {
	if days := pages.DaysTo(exam.Date, now); days > 1 {
		return components.DateProps{Day: strconv.Itoa(days), Month: "days", What: "to the exam"}
	}
	return dateOf(exam.Date, exam.Name)
}

func dateOf(date content.Date, what string) components.DateProps {
	return components.DateProps{Day: date.Format("2"), Month: date.Format("January"), What: what}
}

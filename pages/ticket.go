package pages

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/prose"
	"hiresure/web"
)

// TicketView is the ticket of a paid registration with its details.
type TicketView struct {
	Ticket    components.TicketProps
	ToExam    string // "112 days to the exam"
	Dates     components.DateLineProps
	About     components.Link // the exam's page; without Href if the exam is over
	Exam      content.Date
	Mailed    string // what was sent to Email; "" when the ticket was opened by its code
	Email     string
	Calendar  string      // path of the file; "" if the exam is over
	Receipt   string      // path; "" for all but the payer
	PDF       string      // path of the ticket as PDF; "" on paper, on the landing page, and of a ticket that is no longer valid
	Ended     EndedTicket // for the payer of a ticket that is no longer valid
	Support   content.Contact
	Share     components.ShareProps
	Referral  components.ReferralProps // without a code if there is none to show
	From, To  time.Time                // of the exam; zero while its hour is unconfirmed
	Refund    string                   // refund terms; "" if nothing was paid
	Until     string                   // deadline alone, for paper
	CancelBy  string                   // "7 Mar 2027"; "" after the deadline
	ExamAhead bool                     // the exam is to come
	LinkBy    content.Date             // date by which the exam's link is sent; zero if the exam is over
}

// EndedTicket is what the payer of a refunded ticket can do.
type EndedTicket struct {
	Ask     string // when to ask for the money
	Payment string // ID to name then
	Papers  string // label of the receipt's button
	Again   string // page to enrol again; "" while closed
}

// TicketOf returns the ticket of a paid registration. page is its event's; nil, when the content no longer has the event,
// leaves out the day.
func (k *Kit) TicketOf(page *content.Landing, r enrol.Registration, programme string, by payment.Transaction) *TicketView {
	paid := by.Charge
	view := &TicketView{
		Ticket: components.TicketProps{
			Programme: programme, Name: r.FullName, Course: enrol.CourseLabel(r.Course),
			Money: "Amount paid", Paid: paid.String(), Number: r.Ticket, Refunded: r.Refunded,
		},
		Email:   r.Email,
		Support: k.Content.Current().Site().Support,
	}
	switch {
	case r.Refunded:
		view.Ticket.Money = "Refunded"
	case paid.Minor == 0:
		view.Ticket.Money = "Nothing to pay"
	}
	if r.TicketKey != "" {
		view.Ticket.Link = k.Absolute(web.TicketPath(r.TicketKey))
	}
	if page == nil {
		return view
	}
	exam, on := page.Event.Exam, page.Event.Ticket
	view.Exam = exam
	view.Ticket.Day, view.Ticket.Month, view.Ticket.Weekday = exam.Parts()
	view.Ticket.Where, view.Ticket.WhereMore = on.Where, on.WhereMore
	if hour := page.Exam.Hour(); hour != "" {
		view.Ticket.Weekday += ", " + hour
		view.From = page.Exam.Begins(exam)
		view.To = view.From.Add(time.Duration(page.Exam.Minutes) * time.Minute)
	}
	if r.Refunded {
		return view
	}
	view.Ticket.Bring = on.Bring
	view.ToExam = untilExam(exam, k.Clock())
	view.Dates = datesOf(page.Event, by.SettledAt, k.Clock())
	if exam.Over(k.Clock()) {
		return view
	}
	view.ExamAhead = true
	if view.From.IsZero() {
		view.Ticket.HourFollows = admission.PlannedHour(page.Exam.Starts, on.HourBy.Time, k.Clock())
	}
	if paid.Minor > 0 && status.Kept(&by) {
		view.Refund, view.Until = k.Refund(page.Event), k.RefundUntil(page.Event)
		if until := page.Event.RefundUntil(); !until.Over(k.Clock()) {
			view.CancelBy = until.Short()
		}
	}
	view.LinkBy = on.LinkBy
	view.About = components.Link{Text: page.ExamWords.More, Href: web.ExamPath(page.Event.Slug)}
	if r.TicketKey != "" {
		view.Calendar = web.TicketCalendarPath(r.TicketKey)
	}
	k.share(view, r, page.Event)
	return view
}

// MarkRefund labels the amount with what became of the refund of the whole fee.
func (view *TicketView) MarkRefund(phase status.Phase) {
	label := refundLabels[phase]
	if phase == status.RefundPending && view.Ticket.Refunded { // its refund came back
		label = "Owed to you"
	}
	view.Ticket.Money = cmp.Or(label, view.Ticket.Money)
}

var refundLabels = map[status.Phase]string{
	status.RefundPending: "Being refunded", status.RefundSent: refundSent, status.Refunded: "Refunded", status.ChargedBack: TakenByBank,
}

// share sets what a payer can share before the exam: the invitation, and the referral code. The picture shows first name and
// course only, and nothing that is shared names the ticket.
func (k *Kit) share(view *TicketView, r enrol.Registration, event content.Event) {
	view.Share = components.ShareProps{
		Title: event.Title, Text: "My scholarship exam is on " + event.Exam.Short() + ".",
		URL: k.Absolute(web.InvitationPath(r.EventSlug, r.OwnReferral)),
	}
	if r.OwnReferral != "" {
		view.Share.Picture = web.SharePicturePath(r.OwnReferral)
	}
	if r.OwnReferral == "" || event.ReferralCreditMinor == 0 {
		return
	}
	view.Referral = components.ReferralProps{
		Bonus: admission.INR(event.ReferralCreditMinor).Short(), Code: r.OwnReferral,
		Terms: event.ReferralTerms.Text,
		Share: components.ShareProps{
			Title: event.Title, Text: "Enrol with my referral code " + r.OwnReferral + ".", URL: view.Share.URL, Picture: view.Share.Picture,
		},
	}
}

// DaysTo counts the days to a date in India, from midnight to midnight.
func DaysTo(date content.Date, now time.Time) int {
	return int(date.Sub(admission.Midnight(now)) / (24 * time.Hour))
}

func untilExam(exam content.Date, now time.Time) string {
	switch days := DaysTo(exam, now); {
	case days > 1:
		return fmt.Sprintf("%d days to the exam", days)
	case days == 1:
		return "The exam is tomorrow"
	case days == 0:
		return "The exam is today"
	}
	return "The exam was on " + exam.Short()
}

// datesOf returns the line of dates: the enrolment, then each named day of the schedule.
func datesOf(event content.Event, enrolled, now time.Time) components.DateLineProps {
	line := components.DateLineProps{Items: []components.DateLineItem{{Name: "Enrolled", Text: event.Ticket.Enrolled.Text, Done: true}}}
	for _, day := range event.Schedule {
		if day.Name == "" {
			continue
		}
		if event.OpenTo(day, enrolled, now) {
			line.Items = append(line.Items, components.DateLineItem{
				Name: day.Name, On: "On " + day.AnyDay(), Text: day.Brief, Month: "Any day", More: prose.Capital(day.Late) + ". " + day.Brief,
			})
			continue
		}
		line.Items = append(line.Items, components.DateLineItem{
			Name: day.Name, On: day.Date.DayMonthAndWeekday(), Text: day.Brief,
			Day: strconv.Itoa(day.Date.Day()), Month: day.Date.Format("January"), More: day.Date.Format("Monday") + ". " + day.Brief, Done: day.Date.Over(now), Main: day.Date.Equal(event.Exam.Time),
		})
	}
	return line
}

// PriceOf returns the charge with the struck list price. The list price is omitted when another currency is charged.
func PriceOf(list, discount, charge admission.Money, coupon string) components.PriceProps {
	price := components.PriceProps{Amount: charge.Short()}
	if discount.Minor > 0 {
		price.Coupon = coupon
		if charge.Currency == list.Currency {
			price.Struck = list.Short()
		}
	}
	return price
}

// ChargeOf returns the price and the coupon of an unpaid registration: of the open attempt, or of the next one if another
// method is chosen.
func ChargeOf(due payment.Due) (charge admission.Money, coupon string) {
	chosen := due.Chosen(due.Methods)
	if due.Open != nil && due.Open.Gateway == chosen {
		return due.Open.Charge, due.Open.CouponCode
	}
	for _, m := range due.Methods {
		if m.Name == chosen {
			return m.Charge, due.Registration.CouponCode
		}
	}
	return due.Price.Final, due.Registration.CouponCode
}

// ChangeOf returns the address that changes an enrolment's details; "" once it is paid or closed, and while a payment is
// open. The pay page also allows changes during an open payment.
func ChangeOf(due payment.Due) string {
	if due.Registration.Paid() || due.Refusal != "" || due.Open != nil {
		return ""
	}
	return web.ChangePath(due.Event.Slug, due.Registration.ID)
}

// FormatMobile formats an Indian number.
func Mobile(phone string) string { return admission.FormatMobile(phone) }

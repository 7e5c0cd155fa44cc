package pages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/content"
	"hiresure/web"
)

// TicketView is the ticket of a paid registration with what follows it.
type TicketView struct {
	Ticket   components.TicketProps
	ToExam   string // "112 days to the exam"
	Dates    components.DateLineProps
	Mailed   string // what is on its way to Email; "" for who has opened the ticket by its code
	Email    string
	Calendar string // path of the file; "" where there is no exam to come
	Receipt  string // path; "" for who has opened the ticket by its code
	Support  content.Contact
}

// TicketOf returns the ticket of a paid registration. Where the content no longer has the event, it is without its day.
func (k *Kit) TicketOf(r enrol.Registration, programme string, paid admission.Money) *TicketView {
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
	page, known := k.Content.Current().Landing(r.EventSlug, k.Clock())
	if !known {
		return view
	}
	exam, on := page.Event.Exam, page.Event.Ticket
	view.Ticket.Day, view.Ticket.Month, view.Ticket.Weekday = strconv.Itoa(exam.Day()), exam.Format("January 2006"), exam.Format("Monday")
	view.Ticket.Where, view.Ticket.WhereMore = on.Where, on.WhereMore
	if r.Refunded {
		return view
	}
	view.Ticket.Bring = on.Bring
	view.ToExam = untilExam(exam, k.Clock())
	view.Dates = datesOf(page.Event, k.Clock())
	if r.TicketKey != "" && !exam.Over(k.Clock()) {
		view.Calendar = web.TicketCalendarPath(r.TicketKey)
	}
	return view
}

// DaysTo counts the days to a date as people in India do: from midnight to midnight.
func DaysTo(date content.Date, now time.Time) int {
	local := now.In(admission.IST)
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, admission.IST)
	return int(date.Sub(today) / (24 * time.Hour))
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

// datesOf is the line of dates: that one is enrolled, and each day of the schedule that has a name on it.
func datesOf(event content.Event, now time.Time) components.DateLineProps {
	line := components.DateLineProps{Items: []components.DateLineItem{{Name: "Enrolled", Text: event.Ticket.Enrolled, Done: true}}}
	for _, day := range event.Schedule {
		if day.Name == "" {
			continue
		}
		line.Items = append(line.Items, components.DateLineItem{
			Name: day.Name, Text: day.Date.Format("Monday, 2 January") + ". " + day.Brief,
			Day: strconv.Itoa(day.Date.Day()), Done: day.Date.Over(now), Main: day.Date.Equal(event.Exam.Time),
		})
	}
	return line
}

// PriceOf is what is charged, and beside it what would have been. Where another currency is charged, the list price
// follows in the same proportion and is left out.
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

// Mobile writes an Indian number as people read it: +91 98200 41567.
func Mobile(phone string) string {
	ten, indian := strings.CutPrefix(phone, "+91")
	if !indian || len(ten) != 10 {
		return phone
	}
	return "+91 " + ten[:5] + " " + ten[5:]
}

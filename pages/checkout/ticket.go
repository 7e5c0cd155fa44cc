package checkout

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/content"
	"hiresure/web"
)

// ticketView is the ticket of a paid registration with what follows it.
type ticketView struct {
	Ticket   components.TicketProps
	ToExam   string // "112 days to the exam"
	Dates    components.DateLineProps
	Mailed   string // what is on its way to Email; "" for who has opened the ticket by its code
	Email    string
	Calendar string // path of the file; "" where there is no exam to come
	Receipt  string // path; "" for who has opened the ticket by its code
	Support  content.Contact
}

// ticketOf returns the ticket of a paid registration. Where the content no longer has the event, it is without its day.
func (h handlers) ticketOf(r enrol.Registration, programme string, paid admission.Money) *ticketView {
	view := &ticketView{
		Ticket: components.TicketProps{
			Programme: programme, Name: r.FullName, Course: enrol.CourseLabel(r.Course),
			Money: "Amount paid", Paid: paid.String(), Number: r.Ticket, Refunded: r.Refunded,
		},
		Email:   r.Email,
		Support: h.Content.Current().Site().Support,
	}
	switch {
	case r.Refunded:
		view.Ticket.Money = "Refunded"
	case paid.Minor == 0:
		view.Ticket.Money = "Nothing to pay"
	}
	if r.TicketKey != "" {
		view.Ticket.Link = h.Absolute(web.TicketPath(r.TicketKey))
	}
	page, known := h.Content.Current().Landing(r.EventSlug, h.Clock())
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
	view.ToExam = untilExam(exam, h.Clock())
	view.Dates = datesOf(page.Event, h.Clock())
	if r.TicketKey != "" && !exam.Over(h.Clock()) {
		view.Calendar = web.TicketCalendarPath(r.TicketKey)
	}
	return view
}

// untilExam counts the days to the exam as people in India do: from midnight to midnight.
func untilExam(exam content.Date, now time.Time) string {
	local := now.In(admission.IST)
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, admission.IST)
	switch days := int(exam.Sub(today) / (24 * time.Hour)); {
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

// ticket is the page that the code on a ticket opens, for whoever holds the ticket.
func (h handlers) ticket(c *echo.Context) error {
	r, view, err := h.openTicket(c)
	if err != nil {
		return err
	}
	if view == nil {
		return h.deadTicket(c)
	}
	return h.Show(c, http.StatusOK, ticketPage(h.Kit, web.ScholarshipPath(r.EventSlug), *view))
}

// calendar is the exam as a file for a calendar.
func (h handlers) calendar(c *echo.Context) error {
	r, view, err := h.openTicket(c)
	if err != nil {
		return err
	}
	if view == nil || view.Calendar == "" {
		return h.deadTicket(c)
	}
	page, _ := h.Content.Current().Landing(r.EventSlug, h.Clock()) // known: else there was no calendar
	exam := page.Event.Exam
	calendar := ics.NewCalendarFor("HireSure")
	calendar.SetMethod(ics.MethodPublish)
	event := calendar.AddEvent(r.ID + "@hiresure")
	event.SetDtStampTime(r.ModifiedAt)
	event.SetAllDayStartAt(exam.Time)
	event.SetAllDayEndAt(exam.AddDate(0, 0, 1))
	event.SetSummary(view.Ticket.Programme + ": scholarship exam")
	event.SetLocation(view.Ticket.Where)
	event.SetDescription("Ticket " + view.Ticket.Number + "\nBring: " + view.Ticket.Bring)
	event.SetURL(view.Ticket.Link)
	reminder := event.AddAlarm()
	reminder.SetAction(ics.ActionDisplay)
	reminder.SetDescription("Tomorrow: scholarship exam")
	reminder.SetTrigger("-PT15H") // 09:00 on the day before
	c.Response().Header().Set("Content-Disposition", `attachment; filename="hiresure-exam.ics"`)
	return c.Blob(http.StatusOK, "text/calendar; charset=utf-8", []byte(calendar.Serialize(ics.WithNewLineWindows)))
}

// openTicket returns the registration whose ticket's key stands in the address, and its ticket; nil for a key of nobody's.
func (h handlers) openTicket(c *echo.Context) (enrol.Registration, *ticketView, error) {
	receipt, err := h.Receipts.ReceiptOfTicket(c.Request().Context(), c.Param("key"))
	if isProblem(err, admission.NotFound) {
		return enrol.Registration{}, nil, nil
	}
	if err != nil {
		return enrol.Registration{}, nil, err
	}
	return receipt.Registration, h.ticketOf(receipt.Registration, receipt.Event.Title, receipt.Transaction.Charge), nil
}

func (h handlers) deadTicket(c *echo.Context) error {
	return h.apologise(c, apologyView{
		Title: "This code does not open a ticket",
		Texts: []string{"The address may have been cut off on its way, or it belongs to a ticket that is no longer valid."},
		Help:  "If it is on your ticket, tell us the ticket's number:",
	})
}

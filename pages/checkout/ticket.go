package checkout

import (
	"net/http"

	ics "github.com/arran4/golang-ical"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/pages"
	"hiresure/web"
)

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
func (h handlers) openTicket(c *echo.Context) (enrol.Registration, *pages.TicketView, error) {
	receipt, err := h.Receipts.ReceiptOfTicket(c.Request().Context(), c.Param("key"))
	if isProblem(err, admission.NotFound) {
		return enrol.Registration{}, nil, nil
	}
	if err != nil {
		return enrol.Registration{}, nil, err
	}
	return receipt.Registration, h.TicketOf(receipt.Registration, receipt.Event.Title, receipt.Transaction.Charge), nil
}

func (h handlers) deadTicket(c *echo.Context) error {
	return h.apologise(c, apologyView{
		Title: "This code does not open a ticket",
		Texts: []string{"The address may have been cut off on its way, or it belongs to a ticket that is no longer valid."},
		Help:  "If it is on your ticket, tell us the ticket's number:",
	})
}

package checkout

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// ticket shows the page that the code on a ticket opens.
func (h handlers) ticket(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	receipt, view, err := h.openTicket(c)
	if err != nil {
		return err
	}
	if view == nil {
		return h.deadTicket(c)
	}
	owner, err := h.owns(c, v, receipt.Registration.ID)
	if err != nil {
		return err
	}
	var notes []pages.MoneyNote
	if owner {
		papers := ownLinks(receipt)
		view.Receipt, notes = papers.Receipt, pages.MoneyNotes(receipt, h.Clock())
		if receipt.Registration.Refunded {
			view.Ended = h.endedTicket(receipt)
		} else {
			view.PDF = papers.PDF(web.TicketFile)
		}
	} else { // the key alone opens no receipt, which names the payer, and no PDF, which has the amount; bonus and refund are the payer's
		view.Ticket.Paid, view.Refund, view.Until, view.Referral = "", "", "", components.ReferralProps{}
	}
	return h.Show(c, http.StatusOK, ticketPage(h.Frame(), web.ScholarshipPath(receipt.Registration.EventSlug), *view, h.ticketWords(receipt, *view, owner), notes))
}

// endedTicket returns what the payer of a refunded ticket can do.
func (h handlers) endedTicket(of receipt.Receipt) pages.EndedTicket {
	ended := pages.EndedTicket{
		Payment: of.Transaction.ID, Papers: "Receipt",
		Ask: "Not there by then? Give us the first 8 characters of the payment ID:",
	}
	if len(of.CreditNotes) > 0 {
		ended.Papers = "Receipt and credit note"
	}
	if of.LostInDispute() {
		ended.Papers = "Receipt"
		ended.Ask = "Ask your bank when " + of.Transaction.Charge.String() + " is in your account. Questions for us? Give us the first 8 characters of the payment ID:"
	}
	if of.Event.Closed(h.Clock()) == "" {
		ended.Again = homeOf(of.Event)
	}
	return ended
}

// ticketWords returns the words above a ticket: for its payer, or for others with the code.
func (h handlers) ticketWords(of receipt.Receipt, view pages.TicketView, owner bool) ticketWords {
	const over = "This ticket is no longer valid"
	switch {
	case view.Ticket.Refunded && owner:
		_, back := pages.RefundNotice(of, h.Clock())
		return ticketWords{over, over, cmp.Or(back.Strong+back.Text, "The fee for it was refunded."), ""}
	case view.Ticket.Refunded:
		return ticketWords{over, over, "The enrolment has ended.", ""}
	case owner:
		return ticketWords{"Your ticket", "Your ticket", h.examLink(view) + "On the phone, give us the ticket number.", ""}
	}
	valid := "The fee is paid"
	if !view.Exam.IsZero() {
		valid += " for the exam on " + view.Exam.Short()
	}
	return ticketWords{"Exam ticket", "Ticket of " + view.Ticket.Name, valid + ". If it is yours, receipt and PDF are in your mail.", "Valid"}
}

// examLink returns when the exam's link is sent; "" after the exam.
func (h handlers) examLink(view pages.TicketView) string {
	switch by := view.LinkBy; {
	case by.IsZero():
		return ""
	case !by.Over(h.Clock()):
		return "We e-mail your exam link to " + view.Email + " by " + by.Short() + ". Not there? Check the spam folder, then call us. "
	}
	return "Your exam link is in your mail or spam folder. In neither? Call us. "
}

// ticketWords is a page's title, which link previews show, its heading, and the text below, after a Mark.
type ticketWords struct{ Title, Heading, Lede, Mark string }

// calendar sends the exam as a calendar file.
func (h handlers) calendar(c *echo.Context) error {
	receipt, view, err := h.openTicket(c)
	if err != nil {
		return err
	}
	if view == nil {
		return h.deadTicket(c)
	}
	if view.Calendar == "" { // an old mail's link: the ticket explains that its exam is over or its fee refunded
		return c.Redirect(http.StatusSeeOther, web.TicketPath(receipt.Registration.TicketKey))
	}
	calendar := ics.NewCalendarFor("HireSure")
	calendar.SetMethod(ics.MethodPublish)
	event := calendar.AddEvent(view.Ticket.Number + "@hiresure") // no id of ours: the file is shared
	event.SetDtStampTime(h.Clock())                              // a later file replaces an earlier one with the same id
	setMoment(event, view.Exam, view.From, view.To)
	event.SetSummary(view.Ticket.Programme + ": scholarship exam")
	event.SetLocation(view.Ticket.Where)
	about := []string{"Ticket " + view.Ticket.Number, "Bring: " + view.Ticket.Bring}
	if view.Ticket.HourFollows != "" {
		about = append(about, view.Ticket.HourFollows)
	}
	event.SetDescription(strings.Join(about, "\n"))
	event.SetURL(view.Ticket.Link)
	reminder := event.AddAlarm()
	reminder.SetAction(ics.ActionDisplay)
	reminder.SetDescription("Tomorrow: scholarship exam")
	reminder.SetTrigger(untilDayBefore(view.Exam, view.From))
	c.Response().Header().Set("Content-Disposition", `attachment; filename="hiresure-exam.ics"`)
	return c.Blob(http.StatusOK, "text/calendar; charset=utf-8", []byte(calendar.Serialize(ics.WithNewLineWindows)))
}

// setMoment sets the exam's hours, or the whole day while they are unknown.
func setMoment(event *ics.VEvent, day content.Date, from, to time.Time) {
	if from.IsZero() {
		event.SetAllDayStartAt(day.Time)
		event.SetAllDayEndAt(day.AddDate(0, 0, 1))
		return
	}
	event.SetStartAt(from)
	event.SetEndAt(to)
}

// untilDayBefore returns the duration from 09:00 on the previous day to the exam.
func untilDayBefore(day content.Date, from time.Time) string {
	hours := 15 * time.Hour
	if !from.IsZero() {
		hours += from.Sub(day.Time)
	}
	if minutes := int(hours.Minutes()) % 60; minutes != 0 {
		return fmt.Sprintf("-PT%dH%dM", int(hours.Hours()), minutes)
	}
	return fmt.Sprintf("-PT%dH", int(hours.Hours()))
}

// openTicket returns the receipt and the ticket of the key in the address; a nil ticket for an unknown key.
func (h handlers) openTicket(c *echo.Context) (receipt.Receipt, *pages.TicketView, error) {
	found, err := h.Receipts.ReceiptOfTicket(c.Request().Context(), c.Param("key"))
	if admission.HasKind(err, admission.NotFound) {
		return receipt.Receipt{}, nil, nil
	}
	if err != nil {
		return receipt.Receipt{}, nil, err
	}
	return found, h.ticketOf(found), nil
}

// ticketOf returns the ticket of a payment, with the present words of its event.
func (h handlers) ticketOf(of receipt.Receipt) *pages.TicketView {
	page, _ := h.Content.Current().Landing(of.Registration.EventSlug, h.Clock())
	view := h.TicketOf(page, of.Registration, of.Event.Title, of.Transaction)
	if phase := of.RefundPhase(h.Clock()); phase != status.ChargedBack || len(of.CreditNotes) < 2 { // else we refunded a part, and the bank took the rest
		view.MarkRefund(phase)
	}
	return view
}

func (h handlers) deadTicket(c *echo.Context) error {
	return h.lost(c, apologyView{
		Title: "This code does not open a ticket",
		Texts: []string{"The address may be incomplete, or it belongs to a ticket that is no longer valid.", "Open it again from our e-mail."},
		Help:  "If it is on your ticket, tell us the ticket's number:",
	})
}

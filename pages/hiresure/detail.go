package hiresure

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

type detailView struct {
	Me       account.Account
	Title    string
	Badge    components.BadgeProps
	Beside   string // what the badge means
	Actions  []link // the first is solid unless Quiet
	Quiet    bool   // the bank is asked: nothing is to be pressed
	Late     string // message about documents sent after the submission
	Money    moneyView
	Heading  string // of the timeline
	Timeline components.TimelineProps
	Cards    []card
	Ticket   *pages.TicketView // of a paid registration
	Papers   []link

	Documents []documentView // empty without documents
	Sent      string         // "2 of 3 uploaded", without the optional ones
	Support   content.Contact
}

// card is a group of facts; one without facts is not shown.
type card struct {
	Title string
	Facts []fact
	Dense bool // short facts first, side by side
}

type fact struct {
	Name, Value string
	Href        string // "" for none
	Big         bool
	Wide        bool // in a row of its own
	Fours       bool // grouped by four characters
}

func (h *home) detail(c *echo.Context) error {
	v, me, err := h.Me(c)
	if err != nil {
		return err
	}
	view := detailView{Me: me, Title: "Registration", Support: h.Content.Current().Site().Support}
	detail, err := h.Registry.Detail(c.Request().Context(), v, c.Param("id"))
	if admission.HasKind(err, admission.NotFound) {
		return h.Show(c, http.StatusNotFound, noDetailPage(h.Frame(), view))
	}
	if err != nil {
		return err
	}
	item := detail.Item
	words := h.Content.Current()
	standing := standingOf(words, item, h.Clock())
	view.Title, view.Badge, view.Beside, view.Heading = titleOf(item), badgeOf(item), standing.Beside(), standing.Heading()
	view.Quiet = item.Phase == status.PaymentOpen
	view.Timeline = h.timelineOf(Timeline(words, detail, h.Clock()))
	if view.Money, err = h.moneyOf(c.Request().Context(), v, &item); err != nil {
		return err
	}
	if item.Phase == status.DocumentsSubmitted && c.QueryParams().Has(lateQuery) {
		view.Late = "You have already submitted your documents. Nothing was sent again."
	}
	if action := actionOf(item); action.Text != "" {
		view.Actions = append(view.Actions, action)
	}
	if paper := invoiceOf(item); paper.Text != "" && item.Action != status.DownloadInvoice {
		view.Actions = append(view.Actions, paper)
	}
	view.Cards = h.answered(item.Registration)
	if card := paid(detail); len(card.Facts) > 0 {
		view.Cards = append(view.Cards, card)
	}
	if r := item.Registration; r.Ticket != "" && r.Paid() && item.Transaction != nil {
		page, _ := words.Landing(r.EventSlug, h.Clock())
		view.Ticket = h.TicketOf(page, r, view.Title, *item.Transaction)
		view.Ticket.MarkRefund(item.Phase)
		view.Papers = append(view.Papers, link{Text: "Receipt", Href: web.OwnReceiptPath(item.Transaction.ID)})
		if view.Ticket.Calendar != "" {
			view.Papers = append(view.Papers, link{Text: "Add to calendar", Href: view.Ticket.Calendar})
		}
		if r.TicketKey != "" && !r.Refunded {
			view.Papers = append(view.Papers, link{Text: "Open the ticket", Href: web.TicketPath(r.TicketKey)})
			view.Papers = append(view.Papers, link{Text: "Ticket as PDF", Href: web.OwnPaperPath(item.Transaction.ID, web.TicketFile)})
		}
	}
	if item.Product == enrol.ProductApplication {
		if err := h.addDocuments(c, v, item.Registration.ID, &view); err != nil {
			return err
		}
	}
	return h.Show(c, http.StatusOK, detailPage(h.Frame(), view))
}

// addDocuments adds the documents of an application, if it has any. Rejected uploads are shown on the upload page.
func (h *home) addDocuments(c *echo.Context, v admission.Visitor, registrationID string, view *detailView) error {
	all, err := h.Document.Overview(c.Request().Context(), v, registrationID)
	if err != nil || len(all.Documents) == 0 {
		return err
	}
	all.Uploads = nil
	in, needed := 0, 0
	for _, fact := range document.Kinds {
		row := documentViewOf(fact, all)
		view.Documents = append(view.Documents, row)
		if fact.Required != "" {
			needed++
			if row.ID != "" {
				in++
			}
		}
	}
	view.Sent = strconv.Itoa(in) + " of " + strconv.Itoa(needed) + " uploaded"
	return nil
}

// stepStates maps the state of a moment to that of its step.
var stepStates = map[MomentState]components.StepState{Happened: components.StepDone, Failed: components.StepFailed, Now: components.StepCurrent, Ahead: components.StepAhead}

func (h *home) timelineOf(moments []Moment) (timeline components.TimelineProps) {
	for _, m := range moments {
		timeline = append(timeline, components.TimelinePoint{State: stepStates[m.State], When: h.when(m), What: m.Title, Text: m.Text, Assignee: assigneeOf(m.Assignee)})
	}
	return timeline
}

// when omits the current year.
func (h *home) when(m Moment) string {
	if m.When != "" {
		return m.When
	}
	at := m.At.In(admission.IST)
	if at.Year() == h.Clock().In(admission.IST).Year() {
		return at.Format("2 Jan")
	}
	return admission.Date(m.At)
}

// dashEmpty replaces empty values by "-".
func dashEmpty(facts []fact) []fact {
	for i := range facts {
		facts[i].Value = cmp.Or(facts[i].Value, "-")
	}
	return facts
}

// paid returns the card of the payment and its documents; empty without an attempt.
func paid(detail registry.Detail) card {
	t, r := detail.Transaction, detail.Registration
	if t == nil {
		return card{}
	}
	facts := []fact{{Name: "Amount", Value: t.Charge.String()}}
	if t.Discount.Minor > 0 {
		facts = append(facts, fact{Name: "Coupon", Value: t.CouponCode})
	}
	at := admission.Date(t.SettledAt) + ", " + admission.TimeOfDay(t.SettledAt)
	switch {
	case r.Paid():
		facts = append(facts, fact{Name: "Paid on", Value: at})
	case detail.Money == status.MoneyFailed && !t.SettledAt.IsZero():
		facts = append(facts, fact{Name: "Failed on", Value: at})
	}
	facts = append(facts, fact{Name: "Payment ID", Value: t.ID, Wide: true, Fours: true})
	if r.Paid() && detail.Product == enrol.ProductApplication { // its receipt has no ticket to be listed with
		facts = append(facts, fact{Name: "Receipt", Value: "Open the receipt", Href: web.OwnReceiptPath(t.ID)})
	}
	papers := web.OwnInvoicePath(t.ID)
	if detail.Invoice != nil {
		facts = append(facts, fact{Name: "Tax invoice", Value: detail.Invoice.Number, Href: papers})
	}
	for _, note := range detail.CreditNotes {
		facts = append(facts, fact{Name: "Credit note", Value: note.Number, Href: papers})
	}
	for _, debit := range detail.DebitNotes {
		facts = append(facts, fact{Name: "Debit note that reverses " + debit.Reverses, Value: debit.Number, Href: papers})
	}
	return card{Title: "Payment", Facts: facts}
}

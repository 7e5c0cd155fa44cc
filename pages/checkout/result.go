package checkout

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

// result shows the result of an attempt. The query only identifies it: the gateway is queried.
func (h handlers) result(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	id := web.PaymentIDOf(c.QueryParams())
	if id == "" {
		return c.Redirect(http.StatusFound, web.PayPath) // which redirects if nothing is due
	}
	p, owner, err := h.attempt(c, v, id)
	if admission.HasKind(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	if owner && p.Registration.Product() == enrol.ProductApplication {
		return c.Redirect(http.StatusSeeOther, web.FeePaymentPath(id))
	}
	t := p.Transaction
	if t.Outcome() == payment.OutcomePaid && !p.Registration.HasPerson() { // its person was deleted, and the receipt too
		return h.unknownPayment(c)
	}
	view := resultView{Txn: id, Here: web.PaymentPath(id), Home: "/", Look: outcomeLooks[t.Outcome()], Support: h.Content.Current().Site().Support}
	if owner {
		view.Home = web.ScholarshipPath(p.Event.Slug)
		view.RegistrationID = p.Registration.ID
		view.Email = p.Registration.Email
	}
	if r := p.Registration; owner && r.PaidTxnID == id && (t.Outcome() == payment.OutcomePaid || r.Refunded) {
		return h.issued(c, v, view)
	} else if owner && h.isSurplus(p) { // the ticket's page says what becomes of it
		return c.Redirect(http.StatusSeeOther, web.PaymentPath(r.PaidTxnID))
	} else if owner && status.MoneyOf(&t, h.Clock()) == status.MoneyReturned && !r.Paid() {
		return c.Redirect(http.StatusSeeOther, web.PayForPath(r.ID)) // to pay again
	}
	switch t.Outcome() {
	case payment.OutcomePaid:
		if !status.Kept(&t) {
			view.Look.Text = ""
		}
		return h.Show(c, http.StatusOK, paidPage(h.Frame(), view))
	case payment.OutcomePending:
		view.setPending(t, h.Clock())
	case payment.OutcomeFailed:
		look := &view.Look
		switch {
		case !owner:
			look.First = ""
			look.Then = ""
		case p.Registration.Refunded:
			look.First, look.Then, look.Money = "Your enrolment has ended, and its fee is refunded.", "", "Not paid"
		default:
			view.MissingBy = missingBy(t)
			if err := h.otherAttempt(c.Request().Context(), v, p, &view, enrolmentPaidElsewhere); err != nil {
				return err
			}
		}
	}
	var texts []string
	if owner {
		texts, view.Pending = h.unpaidTicket(p, view.Look.Money)
		view.payAgain(p, h.Payment.Gateways.For(p.Event), p.Transaction.Charge.Short())
	}
	if p.Registration.Product() == enrol.ProductEnrolment { // an application's owner was redirected
		view.Steps = components.EnrolmentSteps(view.Look.Step, view.Look.StepText, texts...)
	}
	return h.Show(c, http.StatusOK, waitPage(h.Frame(), view))
}

// attempt verifies an attempt with its gateway, and reports whether the visitor owns it.
func (h handlers) attempt(c *echo.Context, v admission.Visitor, id string) (p payment.Details, owner bool, err error) {
	ctx := c.Request().Context()
	if _, err = h.Payment.Verify(ctx, id); err != nil {
		return p, false, err
	}
	if p, err = h.Payment.Find(ctx, id); err != nil {
		return p, false, err
	}
	owner, err = h.owns(c, v, p.Registration.ID)
	return p, owner, err
}

// issued shows the ticket of a paid attempt to its owner, also after a refund.
func (h handlers) issued(c *echo.Context, v admission.Visitor, view resultView) error {
	receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, view.Txn)
	if err != nil {
		return err
	}
	papers := ownLinks(receipt)
	view.Ticket, view.Notes = h.ticketOf(receipt), pages.MoneyNotes(receipt, h.Clock())
	view.Ticket.Receipt = papers.Receipt
	if receipt.Registration.Refunded {
		title, back := pages.RefundNotice(receipt, h.Clock())
		view.Look = resultLook{Title: title, Text: back.Strong + back.Text}
		if receipt.LostInDispute() {
			view.Look.Text = strings.TrimSpace(back.Text + " " + back.Strong)
		}
		view.Ticket.Ended = h.endedTicket(receipt)
		return h.Show(c, http.StatusOK, successPage(h.Frame(), view))
	}
	view.Ticket.PDF = papers.PDF(web.TicketFile)
	if h.isRecent(receipt.Transaction) && len(view.Notes) == 0 {
		view.Countdown = 5
	}
	switch {
	case papers.Invoice != "":
		view.Ticket.Mailed = "Ticket, receipt and tax invoice " + h.sent(receipt.Transaction)
	default:
		view.Ticket.Mailed = "Ticket and receipt " + h.sent(receipt.Transaction)
	}
	h.addLinkDate(view.Ticket)
	if days := daysAhead(*view.Ticket); len(days) > 0 {
		view.Next = "Next: " + prose.Lower(days[0].Name) + " on " + strings.TrimPrefix(days[0].On, "On ") + "."
	}
	view.Look.Title = "You are enrolled"
	if !status.Kept(&receipt.Transaction) {
		view.Look.Text = ""
	}
	if title, _ := pages.RefundNotice(receipt, h.Clock()); title == "" {
		view.Look.First = paidWords(receipt, h.Clock())
	}
	return h.Show(c, http.StatusOK, successPage(h.Frame(), view))
}

// paidWords states what was paid; "" where a note says that a part was refunded, or that a bank decides on it.
func paidWords(of receipt.Receipt, now time.Time) string {
	t := of.Transaction
	for _, note := range of.Notes(now) {
		switch {
		case note.Kind == receipt.DisputeBack && note.Amount == t.Charge && t.RefundedMinor == 0:
			return "Your enrolment is valid again."
		case note.Reason == receipt.PartOfFee, note.Kind == receipt.DisputeLost, note.Kind == receipt.DisputeOpen:
			return ""
		}
	}
	switch {
	case t.Charge.Minor == 0:
		return "Your coupon covered the whole fee."
	case of.Late:
		return "Your bank confirmed " + t.Charge.Short() + " late. The payment is complete."
	}
	return t.Charge.Short() + " is paid."
}

// isSurplus reports whether a payment was charged although another one has paid its enrolment.
func (h handlers) isSurplus(p payment.Details) bool {
	r := p.Registration
	if !r.Paid() || r.Refunded || r.PaidTxnID == p.Transaction.ID {
		return false
	}
	switch status.MoneyOf(&p.Transaction, h.Clock()) {
	case status.MoneyDueBack, status.MoneyHeld, status.MoneyReturning, status.MoneyReturned:
		return true
	}
	return false
}

// missingBy returns the day by which the money of a failed payment is back.
func missingBy(t payment.Transaction) string {
	return admission.DayMonthAndWeekday(admission.BusinessDays(t.CreatedAt, payment.SurplusDays))
}

// isRecent reports whether a payment settled within the last hour. Later its page no longer redirects.
func (h handlers) isRecent(t payment.Transaction) bool {
	return h.Clock().Before(t.SettledAt.Add(time.Hour))
}

// sent returns the verb of the payment's mailed documents.
func (h handlers) sent(t payment.Transaction) string {
	if h.isRecent(t) {
		return "go to"
	}
	return "went to"
}

// addLinkDate adds the date of the exam's link to the line of dates.
func (h handlers) addLinkDate(ticket *pages.TicketView) {
	if ticket.LinkBy.IsZero() || ticket.LinkBy.Over(h.Clock()) {
		return
	}
	for i, day := range ticket.Dates.Items {
		if day.Main {
			ticket.Dates.Items[i].Text += " Link by e-mail, by " + ticket.LinkBy.DayAndMonth() + "."
		}
	}
}

// unpaidTicket returns the ticket of an unconfirmed payment and the texts of its steps, for its owner.
func (h handlers) unpaidTicket(p payment.Details, money string) ([]string, *components.PendingTicketProps) {
	r := p.Registration
	state, _ := india.StateByCode(r.StateCode)
	course, phone := enrol.CourseLabel(r.Course), pages.Mobile(r.Phone)
	ticket := h.ticketOfAttempt(p, "All taxes included", components.Fact{Name: "Course", Value: course})
	ticket.Money = money
	if t := p.Transaction; money == outcomeLooks[payment.OutcomeFailed].Money && t.Charge.Currency != t.List.Currency {
		ticket.Amount, ticket.Or = t.List.With(t.List.Minor-t.Discount.Minor).String(), "or "+t.Charge.String()
		if gateway, known := h.Payment.Gateways.Find(t.Gateway); known {
			ticket.Or += " with " + gateway.Provider
		}
	}
	if page, known := h.Content.Current().Landing(r.EventSlug, h.Clock()); known {
		ticket.Day, ticket.Month, ticket.Weekday = page.Event.Exam.Parts()
		if where := page.Event.Ticket.Where; where != "" {
			ticket.Kept = append(ticket.Kept, components.Fact{Name: "Exam", Value: where})
		}
	}
	ticket.Kept = append(ticket.Kept, components.Fact{Name: "Phone", Value: phone + ", verified"}, components.Fact{Name: "E-mail", Value: r.Email}, components.Fact{Name: "State", Value: state.Name})
	return []string{r.FullName, phone, course, "Terms accepted"}, ticket
}

// ticketOfAttempt returns the ticket of an attempt, with its taxes and details.
func (h handlers) ticketOfAttempt(p payment.Details, taxes string, kept ...components.Fact) *components.PendingTicketProps {
	t, r := p.Transaction, p.Registration
	amount := t.Charge
	switch money := status.MoneyOf(&t, h.Clock()); { // the received amount may differ from the requested one
	case money == status.MoneyReview && t.Arrived.Currency != "":
		amount = t.Arrived
	case money == status.MoneyReturned && t.RefundedMinor > 0:
		amount = t.Charge.With(t.RefundedMinor)
	}
	return &components.PendingTicketProps{
		Programme: p.Event.Title, Name: r.FullName, Kept: kept, Amount: amount.String(),
		For: feeOf(r) + ", " + prose.Lower(taxes), Payee: h.Payee(), Payment: t.ID,
	}
}

type resultView struct {
	Txn            string
	Here           string // path of this page
	Home           string // path to continue
	Look           resultLook
	Support        content.Contact
	Email          string            // of the payer
	RegistrationID string            // "" for others
	Countdown      int               // seconds until a paid page redirects; 0 if it does not
	Ticket         *pages.TicketView // of a paid attempt's owner
	Notes          []pages.MoneyNote // below the ticket
	Steps          components.StepperProps
	Pending        *components.PendingTicketProps // of an unpaid attempt's owner; nil for others, who see only the outcome
	Again          string                         // label of the retry with its price; "" if nothing can be paid
	Next           string                         // next step after payment: "Next: mock test on Sunday, 7 March."; "" for none
	Gateway        string                         // gateway of the retry; "" for the first
	OtherMethods   bool                           // other methods exist
	Poll           bool                           // the gateway has not answered
	Checked        []pages.Notice                 // what can happen to a payment under review
	MissingBy      string                         // day by which the money of a failed payment is back; "" for others
	OpenUntil      string                         // time of day at which a pending attempt expires; "" if unknown
	Reopen         string                         // page that can pay until then
	OtherAttempt   components.Link                // link to another attempt that has paid or is open; then there is no retry
}

// resultLook is an outcome's appearance and words.
type resultLook struct {
	Outcome  string
	Title    string
	First    string // larger, before Then and Text
	Then     string
	Text     string // title and text of spec §2
	Money    string // label of the amount on the ticket
	Step     components.StepState
	StepText string // state of the last step
}

// refunded is the text of spec §2 about money taken by a failed payment.
const refunded = "Any amount deducted will be refunded in " + pages.SurplusTime + "."

var outcomeLooks = map[payment.Outcome]resultLook{
	payment.OutcomePaid: {
		Outcome: "paid", Title: "Your payment has arrived",
		Text: "Congratulations! Your registration has been successfully submitted. Our team will get in touch with you soon for the next steps.",
	},
	payment.OutcomePending: {
		Outcome: "pending", Title: "Do not pay again",
		First: asksBank + "e-mail you when it answers.",
		Then:  "You need not do anything now. You can close this page and come back.",
		Text:  "Transaction in pending! Your transaction is in processing due to some technical issue. " + refunded,
		Money: "Waiting for your bank", Step: components.StepWaiting, StepText: "waiting for the bank",
	},
	payment.OutcomeFailed: {
		Outcome: "failed", Title: enrol.PaymentFailed,
		First: "You are not enrolled yet. Your details are kept.",
		Then:  "Check your bank or UPI app before you pay again.",
		Text:  "Transaction failed! Your transaction could not be processed due to some technical issue. " + refunded,
		Money: "Still to pay", Step: components.StepFailed, StepText: "is missing",
	},
}

// asksBank begins the sentence about a pending payment.
const asksBank = "We ask the bank every few seconds and "

// Looks of pending payments that do not wait for a bank.
var (
	underReview = resultLook{
		Outcome: "pending", Title: pages.BeingChecked, First: "Do not pay again. A reviewer checks this payment.",
		Money: "Received, being checked", Step: components.StepWaiting, StepText: "being checked",
	}
	dueLook = resultLook{
		Outcome: "pending", Title: "We are refunding this payment",
		First: "We e-mail the payer when the money is sent.",
		Money: "To be refunded", Step: components.StepWaiting, StepText: "being refunded",
	}
	returningLook = resultLook{
		Outcome: "pending", Title: "Refund sent",
		Text:  "It goes to the account it was paid from.",
		Money: "Refund sent", Step: components.StepWaiting, StepText: "refund sent",
	}
	heldLook = resultLook{
		Outcome: "pending", Title: "Your payment is still with us",
		First: "The payment provider refused our refund, or the bank returned it.",
		Text:  "The money is safe. We refund the payer another way and e-mail the next step.",
		Money: "Still with us", Step: components.StepWaiting, StepText: "still with us",
	}
	returnedLook = resultLook{
		Outcome: "pending", Title: paymentReturned,
		Text:  "It went to the account it was paid from.",
		Money: "Refunded", Step: components.StepFailed, StepText: "refunded",
	}
)

// setPending sets the view of a pending payment. The page polls while the outcome is open; a review has a
// deadline.
func (v *resultView) setPending(t payment.Transaction, now time.Time) {
	switch status.MoneyOf(&t, now) {
	case status.MoneyReview:
		v.Look = underReview
		if v.RegistrationID != "" && t.Arrived.Currency != "" {
			v.setReview(t, now)
		}
	case status.MoneyDueBack:
		v.Look = dueLook
		if v.RegistrationID != "" {
			v.Look.First = "We e-mail you when the money is sent."
		}
	case status.MoneyReturning:
		v.Look = returningLook
	case status.MoneyHeld:
		v.Look = heldLook
		if v.RegistrationID != "" {
			v.Look.Text = "The money is safe, and it is yours. We refund you another way and e-mail you the next step."
		}
	case status.MoneyReturned:
		v.Look = returnedLook
	default:
		v.Poll = true
		if v.RegistrationID == "" {
			v.Look.First, v.Look.Then = asksBank+"write to the payer when it answers.", ""
		}
		if t.Open() && now.Before(t.ExpiresAt) {
			v.OpenUntil, v.Reopen = openUntilAt(t.ExpiresAt, now), web.CheckoutAgainPath(t.ID)
		}
	}
}

// setReview sets the view of a payment under review for its owner: what reached us, and what can happen.
func (v *resultView) setReview(t payment.Transaction, now time.Time) {
	arrived, fee, differs := t.Arrived.String(), t.Charge.String(), t.Charge.With(t.Charge.Minor-t.Arrived.Minor)
	back := pages.Notice{Strong: "Not accepted", Text: "We refund " + arrived + " within " + pages.SurplusTime + ", and you can pay again."}
	v.Look.First, v.Checked = "Do not pay again. "+arrived+" reached us, not the fee of "+fee+".", []pages.Notice{back}
	if t.Arrived.Currency == t.Charge.Currency {
		than, accepted := " less than the fee.", "You are enrolled for "+arrived+". The invoice says so."
		if differs.Minor < 0 {
			differs.Minor = -differs.Minor
			than, accepted = " more than the fee.", "You are enrolled, and we refund "+differs.String()+". The invoice is for "+fee+"."
		}
		v.Look.First = "Do not pay again. " + arrived + " reached us, " + differs.String() + than
		v.Checked = []pages.Notice{{Strong: "Accepted", Text: accepted}, back}
	}
	v.Look.Then = "A reviewer decides" + pages.ReviewDeadline(t, now) + ". We e-mail you either way, and keep your place."
}

// paymentReturned is the title of a returned payment.
const paymentReturned = "Your payment was refunded"

// ledes returns the paragraphs below the title of a paid attempt.
func (v resultView) ledes() []lede {
	ledes := []lede{{Text: v.Look.First, Next: v.Next}, {Text: v.Look.Text}}
	return slices.DeleteFunc(ledes, func(l lede) bool { return l == lede{} })
}

func (v resultView) page() components.Page {
	page := components.Page{Title: v.Look.Title}
	if v.Poll {
		page.Refresh = pollSeconds
	}
	return page
}

// payAgain sets the retry, with the attempt's gateway if it is still offered. A refunded registration has none. With several
// methods the next page has the price.
func (v *resultView) payAgain(p payment.Details, offered []payment.Entry, amount string) {
	if slices.ContainsFunc(offered, func(way payment.Entry) bool { return way.Name == p.Transaction.Gateway }) {
		v.Gateway = p.Transaction.Gateway
	}
	v.OtherMethods = len(offered) > 1
	switch {
	case p.Registration.Refunded:
	case v.OtherMethods:
		v.Again = "Try again"
	default:
		v.Again = "Try again, " + amount
	}
}

func (v resultView) tryAgain() bool {
	return v.Look.Outcome == "failed" && v.Again != "" && v.OtherAttempt.Text == ""
}

// pollSeconds is the interval at which a pending page polls.
const pollSeconds = 3

// poll returns the attributes that make the page poll itself while it is pending.
func (v resultView) poll() templ.Attributes {
	if !v.Poll {
		return nil
	}
	return templ.Attributes{"data-poll": v.Here}
}

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
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// result shows how an attempt ended. The query only says which one: the gateway is asked what happened.
func (h handlers) result(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	id := web.PaymentIDOf(c.QueryParams())
	if id == "" {
		return c.Redirect(http.StatusFound, web.PayPath) // which leads on where there is nothing to pay
	}
	p, owner, err := h.attempt(c, v, id)
	if isProblem(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	if owner && p.Registration.Product() == enrol.ProductApplication {
		return c.Redirect(http.StatusSeeOther, web.FeePaymentPath(id))
	}
	t := p.Transaction
	if t.Outcome() == payment.OutcomePaid && !p.Registration.HasPerson() { // whose receipt is gone too
		return h.unknownPayment(c)
	}
	view := resultView{Txn: id, Here: web.PaymentPath(id), Home: "/", Look: looks[t.Outcome()], Support: h.Content.Current().Site().Support}
	if owner {
		view.Home = web.ScholarshipPath(p.Event.Slug)
		view.RegistrationID = p.Registration.ID
		view.Email = p.Registration.Email
	}
	paid := t.Outcome() == payment.OutcomePaid
	if owner && paid && h.justPaid(t) {
		view.Countdown = 5
	}
	if owner && p.Registration.PaidTxnID == id && (paid || p.Registration.Refunded) {
		return h.issued(c, v, view)
	}
	switch t.Outcome() {
	case payment.OutcomePaid:
		return h.Show(c, http.StatusOK, paidPage(h.Frame(), view))
	case payment.OutcomePending:
		view.movesOf(t, h.Clock(), h.Content.Current().Site().PaymentReviewDays)
		if owner && !view.Poll && p.Registration.Paid() && !p.Registration.Refunded {
			view.Look.Then, view.Beside = enrolmentBeside.arrived, enrolmentBeside.paidBy(p.Registration)
		}
	case payment.OutcomeFailed:
		look := &view.Look
		switch {
		case !owner:
			look.First = ""
		case p.Registration.Refunded:
			look.First, look.Money = "Your enrolment has ended: what paid for it has gone back.", "Not paid"
		default:
			if err := h.beside(c.Request().Context(), v, p, &view, enrolmentBeside); err != nil {
				return err
			}
		}
	}
	var texts []string
	if owner {
		texts, view.Hanging = h.hanging(p, view.Look.Money)
		view.payAgain(p, h.Payment.Gateways.For(p.Event))
	}
	if p.Registration.Product() == enrol.ProductEnrolment { // the owner of an application was led on
		view.Knots = components.PaidKnots(view.Look.Knot, view.Look.Knows, texts...)
	}
	return h.Show(c, http.StatusOK, waitPage(h.Frame(), view))
}

// attempt asks how an attempt stands, and whether it is the visitor's.
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

// issued shows the ticket of who has paid with this attempt, also where the fee has gone back since.
func (h handlers) issued(c *echo.Context, v admission.Visitor, view resultView) error {
	receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, view.Txn)
	if err != nil {
		return err
	}
	papers := ownLinks(receipt)
	view.Ticket = h.ticketOf(receipt)
	view.Ticket.Receipt, view.Ticket.PDF = papers.Receipt, papers.PDF(web.TicketFile)
	switch {
	case receipt.Registration.Refunded:
		title, back := h.wayBack(receipt)
		view.Look = resultLook{Title: title, Text: back.Strong + back.Text}
		view.Ticket.Mailed = "We have written to"
	case papers.Invoice != "":
		view.Ticket.Mailed = "Ticket, receipt and tax invoice " + h.sent(receipt.Transaction)
	default:
		view.Ticket.Mailed = "Ticket and receipt " + h.sent(receipt.Transaction)
	}
	if !receipt.Registration.Refunded {
		h.sayLink(view.Ticket)
		if days := daysAhead(*view.Ticket); len(days) > 0 {
			view.Next = "Next: " + nameInSentence(days[0].Name) + " on " + strings.TrimPrefix(days[0].On, "On ") + "."
		}
		view.Look.Title, view.Look.First = "You are enrolled", "Your coupon has covered the whole fee."
		if charge := receipt.Transaction.Charge; charge.Minor > 0 {
			view.Look.First = charge.Short() + " has arrived."
		}
	}
	return h.Show(c, http.StatusOK, successPage(h.Frame(), view))
}

// justPaid reports whether a payment has arrived in this hour: later its page is opened again to be read, and stays.
func (h handlers) justPaid(t payment.Transaction) bool {
	return h.Clock().Before(t.SettledAt.Add(time.Hour))
}

// sent says what the papers of a payment do, before whom they are for.
func (h handlers) sent(t payment.Transaction) string {
	if h.justPaid(t) {
		return "are on their way to"
	}
	return "went to"
}

// sayLink adds to the exam on the line of dates by when its link comes.
func (h handlers) sayLink(ticket *pages.TicketView) {
	if ticket.LinkBy.IsZero() || ticket.LinkBy.Over(h.Clock()) {
		return
	}
	for i, day := range ticket.Dates.Items {
		if day.Main {
			ticket.Dates.Items[i].Text += " Link by e-mail, by " + ticket.LinkBy.DayAndMonth() + "."
		}
	}
}

// hanging is the ticket of a payment that is not confirmed, and what its steps say, for who has made it.
func (h handlers) hanging(p payment.Details, money string) ([]string, *components.HangingProps) {
	r := p.Registration
	state, _ := india.StateByCode(r.StateCode)
	course, phone := enrol.CourseLabel(r.Course), pages.Mobile(r.Phone)
	ticket := h.hangingOf(p, "All taxes included", components.Fact{Name: "Course", Value: course})
	ticket.Money = money
	if t := p.Transaction; money == looks[payment.OutcomeFailed].Money && t.Charge.Currency != t.List.Currency {
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

// hangingOf is the ticket of an attempt, with what its price has in it, and what it keeps.
func (h handlers) hangingOf(p payment.Details, taxes string, kept ...components.Fact) *components.HangingProps {
	t, r := p.Transaction, p.Registration
	amount := t.Charge
	if status.MoneyOf(&t, h.Clock()) == status.MoneyReturned && t.RefundedMinor > 0 { // what came may have been another sum than was asked for
		amount = t.Charge.With(t.RefundedMinor)
	}
	return &components.HangingProps{
		Programme: p.Event.Title, Name: r.FullName, Kept: kept, Amount: amount.String(),
		For: feeNameOf(r) + ", " + content.Lower(taxes), Payee: h.Payee(), Payment: t.ID,
	}
}

type resultView struct {
	Txn            string
	Here           string // address of this page
	Home           string // where a person goes on
	Look           resultLook
	Support        content.Contact
	Email          string            // of the one who pays
	RegistrationID string            // "" for anybody else
	Countdown      int               // seconds until a paid page goes on by itself; 0: it stays
	Ticket         *pages.TicketView // of who has paid with this attempt
	Knots          components.KnotsProps
	Hanging        *components.HangingProps // of who has not; nil for anybody else, who learns the outcome only
	Again          string                   // the button that pays again, with what it costs; "" where nothing can be paid
	Next           string                   // what comes next of who has paid: "Next: mock test on Sunday, 7 March."; "" where nothing does
	Gateway        string                   // with which one tries again; "" for the first
	OtherMethods   bool                     // there are other ways to pay
	Poll           bool                     // the gateway has not answered
	OpenUntil      string                   // time of day at which a pending attempt is over; "" where nobody knows
	Reopen         string                   // where it can still be paid until then
	Beside         components.Link          // to another attempt, which has paid or is open: then nothing is tried again
}

// resultLook is how an outcome is drawn, and its words.
type resultLook struct {
	Outcome string
	Title   string
	First   string // stands before Then and Text, and is larger
	Then    string
	Text    string // title and text of spec §2
	Money   string // what the amount on the ticket is
	Knot    components.KnotState
	Knows   string // how the last step stands
}

// refunded is what spec §2 says of money that was taken though the payment has not arrived.
const refunded = "Any amount deducted will be refunded in 3-4 business days."

var looks = map[payment.Outcome]resultLook{
	payment.OutcomePaid: {
		Outcome: "paid", Title: "Your payment has arrived",
		Text: "Congratulations! Your registration has been successfully submitted. Our team will get in touch with you soon for the next steps.",
	},
	payment.OutcomePending: {
		Outcome: "pending", Title: "Do not pay again",
		First: "We ask the bank every few seconds, and write to you when it answers.",
		Then:  "You need not do anything now. This page shows the answer, also if you come back later.",
		Text:  "Transaction in pending! Your transaction is in processing due to some technical issue.",
		Money: "Waiting for your bank", Knot: components.KnotWaiting, Knows: "waiting for the bank",
	},
	payment.OutcomeFailed: {
		Outcome: "failed", Title: enrol.PaymentFailed,
		First: pages.OnlyUnpaid,
		Text:  "Transaction failed! Your transaction could not be processed due to some technical issue. " + refunded,
		Money: "Still to pay", Knot: components.KnotFailed, Knows: "is missing",
	},
}

// What buys nothing here, or not yet: its outcome is pending, and it waits for no bank.
var (
	isChecked = resultLook{
		Outcome: "pending", Title: pages.BeingChecked, First: "Do not pay again. " + pages.NotAsked + ", and a person looks at it.",
		Text: nothingToDo + " We write to you as soon as we know more.", Money: "Being checked", Knot: components.KnotWaiting, Knows: "being checked",
	}
	goesBack = resultLook{
		Outcome: "pending", Title: "Your payment is on its way back",
		First: "This payment is on its way back to where it came from.",
		Then:  "You need not do anything now.",
		Text:  refunded,
		Money: "On its way back", Knot: components.KnotWaiting, Knows: "on its way back",
	}
	wentBack = resultLook{
		Outcome: "pending", Title: goneBack,
		Text:  "This payment has gone back to where it came from.",
		Money: "Refunded", Knot: components.KnotFailed, Knows: "refunded",
	}
)

// movesOf shows where the money of a pending payment is; while the outcome is open the page asks on. One that is being checked
// is looked at within that many business days.
func (v *resultView) movesOf(t payment.Transaction, now time.Time, reviewDays int) {
	switch status.MoneyOf(&t, now) {
	case status.MoneyReview:
		v.Look = isChecked
		if v.RegistrationID != "" && t.Arrived.Currency != "" {
			v.Look.First = "Do not pay again. " + t.Arrived.Short() + " reached us. " + pages.AmountDifference(t) + " A person looks at it" + pages.ReviewDeadline(t, reviewDays, now) + "."
		}
	case status.MoneyDueBack, status.MoneyReturning:
		v.Look = goesBack
	case status.MoneyReturned:
		v.Look = wentBack
	default:
		v.Poll = true
		if t.Open() && now.Before(t.ExpiresAt) {
			v.OpenUntil, v.Reopen = openUntilAt(t.ExpiresAt, now), web.CheckoutPath(t.ID)
		}
	}
}

// goneBack is the title of what was paid and is no longer held.
const goneBack = "Your payment has gone back"

// ledes are what stands below the title of who has paid.
func (v resultView) ledes() []lede {
	text := lede{Text: v.Look.Text}
	if v.Look.First == "" {
		return []lede{text}
	}
	return []lede{{Text: v.Look.First, Next: v.Next}, text}
}

func (v resultView) page() components.Page {
	page := components.Page{Title: v.Look.Title}
	if v.Poll {
		page.Refresh = pollSeconds
	}
	return page
}

// payAgain sets how one pays again: with the gateway of the attempt where it is still offered. What has ended is not paid again;
// where one chooses how, the next page says how much.
func (v *resultView) payAgain(p payment.Details, offered []payment.Entry) {
	if slices.ContainsFunc(offered, func(way payment.Entry) bool { return way.Name == p.Transaction.Gateway }) {
		v.Gateway = p.Transaction.Gateway
	}
	v.OtherMethods = len(offered) > 1
	switch {
	case p.Registration.Refunded:
	case v.OtherMethods:
		v.Again = "Try again"
	default:
		v.Again = "Try again, " + p.Transaction.Charge.Short()
	}
}

// then is what follows the first words: whoever may pay again looks for the money before.
func (v resultView) then() string {
	if v.tryAgain() {
		return enrol.CheckBankFirst + "."
	}
	return v.Look.Then
}

func (v resultView) tryAgain() bool {
	return v.Look.Outcome == "failed" && v.Again != "" && v.Beside.Text == ""
}

// pollSeconds is how often a pending page asks.
const pollSeconds = 3

// poll lets the script of the page ask for this page, until it is no longer pending.
func (v resultView) poll() templ.Attributes {
	if !v.Poll {
		return nil
	}
	return templ.Attributes{"data-poll": v.Here}
}

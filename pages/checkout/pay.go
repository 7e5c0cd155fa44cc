package checkout

import (
	"net/http"
	"slices"
	"strings"

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
	"hiresure/web"
)

const registrationField = web.RegistrationQuery

// nothingToPay is the current event's form with a message, for a browser without an enrolment.
const nothingToPay = "/#" + web.NoEnrolment

// pay shows what is due and the payment status, without starting anything: of the registration in the address, otherwise of
// the latest.
func (h handlers) pay(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	var r enrol.Registration
	id := c.QueryParam(registrationField)
	if id != "" {
		r, err = h.Enrol.RegistrationOfVisitor(c.Request().Context(), v, id)
	} else {
		r, err = h.Enrol.LatestRegistration(c.Request().Context(), v, "")
	}
	switch {
	case admission.HasKind(err, admission.NotFound) && v.AccountID == "": // perhaps another browser's: its number gets a code
		verified, err := h.Account.VerifiedAddress(c.Request().Context(), v)
		if err != nil {
			return err
		}
		if verified != "" {
			return c.Redirect(http.StatusFound, web.HomePath) // says what this number has
		}
		if id == "" {
			return c.Redirect(http.StatusFound, web.SignInTo(web.PayPath))
		}
		return c.Redirect(http.StatusFound, web.SignInTo(web.PayForPath(id)))
	case admission.HasKind(err, admission.NotFound):
		return c.Redirect(http.StatusFound, nothingToPay)
	case err != nil:
		return err
	}
	if c.QueryParam(web.TypedQuery) == web.TypedAnother && r.Product() == enrol.ProductEnrolment && !r.Refunded {
		return h.showOtherPerson(c, v, r.ID)
	}
	return h.showPay(c, v, r.ID, nil)
}

// start starts an attempt, or continues the open one, and redirects to its checkout.
func (h handlers) start(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	form, err := read(c)
	if err != nil {
		return err
	}
	id := form.Get(registrationField)
	if id == "" {
		r, err := h.Enrol.LatestRegistration(c.Request().Context(), v, "")
		if err != nil && !admission.HasKind(err, admission.NotFound) {
			return err
		}
		id = r.ID
	}
	t, err := h.Payment.Start(c.Request().Context(), v, payment.StartRequest{RegistrationID: id, Gateway: form.Get("gateway")})
	switch problem := admission.AsProblem(err); {
	case problem != nil && problem.Kind == admission.NotFound:
		return c.Redirect(http.StatusSeeOther, nothingToPay)
	case problem != nil:
		return h.showPay(c, v, id, problem)
	case err != nil:
		return err
	case status.MoneyOf(&t, h.Clock()) == status.MoneyPaid: // nothing was due
		return c.Redirect(http.StatusSeeOther, h.returnURL(t))
	case t.Checkout == nil: // the gateway did not answer
		return h.showPay(c, v, id, &admission.Problem{Kind: admission.Unavailable, Message: payment.NoAnswer})
	}
	return c.Redirect(http.StatusSeeOther, web.CheckoutPath(t.ID))
}

type payView struct {
	payTicketView
	Home           string
	RegistrationID string
	Refusal        string       // why no attempt was started
	Coupon         string       // note about the coupon
	Change         string       // page that changes the details; "" once closed
	Free           bool         // nothing is charged
	FreeWith       string       // gateway that charges nothing, if an open attempt would charge; else ""
	PlayMoney      bool         // all methods use play money
	Methods        []methodView // shown if more than one
	Button         string       // "" when nothing is due
	Between        string       // text between Button and the chosen method's amount; "" if Button is complete
	OpenUntil      string
	Paid           *paidLinks
	Ticket         string // its page; "" for none
	Again          string // page to enrol again; "" while closed
	Support        content.Contact
}

// noActionNeeded is the text of a payment under review.
const noActionNeeded = "There is nothing for you to do."

// buttonOf returns the payment button, and the text between it and the chosen method's amount, if methods charge different
// amounts.
func buttonOf(words content.StatusText, due payment.Due, amount string) (button, between string) {
	before, _, has := strings.Cut(words.Button, "{amount}")
	if !has || sameAmount(due) {
		return pages.Fill(words.Button, map[string]string{"amount": amount}), ""
	}
	button = strings.TrimRight(before, ", ")
	return button, strings.TrimPrefix(before, button)
}

// frozenNote describes what an open payment has frozen and its payer changed since: the coupon, and the details on the
// invoice.
func frozenNote(due payment.Due) string {
	open, r := due.Open, due.Registration
	later := "start a new payment when this one ends"
	if len(due.Methods) > 1 {
		later += ", or choose another way to pay"
	}
	switch state, _ := india.StateByCode(open.Payer.StateCode); {
	case r.CouponCode == "" && open.CouponCode != "":
		return "This payment still includes the coupon " + open.CouponCode + ". To pay without it, " + later + "."
	case r.CouponCode != "" && r.CouponCode != open.CouponCode:
		return "This payment does not include the coupon " + r.CouponCode + ". To use it, " + later + "."
	case !open.Payer.Matches(&r):
		return "This payment and its invoice are for " + open.Payer.Name + ", " + state.Name + ". To use your new details, " + later + "."
	}
	return ""
}

// free sets the view of a coupon that covers the whole fee, also during an attempt opened without it.
func (v *payView) free(due payment.Due) {
	if due.Open != nil {
		v.FreeWith, v.OpenUntil, v.Coupon = due.Chosen(due.Methods), "", ""
	}
	v.Free, v.payTicketView.Paid, v.Methods, v.Terms = true, true, nil, nil
	v.Title, v.Lede, v.Button = "One step is left", "Your coupon covers the whole fee. You are enrolled as soon as you press the button.", "Complete my registration"
}

// refunded sets the view of a refunded registration, which has ended.
func (v *payView) refunded(title, step, again string) {
	v.Refunded, v.Again, v.Ticket = true, again, ""
	v.Title, v.Lede = title, "You are no longer enrolled."
	v.Steps = components.EnrolmentSteps(components.StepFailed, step)
	if again != "" {
		v.Lede += " You can enrol again while enrolment is open."
	}
}

// changeOf returns the page that changes an enrolment's details; "" once closed.
func (h handlers) changeOf(due payment.Due) string {
	if due.Registration.Paid() || due.Refusal != "" || due.Event.Closed(h.Clock()) != "" {
		return ""
	}
	return web.ChangePath(due.Event.Slug, due.Registration.ID)
}

// showPay shows the payment page: return, or a refused start.
func (h handlers) showPay(c *echo.Context, v admission.Visitor, registrationID string, refusal *admission.Problem) error {
	due, err := h.Payment.Due(c.Request().Context(), v, registrationID)
	if err != nil {
		return err
	}
	upiFirst(v, &due)
	r := due.Registration
	if r.Product() == enrol.ProductApplication {
		return c.Redirect(http.StatusSeeOther, web.FeePath)
	}
	standing := pages.DueStanding(h.Content.Current(), due, h.Clock())
	words := standing.Unpaid.Pay
	step, _ := standing.PaymentStep()
	charge, coupon := pages.ChargeOf(due)
	view := payView{
		payTicketView: h.payTicket(r, due.Event, step, words.Step, due.Price.List, due.Price.Discount, charge, coupon),
		Home:          web.ScholarshipPath(due.Event.Slug), RegistrationID: r.ID, Coupon: due.CouponGone, Support: h.Content.Current().Site().Support,
	}
	view.failed(standing.Failed(), due.Failed)
	view.Title, view.Lede = pages.Fill(words.Title, map[string]string{"amount": charge.Short()}), words.Text
	view.Button, view.Between = buttonOf(words, due, charge.Short())
	if standing.Phase == status.PaymentReturned && !due.Refund.Reason.ByDispute() {
		view.returned(*due.Payment, due.Refund, h.Clock())
	}
	view.addContact(r)
	if due.Refusal != "" { // the reason replaces the button
		view.Button, view.Refusal = "", due.Refusal
	}
	code := http.StatusOK
	if refusal != nil {
		code, view.Refusal = web.StatusOf(refusal), refusal.Message
	}
	if view.Refusal == view.Coupon {
		view.Coupon = ""
	}
	if r.Paid() { // the page explains the refusal
		view.Refusal = ""
		receipt, err := h.showPaid(c, v, due, &view)
		if err != nil {
			return err
		}
		switch {
		case r.Refunded:
			again := ""
			if due.Event.Closed(h.Clock()) == "" {
				again = view.Home
			}
			title, _ := pages.RefundNotice(receipt, h.Clock())
			step := h.Content.Current().Status(string(r.Product()), string(receipt.RefundPhase(h.Clock()))).Step
			view.refunded(title, step, again)
			view.AmountNote = h.ticketOf(receipt).Ticket.Money
		case view.Paid.Free:
			view.Title, view.Lede = "You are enrolled", "There is nothing to pay."
		}
		return h.Show(c, code, payPage(h.Frame(), view))
	}
	view.Change = h.changeOf(due)
	if standing.Phase == status.PaymentOpen {
		view.OpenUntil = openUntilAt(due.Open.ExpiresAt, h.Clock())
		if view.Refusal == "" {
			view.Coupon = frozenNote(due)
		}
	}
	if standing.Phase == status.PaymentReview && due.Payment.Arrived.Currency != "" {
		view.Checked, view.Amount, view.AmountNote, view.Less, view.Struck = true, due.Payment.Arrived.String(), "Received, being checked", "", ""
	}
	view.Methods = methodsOf(due)
	switch {
	case charge.Minor == 0 && view.Button != "":
		view.free(due)
	case len(due.Methods) == 0 && len(due.Unavailable) > 0 && view.Button != "":
		view.Title, view.Button, view.Refusal = notPossible, "", allSilent
		view.Lede = "Nothing is charged. Enrolment is open until " + due.Event.LastDay() + "."
	case view.Button != "":
		view.PlayMoney = !slices.ContainsFunc(due.Methods, func(m payment.Method) bool { return !m.PlayMoney })
	}
	if view.Button == "" {
		view.Terms = nil
	}
	return h.Show(c, code, payPage(h.Frame(), view))
}

// showPaid adds the payment and its documents to the page.
func (h handlers) showPaid(c *echo.Context, v admission.Visitor, due payment.Due, view *payView) (receipt.Receipt, error) {
	receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, due.Registration.PaidTxnID)
	if err != nil {
		return receipt, err
	}
	t, title, lede := receipt.Transaction, view.Title, view.Lede
	view.payTicketView = h.payTicket(due.Registration, due.Event, components.StepDone, "", t.List, t.Discount, t.Charge, t.CouponCode)
	view.addContact(due.Registration)
	view.Title, view.Lede, view.payTicketView.Paid, view.Paid = title, lede, true, new(ownLinks(receipt))
	if due.Registration.TicketKey != "" {
		view.Ticket = web.TicketPath(due.Registration.TicketKey)
	}
	return receipt, nil
}

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

// nothingToPay is where a browser is led that looks for a payment and has none: to the current event's form, which says so.
const nothingToPay = "/#" + web.NoEnrolment

// pay is the page to come back to: what, how much, how it stands. It starts nothing. It is of the registration that its
// address names, or else of the latest.
func (h handlers) pay(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	var r enrol.Registration
	if id := c.QueryParam(registrationField); id != "" {
		r, err = h.Enrol.RegistrationOfVisitor(c.Request().Context(), v, id)
	} else {
		r, err = h.Enrol.LatestRegistration(c.Request().Context(), v, "")
	}
	if isProblem(err, admission.NotFound) {
		return c.Redirect(http.StatusFound, nothingToPay)
	}
	if err != nil {
		return err
	}
	if c.QueryParam(web.TypedQuery) == web.TypedAnother && r.Product() == enrol.ProductEnrolment && !r.Refunded {
		return h.showAnothers(c, v, r.ID)
	}
	return h.showPay(c, v, r.ID, nil)
}

// start opens an attempt, or goes on with the one that is open, and leads to its checkout.
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
		if err != nil && !isProblem(err, admission.NotFound) {
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
	case status.MoneyOf(&t, h.Clock()) == status.MoneyPaid: // there was nothing to pay
		return c.Redirect(http.StatusSeeOther, h.returnURL(t))
	case t.Checkout == nil: // the gateway has not answered
		return h.showPay(c, v, id, &admission.Problem{Kind: admission.Unavailable, Message: payment.NoAnswer})
	}
	return c.Redirect(http.StatusSeeOther, web.CheckoutPath(t.ID))
}

type payView struct {
	tornView
	Home           string
	RegistrationID string
	Refusal        string     // why nothing was started
	Coupon         string     // what is to be known of it
	Change         string     // where the details can still be changed; "" where they cannot
	Free           bool       // nothing is charged
	FreeWith       string     // the gateway that takes nothing, beside an open attempt that would take something; else ""
	PlayMoney      bool       // no way to pay here takes real money
	Methods        []wayToPay // more than one: to choose from
	Button         string     // "" where there is nothing to pay
	Between        string     // stands between Button and the amount of the way that is chosen; "" where Button says it all
	OpenUntil      string
	Paid           *paidLinks
	Ticket         string // its page; "" where there is none
	Again          string // where one may enrol again; "" where one may not
	Support        content.Contact
}

// nothingToDo is said of a payment that a person looks at.
const nothingToDo = "There is nothing for you to do."

// buttonOf returns the button of a page to pay, and what stands between it and the amount of the way to pay that is chosen:
// where each way names its own amount, the button has none.
func buttonOf(words content.StatusText, due payment.Due, charge admission.Money) (button, between string) {
	before, _, has := strings.Cut(words.Button, "{amount}")
	if !has || sameAmount(due) {
		return pages.Fill(words.Button, amountOf(charge)), ""
	}
	button = strings.TrimRight(before, ", ")
	return button, strings.TrimPrefix(before, button)
}

func amountOf(charge admission.Money) map[string]string {
	return map[string]string{"amount": charge.Short()}
}

// openedWith says what an open payment has frozen that its payer has changed since: the coupon, and what the invoice names.
func openedWith(due payment.Due) string {
	open, r := due.Open, due.Registration
	later := " as soon as this payment is over"
	if len(due.Methods) > 1 {
		later += ", or with another way to pay"
	}
	switch state, _ := india.StateByCode(open.Payer.StateCode); {
	case r.CouponCode == "" && open.CouponCode != "":
		return "This payment was opened with the coupon " + open.CouponCode + ", which still counts in it. You have removed the coupon: the whole fee is due" + later + "."
	case r.CouponCode != "" && r.CouponCode != open.CouponCode:
		return "This payment was opened without the coupon " + r.CouponCode + ". The coupon counts" + later + "."
	case !open.Payer.Matches(&r):
		return "This payment was opened for " + open.Payer.Name + ", " + state.Name + ", and its invoice says so. What you have changed counts" + later + "."
	}
	return ""
}

// free is the last step where a coupon covers the whole fee, also beside an attempt that was opened without it.
func (v *payView) free(due payment.Due) {
	if due.Open != nil {
		v.FreeWith, v.OpenUntil, v.Coupon = due.Chosen(due.Methods), "", ""
	}
	v.Free, v.tornView.Paid, v.Methods, v.Terms = true, true, nil, nil
	v.Title, v.Lede, v.Button = "One step is left", "Your coupon covers the whole fee. You are enrolled as soon as you press the button.", "Complete my registration"
}

// refunded is how a registration stands whose payment has gone back: it has ended, and nothing of it can be paid.
func (v *payView) refunded(title, again string) {
	v.Refunded, v.Again, v.Ticket = true, again, ""
	v.Title, v.Lede = title, "Your enrolment has ended with it."
	knows := "went back"
	if title == onItsWay {
		knows = "goes back"
	}
	v.Knots = components.PaidKnots(components.KnotFailed, knows)
	if again != "" {
		v.Lede += " You can enrol again while enrolment is open."
	}
}

// changeOf is where the details of an enrolment can still be changed; "" where they cannot.
func (h handlers) changeOf(due payment.Due) string {
	if due.Registration.Paid() || due.Refusal != "" || due.Event.Closed(h.Clock()) != "" {
		return ""
	}
	return web.ChangePath(due.Event.Slug, due.Registration.ID)
}

// showPay is the one page for coming back and for a refused start.
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
	knot, _ := standing.PaymentKnot()
	charge, coupon := pages.ChargeOf(due)
	view := payView{
		tornView: h.torn(r, due.Event, knot, words.Step, due.Price.List, due.Price.Discount, charge, coupon),
		Home:     web.ScholarshipPath(due.Event.Slug), RegistrationID: r.ID, Coupon: due.CouponGone, Support: h.Content.Current().Site().Support,
	}
	view.failed(standing.Failed(), due.Failed, h.Clock())
	view.Title, view.Lede = pages.Fill(words.Title, amountOf(charge)), words.Text
	view.Button, view.Between = buttonOf(words, due, charge)
	view.checkable(r)
	if due.Refusal != "" { // nothing can be started now, and the reason stands where the button would
		view.Button, view.Refusal = "", due.Refusal
	}
	code := http.StatusOK
	if refusal != nil {
		code, view.Refusal = web.StatusOf(refusal), refusal.Message
	}
	if view.Refusal == view.Coupon {
		view.Coupon = ""
	}
	if r.Paid() { // nothing was refused that the page does not say
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
			title, _ := h.wayBack(receipt)
			view.refunded(title, again)
			view.Beside = h.ticketOf(receipt).Ticket.Money
		case view.Paid.Free:
			view.Title, view.Lede = "You are enrolled", "There is nothing to pay."
		}
		return h.Show(c, code, payPage(h.Frame(), view))
	}
	view.Change = h.changeOf(due)
	if standing.Phase == status.PaymentOpen {
		view.OpenUntil = openUntilAt(due.Open.ExpiresAt, h.Clock())
		if view.Refusal == "" {
			view.Coupon = openedWith(due)
		}
	}
	view.Methods = methodsOf(due)
	switch {
	case charge.Minor == 0 && view.Button != "":
		view.free(due)
	case len(due.Methods) == 0 && len(due.Unavailable) > 0 && view.Button != "":
		view.Button, view.Refusal = "", nobodyAnswers
	case view.Button != "":
		view.PlayMoney = !slices.ContainsFunc(due.Methods, func(m payment.Method) bool { return !m.PlayMoney })
	}
	if view.Button == "" {
		view.Terms = nil
	}
	return h.Show(c, code, payPage(h.Frame(), view))
}

// showPaid puts what was paid, and the ways to its papers, into the page.
func (h handlers) showPaid(c *echo.Context, v admission.Visitor, due payment.Due, view *payView) (receipt.Receipt, error) {
	receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, due.Registration.PaidTxnID)
	if err != nil {
		return receipt, err
	}
	t, title, lede := receipt.Transaction, view.Title, view.Lede
	view.tornView = h.torn(due.Registration, due.Event, components.KnotDone, "", t.List, t.Discount, t.Charge, t.CouponCode)
	view.checkable(due.Registration)
	view.Title, view.Lede, view.tornView.Paid, view.Paid = title, lede, true, new(ownLinks(receipt))
	if due.Registration.TicketKey != "" {
		view.Ticket = web.TicketPath(due.Registration.TicketKey)
	}
	return receipt, nil
}

package checkout

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// What a payer may rely on: of an application, and of an exam.
const (
	countsWhenConfirmed   = "Your payment counts when the payment provider has confirmed it."
	enrolledWhenConfirmed = "Once the payment provider has confirmed the payment, you are enrolled."
)

// fee is where an application is paid: how it stands, or, with the id of an attempt, how that has ended.
func (h handlers) fee(c *echo.Context) error {
	if id := web.PaymentIDOf(c.QueryParams()); id != "" {
		return h.feeResult(c, id)
	}
	v, standing, err := h.payer(c)
	if err != nil {
		return err
	}
	return h.showFee(c, v, standing, nil)
}

// payer lets in whose application is at its payment, and leads others to where theirs goes on.
func (h handlers) payer(c *echo.Context) (v admission.Visitor, standing apply.Standing, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, standing, err
	}
	if standing, err = h.Apply.Standing(c.Request().Context(), v); err != nil {
		return v, standing, err
	}
	return v, standing, pages.CheckPlace(standing, enrol.PlacePayment)
}

// startFee opens an attempt for the visitor's own application, or goes on with the one that is open.
func (h handlers) startFee(c *echo.Context) error {
	v, standing, err := h.payer(c)
	if err != nil {
		return err
	}
	form, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	t, err := h.Payment.Start(c.Request().Context(), v, payment.StartRequest{RegistrationID: standing.Registration.ID, Gateway: form.Get("gateway")})
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showFee(c, v, standing, problem)
	}
	if status.MoneyOf(&t, h.Clock()) == status.MoneyPaid { // there was nothing to pay
		return c.Redirect(http.StatusSeeOther, h.returnURL(t))
	}
	if t.Checkout == nil { // the gateway has not answered
		return h.showFee(c, v, standing, &admission.Problem{Kind: admission.Unavailable, Message: payment.NoAnswer})
	}
	return c.Redirect(http.StatusSeeOther, web.CheckoutPath(t.ID))
}

type feeView struct {
	Page        components.Page
	Rail        components.RailProps
	Title, Lede string
	Programme   string
	For         string
	To          tornRow
	Amount      string
	Taxes       string // what is said below the amount
	Terms       string // what it is not; "" where none is charged
	Methods     []wayToPay
	Refusal     string // why nothing was started, or cannot be
	OpenUntil   string
	PlayMoney   bool
	Button      string // "" where nothing can be paid now
	Meta        string
}

// showFee is the one page for coming to pay, coming back, and a refused start.
func (h handlers) showFee(c *echo.Context, v admission.Visitor, application apply.Standing, refusal *admission.Problem) error {
	due, err := h.Payment.Due(c.Request().Context(), v, application.Registration.ID)
	if err != nil {
		return err
	}
	upiFirst(v, &due)
	r := due.Registration
	if r.Paid() { // since the visitor came in: by another tab, or the bank
		return c.Redirect(http.StatusSeeOther, web.FeePaymentPath(r.PaidTxnID))
	}
	standing := pages.DueStanding(h.Content.Current(), due, h.Clock())
	words := standing.Unpaid.Pay
	charge, _ := pages.ChargeOf(due)
	view := feeView{
		Title: words.Title, Lede: words.Text, Programme: due.Event.Title, For: due.Event.Title + ": " + due.Event.FeeFor, To: h.payeeRow(), Amount: charge.String(),
		Terms: h.Content.Current().Application().FeeApart,
		Taxes: h.Taxes() + ". Tax invoice by e-mail.", Refusal: due.Refusal,
		Meta: countsWhenConfirmed + " Paid twice, or the payment fails: the money goes back in 3-4 business days.",
	}
	if h.Invoices.Supplier(h.Clock()) == nil {
		view.Taxes = h.Taxes() + ". Receipt by e-mail."
	}
	if due.Refusal == "" {
		view.Button, _ = buttonOf(words, due, charge)
	}
	code := http.StatusOK
	if refusal != nil {
		code, view.Refusal = web.StatusOf(refusal), refusal.Message
		web.Refusal{RetryAfter: refusal.RetryAfter}.SetHeaders(c.Response().Header())
	}
	if view.Button != "" {
		view.waysToPay(due, charge, standing, h.Clock())
	}
	view.Page, view.Rail = h.railOf(view.Title, r)
	return h.Show(c, code, feePage(view))
}

// waysToPay are the methods to choose from, the one of an open attempt first of all chosen.
func (v *feeView) waysToPay(due payment.Due, charge admission.Money, standing pages.Standing, now time.Time) {
	if charge.Minor == 0 {
		v.Taxes, v.Terms, v.Meta, v.Button = "Nothing is charged.", "", "", "Complete my registration"
		return
	}
	v.Methods = methodsOf(due)
	if len(due.Methods) == 0 && len(due.Unavailable) > 0 {
		v.Button, v.Refusal = "", nobodyAnswers
	}
	v.PlayMoney = len(due.Methods) > 0 && !slices.ContainsFunc(due.Methods, func(m payment.Method) bool { return !m.PlayMoney })
	if v.PlayMoney && len(v.Methods) == 1 {
		v.Methods[0].Note = "" // the page's notice says it
	}
	if standing.Phase == status.PaymentOpen {
		v.OpenUntil = openUntilAt(due.Open.ExpiresAt, now)
	}
}

// railOf is the frame of the payment among the steps of an application.
func (h handlers) railOf(title string, r enrol.Registration) (components.Page, components.RailProps) {
	return components.Page{Title: title, Main: "work", NoIndex: true, Styles: []string{"account.css"}}, components.RailProps{
		Home: web.HomePath, Phone: h.Content.Current().Site().Support.Phone, Steps: components.StepsOf(components.ApplicationStages, components.PaymentStep), Now: components.PaymentStep,
		Saved: h.Saved(r.TermsAt),
	}
}

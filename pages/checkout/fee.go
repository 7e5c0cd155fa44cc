package checkout

import (
	"net/http"
	"slices"
	"strings"
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

// When a payment counts, for an application and for an exam.
const (
	countsWhenConfirmed   = "Your payment counts when the payment provider has confirmed it."
	enrolledWhenConfirmed = "Once the payment provider has confirmed the payment, you are enrolled."
)

// fee shows the payment page of an application, or with the id of an attempt its result.
func (h handlers) fee(c *echo.Context) error {
	if id := web.PaymentIDOf(c.QueryParams()); id != "" {
		return h.feeResult(c, id)
	}
	v, standing, err := h.Enter(c, enrol.PlacePayment)
	if err != nil {
		return err
	}
	return h.showFee(c, v, standing, nil)
}

// startFee starts an attempt for the visitor's application, or continues the open one.
func (h handlers) startFee(c *echo.Context) error {
	v, standing, err := h.Enter(c, enrol.PlacePayment)
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
	if status.MoneyOf(&t, h.Clock()) == status.MoneyPaid { // nothing was due
		return c.Redirect(http.StatusSeeOther, h.returnURL(t))
	}
	if t.Checkout == nil { // the gateway did not answer
		return h.showFee(c, v, standing, &admission.Problem{Kind: admission.Unavailable, Message: payment.NoAnswer})
	}
	return c.Redirect(http.StatusSeeOther, web.CheckoutPath(t.ID))
}

type feeView struct {
	Page        components.Page
	Rail        components.RailProps
	Step        string // "Step 5 of 6:", before Title; "" for none
	Title, Lede string
	Programme   string
	To          payFact
	Amount      string
	Taxes       string // tax note below the amount
	Why, Kept   string // what the fee pays for, and when it is not refunded; "" when nothing is charged
	Methods     []methodView
	Refusal     string // why no attempt was started, or can be
	OpenUntil   string
	PlayMoney   bool
	Button      string // "" when nothing can be paid now
	Meta        string
}

// showFee shows the payment page: first visit, return, or a refused start.
func (h handlers) showFee(c *echo.Context, v admission.Visitor, application apply.Standing, refusal *admission.Problem) error {
	due, err := h.Payment.Due(c.Request().Context(), v, application.Registration.ID)
	if err != nil {
		return err
	}
	upiFirst(v, &due)
	r := due.Registration
	if r.Paid() { // since payer: by another tab, or the bank
		return c.Redirect(http.StatusSeeOther, web.FeePaymentPath(r.PaidTxnID))
	}
	standing := pages.DueStanding(h.Content.Current(), due, h.Clock())
	words, record := standing.Unpaid.Pay, h.Content.Current().Application()
	charge, _ := pages.ChargeOf(due)
	view := feeView{
		Title: words.Title, Lede: words.Text, Programme: due.Event.Title, To: h.payeeRow(), Amount: charge.String(),
		Why: record.FeeWhy, Kept: record.FeeKept,
		Taxes: h.Taxes() + ". Tax invoice by e-mail.", Refusal: due.Refusal,
		Meta: "If you pay twice or a payment fails, we refund that money in " + pages.SurplusTime + ".",
	}
	if h.Invoices.Supplier(h.Clock()) == nil {
		view.Taxes = h.Taxes() + ". Receipt by e-mail."
	}
	if due.Refusal == "" {
		view.Button, _ = buttonOf(words, due, charge.String())
	}
	if refusal != nil {
		view.Refusal = refusal.Message
	}
	if view.Button != "" {
		view.setMethods(due, charge, standing, h.Clock())
	}
	view.Page, view.Rail = h.railOf(view.Title, r)
	step := view.Rail.Place() + ":"
	if title, named := strings.CutPrefix(view.Title, step+" "); named {
		view.Step, view.Title, view.Rail.Titled = step, title, true
	}
	return h.Show(c, pages.StatusOf(c, refusal), feePage(view))
}

// setMethods sets the methods, with that of an open attempt chosen.
func (v *feeView) setMethods(due payment.Due, charge admission.Money, standing pages.Standing, now time.Time) {
	if charge.Minor == 0 {
		v.Taxes, v.Why, v.Kept, v.Meta, v.Button = "Nothing is charged.", "", "", "", "Complete my registration"
		return
	}
	v.Methods = methodsOf(due)
	if len(due.Methods) == 0 && len(due.Unavailable) > 0 {
		v.Button, v.Refusal = "", allSilent
	}
	v.PlayMoney = len(due.Methods) > 0 && !slices.ContainsFunc(due.Methods, func(m payment.Method) bool { return !m.PlayMoney })
	if v.PlayMoney && len(v.Methods) == 1 { // the page's notice has it
		v.Methods[0].Note = "" // the page's notice says it
	}
	if standing.Phase == status.PaymentOpen {
		v.OpenUntil = openUntilAt(due.Open.ExpiresAt, now)
	}
}

// railOf returns the frame of the payment step.
func (h handlers) railOf(title string, r enrol.Registration) (components.Page, components.RailProps) {
	return components.Page{Title: title, Main: "application", NoIndex: true, Styles: []string{"account.css"}}, components.RailProps{
		Home: web.HomePath, Phone: h.Content.Current().Site().Support.Phone, Steps: components.StepsOf(components.ApplicationStages, components.PaymentStep), Now: components.PaymentStep,
		Saved: h.Saved(r.TermsAt),
	}
}

// Package checkout serves the pages of a payment: the amount due, the hosted checkout, the result, receipt and invoice.
package checkout

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

type handlers struct{ *pages.Kit }

// Routes mounts every page around a payment.
func Routes(r *web.Routes, k *pages.Kit) {
	h := handlers{k}
	r.Get(web.PayPath, web.Private.For(web.Known).ForViews(), h.pay) // any earlier step has opened a session
	r.Post(web.PayPath, web.Private.For(web.WithSession(nothingToPay)), h.start)
	applicant := web.Private.For(web.SignedIn)
	r.Get(web.FeePath, applicant.ForViews(), h.fee)
	r.Post(web.FeePath, applicant, h.startFee)
	r.Get(web.CheckoutPath(":txn"), web.Checkout, h.checkout)
	r.Get(web.OwnReceiptPath(":txn"), web.Checkout.ForViews(), h.ownReceipt)
	r.Get(web.OwnInvoicePath(":txn"), web.Checkout.ForViews(), h.ownInvoice)
	r.Get(web.CheckoutReturnPath(":txn"), web.Checkout, h.returned)
	r.Post(web.CheckoutReturnPath(":txn"), web.Checkout.OpenToOthers(), h.returned)
	r.Get(web.ResultPath, web.Private, h.result)
	r.Get(web.ReceiptPath(":token"), web.Private, h.receipt)
	r.Get(web.InvoicePath(":token"), web.Private, h.invoice)
	r.Get(web.OwnPaperPath(":txn", ":file"), web.Checkout.Within(0, paperTimeout), h.ownPaper)
	r.Get(web.PaperPath(":token", ":file"), web.Private.Within(0, paperTimeout), h.mailedPaper)
	r.Get(web.TicketPath(":key"), web.Private.ForViews(), h.ticket)
	r.Get(web.TicketCalendarPath(":key"), web.Private, h.calendar)
	r.Post(web.LeavePath, web.Private, h.leave)
}

// Show renders a page with the account of a signed-in visitor.
func (h handlers) Show(c *echo.Context, status int, page templ.Component) error {
	page, err := h.WithPerson(c, page)
	if err != nil {
		return err
	}
	return h.Kit.Show(c, status, page)
}

// checkout shows the chosen payment method to the browser that started the attempt, or that brought the key of an API client. Others are
// offered the result, which reveals only the status. A closed attempt redirects to its result, one of a registration that another attempt has paid to
// the payment page.
func (h handlers) checkout(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	txnID := c.Param("txn")
	p, err := h.Payment.Find(c.Request().Context(), txnID)
	if admission.HasKind(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	if key := c.QueryParam(web.CheckoutKey); key != "" {
		return h.redeemKey(c, txnID, key)
	}
	owner, err := h.owns(c, v, p.Registration.ID)
	if err != nil {
		return err
	}
	t := p.Transaction
	open := t.Open() && h.Clock().Before(t.ExpiresAt)
	pay, others := payPathOf(&p.Registration), len(h.Payment.Gateways.For(p.Event)) > 1
	if open && !owner {
		granted, err := h.Access.MayOpenCheckout(c.Request().Context(), v, t.ID)
		if err != nil {
			return err
		}
		if !granted {
			return h.startedElsewhere(c, v, t)
		}
		pay, others = web.PaymentPath(t.ID), false
	}
	if open && p.Registration.Paid() {
		return c.Redirect(http.StatusSeeOther, pay)
	}
	if !open {
		return c.Redirect(http.StatusSeeOther, paymentPathOf(&p.Registration, t.ID, owner))
	}
	gateway, known := h.Payment.Gateways.Find(t.Gateway)
	if !known || gateway.Gateway == nil || t.Checkout == nil { // unconfigured since, or no answer at the start: the payment page tries again
		return c.Redirect(http.StatusSeeOther, pay)
	}
	h.Session.Reach(c, web.Origins(gateway.Checkout))
	forms, err := gateway.FormsOf(t.Checkout)
	if err != nil {
		return err
	}
	view := checkoutView{
		payTicketView: h.payTicket(p.Registration, p.Event, components.StepCurrent, "", t.List, t.Discount, t.Charge, t.CouponCode),
		Home:          homeOf(p.Event),
		Pay:           pay,
		OpenUntil:     openUntilAt(t.ExpiresAt, h.Clock()),
		Notice:        gateway.Notice,
		Details:       "Card details",
		Provider:      gateway.Provider,
		Forms:         formsOf(forms, web.CheckoutReturnPath(t.ID)),
		Payload:       payloadOf(t, gateway.Descriptor),
	}
	if gateway.UPI {
		view.Details = "Card and UPI details"
	}
	if !gateway.PlayMoney {
		view.Payee = h.Payee()
	}
	if others {
		view.Payload.Other = pay
	}
	feeDue := h.Content.Current().Status(string(p.Registration.Product()), string(status.FeeDue))
	view.Title, view.Lede, view.Counts = "Complete your payment", feeDue.Pay.Text, enrolledWhenConfirmed+" "
	if c.QueryParams().Has(web.AgainQuery) {
		view.Lede = "Approved it already? Then do not pay again: go back and wait for your bank."
	}
	if p.Registration.Product() == enrol.ProductApplication {
		view.Lede, view.Counts = countsWhenConfirmed, ""
	}
	return h.Show(c, http.StatusOK, checkoutPage(h.Frame(), view))
}

// redeemKey lets this browser open the checkout of the key in its address, and removes the key from the address.
func (h handlers) redeemKey(c *echo.Context, txnID, key string) error {
	v, err := h.Session.VisitorOrNew(c)
	if err != nil {
		return err
	}
	if err := h.Access.RedeemCheckoutKey(c.Request().Context(), v, txnID, key); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.CheckoutPath(txnID))
}

// payPathOf returns the payment page of a registration.
func payPathOf(r *enrol.Registration) string {
	if r.Product() == enrol.ProductApplication {
		return web.FeePath
	}
	return web.PayPath
}

// paymentPathOf returns the page of an attempt's outcome: an application's owner has a separate one.
func paymentPathOf(r *enrol.Registration, txnID string, owner bool) string {
	if owner && r.Product() == enrol.ProductApplication {
		return web.FeePaymentPath(txnID)
	}
	return web.PaymentPath(txnID)
}

// homeOf returns the home page of an event.
func homeOf(event admission.Event) string {
	if event.Code == enrol.ApplicationCode {
		return web.HomePath
	}
	return web.ScholarshipPath(event.Slug)
}

type checkoutView struct {
	payTicketView
	Home      string
	Pay       string // page to return to
	OpenUntil string
	Counts    string // when the enrolment takes effect; "" for an application, whose lede has it
	Notice    string
	Details   string // what is entered at the provider: "Card and UPI details"
	Provider  string
	Payee     string     // name shown by the provider; "" with play money
	Forms     []formView // forms without scripts; empty if the gateway needs scripts
	Payload   payload
}

func (v checkoutView) offersMore() bool {
	return slices.ContainsFunc(v.Forms, func(f formView) bool { return f.More })
}

// formView is a form of the gateway: one button with its fields.
type formView struct {
	Action, Label, Look string
	More                bool // hidden under "More outcomes"
	Fields              []method.FormField
}

func formsOf(forms []method.Form, returnPath string) (views []formView) {
	for _, form := range forms {
		view := formView{Action: cmp.Or(form.Action, returnPath), Label: form.Label, Look: "outline", More: form.Look == method.FormMore, Fields: form.Fields}
		if form.Look == method.FormFirst {
			view.Look = "gold"
		}
		views = append(views, view)
	}
	return views
}

// payload is passed to the checkout island; keep islands/checkout/payload.ts in step.
type payload struct {
	Gateway  string         `json:"gateway"`
	Txn      string         `json:"txn"`
	Amount   string         `json:"amount"`   // formatted
	Return   string         `json:"return"`   // where the outcome is posted
	Other    string         `json:"other"`    // page with the other methods; "" for none
	Provider map[string]any `json:"provider"` // the gateway's fields, apart from ours to avoid clashes
}

func payloadOf(t payment.Transaction, d method.Descriptor) payload {
	return payload{Gateway: t.Gateway, Txn: t.ID, Amount: t.Charge.Short(), Return: web.CheckoutReturnPath(t.ID), Provider: d.PayloadOf(t.Checkout)}
}

// returned handles a browser's return from a gateway. It makes the server query the gateway, which verifies the signature of
// what the browser sent; a forged return leads to the true result.
func (h handlers) returned(c *echo.Context) error {
	form, err := read(c)
	if err != nil {
		return err
	}
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	back := method.Return{Method: c.Request().Method, Form: form, RemoteIP: v.IP}
	t, err := h.Payment.Complete(c.Request().Context(), c.Param("txn"), back)
	switch {
	case admission.HasKind(err, admission.NotFound):
		return h.unknownPayment(c)
	case admission.HasKind(err, admission.Invalid):
		h.Log.WarnContext(c.Request().Context(), "return with a bad signature", "txn", t.ID)
	case err != nil:
		return err
	}
	if next := h.next(t); next != "" {
		return c.Redirect(http.StatusSeeOther, next)
	}
	return c.Redirect(http.StatusSeeOther, h.returnURL(t))
}

// next returns the provider's page that an open attempt still needs, such as the payer's bank; "" for none, and when the
// gateway does not declare its origin.
func (h handlers) next(t payment.Transaction) string {
	gateway, known := h.Payment.Gateways.Find(t.Gateway)
	to, err := url.Parse(t.NextURL)
	if !known || !t.Open() || err != nil || !slices.Contains(gateway.Checkout.Forms, to.Scheme+"://"+to.Host) {
		return ""
	}
	return t.NextURL
}

func withStatus(t payment.Transaction) url.Values {
	values := url.Values{web.PaymentID: {t.ID}}
	switch t.Outcome() {
	case payment.OutcomePaid:
		values.Set("payment_status", "Success")
		values.Set("provider_payment_id", t.PaymentID)
	case payment.OutcomeFailed:
		values.Set("payment_status", "Failed")
		values.Set("provider_payment_id", t.PaymentID)
	}
	return values
}

// returnURL returns the attempt's return address with the query that its gateway declares. The address was checked as text
// at the start, so the query is appended without parsing it.
func (h handlers) returnURL(t payment.Transaction) string {
	values := url.Values{web.PaymentID: {t.ID}} // the default, also of a free enrolment
	if gateway, known := h.Payment.Gateways.Find(t.Gateway); known {
		switch gateway.Carries {
		case method.CarriesStatus:
			values = withStatus(t)
		case method.CarriesTxID:
			values = url.Values{web.PaymentIDToo: {t.ID}}
		}
	}
	return web.WithQuery(t.ReturnURL, values)
}

// owns reports whether the visitor's session may continue a registration. It writes no denial to the audit, because others
// may open a payment's outcome (D57) and a ticket in less detail; pages that reject them write it themselves.
func (h handlers) owns(c *echo.Context, v admission.Visitor, registrationID string) (bool, error) {
	v.Audit = nil
	_, err := h.Enrol.RegistrationOfVisitor(c.Request().Context(), v, registrationID)
	if admission.HasKind(err, admission.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// read returns the posted fields, then those of the query.
func read(c *echo.Context) (url.Values, error) {
	if c.Request().Method == http.MethodGet {
		return c.QueryParams(), nil
	}
	_, err := pages.PostForm(c)
	return c.Request().Form, err
}

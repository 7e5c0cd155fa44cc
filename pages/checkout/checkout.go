// Package checkout holds the pages around a payment: what is due, the hosted checkout, the result, receipt and invoice.
package checkout

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

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
	known := web.Private.For(web.WithSession(nothingToPay)) // whoever has done anything yet has a session
	r.Get(web.PayPath, known, h.pay)
	r.Post(web.PayPath, known, h.start)
	applicant := web.Private.For(web.SignedIn)
	r.Get(web.FeePath, applicant, h.fee)
	r.Post(web.FeePath, applicant, h.startFee)
	r.Get(web.CheckoutPath(":txn"), web.Checkout, h.checkout)
	r.Get(web.OwnReceiptPath(":txn"), web.Checkout, h.ownReceipt)
	r.Get(web.OwnInvoicePath(":txn"), web.Checkout, h.ownInvoice)
	r.Get(web.CheckoutReturnPath(":txn"), web.Checkout, h.returned)
	r.Post(web.CheckoutReturnPath(":txn"), web.Checkout.OpenToOthers(), h.returned)
	r.Get(web.ResultPath, web.Private, h.result)
	r.Get(web.ReceiptPath(":token"), web.Private, h.receipt)
	r.Get(web.InvoicePath(":token"), web.Private, h.invoice)
	r.Get(web.OwnPaperPath(":txn", ":file"), web.Checkout.Within(0, paperSlow), h.ownPaper)
	r.Get(web.PaperPath(":token", ":file"), web.Private.Within(0, paperSlow), h.mailedPaper)
	r.Get(web.TicketPath(":key"), web.Private, h.ticket)
	r.Get(web.TicketCalendarPath(":key"), web.Private, h.calendar)
	r.Post(web.LeavePath, web.Private, h.leave)
}

// checkout shows the way to pay that an attempt has chosen, to the browser that started it. Anybody else is offered the
// result, which tells no more than the status; an attempt that is over leads there, and one of a registration that another
// has paid to what that says.
func (h handlers) checkout(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	p, err := h.Payment.Find(c.Request().Context(), c.Param("txn"))
	if isProblem(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	owner, err := h.owns(c, v, p.Registration.ID)
	if err != nil {
		return err
	}
	t := p.Transaction
	open := t.Open() && h.Clock().Before(t.ExpiresAt)
	if open && !owner {
		return h.begunElsewhere(c, t.ID)
	}
	pay := payPathOf(&p.Registration)
	if open && p.Registration.Paid() {
		return c.Redirect(http.StatusSeeOther, pay)
	}
	if !open {
		return c.Redirect(http.StatusSeeOther, paymentPathOf(&p.Registration, t.ID, owner))
	}
	gateway, known := h.Payment.Gateways.Find(t.Gateway)
	if !known || gateway.Gateway == nil || t.Checkout == nil { // it was configured when the attempt started, or has not answered then: it is tried again there, or another
		return c.Redirect(http.StatusSeeOther, pay)
	}
	h.Session.Reach(c, web.Origins(gateway.Checkout))
	forms, err := gateway.FormsOf(t.Checkout)
	if err != nil {
		return err
	}
	view := checkoutView{
		tornView:  h.torn(p.Registration, p.Event, components.KnotNow, "", t.List, t.Discount, t.Charge, t.CouponCode),
		Home:      homeOf(p.Event),
		Pay:       pay,
		OpenUntil: openUntilAt(t.ExpiresAt, h.Clock()),
		Notice:    gateway.Notice,
		Details:   "Card details",
		Provider:  gateway.Provider,
		Forms:     formsOf(forms, web.CheckoutReturnPath(t.ID)),
		Payload:   payloadOf(t, gateway.Descriptor),
	}
	if gateway.UPI {
		view.Details = "Card and UPI details"
	}
	if !gateway.PlayMoney {
		view.Payee = h.Payee()
	}
	if len(h.Payment.Gateways.For(p.Event)) > 1 {
		view.Payload.Other = pay
	}
	feeDue := h.Content.Current().Status(string(p.Registration.Product()), string(status.FeeDue))
	view.Title, view.Lede, view.Counts = "Complete your payment", feeDue.Pay.Text, enrolledWhenConfirmed+" "
	if p.Registration.Product() == enrol.ProductApplication {
		view.Lede, view.Counts = countsWhenConfirmed, ""
	}
	return h.Show(c, http.StatusOK, checkoutPage(h.Frame(), view))
}

// payPathOf is the page to come back to while a registration is not paid.
func payPathOf(r *enrol.Registration) string {
	if r.Product() == enrol.ProductApplication {
		return web.FeePath
	}
	return web.PayPath
}

// paymentPathOf is where the outcome of an attempt stands: of an application its owner has a page of its own.
func paymentPathOf(r *enrol.Registration, txnID string, owner bool) string {
	if owner && r.Product() == enrol.ProductApplication {
		return web.FeePaymentPath(txnID)
	}
	return web.PaymentPath(txnID)
}

// homeOf is where somebody goes on who has to do with an event.
func homeOf(event admission.Event) string {
	if event.Code == enrol.ApplicationCode {
		return web.HomePath
	}
	return web.ScholarshipPath(event.Slug)
}

type checkoutView struct {
	tornView
	Home      string
	Pay       string // page to come back to
	OpenUntil string
	Counts    string // from when on one is enrolled; "" of an application, which says so above
	Notice    string
	Details   string // what the provider gets: "Card and UPI details"
	Provider  string
	Payee     string     // as is read there; "" where no money moves
	Forms     []formView // how one pays without scripts; none: not at all
	Payload   payload
}

func (v checkoutView) offersMore() bool {
	return slices.ContainsFunc(v.Forms, func(f formView) bool { return f.More })
}

// formView is a form of the gateway at hand: one button, and what it posts.
type formView struct {
	Action, Label, Look string
	More                bool // folded away
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

// payload is what the checkout island gets; islands/checkout/payload.ts is the twin.
type payload struct {
	Gateway  string         `json:"gateway"`
	Txn      string         `json:"txn"`
	Amount   string         `json:"amount"`   // as it is to be read
	Return   string         `json:"return"`   // where the outcome is posted
	Other    string         `json:"other"`    // page with the other methods; "" where there is none
	Provider map[string]any `json:"provider"` // the gateway's own, where no name of ours can stand in its way, nor its in ours
}

func payloadOf(t payment.Transaction, d method.Descriptor) payload {
	return payload{Gateway: t.Gateway, Txn: t.ID, Amount: t.Charge.Short(), Return: web.CheckoutReturnPath(t.ID), Provider: d.PayloadOf(t.Checkout)}
}

// returned takes what a browser brings back from a gateway. It only makes the server ask: what the browser says is
// judged by the gateway's signature, and a forged return leads to the result as the server knows it.
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
	case isProblem(err, admission.NotFound):
		return h.unknownPayment(c)
	case isProblem(err, admission.Invalid):
		h.Log.WarnContext(c.Request().Context(), "return with a bad signature", "txn", t.ID)
	case err != nil:
		return err
	}
	if next := h.next(t); next != "" {
		return c.Redirect(http.StatusSeeOther, next)
	}
	return c.Redirect(http.StatusSeeOther, h.returnURL(t))
}

// next is where the provider wants the browser to go before an open attempt can be paid, such as to the payer's bank; ""
// for nowhere, and where its descriptor does not let the checkout post there.
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

// returnURL is the attempt's own return address, with what its gateway's descriptor says that it carries. The address was judged as text
// when the attempt started, so it is only added to, never parsed and written anew.
func (h handlers) returnURL(t payment.Transaction) string {
	values := url.Values{web.PaymentID: {t.ID}} // what costs nothing
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

// owns reports whether the visitor's session may continue a registration. Asking denies nobody anything: a payment's outcome
// (D57) and a ticket are opened by others too, who are shown less. A page that refuses them says so to the audit itself.
func (h handlers) owns(c *echo.Context, v admission.Visitor, registrationID string) (bool, error) {
	v.Audit = nil
	_, err := h.Enrol.RegistrationOfVisitor(c.Request().Context(), v, registrationID)
	if isProblem(err, admission.NotFound) {
		return false, nil
	}
	return err == nil, err
}

func isProblem(err error, kind admission.Kind) bool {
	problem := admission.AsProblem(err)
	return problem != nil && problem.Kind == kind
}

// read returns the posted fields and those of the query; a posted one goes first.
func read(c *echo.Context) (url.Values, error) {
	if c.Request().Method == http.MethodGet {
		return c.QueryParams(), nil
	}
	_, err := pages.PostForm(c)
	return c.Request().Form, err
}

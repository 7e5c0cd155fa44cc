package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission/payment"
	"hiresure/components"
	"hiresure/content"
	"hiresure/web"
)

// apologyView is a page without what was asked for, with what to do instead.
type apologyView struct {
	Title   string
	Texts   []string
	Help    string // request for support
	Payment string // ID to name on the phone; "" for none
	Support content.Contact
	Ways    []components.Link // the first is the way on, if there are two
}

func (h handlers) notFound(c *echo.Context, view apologyView) error {
	if len(view.Ways) == 0 {
		view.Ways = []components.Link{{Text: "To the scholarship page", Href: "/"}}
	}
	return h.explain(c, http.StatusNotFound, view)
}

func (h handlers) explain(c *echo.Context, status int, view apologyView) error {
	view.Support = h.Content.Current().Site().Support
	return h.Show(c, status, apology(h.Frame(), view))
}

func signIn(next string) components.Link {
	return components.Link{Text: "Sign in", Href: web.SignInTo(next)}
}

// startedElsewhere offers the checkout of an open payment to its payer in another browser, and its outcome to others.
func (h handlers) startedElsewhere(c *echo.Context, t payment.Transaction) error {
	return h.explain(c, http.StatusOK, apologyView{
		Title: "This payment is open in another browser",
		Texts: []string{
			"Finish it there: it stays open until " + openUntilAt(t.ExpiresAt, h.Clock()) + ". Please do not pay twice.",
			"Can’t open that browser? Sign in here with the mobile number that you enrolled with, and pay.",
		},
		Payment: t.ID,
		Ways:    []components.Link{signIn(web.CheckoutPath(t.ID)), {Text: "See whether it is paid", Href: web.PaymentPath(t.ID)}},
	})
}

// paidElsewhere leads the payer of a payment to its receipt in another browser.
func (h handlers) paidElsewhere(c *echo.Context, txnID string) error {
	return h.notFound(c, apologyView{
		Title: "Open your receipt from the e-mail",
		Texts: []string{
			"This address works only in the browser that you paid with. The link in our e-mail works everywhere.",
			"Look for “You are enrolled” from HireSure, also in the spam folder. Or sign in with the mobile number that you enrolled with.",
		},
		Payment: txnID,
		Ways:    []components.Link{signIn(web.OwnReceiptPath(txnID))},
	})
}

func (h handlers) unknownPayment(c *echo.Context) error {
	return h.notFound(c, apologyView{
		Title: "We cannot find this payment",
		Texts: []string{"The address seems to be incomplete. Open it again from our e-mail or from your browser’s history."},
		Help:  "Has money left your account? It is not lost. Tell us your name, your mobile number and the time:",
	})
}

// expiredLink explains a mailed link that worked once.
func (h handlers) expiredLink(c *echo.Context) error {
	ask := "mailto:" + h.Content.Current().Site().Support.Email
	return h.notFound(c, apologyView{
		Title: "This link has expired",
		Texts: []string{
			"Links to receipts and invoices work for 90 days. Your receipt still exists.",
			"Sign in with the mobile number that you enrolled with to open it, or ask for a new link from the e-mail address that you enrolled with.",
		},
		Ways: []components.Link{signIn(web.HomePath), {Text: "Ask for a new link", Href: ask}},
	})
}

func (h handlers) noInvoice(c *echo.Context, receipt components.Link) error {
	return h.notFound(c, apologyView{
		Title: "Invoice not found",
		Texts: []string{"There is no tax invoice for this payment: nothing was charged, or it was made without tax. Your receipt is the proof of it."},
		Help:  "If you expected an invoice, ask us:",
		Ways:  []components.Link{receipt},
	})
}

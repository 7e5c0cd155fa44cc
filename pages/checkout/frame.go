package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/components"
	"hiresure/web"
)

type apologyView struct {
	Title string
	Texts []string
	Help  string // request for support
	Email string
	Way   components.Link
}

func (h handlers) notFound(c *echo.Context, view apologyView) error {
	if view.Way.Href == "" {
		view.Way = components.Link{Text: "To the scholarship page", Href: "/"}
	}
	return h.explain(c, http.StatusNotFound, view)
}

func (h handlers) explain(c *echo.Context, status int, view apologyView) error {
	view.Email = h.Content.Current().Site().Support.Email
	return h.Show(c, status, apology(h.Frame(), view))
}

func (h handlers) startedElsewhere(c *echo.Context, txnID string) error {
	return h.explain(c, http.StatusOK, apologyView{
		Title: "This payment was begun in another browser",
		Texts: []string{"Go on there: it is open for half an hour. Here you can see how it stands."},
		Help:  "If you cannot open that browser any more, ask us:",
		Way:   components.Link{Text: "See how it stands", Href: web.PaymentPath(txnID)},
	})
}

func (h handlers) unknownPayment(c *echo.Context) error {
	return h.notFound(c, apologyView{
		Title: "We do not know this payment",
		Texts: []string{"The address may have been cut off on its way. Open it from where you found it, or go back to the page that you paid from."},
		Help:  "If money has left your account, it is not lost. Tell us your name, your mobile number and the time:",
	})
}

func (h handlers) deadLink(c *echo.Context) error {
	return h.notFound(c, apologyView{
		Title: "This link does not work",
		Texts: []string{"A link to a receipt or an invoice works for 90 days and can be withdrawn. This one is over, withdrawn, or was cut off on its way."},
		Help:  "We send you a new one. Write from the address that you enrolled with:",
	})
}

func (h handlers) noInvoice(c *echo.Context, receipt components.Link) error {
	return h.notFound(c, apologyView{
		Title: "Invoice not found",
		Texts: []string{"There is no tax invoice for this payment: nothing was charged, or it was made without tax. Your receipt is the proof of it."},
		Help:  "If you expected an invoice, ask us:",
		Way:   receipt,
	})
}

package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
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

var scholarshipPage = components.Link{Text: "Go to the scholarship page", Href: "/"}

func (h handlers) notFound(c *echo.Context, view apologyView) error {
	if len(view.Ways) == 0 {
		view.Ways = []components.Link{scholarshipPage}
	}
	return h.explain(c, http.StatusNotFound, view)
}

func (h handlers) explain(c *echo.Context, status int, view apologyView) error {
	view.Support = h.Content.Current().Site().Support
	return h.Show(c, status, apology(h.Frame(), view))
}

// signIn returns the way to sign in; none for a visitor who has.
func signIn(v admission.Visitor, next string) []components.Link {
	if v.AccountID != "" {
		return nil
	}
	return []components.Link{{Text: "Sign in", Href: web.SignInTo(next)}}
}

// startedElsewhere offers the checkout of an open payment to its payer in another browser, and its outcome to others.
func (h handlers) startedElsewhere(c *echo.Context, v admission.Visitor, t payment.Transaction) error {
	texts := []string{"Finish it there: it stays open until " + openUntilAt(t.ExpiresAt, h.Clock()) + ". Please do not pay twice."}
	if v.AccountID == "" {
		texts = append(texts, "Can’t open that browser? Sign in here with the mobile number that you enrolled with, and pay.")
	}
	return h.explain(c, http.StatusOK, apologyView{
		Title:   "This payment is open in another browser",
		Texts:   texts,
		Payment: t.ID,
		Ways:    append(signIn(v, web.CheckoutPath(t.ID)), components.Link{Text: "See whether it is paid", Href: web.PaymentPath(t.ID)}),
	})
}

// paidElsewhere leads the payer of a payment to its receipt in another browser.
func (h handlers) paidElsewhere(c *echo.Context, v admission.Visitor, p payment.Details) error {
	subject, number := "You are enrolled", "the mobile number that you enrolled with"
	if p.Registration.Product() != enrol.ProductEnrolment {
		subject, number = "Paid", "the mobile number of your account"
	}
	look := "Look for “" + subject + "” from HireSure, also in the spam folder."
	if v.AccountID == "" {
		look += " Or sign in with " + number + "."
	}
	return h.notFound(c, apologyView{
		Title:   "Open your receipt from the e-mail",
		Texts:   []string{"This address works only in the browser that you paid with. The link in our e-mail works everywhere.", look},
		Payment: p.Transaction.ID,
		Ways:    signIn(v, web.OwnReceiptPath(p.Transaction.ID)),
	})
}

// lost explains a link that opens nothing: where ticket and receipt are found. It does not depend on what exists.
func (h handlers) lost(c *echo.Context, view apologyView) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	find := "Or sign in with the mobile number that you enrolled with: your ticket and receipt are there."
	view.Ways = signIn(v, web.HomePath)
	if v.AccountID != "" {
		find, view.Ways = "Or find it in My Registrations.", []components.Link{{Text: "My Registrations", Href: web.RegistrationsPath}}
	}
	view.Texts = append(view.Texts, find)
	view.Ways = append(view.Ways, scholarshipPage)
	return h.notFound(c, view)
}

// lostLink explains a mailed link that never existed.
func (h handlers) lostLink(c *echo.Context) error {
	return h.lost(c, apologyView{
		Title: "This page does not exist",
		Texts: []string{"The address may be incomplete, or the page is gone.", "Was it the link to a receipt or an invoice? Open it again from our e-mail."},
	})
}

func (h handlers) unknownPayment(c *echo.Context) error {
	return h.lost(c, apologyView{
		Title: "We cannot find this payment",
		Texts: []string{"The address seems to be incomplete. Open it again from our e-mail or from your browser’s history."},
		Help:  "Has money left your account? It is not lost. Tell us your name, your mobile number and the time:",
	})
}

// expiredLink explains a mailed link that worked once.
func (h handlers) expiredLink(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	ask := "mailto:" + h.Content.Current().Site().Support.Email
	return h.notFound(c, apologyView{
		Title: "This link has expired",
		Texts: []string{
			"Links to receipts and invoices work for 90 days. Your receipt still exists.",
			"Sign in with the mobile number that you enrolled with to open it, or ask for a new link from the e-mail address that you enrolled with.",
		},
		Ways: append(signIn(v, web.HomePath), components.Link{Text: "Ask for a new link", Href: ask}),
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

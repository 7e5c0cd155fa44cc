package checkout

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission/paper"
	"hiresure/admission/receipt"
	"hiresure/components"
	"hiresure/prose"
	"hiresure/web"
)

const (
	paperTimeout = 5 * time.Minute // slow phone connections
	waitQuery    = "wait"          // query of the page that waits for a document
	late         = 2 * time.Minute // printing takes seconds
)

// ownPaper and mailedPaper open a document as PDF for visitors who may open the payment's receipt, which is checked each
// time.
func (h handlers) ownPaper(c *echo.Context) error    { return h.own(c, h.showPaper) }
func (h handlers) mailedPaper(c *echo.Context) error { return h.mailed(c, h.showPaper) }

func (h handlers) showPaper(c *echo.Context, of receipt.Receipt, links paidLinks) error {
	want, wait := paper.Paper{}, paperWait{Home: homeOf(of.Event), File: c.Param("file"), Way: components.Link{Text: "Receipt", Href: links.Receipt}}
	switch file := c.Param("file"); {
	case file == web.InvoiceFile && of.Invoice == nil:
		return h.noInvoice(c, wait.Way)
	case file == web.InvoiceFile:
		want, wait.Name, wait.Way = paperOf(of, paper.Invoice, of.Invoice.ID), "tax invoice", components.Link{Text: "Tax invoice", Href: links.Invoice}
	case file == web.ReceiptFile:
		want, wait.Name = paperOf(of, paper.Receipt, of.Transaction.ID), "receipt"
	case file == web.TicketFile && of.Registration.Ticket != "":
		want, wait.Name = paperOf(of, paper.Ticket, of.Transaction.ID), "ticket"
	default:
		want, wait.Name = laterPaper(of, file)
		wait.Way = components.Link{Text: "Tax invoice", Href: links.Invoice}
	}
	if want.Kind == "" {
		return h.notFound(c, apologyView{
			Title: "There is no such document", Texts: []string{"The address may be incomplete. Your receipt names every document of this payment."},
			Help: "Is one missing? Ask us:", Ways: []components.Link{{Text: "Receipt", Href: links.Receipt}},
		})
	}
	return h.sendPaper(c, want, wait)
}

func paperOf(of receipt.Receipt, kind paper.Kind, ref string) paper.Paper {
	return paper.Paper{Kind: kind, Ref: ref, RegistrationID: of.Registration.ID, TxnID: of.Transaction.ID}
}

// numberFile returns the file name of a document: "KSC-26-27-000001.pdf".
func numberFile(number string) string { return strings.ReplaceAll(number, "/", "-") + ".pdf" }

// laterPaper finds a credit or debit note by its file name.
func laterPaper(of receipt.Receipt, file string) (want paper.Paper, name string) {
	for _, note := range of.CreditNotes {
		if numberFile(note.Number) == file {
			return paperOf(of, paper.CreditNote, note.ID), "credit note"
		}
	}
	for _, debit := range of.DebitNotes {
		if numberFile(debit.Number) == file {
			return paperOf(of, paper.Invoice, debit.ID), "debit note"
		}
	}
	return paper.Paper{}, ""
}

// sendPaper sends a printed document. Before it is printed it redirects to a page that waits for it.
func (h handlers) sendPaper(c *echo.Context, want paper.Paper, wait paperWait) error {
	found, err := h.Papers.Find(c.Request().Context(), want)
	if err != nil {
		return err
	}
	here := c.Request().URL.Path
	header := c.Response().Header()
	switch asks := c.Request().URL.Query().Has(waitQuery); {
	case !found.Printed && !asks: // once: the waiting page only polls
		if err := h.Papers.PrintNow(c.Request().Context(), found); err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, here+"?"+waitQuery)
	case !found.Printed:
		wait.Poll, wait.Delayed = here+"?"+waitQuery, h.Papers.Unavailable() || h.Clock().Sub(found.CausedAt) > late
		header.Set("Retry-After", "3")
		return h.Show(c, http.StatusAccepted, waitingPage(h.Frame(), wait))
	case asks:
		wait.PDF = here
		return h.Show(c, http.StatusOK, waitingPage(h.Frame(), wait))
	}
	content, err := h.Papers.Open(c.Request().Context(), found)
	if err != nil {
		return err
	}
	defer content.Close()
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "private, no-store")
	header.Set("Content-Disposition", `attachment; filename="`+wait.File+`"`)
	return web.Stream(c, "application/pdf", func(to *web.Pieces) error {
		_, err := io.Copy(to, content)
		return err
	})
}

// paperWait is the page of a document that is being printed, or is ready.
type paperWait struct {
	Home, Name string          // "tax invoice"
	File       string          // file name
	Way        components.Link // link back
	Poll       string          // address to poll; "" once printed
	Delayed    bool            // printing takes longer than usual
	PDF        string
}

func (w paperWait) page() components.Page {
	if w.Poll != "" {
		return components.Page{Title: "Your " + w.Name + " is being prepared", Main: "wrap", Refresh: pollSeconds}
	}
	return components.Page{Title: "Your " + w.Name + " is ready", Main: "wrap"}
}

func (w paperWait) text() string {
	switch {
	case w.PDF != "":
		return "It is a PDF, the same each time you download it."
	case w.Delayed:
		return "This takes longer than usual. Leave this page open, or come back later from your " + prose.Lower(w.Way.Text) + "."
	}
	return "This takes a few seconds. It appears here when it is ready."
}

func (w paperWait) polls() templ.Attributes {
	if w.Poll == "" {
		return nil
	}
	return templ.Attributes{"data-poll": w.Poll}
}

package checkout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/a-h/templ"

	"hiresure/admission/invoice"
	"hiresure/admission/paper"
	"hiresure/admission/receipt"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/static"
)

// PrintStyle returns the style sheet of printed documents with its fonts; "" before the front end is built.
func PrintStyle() string { return static.Alone("letter.css") }

// Printed returns the HTML that is printed with PrintStyle. It equals the document's page in the browser, as of the time
// that caused the document.
func Printed(ctx context.Context, k *pages.Kit, p paper.Paper) ([]byte, error) {
	if !static.Built() {
		return nil, errors.New("print: the front end is not built (go run ./cmd/build)")
	}
	of, err := k.Receipts.ReceiptOfPayment(ctx, p.TxnID)
	if err != nil {
		return nil, err
	}
	title, body, err := handlers{k.At(p.CausedAt)}.printed(of, p)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = sheet(title).Render(templ.WithChildren(ctx, body), &page)
	return page.Bytes(), err
}

func (h handlers) printed(of receipt.Receipt, p paper.Paper) (title string, body templ.Component, err error) {
	switch p.Kind {
	case paper.Receipt:
		view := h.receiptOf(of, paidLinks{})
		return view.Title + " for payment " + of.Transaction.ID, receiptBody(view), nil
	case paper.Ticket:
		view := h.ticketOf(of)
		return "Exam ticket " + view.Ticket.Number, ticketBody(h.Frame(), "Exam ticket", homeOf(of.Event), *view), nil
	}
	props, found := issuedProps(of, p)
	if !found {
		return "", nil, fmt.Errorf("there is no %s %s", p.Kind, p.Ref)
	}
	props.Below = false // printed alone
	return props.Title + " " + props.Number, letter(props), nil
}

// issuedProps returns an invoice or a note as issued, without later changes.
func issuedProps(of receipt.Receipt, p paper.Paper) (components.PaperProps, bool) {
	if of.Invoice == nil {
		return components.PaperProps{}, false
	}
	if p.Kind == paper.CreditNote {
		i := slices.IndexFunc(of.CreditNotes, func(n invoice.CreditNote) bool { return n.ID == p.Ref })
		if i < 0 {
			return components.PaperProps{}, false
		}
		return creditNoteProps(of.CreditNotes[i], of), true
	}
	if of.Invoice.ID == p.Ref {
		return invoiceProps(*of.Invoice), true
	}
	for _, debit := range of.DebitNotes {
		i := slices.IndexFunc(of.CreditNotes, func(n invoice.CreditNote) bool { return n.Number == debit.Reverses })
		if debit.ID == p.Ref && i >= 0 {
			return debitNoteProps(debit, of.CreditNotes[i]), true
		}
	}
	return components.PaperProps{}, false
}

package checkout

import (
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/components"
)

// An invoice never changes. Refunds are credit notes, and bounced refunds debit notes; invoice and receipt list them.

// citation names a document: "KSC/26-27/000001, 30 Nov 2026, ₹1,499.00".
func citation(number string, issuedOn time.Time, totalMinor int64) string {
	return number + ", " + dateNoBreak(issuedOn) + ", " + admission.INR(totalMinor).String()
}

// dateNoBreak formats a date with no-break spaces.
func dateNoBreak(day time.Time) string { return strings.ReplaceAll(admission.Date(day), " ", "\u00a0") }

// invoiceMarks returns what credit and debit notes did to a payment's invoice; nil for an unchanged one.
func invoiceMarks(receipt receipt.Receipt) (marks []string) {
	stands := receipt.Invoice.TotalMinor
	if notes := receipt.CreditNotes; len(notes) == 1 && len(receipt.DebitNotes) == 0 && notes[0].TotalMinor == stands {
		return []string{"Credited in full by " + citation(notes[0].Number, notes[0].IssuedOn, stands)}
	}
	for _, note := range receipt.CreditNotes {
		marks = append(marks, "Credited by "+citation(note.Number, note.IssuedOn, note.TotalMinor))
		stands -= note.TotalMinor
	}
	for _, debit := range receipt.DebitNotes {
		marks = append(marks, "Credit note "+debit.Reverses+" is reversed by debit note "+citation(debit.Number, debit.IssuedOn, debit.TotalMinor))
	}
	switch {
	case len(marks) == 0 || len(receipt.DebitNotes) > 0:
	case stands == 0:
		marks = append(marks, "Credited in full.")
	default:
		marks = append(marks, admission.INR(stands).String()+" of this invoice stand.")
	}
	return marks
}

// papersOf returns the documents of a payment: the invoice and its credit notes, oldest first, each followed by its debit
// note.
func papersOf(receipt receipt.Receipt) []components.PaperProps {
	first := invoiceProps(*receipt.Invoice)
	first.Marks = invoiceMarks(receipt)
	papers := []components.PaperProps{first}
	for _, note := range receipt.CreditNotes {
		papers = append(papers, creditNoteProps(note, receipt))
		for _, debit := range receipt.DebitNotes {
			if debit.Reverses == note.Number {
				papers = append(papers, debitNoteProps(debit, note))
			}
		}
	}
	for _, later := range papers[1:] {
		name := later.Title
		if len(papers) > 2 { // the mark has the number of a single one
			name += " " + later.Number
		}
		papers[0].Later = append(papers[0].Later, components.Link{Text: name + " below", Href: "#" + later.ID()})
	}
	return papers
}

// withoutTax makes a credit or debit note a financial one.
func withoutTax(note *components.PaperProps, title string) {
	note.Title, note.Rows, note.Split, note.Hints = title, nil, components.PaperSplit{}, nil
	note.Notes = append([]string{"Without tax: the GST of the invoice can no longer be reversed (section 34 of the CGST Act)."}, note.Notes...)
}

// debitNoteProps lists what rule 53 of the CGST Rules requires, from the frozen debit note and the credit note that it
// reverses.
func debitNoteProps(debit invoice.Invoice, note invoice.CreditNote) components.PaperProps {
	props := invoiceProps(debit)
	props.Title, props.Below, props.BuyerIs, props.SumIs, props.Items = "Debit note", true, "Recipient", "Debited", "Amount debited"
	props.Against = "Against tax invoice " + note.InvoiceNumber + " of " + dateNoBreak(note.InvoiceDate)
	props.Reason = "Reverses credit note " + note.Number + " of " + dateNoBreak(note.IssuedOn) + ": the refund came back"
	props.Paid = "Returned to us on " + admission.Date(debit.IssuedOn)
	props.Notes = []string{"This debit note is auto-generated, no signature needed."}
	if note.Financial {
		withoutTax(&props, "Financial debit note")
	}
	return props
}

// reasonOf returns the reason of a credit note: what staff gave, or else the cancellation if it leaves nothing of the invoice, otherwise
// a partial refund.
func reasonOf(note invoice.CreditNote, of receipt.Receipt) string {
	for _, refund := range of.Refunds {
		if refund.ID == note.RefundID && refund.Cause != "" && refund.Cause != payment.CauseOther {
			return refund.Cause.Words()
		}
	}
	left := of.Invoice.TotalMinor
	for _, other := range of.CreditNotes[:1+slices.IndexFunc(of.CreditNotes, func(n invoice.CreditNote) bool { return n.ID == note.ID })] {
		left -= other.TotalMinor
	}
	for _, debit := range of.DebitNotes {
		if debit.IssuedOn.Before(note.IssuedOn) {
			left += debit.TotalMinor
		}
	}
	if left > 0 {
		return "Part of the fee returned"
	}
	return cancellation[of.Registration.Product()]
}

// creditNoteProps lists what rule 53 of the CGST Rules requires, from the frozen note and its invoice.
func creditNoteProps(note invoice.CreditNote, of receipt.Receipt) components.PaperProps {
	props := components.PaperProps{
		Title: "Credit note", Below: true, Open: true, Copy: "Original for recipient", Currency: "₹",
		SumIs: "Credited", Sum: admission.INR(note.TotalMinor).String(),
		Number: note.Number, Date: admission.LongDate(note.IssuedOn), Place: stateAndCode(note.PlaceOfSupply, note.PlaceCode), ReverseCharge: "No",
		Against: "Against tax invoice " + note.InvoiceNumber + " of " + dateNoBreak(note.InvoiceDate), Reason: reasonOf(note, of),
		Supplier: supplierOf(note.Seller), Buyer: buyerOf(note.Buyer), BuyerIs: "Recipient",
		Items: "Amount credited", Description: note.Description, SAC: note.SAC, Quantity: "1", Amount: plain(note.Tax.Taxable),
		Rows: taxRows(note.Tax, note.RateBP), Words: note.Words, Split: splitOf(note.Tax, note.RateBP),
		Paid: "Refunded on " + admission.Date(note.IssuedOn) + " to the source of payment", PaymentID: note.TxnID,
		Notes: []string{"This credit note is auto-generated, no signature needed."},
	}
	if of.RefundReason(note.RefundID) == payment.ReasonDispute {
		props.Paid = "Taken back by the payer's bank on " + admission.Date(note.IssuedOn)
	}
	if note.Financial {
		withoutTax(&props, "Financial credit note")
	} else if of.Invoice.DiscountMinor > 0 {
		props.Hints = append(props.Hints, "Taxable value after the discount "+of.Invoice.CouponCode+".")
	}
	return props
}

package checkout

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/receipt"
	"hiresure/components"
)

// An invoice is never changed. What money has gone back since stands on credit notes, and what of that bounced on further
// invoices; whoever opens the invoice or the receipt learns of them.

// paper names a paper by what finds it again: "KSC/26-27/000001, 30 November 2026, ₹1,499.00".
func paper(number string, issuedOn time.Time, totalMinor int64) string {
	return number + ", " + admission.Date(issuedOn) + ", " + admission.INR(totalMinor).String()
}

// marksOf says what has become of a payment's first invoice; nothing where it stands as it was issued.
func marksOf(receipt receipt.Receipt) (marks []string) {
	stands := receipt.Invoice.TotalMinor
	for _, note := range receipt.CreditNotes {
		marks = append(marks, "Credited by "+paper(note.Number, note.IssuedOn, note.TotalMinor))
		stands -= note.TotalMinor
	}
	for _, again := range receipt.Later {
		marks = append(marks, "Credit note "+again.Reverses+" is reversed by tax invoice "+paper(again.Number, again.IssuedOn, again.TotalMinor))
	}
	switch {
	case len(marks) == 0 || len(receipt.Later) > 0:
	case stands == 0:
		marks = append(marks, "Nothing of this invoice stands.")
	default:
		marks = append(marks, admission.INR(stands).String()+" of this invoice stand.")
	}
	return marks
}

// sheetsOf are the papers of a payment, oldest first: the invoice, its credit notes, and the invoices that reverse them.
func sheetsOf(receipt receipt.Receipt) []components.InvoiceProps {
	first := invoiceProps(*receipt.Invoice)
	first.Marks = marksOf(receipt)
	sheets := []components.InvoiceProps{first}
	for _, note := range receipt.CreditNotes {
		sheets = append(sheets, creditNoteProps(note))
		for _, again := range receipt.Later {
			if again.Reverses == note.Number {
				sheet := invoiceProps(again)
				sheet.Below = true
				sheet.Facts = append(sheet.Facts, components.Fact{Name: "Reverses", Value: "Credit note " + note.Number})
				sheets = append(sheets, sheet)
			}
		}
	}
	return sheets
}

// creditNoteProps writes out what rule 53 of the CGST Rules asks for, from the frozen note alone (domain.md §1.7).
func creditNoteProps(note invoice.CreditNote) components.InvoiceProps {
	return components.InvoiceProps{
		Title: "Credit note", Below: true, Currency: "₹",
		Facts: []components.Fact{
			{Name: "Number", Value: note.Number},
			{Name: "Date", Value: admission.Date(note.IssuedOn)},
			{Name: "Tax invoice", Value: note.InvoiceNumber},
			{Name: "Invoice date", Value: admission.Date(note.InvoiceDate)},
			{Name: "Place of supply", Value: stateAndCode(note.PlaceOfSupply, note.PlaceCode)},
		},
		Supplier: partyOf(note.Seller),
		Buyer:    partyOf(note.Buyer),
		Lines: []components.InvoiceLine{{
			Description: note.Description + ", all taxes included", SAC: note.SAC, Quantity: "1", Discount: "0", Amount: plain(note.TotalMinor),
		}},
		Rows:  taxRows(note.Tax, note.RateBP),
		Total: admission.INR(note.TotalMinor).String(),
		Words: note.Words,
		Notes: []string{"So much of the tax invoice is taken back.", "Payment number: " + note.TxnID, "This credit note is auto-generated, no signature needed."},
	}
}

// taxRows are the taxable value and each tax, in a column of rupees.
func taxRows(tax india.TaxSplit, rateBP int) []components.Fact {
	rows := []components.Fact{{Name: "Taxable value", Value: plain(tax.Taxable)}}
	for _, line := range tax.Lines(rateBP) {
		rows = append(rows, components.Fact{Name: line.Label, Value: plain(line.Minor)})
	}
	return rows
}

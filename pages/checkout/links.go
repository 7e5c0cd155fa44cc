package checkout

import (
	"hiresure/admission/receipt"
	"hiresure/web"
)

// paidLinks are the addresses of a payment's documents.
type paidLinks struct {
	Receipt, Invoice string                   // Invoice is "" for none
	PDF              func(file string) string // address of a document as PDF; nil on paper
	Free             bool                     // nothing was charged
	Registrations    string                   // list of the signed-in payer; "" for others
}

// ownLinks returns the links for the payer's session.
func ownLinks(of receipt.Receipt) paidLinks {
	txn := of.Transaction.ID
	return linksOf(of, web.OwnReceiptPath(txn), web.OwnInvoicePath(txn), func(file string) string { return web.OwnPaperPath(txn, file) })
}

// mailedLinks returns the links for a token from a mail.
func mailedLinks(of receipt.Receipt, token string) paidLinks {
	return linksOf(of, web.ReceiptPath(token), web.InvoicePath(token), func(file string) string { return web.PaperPath(token, file) })
}

func linksOf(of receipt.Receipt, receipt, invoice string, pdf func(file string) string) paidLinks {
	links := paidLinks{Receipt: receipt, PDF: pdf, Free: of.Transaction.Charge.Minor == 0}
	if of.Invoice != nil {
		links.Invoice = invoice
	}
	return links
}

package invoice

import (
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/paths"
)

// Refund is the content of a refund mail.
type Refund struct {
	RegistrationID, TxnID, Ticket string
	Charged, Amount               admission.Money // Amount is refunded now
	RefundedMinor                 int64           // total by now, in minor units of Charged
	PaidOn, On                    time.Time
	BaseURL                       string
}

// Params returns the mail's params, whose amounts add up, with a new link to the papers. note is nil without an invoice.
func (g Refund) Params(tx Tx, note *CreditNote) (map[string]string, error) {
	token, err := NewLink(tx, g.RegistrationID, g.On)
	if err != nil {
		return nil, err
	}
	money := func(minor int64) admission.Money {
		return admission.Money{Minor: minor, Currency: g.Charged.Currency}
	}
	plain := func(m admission.Money) string { return strings.Replace(m.String(), "₹", "", 1) }
	before, now := g.RefundedMinor, money(0)
	if g.Amount.Currency == g.Charged.Currency {
		before, now = g.RefundedMinor-g.Amount.Minor, g.Amount
	}
	params := map[string]string{
		"Amount": g.Amount.String(), "Transaction": g.TxnID, "Ticket": g.Ticket, "CreditNote": "", "PapersURL": g.BaseURL + paths.Receipt(token), "ReceiptURL": g.BaseURL + paths.Receipt(token),
		"PaidOn": admission.Date(g.PaidOn), "RefundedOn": admission.Date(g.On),
		"Paid": plain(g.Charged), "Back": plain(money(-now.Minor)), "Left": money(g.Charged.Minor - g.RefundedMinor).String(),
	}
	if before > 0 {
		params["Before"] = plain(money(-before))
	}
	if note != nil {
		params["InvoiceNumber"], params["CreditNote"], params["PapersURL"] = note.InvoiceNumber, note.Number, g.BaseURL+paths.Invoice(token)
	}
	return params, nil
}

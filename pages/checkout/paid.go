package checkout

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// receiptView is a receipt: the ticket, the money in a column that adds up, the payment, and who has issued it.
type receiptView struct {
	Home    string
	Title   string
	Notice  notice
	Ticket  *pages.TicketView
	Rows    []ledgerRow // one below the other; the last is the sum, with its currency sign
	Taxes   []components.Fact
	Button  components.Link // to the papers; without Text there are none
	Payment []pair
	Issuer  components.Party
}

// notice says what has become of the money, its most important words first.
type notice struct{ Strong, Text string }

type ledgerRow struct {
	What, More string // More stands below it, smaller
	Amount     string
}

type pair struct {
	Name   string
	Values []string
	Href   string // of the only value; empty: it is no link
}

func (h handlers) showReceipt(c *echo.Context, receipt receipt.Receipt, links paidLinks) error {
	t, r := receipt.Transaction, receipt.Registration
	view := receiptView{
		Home: web.ScholarshipPath(receipt.Event.Slug), Title: "Receipt", Ticket: h.TicketOf(r, receipt.Event.Title, t.Charge),
		Rows: ledgerOf(receipt), Issuer: h.issuer(receipt),
		Payment: []pair{
			{Name: "Paid by", Values: []string{r.FullName, r.Email}},
			{Name: "Payment number", Values: []string{t.ID}},
			{Name: "Paid on", Values: []string{admission.Date(t.SettledAt) + ", " + admission.TimeOfDay(t.SettledAt)}},
		},
	}
	view.returned(receipt)
	if receipt.Invoice == nil {
		return h.Show(c, http.StatusOK, receiptPage(h.Kit, view))
	}
	view.Button = components.Link{Text: "Tax invoice", Href: links.Invoice}
	view.Payment = append(view.Payment, pair{Name: "Tax invoice", Values: []string{receipt.Invoice.Number}, Href: links.Invoice})
	for _, note := range receipt.CreditNotes {
		view.Button.Text = "Credit note"
		view.Payment = append(view.Payment, pair{Name: "Credited by", Values: []string{paper(note.Number, note.IssuedOn, note.TotalMinor)}, Href: links.Invoice})
	}
	for _, again := range receipt.Later {
		view.Payment = append(view.Payment, pair{Name: "Tax invoice that reverses " + again.Reverses, Values: []string{paper(again.Number, again.IssuedOn, again.TotalMinor)}, Href: links.Invoice})
	}
	if t.RefundedMinor <= 0 {
		for _, line := range receipt.Invoice.Tax.Lines(receipt.Invoice.RateBP) {
			view.Taxes = append(view.Taxes, components.Fact{Name: "of which " + line.Label, Value: plain(line.Minor)})
		}
	}
	return h.Show(c, http.StatusOK, receiptPage(h.Kit, view))
}

// ledgerOf is the column of the money: the fee, what came off it, what was paid, what went back, and what is left. A fee that
// was charged in another currency than its list price stands alone: there is nothing to add up.
func ledgerOf(receipt receipt.Receipt) []ledgerRow {
	t := receipt.Transaction
	amount := func(minor int64) string {
		text := admission.Money{Minor: minor, Currency: t.Charge.Currency}.String()
		return strings.Replace(text, "₹", "", 1)
	}
	fee := ledgerRow{"Registration fee", receipt.Event.Title + ", all taxes included", amount(t.List.Minor)}
	var rows []ledgerRow
	if t.List.Currency == t.Charge.Currency {
		rows = append(rows, fee)
		if t.Discount.Minor > 0 {
			rows = append(rows, ledgerRow{What: "Coupon " + t.CouponCode, Amount: amount(-t.Discount.Minor)})
		}
	}
	paid := ledgerRow{What: "Paid", Amount: t.Charge.String()}
	switch {
	case t.Charge.Minor == 0:
		paid.What = "Nothing to pay"
	case t.RefundedMinor > 0:
		paid.More, paid.Amount = admission.Date(t.SettledAt), amount(t.Charge.Minor)
		left := admission.Money{Minor: t.Charge.Minor - t.RefundedMinor, Currency: t.Charge.Currency}
		return append(rows, paid, ledgerRow{What: "Refunded", Amount: amount(-t.RefundedMinor)}, ledgerRow{What: "Left with us", Amount: left.String()})
	}
	return append(rows, paid)
}

// returned says how a payment's way back stands; nothing where nothing goes back.
func (v *receiptView) returned(receipt receipt.Receipt) {
	t := receipt.Transaction
	back := admission.Money{Minor: t.RefundedMinor, Currency: t.Charge.Currency}.String()
	whole := t.RefundedMinor > 0 && t.RefundedMinor >= t.Charge.Minor
	switch {
	case t.State == payment.RefundDue || t.State == payment.RefundPending:
		v.Title, v.Notice = "Your fee is on its way back", notice{"Your fee is on its way back", " to where it came from. It arrives within 7 business days."}
	case whole && receipt.Registration.Refunded:
		v.Title, v.Notice = "Your fee went back", notice{"Enrolment cancelled. " + back + " was sent back", " to where it came from. It arrives within 7 business days."}
	case whole:
		v.Title, v.Notice = "Your fee went back", notice{back + " was sent back", " to where it came from. It arrives within 7 business days."}
	case t.RefundedMinor > 0:
		v.Notice = notice{back + " was sent back", " to where it came from, a part of what was paid. It arrives within 7 business days."}
	}
}

// issuer is who has taken the money: the invoice's supplier, or that of the day, or, where none is registered, who runs
// the site; and where to ask.
func (h handlers) issuer(receipt receipt.Receipt) components.Party {
	site := h.Content.Current().Site()
	issuer := invoice.Party{Name: site.LegalName, Address: strings.Join(site.Address, "\n")}
	if receipt.Invoice != nil {
		issuer = receipt.Invoice.Seller
	} else if supplier := h.Invoices.Supplier(receipt.Transaction.SettledAt); supplier != nil {
		issuer = invoice.Party{Name: supplier.Name, Address: supplier.Address, GSTIN: supplier.GSTIN}
	}
	return partyOf(invoice.Party{Name: issuer.Name, Address: issuer.Address, GSTIN: issuer.GSTIN, Email: site.Support.Email})
}

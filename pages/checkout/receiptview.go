package checkout

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// receiptView is a receipt: ticket, amounts that add up, payment, and issuer.
type receiptView struct {
	Home    string
	Title   string
	Lede    string // "₹999.00 paid on 21 Nov 2026"; "" after a refund
	Notice  notice
	Ticket  *pages.TicketView // of an enrolment
	Refund  string            // refund terms
	Until   string            // deadline alone, for paper
	Rows    []ledgerRow       // the last is the sum, with its currency sign
	Taxes   []components.Fact
	Button  components.Link // link to the invoice; without Text there is none
	PDF     string          // address of the PDF
	Payment []pair          // payer and date
	Numbers []pair          // numbers of the payment and its documents
	Issuer  components.Party
	Support content.Contact
}

// notice is a message about the money; Strong begins it.
type notice struct{ Strong, Text string }

type ledgerRow struct {
	What, More string // More is small print
	Number     string // ends More unbroken
	Amount     string
}

type pair struct {
	Name   string
	Values []string
	Href   string // link of the only value; "" for none
	Hint   string // below the only value; may be empty
	Copied string // name of the copied value; "" if it cannot be copied
	Fours  bool   // grouped by four characters
}

func (h handlers) showReceipt(c *echo.Context, receipt receipt.Receipt, links paidLinks) error {
	return h.Show(c, http.StatusOK, receiptPage(h.Frame(), h.receiptOf(receipt, links)))
}

func (h handlers) receiptOf(receipt receipt.Receipt, links paidLinks) receiptView {
	t, r := receipt.Transaction, receipt.Registration
	view := receiptView{
		Home: homeOf(receipt.Event), Title: "Receipt",
		Rows: ledgerOf(receipt), Issuer: h.issuer(receipt), Support: h.Content.Current().Site().Support,
		Payment: []pair{
			{Name: "Student", Values: []string{r.FullName, r.Email}},
			{Name: "Paid on", Values: []string{paidOn(t)}},
		},
		Numbers: []pair{{Name: "Payment number", Values: []string{t.ID}, Hint: "On the phone, say the first two groups.", Copied: "Payment number", Fours: true}},
	}
	if t.PaymentID != "" && !strings.HasSuffix(t.PaymentID, t.ID) { // the test bank repeats ours
		view.Numbers = append(view.Numbers, pair{Name: "Provider's number", Values: []string{t.PaymentID}})
	}
	if t.SoldBy != "" {
		view.Payment = append(view.Payment, pair{Name: "Sold by", Values: []string{t.SoldBy + ", which sends its own invoice"}})
	}
	if t.Means.Name != "" {
		view.Payment = append(view.Payment, pair{Name: "Paid with", Values: []string{t.Means.Name}})
	}
	if t.Means.Reference != "" {
		name := "Bank reference (UTR)"
		if t.RefundedMinor > 0 { // not of the refund, which has its own
			name = "Payment’s UTR"
		}
		view.Numbers = append(view.Numbers, pair{Name: name, Values: []string{t.Means.Reference}, Copied: "Bank reference"})
	}
	if r.Product() == enrol.ProductEnrolment {
		view.Ticket = h.ticketOf(receipt)
		view.Refund, view.Until = view.Ticket.Refund, view.Ticket.Until
		view.Numbers = append(view.Numbers, ticketPairs(r, links)...)
	}
	if links.PDF != nil {
		view.PDF = links.PDF(web.ReceiptFile)
	}
	title, back := h.refundNotice(receipt)
	if title == "" && t.Charge.Minor > 0 {
		view.Lede = t.Charge.String() + " paid on " + admission.Date(t.SettledAt)
	}
	view.Title, view.Notice = cmp.Or(title, view.Title), back
	if receipt.Invoice == nil {
		return view
	}
	if place := stateAndCode(receipt.Invoice.PlaceOfSupply, receipt.Invoice.PlaceCode); place != "" {
		view.Payment[0].Values = append(view.Payment[0].Values, "Place of supply: "+place)
	}
	view.Button = components.Link{Text: "Tax invoice", Href: links.Invoice}
	view.Numbers = append(view.Numbers, pair{Name: "Tax invoice", Values: []string{receipt.Invoice.Number}, Href: links.Invoice})
	if r.Refunded && len(receipt.CreditNotes) > 0 {
		view.Button.Text = "Credit note"
	}
	for _, note := range receipt.CreditNotes {
		if len(receipt.DebitNotes) == 0 { // otherwise one of them was reversed
			view.Payment = append(view.Payment, pair{Name: refundWord(receipt, note) + " on", Values: []string{admission.Date(note.IssuedOn)}})
		}
		view.Numbers = append(view.Numbers, pair{Name: "Credit note", Values: []string{note.Number}, Href: links.Invoice})
	}
	if held := receipt.FailedRefunds(); held.Minor > 0 {
		view.Payment = append(view.Payment, pair{Name: "Also with us", Values: []string{held.String() + ", of a second payment whose refund did not arrive"}})
	}
	for _, debit := range receipt.DebitNotes {
		view.Numbers = append(view.Numbers, pair{Name: "Debit note that reverses " + debit.Reverses, Values: []string{citation(debit.Number, debit.IssuedOn, debit.TotalMinor)}, Href: links.Invoice})
	}
	if t.RefundedMinor <= 0 {
		view.Taxes = taxesOf(receipt)
	}
	return view
}

// taxesOf returns the taxes of a payment in rupees; in another currency also the price in rupees.
func taxesOf(receipt receipt.Receipt) (taxes []components.Fact) {
	amount := plain
	if receipt.Transaction.Charge.Currency != "INR" {
		amount = func(minor int64) string { return admission.INR(minor).String() }
		price := "Price in rupees"
		if code := receipt.Invoice.CouponCode; code != "" {
			price += " with " + code
		}
		taxes = append(taxes, components.Fact{Name: price, Value: amount(receipt.Invoice.TotalMinor)})
	}
	taxes = append(taxes, components.Fact{Name: "Of which taxable value", Value: amount(receipt.Invoice.Tax.Taxable)})
	for _, line := range receipt.Invoice.Tax.Lines(receipt.Invoice.RateBP) {
		taxes = append(taxes, components.Fact{Name: "Of which " + line.Label, Value: amount(line.Minor)})
	}
	return taxes
}

// ledgerOf returns the fee, the discount, the payment, the refunds, and what is left. A fee charged in another currency than
// its list price is the only row, since nothing adds up.
func ledgerOf(receipt receipt.Receipt) []ledgerRow {
	t := receipt.Transaction
	amount := func(minor int64) string {
		text := t.Charge.With(minor).String()
		return strings.Replace(text, "₹", "", 1)
	}
	fee := ledgerRow{What: feeNameOf(receipt.Registration), More: receipt.Event.Title + ", all taxes included", Amount: amount(t.List.Minor)}
	var rows []ledgerRow
	if t.List.Currency == t.Charge.Currency {
		rows = append(rows, fee)
		if t.Discount.Minor > 0 {
			rows = append(rows, ledgerRow{What: "Coupon " + t.CouponCode, Amount: amount(-t.Discount.Minor)})
		}
		switch {
		case t.AdjustmentMinor > 0:
			rows = append(rows, ledgerRow{What: "Adjustment", Amount: amount(-t.AdjustmentMinor)})
		case t.AdjustmentMinor < 0:
			rows = append(rows, ledgerRow{What: "Paid above the fee", Amount: amount(-t.AdjustmentMinor)})
		}
	}
	paid := ledgerRow{What: "Paid", Amount: t.Charge.String()}
	switch {
	case t.Charge.Minor == 0:
		paid.What = "Nothing to pay"
	case t.RefundedMinor > 0:
		paid.More, paid.Amount = paidOn(t), amount(t.Charge.Minor)
		rows = append(rows, paid)
		back := refundRows(receipt)
		if back == nil {
			back = []ledgerRow{{What: "Refunded", Amount: amount(-t.RefundedMinor)}}
		}
		left := t.Charge.With(t.Charge.Minor - t.RefundedMinor)
		return append(append(rows, back...), ledgerRow{What: "Left with us", Amount: left.String()})
	}
	return append(rows, paid)
}

// feeNameOf names the fee of a registration.
func feeNameOf(r enrol.Registration) string {
	if r.Product() == enrol.ProductApplication {
		return "Application fee"
	}
	return "Registration fee"
}

// refundWord names the refund of a credit note.
func refundWord(receipt receipt.Receipt, note invoice.CreditNote) string {
	if receipt.RefundReason(note.RefundID) == payment.ReasonDispute {
		return pages.TakenByBank
	}
	return "Refunded"
}

// refundRows returns a row for each credit note; nil if they do not add up to the refund.
func refundRows(receipt receipt.Receipt) (rows []ledgerRow) {
	noted := admission.INR(0)
	for _, note := range receipt.CreditNotes {
		noted.Minor += note.TotalMinor
		rows = append(rows, ledgerRow{refundWord(receipt, note), admission.Date(note.IssuedOn) + ", credit note", note.Number, plain(-note.TotalMinor)})
	}
	if t := receipt.Transaction; noted != t.Charge.With(t.RefundedMinor) {
		return nil
	}
	return rows
}

func paidOn(t payment.Transaction) string {
	return admission.Moment(t.SettledAt)
}

// cancellation is the effect of a refund, by product.
var cancellation = map[enrol.Product]string{enrol.ProductEnrolment: "Enrolment cancelled", enrol.ProductApplication: "Application ended"}

// refundBounced describes a bounced refund.
const refundBounced = "Your refund came back to us"

// refundOnItsWay describes a full refund until it must have arrived.
const refundOnItsWay = "Your fee is on its way back"

// refundNotice describes a refund: of a full one with a title; empty for none.
func (h handlers) refundNotice(receipt receipt.Receipt) (title string, what notice) {
	t, money := receipt.Transaction, status.MoneyOf(&receipt.Transaction, h.Clock())
	back := t.Charge.With(t.RefundedMinor).String() + " was sent back"
	title, where, arrives := refundOnItsWay, " to where it came from", " It arrives within "+pages.RefundTime+"."
	if n := len(receipt.CreditNotes); n > 0 {
		sent := receipt.CreditNotes[n-1].IssuedOn
		if n == 1 {
			back += " on " + admission.Date(sent)
		}
		if late := sent.Add(status.RefundArrives); h.Clock().Before(late) {
			arrives += " If it is not there by " + admission.Date(late) + ", write to us."
		} else {
			title, arrives = "Your fee went back", ""
		}
	}
	whole := t.RefundedMinor > 0 && t.RefundedMinor >= t.Charge.Minor
	switch {
	case money == status.MoneyHeld:
		return refundBounced, notice{refundBounced + ".", " The money is safe, and we write to you about another way to send it."}
	case money == status.MoneyDueBack || money == status.MoneyReturning:
		return title, notice{title, where + "." + arrives}
	case whole && receipt.LostInDispute():
		it := "it"
		if len(receipt.CreditNotes) > 1 {
			it = "the rest of it"
		}
		return "Your fee went back to your bank", notice{cancellation[receipt.Registration.Product()] + ".", " You had disputed this payment, and your bank has taken " + it + " back from us. It knows when the money is on your account."}
	case whole && receipt.Registration.Refunded:
		return title, notice{cancellation[receipt.Registration.Product()] + ". " + back, where + "." + arrives}
	case whole:
		return title, notice{back, where + "." + arrives}
	case t.RefundedMinor > 0 && receipt.LostInDispute():
		return "", notice{"Your bank has taken back a part of what was paid.", " You had disputed this payment. Your " + string(receipt.Registration.Product()) + " stays as it is."}
	case t.RefundedMinor > 0:
		return "", notice{back, where + ", a part of what was paid." + arrives}
	case receipt.Bounced():
		return "", notice{refundBounced + ".", " The money is safe, and your " + string(receipt.Registration.Product()) + " counts as before. We write to you about another way to send it."}
	}
	return "", notice{}
}

// issuer returns who received the payment: the invoice's supplier, otherwise the supplier of that day, otherwise the
// operator of the site.
func (h handlers) issuer(receipt receipt.Receipt) components.Party {
	site := h.Content.Current().Site()
	issuer := invoice.Party{Name: site.LegalName, Address: strings.Join(site.Address, "\n")}
	if receipt.Invoice != nil {
		issuer = receipt.Invoice.Seller
	} else if supplier := h.Invoices.Supplier(receipt.Transaction.SettledAt); supplier != nil {
		issuer = invoice.Party{Name: supplier.Name, Address: supplier.Address, GSTIN: supplier.GSTIN}
	}
	return partyAt(issuer.Name, issuer.Address, issuer.GSTIN)
}

// ticketPairs returns the number of a ticket with its link, except on paper; nil before it is issued.
func ticketPairs(r enrol.Registration, links paidLinks) []pair {
	ticket := pair{Name: "Ticket", Values: []string{r.Ticket}}
	switch {
	case r.Ticket == "":
		return nil
	case links.Receipt != "" && r.TicketKey != "":
		ticket.Href = web.TicketPath(r.TicketKey)
	}
	return []pair{ticket}
}

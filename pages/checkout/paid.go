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

// receiptView is a receipt: the ticket, the money in a column that adds up, the payment, and who has issued it.
type receiptView struct {
	Home    string
	Title   string
	Lede    string // "₹999.00 paid on 21 Nov 2026"; "" where that is not what counts now
	Notice  notice
	Ticket  *pages.TicketView // of an enrolment
	Refund  string            // whether the fee is returned
	Until   string            // and on paper, which is one page: until when
	Rows    []ledgerRow       // one below the other; the last is the sum, with its currency sign
	Taxes   []components.Fact
	Button  components.Link // to the papers; without Text there are none
	PDF     string          // the address of the receipt as PDF
	Payment []pair          // by whom, and when
	Numbers []pair          // of it and of its papers
	Issuer  components.Party
	Support content.Contact
}

// notice says what has become of the money, its most important words first.
type notice struct{ Strong, Text string }

type ledgerRow struct {
	What, More string // More stands below it, smaller
	Number     string // ends More, and is never broken
	Amount     string
}

type pair struct {
	Name   string
	Values []string
	Href   string // of the only value; empty: it is no link
	Hint   string // below the only value; may be empty
	Copied string // what the only value is called where it can be copied; empty: it cannot
	Fours  bool   // it is read aloud in groups of four
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
	if t.PaymentID != "" && !strings.HasSuffix(t.PaymentID, t.ID) { // the test bank's repeats ours
		view.Numbers = append(view.Numbers, pair{Name: "Provider's number", Values: []string{t.PaymentID}})
	}
	if t.Means.Name != "" {
		view.Payment = append(view.Payment, pair{Name: "Paid with", Values: []string{t.Means.Name}})
	}
	if t.Means.Reference != "" {
		name := "Bank reference (UTR)"
		if t.RefundedMinor > 0 { // not of what went back, which has one of its own
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
	title, back := h.wayBack(receipt)
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
		if len(receipt.Reversals) == 0 { // else one of them has come back
			view.Payment = append(view.Payment, pair{Name: backWord(receipt, note) + " on", Values: []string{admission.Date(note.IssuedOn)}})
		}
		view.Numbers = append(view.Numbers, pair{Name: "Credit note", Values: []string{note.Number}, Href: links.Invoice})
	}
	if held := receipt.FailedRefunds(); held.Minor > 0 {
		view.Payment = append(view.Payment, pair{Name: "Also with us", Values: []string{held.String() + ", of a second payment whose refund did not arrive"}})
	}
	for _, again := range receipt.Reversals {
		view.Numbers = append(view.Numbers, pair{Name: "Tax invoice that reverses " + again.Reverses, Values: []string{cited(again.Number, again.IssuedOn, again.TotalMinor)}, Href: links.Invoice})
	}
	if t.RefundedMinor <= 0 {
		view.Taxes = taxesOf(receipt)
	}
	return view
}

// taxesOf is what a payment holds of tax, in rupees: where another currency was charged, below the price that the invoice says.
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

// ledgerOf is the column of the money: the fee, what came off it, what was paid, what went back, and what is left. A fee that
// was charged in another currency than its list price stands alone: there is nothing to add up.
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

// feeNameOf is what the fee of a registration is called.
func feeNameOf(r enrol.Registration) string {
	if r.Product() == enrol.ProductApplication {
		return "Application fee"
	}
	return "Registration fee"
}

// backWord says how the money of a credit note went back.
func backWord(receipt receipt.Receipt, note invoice.CreditNote) string {
	if receipt.RefundReason(note.RefundID) == payment.ReasonDispute {
		return pages.TakenByBank
	}
	return "Refunded"
}

// refundRows are what went back, a row for each credit note; nil where the notes are not all of it.
func refundRows(receipt receipt.Receipt) (rows []ledgerRow) {
	noted := admission.INR(0)
	for _, note := range receipt.CreditNotes {
		noted.Minor += note.TotalMinor
		rows = append(rows, ledgerRow{backWord(receipt, note), admission.Date(note.IssuedOn) + ", credit note", note.Number, plain(-note.TotalMinor)})
	}
	if t := receipt.Transaction; noted != t.Charge.With(t.RefundedMinor) {
		return nil
	}
	return rows
}

func paidOn(t payment.Transaction) string {
	return admission.Moment(t.SettledAt)
}

// ended names what ends when the fee goes back.
var ended = map[enrol.Product]string{enrol.ProductEnrolment: "Enrolment cancelled", enrol.ProductApplication: "Application ended"}

// cameBack is said of a refund that did not arrive.
const cameBack = "Your refund came back to us"

// onItsWay is said of a whole fee until it must have arrived.
const onItsWay = "Your fee is on its way back"

// wayBack says how a payment's way back stands: of a whole one with a title. Nothing where nothing goes back.
func (h handlers) wayBack(receipt receipt.Receipt) (title string, what notice) {
	t, money := receipt.Transaction, status.MoneyOf(&receipt.Transaction, h.Clock())
	back := t.Charge.With(t.RefundedMinor).String() + " was sent back"
	title, where, arrives := onItsWay, " to where it came from", " It arrives within "+pages.RefundTime+"."
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
	case money == status.MoneyDueBack && len(receipt.Reversals) > 0:
		return cameBack, notice{cameBack + ".", " The money is safe, and we write to you about another way to send it."}
	case money == status.MoneyDueBack || money == status.MoneyReturning:
		return title, notice{title, where + "." + arrives}
	case whole && receipt.LostInDispute():
		it := "it"
		if len(receipt.CreditNotes) > 1 {
			it = "the rest of it"
		}
		return "Your fee went back to your bank", notice{ended[receipt.Registration.Product()] + ".", " You had disputed this payment, and your bank has taken " + it + " back from us. It knows when the money is on your account."}
	case whole && receipt.Registration.Refunded:
		return title, notice{ended[receipt.Registration.Product()] + ". " + back, where + "." + arrives}
	case whole:
		return title, notice{back, where + "." + arrives}
	case t.RefundedMinor > 0:
		return "", notice{back, where + ", a part of what was paid." + arrives}
	case receipt.Bounced():
		return "", notice{cameBack + ".", " The money is safe, and your " + string(receipt.Registration.Product()) + " counts as before. We write to you about another way to send it."}
	}
	return "", notice{}
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
	return partyAt(issuer.Name, issuer.Address, issuer.GSTIN)
}

// ticketPairs is the number of a ticket, which leads to its page, but on paper; none of one that has no number yet.
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

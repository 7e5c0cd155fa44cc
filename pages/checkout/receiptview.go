package checkout

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

// receiptView is a receipt: ticket, amounts that add up, payment, and issuer.
type receiptView struct {
	Home    string
	Title   string
	Lede    string // "₹999.00 paid on 21 Nov 2026"; "" after a refund
	Notices []receiptNotice
	Ticket  *pages.TicketView // of an enrolment
	Refund  string            // refund terms
	Until   string            // deadline alone, for paper
	Rows    []ledgerRow       // the last is the sum, with its currency sign
	Taxes   []components.Fact
	Button  components.Link // link to the invoice; without Text there is none
	PDF     string          // address of the PDF

	Registrations string // list of the signed-in payer; "" for others
	Payment       []pair // payer and date
	Numbers       []pair // numbers of the payment and its documents
	Issuer        components.Party
	Support       content.Contact
}

// receiptNotice is a notice on a receipt.
type receiptNotice struct {
	pages.Notice
	Waiting bool // we owe the payer an answer
}

type ledgerRow struct {
	What, More string // More is small print
	Number     string // ends More unbroken
	Back       int64  // minor units of a refund; 0 for other rows
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
		Home: homeOf(receipt.Event), Title: "Receipt", Registrations: links.Registrations,
		Issuer: h.issuer(receipt), Support: h.Content.Current().Site().Support,
		Payment: []pair{
			{Name: "Student", Values: []string{cmp.Or(t.Payer.Name, r.FullName), cmp.Or(t.Payer.Email, r.Email)}}, // as issued, whatever is corrected later
			{Name: "Paid on", Values: []string{paidOn(t)}},
		},
		Numbers: []pair{{Name: "Payment ID", Values: []string{t.ID}, Hint: "On the phone, give the first 8 characters.", Copied: "Payment ID", Fours: true}},
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
	view.Numbers = append(view.Numbers, bankReference(t)...)
	if r.Product() == enrol.ProductEnrolment {
		view.Ticket = h.ticketOf(receipt)
		view.Refund, view.Until = view.Ticket.Refund, view.Ticket.Until
		view.Numbers = append(view.Numbers, ticketPairs(r, links)...)
	} else if t.Charge.Minor > 0 && status.Kept(&t) {
		view.Refund = "Refund, within " + pages.RefundTime + ": " + prose.Lower(h.Content.Current().Application().Door.Back)
	}
	if links.PDF != nil {
		view.PDF = links.PDF(web.ReceiptFile)
	}
	title, back := pages.RefundNotice(receipt, h.Clock())
	if title == "" && t.Charge.Minor > 0 {
		view.Lede = t.Charge.String() + " paid on " + admission.Date(t.SettledAt)
	}
	view.Title = cmp.Or(title, view.Title)
	if title == pages.RefundByDispute {
		back.Text += " Ask your bank when the money is in your account."
	}
	if title != "" {
		view.Notices = []receiptNotice{{Notice: back}}
	}
	var surplus []ledgerRow
	var held int64
	if links.Receipt != "" { // not on paper
		for _, note := range pages.ReceiptNotes(receipt, h.Clock()) {
			view.Notices = append(view.Notices, receiptNotice{note.Brief, note.Waiting})
		}
		surplus, held = surplusRows(receipt, h.Clock())
	}
	view.Rows = ledgerOf(receipt, surplus, held, h.Clock())
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
	for _, debit := range receipt.DebitNotes {
		view.Numbers = append(view.Numbers, pair{Name: "Debit note that reverses " + debit.Reverses, Values: []string{citation(debit.Number, debit.IssuedOn, debit.TotalMinor)}, Href: links.Invoice})
	}
	if t.RefundedMinor <= 0 && len(surplus) == 0 {
		view.Taxes = taxesOf(receipt)
	}
	return view
}

// bankReference returns the UTR of a payment; nil if the provider gave none.
func bankReference(t payment.Transaction) []pair {
	name := "Bank reference (UTR)"
	switch {
	case t.Means.Reference == "":
		return nil
	case t.RefundedMinor > 0: // not of the refund, which has its own
		name = "Payment’s UTR"
	}
	return []pair{{Name: name, Values: []string{t.Means.Reference}, Copied: "Bank reference"}}
}

// taxesOf returns the taxes of a payment in rupees, after the price in rupees if the payment knows no rate.
func taxesOf(receipt receipt.Receipt) (taxes []components.Fact) {
	amount := plain
	if receipt.Transaction.Charge.Currency != "INR" {
		amount = func(minor int64) string { return admission.INR(minor).String() }
		if receipt.Transaction.Exchange.Rupees == 0 {
			price := "Price in rupees"
			if code := receipt.Invoice.CouponCode; code != "" {
				price += " with " + code
			}
			taxes = append(taxes, components.Fact{Name: price, Value: amount(receipt.Invoice.TotalMinor)})
		}
	}
	taxes = append(taxes, components.Fact{Name: "Of which taxable value", Value: amount(receipt.Invoice.Tax.Taxable)})
	for _, line := range receipt.Invoice.Tax.Lines(receipt.Invoice.RateBP) {
		taxes = append(taxes, components.Fact{Name: "Of which " + line.Label, Value: amount(line.Minor)})
	}
	return taxes
}

// ledgerOf returns the fee, the discount, the payment, the refunds, and what is left. An invoiced payment in another currency
// ends with its value in rupees. surplus are the rows of other charges, of which we still have held.
func ledgerOf(receipt receipt.Receipt, surplus []ledgerRow, held int64, now time.Time) []ledgerRow {
	t := receipt.Transaction
	amount := func(minor int64) string { return unsigned(t.Charge.With(minor)) }
	fee := ledgerRow{What: feeNameOf(receipt.Registration), More: receipt.Event.Title + ", all taxes included"}
	list, discount := t.List.Minor, t.Discount.Minor
	foreign := t.List.Currency != t.Charge.Currency
	if foreign {
		fee.More += ", in " + t.Charge.Currency
		list = t.ForeignList
		discount = list - t.Charge.Minor - t.AdjustmentMinor
	}
	fee.Amount = amount(list)
	var rows []ledgerRow
	if !foreign || list > 0 { // an older version of the program stored no list price in that currency
		rows = append(rows, fee)
		if discount > 0 {
			rows = append(rows, ledgerRow{What: "Coupon " + t.CouponCode, Amount: amount(-discount)})
		}
		switch {
		case t.AdjustmentMinor > 0:
			rows = append(rows, ledgerRow{What: "Adjustment", More: "we accepted what reached us", Amount: amount(-t.AdjustmentMinor)})
		case t.AdjustmentMinor < 0:
			rows = append(rows, ledgerRow{What: "Paid above the fee", Amount: amount(-t.AdjustmentMinor)})
		}
	}
	paid := ledgerRow{What: "Paid", Amount: t.Charge.String()}
	switch {
	case t.Charge.Minor == 0:
		paid.What = "Nothing to pay"
	case t.RefundedMinor > 0 || len(surplus) > 0:
		paid.More, paid.Amount = paidOn(t), amount(t.Charge.Minor)
		rows = append(append(rows, paid), surplus...)
		back := refundRows(receipt, now)
		if back == nil && t.RefundedMinor > 0 {
			back = []ledgerRow{{What: "Refunded", Amount: amount(-t.RefundedMinor), Back: t.RefundedMinor}}
		}
		rows = append(rows, back...)
		if times, all := refundsIn(rows); times > 1 {
			rows = append(rows, ledgerRow{What: "Refunded in all", Amount: amount(-all)})
		}
		left := t.Charge.With(t.Charge.Minor - t.RefundedMinor + held)
		return append(rows, ledgerRow{What: "Net paid", Amount: left.String()})
	case foreign && t.Exchange.Rupees > 0 && receipt.Invoice != nil:
		rate := ledgerRow{What: "Rate", More: "for " + t.Charge.With(1_00).Short() + ", " + t.Exchange.Source, Amount: t.Exchange.String()}
		value := ledgerRow{What: "Value in rupees", Amount: admission.INR(receipt.Invoice.TotalMinor).String()}
		if t.AdjustmentMinor < 0 { // we refund what is above the fee
			value.What = "Fee in rupees"
		}
		return append(rows, paid, rate, value)
	}
	return append(rows, paid)
}

// refundsIn counts the refunds among rows, and adds them up.
func refundsIn(rows []ledgerRow) (times int, all int64) {
	for _, row := range rows {
		if row.Back > 0 {
			times, all = times+1, all+row.Back
		}
	}
	return times, all
}

// surplusRows returns the rows of charges that do not count, and how much of them we still have.
func surplusRows(of receipt.Receipt, now time.Time) (rows []ledgerRow, held int64) {
	for _, n := range slices.Backward(of.Notes(now)) {
		if n.Amount.Currency != of.Transaction.Charge.Currency || n.Reason != receipt.PaidTwice {
			continue
		}
		again := ledgerRow{What: "Paid again", More: "payment ID " + firstEight(n.TxnID), Amount: unsigned(n.Amount)}
		if n.Kind != receipt.Sent {
			again.More += "; we refund it"
			held += n.Amount.Minor
			rows = append(rows, again)
			continue
		}
		rows = append(rows, again, ledgerRow{What: "Refunded", More: sentAndArrives(n.At, n.By, now), Amount: unsigned(n.Amount.With(-n.Amount.Minor)), Back: n.Amount.Minor})
	}
	return rows, held
}

// feeOf names the fee of a registration on pages; papers have feeNameOf.
func feeOf(r enrol.Registration) string {
	if r.Product() == enrol.ProductApplication {
		return feeNameOf(r)
	}
	return "Exam fee"
}

// feeNameOf names the fee of a registration on papers.
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

// refundRows returns a row for each refund of the payment, with its credit note; nil if they do not add up to what was refunded.
func refundRows(of receipt.Receipt, now time.Time) (rows []ledgerRow) {
	t, refunded := of.Transaction, int64(0)
	for _, refund := range of.Refunds {
		if refund.PaymentID != t.PaymentID || refund.State != method.RefundDone || refund.Reason == payment.ReasonExcess || refund.Reason.Loss() {
			continue
		}
		refunded += refund.Amount.Minor
		row := ledgerRow{What: "Refunded", More: sentAndArrives(refund.SentAt(), refund.ArrivesBy(payment.RefundDays), now), Back: refund.Amount.Minor}
		if refund.Reason == payment.ReasonDispute {
			row = ledgerRow{What: pages.TakenByBank, More: admission.Date(refund.ChangedAt) + ", after your dispute"}
		}
		if i := slices.IndexFunc(of.CreditNotes, func(note invoice.CreditNote) bool { return note.RefundID == refund.ID }); i >= 0 {
			row.More, row.Number = row.More+", credit note", of.CreditNotes[i].Number
		}
		row.Amount = unsigned(refund.Amount.With(-refund.Amount.Minor))
		rows = append(rows, row)
	}
	if refunded != t.RefundedMinor {
		return nil
	}
	return rows
}

// sentAndArrives returns when a refund was sent, and by when it should arrive.
func sentAndArrives(sent, by, now time.Time) string {
	verb := ", should arrive by "
	if admission.ISODate(now) > admission.ISODate(by) {
		verb = ", should have arrived by "
	}
	return admission.Date(sent) + verb + admission.Date(by)
}

// unsigned formats an amount without the sign of rupees.
func unsigned(amount admission.Money) string { return strings.Replace(amount.String(), "₹", "", 1) }

func paidOn(t payment.Transaction) string {
	return admission.Moment(t.SettledAt)
}

// cancellation is the effect of a refund on a paper, by product.
var cancellation = map[enrol.Product]string{enrol.ProductEnrolment: "Enrolment cancelled", enrol.ProductApplication: "Application ended"}

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

package checkout

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/receipt"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// receipt and invoice serve mailed links.
func (h handlers) receipt(c *echo.Context) error { return h.mailed(c, h.showReceipt) }
func (h handlers) invoice(c *echo.Context) error { return h.mailed(c, h.showInvoice) }

func (h handlers) mailed(c *echo.Context, show func(*echo.Context, receipt.Receipt, paidLinks) error) error {
	token := c.Param("token")
	of, err := h.Receipts.OpenReceipt(c.Request().Context(), token)
	if errors.Is(err, receipt.ErrLinkExpired) {
		return h.expiredLink(c)
	}
	if admission.HasKind(err, admission.NotFound) {
		return h.lostLink(c)
	}
	if err != nil {
		return err
	}
	return show(c, of, mailedLinks(of, token))
}

// ownReceipt and ownInvoice serve the same documents to the payer's session.
func (h handlers) ownReceipt(c *echo.Context) error { return h.own(c, h.showReceipt) }
func (h handlers) ownInvoice(c *echo.Context) error { return h.own(c, h.showInvoice) }

func (h handlers) own(c *echo.Context, show func(*echo.Context, receipt.Receipt, paidLinks) error) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	txn := c.Param("txn")
	receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, txn)
	if admission.HasKind(err, admission.NotFound) {
		return h.notOwn(c, v, txn)
	}
	if err != nil {
		return err
	}
	links := ownLinks(receipt)
	if v.AccountID != "" {
		links.Registrations = web.RegistrationsPath
	}
	return show(c, receipt, links)
}

// notOwn explains to another visitor how the payer opens a receipt.
func (h handlers) notOwn(c *echo.Context, v admission.Visitor, txnID string) error {
	p, err := h.Payment.Find(c.Request().Context(), txnID)
	switch {
	case admission.HasKind(err, admission.NotFound), err == nil && (p.Registration.PaidTxnID != txnID || !p.Registration.HasPerson()):
		return h.unknownPayment(c)
	case err != nil:
		return err
	}
	return h.paidElsewhere(c, v, p)
}

func (h handlers) showInvoice(c *echo.Context, receipt receipt.Receipt, links paidLinks) error {
	if receipt.Invoice == nil {
		return h.noInvoice(c, components.Link{Text: "Receipt", Href: links.Receipt})
	}
	view := paperView{Home: homeOf(receipt.Event), Links: links, Phone: h.Content.Current().Site().Support.Phone}
	return h.Show(c, http.StatusOK, invoicePage(h.Frame(), view, papersOf(receipt)))
}

type paperView struct {
	Home, Phone string
	Links       paidLinks
}

// invoiceProps lists what rule 46 of the CGST Rules requires, from the frozen invoice.
func invoiceProps(invoice invoice.Invoice) components.PaperProps {
	before := invoice.BeforeDiscount()
	props := components.PaperProps{
		Title: "Tax invoice", Copy: "Original for recipient", Currency: "₹", SumIs: "Total", Sum: admission.INR(invoice.TotalMinor).String(),
		Number: invoice.Number, Date: admission.LongDate(invoice.IssuedOn), Place: stateAndCode(invoice.PlaceOfSupply, invoice.PlaceCode), ReverseCharge: "No",
		Supplier: supplierOf(invoice.Seller), Buyer: buyerOf(invoice.Buyer), BuyerIs: "Billed to",
		Items: "What was paid", Description: invoice.Description, SAC: invoice.SAC, Quantity: "1", Amount: plain(before),
		Words: invoice.Words, Split: splitOf(invoice.Tax, invoice.RateBP),
		Paid: "Paid on " + admission.Date(invoice.IssuedOn), PaymentID: invoice.TxnID,
		Hints: []string{"All amounts above the tax are without tax."},
	}
	withTax := "With tax: fee " + plain(invoice.ListMinor)
	if invoice.DiscountMinor > 0 {
		props.Rows = append(props.Rows, paperRow("Discount "+invoice.CouponCode, invoice.BeforeAdjustment()-before))
		withTax += ", discount " + plain(invoice.DiscountMinor)
	}
	if invoice.AdjustmentMinor > 0 {
		props.Rows = append(props.Rows, paperRow("Adjustment", invoice.Tax.Taxable-invoice.BeforeAdjustment()))
		withTax += ", adjustment " + plain(invoice.AdjustmentMinor)
	}
	if invoice.TotalMinor != invoice.ListMinor {
		props.Hints = append(props.Hints, withTax+".")
	}
	props.Rows = append(props.Rows, taxRows(invoice.Tax, invoice.RateBP)...)
	if invoice.Charged.Currency != "INR" {
		props.Notes = append(props.Notes, foreignNote(invoice))
	}
	props.Notes = append(props.Notes, "This invoice is auto-generated, no signature needed.")
	return props
}

// foreignNote names the sum that was paid in another currency, and its rate.
func foreignNote(i invoice.Invoice) string {
	if i.Exchange.Rupees == 0 { // of an older version of the program
		return "Charged: " + i.Charged.String() + ". This invoice is made out for the price in rupees."
	}
	return "Paid: " + i.Charged.String() + ", at " + i.Exchange.String() + " for " + i.Charged.With(1_00).Short() + " (" + i.Exchange.Source + ")."
}

func paperRow(name string, minor int64) components.PaperRow {
	return components.PaperRow{Fact: components.Fact{Name: name, Value: plain(minor)}}
}

// taxRows returns the taxable value and the taxes.
func taxRows(tax india.TaxSplit, rateBP int) []components.PaperRow {
	base := paperRow("Taxable value", tax.Taxable)
	base.Base = true
	rows := []components.PaperRow{base}
	for _, line := range tax.Lines(rateBP) {
		rows = append(rows, paperRow(line.Label, line.Minor))
	}
	return rows
}

// splitOf returns the tax table: the total rate, and a column per tax.
func splitOf(tax india.TaxSplit, rateBP int) components.PaperSplit {
	split := components.PaperSplit{Taxable: plain(tax.Taxable), Rate: strconv.FormatFloat(float64(rateBP)/100, 'f', -1, 64) + "%"}
	all := int64(0)
	for _, line := range tax.Lines(rateBP) {
		head, _, _ := strings.Cut(line.Label, " ")
		split.Taxes = append(split.Taxes, components.Fact{Name: head, Value: plain(line.Minor)})
		all += line.Minor
	}
	split.InAll = plain(all)
	return split
}

// partyAt returns a party with its address in two lines: the street, and the rest.
func partyAt(name, address, gstin string) components.Party {
	party := components.Party{Name: name}
	if street, rest, more := strings.Cut(address, "\n"); address != "" {
		party.Lines = append(party.Lines, street)
		if more {
			party.Lines = append(party.Lines, strings.ReplaceAll(rest, "\n", ", "))
		}
	}
	if gstin != "" {
		party.Lines = append(party.Lines, "GSTIN "+gstin)
	}
	return party
}

// supplierOf returns a supplier whose address includes the code of its State.
func supplierOf(p invoice.Party) components.Party {
	party := partyAt(p.Name, p.Address, "")
	if last := len(party.Lines) - 1; last >= 0 && p.StateName != "" && strings.Contains(party.Lines[last], p.StateName) {
		party.Lines[last] = strings.Replace(party.Lines[last], p.StateName, stateAndCode(p.StateName, p.StateCode), 1)
	} else if p.StateName != "" {
		party.Lines = append(party.Lines, "State "+stateAndCode(p.StateName, p.StateCode))
	}
	if p.GSTIN != "" {
		party.Lines = append(party.Lines, "GSTIN "+p.GSTIN)
	}
	return party
}

// buyerOf returns a buyer. Below ₹50,000 the State suffices as address.
func buyerOf(p invoice.Party) components.Party {
	party, phone := supplierOf(p), ""
	if p.Phone != "" {
		phone = pages.Mobile(p.Phone)
	}
	for _, line := range []string{p.Email, phone} {
		if line != "" {
			party.Lines = append(party.Lines, line)
		}
	}
	return party
}

func stateAndCode(name, code string) string {
	if code == "" {
		return ""
	}
	return name + " (" + code + ")"
}

// plain formats rupees without a sign: "1,270.34", "−500.00".
func plain(minor int64) string {
	return strings.Replace(admission.INR(minor).String(), "₹", "", 1)
}

package checkout

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/invoice"
	"hiresure/admission/receipt"
	"hiresure/components"
	"hiresure/web"
)

// receipt and invoice are opened by a mailed link, by whoever has it.
func (h handlers) receipt(c *echo.Context) error { return h.mailed(c, h.showReceipt) }
func (h handlers) invoice(c *echo.Context) error { return h.mailed(c, h.showInvoice) }

func (h handlers) mailed(c *echo.Context, show func(*echo.Context, receipt.Receipt, paidLinks) error) error {
	token := c.Param("token")
	receipt, err := h.Receipts.OpenReceipt(c.Request().Context(), token)
	if isProblem(err, admission.NotFound) {
		return h.deadLink(c)
	}
	if err != nil {
		return err
	}
	return show(c, receipt, paidLinks{Receipt: web.ReceiptPath(token), Invoice: web.InvoicePath(token)})
}

// ownReceipt and ownInvoice are the same papers for the browser that paid: the session opens them, no link is made.
func (h handlers) ownReceipt(c *echo.Context) error { return h.own(c, h.showReceipt) }
func (h handlers) ownInvoice(c *echo.Context) error { return h.own(c, h.showInvoice) }

func (h handlers) own(c *echo.Context, show func(*echo.Context, receipt.Receipt, paidLinks) error) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	txn := c.Param("txn")
	receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, txn)
	if isProblem(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	return show(c, receipt, paidLinks{Receipt: web.OwnReceiptPath(txn), Invoice: web.OwnInvoicePath(txn)})
}

func (h handlers) showInvoice(c *echo.Context, receipt receipt.Receipt, links paidLinks) error {
	if receipt.Invoice == nil {
		return h.noInvoice(c, components.Link{Text: "Receipt", Href: links.Receipt})
	}
	view := paperView{Home: web.ScholarshipPath(receipt.Event.Slug), Links: links}
	return h.Show(c, http.StatusOK, invoicePage(h.Kit, view, sheetsOf(receipt)))
}

type paperView struct {
	Home  string
	Links paidLinks
}

// invoiceProps writes out what rule 46 of the CGST Rules asks for, from the frozen invoice alone (domain.md §1.1).
func invoiceProps(invoice invoice.Invoice) components.InvoiceProps {
	seller, buyer := invoice.Seller, invoice.Buyer
	props := components.InvoiceProps{
		Title: "Tax invoice", Copy: "ORIGINAL FOR RECIPIENT", Currency: "₹",
		Facts: []components.Fact{
			{Name: "Number", Value: invoice.Number},
			{Name: "Date", Value: admission.Date(invoice.IssuedOn)},
			{Name: "Place of supply", Value: stateAndCode(invoice.PlaceOfSupply, invoice.PlaceCode)},
			{Name: "Reverse charge", Value: "No"},
		},
		Supplier: partyOf(seller),
		Buyer:    partyOf(buyer),
		Lines: []components.InvoiceLine{{
			Description: invoice.Description + ", all taxes included", SAC: invoice.SAC, Quantity: "1",
			Discount: percentOff(invoice.DiscountMinor, invoice.ListMinor), Amount: plain(invoice.ListMinor),
		}},
		Total: admission.INR(invoice.TotalMinor).String(),
		Words: invoice.Words,
		Notes: []string{"Taxable value and tax are worked out of the fee after the discount."},
	}
	if invoice.DiscountMinor > 0 {
		props.Rows = append(props.Rows, components.Fact{Name: "Discount, coupon " + invoice.CouponCode, Value: plain(-invoice.DiscountMinor)})
	}
	props.Rows = append(props.Rows, taxRows(invoice.Tax, invoice.RateBP)...)
	if invoice.Charged.Currency != "INR" {
		props.Notes = append(props.Notes, "Charged: "+invoice.Charged.String()+". This invoice is made out for the price in rupees.")
	}
	props.Notes = append(props.Notes, "Payment number: "+invoice.TxnID, "This invoice is auto-generated, no signature needed.")
	return props
}

func partyOf(p invoice.Party) components.Party {
	party := components.Party{Name: p.Name}
	if p.Address != "" {
		party.Address = strings.Split(p.Address, "\n")
	}
	for _, fact := range []components.Fact{
		{Name: "GSTIN", Value: p.GSTIN}, {Name: "State", Value: stateAndCode(p.StateName, p.StateCode)}, {Name: "E-mail", Value: p.Email}, {Name: "Mobile", Value: p.Phone},
	} {
		if fact.Value != "" {
			party.Facts = append(party.Facts, fact)
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

// plain is an amount in rupees for a column that says so on top: "1,270.34", "−500.00".
func plain(minor int64) string {
	return strings.Replace(admission.INR(minor).String(), "₹", "", 1)
}

// percentOff is a discount as a percentage of the list price, with at most two decimals, rounded down: "33.35".
func percentOff(discountMinor, listMinor int64) string {
	if listMinor == 0 {
		return "0"
	}
	hundredths := discountMinor * 100_00 / listMinor
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(float64(hundredths)/100, 'f', 2, 64), "0"), ".")
}

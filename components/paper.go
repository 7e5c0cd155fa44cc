package components

import "strings"

// Party is the seller or buyer on an invoice or a credit note.
type Party struct {
	Name  string
	Lines []string // address, GSTIN, State and code, contact
}

// Fact is a named value.
type Fact struct{ Name, Value string }

// PaperProps is a tax invoice or a credit note. Amounts are formatted, in columns without a currency sign. A column starts
// without tax, then has the taxable value, the taxes and the sum.
type PaperProps struct {
	Title         string // "Tax invoice"
	Below         bool   // another document is above it on the page
	Open          bool   // a credit note: its dots are rings
	Marks         []string
	Later         []Link // links to the later documents below
	Copy          string // "Original for recipient"
	Number, Date  string
	Place         string // of supply, with its code
	ReverseCharge string
	Against       string // document that it credits or restores
	Reason        string
	Supplier      Party
	Buyer         Party
	BuyerIs       string // "Billed to"
	Currency      string // "₹", above the amounts
	Items         string // heading of the items: "What was paid"
	Description   string
	SAC, Quantity string
	Amount        string
	Rows          []PaperRow
	SumIs         string // "Total"
	Sum           string // "₹999.00"
	Words         string
	Hints         []string // next to the words
	Split         PaperSplit
	Paid          string // "Paid on 22 Nov 2026"
	PaymentID     string
	Notes         []string // declarations at the end
}

// ID returns the anchor of the document.
func (p PaperProps) ID() string { return strings.ReplaceAll(p.Number, "/", "-") }

// PaperRow is a row between the description and the sum.
type PaperRow struct {
	Fact
	Base bool // the taxable value
}

// PaperSplit is the tax table; the zero value for a document without tax.
type PaperSplit struct {
	Taxable, Rate, InAll string
	Taxes                []Fact // by head: "IGST"
}

// paperLoops is the number of loops below the heading.
const paperLoops = 29

var paperLine = DateLineProps{Items: make([]DateLineItem, paperLoops)}

package components

import "strings"

// Party is seller or buyer on a paper.
type Party struct {
	Name  string
	Lines []string // address, GSTIN, State and code, how to reach them
}

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// PaperProps is a tax invoice or a credit note; every figure is decided. Amounts are to be read, without currency sign where
// they stand in a column. All of a column are in one base: without tax down to the taxable value, then the taxes, then the sum.
type PaperProps struct {
	Title         string // "Tax invoice"
	Below         bool   // another paper heads the page
	Open          bool   // it takes back: its dots are rings
	Marks         []string
	Later         []Link // to the papers below that change it
	Copy          string // "Original for recipient"
	Number, Date  string
	Place         string // of supply, with its code
	ReverseCharge string
	Against       string // what it takes back or stands for again
	Reason        string
	Supplier      Party
	Buyer         Party
	BuyerIs       string // "Billed to"
	Currency      string // "₹", heads the amounts
	Description   string
	SAC, Quantity string
	Amount        string
	Rows          []PaperRow
	SumIs         string // "Total"
	Sum           string // "₹999.00"
	Words         string
	Hints         []string // on paper, beside the words
	Split         PaperSplit
	Paid          string // "Paid on 22 Nov 2026"
	PaymentNumber string
	Notes         []string // below: declarations, "auto-generated"
}

// ID is what a link to the paper names.
func (p PaperProps) ID() string { return strings.ReplaceAll(p.Number, "/", "-") }

// PaperRow is a line between the description and the sum.
type PaperRow struct {
	Fact
	Base bool // the taxable value
}

// PaperSplit is the table of the taxes by service.
type PaperSplit struct {
	Taxable, Rate, InAll string
	Taxes                []Fact // by head: "IGST"
}

// paperLoops is how many loops the line below a paper's head has.
const paperLoops = 29

var paperLine = DateLineProps{Items: make([]DateLineItem, paperLoops)}

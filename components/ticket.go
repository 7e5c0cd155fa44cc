package components

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/boombuler/barcode/qr"
)

// TicketProps is the ticket of a paid enrolment, with all texts as they are to be read.
type TicketProps struct {
	Programme, Name     string
	Day, Month, Weekday string // of the exam: "14", "March 2027", "Sunday"
	Course, Where       string
	WhereMore           string // follows Where on a wide ticket; may be empty
	Bring               string
	Money, Paid         string // what the amount is, and the amount: "Amount paid", "₹999.00"
	Number              string // for people; "" in the first minute of one that an older program has issued
	Link                string // absolute address that its QR code opens; "" for none
	Refunded            bool   // it is no longer valid
}

func (p TicketProps) label() string {
	if p.Number == "" {
		return "Your ticket"
	}
	return "Your ticket " + p.Number
}

// UnpaidProps is the ticket of an enrolment that is not paid for yet.
type UnpaidProps struct {
	Programme, Name     string
	Day, Month, Weekday string // of the exam, as in TicketProps
	Course, Phone       string // the phone as people read it, proven
	Price               PriceProps
	Pay                 string // address
}

// Parts of an amount: the sign and the decimals are set closer than its figures.
type amountParts struct{ Sign, Whole, Decimals string }

func partsOf(amount string) amountParts {
	sign := currencySign(amount)
	whole, decimals, found := strings.Cut(strings.TrimPrefix(amount, sign), ".")
	if found {
		decimals = "." + decimals
	}
	return amountParts{sign, whole, decimals}
}

// qrQuiet is the empty border of a QR code here, in modules. The ticket around it is as light: four in all.
const qrQuiet = 2

// qrCode is a QR code as one SVG path, a module a unit, and the viewBox that holds it with its border.
type qrCode struct{ ViewBox, Ground, Ink string }

// newQR encodes an address with error correction M. An address of ours is some 60 characters; only one of thousands fails.
func newQR(address string) (qrCode, error) {
	code, err := qr.Encode(address, qr.M, qr.Auto)
	if err != nil {
		return qrCode{}, fmt.Errorf("QR code: %w", err)
	}
	size := code.Bounds().Dx()
	var ink strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			start := x
			for x < size && code.At(x, y) == color.Black {
				x++
			}
			if width := x - start; width > 0 {
				fmt.Fprintf(&ink, "M%d %dh%dv1h-%dz", start, y, width, width)
			}
		}
	}
	whole := strconv.Itoa(size + 2*qrQuiet)
	return qrCode{
		ViewBox: fmt.Sprintf("-%d -%d %s %s", qrQuiet, qrQuiet, whole, whole),
		Ground:  fmt.Sprintf("M-%d -%dh%sv%sh-%sz", qrQuiet, qrQuiet, whole, whole, whole),
		Ink:     ink.String(),
	}, nil
}

// DateLineProps is what comes after enrolling, in order: each date in a loop of the line.
type DateLineProps struct{ Items []DateLineItem }

// DateLineItem is one of the dates.
type DateLineItem struct {
	Name, Text string
	Day        string // in its loop, as long as it is to come
	Done       bool
	Main       bool // the exam
}

func (p DateLineProps) done() (n int) {
	for _, item := range p.Items {
		if item.Done {
			n++
		}
	}
	return n
}

func (p DateLineProps) donePath() string { return braidRun(len(p.Items), 0, 2*p.done(), braidTile) }
func (p DateLineProps) restPath() string {
	return braidRun(len(p.Items), 2*p.done(), 2*len(p.Items), braidTile)
}

// box is the viewBox of the line with n loops; down is the one from top to bottom.
func (p DateLineProps) box(down bool) string {
	length := decimal(braidTile * float64(len(p.Items)))
	if down {
		return "-20 -20 40 " + length
	}
	return "-17 -17 " + decimal(braidTile*float64(len(p.Items))-6) + " 34"
}

// place is the centre of the i-th loop along the line.
func (p DateLineProps) place(i int) string { return decimal(braidTile * float64(i)) }

// The five steps of an enrolment, and their names, in a line of which all but the last are done.
var unpaidLine = DateLineProps{Items: make([]DateLineItem, 5)}

var steps = []string{"You", "Phone", "Course", "Consent", "Paid"}

func unpaidPaths() (drawn, rest string) {
	half := 2*len(steps) - 1
	return braidRun(len(steps), 0, half, braidTile), braidRun(len(steps), half, half+1, braidTile)
}

// turned swaps the axes of a line that runs from the left to the right, so that it runs down.
func turned(down bool) templ.Attributes {
	if !down {
		return nil
	}
	return templ.Attributes{"transform": "matrix(0 1 1 0 0 0)"}
}

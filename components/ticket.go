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
	Day, Month, Weekday string // of the exam: "14", "March 2027", "Sunday, 10:00"
	HourFollows         string // says that the hour comes which Weekday lacks; "" for none
	Course, Where       string
	WhereMore           string // follows Where; may be empty
	Bring               string
	Money, Paid         string // what the amount is, and the amount: "Amount paid", "₹999.00"; Paid is "" for who may not see it
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
	Label               string // of Price: "Registration fee, all taxes included"
	Price               PriceProps
	Payment             Knot        // the last step: how the payment stands
	Pay                 ButtonProps // leads on
	First               string      // what to know before that; "" for nothing
	Then                string      // what follows First, less loud; may be empty
	Help                string      // address of the payment that has failed; "" for none
}

// ShareProps is what the share sheet of a phone is given. Picture is the address of a PNG of ours that goes along; may be empty.
type ShareProps struct{ Title, Text, URL, Picture string }

// ReferralProps is the code that a payer gives to friends.
type ReferralProps struct {
	Bonus  string // "₹200"
	Code   string
	Terms  string // where to and by when it is paid, in a sentence
	Sample bool   // nobody has confirmed Terms
	Share  ShareProps
}

// HangingProps is a ticket whose stub says how a payment stands, and whose body what was kept of the registration.
type HangingProps struct {
	Programme, Name     string
	Day, Month, Weekday string // of the exam, as in TicketProps
	Kept                []Fact // a narrow screen has the first alone
	Money, Amount       string // how the money stands, and the amount: "Still to pay", "₹999.00"
	Or                  string // what Amount is where another currency is charged: "or $12.66 with PayPal"; may be empty
	For, Payee          string
	Payment             string // its number
	Receipt             string // address; may be empty
}

// atPoint cuts an amount around the figure before its point, to which that is set closer; without a point it is whole.
func atPoint(amount string) (whole, unit, decimals string) {
	point := strings.Index(amount, ".")
	if point < 1 {
		return amount, "", ""
	}
	return amount[:point-1], amount[point-1 : point], amount[point:]
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
type DateLineProps struct {
	Items []DateLineItem
	Apart bool // each day stands in a line of its own, and the line is drawn to the next one, in a ring
}

// DateLineItem is one of the dates.
type DateLineItem struct {
	Name   string
	On     string // "Sunday, 7 March"; may be empty
	Text   string
	Day    string // in its loop, as long as it is to come; "" for any day
	Month  string // of Day, and what is to say beside it: on paper
	More   string
	Done   bool
	Main   bool // the exam
	Sample bool // nobody has confirmed Text
}

func (p DateLineProps) done() (n int) {
	for _, item := range p.Items {
		if item.Done {
			n++
		}
	}
	return n
}

// next is the date that comes next, where the line goes on to it; -1 where it does not, or none is to come.
func (p DateLineProps) next() int {
	if done := p.done(); p.Apart && done < len(p.Items) {
		return done
	}
	return -1
}

// drawn is how many half loops are drawn.
func (p DateLineProps) drawn() int {
	if p.next() >= 0 {
		return 2*p.done() + 1
	}
	return 2 * p.done()
}

func (p DateLineProps) donePath() string { return braidRun(len(p.Items), 0, p.drawn()) }
func (p DateLineProps) restPath() string {
	return braidRun(len(p.Items), p.drawn(), 2*len(p.Items))
}

// box is the viewBox of the line with n loops; down is the one from top to bottom.
func (p DateLineProps) box(down bool) string {
	length := decimal(braidTile * float64(len(p.Items)))
	if down {
		return "-20 -20 40 " + length
	}
	return lineBox(len(p.Items))
}

// place is the centre of the i-th loop along the line.
func (p DateLineProps) place(i int) string { return decimal(braidTile * float64(i)) }

// turned swaps the axes of a line that runs from the left to the right, so that it runs down.
func turned(down bool) templ.Attributes {
	if !down {
		return nil
	}
	return templ.Attributes{"transform": "matrix(0 1 1 0 0 0)"}
}

package components

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/boombuler/barcode/qr"
)

// TicketProps is the ticket of a paid enrolment, formatted.
type TicketProps struct {
	Programme, Name     string
	Day, Month, Weekday string // of the exam: "14", "March 2027", "Sunday, 10:00"
	HourFollows         string // announces the hour that Weekday lacks; "" for none
	Course, Where       string
	WhereMore           string // follows Where; may be empty
	Bring               string
	Money, Paid         string // label and amount: "Amount paid", "₹999.00"; Paid is "" for visitors who may not see it
	Number              string // "" for the first minute of one issued by an older version
	Link                string // absolute address in the QR code; "" for none
	Refunded            bool   // no longer valid
}

func (p TicketProps) label() string {
	if p.Number == "" {
		return "Your ticket"
	}
	return "Your ticket " + p.Number
}

// UnpaidProps is the ticket of an unpaid enrolment.
type UnpaidProps struct {
	Programme, Name     string
	Day, Month, Weekday string // see TicketProps
	Course, Phone       string // the phone is verified, formatted
	Label               string // of Price: "Registration fee, all taxes included"
	Price               PriceProps
	Payment             Step        // last step
	Pay                 ButtonProps // payment button
	First               string      // message before it; "" for none
	Then                string      // smaller, after First; may be empty
	Help                string      // address of the failed payment; "" for none
}

// ShareProps is passed to a phone's share sheet. Picture is the address of a PNG; may be empty.
type ShareProps struct{ Title, Text, URL, Picture string }

// ReferralProps is a payer's referral code.
type ReferralProps struct {
	Bonus string // "₹200"
	Code  string
	Terms string // how and when it is paid, in a sentence
	Share ShareProps
}

// PendingTicketProps is the ticket of an unpaid attempt: its stub has the payment's status, its body the registration's details.
type PendingTicketProps struct {
	Programme, Name     string
	Day, Month, Weekday string // see TicketProps
	Kept                []Fact // narrow screens show only the first
	Money, Amount       string // label and amount: "Still to pay", "₹999.00"
	Or                  string // charge in another currency: "or $12.66 with PayPal"; may be empty
	For, Payee          string
	Payment             string // number
	Receipt             string // address; may be empty
}

// atPoint splits an amount before the figure that precedes its decimal point; without a point it is whole.
func atPoint(amount string) (whole, unit, decimals string) {
	point := strings.Index(amount, ".")
	if point < 1 {
		return amount, "", ""
	}
	return amount[:point-1], amount[point-1 : point], amount[point:]
}

// qrQuiet is the border of a QR code in modules. The ticket around it adds two: four in all.
const qrQuiet = 2

// qrCode is a QR code as an SVG path, one unit per module, with its viewBox.
type qrCode struct{ ViewBox, Ground, Ink string }

// newQR encodes an address with error correction M. It fails only for thousands of characters; ours have about 60.
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

// DateLineProps is a line of dates after enrolling, one loop each.
type DateLineProps struct {
	Items []DateLineItem
	Apart bool // one date per line; the line is drawn to the next one, with a ring
}

// DateLineItem is a date.
type DateLineItem struct {
	Name  string
	On    string // "Sunday, 7 March"; may be empty
	Text  string
	Day   string // in its loop until it is past; "" for any day
	Month string // month of Day, with More on paper
	More  string
	Done  bool
	Main  bool // the exam
}

func (p DateLineProps) done() (n int) {
	for _, item := range p.Items {
		if item.Done {
			n++
		}
	}
	return n
}

// next returns the index of the next date, if the line is drawn to it; otherwise -1.
func (p DateLineProps) next() int {
	if done := p.done(); p.Apart && done < len(p.Items) {
		return done
	}
	return -1
}

// drawn returns the number of drawn half loops.
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

// box returns the viewBox of the line; down is the vertical one.
func (p DateLineProps) box(down bool) string {
	length := decimal(braidTile * float64(len(p.Items)))
	if down {
		return "-20 -20 40 " + length
	}
	return lineBox(len(p.Items))
}

// place returns the centre of the i-th loop along the line.
func (p DateLineProps) place(i int) string { return decimal(braidTile * float64(i)) }

// turned swaps the axes of a horizontal line.
func turned(down bool) templ.Attributes {
	if !down {
		return nil
	}
	return templ.Attributes{"transform": "matrix(0 1 1 0 0 0)"}
}

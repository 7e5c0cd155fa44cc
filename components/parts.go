package components

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Link is a text that leads somewhere.
type Link struct {
	Text, Href string
	External   bool // opens in a new tab
}

// linkParts cuts a text at the links that it names, in order. Parts without Href are plain text.
func linkParts(text string, links []Link) []Link {
	var parts []Link
	for _, link := range links {
		before, after, found := strings.Cut(text, link.Text)
		if !found {
			continue
		}
		if before != "" {
			parts = append(parts, Link{Text: before})
		}
		parts = append(parts, link)
		text = after
	}
	if text != "" {
		parts = append(parts, Link{Text: text})
	}
	return parts
}

// ButtonProps describes a button, or a link that looks like one where Href is set.
type ButtonProps struct {
	Look        string // gold (leads to payment), action, outline, link
	Text        string
	Href        string
	Name, Value string // what the form is sent with
	Type        string // submit where empty
	ID          string
	Icon        string // a sign before the text
	Wide        bool
	Busy        bool
}

func (p ButtonProps) class() string {
	class := "button"
	if p.Look != "" && p.Look != "action" {
		class += " button-" + p.Look
	}
	if p.Wide {
		class += " button-wide"
	}
	return class
}

func (p ButtonProps) buttonType() string {
	if p.Type == "" {
		return "submit"
	}
	return p.Type
}

// BadgeLook says what a badge means, by sign and colour.
type BadgeLook string

// The looks of a badge, and what each says.
const (
	BadgeOpen     BadgeLook = "open"     // dashed ring: Number Verified, Form Incomplete
	BadgeWaiting  BadgeLook = "waiting"  // half disc: Payment Initiated
	BadgeTurn     BadgeLook = "turn"     // arrow up: Documents Pending
	BadgeFailed   BadgeLook = "failed"   // cross: Payment Failed
	BadgeDone     BadgeLook = "done"     // tick: Completed
	BadgeReturned BadgeLook = "returned" // arrow back: Refunded
)

// NoticeLook says how a notice speaks.
type NoticeLook string

// The looks of a notice.
const (
	NoticeWaiting NoticeLook = "waiting"
	NoticeInfo    NoticeLook = "info"
	NoticeDone    NoticeLook = "done"
	NoticeFailed  NoticeLook = "failed"
)

func (l NoticeLook) icon() string {
	if l == NoticeDone {
		return "tick"
	}
	return "bang"
}

// PriceProps holds amounts as they are to be read, with their currency sign: "₹1,499".
type PriceProps struct {
	Amount string
	Struck string // what it would have been; empty: no reduction
	Coupon string // the code that reduced it
}

// currencySign is the rupee sign that an amount starts with: it stands in an element of its own, to be kerned.
func currencySign(amount string) string {
	if strings.HasPrefix(amount, "₹") {
		return "₹"
	}
	return ""
}

func figures(amount string) string { return strings.TrimPrefix(amount, "₹") }

// text is a text node without white space around it.
func text(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, templ.EscapeString(s))
		return err
	})
}

// ProgressProps says where a visitor stands in several steps.
type ProgressProps struct {
	Stage    string // name of the current one
	Position int    // 1…Total
	Total    int
}

// RotationProps belongs to a strip of Count items that turns by itself.
type RotationProps struct {
	Count int
	Names string // what a dot shows: "Testimonial"
}

// AccordionItem is one question; items with the same Group close each other.
type AccordionItem struct {
	Group, Question string
	Open            bool
}

// EmptyProps is a place without anything in it.
type EmptyProps struct {
	Sentence string
	Action   *Link
}

// DateProps is one date as a figure.
type DateProps struct{ Day, Month, What string }

package components

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"hiresure/static"
)

// Link is a link.
type Link struct {
	Text, Href string
	External   bool // opens in a new tab
}

// linkParts splits a text at its links, in order. Parts without Href are plain text.
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

// ButtonProps is a button, or with Href a link that looks like one.
type ButtonProps struct {
	Look        string // gold (payment), action, outline, link
	Text        string
	Href        string
	Name, Value string // submitted with the form
	Type        string // submit if empty
	ID          string
	Icon        string // before the text
	Wide        bool
	Busy        bool
	Focused     bool // focused when the page opens
	Waits       bool // can be pressed, but reports that it is too early
	Disabled    bool // cannot be pressed
}

func (p ButtonProps) wide() ButtonProps {
	p.Wide = true
	return p
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
	return cmp.Or(p.Type, "submit")
}

// NoticeLook is the style of a notice.
type NoticeLook string

// Styles of a notice.
const (
	NoticeWaiting NoticeLook = "waiting"
	NoticeInfo    NoticeLook = "info"
	NoticeDone    NoticeLook = "done"
	NoticeFailed  NoticeLook = "failed"
)

// Icon returns the notice's icon.
func (l NoticeLook) Icon() string {
	if l == NoticeDone {
		return "tick"
	}
	return "bang"
}

// PriceProps holds formatted amounts: "₹1,499".
type PriceProps struct {
	Amount string
	Struck string // list price; "" without a discount
	Coupon string // code of the discount
}

// Text renders a text without white space around it.
func Text(words string) templ.Component { return templ.Raw(templ.EscapeString(words)) }

// Sums renders a text with kerned amounts: each rupee sign is in an element.
func Sums(words string) templ.Component { return templ.Raw(Kerned(words)) }

// Kerned returns the HTML of a text with kerned amounts.
func Kerned(words string) string {
	return strings.ReplaceAll(templ.EscapeString(words), "₹", `<span class="rupee">₹</span>`)
}

// Breakable renders Sums in which a long e-mail address breaks before its @.
func Breakable(text string) templ.Component {
	at := strings.Index(text+"@", "@")
	return templ.Raw(Kerned(text[:at]) + "<wbr>" + Kerned(text[at:]))
}

// noBreak matches them with the sign that follows, which would begin a line alone: the spans are inline blocks.
var noBreak = regexp.MustCompile(`(?:\+91 [\d ]*\d|\d\d:\d\d to \d\d:\d\d|\b[Ee]-mail|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: \d{4})?|\b\d{1,2} (?:January|February|March|April|June|July|August|September|October|November|December)\b|\b(?:\d-)?\d{1,2} (?:business|working)\b|\b[a-z]+-month\b|\bthe next \d+ get \d+%|\b[A-Z]+/\d\d-\d\d/\d+)[.,;:!?]?`)

// whole adds spans to an escaped text that prevent breaks in times, dates, day counts, rank shares, phone and document
// numbers, and at the hyphen of e-mail.
func whole(html string) string {
	return noBreak.ReplaceAllString(html, `<span class="nowrap">$0</span>`)
}

// WholeText renders a text without breaks in times, dates and phone numbers.
func WholeText(words string) templ.Component { return templ.Raw(whole(templ.EscapeString(words))) }

// WholeKerned returns the HTML of WholeText with kerned amounts.
func WholeKerned(words string) string { return whole(Kerned(words)) }

// WholeSums renders WholeKerned.
func WholeSums(words string) templ.Component { return templ.Raw(WholeKerned(words)) }

var ranges = regexp.MustCompile(`(?:\d+[–-]\d+|\b[Ee]-mails?)[.,;:!?]?`)

// wholeRanges renders a text without breaks in "2–50", "6-9" and "e-mail". Whole in islands/forms/Whole.tsx and
// islands/enquiry/errors.ts do the same.
func wholeRanges(words string) templ.Component {
	return templ.Raw(ranges.ReplaceAllString(templ.EscapeString(words), `<span class="nowrap">$0</span>`))
}

var reach = regexp.MustCompile(`[\w.+-]+@[\w.-]*\w|\+91 [\d ]*\d`)

// Reachable renders WholeText with e-mail addresses and phone numbers as links.
func Reachable(words string) templ.Component {
	return templ.Raw(whole(reach.ReplaceAllStringFunc(templ.EscapeString(words), func(at string) string {
		if strings.HasPrefix(at, "+") {
			return `<a href="` + string(Tel(at)) + `">` + at + `</a>`
		}
		return `<a href="mailto:` + at + `">` + at + `</a>`
	})))
}

// DateProps is a date with a large figure.
type DateProps struct{ Day, Month, What string }

// IslandScript returns the attributes that load an island's script and preload its imports.
func IslandScript(name string) templ.Attributes {
	script := name + ".js"
	return templ.Attributes{
		"data-island":  name,
		"data-src":     static.Path(script),
		"data-imports": strings.Join(static.Imports(script), " "),
	}
}

package components

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"hiresure/static"
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
	Focused     bool // takes the focus when the page opens
	Waits       bool // it can be pressed, and says that it is too early
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

// NoticeLook says how a notice speaks.
type NoticeLook string

// The looks of a notice.
const (
	NoticeWaiting NoticeLook = "waiting"
	NoticeInfo    NoticeLook = "info"
	NoticeDone    NoticeLook = "done"
	NoticeFailed  NoticeLook = "failed"
)

// Icon is the sign of a notice.
func (l NoticeLook) Icon() string {
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

// Text is a text node without white space around it.
func Text(words string) templ.Component { return templ.Raw(templ.EscapeString(words)) }

// Sums is a text node whose sums are kerned: each rupee sign stands in an element, a little off its figure.
func Sums(words string) templ.Component { return templ.Raw(Kerned(words)) }

// Kerned is the HTML of a text with its sums kerned.
func Kerned(words string) string {
	return strings.ReplaceAll(templ.EscapeString(words), "₹", `<span class="rupee">₹</span>`)
}

// Breakable is a text of Sums; where an e-mail address in it has to break, it goes on before its @ in the next line.
func Breakable(text string) templ.Component {
	at := strings.Index(text+"@", "@")
	return templ.Raw(Kerned(text[:at]) + "<wbr>" + Kerned(text[at:]))
}

var unbroken = regexp.MustCompile(`\+91 [\d ]*\d|\d\d:\d\d to \d\d:\d\d|\b[Ee]-mail|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: \d{4})?|\b\d{1,2} (?:January|February|March|April|June|July|August|September|October|November|December)\b|\b(?:\d-)?\d{1,2} (?:business|working)\b|\b[a-z]+-month\b|\bthe next \d+ get \d+%|\b[A-Z]+/\d\d-\d\d/\d+`)

// whole is the HTML of a text, escaped already, in which no time, date, number of days or months, share of ranks, number of a phone or of a paper breaks, nor "e-mail" at its hyphen.
func whole(html string) string {
	return unbroken.ReplaceAllString(html, `<span class="whole">$0</span>`)
}

// WholeText is a text node in which no time, date or number of a phone breaks.
func WholeText(words string) templ.Component { return templ.Raw(whole(templ.EscapeString(words))) }

// WholeKerned is the HTML of a text with its sums kerned, in which nothing breaks that WholeText keeps.
func WholeKerned(words string) string { return whole(Kerned(words)) }

// WholeSums is a text node of WholeKerned.
func WholeSums(words string) templ.Component { return templ.Raw(WholeKerned(words)) }

var ranges = regexp.MustCompile(`\d+[–-]\d+|\b[Ee]-mails?`)

// wholeRanges is a text node in which no "2–50", "6-9" or "e-mail" breaks. Whole in islands/forms/Whole.tsx and islands/enquiry/errors.ts are the same.
func wholeRanges(words string) templ.Component {
	return templ.Raw(ranges.ReplaceAllString(templ.EscapeString(words), `<span class="whole">$0</span>`))
}

var reach = regexp.MustCompile(`[\w.+-]+@[\w.-]*\w|\+91 [\d ]*\d`)

// Reachable is WholeText whose addresses and numbers of phones are links.
func Reachable(words string) templ.Component {
	return templ.Raw(whole(reach.ReplaceAllStringFunc(templ.EscapeString(words), func(at string) string {
		if strings.HasPrefix(at, "+") {
			return `<a href="` + string(Tel(at)) + `">` + at + `</a>`
		}
		return `<a href="mailto:` + at + `">` + at + `</a>`
	})))
}

// DateProps is one date as a figure.
type DateProps struct{ Day, Month, What string }

// IslandScript returns the attributes by which the page's script loads an island, and preloads it with all that it imports.
func IslandScript(name string) templ.Attributes {
	script := name + ".js"
	return templ.Attributes{
		"data-island":  name,
		"data-src":     static.Path(script),
		"data-imports": strings.Join(static.Imports(script), " "),
	}
}

package components

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/a-h/templ"

	"hiresure/static"
)

// ManifestPath is the address of the web app manifest.
const ManifestPath = "/site.webmanifest"

// Page is the frame of a page. It has no visitor data, so that a public page is equal for all.
type Page struct {
	Title       string // without the name of the product
	Description string
	Canonical   string            // absolute; also og:url
	Image       string            // absolute address of the Open Graph image, 1200 × 630; may be empty
	ImageAlt    string            // alternative text
	Data        []json.RawMessage // JSON-LD, one block each
	Main        string            // classes of <main>
	NoIndex     bool
	Refused     bool     // a form has errors: the title starts with it
	Refresh     int      // seconds after which a browser without scripts reloads; 0: never
	Preload     []string // fonts or images of the first view; rarely needed
	StylesLater bool     // the content links Styles itself, below the first screen
	Styles      []string // style sheets, by name in static: "paid.css"
	Scripts     []string // modules, by name in static (htmx loads on demand, islands by the runtime)
}

var firstStyles, _ = static.Inline("first.css")

func (p Page) title() string {
	title := p.Title
	if !strings.Contains(title, "HireSure") {
		title += " | HireSure"
	}
	if p.Refused {
		title = "Error: " + title
	}
	return title
}

// dataBlock returns a JSON-LD script that "</script>" in its data cannot end.
func dataBlock(data json.RawMessage) string {
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, data)
	return `<script type="application/ld+json">` + escaped.String() + "</script>"
}

// NavbarProps is the bar of public pages.
type NavbarProps struct {
	Landing   string // path of the page with the sections: "/scholarship/hiresure-mgrow-2025"
	Partner   Partner
	Phone     string // formatted: "+91 80 0000 0101"
	Sample    bool   // the site has sample content
	Door      Link   // to the sign-in, or to the visitor's own ticket
	DoorHint  string // below Door, in the menu
	HasTicket bool
}

// Partner is an organisation with a logo, or a name as text.
type Partner struct {
	Name          string
	Logo          string // address; "" for the name
	Width, Height int    // of the logo
	SVG           string // trusted drawing before the name, in currentColor, not escaped
}

func (p NavbarProps) links() []Link {
	return []Link{
		{Text: "Home", Href: "/"},
		{Text: "Courses", Href: p.Landing + "#courses"},
		{Text: "Program", Href: p.Landing + "#program"},
		{Text: "How it works", Href: p.Landing + "#how-it-works"},
		{Text: "Schedule", Href: p.Landing + "#schedule"},
		{Text: "Contact", Href: p.Landing + "#contact"},
	}
}

// BarProps is a bar with only the logo and the phone.
type BarProps struct {
	Home  string // target of the logo
	Phone string // formatted: "+91 80 0000 0101"
	Plain bool   // on paper, not on cloth
}

// Tel returns the link that calls a number.
func Tel(phone string) templ.SafeURL {
	return templ.SafeURL("tel:" + strings.ReplaceAll(phone, " ", ""))
}

package components

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/a-h/templ"

	"hiresure/static"
)

// ManifestPath is the address of the web app manifest, which every page names.
const ManifestPath = "/site.webmanifest"

// Page is the frame of a page. It holds nothing about the visitor, so that a public page is the same bytes for everyone.
type Page struct {
	Title       string // without the name of the product
	Description string
	Canonical   string            // absolute; also og:url
	Image       string            // absolute address of the Open Graph image, 1200 × 630; may be empty
	ImageAlt    string            // what it shows, in words
	Data        []json.RawMessage // JSON-LD, one block each
	Main        string            // classes of <main>
	NoIndex     bool
	Refused     bool     // a form came back with errors: the title says so first
	Refresh     int      // seconds after which a browser without scripts asks again; 0: never
	Preload     []string // further fonts or images that the first view needs: none as a rule
	StylesLater bool     // the content places Styles itself, below the first screen
	Styles      []string // further style sheets, by name in static: "paid.css"
	Scripts     []string // further modules, by name in static (htmx is loaded when needed, islands by the runtime)
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

// dataBlock is JSON-LD that no "</script>" can end.
func dataBlock(data json.RawMessage) string {
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, data)
	return `<script type="application/ld+json">` + escaped.String() + "</script>"
}

// NavbarProps describes the bar on top of public pages.
type NavbarProps struct {
	Landing string // path of the page that holds the sections: "/scholarship/hiresure-mgrow-2025"
	Partner Partner
	Phone   string // as people read it: "+91 80 0000 0101"
}

// Partner is an organisation beside ours: a logo, or a name set in type.
type Partner struct {
	Name          string
	Logo          string // address; empty: the name is shown
	Width, Height int    // of the logo
	SVG           string // a drawing beside the name, in currentColor; ours, it is not escaped
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

// BarProps describes the bar where nothing should lead away: the name, and the number to call.
type BarProps struct {
	Home  string // where the logo leads
	Phone string // as people read it: "+91 80 0000 0101"
	Plain bool   // on paper rather than on cloth
}

// Tel is the address that calls a number.
func Tel(phone string) templ.SafeURL {
	return templ.SafeURL("tel:" + strings.ReplaceAll(phone, " ", ""))
}

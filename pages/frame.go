package pages

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/components"
	"hiresure/content"
	"hiresure/web"
)

// Get lets a page be read at its address, also by HEAD, and leads its address with a slash at the end to it. The pattern
// must begin with a fixed segment, so that no address can be bent into another site's.
func Get(e *echo.Echo, pattern string, handler echo.HandlerFunc) {
	read := []string{http.MethodGet, http.MethodHead}
	e.Match(read, pattern, handler)
	if pattern != "/" {
		e.Match(read, pattern+"/", withoutSlash)
	}
}

func withoutSlash(c *echo.Context) error {
	there := *c.Request().URL
	there.Path, there.RawPath = strings.TrimRight(there.Path, "/"), ""
	return c.Redirect(http.StatusMovedPermanently, there.RequestURI())
}

// ScholarshipPath is the canonical address of an event's page.
func ScholarshipPath(slug string) string { return "/scholarship/" + slug }

// ChangeQuery names the registration whose details the enrolment form shall hold.
const ChangeQuery = "change"

// ChangePath is where the details of an unpaid registration can be changed.
func ChangePath(slug, registrationID string) string {
	return ScholarshipPath(slug) + "?" + ChangeQuery + "=" + registrationID + "#enrol"
}

// ApplyPath is the address of an event's page in the alternate layout, where Apply Now leads from other pages.
func ApplyPath(slug string) string { return "/apply/" + slug }

// Absolute is a path of ours as a whole address.
func (k *Kit) Absolute(path string) string { return k.BaseURL + path }

// Navbar is the bar of public pages. landing is the page that holds the sections; partner may be empty.
func (k *Kit) Navbar(landing string, partner components.Partner) templ.Component {
	return components.Navbar(components.NavbarProps{Landing: landing, Partner: partner})
}

// Footer is the foot of every page.
func (k *Kit) Footer() templ.Component { return components.Footer(k.footer(false)) }

// FooterOfApply is the foot of the alternate layout.
func (k *Kit) FooterOfApply() templ.Component { return components.Footer(k.footer(true)) }

func (k *Kit) footer(semicircle bool) components.FooterProps {
	props := components.FooterProps{Year: k.Clock().In(content.IST).Format("2006"), Academy: k.Content.Site.Academy, Semicircle: semicircle}
	for _, link := range k.Content.Site.Footer.Legal {
		if strings.HasSuffix(link.Href, "/grievance") {
			props.Grievance = components.Link{Text: link.Label, Href: link.Href}
			continue
		}
		props.Legal = append(props.Legal, components.Link{Text: link.Label, Href: link.Href})
	}
	return props
}

// Day is today's date in Asia/Kolkata: what a cached page depends on besides the content.
func (k *Kit) Day() string { return k.Clock().In(content.IST).Format("2006-01-02") }

// sortFields brings the typed values into one order: a map has none.
func sortFields(fields []HiddenField) []HiddenField {
	slices.SortFunc(fields, func(a, b HiddenField) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	})
	return fields
}

// RefusalPage answers a refusal to a person: what went wrong, what to quote, and the way on.
func (k *Kit) RefusalPage(c *echo.Context, r web.Refusal) error {
	view := refusalView{Title: "This did not work", Message: r.Message, Reference: r.Reference}
	switch {
	case r.Status == http.StatusNotFound:
		view.Title, view.Lost = "There is nothing here", true
	case r.Status == http.StatusTooManyRequests:
		view.Title = "Too many tries"
	case r.Status >= http.StatusInternalServerError:
		view.Title = "Something went wrong"
		view.Apology = true
	}
	if method := c.Request().Method; !view.Lost && (method == http.MethodGet || method == http.MethodHead) {
		view.Retry = c.Request().URL.RequestURI()
	}
	return k.Show(c, r.Status, refusalPage(k, view))
}

type refusalView struct {
	Title, Message, Reference string
	Retry                     string // address to ask again; empty after a post: there the browser's own way back keeps what was typed
	Apology, Lost             bool
}

package pages

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/static"
	"hiresure/web"
)

// Unknown handles paths without a route. A slug as the first segment, or as the second, redirects to its page (spec §2), any
// other page to the home page. Files and API paths are not found: a missing script must not be a page.
func (k *Kit) Unknown(c *echo.Context) error {
	method, address := c.Request().Method, c.Request().URL.Path
	isFile := path.Ext(address) != "" || strings.HasPrefix(address, "/.well-known/")
	if method != http.MethodGet && method != http.MethodHead || web.IsAPI(address) || strings.HasPrefix(address, static.Prefix) || isFile {
		return echo.ErrNotFound
	}
	if slug, slash := strings.CutSuffix(strings.TrimPrefix(address, "/"), "/"); slug != "" {
		words := k.Content.Current()
		if first, second, _ := strings.Cut(slug, "/"); first != "" && words.HasEvent(second) {
			slug, slash = second, false
		}
		switch {
		case slash && (words.HasEvent(slug) || words.HasPage(slug)):
			return web.WithoutSlash(c)
		case words.HasEvent(slug):
			return c.Redirect(http.StatusFound, KeepQuery(c, web.ApplyPath(slug)))
		case words.HasPage(slug):
			return c.Redirect(http.StatusMovedPermanently, web.LegalPath(slug))
		}
	}
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	return c.Redirect(http.StatusFound, web.HomePath)
}

// KeepQuery returns path with the query of the request, such as a coupon or a campaign.
func KeepQuery(c *echo.Context, path string) string {
	if query := c.Request().URL.RawQuery; query != "" {
		return path + "?" + query
	}
	return path
}

// Absolute returns the full URL of a path.
func (k *Kit) Absolute(path string) string { return k.BaseURL + path }

// AllCourses is the name of the list of an event's courses, in links to it.
const AllCourses = "All courses"

// Frame holds what bars and feet of pages show.
type Frame struct {
	landing, phone string          // landing is the page of the default event
	door           components.Link // to the sign-in or the visitor's ticket
	doorHint       string
	hasTicket      bool
	sample         bool // the site has sample content
	footer         components.FooterProps
	foot           components.FootProps
}

// Frame returns the frame of a page in the current content.
func (k *Kit) Frame() Frame { return k.FrameOf(k.Content.Current().Site()) }

// FrameOf returns the frame of a page of a site.
func (k *Kit) FrameOf(site content.Site) Frame {
	now := k.Clock()
	footer := components.FooterProps{
		Year: now.In(admission.IST).Format("2006"), Academy: site.Academy,
		LegalName: site.LegalName, CIN: site.CIN, Address: site.Address, Phone: site.Support.Phone, Email: site.Support.Email,
	}
	if supplier, registered := k.Content.Current().SupplierAt(now); registered {
		footer.GSTIN = supplier.GSTIN
	}
	foot := components.FootProps{
		Phone: site.Support.Phone, Hours: site.Support.Name + ", " + site.Support.Hours, Links: []components.Link{{Text: "My data", Href: web.MyDataPath}},
	}
	legal := LegalLinks(site)
	foot.Links = append(foot.Links, legal...)
	footer.Links = slices.Concat([]components.Link{{Text: AllCourses, Href: web.CoursesPath(k.DefaultEvent)}}, legal, []components.Link{{Text: "All programmes", Href: web.HomePath}})
	return Frame{
		landing: web.ScholarshipPath(k.DefaultEvent), phone: site.Support.Phone, sample: k.Content.Current().Sample(), footer: footer, foot: foot,
		door: components.Link{Text: "Sign in", Href: web.SignInPath}, doorHint: "Already enrolled? Find your ticket by phone",
	}
}

// WithTicket returns the frame for a visitor whose own ticket is at an address, instead of the sign-in.
func (f Frame) WithTicket(href string) Frame {
	f.door, f.doorHint, f.hasTicket = components.Link{Text: "My ticket", Href: href}, "Your exam, receipt and invoice", true
	return f
}

// WithRefund returns the frame for a visitor whose fee was refunded: home says when it arrives.
func (f Frame) WithRefund() Frame {
	f.door, f.doorHint = components.Link{Text: "Receipt", Href: web.HomePath}, "Your refund and the credit note"
	return f
}

// LegalLinks returns the links to the legal pages.
func LegalLinks(site content.Site) (links []components.Link) {
	for _, link := range site.Footer.Legal {
		links = append(links, components.Link{Text: link.Label, Href: link.Href})
	}
	return links
}

// Landing returns the path of the default event's page.
func (f Frame) Landing() string { return f.landing }

// Navbar returns the bar of public pages. landing is the page that holds the sections, the default event's where empty;
// partner may be empty.
func (f Frame) Navbar(landing string, partner components.Partner) templ.Component {
	return components.Navbar(components.NavbarProps{Landing: cmp.Or(landing, f.landing), Partner: partner, Phone: f.phone, Sample: f.sample, Door: f.door, DoorHint: f.doorHint, HasTicket: f.hasTicket})
}

// Bar returns the bar of pages that link only to home, the default event's page where empty.
func (f Frame) Bar(home string, plain bool) templ.Component {
	return components.Bar(components.BarProps{Home: cmp.Or(home, f.landing), Phone: f.phone, Plain: plain})
}

// Footer returns the footer of public pages.
func (f Frame) Footer() templ.Component {
	f.footer.Links = slices.Concat([]components.Link{f.door}, f.footer.Links)
	return components.Footer(f.footer)
}

// ApplyFooter returns the footer of the alternate layout.
func (f Frame) ApplyFooter() templ.Component {
	f.footer.Semicircle = true
	return f.Footer()
}

// Foot returns the footer of signed-in pages.
func (f Frame) Foot() templ.Component { return components.Foot(f.foot) }

// Operator returns who runs the site, with the GSTIN of the current supplier.
func (f Frame) Operator() (name string, address []string, gstin string) {
	return f.footer.LegalName, f.footer.Address, f.footer.GSTIN
}

// sortFields sorts the fields by name and keeps the order of values of one name: a date has three.
func sortFields(fields []HiddenField) []HiddenField {
	slices.SortStableFunc(fields, func(a, b HiddenField) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// RefusalPage shows a refusal: its message, its reference, and the next step.
func (k *Kit) RefusalPage(c *echo.Context, r web.Refusal) error {
	view := refusalView{Title: "This did not work", Message: r.Message, Reference: r.Reference, Again: "Try again"}
	switch {
	case r.Status == http.StatusNotFound:
		view.Title, view.Lost = "This page does not exist", true
	case r.Status == http.StatusTooManyRequests:
		view.Title = "Too many tries"
	case r.Status >= http.StatusInternalServerError:
		view.Title = "Something went wrong"
		view.Apology = true
	}
	if method := c.Request().Method; !view.Lost && (method == http.MethodGet || method == http.MethodHead) {
		if again, own := admission.SafeRedirect(c.Request().URL.RequestURI(), k.BaseURL); own { // "//evil.example/" is a path here, but a host in a link
			view.Retry = again
		}
	}
	if outcome := outcomeAt(c); outcome != "" && view.Apology {
		view.Title, view.Message, view.Again = "Do not pay again", maybePaid, "See your payment"
		view.Retry = cmp.Or(view.Retry, outcome)
	}
	return k.Show(c, r.Status, refusalPage(k.Frame(), view))
}

// mayBePaid is shown to a payer who returns from the provider during an outage.
const maybePaid = "We cannot show your payment at the moment, and this is our fault. Your money is safe: we check with the payment provider ourselves."

// outcomeAt returns the page with the outcome of the payment that a browser returns from; "" on other pages.
func outcomeAt(c *echo.Context) string {
	id := web.PaymentIDOf(c.QueryParams())
	switch c.Path() {
	case web.CheckoutReturnPath(":txn"):
		return web.PaymentPath(c.Param("txn"))
	case web.ResultPath:
		return web.PaymentPath(id)
	case web.FeePath:
		if id != "" {
			return web.FeePaymentPath(id)
		}
	}
	return ""
}

type refusalView struct {
	Title, Message, Reference string
	Again                     string // label of Retry
	Retry                     string // path to try again; "" after a post, because the Back button keeps what was typed
	Apology, Lost             bool
}

// AnswerAddress marks a form with the GET address of the page that answers its post (islands/signin/here.ts); nil for "".
func AnswerAddress(address string) templ.Attributes {
	if address == "" {
		return nil
	}
	return templ.Attributes{"data-here": address}
}

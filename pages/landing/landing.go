// Package landing is the page of a programme event, in two layouts, with its enquiry and enrolment forms, and what search
// engines and other sites read of it: structured data, preview picture, sitemap.
package landing

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// Landing answers for the pages of all events.
type Landing struct {
	*pages.Kit
	pictures content.Memo[*pictures]
}

// Layout is one of the two ways in which an event's page is laid out.
type Layout string

// The two layouts. In the second one hiring partners stand in the place of partners, and half a sun in the footer.
const (
	Scholarship Layout = "scholarship"
	Apply       Layout = "apply"
)

// Routes mounts the pages. kit's default event must be known to its content, whatever is published.
func Routes(r *web.Routes, kit *pages.Kit) {
	l := &Landing{Kit: kit}
	r.Get("/", web.Public, l.home)
	r.Get(web.EventPath, web.Public, l.show)
	r.Get(web.ScholarshipPath(":slug"), web.Public, l.show)
	r.Get(web.OfferPath, web.Public, l.show)
	r.Get(web.ApplyPath(":slug"), web.Public, l.show)
	r.Post(web.EventPath, web.Public, l.enrol)
	r.Post(web.ScholarshipPath(":slug"), web.Public, l.enrol)
	r.Post(web.OfferPath, web.Public, l.enrol)
	r.Post(web.ApplyPath(":slug"), web.Public, l.enrol)
	r.Get(web.EnquiryPath, web.Public, l.toEnquiry)
	r.Post(web.EnquiryPath, web.Public, l.enquire)
	r.Get(web.PictureFile(":picture"), web.Public, l.picture)
	r.Get("/robots.txt", web.Public, l.robots)
	r.Get(web.SitemapPath, web.Public, l.sitemap)
}

func (l *Landing) home(c *echo.Context) error {
	return c.Redirect(http.StatusFound, web.ScholarshipPath(l.DefaultEvent))
}

// asked is the event and the layout that an address asks for; false for an unknown event.
func (l *Landing) asked(c *echo.Context) (*content.Landing, Layout, bool) {
	page, known := l.Content.Current().Landing(c.ParamOr("slug", l.DefaultEvent), l.Clock())
	return page, layoutOf(c), known
}

func layoutOf(c *echo.Context) Layout {
	if strings.HasPrefix(c.Request().URL.Path, web.OfferPath) {
		return Apply
	}
	return Scholarship
}

// show serves the page from memory. It is made for the one who asks only with a coupon or a registration in its address,
// and for who has enrolled.
func (l *Landing) show(c *echo.Context) error {
	words, slug, now := l.Content.Current(), c.ParamOr("slug", l.DefaultEvent), l.Clock()
	state, known := words.Enrolment(slug, now)
	if !known {
		return l.unknown(c, words)
	}
	path, layout := c.Request().URL.Path, layoutOf(c)
	registration, coupon := c.QueryParam(web.ChangeQuery), c.QueryParam("couponCode")
	if registration != "" {
		page, _ := words.Landing(slug, now)
		return l.change(c, page, layout, registration)
	}
	own, err := l.own(c, slug)
	if err != nil {
		return err
	}
	if own != nil && (own.Ticket != nil || coupon == "") { // a coupon is for who has not paid
		page, _ := words.Landing(slug, now)
		view := l.view(page, path, layout, EnrolmentView{})
		view.Own = own
		return l.Show(c, http.StatusOK, landingPage(view))
	}
	if coupon != "" {
		page, _ := words.Landing(slug, now)
		return l.showLanding(c, http.StatusOK, page, layout, l.enrolmentView(page, path, coupon))
	}
	return l.ShowCached(c, words, path, string(state), func() templ.Component {
		page, _ := words.Landing(slug, now)
		return landingPage(l.view(page, path, layout, l.enrolmentView(page, path, "")))
	})
}

// unknown leads a wrongly written slug to its event, and any other to the current one (spec §2). Slugs are lower case.
func (l *Landing) unknown(c *echo.Context, words *content.Library) error {
	here := *c.Request().URL
	if lower := strings.ToLower(c.Param("slug")); lower != c.Param("slug") {
		if words.HasEvent(lower) {
			here.Path, here.RawPath = strings.ToLower(here.Path), ""
			return c.Redirect(http.StatusMovedPermanently, here.RequestURI())
		}
	}
	if web.IsAPI(here.Path) { // /scholarship/v1
		return echo.ErrNotFound
	}
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	return c.Redirect(http.StatusFound, web.EventPath)
}

// showLanding answers the page with its enrolment form in a visitor's own state.
func (l *Landing) showLanding(c *echo.Context, status int, page *content.Landing, layout Layout, enrolment EnrolmentView) error {
	return l.Show(c, status, landingPage(l.view(page, c.Request().URL.Path, layout, enrolment)))
}

// view is all that the page shows, decided.
type view struct {
	*content.Landing
	Page           components.Page
	Navbar, Footer templ.Component
	Enrolment      EnrolmentView
	Enquiry        enquiryView
	Apply          string // where Apply Now leads
	Fee            string
	Names          []logo // partners and accreditation, or hiring partners
	Partners       content.Section
	Columns        [2][]content.Inclusion
	Closed         bool
	Own            *ownView // instead of the form, to who has enrolled
}

// logo is an organisation: its drawing stands beside its name.
type logo struct{ Name, Role, SVG string }

func (l *Landing) view(page *content.Landing, path string, layout Layout, enrolment EnrolmentView) view {
	event := page.Event
	canonical := web.ScholarshipPath(event.Slug)
	v := view{
		Landing:   page,
		Enrolment: enrolment,
		Enquiry:   enquiryView{Form: l.Forms.Get("enquiry"), From: path, Consents: page.Words.Consents, Section: page.Words.Sections.Contact},
		Apply:     "#enrol",
		Fee:       feeOf(event).Short(),
		Footer:    l.Footer(page.Site),
		Partners:  page.Words.Sections.Partners,
		Names:     logos(page, event.Partners),
		Closed:    page.Notice.Title != "",
		Page: components.Page{
			Title: page.PageTitle, Description: page.Description, Canonical: l.Absolute(canonical), Main: "landing",
			Image: l.Absolute(web.PicturePath(event.Slug)), ImageAlt: pictureAlt(page), Data: l.structuredData(page), Refused: len(enrolment.Faults) > 0,
		},
	}
	sections := canonical
	if layout == Scholarship {
		sections = path // spec §2: a link scrolls here, and elsewhere it leads to the scholarship page first
	} else {
		v.Footer, v.Partners, v.Names = l.FooterOfApply(page.Site), page.Words.Sections.HiringPartners, logos(page, page.HiringPartners)
	}
	partner := components.Partner{Name: event.CompanyName, SVG: page.Logo(event.CompanyLogo)}
	if college := event.PartnerCollege; college != nil {
		partner = components.Partner{Name: college.Name, SVG: page.Logo(college.Logo)}
	}
	v.Navbar = l.Navbar(sections, partner)
	// Spec §2: the first three items stand in one column, the rest in the other.
	first := min(3, len(page.Inclusions))
	v.Columns = [2][]content.Inclusion{page.Inclusions[:first], page.Inclusions[first:]}
	return v
}

func logos(page *content.Landing, partners []content.Partner) []logo {
	var all []logo
	for _, partner := range partners {
		all = append(all, logo{partner.Name, partner.Role, page.Logo(partner.Logo)})
	}
	return all
}

// badgeIcons are the signs of the three badges, by claim.
var badgeIcons = map[string]string{"certification-badge": "certificate", "job-badge": "briefcase", "mentors-badge": "people"}

// dates are the three that decide, as figures.
func (v view) dates() []components.DateProps {
	e := v.Event
	return []components.DateProps{dateOf(e.Exam, "Exam"), dateOf(e.Results, "Results"), dateOf(e.ClassesBegin, "Classes begin")}
}

func dateOf(date content.Date, what string) components.DateProps {
	return components.DateProps{Day: date.Format("2"), Month: date.Format("January"), What: what}
}

// figured are the highlights that begin with a figure, cut after it: "6", "industry meetups".
func (v view) figured() (claims []content.Statement) {
	for _, claim := range v.Highlights {
		if first, rest, _ := strings.Cut(claim.Text, " "); hasFigure(first) {
			claim.Figure, claim.Text = first, rest
			claims = append(claims, claim)
		}
	}
	return claims
}

// unfigured are the other highlights, whole.
func (v view) unfigured() (claims []content.Statement) {
	for _, claim := range v.Highlights {
		if first, _, _ := strings.Cut(claim.Text, " "); !hasFigure(first) {
			claims = append(claims, claim)
		}
	}
	return claims
}

func hasFigure(word string) bool { return strings.ContainsAny(word, "0123456789") }

// place is where a card of a rotation stands while the first one is active.
func place(i, count int) string {
	switch i {
	case 0:
		return "active"
	case 1:
		return "next"
	case count - 1:
		return "prev"
	}
	return "rest"
}

// webm is the second encoding of a film, beside its MP4.
func webm(file string) string { return strings.TrimSuffix(file, ".mp4") + ".webm" }

// plain is a text node without white space around it.
func plain(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, templ.EscapeString(text))
		return err
	})
}

// Package landing serves the page of a programme event in two layouts, with its enquiry and enrolment forms, and its
// structured data, preview pictures and sitemap.
package landing

import (
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// Landing serves the pages of all events.
type Landing struct {
	*pages.Kit
	pictures *pictureCache
	guesses  guesses
}

// Layout is the layout of an event's page.
type Layout string

// The layouts. Apply has courses in rows, hiring partners before partners, and a semicircle in the footer.
const (
	Scholarship Layout = "scholarship"
	Apply       Layout = "apply"
)

// Routes mounts the pages. All published content must include kit's default event.
func Routes(r *web.Routes, kit *pages.Kit) {
	l := &Landing{Kit: kit, pictures: newPictureCache(kit.Draw, kit.Log), guesses: guesses{clock: kit.Clock}}
	r.Get("/", web.Public, l.home)
	r.Get(web.EventPath, web.Public, l.show)
	r.Get(web.ScholarshipPath(":slug"), web.Public, l.show)
	r.Get(web.ExamPath(":slug"), web.Public, l.exam)
	r.Get(web.QuestionsPath(":slug"), web.Public, l.questions)
	r.Get(web.CoursesPath(":slug"), web.Public, l.courses)
	r.Get(web.CoursePath(":slug", ":course"), web.Public, l.course)
	r.Get(web.OfferPath, web.Public, l.show)
	r.Get(web.ApplyPath(":slug"), web.Public, l.show)
	r.Post(web.EventPath, web.Public, l.enrol)
	r.Post(web.ScholarshipPath(":slug"), web.Public, l.enrol)
	r.Post(web.OfferPath, web.Public, l.enrol)
	r.Post(web.ApplyPath(":slug"), web.Public, l.enrol)
	r.Get(web.EnquiryPath, web.Public, l.redirectToEnquiry)
	r.Post(web.EnquiryPath, web.Public, l.enquire)
	r.Get(web.PictureFile(":picture"), web.Public, l.picture)
	r.Get(web.LogoPath(":name"), web.Public, l.logo)
	r.Get(web.SharePath(":code"), web.Public, l.shared)
	r.Get("/robots.txt", web.Public, l.robots)
	r.Get(web.SitemapPath, web.Public, l.sitemap)
	r.Get(components.ManifestPath, web.Public, l.manifest)
}

func (l *Landing) home(c *echo.Context) error {
	return c.Redirect(http.StatusFound, pages.KeepQuery(c, web.ScholarshipPath(l.DefaultEvent)))
}

// requestedPage returns the requested event and layout; false for an unknown event.
func (l *Landing) requestedPage(c *echo.Context) (*content.Landing, Layout, bool) {
	page, known := l.Content.Current().Landing(c.ParamOr("slug", l.DefaultEvent), l.Clock())
	return page, layoutOf(c), known
}

func layoutOf(c *echo.Context) Layout {
	if strings.HasPrefix(c.Request().URL.Path, web.OfferPath) {
		return Apply
	}
	return Scholarship
}

// invitation holds a link's values for the form.
type invitation struct{ Coupon, Referral, Course, Source string }

// show serves the page from the cache, unless the address has a code, a campaign or a registration, or the visitor has
// enrolled.
func (l *Landing) show(c *echo.Context) error {
	words, slug, now := l.Content.Current(), c.ParamOr("slug", l.DefaultEvent), l.Clock()
	state, known := words.Enrolment(slug, now)
	if !known {
		return l.unknown(c, words)
	}
	path, layout := c.Request().URL.Path, layoutOf(c)
	registration := c.QueryParam(web.ChangeQuery)
	given := invitation{c.QueryParam(web.CouponQuery), c.QueryParam(web.ReferralQuery), c.QueryParam(web.CourseQuery), l.source(c, slug)}
	if registration != "" {
		page, _ := words.Landing(slug, now)
		return l.change(c, page, layout, registration)
	}
	own, err := l.enrolledView(c, words, slug)
	if err != nil {
		return err
	}
	if own.replaces(given) {
		view := l.view(own.Page, path, layout, EnrolmentView{})
		view.Enrolled, view.Page.Styles, view.Page.StylesLater = own, []string{"paid.css"}, false
		if own.Ticket != nil {
			view.frame(l.FrameOf(own.Page.Site).WithTicket("#enrol"), own.Page, path, layout)
		}
		return l.Show(c, http.StatusOK, landingPage(view))
	}
	refunded := own != nil && own.Refunded
	if given.Coupon != "" || given.Referral != "" || given.Source != "" || refunded {
		page, _ := words.Landing(slug, now)
		form := l.enrolmentView(page, path, given)
		if err := l.linkedCoupon(c, &form, given.Coupon); err != nil {
			return err
		}
		view := l.view(page, path, layout, form)
		if refunded {
			view.frame(l.FrameOf(page.Site).WithRefund(), page, path, layout)
		}
		if err := l.setPreview(c, given.Referral, &view); err != nil {
			return err
		}
		return l.Show(c, http.StatusOK, landingPage(view))
	}
	event, _ := l.Events.EventBySlug(slug)
	kept := path
	if given.Course != "" {
		if slices.Contains(event.Courses, given.Course) {
			kept += "?" + web.CourseQuery + "=" + given.Course // one cached page per course
		} else {
			given.Course = ""
		}
	}
	return l.ShowCached(c, words, kept, string(state)+event.OfferedCoupon(now), func() templ.Component {
		page, _ := words.Landing(slug, now)
		return landingPage(l.view(page, path, layout, l.enrolmentView(page, path, given)))
	})
}

// unknown redirects a misspelt slug to its event, and others to the current one (spec §2). Slugs are lower case.
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
	return c.Redirect(http.StatusFound, pages.KeepQuery(c, web.EventPath))
}

// showLanding renders the page with a visitor's form.
func (l *Landing) showLanding(c *echo.Context, status int, page *content.Landing, layout Layout, enrolment EnrolmentView) error {
	return l.Show(c, status, landingPage(l.view(page, c.Request().URL.Path, layout, enrolment)))
}

// view is the event's page.
type view struct {
	*content.Landing
	Page           components.Page
	Navbar, Footer templ.Component
	Enrolment      EnrolmentView
	Enquiry        enquiryView
	Apply          string // target of Apply Now
	Fee            string
	Prices         prices
	Layout         Layout
	Partners       []logo     // partners and accreditation
	Employers      []logo     // hiring partners
	Paying         *ranksView // nil without published ranks
	Program        programView
	Closed         bool
	Enrolled       *enrolledView // replaces the form after enrolment
	Exam           examView
}

// logo is an organisation with its logo.
type logo struct{ Name, Role, SVG string }

func (l *Landing) view(page *content.Landing, path string, layout Layout, enrolment EnrolmentView) view {
	event := page.Event
	canonical := web.ScholarshipPath(event.Slug)
	v := view{
		Landing:   page,
		Enrolment: enrolment,
		Enquiry:   l.enquiryOn(page, path),
		Apply:     "#enrol",
		Fee:       feeOf(event).Short(),
		Prices:    pricesOf(page, enrolment.Price.Off),
		Layout:    layout,
		Partners:  logos(page, event.Partners),
		Employers: logos(page, page.HiringPartners),
		Paying:    newRanks(page),
		Program:   newProgram(page),
		Closed:    page.Notice.Title != "",
		Exam:      examOf(page),
		Page: components.Page{
			Title: page.PageTitle, Description: page.Description, Canonical: l.Absolute(canonical), Main: "landing",
			Image: l.Absolute(pages.PreviewOf(page).Path()), ImageAlt: pages.PreviewOf(page).Alt(), Data: l.structuredData(page), Refused: len(enrolment.Summary) > 0, StylesLater: true,
		},
	}
	if v.Paying != nil {
		v.Paying.Prices = v.Prices
	}
	v.Enquiry.Source = enrolment.Source
	v.frame(l.FrameOf(page.Site), page, path, layout)
	return v
}

// frame sets the bar and the footer.
func (v *view) frame(f pages.Frame, page *content.Landing, path string, layout Layout) {
	if layout == Scholarship {
		v.Navbar, v.Footer = f.Navbar(path, partnerOf(page)), f.Footer() // spec §2: section links scroll here
		return
	}
	v.Navbar, v.Footer = f.Navbar(web.ScholarshipPath(page.Event.Slug), partnerOf(page)), f.ApplyFooter()
}

// partnerOf returns the partner in the bar: the college, otherwise the company.
func partnerOf(page *content.Landing) components.Partner {
	event := page.Event
	if college := event.PartnerCollege; college != nil {
		return components.Partner{Name: college.Name, SVG: page.Logo(college.Logo)}
	}
	return components.Partner{Name: event.CompanyName, SVG: page.Logo(event.CompanyLogo)}
}

func logos(page *content.Landing, partners []content.Partner) []logo {
	var all []logo
	for _, partner := range partners {
		all = append(all, logo{partner.Name, partner.Role, page.Logo(partner.Logo)})
	}
	return all
}

// cardPosition returns the position of a rotation's card while the first one is active.
func cardPosition(i, count int) string {
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

// webm returns the second encoding of an MP4 film.
func webm(file string) string { return strings.TrimSuffix(file, ".mp4") + ".webm" }

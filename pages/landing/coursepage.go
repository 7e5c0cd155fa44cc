package landing

import (
	"encoding/json"
	"fmt"
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

// coursesView is the list of an event's courses, and what the page of a course shares with it.
type coursesView struct {
	*content.Landing
	Page           components.Page
	Navbar, Footer templ.Component
	Apply          applyView

	form EnrolmentView
}

// courseView is the page of a course.
type courseView struct {
	coursesView
	Course content.Programme
	Mentor content.Mentor
}

// applyView is the invitation to enrol, or the next step of a visitor who has: a bar at the lower edge of a phone, a ticket beside
// the text of a wide screen.
type applyView struct {
	Words    content.CourseApply
	Exam     content.Date
	Stands   string // instead of a fee: that enrolment is closed, or that the visitor is enrolled
	FeeLabel string
	Fee      string
	Brief    string // below the fee on phones
	Prices   prices
	Button   components.ButtonProps
}

// courses serves the list of an event's courses.
func (l *Landing) courses(c *echo.Context) error {
	words, slug := l.Content.Current(), c.Param("slug")
	if !words.HasEvent(slug) {
		return l.unknown(c, words)
	}
	return l.showCourses(c, words, func(page *content.Landing, form EnrolmentView, own *enrolledView) templ.Component {
		return coursesPage(l.coursesView(page, form, own))
	})
}

// course serves the page of a course.
func (l *Landing) course(c *echo.Context) error {
	words, slug := l.Content.Current(), c.Param("slug")
	event, known := words.Event(slug)
	if !known {
		return l.unknown(c, words)
	}
	course := c.Param("course")
	i := slices.IndexFunc(event.Courses, func(code string) bool { return content.CourseSlug(code) == strings.ToLower(course) })
	if i < 0 {
		c.Response().Header().Set("X-Robots-Tag", "noindex")
		return c.Redirect(http.StatusFound, pages.KeepQuery(c, web.CoursesPath(slug)))
	}
	right := content.CourseSlug(event.Courses[i])
	if course != right {
		return c.Redirect(http.StatusMovedPermanently, pages.KeepQuery(c, web.CoursePath(slug, right)))
	}
	return l.showCourses(c, words, func(page *content.Landing, form EnrolmentView, own *enrolledView) templ.Component {
		return coursePage(l.courseView(page, page.Programmes[i], form, own))
	})
}

// showCourses serves a page of an event from the cache, unless the address has a code, or the visitor has enrolled.
func (l *Landing) showCourses(c *echo.Context, words *content.Library, render func(*content.Landing, EnrolmentView, *enrolledView) templ.Component) error {
	slug, path, now := c.Param("slug"), c.Request().URL.Path, l.Clock()
	given := invitation{Coupon: c.QueryParam(web.CouponQuery), Referral: c.QueryParam(web.ReferralQuery)}
	own, err := l.enrolledView(c, words, slug)
	if err != nil {
		return err
	}
	if own.replaces(given) {
		return l.Show(c, http.StatusOK, render(own.Page, EnrolmentView{}, own))
	}
	if given.Coupon != "" || given.Referral != "" {
		page, _ := words.Landing(slug, now)
		form := l.enrolmentView(page, path, given)
		if err := l.linkedCoupon(c, &form, given.Coupon); err != nil {
			return err
		}
		return l.Show(c, http.StatusOK, render(page, form, nil))
	}
	state, _ := words.Enrolment(slug, now)
	event, _ := l.Events.EventBySlug(slug)
	return l.ShowCached(c, words, path, string(state)+event.OfferedCoupon(now), func() templ.Component {
		page, _ := words.Landing(slug, now)
		return render(page, l.enrolmentView(page, path, given), nil)
	})
}

// coursesFrame returns the parts of a page at path, whose invitation preselects a course, "" for none.
func (l *Landing) coursesFrame(page *content.Landing, form EnrolmentView, own *enrolledView, path, course string) coursesView {
	event, frame, landing := page.Event, l.FrameOf(page.Site), web.ScholarshipPath(page.Event.Slug)
	preview := pages.PreviewOf(page)
	apply := applyView{
		Words: page.CourseApply, Exam: event.Exam, FeeLabel: page.Words.FeeLabel, Fee: feeOf(event).Short(), Brief: "Exam on " + event.Exam.DayAndMonth(), Prices: pricesOf(page, form.Price.Off),
		Button: components.ButtonProps{Look: "gold", Text: "Apply Now", Href: form.applyAddress(landing+"#enrol", course)},
	}
	switch {
	case own != nil && own.Refunded:
		frame = frame.WithRefund()
	case own != nil && own.Ticket != nil:
		frame = frame.WithTicket(landing + "#enrol")
		apply.Stands, apply.Button = "You are enrolled", components.ButtonProps{Look: "outline", Text: "My ticket", Href: landing + "#enrol"}
	case own != nil:
		ticket := own.Unpaid.Ticket
		apply.FeeLabel, apply.Fee, apply.Brief, apply.Button = ticket.Label, ticket.Price.Amount, own.Unpaid.Brief, ticket.Pay
	}
	if (own == nil || own.Refunded) && page.Notice.Title != "" {
		apply.Stands, apply.Button = page.Notice.Title, components.ButtonProps{Look: "outline", Text: "Ask a question", Href: landing + "#contact"}
	}
	return coursesView{
		Landing: page, form: form, Navbar: frame.Navbar(landing, partnerOf(page)), Footer: frame.Footer(),
		Page:  components.Page{Canonical: l.Absolute(path), Image: l.Absolute(preview.Path()), ImageAlt: preview.Alt()},
		Apply: apply,
	}
}

func (l *Landing) coursesView(page *content.Landing, form EnrolmentView, own *enrolledView) coursesView {
	path := web.CoursesPath(page.Event.Slug)
	v := l.coursesFrame(page, form, own, path, "")
	v.Page.Title, v.Page.Description, v.Page.Main = page.CourseList.PageTitle, page.CourseList.Description, "courses-page"
	v.Page.Data = []json.RawMessage{
		block(l.courseList(page)),
		block(l.breadcrumb(components.Link{Text: page.Event.Title, Href: web.ScholarshipPath(page.Event.Slug)}, components.Link{Text: pages.AllCourses, Href: path})),
	}
	return v
}

func (l *Landing) courseView(page *content.Landing, course content.Programme, form EnrolmentView, own *enrolledView) courseView {
	list, path := web.CoursesPath(page.Event.Slug), web.CoursePath(page.Event.Slug, course.Slug())
	v := courseView{l.coursesFrame(page, form, own, path, course.Code), course, page.MentorOf(course)}
	v.Page.Title, v.Page.Description, v.Page.Main = course.Page.PageTitle, course.Page.Description, "course-page"
	entity := l.courseData(page, course)
	entity["teaches"] = course.Lessons()
	v.Page.Data = []json.RawMessage{block(entity), block(l.breadcrumb(components.Link{Text: pages.AllCourses, Href: list}, components.Link{Text: course.Name, Href: path}))}
	return v
}

// firstWeek returns the number of a month's first week.
func (v courseView) firstWeek(month int) int {
	return month*len(v.Course.Months[month].Weeks) + 1
}

// inMonths returns the length of the internship.
func (v courseView) inMonths() string {
	if months := v.Event.InternshipMonths; months != 1 {
		return fmt.Sprintf("%d months", months)
	}
	return "1 month"
}

// afterLink returns the text after the i-th of count links that end a sentence.
func afterLink(i, count int) string {
	switch i {
	case count - 1:
		return "."
	case count - 2:
		return " or "
	}
	return ", "
}

// Sizes of a dot chart, in pixels.
const (
	dotStep   = 26 // from column to column
	dotRise   = 20 // from dot to dot
	dotRadius = 7
	dotAbove  = 36 // from the upper edge to the highest dot
	dotBelow  = 44 // from the lowest dot to the lower edge
	dotMargin = 14 // from the outer dots to the sides
)

// dotChart is a chart of dots with a number below every second column.
type dotChart struct {
	content.DotChart
	Width, Height int
	Dots          []chartDot
	Numbers       []chartNumber
}

type chartDot struct {
	X, Y   int
	Marked bool
}

type chartNumber struct{ X, Value int }

func newDotChart(chart content.DotChart) dotChart {
	d := dotChart{
		DotChart: chart,
		Width:    dotStep*(len(chart.Counts)-1) + 2*dotMargin,
		Height:   dotAbove + dotRise*(slices.Max(chart.Counts)-1) + dotBelow,
	}
	for i, count := range chart.Counts {
		x, number := dotMargin+i*dotStep, chart.First+i
		for j := range count {
			d.Dots = append(d.Dots, chartDot{x, d.Height - dotBelow - j*dotRise, slices.Contains(chart.Marked, number)})
		}
		if i%2 == 0 {
			d.Numbers = append(d.Numbers, chartNumber{x, number})
		}
	}
	return d
}

package landing

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"hiresure/content"
	"hiresure/web"
)

// stub is a course on a roll of tickets; it is torn off into the form.
type stub struct {
	content.Programme
	Apply  string // address that applies for it; "" while enrolment is closed
	Chosen bool
}

// stubs returns the courses. The form's course is torn off; until one is chosen, the last one in the layout with small
// stubs.
func (v view) stubs() (all []stub) {
	chosen := v.Enrolment.Values["selected_course"]
	if chosen == "" && v.Layout == Scholarship {
		chosen = v.Programmes[len(v.Programmes)-1].Code
	}
	for _, programme := range v.Programmes {
		one := stub{Programme: programme}
		if v.canApply() {
			one.Apply, one.Chosen = v.applyFor(programme.Code), programme.Code == chosen
		}
		all = append(all, one)
	}
	return all
}

func (v view) canApply() bool { return !v.Closed && v.Enrolled == nil }

// rollAttributes returns the attributes for keyboard scrolling while the roll has no links.
func (v view) rollAttributes() templ.Attributes {
	if v.canApply() {
		return nil
	}
	return templ.Attributes{"tabindex": "0", "role": "group", "aria-label": v.Words.Sections.Courses.Title}
}

// applyFor returns the address of the form with a course, and with the codes of the link.
func (v view) applyFor(course string) string {
	query := url.Values{web.CourseQuery: {course}}
	for name, field := range map[string]string{web.CouponQuery: "coupon_code", web.ReferralQuery: "referral_code"} {
		if code := v.Enrolment.Values[field]; code != "" {
			query.Set(name, code)
		}
	}
	return web.WithQuery(v.Apply, query)
}

// weeks returns the length of the course.
func (s stub) weeks() string { return strconv.Itoa(s.Builds[len(s.Builds)-1].Week) }

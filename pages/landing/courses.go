package landing

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"hiresure/content"
	"hiresure/web"
)

// stub is a course as a part of one roll of tickets: it tears off into the form.
type stub struct {
	content.Programme
	Apply string // where its link leads; "" while nobody can apply
	Torn  bool
}

// stubs are the courses of the page. The one that the form holds is torn off, until then the last one, where stubs are small.
func (v view) stubs() (all []stub) {
	chosen := v.Enrolment.Values["selected_course"]
	if chosen == "" && v.Layout == Scholarship {
		chosen = v.Programmes[len(v.Programmes)-1].Code
	}
	for _, programme := range v.Programmes {
		one := stub{Programme: programme}
		if v.canApply() {
			one.Apply, one.Torn = v.applyFor(programme.Code), programme.Code == chosen
		}
		all = append(all, one)
	}
	return all
}

func (v view) canApply() bool { return !v.Closed && v.Own == nil }

// pulled lets a keyboard pull the roll where no link is in it.
func (v view) pulled() templ.Attributes {
	if v.canApply() {
		return nil
	}
	return templ.Attributes{"tabindex": "0", "role": "group", "aria-label": v.Words.Sections.Courses.Eyebrow}
}

// applyFor leads to the form with a course in it; what else a link has filled in stays.
func (v view) applyFor(course string) string {
	query := url.Values{web.CourseQuery: {course}}
	for name, field := range map[string]string{web.CouponQuery: "coupon_code", web.ReferralQuery: "referral_code"} {
		if code := v.Enrolment.Values[field]; code != "" {
			query.Set(name, code)
		}
	}
	return web.WithQuery(v.Apply, query)
}

func (s stub) leadsTo() string { return strings.Join(s.Roles, ", ") }

// sampleWeeks reports whether some of the courses say what the academy has not confirmed.
func (v view) sampleWeeks() bool {
	return slices.ContainsFunc(v.Programmes, func(p content.Programme) bool { return p.Sample })
}

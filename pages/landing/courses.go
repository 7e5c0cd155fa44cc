package landing

import (
	"fmt"
	"net/url"

	"hiresure/content"
	"hiresure/web"
)

// stub is a course on a roll of tickets; it is torn off into the form.
type stub struct {
	content.Programme
	Address string // of its page
	Apply   string // address that applies for it; "" while enrolment is closed
	Chosen  bool
}

// stubs returns the courses. The form's course is torn off; until one is chosen, the last one in the layout with small
// stubs.
func (v view) stubs() (all []stub) {
	chosen := v.Enrolment.Values["selected_course"]
	if chosen == "" && v.Layout == Scholarship {
		chosen = v.Programmes[len(v.Programmes)-1].Code
	}
	for _, programme := range v.Programmes {
		one := stub{Programme: programme, Address: v.Enrolment.keepCodes(web.CoursePath(v.Event.Slug, programme.Slug()))}
		if v.canApply() {
			one.Apply, one.Chosen = v.Enrolment.applyAddress(v.Apply, programme.Code), programme.Code == chosen
		}
		all = append(all, one)
	}
	return all
}

func (v view) canApply() bool { return !v.Closed && v.Enrolled == nil }

// applyAddress adds a course, "" for none, and the codes of the link to the form's address.
func (v EnrolmentView) applyAddress(form, course string) string {
	query := url.Values{}
	for name, value := range map[string]string{web.CourseQuery: course, web.CouponQuery: v.Values["coupon_code"], web.ReferralQuery: v.Values["referral_code"]} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return form
	}
	return web.WithQuery(form, query)
}

// keepCodes adds the codes of the page's own address to another page's.
func (v EnrolmentView) keepCodes(address string) string {
	if len(v.Codes) == 0 {
		return address
	}
	return web.WithQuery(address, v.Codes)
}

// inWeeks returns the length of a course.
func inWeeks(course content.Programme) string { return fmt.Sprintf("%d weeks", course.Weeks()) }

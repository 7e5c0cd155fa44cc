package landing

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// EnrolmentView is the enrolment form with its state. Its JSON is the island's initial state; islands/enrolment/view.ts has
// the same shape and renders the same markup.
type EnrolmentView struct {
	Action       string            `json:"action"` // path of the page, which the form posts to
	Code         string            `json:"code"`   // scholarship_code
	Subevent     string            `json:"subevent"`
	Courses      []forms.Option    `json:"courses"`
	States       []string          `json:"states"`
	Consents     []string          `json:"consents"` // the ones to ask for
	Values       map[string]string `json:"values"`   // as typed, by field
	Faults       []forms.Fault     `json:"faults"`   // in the form's order; one without a field concerns the whole form
	Summary      []forms.Fault     `json:"summary"`  // listed in the error summary
	Steps        []EnrolmentStep   `json:"steps"`
	Early        string            `json:"early"` // see earlyNext: the payment's button was pressed with steps left to do
	Prompts      map[string]string `json:"prompts"`
	Phone        Proof             `json:"phone"`
	Guardian     Proof             `json:"guardian"`
	Price        EnrolmentPrice    `json:"price"`
	Referral     string            `json:"referral"` // valid code: only the island checks it before the form is sent
	Open         []string          `json:"open"`     // names of the unfolded groups
	Focus        string            `json:"focus"`    // field or button that is focused when the page opens
	Status       string            `json:"status"`   // for screen readers
	Announcement Announcement      `json:"said"`
	Busy         string            `json:"busy"` // value of the button that works
	Links        []EnrolmentLink   `json:"links"`
	// GuardianFacts are what a guardian agrees to; "{fee}" stands for the price.
	GuardianFacts []content.GuardianFact `json:"guardianFacts"`
	ChoosesMethod bool                   `json:"choosesWay,omitempty"` // a page with several payment methods follows
	Refund        string                 `json:"refund"`               // refund terms
	Payee         string                 `json:"payee"`                // who receives the money
	Tuition       string                 `json:"tuition"`              // price of the course without a full scholarship
	Source        string                 `json:"source"`               // of the visit, if known (admission.Source)
	Today         string                 `json:"today"`                // 2026-11-28, in India

	Form  *forms.Form `json:"-"` // islands embed it
	Codes url.Values  `json:"-"` // valid coupon and referral of the page's address

	// Constant parts, which only the page needs.
	Head    EnrolmentHead   `json:"-"`
	Support content.Contact `json:"-"`
	Closed  content.Notice  `json:"-"` // why enrolment is closed; empty while it is open
}

// Proof is the verification of a phone.
type Proof struct {
	Phase       string `json:"phase"` // none, sent (this form requested a code), verified
	RequestID   string `json:"requestId"`
	Number      string `json:"number"`          // ten digits
	ResendAfter int    `json:"resendAfter"`     // seconds
	Why         string `json:"why,omitempty"`   // no code is sent for now, a sentence; "" if one is
	Digits      int    `json:"digits"`          // typed digits of the code
	Ended       bool   `json:"ended,omitempty"` // no code that was sent works any more
}

// Phases of a verification.
const (
	proofNone     = "none"
	proofSent     = "sent"
	proofVerified = "verified"
)

// EnrolmentPrice is the price, formatted and as the coupon call needs it.
type EnrolmentPrice struct {
	Label    string `json:"label"`
	Fee      string `json:"fee"`
	Final    string `json:"final"`
	Amount   string `json:"amount"` // the fee in whole units, at most two decimals
	Currency string `json:"currency"`
	Coupon   string `json:"coupon"` // applied; "" for none
	Saved    string `json:"saved"`  // discount, formatted
	Off      int64  `json:"-"`      // discount in minor units
}

// apply sets the price with a coupon.
func (p *EnrolmentPrice) apply(price enrol.Price, coupon string) {
	p.Final, p.Coupon = price.Final.Short(), coupon
	p.Off, p.Saved = price.Discount.Minor, price.Discount.Short()
}

// Announcement is the latest event, shown at its field, or at "pay" above the button; without a look it is hidden.
type Announcement struct {
	Text string                `json:"text"`
	Look components.NoticeLook `json:"look"`
	At   string                `json:"at"`
}

// EnrolmentLink is a document linked by the form.
type EnrolmentLink struct {
	Text string `json:"text"`
	Href string `json:"href"`
}

// EnrolmentHead is the upper part of the ticket.
type EnrolmentHead struct {
	Heading             string
	Title, Subtitle     string
	Day, Month, Weekday string   // of the exam: "14", "March 2027", "Sunday"
	Backers             []Backer // the company, its partners, a partner college
}

// Backer is an organisation with its logo, an SVG without text.
type Backer struct{ Name, Logo string }

// enrolmentView returns the form of a new visit. Codes of a link are checked by the form's rules; without a coupon the
// event's applies while it is valid.
func (l *Landing) enrolmentView(page *content.Landing, action string, given invitation) EnrolmentView {
	event := page.Event
	fee := admission.Money{Minor: event.FeeMinor, Currency: event.Currency}
	v := EnrolmentView{
		Form:   l.Forms.Get(enrol.FormName),
		Action: action, Code: event.ScholarshipCode, Subevent: event.ScholarshipSubeventCode,
		Values: map[string]string{}, Faults: []forms.Fault{}, Summary: []forms.Fault{}, Open: []string{},
		Phone: Proof{Phase: proofNone}, Guardian: Proof{Phase: proofNone},
		Price: EnrolmentPrice{
			Label: page.Words.FeeLabel, Fee: fee.Short(), Final: fee.Short(), Amount: string(fee.Rupees()), Currency: event.Currency,
		},
		Head: EnrolmentHead{
			Heading: page.Words.Sections.Enrolment.Title, Title: event.Title, Subtitle: event.Subtitle,
			Backers: []Backer{{event.CompanyName, page.Logo(event.CompanyLogo)}},
		},
		Support: page.Site.Support, Closed: page.Notice, Source: given.Source, Refund: l.Refund(event), Payee: l.Payee(), Tuition: tuitionNote(page),
		Today: admission.ISODate(l.Clock()), Prompts: prompts,
	}
	said := strings.NewReplacer("{refund}", l.RefundForGuardian(event), "{tuition}", freeRanks(page)+v.Tuition)
	for _, fact := range page.Words.GuardianFacts {
		fact.Text = said.Replace(fact.Text)
		v.GuardianFacts = append(v.GuardianFacts, fact)
	}
	sold, known := l.Events.EventBySlug(event.Slug)
	if known {
		v.ChoosesMethod = l.Payment.Gateways.Choice(sold)
	}
	v.Head.Day, v.Head.Month, v.Head.Weekday = event.Exam.Parts()
	v.Courses = enrol.CourseOptions(admission.Event{Courses: event.Courses})
	for _, state := range india.States() {
		v.States = append(v.States, state.Name)
	}
	for _, partner := range event.Partners {
		if partner.Name != event.CompanyName {
			v.Head.Backers = append(v.Head.Backers, Backer{partner.Name, page.Logo(partner.Logo)})
		}
	}
	if college := event.PartnerCollege; college != nil {
		v.Head.Backers = append(v.Head.Backers, Backer{college.Name, page.Logo(college.Logo)})
	}
	for _, consent := range v.Form.Field("consents").Options {
		if consent.Value != "partner_college" || event.PartnerCollege != nil { // without a partner nothing is shared
			v.Consents = append(v.Consents, consent.Value)
		}
	}
	for _, link := range page.Site.Footer.Legal {
		v.Links = append(v.Links, EnrolmentLink{link.Label, link.Href})
	}
	for field, code := range map[string]string{"coupon_code": cmp.Or(given.Coupon, sold.OfferedCoupon(l.Clock())), "referral_code": given.Referral} {
		if clean, message := v.Form.CheckField(field, map[string]string{field: code}, forms.Env{}); message == "" && clean != "" {
			v.Values[field] = clean
			v.Open = v.Form.OpenGroups(v.Values, nil)
		}
	}
	v.Codes = url.Values{}
	if given.Coupon != "" && v.Values["coupon_code"] != "" {
		v.Codes.Set(web.CouponQuery, v.Values["coupon_code"])
	}
	if given.Referral != "" && v.Values["referral_code"] != "" {
		v.Codes.Set(web.ReferralQuery, v.Values["referral_code"])
	}
	if v.Values["coupon_code"] != "" {
		v.Announcement = Announcement{Text: "We apply this code when you start the form.", Look: components.NoticeInfo, At: "coupon_code"}
	}
	if slices.ContainsFunc(v.Courses, func(o forms.Option) bool { return o.Value == given.Course }) {
		v.Values["selected_course"] = given.Course
	}
	v.setSteps("")
	return v
}

// linkedCoupon applies the coupon of a link: the whole page shows its price, or the form why the code is refused. A code that
// cannot be judged now stays in its field, to be applied later.
func (l *Landing) linkedCoupon(c *echo.Context, v *EnrolmentView, code string) error {
	if code == "" || !v.open() {
		return nil
	}
	refuse := func(message string) {
		v.Announcement = Announcement{}
		v.Faults = []forms.Fault{{Field: enrol.CouponField, Message: message}}
		v.unfold("coupon")
	}
	clean, message := v.Form.CheckField(enrol.CouponField, map[string]string{enrol.CouponField: code}, forms.Env{})
	if message != "" {
		refuse(message)
		return nil
	}
	visitor, err := l.Session.Visitor(c)
	if err != nil {
		return pages.IgnoreUnavailable(err)
	}
	price, err := l.Enrol.ShownPrice(c.Request().Context(), visitor, enrol.CouponRequest{Code: clean, EventCode: v.Code, SubeventCode: v.Subevent})
	switch problem := admission.AsProblem(err); {
	case err == nil && clean != "":
		v.Announcement = Announcement{}
		v.Price.apply(price, clean)
	case problem != nil && problem.Field == enrol.CouponField:
		refuse(problem.Message)
	case problem == nil:
		return pages.IgnoreUnavailable(err)
	}
	return nil
}

// address returns the address that the form posts to.
func (v EnrolmentView) address() string { return v.Action + "#enrolment" }

// open reports whether the form is shown.
func (v EnrolmentView) open() bool { return v.Closed.Title == "" }

// A code that was not requested has no field: the message at its phone names the next step.
const (
	verifyFirst = "Please verify the OTP."
	sendFirst   = "Send a code to this number."
)

// placeFaults moves faults to visible fields: the fault of a code that was not requested moves to the phone, unless that has one.
func (v EnrolmentView) placeFaults(faults []forms.Fault) []forms.Fault {
	placed := []forms.Fault{}
	for _, fault := range faults {
		code := fault.Field
		if fault.Field == "otp" && v.Phone.Phase != proofSent {
			fault.Field = "phone_number"
		}
		if fault.Field == "guardian_otp" && v.Guardian.Phase != proofSent {
			fault.Field = "guardian_phone"
		}
		if fault.Field != code && fault.Message == verifyFirst {
			fault.Message = sendFirst
		}
		taken := slices.ContainsFunc(placed, func(f forms.Fault) bool { return f.Field == fault.Field && f.Field != "" })
		if !taken {
			placed = append(placed, fault)
		}
	}
	return placed
}

// setFaults sets the faults, and unfolds the groups of their fields.
func (v *EnrolmentView) setFaults(faults []forms.Fault) {
	v.Faults = v.placeFaults(faults)
	v.Summary = v.Faults
	v.unfold(v.Form.OpenGroups(nil, v.Faults)...)
}

// unfold adds unfolded groups.
func (v *EnrolmentView) unfold(groups ...string) {
	for _, group := range groups {
		if !slices.Contains(v.Open, group) {
			v.Open = append(v.Open, group)
		}
	}
}

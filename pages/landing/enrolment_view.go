package landing

import (
	"cmp"
	"slices"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
)

// EnrolmentView is all that the enrolment form shows in one state. As JSON it is also what the island starts from:
// islands/enrolment/view.ts has the same shape, and renders the same markup from it.
type EnrolmentView struct {
	Action   string            `json:"action"` // path that the form posts to, which is the page's own
	Code     string            `json:"code"`   // scholarship_code
	Subevent string            `json:"subevent"`
	Courses  []forms.Option    `json:"courses"`
	States   []string          `json:"states"`
	Consents []string          `json:"consents"` // those that are asked for
	Values   map[string]string `json:"values"`   // as typed, by field
	Faults   []forms.Fault     `json:"faults"`   // in the form's order; a fault without a field speaks of the whole
	Summary  []forms.Fault     `json:"summary"`  // what the error summary lists
	Steps    []EnrolmentStep   `json:"steps"`
	Phone    Proof             `json:"phone"`
	Guardian Proof             `json:"guardian"`
	Price    EnrolmentPrice    `json:"price"`
	Referral string            `json:"referral"` // code that is known to be good: only the island asks before the form is sent
	Open     []string          `json:"open"`     // names of the form's folded groups that are unfolded
	Focus    string            `json:"focus"`    // field, or button by its do, that takes the focus when the page opens
	Status   string            `json:"status"`   // what is read out
	Said     Said              `json:"said"`
	Busy     string            `json:"busy"` // the do of the button that works
	Links    []EnrolmentLink   `json:"links"`
	// GuardianSMS is the message that a guardian gets, with a made-up code.
	GuardianSMS string `json:"guardianSms"`
	ChoosesWay  bool   `json:"choosesWay,omitempty"` // one says how to pay before anything begins: there is more than one way to
	Refund      string `json:"refund"`               // until when the fee comes back
	Payee       string `json:"payee"`                // who takes the money
	Tuition     string `json:"tuition"`              // what the course costs without a whole scholarship
	Source      string `json:"source"`               // where the visit came from, as far as this request tells (admission.Source)

	Form *forms.Form `json:"-"` // islands hold it themselves

	// What does not change while the form is filled stands in the page only.
	Head   EnrolmentHead  `json:"-"`
	Closed content.Notice `json:"-"` // why nobody can enrol; empty while one can
}

// Proof is how far the proof of one phone has come.
type Proof struct {
	Phase       string `json:"phase"` // none, sent (a code can be typed in: there is a request of this form's own), verified
	RequestID   string `json:"requestId"`
	Number      string `json:"number"`      // ten digits that the phase speaks of
	ResendAfter int    `json:"resendAfter"` // seconds
	Digits      int    `json:"digits"`      // of the code, as many as are typed
}

// The phases of a proof.
const (
	proofNone     = "none"
	proofSent     = "sent"
	proofVerified = "verified"
)

// EnrolmentPrice is the price as it is read, "₹1,499", and as the coupon's call wants it.
type EnrolmentPrice struct {
	Label    string `json:"label"`
	Fee      string `json:"fee"`
	Final    string `json:"final"`
	Amount   string `json:"amount"` // the fee in whole units, at most two decimals
	Currency string `json:"currency"`
	Coupon   string `json:"coupon"` // applied; empty: none
	Saved    string `json:"saved"`  // what it takes off, as it is read
	Off      int64  `json:"-"`      // what it takes off, in minor units
}

// Said is what happened last, shown at the field where it happened, or At "pay" above the button; without a look it is not shown.
type Said struct {
	Text string                `json:"text"`
	Look components.NoticeLook `json:"look"`
	At   string                `json:"at"`
}

// EnrolmentLink is a document that the form names.
type EnrolmentLink struct {
	Text string `json:"text"`
	Href string `json:"href"`
}

// EnrolmentHead is the upper part of the ticket.
type EnrolmentHead struct {
	Heading             string
	Title, Subtitle     string
	Day, Month, Weekday string   // of the exam: "14", "March 2027", "Sunday"
	Backers             []Backer // the company, then a partner college
}

// Backer is an organisation with its logo, an SVG without a text of its own.
type Backer struct{ Name, Logo string }

// enrolmentView is the form as a visitor first meets it. What a link fills in is judged by the form's rules; without a coupon
// in it, the event's own stands there.
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
		Closed: page.Notice, Source: given.Source, GuardianSMS: page.GuardianSMS(), Refund: l.Refund(event), Payee: l.Payee(), Tuition: unfunded(page),
	}
	if sold, known := l.Events.EventBySlug(event.Slug); known {
		v.ChoosesWay = l.Payment.Gateways.Choice(sold)
	}
	v.Head.Day, v.Head.Month, v.Head.Weekday = event.Exam.Parts()
	v.Courses = enrol.CourseOptions(admission.Event{Courses: event.Courses})
	for _, state := range india.States() {
		v.States = append(v.States, state.Name)
	}
	if college := event.PartnerCollege; college != nil {
		v.Head.Backers = append(v.Head.Backers, Backer{college.Name, page.Logo(college.Logo)})
	}
	for _, consent := range v.Form.Field("consents").Options {
		if consent.Value != "partner_college" || event.PartnerCollege != nil { // with nobody nothing is shared
			v.Consents = append(v.Consents, consent.Value)
		}
	}
	for _, link := range page.Site.Footer.Legal {
		v.Links = append(v.Links, EnrolmentLink{link.Label, link.Href})
	}
	for field, code := range map[string]string{"coupon_code": cmp.Or(given.Coupon, event.CouponCode), "referral_code": given.Referral} {
		if clean, message := v.Form.CheckField(field, map[string]string{field: code}, forms.Env{}); message == "" && clean != "" {
			v.Values[field] = clean
			v.Open = v.Form.OpenGroups(v.Values, nil)
		}
	}
	if v.Values["coupon_code"] != "" {
		v.Said = Said{Text: "This code counts as soon as you begin to fill in the form.", Look: components.NoticeInfo, At: "coupon_code"}
	}
	if slices.ContainsFunc(v.Courses, func(o forms.Option) bool { return o.Value == given.Course }) {
		v.Values["selected_course"] = given.Course
	}
	v.settle("")
	return v
}

// address is where the form posts to, and shows again.
func (v EnrolmentView) address() string { return v.Action + "#enrolment" }

// open reports whether the form stands there at all.
func (v EnrolmentView) open() bool { return v.Closed.Title == "" }

// place moves faults to where a visitor can see them: a code that was not asked for yet has no field, so what is wrong
// with it stands at the phone, unless more is wrong with that.
func (v EnrolmentView) place(faults []forms.Fault) []forms.Fault {
	placed := []forms.Fault{}
	for _, fault := range faults {
		if fault.Field == "otp" && v.Phone.Phase != proofSent {
			fault.Field = "phone_number"
		}
		if fault.Field == "guardian_otp" && v.Guardian.Phase != proofSent {
			fault.Field = "guardian_phone"
		}
		taken := slices.ContainsFunc(placed, func(f forms.Fault) bool { return f.Field == fault.Field && f.Field != "" })
		if !taken {
			placed = append(placed, fault)
		}
	}
	return placed
}

// refuse shows faults, and opens what hides a field at fault.
func (v *EnrolmentView) refuse(faults []forms.Fault) {
	v.Faults = v.place(faults)
	v.Summary = v.Faults
	v.unfold(v.Form.OpenGroups(nil, v.Faults)...)
}

// unfold opens groups, beside those that are open.
func (v *EnrolmentView) unfold(groups ...string) {
	for _, group := range groups {
		if !slices.Contains(v.Open, group) {
			v.Open = append(v.Open, group)
		}
	}
}

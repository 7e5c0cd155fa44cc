package landing

import (
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
	Values   map[string]string `json:"values"`  // as typed, by field
	Faults   []forms.Fault     `json:"faults"`  // in the form's order; a fault without a field speaks of the whole
	Summary  []forms.Fault     `json:"summary"` // what the error summary lists
	Phone    Proof             `json:"phone"`
	Guardian Proof             `json:"guardian"`
	Price    EnrolmentPrice    `json:"price"`
	Referral string            `json:"referral"` // code that is known to be good: only the island asks before the form is sent
	Open     []string          `json:"open"`     // names of the form's folded groups that are unfolded
	Status   string            `json:"status"`   // what is read out
	Said     Said              `json:"said"`
	Busy     string            `json:"busy"` // the do of the button that works
	Links    []EnrolmentLink   `json:"links"`

	Form *forms.Form `json:"-"` // islands hold it themselves

	// What does not change while the form is filled stands in the page only.
	Head    EnrolmentHead     `json:"-"`
	Choices []EnrolmentChoice `json:"-"`
	Closed  content.Notice    `json:"-"` // why nobody can enrol; empty while one can
}

// Proof is how far the proof of one phone has come.
type Proof struct {
	Phase       string `json:"phase"` // none, sent (a code can be typed in: there is a request of this form's own), verified
	RequestID   string `json:"requestId"`
	Number      string `json:"number"`      // ten digits that the phase speaks of
	ResendAfter int    `json:"resendAfter"` // seconds
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
	Heading, Text   string
	Title, Subtitle string
	Backers         []Backer // the company, then the partners
	Courses         []string
}

// Backer is an organisation with its logo, an SVG without a text of its own.
type Backer struct{ Name, Logo string }

// EnrolmentChoice is what follows from a consent, and how it is taken back.
type EnrolmentChoice struct{ Label, Text string }

// enrolmentView is the form as a visitor first meets it. coupon comes from the address, or is the event's own.
func (l *Landing) enrolmentView(page *content.Landing, action, coupon string) EnrolmentView {
	event := page.Event
	fee := admission.Money{Minor: event.FeeMinor, Currency: event.Currency}
	v := EnrolmentView{
		Form:   l.Forms.Get("enrolment"),
		Action: action, Code: event.ScholarshipCode, Subevent: event.ScholarshipSubeventCode,
		Values: map[string]string{}, Faults: []forms.Fault{}, Summary: []forms.Fault{}, Open: []string{},
		Phone: Proof{Phase: proofNone}, Guardian: Proof{Phase: proofNone},
		Price: EnrolmentPrice{
			Label: page.Words.FeeLabel, Fee: fee.Short(), Final: fee.Short(), Amount: string(fee.Rupees()), Currency: event.Currency,
		},
		Head: EnrolmentHead{
			Heading: page.Words.Sections.Enrolment.Title, Text: page.Words.Sections.Enrolment.Text,
			Title: event.Title, Subtitle: event.Subtitle,
			Backers: []Backer{{event.CompanyName, page.Logo(event.CompanyLogo)}},
		},
		Closed: page.Notice,
	}
	v.Courses = enrol.CourseOptions(admission.Event{Courses: event.Courses})
	for _, course := range v.Courses {
		v.Head.Courses = append(v.Head.Courses, course.Label)
	}
	for _, state := range india.States() {
		v.States = append(v.States, state.Name)
	}
	for _, partner := range event.Partners {
		if partner.Name != event.CompanyName {
			v.Head.Backers = append(v.Head.Backers, Backer{partner.Name, page.Logo(partner.Logo)})
		}
	}
	for _, choice := range v.Form.Field("consents").Options {
		for _, consent := range page.Words.Consents {
			if consent.Purpose == choice.Value {
				v.Choices = append(v.Choices, EnrolmentChoice{choice.Label, consent.Text})
			}
		}
	}
	for _, link := range page.Site.Footer.Legal {
		v.Links = append(v.Links, EnrolmentLink{link.Label, link.Href})
	}
	if coupon == "" {
		coupon = event.CouponCode
	}
	if clean, message := v.Form.CheckField("coupon_code", map[string]string{"coupon_code": coupon}, forms.Env{}); message == "" && clean != "" {
		v.Values["coupon_code"] = clean
		v.Open = v.Form.Open(v.Values, nil)
	}
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

// remind says at the box of adults that it may be what was forgotten, where nothing at all was typed of a guardian.
func (v EnrolmentView) remind(faults []forms.Fault) []forms.Fault {
	about := func(field string) int {
		return slices.IndexFunc(faults, func(f forms.Fault) bool { return f.Field == field })
	}
	if v.Values["guardian_name"]+v.Values["guardian_phone"] != "" || about("guardian_name") < 0 || about("guardian_phone") < 0 {
		return faults
	}
	return slices.Insert(faults, about("guardian_name"), forms.Fault{Field: "adult", Message: v.Form.Field("adult").Forgotten})
}

// refuse shows faults, and opens what hides a field at fault.
func (v *EnrolmentView) refuse(faults []forms.Fault) {
	v.Faults = v.remind(v.place(faults))
	v.Summary = v.Faults
	v.unfold(v.Form.Open(nil, v.Faults)...)
}

// unfold opens groups, beside those that are open.
func (v *EnrolmentView) unfold(groups ...string) {
	for _, group := range groups {
		if !slices.Contains(v.Open, group) {
			v.Open = append(v.Open, group)
		}
	}
}

func (v EnrolmentView) summary() components.ErrorSummaryProps {
	return components.FormProps{Faults: v.Summary}.Summary()
}

// form is the form in its present state. What follows is only what this page adds to its fields.
func (v EnrolmentView) form() components.FormProps {
	return components.FormProps{
		Form: v.Form, Env: v.env(), Values: v.Values, Faults: v.Faults, Open: v.Open,
		Special: map[string]components.Special{
			"phone_number": {
				Change: func(p *components.FieldProps) { prove(p, v.Phone, v.action("send-code", "Send code")) },
				Below:  belowPhone(v, v.Phone, "phone_number"),
			},
			"otp": {
				Absent: v.Phone.Phase != proofSent,
				Change: func(p *components.FieldProps) { p.Action = v.action("verify", "Verify") },
				Below:  resend(v, "resend", v.Phone, "otp"),
			},
			"guardian_phone": {
				Change: func(p *components.FieldProps) { prove(p, v.Guardian, v.action("send-guardian-code", "Send code")) },
				Below:  belowPhone(v, v.Guardian, "guardian_phone"),
			},
			"guardian_otp": {
				Absent: v.Guardian.Phase != proofSent,
				Change: func(p *components.FieldProps) { p.Action = v.action("verify-guardian", "Verify") },
				Below:  resend(v, "resend-guardian", v.Guardian, "guardian_otp"),
			},
			"referral_code": {Change: v.referralCode},
			"coupon_code":   {Change: v.couponCode, Below: said(v, "coupon_code")},
			"agreed_terms_conditions": {Change: func(p *components.FieldProps) {
				for _, link := range v.Links {
					p.Links = append(p.Links, components.Link{Text: link.Text, Href: link.Href})
				}
			}},
			"choices": {Below: consequences(v.Choices)},
		},
	}
}

// env holds the choices of the form's fields.
func (v EnrolmentView) env() forms.Env {
	var states []forms.Option
	for _, state := range v.States {
		states = append(states, forms.Option{Value: state, Label: state})
	}
	return forms.Env{Options: map[string][]forms.Option{"courses": v.Courses, "states": states}}
}

func (v EnrolmentView) referralCode(p *components.FieldProps) {
	if v.Referral != "" {
		p.Verified = "Applied"
	}
}

func (v EnrolmentView) couponCode(p *components.FieldProps) {
	if v.Price.Coupon != "" {
		p.Verified, p.ReadOnly = "Applied", true
	} else {
		p.Action = v.action("apply-coupon", "Apply")
	}
}

// prove shows how far the proof of a phone has come.
func prove(p *components.FieldProps, proof Proof, send *components.SubmitAction) {
	switch proof.Phase {
	case proofNone:
		p.Action = send
	case proofVerified:
		p.Verified = "Verified"
	}
}

// action is a button beside a field.
func (v EnrolmentView) action(do, label string) *components.SubmitAction {
	return &components.SubmitAction{Name: "do", Value: do, Label: label, Busy: v.Busy == do}
}

func (v EnrolmentView) price() components.PriceProps {
	p := components.PriceProps{Amount: v.Price.Final, Coupon: v.Price.Coupon}
	if v.Price.Final != v.Price.Fee {
		p.Struck = v.Price.Fee
	}
	return p
}

// pay is the button that leads to payment.
func (v EnrolmentView) pay() components.ButtonProps {
	return components.ButtonProps{Look: "gold", Text: "PROCEED TO PAY", Name: "do", Value: "pay", Wide: true, Busy: v.Busy == "pay"}
}

func (v EnrolmentView) removeCoupon() components.ButtonProps {
	return components.ButtonProps{Look: "link", Text: "Remove coupon", Name: "do", Value: "remove-coupon"}
}

// privacy is the notice of what happens to what is typed here.
func (v EnrolmentView) privacy() components.Link {
	for _, link := range v.Links {
		if link.Text == "Privacy notice" {
			return components.Link{Text: "Read our privacy notice", Href: link.Href, External: true}
		}
	}
	return components.Link{}
}

// saidIcon is the sign of a notice.
func saidIcon(look components.NoticeLook) string {
	if look == components.NoticeDone {
		return "tick"
	}
	return "bang"
}

package landing

import (
	"slices"
	"strconv"
	"strings"

	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
)

// form returns the props of the form, with what this page adds to its fields.
func (v EnrolmentView) form() components.FormProps {
	ifAsked := func(p *components.FieldProps) { p.PlainOnly = v.Guardian.Phase == proofSent }
	return components.FormProps{
		Form: v.Form, Env: v.env(), Values: v.Values, Faults: v.Faults, Open: v.Open, Focus: v.Focus,
		Special: map[string]components.Special{
			"phone_number": {
				Change: func(p *components.FieldProps) { prove(p, v.Phone) },
				Below:  belowPhone(v, v.Phone, "phone_number"),
			},
			"otp": {
				Absent: v.Phone.Phase != proofSent,
				Change: func(p *components.FieldProps) {
					if !v.Phone.Ended {
						p.Live = "We check them as soon as you type the last one."
					}
					askDigits(p, v.Phone)
				},
				Below: belowCode(v, v.Phone, phoneButtons, "otp"),
			},
			"guardian_name": {Change: ifAsked},
			"guardian_phone": {
				Change: func(p *components.FieldProps) { prove(p, v.Guardian) },
				Below:  belowPhone(v, v.Guardian, "guardian_phone"),
			},
			"guardian_shares_phone": {Change: ifAsked, Below: handOver(v)},
			"guardian_relation":     {Change: ifAsked},
			"guardian_birth_year":   {Change: ifAsked},
			"guardian_otp": {
				Absent: v.Guardian.Phase != proofSent,
				Change: func(p *components.FieldProps) {
					switch {
					case v.Guardian.Ended:
					case v.sharesPhone():
						p.Hint = "Type the code only if you agree. Valid for 10 minutes."
					default:
						p.Hint = "They tell you the code only if they agree. Valid for 10 minutes."
					}
					askDigits(p, v.Guardian)
				},
				Below: belowCode(v, v.Guardian, guardianButtons, "guardian_otp"),
			},
			"referral_code": {Change: v.referralCode},
			"coupon_code":   {Change: v.couponCode, Below: belowCoupon(v)},
			"agreed_terms_conditions": {Change: func(p *components.FieldProps) {
				for _, link := range v.Links {
					p.Links = append(p.Links, components.Link{Text: link.Text, Href: link.Href})
				}
			}},
			"consents": {Change: func(p *components.FieldProps) {
				p.Options = slices.DeleteFunc(p.Options, func(o forms.Option) bool { return !slices.Contains(v.Consents, o.Value) })
			}},
		},
	}
}

// env returns the choices of the fields, and what is verified or applied.
func (v EnrolmentView) env() forms.Env {
	var states []forms.Option
	for _, state := range v.States {
		states = append(states, forms.Option{Value: state, Label: state})
	}
	number := func(proof Proof) string {
		if proof.Phase == proofVerified {
			return proof.Number
		}
		return ""
	}
	return forms.Env{
		Options: map[string][]forms.Option{"courses": v.Courses, "states": states}, Today: v.Today,
		Proven: map[string]string{"phone_number": number(v.Phone), "guardian_phone": number(v.Guardian), "coupon_code": v.Price.Coupon},
	}
}

// prove shows the verification of a phone. While a code is on its way, its number is above the code.
func prove(p *components.FieldProps, proof Proof) {
	p.PlainOnly = proof.Phase == proofSent
	if proof.Phase == proofVerified {
		p.Verified = "Verified"
	}
}

// wrongCode is the server's message for a wrong code.
const wrongCode = "Invalid OTP"

// askDigits shows how many digits are typed, and what to do about a wrong code.
func askDigits(p *components.FieldProps, proof Proof) {
	p.Digits = proof.Digits
	if p.Digits == 6 && p.Error == wrongCode {
		p.Hint, p.Live = "Use the latest OTP sent from this page, or press Resend.", ""
		if proof.ResendAfter > 0 {
			p.Hint = "Use the latest OTP sent from this page, or press Resend in " + strconv.Itoa(proof.ResendAfter) + " s."
		}
	}
}

func (v EnrolmentView) referralCode(p *components.FieldProps) {
	if v.Referral != "" {
		p.Verified = "Applied"
	}
}

func (v EnrolmentView) couponCode(p *components.FieldProps) {
	p.Optional = false // the unfolding line says it
	p.Action = &components.SubmitAction{Name: "do", Value: "apply-coupon", Label: "Apply", Busy: v.Busy == "apply-coupon"}
}

// summary returns the error summary.
func (v EnrolmentView) summary() components.ErrorSummaryProps {
	return components.FormProps{Form: v.Form, Faults: v.Summary}.Summary()
}

// step returns a button that continues.
func (v EnrolmentView) step(do, text string) components.ButtonProps {
	return components.ButtonProps{Look: "step", Text: text, Name: "do", Value: do, Busy: v.Busy == do}
}

// send returns the button that sends a code.
func (v EnrolmentView) send(do string, proof Proof) components.ButtonProps {
	b := v.step(do, "Send code")
	if do == "send-guardian-code" && !v.handsOver() || len(v.Summary) > 0 || proof.ResendAfter > 0 { // after an error or during a wait
		b.Look = "step-waits"
	}
	return b
}

// resendLook returns the look of Resend, which is the next step once the code has ended.
func resendLook(proof Proof) string {
	if proof.Ended && proof.ResendAfter == 0 {
		return "step"
	}
	return "outline"
}

// codeButtons are the values of a code's buttons; Change returns to its number.
type codeButtons struct{ Verify, Resend, Change string }

var (
	phoneButtons    = codeButtons{"verify", "resend", "change-number"}
	guardianButtons = codeButtons{"verify-guardian", "resend-guardian", "change-number-guardian"}
)

// sharesPhone reports whether a guardian uses the student's phone.
func (v EnrolmentView) sharesPhone() bool {
	return v.Values["guardian_shares_phone"] == "true" && v.Form.Applies("guardian_shares_phone", v.Values, v.env())
}

// handsOver reports whether the student hands the phone to a guardian, who then asks for the code.
func (v EnrolmentView) handsOver() bool { return v.sharesPhone() && v.Guardian.Phase == proofNone }

// guardianGroup is the group of the guardian's fields.
const guardianGroup = "guardian"

// guardianAgreed reports whether a row replaces the guardian's fields: they are valid, the phone is verified, and nobody changes
// them.
func (v EnrolmentView) guardianAgreed() bool {
	if v.Values["adult"] != "false" || v.Guardian.Phase != proofVerified || slices.Contains(v.Open, guardianGroup) {
		return false
	}
	var names []string
	for _, field := range v.Form.FieldsOf(guardianGroup) {
		names = append(names, field.Name)
	}
	_, faults := v.Form.CheckOnly(v.Values, v.env(), names...)
	return len(faults) == 0 && !slices.ContainsFunc(names, v.hasFault)
}

// guardianFacts returns what a guardian agrees to.
func (v EnrolmentView) guardianFacts() []content.GuardianFact {
	var facts []content.GuardianFact
	for _, fact := range v.GuardianFacts {
		if priced := strings.ReplaceAll(fact.Fact, "{fee}", v.Price.Final); priced == fact.Fact || !v.free() {
			fact.Fact = priced
			facts = append(facts, fact)
		}
	}
	return facts
}

// numberUse returns what a number is used for.
func numberUse(at string) string {
	if at == "guardian_phone" {
		return "They get one SMS with a code."
	}
	return "For a code now, and SMS about your exam. No sales calls."
}

// sentTo returns the words before a code's number; whose is set for a guardian's phone.
func (v EnrolmentView) sentTo(code, whose string) string {
	sent := "Code sent to "
	if v.Announcement.At == code && strings.HasPrefix(v.Announcement.Text, "Code sent again") {
		sent = "Code sent again to "
	}
	if whose != "" {
		sent += whose + ", "
	}
	return sent
}

// waitText formats seconds.
func waitText(seconds int) string {
	switch {
	case seconds > 2*60*60:
		return strconv.Itoa((seconds+3599)/3600) + " hours"
	case seconds > 2*60:
		return strconv.Itoa((seconds+59)/60) + " minutes"
	}
	return strconv.Itoa(seconds) + " s"
}

func mobile(proof Proof) string { return pages.Mobile("+91" + proof.Number) }

// pay returns the button of the payment, muted until the form is complete.
func (v EnrolmentView) pay() components.ButtonProps {
	b := components.ButtonProps{Look: "gold-waits", Text: "PROCEED TO PAY", Name: "do", Value: "pay", Wide: true, Busy: v.Busy == "pay", Focused: v.Focus == "pay"}
	if v.ready() {
		b.Look = "gold"
	}
	return b
}

func (v EnrolmentView) struck() string {
	if v.Price.Final == v.Price.Fee {
		return ""
	}
	return v.Price.Fee
}

// link returns the link to a document, which opens in a new window to keep the form.
func (v EnrolmentView) link(document, text string) components.Link {
	for _, link := range v.Links {
		if link.Text == document {
			return components.Link{Text: text, Href: link.Href, External: true}
		}
	}
	return components.Link{}
}

package hiresure

import (
	"cmp"
	"slices"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/pages"
)

// An answerCard shows what some fields of a form say.
type answerCard struct {
	title string
	shows func(form *forms.Form, field *forms.Field) bool
	dense bool
}

// answerCards are the cards of an application: the steps of its form.
var answerCards = []answerCard{
	{"Personal Information", ofStep(enrol.PlacePersonal), false},
	{"Academic Information", ofStep(enrol.PlaceAcademic), false},
	{"Scholarship Details", ofStep(enrol.PlaceScholarship), true},
}

// enrolmentCards are those of an enrolment, whose form has one step.
var enrolmentCards = []answerCard{
	{"Personal Information", func(_ *forms.Form, field *forms.Field) bool { return !academic(field) }, false},
	{"Academic Information", func(_ *forms.Form, field *forms.Field) bool { return academic(field) }, false},
}

func ofStep(place enrol.Place) func(*forms.Form, *forms.Field) bool {
	return func(form *forms.Form, field *forms.Field) bool {
		return slices.Contains(form.OfStep(string(place)), field)
	}
}

// academic reports whether a field of the enrolment is about the course, beside which the State stands for the invoice's sake.
func academic(field *forms.Field) bool {
	return (field.Group == "course" || field.Group == "more") && field.Keep != "state_code"
}

// shownElsewhere are columns whose fields no card repeats: who it is stands first, and the payment has its codes. Whether
// somebody is of age shows in the guardian.
var shownElsewhere = []string{"full_name", "email", "phone", "referral_code", "coupon_code", "adult", forms.KeepNone, enrol.KeepTerms, enrol.KeepConsents}

// shortLabels name what the form asks for in a question, or as the specification has it.
var shortLabels = map[string]string{
	"received_other_scholarship": "Other scholarship", "details": "Which one", "hiresure guardian_name": "Guardian who agreed",
	"enrolment guardian_name": "Father/Guardian Name", "company_name": "Current Institution/College/School",
}

// wideAnswers are long, though they stand in one line.
var wideAnswers = map[string]bool{"institution": true, "company_name": true}

// answered are the cards of a registration: who it is, and what is saved of its form.
func (h *home) answered(r enrol.Registration) (cards []card) {
	form, all := h.Forms.Get(apply.FormOf(&r)), enrolmentCards
	application := r.Product() == enrol.ProductApplication
	if application {
		all = answerCards
	}
	typed, env := r.Typed(form, ""), forms.Env{Today: admission.ISODate(h.Clock())}
	for i, of := range all {
		facts, saved := []fact{}, !application
		if i == 0 {
			facts = []fact{{Name: "Full Name", Value: r.FullName, Big: true}, {Name: "Email Address", Value: r.Email}, {Name: "Mobile Number", Value: pages.Mobile(r.Phone)}}
			saved = true
		}
		var rest []fact
		for j := range form.Fields {
			field := &form.Fields[j]
			value := typed[field.Name]
			if slices.Contains(shownElsewhere, field.Keep) || !of.shows(form, field) || value == "" && !waits(form, field, typed, env) {
				continue
			}
			saved = saved || value != ""
			rest = append(rest, answerOf(form, field, value))
		}
		if i > 0 || r.Step > enrol.StepVerified || !application {
			facts = append(facts, rest...)
		}
		if saved {
			cards = append(cards, card{Title: of.title, Facts: dashed(facts), Dense: of.dense})
		}
	}
	return cards
}

// waits reports whether a field without an answer is asked of this person: a guardian of some only.
func waits(form *forms.Form, field *forms.Field, typed map[string]string, env forms.Env) bool {
	return (len(field.When) == 0 || field.Keep == forms.KeepAnswers) && form.Applies(field.Name, typed, env)
}

func answerOf(form *forms.Form, field *forms.Field, value string) fact {
	return fact{
		Name:  cmp.Or(shortLabels[form.Name+" "+field.Name], shortLabels[field.Name], field.Label),
		Value: enrol.DisplayValue(form, field, value), Wide: field.Kind == "textarea" || wideAnswers[field.Name],
	}
}

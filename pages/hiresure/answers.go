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

// answerCard shows the answers to some fields of a form.
type answerCard struct {
	title string
	shows func(form *forms.Form, field *forms.Field) bool
	dense bool
}

// answerCards are the cards of an application, one per step of its form.
var answerCards = []answerCard{
	{"Personal Information", ofStep(enrol.PlacePersonal), false},
	{"Academic Information", ofStep(enrol.PlaceAcademic), false},
	{"Scholarship Details", ofStep(enrol.PlaceScholarship), true},
}

// enrolmentCards are the cards of an enrolment, whose form has one step.
var enrolmentCards = []answerCard{
	{"Personal Information", func(_ *forms.Form, field *forms.Field) bool { return !academic(field) }, false},
	{"Academic Information", func(_ *forms.Form, field *forms.Field) bool { return academic(field) }, false},
}

func ofStep(place enrol.Place) func(*forms.Form, *forms.Field) bool {
	return func(form *forms.Form, field *forms.Field) bool {
		return slices.Contains(form.OfStep(string(place)), field)
	}
}

// academic reports whether an enrolment's field concerns the course. The State is in the same group, but for the invoice.
func academic(field *forms.Field) bool {
	return (field.Group == "course" || field.Group == "more") && field.Keep != "state_code"
}

// shownElsewhere lists columns whose fields no card repeats.
var shownElsewhere = []string{"full_name", "email", "phone", "referral_code", "coupon_code", "adult", forms.KeepNone, enrol.KeepTerms, enrol.KeepConsents}

// shortLabels replace labels that are questions, or that the specification names otherwise.
var shortLabels = map[string]string{
	"received_other_scholarship": "Other scholarship", "details": "Which one", "hiresure guardian_name": "Guardian who agreed",
	"enrolment guardian_name": "Father/Guardian Name", "company_name": "Current Institution/College/School",
}

// wideAnswers are long answers of single-line fields.
var wideAnswers = map[string]bool{"institution": true, "company_name": true}

// answered returns the cards with the saved answers of a registration.
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
			facts = []fact{{Name: "Full Name", Value: r.FullName, Big: true}, {Name: "Email Address", Value: r.Email, Wide: true}, {Name: "Mobile Number", Value: pages.Mobile(r.Phone), Wide: true}}
			saved = true
		}
		var rest []fact
		for j := range form.Fields {
			field := &form.Fields[j]
			value := typed[field.Name]
			if slices.Contains(shownElsewhere, field.Keep) || !of.shows(form, field) || value == "" && !isExpected(form, field, typed, env) {
				continue
			}
			saved = saved || value != ""
			rest = append(rest, answerOf(form, field, value))
		}
		if i > 0 || r.Step > enrol.StepVerified || !application {
			facts = append(facts, rest...)
		}
		if saved {
			cards = append(cards, card{Title: of.title, Facts: dashEmpty(facts), Dense: of.dense})
		}
	}
	return cards
}

// isExpected reports whether an unanswered field is asked of this person.
func isExpected(form *forms.Form, field *forms.Field, typed map[string]string, env forms.Env) bool {
	return (len(field.When) == 0 || field.Keep == forms.KeepAnswers) && form.Applies(field.Name, typed, env)
}

func answerOf(form *forms.Form, field *forms.Field, value string) fact {
	return fact{
		Name:  cmp.Or(shortLabels[form.Name+" "+field.Name], shortLabels[field.Name], field.Label),
		Value: enrol.DisplayValue(form, field, value), Wide: field.Kind == "textarea" || wideAnswers[field.Name],
	}
}

package hiresure

import (
	"cmp"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/pages"
)

// answerCards are the steps of the application's form, each with the title of its card.
var answerCards = []struct{ step, title string }{
	{string(enrol.PlacePersonal), "Personal Information"},
	{string(enrol.PlaceAcademic), "Academic Information"},
	{string(enrol.PlaceScholarship), "Scholarship Details"},
}

// shortLabels name what the form asks for in a question.
var shortLabels = map[string]string{"received_other_scholarship": "Other scholarship", "details": "Which one", "guardian_name": "Guardian who agreed"}

// wideAnswers are long, though they stand in one line.
var wideAnswers = map[string]bool{"institution": true}

// answered are the cards of an application: who it is, and each step of the form that is saved.
func (h *home) answered(r enrol.Registration) (cards []card) {
	form, typed := h.Forms.Get(apply.FormName), h.Apply.Answers(&r)
	env := forms.Env{Today: admission.ISODate(h.Clock())}
	for i, of := range answerCards {
		facts, saved := []fact{}, false
		if i == 0 {
			facts = []fact{{Name: "Full Name", Value: r.FullName, Big: true}, {Name: "Email Address", Value: r.Email}, {Name: "Mobile Number", Value: pages.Mobile(r.Phone)}}
			saved = true
		}
		var rest []fact
		for _, field := range form.OfStep(of.step) {
			value := typed[field.Name]
			if field.Keep == forms.KeepNone || value == "" && (field.Keep != forms.KeepAnswers || !form.Applies(field.Name, typed, env)) {
				continue
			}
			saved = saved || value != ""
			rest = append(rest, answerOf(form, field, value))
		}
		if i > 0 || r.Step > enrol.StepVerified {
			facts = append(facts, rest...)
		}
		if saved {
			cards = append(cards, card{Title: of.title, Facts: dashed(facts), Dense: of.step == string(enrol.PlaceScholarship)})
		}
	}
	return cards
}

func answerOf(form *forms.Form, field *forms.Field, value string) fact {
	of := fact{Name: cmp.Or(shortLabels[field.Name], field.Label), Value: form.Said(field.Name, value), Wide: field.Kind == "textarea" || wideAnswers[field.Name]}
	switch {
	case value == "":
		of.Value = ""
	case field.Kind == "tel":
		of.Value = pages.Mobile(admission.IndianPhone(value))
	case field.Prefix != "":
		of.Value = field.Prefix + of.Value
	}
	return of
}

package application

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// termsStep is the form's step on the review.
const termsStep = "terms"

// reviewView is the review.
type reviewView struct {
	frame
	Sections []section
	Name     string
	FeeNote  string
	Fee      string
	Form     components.FormProps
	Hidden   []pages.HiddenField
	Messages []string // messages without a field of this page
	Here     string   // GET address after a refused post; "" otherwise
}

// section is a step with its answers.
type section struct {
	Title, Change string
	Own           bool // the first, with the person's details
	Facts         []fact
	Unsaved       bool     // newer answers are unsaved
	Wrong         []string // faults by today's rules
}

// fact is an answer.
type fact struct {
	Label, Text string
	Class       string // half if it shares its row, half-wide if only on wide screens
	Sum         bool   // amount in rupees
	Long        bool   // may have many lines
}

var sectionTitles = map[enrol.Place]string{
	enrol.PlacePersonal: "Personal Information", enrol.PlaceAcademic: "Academic Information", enrol.PlaceScholarship: "Scholarship Details",
}

// review shows all answers with the terms.
func (h handlers) review(c *echo.Context) error {
	v, _, err := h.Enter(c, enrol.PlaceReview)
	if err != nil {
		return err
	}
	return h.showReview(c, v, nil, nil)
}

// agree accepts the terms, or goes back.
func (h handlers) agree(c *echo.Context) error {
	p, err := h.read(c, step{place: enrol.PlaceReview})
	if err != nil {
		return err
	}
	if p.in[doField] == doBack {
		return c.Redirect(http.StatusSeeOther, scholarship.path())
	}
	standing, err := h.Apply.AgreeTerms(c.Request().Context(), p.visitor, p.in, p.in[seenField])
	if err != nil {
		return h.showReview(c, p.visitor, p.in, h.ProblemOf(c, err))
	}
	return c.Redirect(http.StatusSeeOther, pages.ContinuePath(standing))
}

// showReview shows the current review. ticked is what was posted with it; nil at first.
func (h handlers) showReview(c *echo.Context, v admission.Visitor, ticked map[string]string, refused *admission.Problem) error {
	review, err := h.Apply.Review(c.Request().Context(), v)
	if err != nil {
		return err
	}
	form := h.Forms.Get(apply.FormName)
	faults := pages.FaultsOf(form, refused)
	view := reviewView{
		frame: h.stepFrame(enrol.PlaceReview, "Review", "Check every answer. You cannot change them after SUBMIT.",
			h.saved(apply.StepContent{SavedAt: review.Registration.ModifiedAt})),
		Name: review.Account.FullName, Fee: review.Event.Fee.String(),
		FeeNote: h.Content.Current().Application().FeeNote,
		Hidden:  []pages.HiddenField{{Name: seenField, Value: review.Fingerprint}, {Name: pages.RegistrationField, Value: review.Registration.ID}},
		Form:    components.FormProps{Form: form, Step: termsStep, Env: review.Env, Values: maps.Clone(review.Answers)},
	}
	view.Eyebrow = "Scholarship Details"
	for _, field := range form.OfStep(termsStep) {
		delete(view.Form.Values, field.Name)
	}
	if ticked == nil {
		view.Form.Values["consents"] = review.Consents
	} else {
		maps.Copy(view.Form.Values, ticked)
		view.Here = web.ReviewPath
		view.Page.Scripts = []string{"answered.js"}
	}
	for _, s := range steps {
		part := h.section(s, review, faults)
		view.Sections = append(view.Sections, part)
	}
	view.Form.Faults, view.Messages = termsFaults(form, faults)
	view.Form.Open = form.OpenGroups(view.Form.Values, view.Form.Faults)
	view.Form.Special = map[string]components.Special{"agreed_terms_conditions": {Change: func(f *components.FieldProps) { f.Links = pages.LegalLinks(h.Content.Current().Site()) }}}
	if len(view.Form.Faults) > 0 {
		view.Form.Focus = view.Form.Faults[0].Field
	}
	view.frame.refused(faults, review.Answers)
	return h.Show(c, pages.StatusOf(c, refused), reviewPage(view))
}

// section returns a step's part of the review.
func (h handlers) section(s step, review apply.Review, faults []forms.Fault) section {
	form := h.Forms.Get(apply.FormName)
	part := section{Title: sectionTitles[s.place], Change: s.addressFrom(fromReview), Own: s.place == personal.place, Unsaved: slices.Contains(review.Unsaved, s.name())}
	if part.Own {
		part.Facts = []fact{{Label: "Email Address", Text: review.Account.Email, Class: halfWide}, {Label: "Mobile Number", Text: pages.Mobile(review.Registration.Phone), Class: halfWide}}
	}
	clean, _ := form.CheckStep(s.name(), review.Answers, review.Env)
	var last []fact // optional answers
	for _, field := range form.OfStep(s.name()) {
		value, asked := clean[field.Name]
		if !asked || field.Kind == "otp" {
			continue
		}
		if one := factOf(form, field, value); field.Optional {
			last = append(last, one)
		} else {
			part.Facts = append(part.Facts, one)
		}
		for _, fault := range faults {
			if fault.Field == field.Name {
				part.Wrong = append(part.Wrong, fault.Message)
			}
		}
	}
	part.Facts = append(part.Facts, last...)
	pairShort(part.Facts)
	return part
}

// pairShort pairs short answers in rows: one with a short label and the next, or one with a single one before it.
func pairShort(facts []fact) {
	before := 0 // row-sharing answers directly before this one
	for i := range facts {
		f := &facts[i]
		next := i+1 < len(facts) && facts[i+1].Class == half
		if f.Class == "" && !f.Long && (before%2 == 1 || next && len(f.Label) <= shortName) {
			f.Class = half
		}
		if before++; f.Class != half {
			before = 0
		}
	}
}

// shortName is the longest label, in letters, that fits into half a row on a phone.
const shortName = 12

// Classes of answers that share a row.
const (
	half     = "half"
	halfWide = "half-wide"
)

func factOf(form *forms.Form, field *forms.Field, value string) fact {
	f := fact{Label: field.ShortLabel(), Text: enrol.DisplayValue(form, field, value), Sum: field.Kind == "amount" && value != "", Long: field.Kind == "textarea"}
	if field.Half || field.Kind == "yesno" || field.Kind == "amount" {
		f.Class = half
	}
	return f
}

// termsFaults returns the faults of the review's fields, and the messages without a field. Faults of earlier steps are in their
// sections.
func termsFaults(form *forms.Form, faults []forms.Fault) (asked []forms.Fault, messages []string) {
	for _, fault := range faults {
		switch {
		case fault.Field == "":
			messages = append(messages, fault.Message)
		case slices.ContainsFunc(form.OfStep(termsStep), func(field *forms.Field) bool { return field.Name == fault.Field }):
			asked = append(asked, fault)
		}
	}
	return asked, messages
}

// lines splits an answer.
func lines(text string) []string { return strings.Split(text, "\n") }

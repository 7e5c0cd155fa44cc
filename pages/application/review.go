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

// termsStep is the step of the form that the review asks.
const termsStep = "terms"

// reviewView is all that somebody agrees to.
type reviewView struct {
	frame
	Sections []section
	Name     string
	FeeNote  string
	Fee      string
	Form     components.FormProps
	Hidden   []pages.HiddenField
	Said     []string // of no field on this page
	Here     string   // where it can be had again, of one that was refused; "" else
}

// section is a step of the form, as it was answered.
type section struct {
	Title, Change string
	Own           bool // the first: whose answers they are
	Facts         []fact
	Unsaved       bool     // something else was typed there since
	Wrong         []string // what today's rules say of it
}

// fact is one answer.
type fact struct {
	Label, Said string
	Class       string // half where it shares its row, half-wide where it does only where there is room
	Sum         bool   // an amount of rupees
	Long        bool   // it may have many lines
}

var sectionTitles = map[enrol.Place]string{
	enrol.PlacePersonal: "Personal Information", enrol.PlaceAcademic: "Academic Information", enrol.PlaceScholarship: "Scholarship Details",
}

// review shows all answers once more, with the terms.
func (h handlers) review(c *echo.Context) error {
	v, _, err := h.enter(c, enrol.PlaceReview)
	if err != nil {
		return err
	}
	return h.showReview(c, v, nil, nil)
}

// agree agrees to the terms, or leads back.
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

// showReview writes the review as it is now. ticked is what was sent with it; nil: nothing yet.
func (h handlers) showReview(c *echo.Context, v admission.Visitor, ticked map[string]string, refused *admission.Problem) error {
	review, err := h.Apply.Review(c.Request().Context(), v)
	if err != nil {
		return err
	}
	form := h.Forms.Get(apply.FormName)
	faults := pages.FaultsOf(form, refused)
	view := reviewView{
		frame: h.frame(enrol.PlaceReview, "Scholarship Details", "Read them once as if they were somebody else’s. After SUBMIT they cannot be changed.",
			h.saved(apply.StepContent{SavedAt: review.Registration.ModifiedAt})),
		Name: review.Account.FullName, Fee: review.Event.Fee.String(),
		FeeNote: h.Content.Current().Application().FeeNote,
		Hidden:  []pages.HiddenField{{Name: seenField, Value: review.Fingerprint}, {Name: pages.RegistrationField, Value: review.Registration.ID}},
		Form:    components.FormProps{Form: form, Step: termsStep, Env: review.Env, Values: maps.Clone(review.Answers)},
	}
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
	view.Form.Faults, view.Said = ofTerms(form, faults)
	view.Form.Open = form.OpenGroups(view.Form.Values, view.Form.Faults)
	view.Form.Special = map[string]components.Special{"agreed_terms_conditions": {Change: func(f *components.FieldProps) { f.Links = h.legal() }}}
	if len(view.Form.Faults) > 0 {
		view.Form.Focus = view.Form.Faults[0].Field
	}
	view.frame.refused(len(faults) - len(view.Said))
	view.Page.Refused = len(faults) > 0
	return h.Show(c, statusOf(c, refused), reviewPage(view))
}

// legal are the documents that the terms' label names.
func (h handlers) legal() (links []components.Link) {
	for _, link := range h.Content.Current().Site().Footer.Legal {
		links = append(links, components.Link{Text: link.Label, Href: link.Href})
	}
	return links
}

// section is a step's part of the review.
func (h handlers) section(s step, review apply.Review, faults []forms.Fault) section {
	form := h.Forms.Get(apply.FormName)
	part := section{Title: sectionTitles[s.place], Change: doorTo(s), Own: s.place == personal.place, Unsaved: slices.Contains(review.Unsaved, s.name())}
	if part.Own {
		part.Facts = []fact{{Label: "Email Address", Said: review.Account.Email, Class: halfWide}, {Label: "Mobile Number", Said: pages.Mobile(review.Registration.Phone), Class: halfWide}}
	}
	clean, _ := form.CheckStep(s.name(), review.Answers, review.Env)
	var last []fact // what nobody has to answer
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
	pair(part.Facts)
	return part
}

// pair lets a short answer share a row with those beside it that do: one of a short name with what follows, any with one left over before it.
func pair(facts []fact) {
	before := 0 // how many share rows right before this one
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

// shortName is how long a name is that has room for one line in half a row of a phone, in letters.
const shortName = 12

// The classes of answers that share a row.
const (
	half     = "half"
	halfWide = "half-wide"
)

func factOf(form *forms.Form, field *forms.Field, value string) fact {
	f := fact{Label: field.ShortLabel(), Said: enrol.DisplayValue(form, field, value), Sum: field.Kind == "amount" && value != "", Long: field.Kind == "textarea"}
	if field.Half || field.Kind == "yesno" || field.Kind == "amount" {
		f.Class = half
	}
	return f
}

// ofTerms are the faults of what the review asks, and what is said of no field at all. What today's rules say of an earlier
// step stands in its section.
func ofTerms(form *forms.Form, faults []forms.Fault) (asked []forms.Fault, said []string) {
	for _, fault := range faults {
		switch {
		case fault.Field == "":
			said = append(said, fault.Message)
		case slices.ContainsFunc(form.OfStep(termsStep), func(field *forms.Field) bool { return field.Name == fault.Field }):
			asked = append(asked, fault)
		}
	}
	return asked, said
}

// lines are the lines of an answer.
func lines(text string) []string { return strings.Split(text, "\n") }

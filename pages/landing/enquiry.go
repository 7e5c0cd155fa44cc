package landing

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission/contact"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

var enquiryForm = forms.Get("enquiry")

// enquiryView is the enquiry form in one state.
type enquiryView struct {
	From      string            // path of the page that it stands on, to lead back there
	Values    map[string]string // as typed
	Faults    []forms.Fault     // in the form's order; a fault without a field speaks of the whole
	Reference string            // of the enquiry that was just sent; empty: none
	Consents  []content.Consent
	Section   content.Section
	Site      content.Site
}

// toEnquiry serves who reloads or shares the address of the form's answer.
func (l *Landing) toEnquiry(c *echo.Context) error {
	return c.Redirect(http.StatusFound, web.ScholarshipPath(l.DefaultEvent)+"#contact")
}

// enquire takes an enquiry. A script gets the form as a fragment, in its new state; a plain post gets a page.
func (l *Landing) enquire(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	view := l.enquiryView(typed)
	var sent contact.Enquiry
	visitor, err := l.Visitor(c, typed)
	if err == nil {
		sent, err = l.Contact.SendEnquiry(c.Request().Context(), visitor, view.Values)
	}
	problem := l.ProblemOf(c, err)
	switch {
	case problem == nil:
		view.Reference, view.Values = sent.Reference, nil
		return l.showEnquiry(c, http.StatusOK, view)
	case pages.NeedsHuman(err) && !isFragment(c):
		return l.CheckPage(c, web.EnquiryPath, typed, err)
	}
	web.Refusal{RetryAfter: problem.RetryAfter}.SetHeaders(c.Response().Header())
	view.Faults = problem.Faults
	if len(view.Faults) == 0 || pages.NeedsHuman(err) {
		view.Faults = []forms.Fault{{Message: problem.Message}}
	}
	return l.showEnquiry(c, web.StatusOf(problem), view)
}

func isFragment(c *echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }

func (l *Landing) enquiryView(typed url.Values) enquiryView {
	words, slug := l.Content.Current(), l.DefaultEvent
	from := typed.Get("from")
	if asked := from[strings.LastIndex(from, "/")+1:]; words.HasEvent(asked) {
		slug = asked
	}
	page, _ := words.Landing(slug, l.Clock())
	return enquiryView{
		From: web.ScholarshipPath(slug), Values: forms.Values(typed), Consents: page.Words.Consents, Section: page.Words.Sections.Contact, Site: page.Site,
	}
}

func (l *Landing) showEnquiry(c *echo.Context, status int, view enquiryView) error {
	if isFragment(c) {
		return l.Show(c, status, enquiryTicket(view))
	}
	page := components.Page{
		Title: view.Section.Title, NoIndex: true, Refused: len(view.Faults) > 0, Main: "wrap",
	}
	return l.Show(c, status, enquiryPage(l, page, view))
}

const enquiryScope = "enquiry-"

// field is a field of the form in its present state.
func (v enquiryView) field(name string) components.FieldProps {
	f := enquiryForm.Field(name)
	p := components.FieldProps{
		Name: name, Scope: enquiryScope, Kind: f.Kind, Label: f.Label, Hint: f.Hint, Autocomplete: f.Autocomplete,
		InputMode: f.Inputmode, MaxLength: f.MaxLength, Value: f.Value, Optional: f.Optional && f.Kind != "hidden" && f.Kind != "checkboxes",
	}
	if value, typed := v.Values[name]; typed {
		p.Value = value
	}
	if i := slices.IndexFunc(v.Faults, func(fault forms.Fault) bool { return fault.Field == name }); i >= 0 {
		p.Error = v.Faults[i].Message
	}
	switch name {
	case "countryCode":
		p.Options = countryOptions
	case "phone":
		p.Kind = "text" // HTML allows tel-national on a text field only; inputmode brings the digits
	case "consents":
		p.Values = strings.Split(p.Value, ",")
		for _, option := range f.Options {
			p.Options = append(p.Options, components.Option(option))
		}
	}
	return p
}

func (v enquiryView) summary() components.ErrorSummaryProps {
	p := components.ErrorSummaryProps{Title: "There is a problem", Scope: enquiryScope}
	for _, fault := range v.Faults {
		p.Errors = append(p.Errors, components.FieldError(fault))
	}
	return p
}

// countryOptions name the dial code too: "India (+91)".
var countryOptions = func() (options []components.Option) {
	for _, country := range forms.Countries() {
		options = append(options, components.Option{Value: country.Code, Label: country.Name + " (+" + country.Dial + ")"})
	}
	return options
}()

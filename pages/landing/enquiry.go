package landing

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission/contact"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// enquiryView is the enquiry form in one state.
type enquiryView struct {
	Form      *forms.Form
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
		Form: l.Forms.Get("enquiry"), From: web.ScholarshipPath(slug), Values: forms.Values(typed), Consents: page.Words.Consents, Section: page.Words.Sections.Contact, Site: page.Site,
	}
}

func (l *Landing) showEnquiry(c *echo.Context, status int, view enquiryView) error {
	if isFragment(c) {
		return l.Show(c, status, enquiryTicket(view, view.form()))
	}
	page := components.Page{
		Title: view.Section.Title, NoIndex: true, Refused: len(view.Faults) > 0, Main: "wrap",
	}
	return l.Show(c, status, enquiryPage(l, page, view))
}

const enquiryScope = "enquiry-"

// form is the form in its present state.
func (v enquiryView) form() components.FormProps {
	return components.FormProps{
		Form: v.Form, Scope: enquiryScope, Values: v.Values, Faults: v.Faults, Open: v.Form.Open(v.Values, v.Faults),
		Special: map[string]components.Special{"choices": {Below: consents(v.Consents)}},
	}
}

package landing

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
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
	FirstName string            // of who sent it
	Email     string            // where the answer goes
	Alone     bool              // it is the page: its title is the page's
	Consents  []content.Consent
	Section   content.Section
	Site      content.Site
	Partner   components.Partner
	Source    string // where the visit came from, as far as is known (admission.Source)
}

// fromQuery names the page that an enquiry came from.
const fromQuery = "from"

// toEnquiry leads to the form: who wants to ask something else, reloads, or shares the address of the form's answer.
func (l *Landing) toEnquiry(c *echo.Context) error {
	return c.Redirect(http.StatusFound, l.askedFrom(l.Content.Current(), c.QueryParam(fromQuery))+"#enquiry")
}

// askedFrom is the event's page, or its page of questions, that a path names; the default event's for any other.
func (l *Landing) askedFrom(words *content.Library, from string) string {
	page, ofQuestions := strings.CutSuffix(from, "/questions")
	slug := page[strings.LastIndex(page, "/")+1:]
	switch {
	case !words.HasEvent(slug):
		return web.ScholarshipPath(l.DefaultEvent)
	case ofQuestions:
		return web.QuestionsPath(slug)
	}
	return web.ScholarshipPath(slug)
}

// enquiryOn is the empty form on a page of an event.
func (l *Landing) enquiryOn(page *content.Landing, path string) enquiryView {
	return enquiryView{
		Form: l.Forms.Get("enquiry"), From: path, Consents: page.Words.Consents, Section: page.Words.Sections.Contact, Site: page.Site, Partner: partnerOf(page),
	}
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
		view.Reference, view.Email, view.Values = sent.Reference, view.Values["email"], nil
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
	words := l.Content.Current()
	from := l.askedFrom(words, typed.Get("from"))
	slug, _ := strings.CutSuffix(strings.TrimPrefix(from, web.EventPath+"/"), "/questions")
	page, _ := words.Landing(slug, l.Clock())
	view := l.enquiryOn(page, from)
	view.Values, view.Source = forms.Values(typed), admission.Source(typed.Get(sourceField))
	view.FirstName = content.FirstName(view.Values["fullname"])
	return view
}

func (l *Landing) showEnquiry(c *echo.Context, status int, view enquiryView) error {
	if isFragment(c) {
		return l.Show(c, status, enquiryPlace(view))
	}
	view.Alone = true
	page := components.Page{
		Title: view.title(), NoIndex: true, Refused: len(view.Faults) > 0, Main: "wrap",
	}
	return l.Show(c, status, enquiryPage(l.FrameOf(view.Site), page, view))
}

func (v enquiryView) title() string {
	if v.Reference != "" {
		return "We have your question"
	}
	return v.Section.Title
}

// again leads to an empty form.
func (v enquiryView) again() string {
	return web.WithQuery(web.EnquiryPath, url.Values{fromQuery: {v.From}})
}

const enquiryScope = "enquiry-"

// form is the form in its present state.
func (v enquiryView) form() components.FormProps {
	return components.FormProps{
		Form: v.Form, Scope: enquiryScope, Values: v.Values, Faults: v.Faults, Open: v.Form.OpenGroups(v.Values, v.Faults),
		Special: map[string]components.Special{"choices": {Below: consents(v.Consents)}},
	}
}

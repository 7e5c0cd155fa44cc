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

// enquiryView is the enquiry form with its state.
type enquiryView struct {
	Form      *forms.Form
	From      string            // path of its page, to return to
	Values    map[string]string // as typed
	Faults    []forms.Fault     // in the form's order; one without a field concerns the whole form
	Reference string            // of the enquiry just sent; "" for none
	FirstName string            // of the sender
	Email     string            // of the sender
	Alone     bool              // it is a page of its own
	Consents  []content.Consent
	Section   content.Section
	Site      content.Site
	Partner   components.Partner
	Source    string // of the visit, if known (admission.Source)
}

// fromQuery names the page of an enquiry.
const fromQuery = "from"

// redirectToEnquiry redirects to the form, for a reload or a shared address of its answer.
func (l *Landing) redirectToEnquiry(c *echo.Context) error {
	return c.Redirect(http.StatusFound, l.originPage(l.Content.Current(), c.QueryParam(fromQuery))+"#enquiry")
}

// originPage returns the page of a path: an event's, or its questions; otherwise the default event's.
func (l *Landing) originPage(words *content.Library, from string) string {
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

// enquiryOn returns the empty form of an event's page.
func (l *Landing) enquiryOn(page *content.Landing, path string) enquiryView {
	return enquiryView{
		Form: l.Forms.Get("enquiry"), From: path, Consents: page.Words.Consents, Section: page.Words.Sections.Contact, Site: page.Site, Partner: partnerOf(page),
	}
}

// enquire saves an enquiry. A script gets the form as a fragment, a plain post a page.
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
	case (pages.NeedsHuman(err) || pages.AsksForCheck(err, typed)) && !isFragment(c):
		return l.CheckPage(c, web.EnquiryPath, typed, err)
	}
	view.Faults = problem.Faults
	if len(view.Faults) == 0 || pages.NeedsHuman(err) {
		view.Faults = []forms.Fault{{Message: problem.Message}}
	}
	return l.showEnquiry(c, pages.StatusOf(c, problem), view)
}

func isFragment(c *echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }

func (l *Landing) enquiryView(typed url.Values) enquiryView {
	words := l.Content.Current()
	from := l.originPage(words, typed.Get("from"))
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

// again returns the address of an empty form.
func (v enquiryView) again() string {
	return web.WithQuery(web.EnquiryPath, url.Values{fromQuery: {v.From}})
}

const enquiryScope = "enquiry-"

// form returns the props of the form.
func (v enquiryView) form() components.FormProps {
	return components.FormProps{
		Form: v.Form, Scope: enquiryScope, Values: v.Values, Faults: v.Faults, Open: v.Form.OpenGroups(v.Values, v.Faults),
		Special: map[string]components.Special{"choices": {Below: consents(v.Consents)}},
	}
}

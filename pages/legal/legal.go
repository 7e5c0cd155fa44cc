// Package legal is the pages that the law asks for: privacy notice, terms, refund policy, legal disclosure, and the
// grievance contact with its form.
package legal

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/contact"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

type legal struct{ *pages.Kit }

// Routes mounts the legal pages, and what the form of complaints posts to.
func Routes(r *web.Routes, kit *pages.Kit) {
	l := &legal{kit}
	r.Get(web.LegalPath(":slug"), web.Public, l.show)
	r.Post(web.GrievancePath, web.Public, l.complain)
}

// view is a page, and on the grievance page its form.
type view struct {
	content.Page
	Site   content.Site
	Form   bool
	Values map[string]string // as typed
	Faults []forms.Fault
	Sent   *contact.Grievance // the complaint that was just kept
}

func viewOf(words *content.Library, page content.Page) view {
	return view{Page: page, Site: words.Site(), Form: page.Slug == web.GrievanceSlug}
}

func (l *legal) show(c *echo.Context) error {
	words, slug := l.Content.Current(), c.Param("slug")
	if !words.HasPage(slug) {
		return l.Unknown(c)
	}
	return l.ShowCached(c, words, web.LegalPath(slug), l.Day(), func() templ.Component {
		page, _ := words.Page(slug)
		return legalPage(l, viewOf(words, page))
	})
}

func (l *legal) complain(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	words := l.Content.Current()
	page, known := words.Page(web.GrievanceSlug)
	if !known {
		return echo.ErrNotFound
	}
	v := viewOf(words, page)
	v.Values = forms.Values(typed)
	var sent contact.Grievance
	visitor, err := l.Visitor(c, typed)
	if err == nil {
		sent, err = l.Contact.SendGrievance(c.Request().Context(), visitor, v.Values)
	}
	problem := l.ProblemOf(c, err)
	switch {
	case problem == nil:
		v.Sent, v.Values = &sent, nil
		return l.Show(c, http.StatusOK, legalPage(l, v))
	case pages.NeedsHuman(err):
		return l.CheckPage(c, web.GrievancePath, typed, err)
	}
	if v.Faults = problem.Faults; len(v.Faults) == 0 {
		v.Faults = []forms.Fault{{Message: problem.Message}}
	}
	return l.Show(c, web.StatusOf(problem), legalPage(l, v))
}

func (l *legal) frame(v view) components.Page {
	return components.Page{
		Title: v.Title, Description: v.Intro[0], Canonical: l.Absolute(web.LegalPath(v.Slug)), Main: "wrap",
		Refused: len(v.Faults) > 0, NoIndex: v.Sent != nil || len(v.Faults) > 0,
	}
}

var grievanceForm = forms.Get("grievance")

// field is a field of the form in its present state.
func (v view) field(name string) components.FieldProps {
	f := grievanceForm.Field(name)
	p := components.FieldProps{
		Name: name, Kind: f.Kind, Label: f.Label, Hint: f.Hint, Autocomplete: f.Autocomplete, InputMode: f.Inputmode,
		MaxLength: f.MaxLength, Value: v.Values[name], Optional: f.Optional,
	}
	if i := slices.IndexFunc(v.Faults, func(fault forms.Fault) bool { return fault.Field == name }); i >= 0 {
		p.Error = v.Faults[i].Message
	}
	if f.Kind == "select" {
		p.Empty = "Choose one"
		for _, option := range f.Options {
			p.Options = append(p.Options, components.Option(option))
		}
	}
	return p
}

func (v view) summary() components.ErrorSummaryProps {
	p := components.ErrorSummaryProps{Title: "There is a problem"}
	for _, fault := range v.Faults {
		p.Errors = append(p.Errors, components.FieldError(fault))
	}
	return p
}

// redressBy is the day by which a complaint is decided, in Asia/Kolkata.
func redressBy(g *contact.Grievance) string {
	return admission.Date(g.RedressBy)
}

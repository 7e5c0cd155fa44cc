// Package legal serves the legal pages: privacy notice, terms, refund policy, legal disclosure, and the grievance contact
// with its form.
package legal

import (
	"net/http"
	"regexp"

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

// Routes mounts the legal pages and the grievance form.
func Routes(r *web.Routes, kit *pages.Kit) {
	l := &legal{kit}
	r.Get(web.LegalPath(":slug"), web.Public, l.show)
	r.Post(web.GrievancePath, web.Public, l.complain)
}

// view is a legal page, with the form on the grievance page.
type view struct {
	content.Page
	Site      content.Site
	Grievance *forms.Form       // nil on other pages
	Values    map[string]string // as typed
	Faults    []forms.Fault
	Sent      *contact.Grievance // the complaint just saved
}

func (l *legal) viewOf(words *content.Library, page content.Page) view {
	v := view{Page: page, Site: words.Site()}
	if page.Slug == web.GrievanceSlug {
		v.Grievance = l.Forms.Get("grievance")
	}
	return v
}

func (l *legal) show(c *echo.Context) error {
	words, slug := l.Content.Current(), c.Param("slug")
	if !words.HasPage(slug) {
		return l.Unknown(c)
	}
	return l.ShowCached(c, words, web.LegalPath(slug), "", func() templ.Component {
		page, _ := words.Page(slug)
		return l.page(l.viewOf(words, page))
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
	v := l.viewOf(words, page)
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
		return l.Show(c, http.StatusOK, l.page(v))
	case pages.NeedsHuman(err), pages.AsksForCheck(err, typed):
		return l.CheckPage(c, web.GrievancePath, typed, err)
	}
	if v.Faults = problem.Faults; len(v.Faults) == 0 {
		v.Faults = []forms.Fault{{Message: problem.Message}}
	}
	return l.Show(c, web.StatusOf(problem), l.page(v))
}

func (l *legal) page(v view) templ.Component {
	preview := pages.PreviewOfLegal(v.Site, v.Page)
	return legalPage(l.FrameOf(v.Site), components.Page{
		Title: v.Title, Description: v.Intro[0], Canonical: l.Absolute(web.LegalPath(v.Slug)), Main: "wrap", Image: l.Absolute(preview.Path()), ImageAlt: preview.Alt(),
		Refused: len(v.Faults) > 0, NoIndex: v.Sent != nil || len(v.Faults) > 0,
	}, v)
}

// form returns the props of the form.
func (v view) form() components.FormProps {
	return components.FormProps{Form: v.Grievance, Values: v.Values, Faults: v.Faults, Open: v.Grievance.OpenGroups(v.Values, v.Faults)}
}

// named matches a name and its text.
var named = regexp.MustCompile(`^([A-Z][a-z-]+): (.+)$`)

// factsOf returns a list whose items all begin with a name; nil for other lists.
func factsOf(list []string) (facts []components.Fact) {
	for _, item := range list {
		parts := named.FindStringSubmatch(item)
		if parts == nil {
			return nil
		}
		facts = append(facts, components.Fact{Name: parts[1], Value: parts[2]})
	}
	return facts
}

// redressBy returns the deadline of a complaint, in India.
func redressBy(g *contact.Grievance) string {
	return admission.Date(g.RedressBy)
}

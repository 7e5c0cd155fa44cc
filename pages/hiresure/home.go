// Package hiresure is the programme's home, where every page address that nobody knows leads.
package hiresure

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

type home struct{ *pages.Kit }

// Routes mounts the home, and what answers where no route does. Mount it last.
func Routes(r *web.Routes, kit *pages.Kit) {
	h := &home{kit}
	r.Get(web.HomePath, web.Public, h.show)
	r.Unknown(web.Public, kit.Unknown)
}

// tokenNames are query parameters that another site may put into the address of the home (spec §2). No issuer is
// configured yet, so they are never believed, only cleaned away: an address with a token in it must not be kept, shared or sent on.
var tokenNames = []string{"access_token", "refresh_token"}

func (h *home) show(c *echo.Context) error {
	here := *c.Request().URL
	query := here.Query()
	for _, name := range tokenNames {
		query.Del(name)
	}
	if len(query) != len(here.Query()) {
		here.RawQuery = query.Encode()
		c.Response().Header().Set("Referrer-Policy", "no-referrer")
		c.Response().Header().Set("Cache-Control", "no-store")
		return c.Redirect(http.StatusSeeOther, here.RequestURI())
	}
	words := h.Content.Current()
	state, _ := words.Enrolment(h.DefaultEvent, h.Clock())
	return h.ShowCached(c, words, web.HomePath, string(state), func() templ.Component {
		return homePage(h, h.view(words))
	})
}

// view is the home: one card for each event that the public may see.
type view struct {
	Page   components.Page
	Site   content.Site
	Words  content.Section
	Apply  string
	Events []eventCard
}

type eventCard struct {
	Title, Subtitle, Address, Fields string
	Dates                            []components.DateProps
	Notice                           string // why one cannot enrol; empty while one can
}

func (h *home) view(words *content.Library) view {
	site := words.Site()
	preview := pages.PreviewOfHome(site)
	v := view{
		Site:  site,
		Words: site.Home,
		Apply: web.ApplyPath(h.DefaultEvent),
		Page: components.Page{
			Title: site.Home.Eyebrow, Description: site.Home.Text, Canonical: h.Absolute(web.HomePath), Main: "landing", Image: h.Absolute(preview.Path()), ImageAlt: preview.Alt(),
		},
	}
	for _, event := range words.Events() {
		page, _ := words.Landing(event.Slug, h.Clock())
		if event.State == content.Draft {
			continue
		}
		var fields []string
		for _, programme := range page.Programmes {
			fields = append(fields, programme.Name)
		}
		card := eventCard{
			Title: event.Title, Subtitle: event.Subtitle, Address: web.ScholarshipPath(event.Slug), Fields: strings.Join(fields, " · "), Notice: page.Notice.Title,
			Dates: []components.DateProps{
				{Day: event.Exam.Format("2"), Month: event.Exam.Format("January"), What: "Exam"},
				{Day: event.ClassesBegin.Format("2"), Month: event.ClassesBegin.Format("January"), What: "Classes begin"},
				{Day: admission.Money{Minor: event.FeeMinor, Currency: event.Currency}.Short(), Month: "with all taxes", What: "Exam fee"},
			},
		}
		if event.Slug == h.DefaultEvent {
			v.Events = append([]eventCard{card}, v.Events...)
			continue
		}
		v.Events = append(v.Events, card)
	}
	return v
}

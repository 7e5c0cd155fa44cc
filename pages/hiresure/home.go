// Package hiresure serves the programme's home page and what a signed-in person has begun: home, list and details of
// registrations.
package hiresure

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

type home struct{ *pages.Kit }

// Routes mounts the home page, and the handler of unknown paths. Mount it last.
func Routes(r *web.Routes, kit *pages.Kit) {
	h := &home{kit}
	mine := web.Private.For(web.SignedIn)
	r.Get(web.HomePath, web.Public.ForViews(), h.show)
	r.Get(web.HandOverPath, web.Private, h.askHandOver)
	r.Post(web.HandOverPath, web.Private, h.handOver)
	r.Get(web.RegistrationsPath, mine.ForViews(), h.list)
	r.Get(web.RegistrationPath(":id"), mine.ForViews(), h.detail)
	r.Get(web.UploadPath, mine.ForViews(), h.upload)
	r.Post(web.UploadPath, mine.Takes(maxUploadBytes).Within(uploadTimeout, uploadTimeout+time.Minute), h.sendDocuments)
	h.uploadRoutes(r)
	r.Get(web.DocumentPath(":id"), mine.Within(0, uploadTimeout).ByToken(), h.openDocument)
	r.Unknown(web.Public, kit.Unknown)
}

func (h *home) show(c *echo.Context) error {
	here := *c.Request().URL
	query := here.Query()
	for _, name := range tokenNames {
		query.Del(name)
	}
	if len(query) != len(here.Query()) {
		c.Response().Header().Set("Referrer-Policy", "no-referrer")
		c.Response().Header().Set("Cache-Control", "no-store")
		if stored, err := h.storeToken(c); err != nil {
			return err
		} else if stored {
			return c.Redirect(http.StatusSeeOther, web.HandOverPath)
		}
		here.RawQuery = query.Encode()
		return c.Redirect(http.StatusSeeOther, here.RequestURI())
	}
	if own, err := h.personalHome(c); err != nil {
		return err
	} else if own != nil {
		return h.Show(c, http.StatusOK, own)
	}
	words := h.Content.Current()
	state, _ := words.Enrolment(h.DefaultEvent, h.Clock())
	return h.ShowCached(c, words, web.HomePath, string(state), func() templ.Component {
		return homePage(h.FrameOf(words.Site()), h.view(words))
	})
}

// view is the public home page, with a card for each public event.
type view struct {
	Page   components.Page
	Site   content.Site
	Words  content.Section
	By     string // operator and promise
	Apply  string
	Events []eventCard
	Door   *pages.Door // of the application; nil while it is closed
}

type eventCard struct {
	Title, Subtitle, Address string
	Fields                   []string
	Tuition                  string                 // by rank
	Apply                    string                 // "" while enrolment is closed
	Exam                     components.DateProps   // day, month and weekday
	Facts                    []components.DateProps // fee, and begin of classes
	Notice                   string                 // why enrolment is closed; "" while it is open
}

func (h *home) view(words *content.Library) view {
	site := words.Site()
	preview := pages.PreviewOfHome(site)
	v := view{
		Site:  site,
		Words: site.Home,
		By:    "Run by " + site.Academy + ". The top ranks of each exam pay no tuition.",
		Apply: web.ApplyPath(h.DefaultEvent),
		Page: components.Page{
			Title: site.Home.Eyebrow, Description: site.Home.Text, Canonical: h.Absolute(web.HomePath), Main: "landing", Image: h.Absolute(preview.Path()), ImageAlt: preview.Alt(),
		},
	}
	if words.Application().Open() {
		v.Door = new(pages.DoorOf(words))
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
			Title: event.Title, Subtitle: event.Subtitle, Address: web.ScholarshipPath(event.Slug), Fields: fields, Notice: page.Notice.Title, Tuition: tuition(page),
			Facts: []components.DateProps{
				{Day: admission.Money{Minor: event.FeeMinor, Currency: event.Currency}.Short(), Month: "all taxes included", What: "Exam fee"},
				{Day: event.ClassesBegin.Format("2"), Month: event.ClassesBegin.Format("January 2006"), What: "Classes begin"},
			},
		}
		card.Exam.Day, card.Exam.Month, card.Exam.What = event.Exam.Parts()
		if card.Notice == "" {
			card.Apply = web.ApplyPath(event.Slug)
		}
		if event.Slug == h.DefaultEvent {
			v.Events = append([]eventCard{card}, v.Events...)
			continue
		}
		v.Events = append(v.Events, card)
	}
	return v
}

// tuition returns the tuition by rank: The top 250 pay no tuition, from rank 251 it is ₹4,50,000. It is "" without published
// ranks.
func tuition(page *content.Landing) string {
	var parts []string
	for i, band := range page.Ranks {
		sum := admission.Money{Minor: band.TuitionMinor, Currency: page.Event.Currency}.Short()
		switch {
		case band.To == 0:
			parts = append(parts, "from rank\u00a0"+strconv.Itoa(band.From)+" tuition is "+sum)
		case i == 0:
			parts = append(parts, "The top "+strconv.Itoa(band.To)+" pay "+free(band.TuitionMinor == 0, sum)+" tuition")
		default:
			parts = append(parts, "the next "+strconv.Itoa(band.To-band.From+1)+" pay "+sum)
		}
	}
	return strings.Join(parts, ", ")
}

func free(is bool, sum string) string {
	if is {
		return "no"
	}
	return sum
}

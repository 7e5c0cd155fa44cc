package landing

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/static"
	"hiresure/web"
)

// robots disallows only what must not be fetched. Other private pages have a noindex header, which a crawler sees only if it
// may fetch them.
func (l *Landing) robots(c *echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /admin\nDisallow: /checkout\nDisallow: /dev\n\nSitemap: "+l.Absolute(web.SitemapPath)+"\n")
}

type sitemap struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Places  []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"`
}

// sitemap lists exactly the pages that search engines may show.
func (l *Landing) sitemap(c *echo.Context) error {
	var all sitemap
	words, now := l.Content.Current(), l.Clock()
	var newest time.Time
	for _, event := range words.Events() {
		if event.State == content.Draft {
			continue
		}
		last := lastChange(event, now)
		changed := admission.ISODate(last)
		if last.After(newest) {
			newest = last
		}
		all.Places = append(all.Places,
			sitemapURL{l.Absolute(web.ScholarshipPath(event.Slug)), changed},
			sitemapURL{l.Absolute(web.ExamPath(event.Slug)), changed},
			sitemapURL{l.Absolute(web.QuestionsPath(event.Slug)), changed},
			sitemapURL{l.Absolute(web.CoursesPath(event.Slug)), changed},
		)
		for _, code := range event.Courses {
			all.Places = append(all.Places, sitemapURL{l.Absolute(web.CoursePath(event.Slug, content.CourseSlug(code))), changed})
		}
	}
	all.Places = append(all.Places, sitemapURL{l.Absolute(web.HomePath), admission.ISODate(newest)})
	for _, page := range words.Pages() {
		all.Places = append(all.Places, sitemapURL{l.Absolute(web.LegalPath(page.Slug)), admission.ISODate(page.Updated.Time)})
	}
	document, err := xml.Marshal(all)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, "application/xml; charset=utf-8", append([]byte(strings.TrimSpace(xml.Header)+"\n"), document...))
}

// lastChange returns when an event's page last changed: its content, or the start or end of its enrolment.
func lastChange(event content.Event, now time.Time) time.Time {
	last := event.Updated.Time
	for _, at := range []time.Time{event.EnrolmentOpens, event.EnrolmentCloses} {
		if at.After(last) && !now.Before(at) {
			last = at
		}
	}
	return last
}

// manifest sends the web app manifest.
func (l *Landing) manifest(c *echo.Context) error {
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	site := l.Content.Current().Site()
	document, err := json.Marshal(struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		ShortName   string `json:"short_name"`
		Description string `json:"description"`
		Lang        string `json:"lang"`
		StartURL    string `json:"start_url"`
		Scope       string `json:"scope"`
		Display     string `json:"display"`
		Theme       string `json:"theme_color"`
		Background  string `json:"background_color"`
		Icons       []icon `json:"icons"`
	}{
		"/", site.Home.Eyebrow, site.Name, site.Home.Text, "en-IN", "/", "/", "minimal-ui", "#15205a", "#faf6ee",
		[]icon{
			{static.Path("images/favicon.svg"), "any", "image/svg+xml", "any"},
			{static.Path("images/icon-192.png"), "192x192", "image/png", "any"},
			{static.Path("images/icon-512.png"), "512x512", "image/png", "any"},
			{static.Path("images/icon-512.png"), "512x512", "image/png", "maskable"},
		},
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, "application/manifest+json", document)
}

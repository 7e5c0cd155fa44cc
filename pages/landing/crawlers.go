package landing

import (
	"encoding/xml"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/web"
)

// robots disallows only what no search engine may fetch. Other private pages say noindex by header, which a crawler can
// read only where it may fetch.
func (l *Landing) robots(c *echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /admin\nDisallow: /checkout\nDisallow: /dev\n\nSitemap: "+l.Absolute(web.SitemapPath)+"\n")
}

type sitemap struct {
	XMLName xml.Name    `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Places  []sitePlace `xml:"url"`
}

type sitePlace struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"`
}

// sitemap names every page that a search engine may show, and only those.
func (l *Landing) sitemap(c *echo.Context) error {
	var all sitemap
	words, now := l.Content.Current(), l.Clock()
	for _, event := range words.Events() {
		if event.State == content.Draft {
			continue
		}
		all.Places = append(all.Places, sitePlace{l.Absolute(web.ScholarshipPath(event.Slug)), admission.ISODate(lastChange(event, now))})
	}
	all.Places = append(all.Places, sitePlace{Address: l.Absolute(web.HomePath)})
	for _, page := range words.Pages() {
		all.Places = append(all.Places, sitePlace{l.Absolute(web.LegalPath(page.Slug)), admission.ISODate(page.Updated.Time)})
	}
	document, err := xml.Marshal(all)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, "application/xml; charset=utf-8", append([]byte(strings.TrimSpace(xml.Header)+"\n"), document...))
}

// lastChange is when an event's page last said something new by itself: when its enrolment opened or closed.
func lastChange(event content.Event, now time.Time) time.Time {
	if now.Before(event.EnrolmentCloses) {
		return event.EnrolmentOpens
	}
	return event.EnrolmentCloses
}

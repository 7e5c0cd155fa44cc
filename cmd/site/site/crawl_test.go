package site_test

import (
	"encoding/xml"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hiresure/cmd/site/sitetest"
)

var (
	linkOf        = regexp.MustCompile(`<a [^>]*href="(/[^"#]*)`)
	titleOf       = regexp.MustCompile(`<title>([^<]*)</title>`)
	descriptionOf = regexp.MustCompile(`<meta name="description" content="([^"]+)">`)
	canonicalOf   = regexp.MustCompile(`<link rel="canonical" href="([^"]+)">`)
	pictureOf     = regexp.MustCompile(`<meta property="og:image" content="[^"]+\.png[^"]*">`)
)

func mayBeIndexed(answer *http.Response, body string) bool {
	return !strings.Contains(body, `name="robots" content="noindex"`) && answer.Header.Get("X-Robots-Tag") == ""
}

// Following links from / finds exactly the pages of the sitemap, each with title, description and canonical address.
func TestPublicPagesAreLinked(t *testing.T) {
	r := openSite(t)
	seen, waiting, pages := map[string]bool{}, []string{"/"}, []string{}
	titles := map[string]string{}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		answer, body := r.Fetch(path)
		if to := answer.Header.Get("Location"); to != "" {
			if next, _ := r.Fetch(to); next.StatusCode != http.StatusOK {
				t.Errorf("%s leads to %s, which answers %d", path, to, next.StatusCode)
			}
			waiting = append(waiting, to)
			continue
		}
		if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s answers %d, %s", path, answer.StatusCode, answer.Header.Get("Content-Type"))
			continue
		}
		for _, link := range linkOf.FindAllStringSubmatch(body, -1) {
			waiting = append(waiting, html.UnescapeString(link[1]))
		}
		canonical := canonicalOf.FindStringSubmatch(body)
		if !mayBeIndexed(answer, body) {
			continue
		}
		title := titleOf.FindStringSubmatch(body)
		switch {
		case title == nil || utf8.RuneCountInString(html.UnescapeString(title[1])) >= 60:
			t.Errorf("%s: title %q: none, or 60 letters and more", path, title)
		case descriptionOf.FindString(body) == "" || canonical == nil || pictureOf.FindString(body) == "":
			t.Errorf("%s lacks a description, its canonical address or a picture", path)
		default:
			if other := titles[title[1]]; other != "" && other != canonical[1] {
				t.Errorf("%s and %s have one title", canonical[1], other)
			}
			titles[title[1]] = canonical[1]
			pages = append(pages, canonical[1])
		}
	}
	var places struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	_, sitemap := r.Fetch("/sitemap.xml")
	if err := xml.Unmarshal([]byte(sitemap), &places); err != nil || len(places.URL) < 12 {
		t.Fatalf("sitemap: %v, %d places", err, len(places.URL))
	}
	listed := map[string]bool{}
	for _, place := range places.URL {
		listed[place.Loc] = true
		if !slices.Contains(pages, place.Loc) {
			t.Errorf("no way leads to %s", place.Loc)
		}
	}
	for _, route := range routes(sitetest.New(t, nil)) {
		path, get := strings.CutPrefix(route, "GET ")
		if !get || seen[path] || strings.ContainsAny(path, ":*") {
			continue
		}
		answer, body := r.Fetch(path)
		isPage := answer.StatusCode == http.StatusOK && strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html")
		canonical := canonicalOf.FindStringSubmatch(body)
		if isPage && mayBeIndexed(answer, body) && (canonical == nil || !slices.Contains(pages, canonical[1])) {
			t.Errorf("%s may be indexed, and no page links to it", path)
		}
	}
	for _, page := range pages {
		if !listed[page] {
			t.Errorf("%s may be indexed, and the sitemap does not tell of it", page)
		}
	}
}

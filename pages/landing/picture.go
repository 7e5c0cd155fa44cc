package landing

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v5"

	"hiresure/admission/receipt"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// preview finds a preview by its file name, so that requests cannot add one.
func (l *Landing) preview(words *content.Library, name string) (pages.Preview, bool) {
	if page, known := words.Landing(name, l.Clock()); known {
		return pages.PreviewOf(page), true
	}
	all := []pages.Preview{pages.PreviewOfHome(words.Site())}
	for _, page := range words.Pages() {
		all = append(all, pages.PreviewOfLegal(words.Site(), page))
	}
	i := slices.IndexFunc(all, func(p pages.Preview) bool { return p.Name == name })
	if i < 0 {
		return pages.Preview{}, false
	}
	return all[i], true
}

// picture sends a page's preview. Addresses of other versions, which remain in messages for years, get the current one.
func (l *Landing) picture(c *echo.Context) error {
	file, isPNG := strings.CutSuffix(c.Param("picture"), ".png")
	name, _, _ := strings.Cut(file, ".")
	p, known := l.preview(l.Content.Current(), name)
	if !isPNG || !known {
		return echo.ErrNotFound
	}
	age := "86400"
	if c.Request().URL.Path == p.Path() {
		age = "31536000, immutable"
	}
	return l.pictures.serve(c, previewPicture(p), age)
}

// logo sends a partner's logo for API clients; pages embed it.
func (l *Landing) logo(c *echo.Context) error {
	svg := l.Content.Current().Logo(c.Param("name"))
	if svg == "" {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(http.StatusOK, "image/svg+xml", []byte(svg))
}

// sharePictureProps is the picture that an enrolled person shares. It has no ticket number, phone, amount or ticket key.
type sharePictureProps struct {
	Headline, Programme string
	Enrolled            string // "Asha is enrolled"
	Course, Where       string
	Day, Month, Weekday string // of the exam
	FullSeats           int    // free seats; may be 0
	Code, Link          string // of the referral
	Host                string // of this site
}

func (l *Landing) sharePictureOf(page *content.Landing, s receipt.Sharer) sharePictureProps {
	p := sharePictureProps{
		Headline: pages.Headline(page), Programme: page.Event.Title, Enrolled: shareHeadline(s.FullName), Course: s.Course, Where: page.Event.Ticket.Where,
		Code: s.Code, Link: l.Absolute(web.SharePath(s.Code)), Host: l.host(),
	}
	p.Day, p.Month, p.Weekday = page.Event.Exam.Parts()
	if i := slices.IndexFunc(page.Event.Seats, func(b content.SeatBand) bool { return b.Percent == 100 }); i >= 0 {
		p.FullSeats = page.Event.Seats[i].Count
	}
	return p
}

// shareHeadline returns the picture's headline. Names beyond Latin-1 are omitted: nobody checks whether a picture shows each letter.
func shareHeadline(fullName string) string {
	name := content.FirstName(fullName)
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxLatin1 && (unicode.IsLetter(r) || unicode.IsMark(r)) }) {
		return "I am enrolled"
	}
	return name + " is enrolled"
}

// exceeds reports whether a text exceeds a line of the picture.
func exceeds(text string, most int) bool { return utf8.RuneCountInString(text) > most }

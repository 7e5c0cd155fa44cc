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

// preview finds one by the name of its file, so that nobody's address adds one.
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

// picture is a page's preview for messengers and social media. Addresses of other versions, and of none, answer what is
// current: they stand in messages for years.
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

// logo is a partner's logo by itself, for those who read of it in the API; pages hold it inline.
func (l *Landing) logo(c *echo.Context) error {
	svg := l.Content.Current().Logo(c.Param("name"))
	if svg == "" {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(http.StatusOK, "image/svg+xml", []byte(svg))
}

// sharePictureProps is what somebody who has enrolled shows to friends: never a number, a phone, an amount, or what opens the
// ticket.
type sharePictureProps struct {
	Headline, Programme string
	Enrolled            string // who is
	Course, Where       string
	Day, Month, Weekday string // of the exam
	FullSeats           int    // that are free of charge; may be 0
	Code, Link          string // of the referral; the link opens it
	Host                string // of this site
}

func (l *Landing) sharePictureOf(page *content.Landing, s receipt.Sharer) sharePictureProps {
	p := sharePictureProps{
		Headline: pages.Headline(page), Programme: page.Event.Title, Enrolled: enrolledSays(s.FullName), Course: s.Course, Where: page.Event.Ticket.Where,
		Code: s.Code, Link: l.Absolute(web.SharePath(s.Code)), Host: l.host(),
	}
	p.Day, p.Month, p.Weekday = page.Event.Exam.Parts()
	if i := slices.IndexFunc(page.Event.Seats, func(b content.SeatBand) bool { return b.Percent == 100 }); i >= 0 {
		p.FullSeats = page.Event.Seats[i].Count
	}
	return p
}

// enrolledSays heads the ticket of a picture. Its type has only the letters of Western Europe: a name with any other is left out.
func enrolledSays(fullName string) string {
	name := content.FirstName(fullName)
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) && r > unicode.MaxLatin1 }) {
		return "I am enrolled"
	}
	return name + " is enrolled"
}

// longer reports whether a text has more letters than fit into a line of a picture at its usual size.
func longer(text string, most int) bool { return utf8.RuneCountInString(text) > most }

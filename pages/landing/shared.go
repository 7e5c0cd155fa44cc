package landing

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/web"
)

// shared answers for a payer's own referral code: with its picture, or with the way to the invitation, which the QR code in
// the picture takes. A code that is nobody's is not told from one of another kind, nor from one whose payer was refunded.
func (l *Landing) shared(c *echo.Context) error {
	words := l.Content.Current()
	code, isPicture := strings.CutSuffix(c.Param("code"), ".png")
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	sharer, err := l.Receipts.Sharer(c.Request().Context(), code)
	if err != nil {
		return notFound(err)
	}
	if !isPicture { // where the event is gone, its address leads on to the current one, and the code counts there
		return c.Redirect(http.StatusFound, web.InvitationPath(sharer.EventSlug, code))
	}
	page, known := words.Landing(sharer.EventSlug, l.Clock())
	if !known {
		return echo.ErrNotFound
	}
	return l.pictures.serve(c, sharePicture(l.sharePictureOf(page, sharer)), "86400")
}

// notFound says of what is unknown what is said of every address that there is not.
func notFound(err error) error {
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return echo.ErrNotFound
	}
	return err
}

// host is this site's as people say it.
func (l *Landing) host() string {
	base, err := url.Parse(l.BaseURL)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(base.Host, "www.")
}

// invite gives the page the picture of the payer whose code a link brings, for previews. While the database does not answer
// the page has its own.
func (l *Landing) invite(c *echo.Context, code string, v *view) error {
	if code == "" {
		return nil
	}
	sharer, err := l.Receipts.Sharer(c.Request().Context(), code)
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return nil
	}
	if err != nil || sharer.EventSlug != v.Event.Slug {
		return available(err)
	}
	v.Page.Image = l.Absolute(web.SharePicturePath(code))
	v.Page.ImageAlt = content.FirstName(sharer.FullName) + " is enrolled: " + v.Event.Title + ", " + sharer.Course + ", scholarship exam on " + v.Event.Exam.Short() + ". Enrol with my code " + code + "."
	return nil
}

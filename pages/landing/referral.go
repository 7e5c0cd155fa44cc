package landing

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/receipt"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// shared serves a payer's referral code: its picture, or a redirect to the invitation from the QR code in the picture.
// Unknown codes, codes of other kinds and codes of refunded payers get the same answer.
func (l *Landing) shared(c *echo.Context) error {
	words := l.Content.Current()
	code, isPicture := strings.CutSuffix(c.Param("code"), ".png")
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	sharer, err := l.sharer(c, code)
	if err != nil {
		return notFound(err)
	}
	if !isPicture { // a removed event's address redirects to the current one, where the code counts
		return c.Redirect(http.StatusFound, web.InvitationPath(sharer.EventSlug, code))
	}
	page, known := words.Landing(sharer.EventSlug, l.Clock())
	if !known {
		return echo.ErrNotFound
	}
	return l.pictures.serve(c, sharePicture(l.sharePictureOf(page, sharer)), "86400")
}

// sharer returns the owner of a referral code. An address that has tried too many wrong ones finds none.
func (l *Landing) sharer(c *echo.Context, code string) (receipt.Sharer, error) {
	v, err := l.Session.Visitor(c)
	if err != nil {
		return receipt.Sharer{}, err
	}
	if l.guesses.exhausted(v.IP) {
		return receipt.Sharer{}, admission.NotFoundProblem("Referral code")
	}
	sharer, err := l.Receipts.Sharer(c.Request().Context(), code)
	if enrol.IsOwnReferral(code) && admission.HasKind(err, admission.NotFound) {
		l.guesses.count(v.IP)
	}
	return sharer, err
}

// notFound turns an unknown code into the general 404.
func notFound(err error) error {
	if admission.HasKind(err, admission.NotFound) {
		return echo.ErrNotFound
	}
	return err
}

// host returns the site's host without www.
func (l *Landing) host() string {
	base, err := url.Parse(l.BaseURL)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(base.Host, "www.")
}

// setPreview sets the page's preview to the picture of the link's payer; while the database is unavailable the page keeps its
// own.
func (l *Landing) setPreview(c *echo.Context, code string, v *view) error {
	if code == "" {
		return nil
	}
	sharer, err := l.sharer(c, code)
	if admission.HasKind(err, admission.NotFound) {
		return nil
	}
	if err != nil || sharer.EventSlug != v.Event.Slug {
		return pages.IgnoreUnavailable(err)
	}
	v.Page.Image = l.Absolute(web.SharePicturePath(code))
	v.Page.ImageAlt = content.FirstName(sharer.FullName) + " is enrolled: " + v.Event.Title + ", " + sharer.Course + ", scholarship exam on " + v.Event.Exam.Short() + ". Enrol with my code " + code + "."
	return nil
}

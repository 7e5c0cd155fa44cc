package landing

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

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
	kept := l.shares.Of(l.Content, words, func(*content.Library) *shares { return &shares{} })
	body, err := kept.of(page, share{Sharer: sharer, Link: l.Absolute(web.SharePath(code)), Host: l.host()})
	if err != nil {
		return err
	}
	servePicture(c, body, "86400")
	return nil
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

// shareMost is how many pictures of shared codes are kept: a link that is shared is looked at many times in its first hours.
const shareMost = 32

// shares keeps the pictures that were asked for last, of one library. They are drawn one at a time, so that all who ask
// together take no more than one processor. The zero value is ready.
type shares struct {
	drawing, mutex sync.Mutex
	kept           map[share]func() ([]byte, error)
	order          []share
}

func (k *shares) of(page *content.Landing, s share) ([]byte, error) {
	return k.place(page, s)()
}

// place returns what draws a picture the first time, and answers it each time.
func (k *shares) place(page *content.Landing, s share) func() ([]byte, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if picture, found := k.kept[s]; found {
		i := slices.Index(k.order, s)
		k.order = append(slices.Delete(k.order, i, i+1), s)
		return picture
	}
	picture := sync.OnceValues(func() ([]byte, error) {
		k.drawing.Lock()
		defer k.drawing.Unlock()
		return drawShare(page, s)
	})
	if k.kept == nil {
		k.kept = map[share]func() ([]byte, error){}
	}
	if len(k.order) == shareMost {
		delete(k.kept, k.order[0])
		k.order = k.order[1:]
	}
	k.kept[s], k.order = picture, append(k.order, s)
	return picture
}

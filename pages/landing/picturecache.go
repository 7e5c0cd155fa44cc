package landing

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"
	"golang.org/x/sync/singleflight"
)

const (
	maxPictures    = 64               // of about 100 KB each: a shared link is requested many times in its first hours
	maxWaiting     = 32               // pictures not drawn yet
	pictureTimeout = 5 * time.Second  // after it a request gets the shipped picture
	retryPause     = 10 * time.Second // pause after a failure, so that requests do not restart a broken browser
)

// shipped is served while no browser draws: the home page's preview. TestAPreviewOfEachPageIsDrawn -update draws it.
//
//go:embed shipped.png
var shipped []byte

// pictureCache draws pictures and caches the latest by their HTML, so that changed words get a new picture. Callers render only
// existing pages and codes.
type pictureCache struct {
	draw    func(ctx context.Context, html []byte) ([]byte, error) // nil without a browser
	log     *slog.Logger
	within  time.Duration
	flight  singleflight.Group
	waiting chan struct{}
	drawing chan struct{} // one at a time: the browser also prints documents

	mutex  sync.Mutex
	kept   []picture // the latest last
	failed time.Time // time of the latest failure
}

// picture is a PNG; page is the hash of its HTML, tag its ETag.
type picture struct {
	page, tag string
	png       []byte
}

func newPictureCache(draw func(context.Context, []byte) ([]byte, error), log *slog.Logger) *pictureCache {
	return &pictureCache{draw: draw, log: log, within: pictureTimeout, waiting: make(chan struct{}, maxWaiting), drawing: make(chan struct{}, 1)}
}

// of returns the picture of a page; false if it is not drawn in time. Drawing then continues for the next request.
func (a *pictureCache) of(ctx context.Context, page templ.Component) (picture, bool, error) {
	var html bytes.Buffer
	if err := page.Render(ctx, &html); err != nil {
		return picture{}, false, err
	}
	name := hash(html.Bytes())
	if p, found := a.find(name); found || a.draw == nil || a.isPaused() {
		return p, found, nil
	}
	drawn := a.flight.DoChan(name, func() (any, error) { return nil, a.add(name, html.Bytes()) })
	late := time.NewTimer(a.within)
	defer late.Stop()
	select {
	case <-drawn:
	case <-late.C:
	case <-ctx.Done():
	}
	p, found := a.find(name)
	return p, found, nil
}

func (a *pictureCache) find(page string) (picture, bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	i := slices.IndexFunc(a.kept, func(p picture) bool { return p.page == page })
	if i < 0 {
		return picture{}, false
	}
	p := a.kept[i]
	a.kept = append(slices.Delete(a.kept, i, i+1), p)
	return p, true
}

func (a *pictureCache) isPaused() bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return time.Since(a.failed) < retryPause
}

// add draws a picture and caches it.
func (a *pictureCache) add(page string, html []byte) (err error) {
	defer func() {
		if err != nil {
			a.log.Warn("share picture was not drawn, the default one is served", "error", err)
		}
	}()
	select {
	case a.waiting <- struct{}{}:
		defer func() { <-a.waiting }()
	default:
		return errors.New("too many pictures wait")
	}
	a.drawing <- struct{}{}
	defer func() { <-a.drawing }()
	if _, found := a.find(page); found {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.within)
	defer cancel()
	png, err := a.draw(ctx, html)
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if err != nil {
		a.failed = time.Now()
		return err
	}
	a.kept = append(a.kept, picture{page, `"` + hash(png)[:16] + `"`, png})
	a.kept = slices.Delete(a.kept, 0, max(0, len(a.kept)-maxPictures))
	return nil
}

func hash(of []byte) string {
	sum := sha256.Sum256(of)
	return hex.EncodeToString(sum[:])
}

// serve sends the picture of a page with age as its cache lifetime in seconds, or the shipped one for a minute.
func (a *pictureCache) serve(c *echo.Context, page templ.Component, age string) error {
	p, drawn, err := a.of(c.Request().Context(), page)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("Content-Type", "image/png")
	if !drawn {
		p, age = picture{png: shipped}, "60"
	} else {
		header.Set("ETag", p.tag)
	}
	header.Set("Cache-Control", "public, max-age="+age)
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(p.png))
	return nil
}

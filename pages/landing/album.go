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
	mostPictures = 64               // kept, of some 100 KB each: a link that is shared is asked for many times in its first hours
	mostWaiting  = 32               // pictures that are not drawn yet
	pictureTime  = 5 * time.Second  // after which a request is answered with the shipped picture
	pictureRest  = 10 * time.Second // after a failure, so that requests do not start a broken browser again and again
)

// shipped is sent while no browser draws: the preview of the home. TestAPreviewOfEachPageIsDrawn -update makes it.
//
//go:embed shipped.png
var shipped []byte

// album draws pictures and keeps those asked for last, by the HTML that they show: a picture is drawn again once its words
// change. Callers render only pages of ours and tickets of codes that exist.
type album struct {
	draw    func(ctx context.Context, html []byte) ([]byte, error) // nil: there is no browser
	log     *slog.Logger
	within  time.Duration
	flight  singleflight.Group
	waiting chan struct{}
	drawing chan struct{} // one at a time: the browser prints papers in its other tabs

	mutex  sync.Mutex
	kept   []picture // the one asked for last at the end
	failed time.Time // when drawing failed last
}

// picture is a PNG with the page that it shows, both by their hashes.
type picture struct {
	page, tag string
	png       []byte
}

func newAlbum(draw func(context.Context, []byte) ([]byte, error), log *slog.Logger) *album {
	return &album{draw: draw, log: log, within: pictureTime, waiting: make(chan struct{}, mostWaiting), drawing: make(chan struct{}, 1)}
}

// of returns the picture of a page; false where it is not drawn in time. Drawing goes on then, for the next request.
func (a *album) of(ctx context.Context, page templ.Component) (picture, bool, error) {
	var html bytes.Buffer
	if err := page.Render(ctx, &html); err != nil {
		return picture{}, false, err
	}
	name := hash(html.Bytes())
	if p, found := a.find(name); found || a.draw == nil || a.rests() {
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

func (a *album) find(page string) (picture, bool) {
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

func (a *album) rests() bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return time.Since(a.failed) < pictureRest
}

// add draws a picture and keeps it.
func (a *album) add(page string, html []byte) (err error) {
	defer func() {
		if err != nil {
			a.log.Warn("a picture was not drawn, the shipped one is shown", "error", err)
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
	a.kept = slices.Delete(a.kept, 0, max(0, len(a.kept)-mostPictures))
	return nil
}

func hash(of []byte) string {
	sum := sha256.Sum256(of)
	return hex.EncodeToString(sum[:])
}

// serve writes the picture of a page, which a browser may keep for age in seconds, or the shipped one, for a minute.
func (a *album) serve(c *echo.Context, page templ.Component, age string) error {
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

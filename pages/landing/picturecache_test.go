package landing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"
)

// cacheOf returns a pictureCache that draws with draw and logs to the test.
func cacheOf(t *testing.T, draw func(ctx context.Context, html []byte) ([]byte, error)) *pictureCache {
	return newPictureCache(draw, slog.New(slog.NewTextHandler(t.Output(), nil)))
}

func ask(t *testing.T, a *pictureCache, html string) (png string, drawn bool) {
	t.Helper()
	p, drawn, err := a.of(t.Context(), templ.Raw(html))
	if err != nil {
		t.Error(err)
	}
	return string(p.png), drawn
}

func TestAPictureIsDrawnOnceHoweverManyAskTogether(t *testing.T) {
	synctest.Test(t, drawnOnce)
}

func drawnOnce(t *testing.T) {
	var draws, together, most atomic.Int64
	a := cacheOf(t, func(_ context.Context, html []byte) ([]byte, error) {
		draws.Add(1)
		most.Store(max(most.Load(), together.Add(1)))
		defer together.Add(-1)
		time.Sleep(time.Millisecond)
		return append([]byte("png of "), html...), nil
	})
	var all sync.WaitGroup
	for i := range 24 {
		page := strconv.Itoa(i % 3)
		all.Go(func() {
			if png, drawn := ask(t, a, page); png != "png of "+page || !drawn {
				t.Errorf("the picture of %s is %q", page, png)
			}
		})
	}
	all.Wait()
	ask(t, a, "0")
	if draws.Load() != 3 || most.Load() != 1 {
		t.Errorf("3 pictures are drawn %d times, %d at a time", draws.Load(), most.Load())
	}
}

func TestLatestPicturesAreCached(t *testing.T) {
	draws := map[string]int{}
	a := cacheOf(t, func(_ context.Context, html []byte) ([]byte, error) {
		draws[string(html)]++
		return html, nil
	})
	ask(t, a, "popular")
	for i := range 2 * maxPictures {
		ask(t, a, fmt.Sprint("stranger ", i))
		ask(t, a, "popular")
	}
	if len(a.kept) != maxPictures || draws["popular"] != 1 {
		t.Errorf("%d pictures are kept, the popular one is drawn %d times", len(a.kept), draws["popular"])
	}
	if ask(t, a, "stranger 0"); draws["stranger 0"] != 2 {
		t.Error("what was asked for first is kept")
	}
}

func TestTheShippedPictureIsShownWhereNoneIsDrawn(t *testing.T) {
	synctest.Test(t, shippedShown)
}

func shippedShown(t *testing.T) {
	if _, drawn := ask(t, cacheOf(t, nil), "page"); drawn {
		t.Error("a picture is drawn without a browser")
	}
	works, draws := false, 0
	a := cacheOf(t, func(_ context.Context, html []byte) ([]byte, error) {
		draws++
		if !works {
			return nil, errors.New("the browser went down")
		}
		return html, nil
	})
	if _, drawn := ask(t, a, "page"); drawn {
		t.Error("a picture is drawn by a browser that is down")
	}
	works = true
	if _, drawn := ask(t, a, "page"); drawn || draws != 1 {
		t.Error("a browser that has just failed is asked again")
	}
	time.Sleep(retryPause)
	if png, drawn := ask(t, a, "page"); !drawn || png != "page" {
		t.Error("a picture that failed is not drawn again")
	}
	a = cacheOf(t, func(context.Context, []byte) ([]byte, error) { return nil, errors.New("drawn") })
	failing := templ.ComponentFunc(func(context.Context, io.Writer) error { return errors.New("no page") })
	if _, _, err := a.of(t.Context(), failing); err == nil || err.Error() != "no page" {
		t.Errorf("a page that does not render: %v", err)
	}
}

func TestHangingBrowserDoesNotDelayVisitors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := make(chan struct{})
		a := cacheOf(t, func(_ context.Context, html []byte) ([]byte, error) {
			<-hangs // whatever its context says
			return html, nil
		})
		begun := time.Now()
		var all sync.WaitGroup
		for i := range 2 * maxWaiting {
			all.Go(func() {
				if _, drawn := ask(t, a, strconv.Itoa(i)); drawn {
					t.Error("a picture is drawn by a browser that hangs")
				}
			})
		}
		all.Wait()
		if waited := time.Since(begun); waited != pictureTimeout {
			t.Errorf("a request waits for %v", waited)
		}
		if waiting := len(a.waiting); waiting != maxWaiting {
			t.Errorf("%d pictures wait", waiting)
		}
		close(hangs)
		synctest.Wait()
		if len(a.kept) != maxWaiting {
			t.Errorf("%d pictures are there when the browser is back", len(a.kept))
		}
		if len(a.waiting) != 0 {
			t.Errorf("%d pictures still wait", len(a.waiting))
		}
	})
}

func TestDifferentPagesHaveDifferentETags(t *testing.T) {
	a := cacheOf(t, func(_ context.Context, html []byte) ([]byte, error) { return bytes.ToUpper(html), nil })
	before, _, _ := a.of(t.Context(), templ.Raw("₹1,499"))
	after, _, _ := a.of(t.Context(), templ.Raw("₹1,999"))
	if before.tag == after.tag || bytes.Equal(before.png, after.png) {
		t.Error("the picture says what the page said before")
	}
}

func TestTheShippedPictureIsKeptForAMinute(t *testing.T) {
	answer := httptest.NewRecorder()
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/og/page_home.12345678.png", nil), answer)
	if err := cacheOf(t, nil).serve(c, templ.Raw("page"), "31536000, immutable"); err != nil {
		t.Fatal(err)
	}
	header := answer.Header()
	if !bytes.Equal(answer.Body.Bytes(), shipped) || header.Get("Cache-Control") != "public, max-age=60" || header.Get("Content-Type") != "image/png" || header.Get("ETag") != "" {
		t.Errorf("%d bytes, %v", answer.Body.Len(), header)
	}
}

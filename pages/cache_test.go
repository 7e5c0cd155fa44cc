package pages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/a-h/templ"

	"hiresure/static"
)

// saying is a page that says a text, and counts how often it is rendered.
func saying(text string, rendered *atomic.Int32) func() templ.Component {
	return func() templ.Component {
		return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
			rendered.Add(1)
			_, err := io.WriteString(w, text)
			return err
		})
	}
}

func shown(t *testing.T, p *pageCache, path string, version version, render func() templ.Component) string {
	t.Helper()
	bodies, err := p.page(path, version, render)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	static.Serve(answer, httptest.NewRequest(http.MethodGet, path, nil), bodies)
	return answer.Body.String()
}

func TestAPageIsRenderedOnceForItsVersion(t *testing.T) {
	p, rendered := newPageCache(nil), new(atomic.Int32)
	for i, test := range []struct {
		sentence, path, state, says, want string
		rendered                          int32
	}{
		{"the first time", "/a", "monday", "a on monday", "a on monday", 1},
		{"the second time", "/a", "monday", "another", "a on monday", 1},
		{"another page", "/b", "monday", "b on monday", "b on monday", 2},
		{"the next day", "/a", "tuesday", "a on tuesday", "a on tuesday", 3},
		{"the other page stays", "/b", "monday", "another", "b on monday", 3},
		{"the day before is not kept", "/a", "monday", "a on monday again", "a on monday again", 4},
	} {
		if got := shown(t, p, test.path, version{state: test.state}, saying(test.says, rendered)); got != test.want || rendered.Load() != test.rendered {
			t.Errorf("%d, %s: %q after %d renderings, want %q after %d", i, test.sentence, got, rendered.Load(), test.want, test.rendered)
		}
	}
	if len(p.pages) != 2 {
		t.Errorf("%d pages are kept, want one version of each", len(p.pages))
	}
}

func TestACacheOfPagesStaysSmall(t *testing.T) {
	p, rendered := newPageCache(nil), new(atomic.Int32)
	for i := range 3 * maxCachedPages {
		path := fmt.Sprint("/", i)
		if kept := p.find(path, version{day: 1}); p.find(path, version{day: 1}) != kept {
			t.Fatalf("%s is not kept", path)
		}
	}
	if len(p.pages) != maxCachedPages {
		t.Errorf("%d pages are kept, want %d", len(p.pages), maxCachedPages)
	}
	for path := range p.pages {
		if p.find(path, version{day: 2}); len(p.pages) != maxCachedPages {
			t.Fatalf("%d pages are kept after the next version of one, want %d", len(p.pages), maxCachedPages)
		}
		break
	}
	if got := shown(t, p, "/0", version{day: 1}, saying("again", rendered)); got != "again" || len(p.pages) != maxCachedPages {
		t.Errorf("a page that was dropped says %q, %d are kept", got, len(p.pages))
	}
}

func TestConcurrentRequestsShareOneRendering(t *testing.T) {
	const askers = 16
	p, asking, rendered := newPageCache(nil), new(atomic.Int32), new(atomic.Int32)
	slowly := func() templ.Component {
		for asking.Load() < askers {
			runtime.Gosched()
		}
		for range 1000 { // until the others wait
			runtime.Gosched()
		}
		return saying("one", rendered)()
	}
	var group sync.WaitGroup
	for range askers {
		group.Go(func() {
			asking.Add(1)
			if got := shown(t, p, "/a", version{}, slowly); got != "one" {
				t.Errorf("somebody got %q", got)
			}
		})
	}
	group.Wait()
	if n := rendered.Load(); n != 1 {
		t.Errorf("rendered %d times", n)
	}
}

func TestAPageThatFailedIsRenderedAgain(t *testing.T) {
	p, rendered := newPageCache(nil), new(atomic.Int32)
	broken := errors.New("broken")
	fails := func() templ.Component {
		return templ.ComponentFunc(func(context.Context, io.Writer) error { return broken })
	}
	if _, err := p.page("/a", version{}, fails); !errors.Is(err, broken) {
		t.Errorf("a page that fails answers %v", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_, _ = p.page("/a", version{}, func() templ.Component { panic("no words") })
	}()
	if got := shown(t, p, "/a", version{}, saying("mended", rendered)); got != "mended" {
		t.Errorf("says %q", got)
	}
}

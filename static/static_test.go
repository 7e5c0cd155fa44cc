package static

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const forEver = "public, max-age=31536000, immutable"

func built(t *testing.T) *bundle {
	t.Helper()
	css := Compress([]byte(strings.Repeat("main{color:red}", 50)))
	loaded, err := load(fstest.MapFS{
		"dist/.keep": {},
		"dist/manifest.json": {Data: []byte(`{
			"files": {"site.css": "site-AAAA.css", "enrolment.js": "enrolment-BBBB.js", "video/tour.webm": "video/tour-CCCC.webm"},
			"imports": {"enrolment.js": ["chunk-DDDD.js", "chunk-EEEE.js"]}
		}`)},
		"dist/site-AAAA.css":         {Data: css.Identity()},
		"dist/site-AAAA.css.br":      {Data: css.Brotli()},
		"dist/site-AAAA.css.gz":      {Data: css.Gzip()},
		"dist/enrolment-BBBB.js":     {Data: []byte("1")},
		"dist/chunk-DDDD.js":         {Data: []byte("2")},
		"dist/chunk-EEEE.js":         {Data: []byte("3")},
		"dist/fonts/text-FFFF.woff2": {Data: []byte("wOF2")},
		"dist/images/face-FFFF.avif": {Data: []byte("avif")},
		"dist/video/tour-CCCC.webm":  {Data: []byte("0123456789")},
		"dist/video/tour-FFFF.vtt":   {Data: []byte("WEBVTT")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestPathNamesTheBuiltFile(t *testing.T) {
	b := built(t)
	for name, want := range map[string]string{
		"site.css":        "/static/site-AAAA.css",
		"enrolment.js":    "/static/enrolment-BBBB.js",
		"video/tour.webm": "/static/video/tour-CCCC.webm",
	} {
		if got := b.path(name); got != want {
			t.Errorf("path(%q): got %q, want %q", name, got, want)
		}
	}
}

func TestInline(t *testing.T) {
	text, source := built(t).inline("site.css")
	if want := strings.Repeat("main{color:red}", 50); text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	// printf 'main{color:red}%.0s' $(seq 50) | openssl dgst -sha256 -binary | base64
	if want := "'sha256-xCAYOCjV68eyoz4UvJbVRGlz33M1hGHW4CDIWuBSj2U='"; source != want {
		t.Errorf("got %s, want %s", source, want)
	}
	before, err := load(fstest.MapFS{"dist/.keep": {}})
	if err != nil {
		t.Fatal(err)
	}
	if text, source := before.inline("site.css"); text != "" || source != "" {
		t.Errorf("before the first build: got %q, %q", text, source)
	}
}

func TestPathRefusesWhatWasNotBuilt(t *testing.T) {
	defer func() {
		want := `static: "missing.css" is not among the built files: run ./task build`
		if got := recover(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}()
	built(t).path("missing.css")
}

func TestImports(t *testing.T) {
	got := built(t).imports("enrolment.js")
	if want := []string{"/static/chunk-DDDD.js", "/static/chunk-EEEE.js"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPathBeforeFirstBuild(t *testing.T) {
	b, err := load(fstest.MapFS{"dist/.keep": {}})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.path("site.css"); got != "/static/site.css" {
		t.Errorf("path: got %q", got)
	}
	if got := b.imports("enrolment.js"); got != nil {
		t.Errorf("imports: got %q", got)
	}
	if got := ask(b, http.MethodGet, "/static/site.css", nil).StatusCode; got != http.StatusNotFound {
		t.Errorf("status: got %d", got)
	}
}

func TestInvalidManifestIsAnError(t *testing.T) {
	_, err := load(fstest.MapFS{"dist/manifest.json": {Data: []byte(`{"files":[]}`)}})
	if err == nil || !strings.HasPrefix(err.Error(), "static: read manifest.json: ") {
		t.Errorf("got %v", err)
	}
}

func TestHandlerServesBuiltFiles(t *testing.T) {
	b := built(t)
	for path, contentType := range map[string]string{
		"/static/site-AAAA.css":         "text/css; charset=utf-8",
		"/static/chunk-DDDD.js":         "text/javascript; charset=utf-8",
		"/static/fonts/text-FFFF.woff2": "font/woff2",
		"/static/images/face-FFFF.avif": "image/avif",
		"/static/video/tour-CCCC.webm":  "video/webm",
		"/static/video/tour-FFFF.vtt":   "text/vtt; charset=utf-8",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			answer := ask(b, method, path, nil)
			for header, want := range map[string]string{
				"Content-Type": contentType, "Cache-Control": forEver, "X-Content-Type-Options": "nosniff",
			} {
				if got := answer.Header.Get(header); got != want {
					t.Errorf("%s %s: %s: got %q, want %q", method, path, header, got, want)
				}
			}
			if answer.StatusCode != http.StatusOK || answer.Header.Get("ETag") == "" {
				t.Errorf("%s %s: status %d, ETag %q", method, path, answer.StatusCode, answer.Header.Get("ETag"))
			}
			again := ask(b, method, path, map[string]string{"If-None-Match": answer.Header.Get("ETag")})
			if again.StatusCode != http.StatusNotModified {
				t.Errorf("%s %s with its ETag: status %d", method, path, again.StatusCode)
			}
		}
	}
}

func TestHandlerSendsTheBodyThatWasCompressedBefore(t *testing.T) {
	b := built(t)
	for accept, want := range map[string]string{"gzip, br": "br", "gzip": "gzip", "": ""} {
		answer := ask(b, http.MethodGet, "/static/site-AAAA.css", map[string]string{"Accept-Encoding": accept})
		if got := answer.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q: got %q, want %q", accept, got, want)
		}
		if got := string(decode(t, answer)); got != strings.Repeat("main{color:red}", 50) {
			t.Errorf("Accept-Encoding %q: got %q", accept, got)
		}
	}
}

func TestHandlerServesRangesOfVideo(t *testing.T) {
	answer := ask(built(t), http.MethodGet, "/static/video/tour-CCCC.webm", map[string]string{"Range": "bytes=2-4"})
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusPartialContent || string(body) != "234" {
		t.Errorf("got %d %q", answer.StatusCode, body)
	}
	if got := answer.Header.Get("Content-Range"); got != "bytes 2-4/10" {
		t.Errorf("Content-Range: got %q", got)
	}
}

func TestHandlerRefusesEverythingElse(t *testing.T) {
	b := built(t)
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, "/static/", http.StatusNotFound},
		{http.MethodGet, "/static/video", http.StatusNotFound},
		{http.MethodGet, "/static/video/", http.StatusNotFound},
		{http.MethodGet, "/static/missing.css", http.StatusNotFound},
		{http.MethodGet, "/static/site.css", http.StatusNotFound},
		{http.MethodGet, "/static/manifest.json", http.StatusNotFound},
		{http.MethodGet, "/static/.keep", http.StatusNotFound},
		{http.MethodGet, "/static/site-AAAA.css.br", http.StatusNotFound},
		{http.MethodGet, "/static/../static.go", http.StatusNotFound},
		{http.MethodGet, "/static/%2e%2e/static.go", http.StatusNotFound},
		{http.MethodPost, "/static/site-AAAA.css", http.StatusMethodNotAllowed},
	} {
		answer := ask(b, test.method, test.path, nil)
		if answer.StatusCode != test.status {
			t.Errorf("%s %s: got %d, want %d", test.method, test.path, answer.StatusCode, test.status)
		}
		if got := answer.Header.Get("Cache-Control"); got == forEver {
			t.Errorf("%s %s: a refusal is cached for ever", test.method, test.path)
		}
		if got := answer.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s %s: X-Content-Type-Options: got %q", test.method, test.path, got)
		}
	}
}

func TestTheEmbeddedFilesLoad(t *testing.T) {
	if !Built() {
		if got := Path("site.css"); got != "/static/site.css" {
			t.Errorf("before the first build: got %q", got)
		}
		return
	}
	for name := range site.manifest.Files {
		answer := ask(Handler(), http.MethodGet, Path(name), nil)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", Path(name), answer.StatusCode)
		}
	}
}

func ask(h http.Handler, method, path string, headers map[string]string) *http.Response {
	request := httptest.NewRequest(method, path, nil)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return recorder.Result()
}

package static

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

var page = []byte(strings.Repeat("<p>Where do you study?</p>\n", 200))

func TestServeChoosesTheEncoding(t *testing.T) {
	bodies := Compress(page)
	for _, test := range []struct{ sentence, accept, want string }{
		{"what Chrome sends gets brotli", "gzip, deflate, br, zstd", "br"},
		{"an old client gets gzip", "gzip, deflate", "gzip"},
		{"the old name of gzip counts", "x-gzip", "gzip"},
		{"names are read in any case", "BR", "br"},
		{"a client without Accept-Encoding gets identity", "", ""},
		{"unknown codings are passed over", "zstd, snappy", ""},
		{"the higher weight wins", "br;q=0.5, gzip;q=0.8", "gzip"},
		{"of equal weights the shorter body wins", "gzip;q=0.5, br;q=0.5", "br"},
		{"a weight of nought forbids", "br;q=0, gzip", "gzip"},
		{"a weight of nought with decimals forbids", "br;q=0.000, gzip;q=0.001", "gzip"},
		{"spaces around a weight are allowed", "br ; q=0.1 , gzip ; q=0.2", "gzip"},
		{"a weight that is no number forbids", "br;q=high, gzip", "gzip"},
		{"the identity may be preferred", "identity, br;q=0.9, gzip;q=0.9", ""},
		{"a star covers the others", "*", "br"},
		{"a star does not undo a refusal", "br;q=0, *", "gzip"},
		{"a star of nought forbids what is not named", "gzip, *;q=0", "gzip"},
		{"where nothing is accepted the identity is sent", "identity;q=0, *;q=0", ""},
	} {
		t.Run(test.sentence, func(t *testing.T) {
			answer := get(t, &bodies, map[string]string{"Accept-Encoding": test.accept})
			if got := answer.Header.Get("Content-Encoding"); got != test.want {
				t.Errorf("Content-Encoding: got %q, want %q", got, test.want)
			}
			if got := decode(t, answer); !bytes.Equal(got, page) {
				t.Errorf("the body does not decode to the page: %d bytes", len(got))
			}
			if got := answer.Header.Get("Vary"); got != "Accept-Encoding" {
				t.Errorf("Vary: got %q", got)
			}
		})
	}
}

func TestServeAnswers304ForTheBodyThatTheBrowserHas(t *testing.T) {
	bodies := Compress(page)
	identity := get(t, &bodies, nil).Header.Get("ETag")
	squeezed := get(t, &bodies, map[string]string{"Accept-Encoding": "br"}).Header.Get("ETag")
	if identity == squeezed {
		t.Fatalf("two encodings share the ETag %s", identity)
	}
	for _, test := range []struct {
		sentence, accept, known string
		status                  int
	}{
		{"the same tag", "br", squeezed, http.StatusNotModified},
		{"the same tag, marked weak by a proxy", "br", "W/" + squeezed, http.StatusNotModified},
		{"the tag among others", "br", `"old", ` + squeezed, http.StatusNotModified},
		{"any tag", "br", "*", http.StatusNotModified},
		{"another tag", "br", `"old"`, http.StatusOK},
		{"the tag of another encoding", "br", identity, http.StatusOK},
	} {
		t.Run(test.sentence, func(t *testing.T) {
			answer := get(t, &bodies, map[string]string{"Accept-Encoding": test.accept, "If-None-Match": test.known})
			if answer.StatusCode != test.status {
				t.Errorf("status: got %d, want %d", answer.StatusCode, test.status)
			}
			if body := decode(t, answer); test.status == http.StatusNotModified && len(body) != 0 {
				t.Errorf("a 304 has %d bytes of body", len(body))
			}
			if answer.Header.Get("ETag") != squeezed || answer.Header.Get("Cache-Control") != "no-cache" {
				t.Errorf("headers of the page are missing: %v", answer.Header)
			}
		})
	}
}

func TestServeSendsNoBodyForHead(t *testing.T) {
	bodies := Compress(page)
	recorder := httptest.NewRecorder()
	Serve(recorder, httptest.NewRequest(http.MethodHead, "/", nil), &bodies)
	if recorder.Body.Len() != 0 {
		t.Errorf("HEAD got %d bytes", recorder.Body.Len())
	}
	if got, want := recorder.Header().Get("Content-Length"), strconv.Itoa(len(page)); got != want {
		t.Errorf("Content-Length: got %s, want %s", got, want)
	}
}

func TestServeKeepsAnotherVary(t *testing.T) {
	bodies := Compress(page)
	for range 2 {
		recorder := httptest.NewRecorder()
		recorder.Header().Set("Vary", "Cookie")
		Serve(recorder, httptest.NewRequest(http.MethodGet, "/", nil), &bodies)
		if got := strings.Join(recorder.Header()["Vary"], ", "); got != "Cookie, Accept-Encoding" {
			t.Errorf("Vary: got %q", got)
		}
	}
}

func TestCompressLeavesOutWhatWouldBeLonger(t *testing.T) {
	bodies := Compress([]byte("ok"))
	if bodies.Gzip() != nil || bodies.Brotli() != nil {
		t.Errorf("two letters became %d bytes of gzip and %d of brotli", len(bodies.Gzip()), len(bodies.Brotli()))
	}
	answer := get(t, &bodies, map[string]string{"Accept-Encoding": "br, gzip"})
	if got := decode(t, answer); string(got) != "ok" || answer.Header.Get("Content-Encoding") != "" {
		t.Errorf("got %q as %q", got, answer.Header.Get("Content-Encoding"))
	}
}

func TestServeAllocatesNothing(t *testing.T) {
	bodies := Compress(page)
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	request.Header.Set("If-None-Match", `"old"`)
	w := nowhere{http.Header{}}
	if n := testing.AllocsPerRun(100, func() {
		clear(w.header)
		Serve(w, request, &bodies)
	}); n != 0 {
		t.Errorf("a request allocates %v times", n)
	}
}

func BenchmarkServe(b *testing.B) {
	bodies := Compress(page)
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	w := nowhere{http.Header{}}
	for b.Loop() {
		clear(w.header)
		Serve(w, request, &bodies)
	}
}

type nowhere struct{ header http.Header }

func (w nowhere) Header() http.Header         { return w.header }
func (w nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (w nowhere) WriteHeader(int)             {}

func get(t *testing.T, bodies *Bodies, headers map[string]string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	recorder.Header().Set("Content-Type", "text/html; charset=utf-8")
	recorder.Header().Set("Cache-Control", "no-cache")
	Serve(recorder, request, bodies)
	return recorder.Result()
}

func decode(t *testing.T, answer *http.Response) []byte {
	t.Helper()
	var reader io.Reader = answer.Body
	switch answer.Header.Get("Content-Encoding") {
	case "br":
		reader = brotli.NewReader(reader)
	case "gzip":
		unzipped, err := gzip.NewReader(reader)
		if err != nil {
			t.Fatal(err)
		}
		reader = unzipped
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestServeOnceCompressesLongBodies(t *testing.T) {
	long := bytes.Repeat([]byte("<p>words of a page</p>"), 100)
	for _, row := range []struct {
		sentence, method, accepts string
		body                      []byte
		zipped                    bool
	}{
		{"a browser", http.MethodGet, "gzip, deflate, br", long, true},
		{"only brotli", http.MethodGet, "br", long, false},
		{"gzip refused", http.MethodGet, "gzip;q=0", long, false},
		{"nothing said", http.MethodGet, "", long, false},
		{"one packet", http.MethodGet, "gzip", long[:1399], false},
		{"more than one packet", http.MethodGet, "gzip", long[:1400], true},
		{"HEAD", http.MethodHead, "gzip", long, true},
	} {
		for range 2 { // the second reuses the first's writer
			r, w := httptest.NewRequest(row.method, "/", nil), httptest.NewRecorder()
			r.Header.Set("Accept-Encoding", row.accepts)
			ServeOnce(w, r, http.StatusConflict, row.body)
			if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped != row.zipped || w.Code != http.StatusConflict || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s: %d, %v", row.sentence, w.Code, w.Header())
			}
			if row.method == http.MethodHead {
				if w.Body.Len() > 0 {
					t.Errorf("%s: a body of %d", row.sentence, w.Body.Len())
				}
				continue
			}
			if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
				t.Errorf("%s: Content-Length %s, body %d", row.sentence, got, w.Body.Len())
			}
			body := w.Body.Bytes()
			if row.zipped {
				reader, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Fatal(err)
				}
				if body, err = io.ReadAll(reader); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(body, row.body) {
				t.Errorf("%s: another body", row.sentence)
			}
		}
	}
}

package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// serves starts a real server with the given deadlines; 0 means none.
func (s *site) serves(t *testing.T, read, write time.Duration) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(s.echo)
	server.Config.ReadTimeout, server.Config.WriteTimeout = read, write
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// ask sends a request and returns the response without decompressing it.
func ask(t *testing.T, method, address string, body io.Reader, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = answer.Body.Close()
		client.CloseIdleConnections()
	})
	return answer
}

// untilTooLate holds a request open until the server's deadline has passed and returns the error that ended it. Requests
// that began earlier have passed the deadline too.
func untilTooLate(t *testing.T, server *httptest.Server, method, path string, ended <-chan error) error {
	t.Helper()
	body := io.Reader(http.NoBody)
	if method == http.MethodPost {
		reader, writer := io.Pipe()
		defer writer.Close()
		body = reader
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, server.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if answer, err := http.DefaultClient.Do(r); err == nil {
			<-ctx.Done() // without reading the body
			_ = answer.Body.Close()
		}
	}()
	return <-ended
}

// writesForEver writes until a deadline stops it.
func writesForEver(ended chan<- error) echo.HandlerFunc {
	return func(c *echo.Context) error {
		for full := make([]byte, 1<<20); ; {
			if _, err := c.Response().Write(full); err != nil {
				ended <- err
				return nil
			}
		}
	}
}

func TestStreamFlushesPieces(t *testing.T) {
	for _, coding := range []string{"", "gzip"} {
		s := newSite(t, "http://127.0.0.1:8080")
		seen := make(chan struct{})
		s.routes.Get("/lines", web.Private.Within(0, time.Minute), func(c *echo.Context) error {
			return web.Stream(c, "text/plain; charset=utf-8", func(p *web.Pieces) error {
				for _, line := range []string{"one\n", "two\n", "three\n"} {
					if _, err := p.WriteString(line); err != nil {
						return err
					}
					if err := p.Flush(); err != nil {
						return err
					}
					<-seen
				}
				return nil
			})
		})
		answer := ask(t, http.MethodGet, s.serves(t, 0, 0).URL+"/lines", nil, "Accept-Encoding", coding)
		if got := answer.Header.Get("Content-Encoding"); got != coding {
			t.Fatalf("encoded as %q, want %q", got, coding)
		}
		body := io.Reader(answer.Body)
		if coding == "gzip" {
			unzipped, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = unzipped
		}
		lines := bufio.NewReader(body)
		for _, want := range []string{"one\n", "two\n", "three\n"} {
			if got, err := lines.ReadString('\n'); got != want || err != nil {
				t.Fatalf("%q: got %q, %v before the next was written", coding, got, err)
			}
			seen <- struct{}{}
		}
		if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
			t.Errorf("then %q, %v", rest, err)
		}
	}
}

func TestStreamCompression(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	long := strings.Repeat("a line that repeats itself\n", 10_000)
	s.routes.Get("/stream", web.Private, func(c *echo.Context) error {
		if coding := c.QueryParam("coding"); coding != "" {
			c.Response().Header().Set("Content-Encoding", coding)
		}
		return web.Stream(c, c.QueryParam("type"), func(p *web.Pieces) error {
			if c.QueryParam("empty") == "" {
				_, err := p.WriteString(long)
				return err
			}
			return nil
		})
	})
	for _, row := range []struct{ sentence, method, query, accept, coding, vary, body string }{
		{"text", "GET", "type=text/csv%3B+charset%3Dutf-8", "br, gzip", "gzip", "Accept-Encoding", long},
		{"JSON", "GET", "type=application/json", "gzip;q=0.5", "gzip", "Accept-Encoding", long},
		{"a kind of JSON", "GET", "type=application/ld%2Bjson", "GZIP", "gzip", "Accept-Encoding", long},
		{"SVG", "GET", "type=image/svg%2Bxml", "gzip", "gzip", "Accept-Encoding", long},
		{"an empty response", "GET", "type=text/csv&empty=yes", "gzip", "gzip", "Accept-Encoding", ""},
		{"the client accepts no encoding", "GET", "type=text/csv", "", "", "Accept-Encoding", long},
		{"the client accepts other encodings", "GET", "type=text/csv", "br, deflate", "", "Accept-Encoding", long},
		{"the client refuses gzip", "GET", "type=text/csv", "gzip;q=0", "", "Accept-Encoding", long},
		{"a PDF is compressed already", "GET", "type=application/pdf", "gzip", "", "", long},
		{"a picture is compressed already", "GET", "type=image/webp", "gzip", "", "", long},
		{"a Content-Encoding is already set", "GET", "type=text/csv&coding=br", "gzip, br", "br", "", long},
		{"an invalid content type", "GET", "type=%2F", "gzip", "", "", long},
		{"HEAD sends only the header", "HEAD", "type=text/csv", "gzip", "gzip", "Accept-Encoding", ""},
	} {
		r := httptest.NewRequest(row.method, "/stream?"+row.query, nil)
		r.Header.Set("Accept-Encoding", row.accept)
		w := httptest.NewRecorder()
		s.echo.ServeHTTP(w, r)
		body := w.Body.String()
		if row.coding == "gzip" && row.method == "GET" {
			if unzipped, err := gzip.NewReader(strings.NewReader(body)); err != nil {
				t.Errorf("%s: %v", row.sentence, err)
			} else if text, err := io.ReadAll(unzipped); err != nil || len(body) > len(long)/10 {
				t.Errorf("%s: %d bytes, %v", row.sentence, len(body), err)
			} else {
				body = string(text)
			}
		}
		if w.Code != 200 || w.Header().Get("Content-Encoding") != row.coding || w.Header().Get("Vary") != row.vary || body != row.body {
			t.Errorf("%s: %d %q %q, %d bytes", row.sentence, w.Code, w.Header().Get("Content-Encoding"), w.Header().Get("Vary"), len(body))
		}
	}
}

func TestFailedStreamIsAborted(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	fault := errors.New("the database is gone")
	s.routes.Get("/fails/:after", web.Private, func(c *echo.Context) error {
		c.Response().Header().Set("Content-Disposition", "attachment")
		return web.Stream(c, "text/csv", func(p *web.Pieces) error {
			if c.Param("after") == "nothing" {
				_, _ = p.WriteString("a few bytes")
				return fmt.Errorf("read rows: %w", fault)
			}
			_, _ = p.Write(bytes.Repeat([]byte("x"), 100<<10))
			return fmt.Errorf("read rows: %w", fault)
		})
	})
	server := s.serves(t, 0, 0)
	for _, coding := range []string{"", "gzip"} {
		answer := ask(t, http.MethodGet, server.URL+"/fails/nothing", nil, "Accept-Encoding", coding)
		body, err := io.ReadAll(answer.Body)
		if answer.StatusCode != 500 || err != nil || !strings.HasPrefix(string(body), "<p>Something went wrong on our side.") {
			t.Errorf("%q: before a byte has left: %d %s, %v", coding, answer.StatusCode, body, err)
		}
		if h := answer.Header; h.Get("Content-Encoding") != "" || h.Get("Content-Disposition") != "" || !strings.HasPrefix(h.Get("Content-Type"), "text/html") {
			t.Errorf("%q: the refusal has the header of the stream: %v", coding, h)
		}
		answer = ask(t, http.MethodGet, server.URL+"/fails/later", nil, "Accept-Encoding", coding)
		if body, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("%q: a partial response of %d bytes looks complete", coding, len(body))
		}
	}
	if logs := s.logs.String(); strings.Count(logs, "response aborted") != 2 || strings.Count(logs, "read rows: the database is gone") != 4 {
		t.Errorf("logged: %s", logs)
	}
	if len(s.watcher.served) != 4 {
		t.Errorf("counted: %q", s.watcher.served)
	}
}

func TestStreamEndsWhenClientDisconnects(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	ended := make(chan error, 1)
	s.routes.Get("/endless", web.Private.Within(0, time.Minute), func(c *echo.Context) error {
		return web.Stream(c, "text/plain", func(p *web.Pieces) (err error) {
			for err == nil {
				_, err = p.WriteString("and so on, ")
			}
			ended <- err
			return err
		})
	})
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.serves(t, 0, 0).URL+"/endless", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.CopyN(io.Discard, answer.Body, 1<<20); err != nil {
		t.Fatal(err)
	}
	leave()
	if err := <-ended; err == nil {
		t.Error("the stream continued")
	}
}

func TestStreamOutlivesServerDeadline(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	ended, begun := make(chan error, 1), make(chan struct{})
	goOn := make(chan struct{})
	s.routes.Get("/page", web.Private, writesForEver(ended))
	s.routes.Get("/long", web.Private.Within(20*time.Millisecond, time.Minute), func(c *echo.Context) error {
		return web.Stream(c, "text/plain", func(p *web.Pieces) error {
			if _, err := p.WriteString("first "); err != nil {
				return err
			}
			if err := p.Flush(); err != nil {
				return err
			}
			close(begun)
			<-goOn
			_, err := p.WriteString("last")
			return err
		})
	})
	server := s.serves(t, 0, 200*time.Millisecond)
	answer := ask(t, http.MethodGet, server.URL+"/long", nil)
	<-begun
	if err := untilTooLate(t, server, http.MethodGet, "/page", ended); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a page was not aborted: %v", err)
	}
	close(goOn)
	if body, err := io.ReadAll(answer.Body); string(body) != "first last" || err != nil {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestStreamEndsAtRouteDeadline(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	ended := make(chan error, 1)
	s.routes.Get("/short", web.Private.Within(0, 50*time.Millisecond), func(c *echo.Context) error {
		return web.Stream(c, "application/octet-stream", func(p *web.Pieces) (err error) {
			for full := make([]byte, 1<<20); err == nil; {
				_, err = p.Write(full)
			}
			ended <- err
			return err
		})
	})
	if err := untilTooLate(t, s.serves(t, 0, time.Minute), http.MethodGet, "/short", ended); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("ended with %v", err)
	}
}

const (
	streamed = 200 << 20 // bytes
	inMemory = 32 << 20  // maximum growth of the heap, in bytes
)

// gauge records the largest heap size seen by look.
type gauge struct{ before, most uint64 }

func newGauge() *gauge {
	runtime.GC()
	g := &gauge{}
	g.look()
	g.before, g.most = g.most, 0
	return g
}

func (g *gauge) look() {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	g.most = max(g.most, now.HeapAlloc)
}

func (g *gauge) judge(t *testing.T, what string) {
	t.Helper()
	grown := int64(g.most) - int64(g.before)
	t.Logf("%s: %d MB went through, the heap grew by %.1f MB", what, streamed>>20, float64(grown)/(1<<20))
	if grown > inMemory {
		t.Errorf("%s: the heap grew by %d bytes", what, grown)
	}
}

func TestLongStreamUsesLittleMemory(t *testing.T) {
	for _, coding := range []string{"", "gzip"} {
		s := newSite(t, "http://127.0.0.1:8080")
		g := newGauge()
		s.routes.Get("/export", web.Private.Within(0, time.Minute), func(c *echo.Context) error {
			return web.Stream(c, "text/csv", func(p *web.Pieces) error {
				line := bytes.Repeat([]byte("0123456789abcdef"), 256)
				for sent := 0; sent < streamed; sent += len(line) {
					if _, err := p.Write(line); err != nil {
						return err
					}
					if sent%(8<<20) == 0 {
						g.look()
					}
				}
				return nil
			})
		})
		answer := ask(t, http.MethodGet, s.serves(t, 0, 0).URL+"/export", nil, "Accept-Encoding", coding)
		body := io.Reader(answer.Body)
		if coding != "" {
			unzipped, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = unzipped
		}
		if n, err := io.Copy(io.Discard, body); n != streamed || err != nil {
			t.Errorf("%q: %d bytes, %v", coding, n, err)
		}
		g.judge(t, "out "+coding)
	}
}

package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

var limits = web.PartLimits{Parts: 3, Field: 10, File: 100}

// listParts reads every part and responds with a list of them.
func listParts(c *echo.Context) error {
	var text strings.Builder
	for part, err := range web.Parts(c, limits) {
		if err != nil {
			return err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return fmt.Errorf("keep %s: %w", part.Name, err)
		}
		fmt.Fprintf(&text, "%s %q %q %d\n", part.Name, part.FileName, part.ContentType, len(content))
	}
	return c.String(http.StatusOK, text.String())
}

const contentType = "multipart/form-data; boundary=x"

func field(name string, size int) string {
	return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + strings.Repeat("f", size) + "\r\n"
}

func file(name string, size int) string {
	return "--x\r\nContent-Disposition: form-data; name=\"document\"; filename=\"" + name + "\"\r\nContent-Type: image/png\r\n\r\n" + strings.Repeat("p", size) + "\r\n"
}

const end = "--x--\r\n"

func TestPartsReadsFieldsAndFiles(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	s.routes.Post("/upload", web.Private.Takes(1000), listParts)
	const (
		tooLarge   = "<p>This request is too large."
		unreadable = "<p>This request cannot be read."
	)
	for _, row := range []struct {
		sentence, contentType, body string
		status                      int
		answer                      string
	}{
		{"fields and files, in order", contentType, field("a", 10) + file("a.png", 100) + field("b", 0) + end, 200,
			"a \"\" \"\" 10\ndocument \"a.png\" \"image/png\" 100\nb \"\" \"\" 0\n"},
		{"no part at all", contentType, end, 200, ""},
		{"folders are removed from file names", contentType, file("../../etc/passwd", 1) + end, 200, "document \"passwd\" \"image/png\" 1\n"},
		{"a field above the limit", contentType, field("a", 11) + end, 413, tooLarge},
		{"a file above the limit", contentType, file("a.png", 101) + end, 413, tooLarge},
		{"one part too many", contentType, strings.Repeat(field("a", 1), 4) + end, 413, tooLarge},
		{"small parts, but a body above the limit", contentType, field(strings.Repeat("n", 400), 1) + field(strings.Repeat("n", 400), 1) + field(strings.Repeat("n", 400), 1) + end, 413, tooLarge},
		{"broken off in a part", contentType, "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nf", 400, unreadable},
		{"broken off between parts", contentType, field("a", 1), 400, unreadable},
		{"no parts but text", contentType, "a=b", 400, unreadable},
		{"an ordinary form", "application/x-www-form-urlencoded", "a=b", 415, "<p>This kind of content is not taken here."},
		{"without a boundary", "multipart/form-data", end, 415, "<p>This kind of content is not taken here."},
		{"mixed parts of a mail", "multipart/mixed; boundary=x", end, 415, "<p>This kind of content is not taken here."},
	} {
		r := httptest.NewRequest(http.MethodPost, "/upload", strings.NewReader(row.body))
		r.Header.Set("Content-Type", row.contentType)
		r.ContentLength = -1 // unknown, as for a stream
		w := httptest.NewRecorder()
		s.echo.ServeHTTP(w, r)
		if w.Code != row.status || w.Body.String() != row.answer {
			t.Errorf("%s: %d %q, want %d %q", row.sentence, w.Code, w.Body, row.status, row.answer)
		}
	}
}

func TestPartsSkipsUnreadParts(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	s.routes.Post("/upload", web.Private, func(c *echo.Context) error {
		var names []string
		for part, err := range web.Parts(c, limits) {
			if err != nil {
				return err
			}
			if names = append(names, part.Name); len(names) == 2 {
				break
			}
		}
		return c.String(http.StatusOK, strings.Join(names, " "))
	})
	r := httptest.NewRequest(http.MethodPost, "/upload", strings.NewReader(file("a.png", 5000)+field("b", 1)+field("c", 1)+end))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	s.echo.ServeHTTP(w, r)
	if w.Body.String() != "document b" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// counted counts the bytes read from it.
type counted struct {
	io.Reader
	read int
}

func (c *counted) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	c.read += n
	return n, err
}

func TestRejectedBodyIsNotRead(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	called := false
	handler := func(c *echo.Context) error { called = true; return listParts(c) }
	s.routes.Post("/upload", web.Private.Takes(1000), handler)
	s.routes.Post("/guarded", web.Private.Takes(1000).For(web.WithSession("/")), handler)
	for _, row := range []struct {
		sentence, path, header, value string
		length                        int64
		status                        int
	}{
		{"from another site", "/upload", "Sec-Fetch-Site", "cross-site", -1, 403},
		{"from another origin, by an old browser", "/upload", "Origin", "https://evil.example", -1, 403},
		{"without a session, on a route that requires one", "/guarded", "Sec-Fetch-Site", "same-origin", -1, 303},
		{"above the route's limit", "/upload", "Sec-Fetch-Site", "same-origin", 1001, 413},
	} {
		body := &counted{Reader: strings.NewReader(file("a.png", 90) + end)}
		r := httptest.NewRequest(http.MethodPost, row.path, body)
		r.Header.Set("Content-Type", contentType)
		r.Header.Set(row.header, row.value)
		r.ContentLength = row.length
		w := httptest.NewRecorder()
		s.echo.ServeHTTP(w, r)
		if w.Code != row.status || body.read != 0 || called {
			t.Errorf("%s: %d, %d bytes read, handler called: %v", row.sentence, w.Code, body.read, called)
		}
	}
}

// pours returns a multipart body with one file of at least most bytes.
func pours(most int64) (body io.Reader, contentType string) {
	reader, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	go func() {
		part, err := form.CreateFormFile("document", "a.bin")
		for piece := make([]byte, 32<<10); err == nil && most > 0; most -= int64(len(piece)) {
			_, err = part.Write(piece)
		}
		if err == nil {
			err = form.Close()
		}
		writer.CloseWithError(err)
	}()
	return reader, form.FormDataContentType()
}

func TestTooLargeBodyIsRefusedWhileRead(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	read := make(chan int64, 1)
	s.routes.Post("/upload", web.Private.Takes(1<<20).Within(time.Minute, time.Minute), func(c *echo.Context) error {
		for part, err := range web.Parts(c, web.PartLimits{Parts: 1, File: 1 << 40}) {
			if err != nil {
				return err
			}
			n, err := io.Copy(io.Discard, part)
			read <- n
			if err != nil {
				return err
			}
		}
		return c.NoContent(http.StatusNoContent)
	})
	body, contentType := pours(1 << 40)
	answer := ask(t, http.MethodPost, s.serves(t, 0, 0).URL+"/upload", body, "Content-Type", contentType)
	if n := <-read; answer.StatusCode != http.StatusRequestEntityTooLarge || n > 1<<20 {
		t.Errorf("%s after %d bytes", answer.Status, n)
	}
}

func TestReadDeadlineIsTheRoutes(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	ended := make(chan error, 1)
	arrived := make(chan struct{}, 1)
	reads := func(c *echo.Context) error {
		_, err := io.ReadAll(c.Request().Body)
		ended <- err
		return err
	}
	upload := func(c *echo.Context) error {
		for part, err := range web.Parts(c, limits) {
			if err != nil {
				return err
			}
			if _, err := io.ReadAll(part); err != nil {
				return err
			}
			arrived <- struct{}{}
		}
		return c.String(http.StatusOK, "kept")
	}
	s.routes.Post("/page", web.Private, reads)
	s.routes.Post("/patient", web.Private.Within(time.Minute, 0), upload)
	s.routes.Post("/hasty", web.Private.Within(50*time.Millisecond, 0), upload)
	server := s.serves(t, 200*time.Millisecond, 400*time.Millisecond)
	send := func(path string) (answers <-chan *http.Response, body *io.PipeWriter) {
		reader, writer := io.Pipe()
		answered := make(chan *http.Response, 1)
		go func() {
			defer close(answered)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, reader)
			if err != nil {
				return
			}
			r.Header.Set("Content-Type", contentType)
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answered <- answer
			}
		}()
		_, _ = io.WriteString(writer, field("a", 1)+field("b", 1)[:20]) // the next boundary ends the part
		<-arrived
		return answered, writer
	}
	status := func(answers <-chan *http.Response) int {
		answer := <-answers
		if answer == nil {
			return 0
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}

	answers, rest := send("/patient")
	for range 3 { // so that the server's write deadline passes too
		if err := untilTooLate(t, server, http.MethodPost, "/page", ended); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("the server waited for a page's body: %v", err)
		}
	}
	_, _ = io.WriteString(rest, field("b", 1)[20:]+end)
	_ = rest.Close()
	<-arrived
	if got := status(answers); got != http.StatusOK {
		t.Errorf("a sender within the route's deadline gets %d", got)
	}
	answers, rest = send("/hasty")
	defer rest.Close()
	if got := status(answers); got != http.StatusRequestTimeout {
		t.Errorf("a sender past the route's deadline gets %d", got)
	}
}

func TestLongUploadUsesLittleMemoryAndNoFile(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	s := newSite(t, "http://127.0.0.1:8080")
	g := newGauge()
	s.routes.Post("/upload", web.Private.Takes(streamed+1<<20).Within(time.Minute, time.Minute), func(c *echo.Context) error {
		var read int64
		for part, err := range web.Parts(c, web.PartLimits{Parts: 1, File: streamed}) {
			if err != nil {
				return err
			}
			for n := int64(1); n > 0; {
				if n, err = io.CopyN(io.Discard, part, 8<<20); err != nil && err != io.EOF {
					return err
				}
				read += n
				g.look()
			}
		}
		left, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, fmt.Sprint(read, " bytes, ", len(left), " files"))
	})
	body, contentType := pours(streamed)
	answer := ask(t, http.MethodPost, s.serves(t, 0, 0).URL+"/upload", body, "Content-Type", contentType)
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil || text.String() != fmt.Sprint(streamed, " bytes, 0 files") {
		t.Errorf("%s %s, %v", answer.Status, &text, err)
	}
	g.judge(t, "in")
}

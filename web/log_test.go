package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/web"
)

func TestRequestsAreCountedAndLogged(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	first := s.get("/who?phone=9876543210", func(r *http.Request) { r.Header.Set("X-Request-Id", "forged") })
	s.get("/missing")
	s.echo.GET("/breaks", func(*echo.Context) error { panic("boom") })
	s.get("/breaks")
	if got, want := strings.Join(s.watcher.served, ", "), "GET /who No Content, GET  Not Found, GET /breaks Internal Server Error"; got != want {
		t.Errorf("served %q, want %q", got, want)
	}
	id := first.Header().Get("X-Request-Id")
	logs := s.logs.String()
	line := regexp.MustCompile(`^\{"time":"20[0-9T:.+Z-]+","level":"INFO","msg":"request","request":"` + id + `","method":"GET","path":"/who","status":204,"bytes":0,"ms":[0-9.]+,"address":"192\.0\.2\.x"\}\n`)
	if id == "forged" || !line.MatchString(logs) || strings.Contains(logs, "9876543210") {
		t.Errorf("log\n%s", logs)
	}
}

func TestFailedRefusalPageIs500(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	s.manager.RefusalPage = func(*echo.Context, web.Refusal) error { return errors.New("no page") }
	if got := s.get("/missing"); got.Code != http.StatusInternalServerError || !strings.Contains(s.watcher.served[0], "Internal Server Error") {
		t.Errorf("%d, served %v", got.Code, s.watcher.served)
	}
}

func TestLogLineIsTruncated(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	s.get("/"+strings.Repeat("a/", 7000), func(r *http.Request) { r.Method = strings.Repeat("M", 9000) })
	if logs := s.logs.String(); len(logs) > 1000 || !strings.Contains(logs, `"method":"MMMM`) || !strings.Contains(logs, `"path":"/a/a/`) {
		t.Errorf("%d bytes: %.500s", len(logs), logs)
	}
}

func TestAccessLogHasNoControlCharacters(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	for asked, want := range map[string]string{
		"/%1b%5b2Jsee%0a%0dforged%00%7f":          `"path":"/[2Jseeforged"`,
		"/%ff%fe/" + strings.Repeat("%ff", 400):   `"path":"//"`,
		"/%e0%a4%86%e0%a4%b6%e0%a4%be":            `"path":"/आशा"`,
		"/" + strings.Repeat("%e0%a4%86", 100):    `"path":"/` + strings.Repeat("आ", 99) + `"`,
		"/%22,%22msg%22:%22forged%22,%22x%22:%22": `"path":"/\",\"msg\":\"forged\",\"x\":\""`,
	} {
		s.logs.Reset()
		s.get(asked)
		if logs := s.logs.String(); !strings.Contains(logs, want) || strings.Count(logs, "\n") != 1 {
			t.Errorf("%s: %s, want %s", asked, logs, want)
		}
	}
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"+919876543210": "98******10", "9876543210": "98******10", "919876543210": "98******10", "1234": "****", "": "",
	} {
		if got := web.MaskPhone(in); got != want {
			t.Errorf("phone %q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"asha@example.com": "a***@example.com", "é@x.in": "é***@x.in", "@x": "***", "none": "***"} {
		if got := web.MaskEmail(in); got != want {
			t.Errorf("e-mail %q: %q, want %q", in, got, want)
		}
	}
	token, id := "Xb7_"+admission.NewToken()[4:], "k3v5w9c1m2n4p6q8r0k3v5w9c1"
	for in, want := range map[string]string{
		"code for +919876543210 and asha.rao+x@example.com":  "code for 98******10 and a***@example.com",
		"card 4111111111111111":                              "card 41************11",
		"at 2026-11-21T06:30:00Z":                            "at 2026-11-21T06:30:00Z",
		"txn " + "k3v5w9c1m2n4p6q8r0":                        "txn k3v5w9c1m2n4p6q8r0",
		"token=" + token:                                     "token=" + token[:4] + "…",
		"t.1795242600000.Aq3Zk9xW0bT7yLm2Nc5vRg." + token:    "t.17*********00.Aq3Z…." + token[:4] + "…",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x": "eyJh….eyJz….x",
		"/checkout/" + id + "/return":                        "/checkout/" + id[:8] + "…/return",
		"payment " + id + ": paid":                           "payment " + id[:8] + "…: paid",
		"/ks-website/v1/check-scholarship-registered-phone":  "/ks-website/v1/check-scholarship-registered-phone",
		"goroutine 7: TestGuessesInParallelGetFiveTries":     "goroutine 7: TestGuessesInParallelGetFiveTries",
		"\"a@b.in\",\"c@d.in\"":                              "\"a***@b.in\",\"c***@d.in\"",
	} {
		if got := web.Mask(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"/receipt/" + token: "/receipt/…", "/invoice/short": "/invoice/…", "/confirm/4K7M2P9QTX": "/confirm/…", "/apply/x?otp=123456": "/apply/x", "/find/9876543210": "/find/98******10",
	} {
		if got := web.MaskPath(in); got != want {
			t.Errorf("path %q: %q, want %q", in, got, want)
		}
	}
}

func TestLogHandlerMasksAttributes(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(web.NewLogHandler(slog.NewJSONHandler(&out, nil), &out)).With("to", "+919876543210").WithGroup("g")
	log.Info("sent to asha@example.com\r\nforged line", "error", context.DeadlineExceeded, "otp", "123456", "n", 9876543210,
		slog.Group("inner", "email", "asha@example.com"), "any", []string{"asha@example.com"}, "id", "k3v5w9c1m2n4p6q8r0k3v5w9c1", "txn", "m3v5w9c1m2n4p6q8r0k3v5w9c1")
	for _, secret := range []string{"asha@", "123456", "9876543210\"", "+919876543210", "\r", "\nforged", "k3v5w9c1m2n4p6q8r0k3v5w9c1\",\"txn"} {
		if strings.Contains(strings.TrimSuffix(out.String(), "\n"), secret) {
			t.Errorf("the log holds %q: %s", secret, out.String())
		}
	}
	if !strings.Contains(out.String(), `"txn":"m3v5w9c1m2n4p6q8r0k3v5w9c1"`) {
		t.Errorf("the payment id is masked: %s", out.String())
	}
	if !strings.Contains(out.String(), "context deadline exceeded") {
		t.Errorf("the log lost its error: %s", out.String())
	}
}

func BenchmarkServe(b *testing.B) {
	manager, err := web.New(web.Config{
		Sessions: &keeper{}, BaseURL: "https://www.example.in", Clock: time.Now, Log: slog.New(web.NewLogHandler(slog.NewJSONHandler(discard{}, nil), discard{})), Watch: quiet{},
		RefusalPage: func(*echo.Context, web.Refusal) error { return nil },
	})
	if err != nil {
		b.Fatal(err)
	}
	e := echo.New()
	manager.Install(e).Get("/", web.Public, func(c *echo.Context) error { return c.NoContent(http.StatusOK) })
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	b.ReportAllocs()
	for b.Loop() {
		e.ServeHTTP(httptest.NewRecorder(), r)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

type quiet struct{}

func (quiet) Served(string, string, int, time.Duration) {}
func (quiet) Broke(context.Context, error, string)      {}

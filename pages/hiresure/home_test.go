package hiresure_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission/access"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/hiresure"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

const origin = "http://example.test"

// newSite returns a site that refuses the addresses refused.
func newSite(t *testing.T, refused ...string) *echo.Echo {
	t.Helper()
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	source, err := content.NewSource(words)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC) }
	sessions := &access.Service{Config: access.Config{Store: storetest.Open(t, storetest.SQLite(t)).Areas().Access, Clock: clock}}
	kit := &pages.Kit{Content: source, BaseURL: origin, DefaultEvent: "hiresure-mgrow-2025", Clock: clock, Log: slog.New(slog.DiscardHandler)}
	if kit.Session, err = web.New(web.Config{
		Sessions: sessions, BaseURL: origin, RefusalPage: kit.RefusalPage, Clock: clock, Log: kit.Log, Watch: webtest.Watch{T: t},
	}); err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	r := kit.Session.Install(e)
	hiresure.Routes(r, kit)
	for _, path := range refused {
		r.Get(path, web.Public, func(*echo.Context) error { return echo.ErrBadRequest })
	}
	return e
}

func ask(e *echo.Echo, method, address string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, httptest.NewRequest(method, origin+address, nil))
	return answer
}

func TestTryingAgainStaysHere(t *testing.T) {
	e := newSite(t, "/refused", "//evil.example/")
	for address, again := range map[string]string{"/refused?a=b": `href="/refused?a=b"`, "//evil.example/?a=b": ""} {
		answer := ask(e, "GET", address)
		body := answer.Body.String()
		if answer.Code != http.StatusBadRequest || strings.Contains(body, "evil.example") || strings.Contains(body, "Try again") != (again != "") || !strings.Contains(body, again) {
			t.Errorf("%s: %d %s", address, answer.Code, body)
		}
	}
}

func TestUnknownPageRedirectsHome(t *testing.T) {
	e := newSite(t)
	for _, test := range []struct {
		sentence, method, address string
		status                    int
		leads                     string
	}{
		{"the home", "GET", "/hiresure", 200, ""},
		{"the home without its body", "HEAD", "/hiresure", 200, ""},
		{"the home with a slash", "GET", "/hiresure/", 301, "/hiresure"},
		{"a page below the home", "GET", "/hiresure/results", 302, "/hiresure"},
		{"a page that nobody knows", "GET", "/no/such/page", 302, "/hiresure"},
		{"its head", "HEAD", "/no/such/page", 302, "/hiresure"},
		{"an address that looks like another site's", "GET", "//evil.example/", 302, "/hiresure"},
		{"a post to a page that nobody knows", "POST", "/no/such/page", 404, ""},
		{"a script that is missing", "GET", "/static/missing.js", 404, ""},
		{"a picture that is missing", "GET", "/logo.png", 404, ""},
		{"a call that nobody knows", "GET", "/payments/v1/nothing", 404, ""},
	} {
		answer := ask(e, test.method, test.address)
		if answer.Code != test.status || answer.Header().Get("Location") != test.leads {
			t.Errorf("%s: %d %q, want %d %q", test.sentence, answer.Code, answer.Header().Get("Location"), test.status, test.leads)
		}
		if test.status == 302 && answer.Header().Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%s may be indexed", test.sentence)
		}
	}
}

func TestTokensAreCleanedFromTheAddress(t *testing.T) {
	e := newSite(t)
	for _, test := range []struct {
		sentence, address, leads string // "" for no redirect: nothing to clean
	}{
		{"no token", "/hiresure?utm_source=mail", ""},
		{"an access token", "/hiresure?access_token=secret", "/hiresure"},
		{"a refresh token", "/hiresure?refresh_token=secret", "/hiresure"},
		{"an empty token", "/hiresure?access_token=", "/hiresure"},
		{"both, twice, and something else", "/hiresure?access_token=secret&a=1&refresh_token=secret&access_token=secret", "/hiresure?a=1"},
		{"an escaped name", "/hiresure?access%5Ftoken=secret", "/hiresure"},
	} {
		answer := ask(e, http.MethodGet, test.address)
		header := answer.Header()
		if test.leads == "" {
			if answer.Code != http.StatusOK {
				t.Errorf("%s: %d", test.sentence, answer.Code)
			}
			continue
		}
		if answer.Code != http.StatusSeeOther || header.Get("Location") != test.leads {
			t.Errorf("%s: %d %q, want 303 %q", test.sentence, answer.Code, header.Get("Location"), test.leads)
		}
		if header.Get("Referrer-Policy") != "no-referrer" || header.Get("Cache-Control") != "no-store" || header.Get("Set-Cookie") != "" {
			t.Errorf("%s: the token may be kept or sent on: %v", test.sentence, header)
		}
		if strings.Contains(answer.Body.String(), "secret") {
			t.Errorf("%s: the token is in the answer", test.sentence)
		}
	}
}

func TestExamsShowDateAndFee(t *testing.T) {
	body := strings.Join(strings.Fields(ask(newSite(t), "GET", "/hiresure").Body.String()), " ")
	for _, part := range []string{`<p class="exam-day"><b>14</b> <strong>March 2027</strong> Sunday</p>`, `<p class="exam-day"><b>28</b> <strong>March 2027</strong> Sunday</p>`,
		"<dt>Classes begin</dt><dd><b>5</b> <span>April 2027</span>", "<dt>Classes begin</dt><dd><b>19</b> <span>April 2027</span>",
		`The top 250 pay no tuition, from rank 251 tuition is <span class="rupee">₹</span>4,50,000`,
		`The top 200 pay no tuition, the next 100 pay <span class="rupee">₹</span>2,25,000, from rank 301 tuition is <span class="rupee">₹</span>4,50,000`,
		"Run by Aksharam Skill Academy. The top ranks of each exam pay no tuition.",
		`href="/apply/hiresure-mgrow-2025">Apply<span class="visually-hidden"> for HireSure mGrow Scholarship</span></a>`, `href="/apply/hiresure-campus-2026">Apply<span class="visually-hidden"> for HireSure Campus Scholarship</span></a>`} {
		if strings.Count(body, part) != 1 {
			t.Errorf("%d times %s, want it once", strings.Count(body, part), part)
		}
	}
	if fee := `<dt>Exam fee</dt><dd><b><span class="rupee">₹</span>1,499</b> <span>all taxes included</span>`; strings.Count(body, fee) != 2 {
		t.Errorf("%d times %s, want it for both exams", strings.Count(body, fee), fee)
	}
}

func TestHomeNamesTheApplication(t *testing.T) {
	body := ask(newSite(t), http.MethodGet, "/hiresure").Body.String()
	for _, piece := range []string{"A scholarship based on family income and marks", "Family income and marks decide. 40 seats a year, no exam.", "The fee is ", "2,500.00", `href="/hiresure/verify"`} {
		if !strings.Contains(body, piece) {
			t.Errorf("the home page lacks %q", piece)
		}
	}
}

package account_test

import (
	"bytes"
	"context"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/message"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/account"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

// site has the account pages over a real store, with a fixed clock.
type site struct {
	t        *testing.T
	url      string
	store    *store.Store
	services *business.Services
	clock    *businesstest.Clock
	written  []message.Message // newest last
	log      bytes.Buffer
	human    bool // a human check is required
	echo     *echo.Echo
	database string // its address
}

func newSite(t *testing.T) *site {
	t.Helper()
	words, err := content.Load()
	check(t, err)
	source, err := content.NewSource(words)
	check(t, err)
	s := &site{t: t, clock: businesstest.NewClock(businesstest.Noon), echo: echo.New(), database: storetest.SQLite(t)}
	s.store = storetest.Open(t, s.database)
	server := httptest.NewServer(s.echo)
	t.Cleanup(server.Close)
	s.url = server.URL
	config := businesstest.Config(s.store.Areas(), s.clock.Now)
	config.Notifier, config.Human, config.BaseURL = s, s, s.url
	s.services, err = business.New(config)
	check(t, err)
	log := slog.New(slog.NewTextHandler(&s.log, nil))
	kit := &pages.Kit{Services: s.services, Events: config.Events, Content: source, BaseURL: s.url, DefaultEvent: "hiresure-mgrow-2025", Clock: s.clock.Now, Log: log}
	kit.Session, err = web.New(web.Config{Sessions: s.services.Access, BaseURL: s.url, RefusalPage: kit.RefusalPage, Clock: s.clock.Now, Log: log, Watch: webtest.Watch{T: t}})
	check(t, err)
	routes := kit.Session.Install(s.echo)
	account.Routes(routes, kit)
	account.SampleRoutes(routes, kit)
	return s
}

// change changes the database as no page does.
func (s *site) change(statement string) {
	s.t.Helper()
	_, err := storetest.SQL(s.t, s.database).Exec(statement)
	check(s.t, err)
}

func (s *site) Render(m *message.Message) error {
	s.written = append(s.written, *m)
	return nil
}

func (s *site) Send(context.Context, message.Message) error { return nil }

func (s *site) Needed() bool { return s.human }

func (s *site) NotReady() string { return "Execute reCAPTCHA is not ready yet." }

func (s *site) Work(subject string, steps int) any {
	return map[string]any{"provider": "pow", "steps": steps}
}

func (s *site) Worked(token, _ string, _ int) (string, bool) { return token, token == "good" }

func (s *site) Check(_ context.Context, token string, _ admission.Visitor) (access.Pass, error) {
	if token == "good" || token == "other good" {
		return access.Pass{}, nil
	}
	return access.Pass{}, access.ErrNotHuman
}

// code returns the latest one sent to an address.
func (s *site) code(to string) string {
	s.t.Helper()
	for i := len(s.written) - 1; i >= 0; i-- {
		if m := s.written[i]; m.To == to && m.Params["Code"] != "" {
			return m.Params["Code"]
		}
	}
	s.t.Fatalf("no code went to %s", to)
	return ""
}

// browser is a browser without scripts, with its latest page.
type browser struct {
	*site
	client   *http.Client
	status   int
	location string
	header   http.Header
	body     string
}

func (s *site) browser() *browser {
	jar, err := cookiejar.New(nil)
	check(s.t, err)
	return &browser{site: s, client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (b *browser) get(address string) *browser {
	b.t.Helper()
	r, err := http.NewRequest(http.MethodGet, b.url+address, nil)
	check(b.t, err)
	return b.do(r)
}

// post sends the fields of the page's form, with the given ones replaced.
func (b *browser) post(address string, pairs ...string) *browser {
	b.t.Helper()
	values := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(b.body, -1) {
		values.Add(field[1], html.UnescapeString(field[2]))
	}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	r, err := http.NewRequest(http.MethodPost, b.url+address, strings.NewReader(values.Encode()))
	check(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

func (b *browser) do(r *http.Request) *browser {
	b.t.Helper()
	r.Header.Set("User-Agent", "Mozilla/5.0 (Linux; Android 14) Chrome/130")
	answer, err := b.client.Do(r)
	check(b.t, err)
	body, err := io.ReadAll(answer.Body)
	check(b.t, err)
	check(b.t, answer.Body.Close())
	b.status, b.location, b.header, b.body = answer.StatusCode, answer.Header.Get("Location"), answer.Header, string(body)
	return b
}

// is checks a status and sentences in the page.
func (b *browser) is(status int, sentences ...string) *browser {
	b.t.Helper()
	if b.status != status {
		b.t.Fatalf("status %d to %q, want %d\n%s", b.status, b.location, status, b.text())
	}
	for _, sentence := range sentences {
		if !strings.Contains(b.text(), sentence) {
			b.t.Errorf("%q is not in\n%s", sentence, b.text())
		}
	}
	return b
}

func (b *browser) without(sentences ...string) *browser {
	b.t.Helper()
	for _, sentence := range sentences {
		if strings.Contains(b.text(), sentence) {
			b.t.Errorf("%q is in\n%s", sentence, b.text())
		}
	}
	return b
}

func (b *browser) leadsTo(address string) *browser {
	b.t.Helper()
	if b.status != http.StatusSeeOther && b.status != http.StatusFound || b.location != address {
		b.t.Fatalf("%d to %q, want one to %q\n%s", b.status, b.location, address, b.text())
	}
	return b
}

// asks checks for a redirect to a code's page, and opens it.
func (b *browser) asks(path string, sentences ...string) *browser {
	b.t.Helper()
	if address, _, _ := strings.Cut(b.location, "?"); b.status != http.StatusSeeOther || address != path {
		b.t.Fatalf("%d to %q, want one to the code at %q\n%s", b.status, b.location, path, b.text())
	}
	return b.get(b.location).is(http.StatusOK, append(sentences, "Enter the OTP")...)
}

var (
	styles = regexp.MustCompile(`(?s)<style>.*?</style>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
)

// text returns the visible text of the page.
func (b *browser) text() string {
	text := tags.ReplaceAllString(strings.ReplaceAll(styles.ReplaceAllString(b.body, ""), "<wbr>", ""), " ")
	return strings.ReplaceAll(strings.Join(strings.Fields(html.UnescapeString(text)), " "), "\u00a0", " ")
}

// signsIn requests a code for an address, and enters it.
func (b *browser) signsIn(typed, to, next string) *browser {
	b.t.Helper()
	b.get("/account/sign-in?next=" + url.QueryEscape(next)).is(http.StatusOK)
	b.post("/account/sign-in", "identifier", typed).asks("/account/sign-in/code")
	return b.post("/account/sign-in/code", "do", "verify", "otp", b.code(to))
}

const (
	phone = "9876543210"
	spoke = "+91 98765 43210"
	email = "asha@example.com"
)

// signedUp returns a browser of a new account with a phone.
func (s *site) signedUp(phone, email string) *browser {
	s.t.Helper()
	b := s.browser()
	b.get("/account/sign-up").is(http.StatusOK)
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", email, "phone_number", phone).asks("/account/sign-in/code")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/hiresure")
	return b
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

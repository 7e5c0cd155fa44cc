package hiresure_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/hiresure"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

// issuer is an accounts service that has signed "good…".
type issuer struct {
	asked int
	clock func() time.Time
}

func (i *issuer) Identify(_ context.Context, token string) (account.Identity, error) {
	i.asked++
	if !strings.HasPrefix(token, "good") {
		return account.Identity{}, errors.New("no token of ours")
	}
	return account.Identity{
		FullName: "Asha Rao", Phone: "+919876543210", PhoneVerified: true, Email: "asha@example.com", EmailVerified: true, Once: admission.HashToken(token), ExpiresAt: i.clock().Add(time.Hour),
	}, nil
}

type handOverSite struct {
	*echo.Echo
	url      string // of the database
	issuer   *issuer
	services *business.Services
	logs     bytes.Buffer
}

func newHandOverSite(t *testing.T) *handOverSite {
	t.Helper()
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	source, err := content.NewSource(words)
	if err != nil {
		t.Fatal(err)
	}
	s := &handOverSite{Echo: echo.New(), url: storetest.SQLite(t)}
	config := businesstest.Config(store.Areas(storetest.Open(t, s.url)), businesstest.NewClock(businesstest.Noon).Now)
	s.issuer = &issuer{clock: config.Clock}
	if s.services, err = business.New(config); err != nil {
		t.Fatal(err)
	}
	log := slog.New(web.NewLogHandler(slog.NewJSONHandler(&s.logs, nil), &s.logs))
	kit := &pages.Kit{Services: s.services, Issuer: s.issuer, Content: source, BaseURL: origin, DefaultEvent: "hiresure-mgrow-2025", Clock: config.Clock, Log: log}
	if kit.Session, err = web.New(web.Config{
		Sessions: s.services.Access, BaseURL: origin, RefusalPage: kit.RefusalPage, Clock: config.Clock, Log: log, Watch: webtest.Watch{T: t},
	}); err != nil {
		t.Fatal(err)
	}
	hiresure.Routes(kit.Session.Install(s.Echo), kit)
	return s
}

func (s *handOverSite) get(method, address, cookie string) *httptest.ResponseRecorder {
	r, answer := httptest.NewRequest(method, origin+address, nil), httptest.NewRecorder()
	if cookie != "" {
		r.AddCookie(&http.Cookie{Name: "hiresure", Value: cookie})
	}
	s.ServeHTTP(answer, r)
	return answer
}

func cookieOf(answer *httptest.ResponseRecorder) string {
	for _, cookie := range answer.Result().Cookies() {
		return cookie.Value
	}
	return ""
}

func TestAGoodTokenSignsInAndLeavesTheAddress(t *testing.T) {
	s := newHandOverSite(t)
	answer := s.get("GET", "/hiresure?access_token=good-secret&refresh_token=also-secret&a=1", "")
	header := answer.Header()
	if answer.Code != http.StatusSeeOther || header.Get("Location") != "/hiresure?a=1" || header.Get("Referrer-Policy") != "no-referrer" || header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", answer.Code, header)
	}
	session, err := s.services.Access.FindSession(t.Context(), cookieOf(answer))
	if err != nil || session == nil || session.AccountID == "" {
		t.Fatalf("session %+v, %v", session, err)
	}
	if strings.Contains(s.logs.String()+answer.Body.String(), "secret") {
		t.Error("the token is in the log or the answer")
	}

	// A signed-in visitor stays signed in, whatever the token.
	before := storetest.Rows(t, s.url)
	s.issuer.asked = 0
	again := s.get("GET", "/hiresure?access_token=good-another", cookieOf(answer))
	if again.Code != http.StatusSeeOther || again.Header().Get("Location") != "/hiresure" || cookieOf(again) != "" || s.issuer.asked != 0 {
		t.Errorf("who is signed in: %d %v, asked %d times", again.Code, again.Header(), s.issuer.asked)
	}
	// A token opens one session.
	replayed := s.get("GET", "/hiresure?access_token=good-secret", "")
	if replayed.Code != http.StatusSeeOther || cookieOf(replayed) != "" {
		t.Errorf("the same token again: %d %v", replayed.Code, replayed.Header())
	}
	if after := storetest.Rows(t, s.url); after["sessions"] != before["sessions"] || after["accounts"] != before["accounts"] {
		t.Errorf("rows %v, before %v", after, before)
	}
}

func TestNoOtherAddressSignsAnybodyIn(t *testing.T) {
	s := newHandOverSite(t)
	before := storetest.Rows(t, s.url)
	for _, c := range []struct {
		sentence, method, address string
		status                    int
	}{
		{"a bad token", "GET", "/hiresure?access_token=bad", 303},
		{"an empty token", "GET", "/hiresure?access_token=", 303},
		{"two tokens", "GET", "/hiresure?access_token=good1&access_token=good2", 303},
		{"a refresh token alone", "GET", "/hiresure?refresh_token=good", 303},
		{"a head", "HEAD", "/hiresure?access_token=good", 303},
		{"another page", "GET", "/no/such/page?access_token=good", 302},
		{"no token", "GET", "/hiresure", 200},
	} {
		answer := s.get(c.method, c.address, "")
		if answer.Code != c.status || cookieOf(answer) != "" || strings.Contains(answer.Header().Get("Location"), "token") {
			t.Errorf("%s: %d %v, want %d", c.sentence, answer.Code, answer.Header(), c.status)
		}
	}
	after := storetest.Rows(t, s.url)
	for table, n := range before {
		if after[table] != n {
			t.Errorf("%s: %d rows, before %d", table, after[table], n)
		}
	}
}

package hiresure_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
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
	asked      int
	clock      func() time.Time
	unverified bool // the phone
}

func (i *issuer) Identify(_ context.Context, token string) (account.Identity, error) {
	i.asked++
	if !strings.HasPrefix(token, "good") {
		return account.Identity{}, errors.New("no token of ours")
	}
	return account.Identity{
		FullName: "Asha Rao", Phone: "+919876543210", PhoneVerified: !i.unverified, Email: "asha@example.com", EmailVerified: true, Once: admission.HashToken(token), ExpiresAt: i.clock().Add(time.Hour),
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

// get follows a link from another site.
func (s *handOverSite) get(method, address string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, origin+address, nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	return s.do(r, cookies)
}

// answer presses a button of the question about a token.
func (s *handOverSite) answer(do, token string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	form := url.Values{"do": {do}, "once": {admission.HashToken(token)}}
	r := httptest.NewRequest("POST", origin+"/hiresure/hand-over", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.do(r, cookies)
}

func (s *handOverSite) do(r *http.Request, cookies []*http.Cookie) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	for _, cookie := range cookies {
		r.AddCookie(cookie)
	}
	s.ServeHTTP(answer, r)
	return answer
}

// cookieOf returns the cookie that an answer sets under a name; its value is "" for none.
func cookieOf(answer *httptest.ResponseRecorder, name string) *http.Cookie {
	for _, cookie := range answer.Result().Cookies() {
		if cookie.Name == name {
			return cookie
		}
	}
	return &http.Cookie{Name: name}
}

func TestTokenLeavesAddressAndSignsInWhoConfirms(t *testing.T) {
	s := newHandOverSite(t)
	before := storetest.Rows(t, s.url)
	answer := s.get("GET", "/hiresure?access_token=good-secret&refresh_token=also-secret&a=1")
	header := answer.Header()
	if answer.Code != http.StatusSeeOther || header.Get("Location") != "/hiresure/hand-over" || header.Get("Referrer-Policy") != "no-referrer" || header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", answer.Code, header)
	}
	token := cookieOf(answer, "hand_over")
	if token.Path != "/hiresure/hand-over" || token.MaxAge != 300 || !token.HttpOnly || token.SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %v", token)
	}
	question := s.get("GET", "/hiresure/hand-over", token)
	if text := question.Body.String(); !strings.Contains(text, "Is this your account?") || !strings.Contains(text, `Asha <b class="amount">+91 98765 43210</b>`) {
		t.Errorf("%d %s", question.Code, text)
	}
	if after := storetest.Rows(t, s.url); !maps.Equal(after, before) || cookieOf(answer, "hiresure").Value+cookieOf(question, "hiresure").Value != "" {
		t.Errorf("signed in before the press: rows %v, before %v", after, before)
	}
	if forged := s.get("POST", "/hiresure/hand-over", token); forged.Code != http.StatusForbidden {
		t.Errorf("a post of another site: %d", forged.Code)
	}
	refused := s.answer("no", "good-secret", token)
	if refused.Header().Get("Location") != "/account/sign-in" || cookieOf(refused, "hand_over").MaxAge != -1 || cookieOf(refused, "hiresure").Value != "" {
		t.Errorf("who says no: %d %v", refused.Code, refused.Header())
	}
	replaced := s.answer("yes", "good-other", token)
	if replaced.Header().Get("Location") != "/hiresure/hand-over" || cookieOf(replaced, "hiresure").Value != "" {
		t.Errorf("an answer to the question about another token: %d %v", replaced.Code, replaced.Header())
	}
	pressed := s.answer("yes", "good-secret", token)
	if pressed.Code != http.StatusSeeOther || pressed.Header().Get("Location") != "/hiresure" || cookieOf(pressed, "hand_over").MaxAge != -1 {
		t.Errorf("pressed: %d %v", pressed.Code, pressed.Header())
	}
	signedIn := cookieOf(pressed, "hiresure")
	session, err := s.services.Access.FindSession(t.Context(), signedIn.Value)
	if err != nil || session == nil || session.AccountID == "" {
		t.Fatalf("session %+v, %v", session, err)
	}
	if strings.Contains(s.logs.String()+answer.Body.String()+question.Body.String()+pressed.Body.String(), "secret") {
		t.Error("the token is in the log or in an answer")
	}

	// A signed-in visitor stays signed in, whatever the token.
	before = storetest.Rows(t, s.url)
	s.issuer.asked = 0
	again := s.get("GET", "/hiresure?access_token=good-another", signedIn)
	if again.Code != http.StatusSeeOther || again.Header().Get("Location") != "/hiresure" || len(again.Result().Cookies()) > 0 || s.issuer.asked != 0 {
		t.Errorf("who is signed in: %d %v, asked %d times", again.Code, again.Header(), s.issuer.asked)
	}
	another := &http.Cookie{Name: "hand_over", Value: "good-another"}
	for what, held := range map[string]*httptest.ResponseRecorder{"asked": s.get("GET", "/hiresure/hand-over", signedIn, another), "pressed": s.answer("yes", "good-another", signedIn, another)} {
		if held.Header().Get("Location") != "/hiresure" || cookieOf(held, "hiresure").Value != "" {
			t.Errorf("%s, signed in: %d %v", what, held.Code, held.Header())
		}
	}
	// A token opens one session.
	if replayed := s.answer("yes", "good-secret", token); replayed.Header().Get("Location") != "/account/sign-in" || cookieOf(replayed, "hiresure").Value != "" {
		t.Errorf("the same token again: %d %v", replayed.Code, replayed.Header())
	}
	if after := storetest.Rows(t, s.url); after["sessions"] != before["sessions"] || after["accounts"] != before["accounts"] {
		t.Errorf("rows %v, before %v", after, before)
	}
}

// Without a verified phone the question names the e-mail, whose account it opens.
func TestQuestionNamesTheVerifiedAddress(t *testing.T) {
	s := newHandOverSite(t)
	s.issuer.unverified = true
	body := s.get("GET", "/hiresure/hand-over", &http.Cookie{Name: "hand_over", Value: "good"}).Body.String()
	if !strings.Contains(body, `Asha <b class="amount">asha@example.com</b>`) || strings.Contains(body, "98765") {
		t.Error(body)
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
		{"a question without a token", "GET", "/hiresure/hand-over", 303},
		{"a press of another site", "POST", "/hiresure/hand-over", 403},
	} {
		answer := s.get(c.method, c.address)
		if answer.Code != c.status || cookieOf(answer, "hiresure").Value+cookieOf(answer, "hand_over").Value != "" || strings.Contains(answer.Header().Get("Location"), "token") {
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

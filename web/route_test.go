package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/web"
)

func TestPolicyIsEnforced(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	read := func(c *echo.Context) error {
		if _, err := io.ReadAll(c.Request().Body); err != nil {
			return echo.ErrStatusRequestEntityTooLarge
		}
		return c.String(http.StatusOK, "read")
	}
	s.routes.Post("/said/nothing", web.Policy{}, read)
	s.routes.Post("/public", web.Public, read)
	s.routes.Post("/large", web.Private.Takes(1<<20), read)
	s.routes.Post("/open", web.Checkout.OpenToOthers(), read)
	s.routes.Post("/guarded", web.Private.For(web.WithSession("/")), read)
	s.routes.Get("/guarded", web.Private.For(web.WithSession("/")), read)
	s.routes.Post("/refused", web.Public.For(func(web.Principal) error {
		return web.Refusal{Status: http.StatusForbidden, Message: "Not for you."}
	}), read)
	token := admission.NewToken()
	if err := s.keeper.open(t.Context(), admission.Visitor{SessionID: admission.NewID(), Offered: &admission.NewSession{TokenHash: admission.HashToken(token)}}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		sentence, method, path string
		body                   int
		headers                map[string]string
		status                 int
		cache, location        string
	}{
		{"the zero policy is private", "POST", "/said/nothing", 1, nil, 200, "private, no-store", ""},
		{"accepts a small form", "POST", "/said/nothing", 64 << 10, nil, 200, "private, no-store", ""},
		{"accepts no more", "POST", "/said/nothing", 64<<10 + 1, nil, 413, "private, no-store", ""},
		{"rejects other sites", "POST", "/said/nothing", 1, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403, "private, no-store", ""},
		{"a public page may be cached", "POST", "/public", 1, nil, 200, "", ""},
		{"Takes allows a larger body", "POST", "/large", 1 << 20, nil, 200, "private, no-store", ""},
		{"Takes rejects one byte more", "POST", "/large", 1<<20 + 1, nil, 413, "private, no-store", ""},
		{"OpenToOthers admits other sites", "POST", "/open", 1, map[string]string{"Sec-Fetch-Site": "cross-site"}, 200, "private, no-store", ""},
		{"a guard redirects strangers", "GET", "/guarded", 0, nil, 302, "private, no-store", "/"},
		{"a guard redirects posts", "POST", "/guarded", 1, nil, 303, "private, no-store", "/"},
		{"a guard admits sessions", "POST", "/guarded", 1, map[string]string{"Cookie": "__Host-hiresure=" + token}, 200, "private, no-store", ""},
		{"a guard may refuse", "POST", "/refused", 1, nil, 403, "", ""},
	} {
		r := httptest.NewRequest(row.method, row.path, strings.NewReader(strings.Repeat("x", row.body)))
		for name, value := range row.headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		s.echo.ServeHTTP(w, r)
		if w.Code != row.status || w.Header().Get("Cache-Control") != row.cache || w.Header().Get("Location") != row.location {
			t.Errorf("%s: %d %q %q, want %d %q %q", row.sentence, w.Code, w.Header().Get("Cache-Control"), w.Header().Get("Location"), row.status, row.cache, row.location)
		}
	}
}

func TestPolicyReadDeadline(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	ended := make(chan error, 1)
	s.routes.Post("/slow", web.Private.Within(50*time.Millisecond, time.Minute), func(c *echo.Context) error {
		_, err := io.ReadAll(c.Request().Body)
		ended <- err
		return err
	})
	server := httptest.NewServer(s.echo)
	defer server.Close()
	reader, writer := io.Pipe()
	defer writer.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/slow", reader)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
		}
	}()
	if err := <-ended; err == nil {
		t.Error("a body that never ended was read")
	}
}

func TestSignedInRedirectsToSignInAndBack(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	served := 0
	s.routes.Get("/mine", web.Private.For(web.SignedIn), func(c *echo.Context) error { served++; return c.NoContent(http.StatusNoContent) })
	for _, c := range []struct {
		sentence, account string
		session           bool
		status            int
		location          string
	}{
		{"no session", "", false, http.StatusFound, "/account/sign-in?next=%2Fmine%3Fpage%3D2"},
		{"a session without account", "", true, http.StatusFound, "/account/sign-in?next=%2Fmine%3Fpage%3D2"},
		{"signed in", admission.NewID(), true, http.StatusNoContent, ""},
	} {
		before, token := served, admission.NewToken()
		if c.session {
			session := access.Session{ID: admission.NewID(), TokenHash: admission.HashToken(token), ExpiresAt: now.Add(time.Hour), AccountID: c.account, SignedInAt: now}
			if err := s.keeper.Store.Update(t.Context(), func(tx access.Tx) error { return tx.AddSession(&session) }); err != nil {
				t.Fatal(err)
			}
		}
		w := s.get("/mine?page=2", cookie("__Host-hiresure", token))
		if w.Code != c.status || w.Header().Get("Location") != c.location || (served > before) != (c.status == http.StatusNoContent) {
			t.Errorf("%s: %d to %q, served %d times", c.sentence, w.Code, w.Header().Get("Location"), served-before)
		}
	}
}

func TestOwnOriginMayPostBehindProxyWithOtherHost(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	for origin, status := range map[string]int{
		"https://www.example.in": http.StatusNoContent, "https://www.example.in.evil": http.StatusForbidden, "http://www.example.in": http.StatusForbidden, "null": http.StatusForbidden,
	} {
		for _, host := range []string{"site:8080", "www.example.in"} {
			if w := s.send(http.MethodPost, "/who", func(r *http.Request) { r.Host = host; r.Header.Set("Origin", origin) }); w.Code != status {
				t.Errorf("to %s from %s: %d, want %d", host, origin, w.Code, status)
			}
		}
	}
}

package web_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/web"
)

// tokens accepts the token "good" and counts the calls.
type tokens struct {
	asked int
	err   error
}

func (t *tokens) Session(_ context.Context, token string) (*access.Session, error) {
	t.asked++
	if token != "good" {
		return nil, t.err
	}
	return &access.Session{ID: "client", AccountID: "asha", API: true}, t.err
}

func TestBearerTokenCountsOnlyWhereAccepted(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	call := func(path string, p web.Policy) {
		s.routes.Get(path, p, func(c *echo.Context) (err error) {
			if s.visitor, err = s.manager.Visitor(c); err == nil {
				s.visitor, err = s.manager.VisitorOrNew(c)
			}
			return err
		})
	}
	token, id := admission.NewToken(), admission.NewID()
	if err := s.keeper.open(t.Context(), admission.Visitor{SessionID: id, Offered: &admission.NewSession{TokenHash: admission.HashToken(token)}}); err != nil {
		t.Fatal(err)
	}
	call("/user/who", web.Call)
	call("/user/mine", web.Call.For(web.SignedInCall))
	call("/page", web.Private)
	call("/paper", web.Private.For(web.SignedIn).ByToken())
	for _, c := range []struct {
		sentence, path, authorization string
		cookie                        bool
		status                        int
		session, account              string
	}{
		{"a good token", "/user/who", "Bearer good", false, 200, "client", "asha"},
		{"a good token, scheme in mixed case, with spaces", "/user/who", "bEARER  good ", false, 200, "client", "asha"},
		{"a good token and a cookie", "/user/who", "Bearer good", true, 200, "client", "asha"},
		{"a bad token", "/user/who", "Bearer bad", false, 401, "", ""},
		{"a bad token and a good cookie", "/user/who", "Bearer bad", true, 401, "", ""},
		{"an empty token and a good cookie", "/user/who", "Bearer", true, 401, "", ""},
		{"another scheme and a good cookie", "/user/who", "Basic eDp5", true, 200, id, ""},
		{"only a cookie", "/user/who", "", true, 200, id, ""},
		{"a good token on a route for signed-in visitors", "/user/mine", "Bearer good", false, 200, "client", "asha"},
		{"a good token and a cookie on a page", "/page", "Bearer good", true, 200, id, ""},
		{"a good token on a page that accepts tokens", "/paper", "Bearer good", true, 200, "client", "asha"},
		{"a bad token on a page that accepts tokens", "/paper", "Bearer bad", true, 401, "", ""},
		{"a bad token on a route for signed-in visitors", "/user/mine", "Bearer bad", true, 401, "", ""},
		{"a cookie without account on a route for signed-in visitors", "/user/mine", "", true, 401, "", ""},
		{"a good token on a page", "/who", "Bearer good", false, 204, "", ""},
		{"a bad token and a cookie on a page", "/who", "Bearer bad", true, 204, id, ""},
	} {
		s.visitor = admission.Visitor{}
		w := s.get(c.path, func(r *http.Request) {
			if c.authorization != "" {
				r.Header.Set("Authorization", c.authorization)
			}
			if c.cookie {
				cookie("__Host-hiresure", token)(r)
			}
		})
		if w.Code != c.status || s.visitor.SessionID != c.session && c.status != 401 || s.visitor.AccountID != c.account {
			t.Errorf("%s: %d, session %q of %q; want %d, %q of %q", c.sentence, w.Code, s.visitor.SessionID, s.visitor.AccountID, c.status, c.session, c.account)
		}
		if challenge := w.Header().Get("WWW-Authenticate"); (challenge == "Bearer") != (c.status == 401) || challenge != "" && c.status != 401 {
			t.Errorf("%s: WWW-Authenticate %q", c.sentence, challenge)
		}
		if w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: a cookie is set", c.sentence)
		}
	}
	two := s.get("/user/who", func(r *http.Request) { r.Header["Authorization"] = []string{"Bearer bad", "Bearer good"} })
	if two.Code != http.StatusUnauthorized {
		t.Errorf("two tokens, one of them good: %d", two.Code)
	}
	s.tokens.asked = 0
	s.get("/user/mine", func(r *http.Request) { r.Header.Set("Authorization", "Bearer good") })
	if s.tokens.asked != 1 { // by guard and handler
		t.Errorf("the token is looked up %d times in one request", s.tokens.asked)
	}
	s.tokens.err = errors.New("the database is gone")
	if w := s.get("/user/who", func(r *http.Request) { r.Header.Set("Authorization", "Bearer good") }); w.Code != http.StatusInternalServerError {
		t.Errorf("an internal error returns %d", w.Code)
	}
}

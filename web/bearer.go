package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/gorilla/sessions"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
)

// TokenReader validates the access tokens of API clients; implemented by account.Tokens.
type TokenReader interface {
	// Session returns the live session of an access token, or nil for an invalid token.
	Session(ctx context.Context, accessToken string) (*access.Session, error)
}

// Bearer returns the bearer token of a request and reports whether the request has one. The token is "" if the header
// is malformed; callers must then reject the request rather than fall back to the cookie.
func Bearer(r *http.Request) (token string, brings bool) {
	lines := r.Header.Values("Authorization")
	for _, line := range lines {
		scheme, rest, _ := strings.Cut(line, " ")
		if strings.EqualFold(scheme, "Bearer") {
			token, brings = strings.TrimSpace(rest), true
		}
	}
	if len(lines) > 1 {
		token = ""
	}
	return token, brings
}

// bearerName is the registry name of the session that belongs to the request's bearer token.
const bearerName = "bearer"

// bearerStore is a sessions.Store for sessions of bearer tokens. It sends no cookie: clients receive their tokens in the
// bodies of the token calls.
type bearerStore struct{ tokens TokenReader }

func (s *bearerStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New returns the session of the request's token, or admission.LoginProblem.
func (s *bearerStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	token, _ := Bearer(r)
	if s.tokens == nil || token == "" {
		return session, admission.LoginProblem()
	}
	found, err := s.tokens.Session(r.Context(), token)
	if err != nil {
		return session, err
	}
	if found == nil {
		return session, admission.LoginProblem()
	}
	remember(session, found)
	return session, nil
}

func (*bearerStore) Save(*http.Request, http.ResponseWriter, *sessions.Session) error { return nil }

// session returns the session of a request: the bearer token's where the route accepts tokens and the request has one,
// else the cookie's. A request with an invalid token has no session, whatever its cookie. A view of staff has its own session.
func (m *Manager) session(c *echo.Context) (*sessions.Session, error) {
	if v, viewed := admission.ViewedIn(c.Request().Context()); viewed {
		session := sessions.NewSession(m.store, m.cookieName)
		remember(session, &access.Session{ID: admission.ViewedSession, AccountID: v.AccountID})
		return session, nil
	}
	if _, brings := Bearer(c.Request()); brings && m.policyOf(c).byToken() {
		return m.bearers.Get(c.Request(), bearerName)
	}
	return m.store.Get(c.Request(), m.cookieName)
}

// Client returns the visitor for a call that signs an API client in. It ignores the request's cookie and token, and the call
// may open a new session.
func (m *Manager) Client(c *echo.Context) admission.Visitor {
	v := m.visitor(c, sessions.NewSession(m.bearers, bearerName))
	v.SessionID, v.Offered = admission.NewID(), &admission.NewSession{TokenHash: admission.HashToken(admission.NewToken()), API: true}
	return v
}

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

// TokenReader reads the access tokens of API clients; account.Tokens is one.
type TokenReader interface {
	// Session returns the session that an access token names, if it stands; nil for any other token.
	Session(ctx context.Context, accessToken string) (*access.Session, error)
}

// Bearer returns the token that a request brings in Authorization. It is "" where the header cannot be read, which is no
// reason to believe a cookie instead.
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

// bearerName is that of the session of a request's bearer token, among those of the request.
const bearerName = "bearer"

// bearerStore is a sessions.Store of the sessions that bearer tokens name. It sends nothing: what a client holds is given to
// it in the answers of the token calls.
type bearerStore struct{ tokens TokenReader }

func (s *bearerStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New finds the session of the request's token, or says that nobody is signed in.
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

// session returns the session of a request: of its bearer token, where a call of the API brings one or the route says so, and
// else of its cookie.
// Who brings a token that is not good is nobody, whatever cookie comes with it.
func (m *Manager) session(c *echo.Context) (*sessions.Session, error) {
	if _, brings := Bearer(c.Request()); brings && m.policyOf(c).byToken() {
		return m.bearers.Get(c.Request(), bearerName)
	}
	return m.store.Get(c.Request(), m.cookieName)
}

// Client is the visitor of a call that signs an API client in: whatever it brings counts for nothing, and the call may open
// a session for it.
func (m *Manager) Client(c *echo.Context) admission.Visitor {
	v := m.visitor(c, sessions.NewSession(m.bearers, bearerName))
	v.SessionID, v.Opens = admission.NewID(), &admission.NewSession{TokenHash: admission.HashToken(admission.NewToken()), API: true}
	return v
}

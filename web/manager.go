// Package web is shared by pages and API: it identifies the visitor (session of a cookie or bearer token, client address),
// checks the request's origin, and adds security headers, request ids, the access log and refusals to every response.
package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/sessions"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
)

// Keeper stores sessions; implemented by access.Service.
type Keeper interface {
	FindSession(ctx context.Context, token string) (*access.Session, error)
	EndSession(ctx context.Context, id string) error
}

// Watcher records request metrics and internal errors.
type Watcher interface {
	Served(method, route string, status int, took time.Duration)
	Broke(ctx context.Context, err error, requestID string)
}

// Config configures a Manager.
type Config struct {
	Sessions       Keeper
	Tokens         TokenReader    // of API clients; nil rejects every token
	Staff          StaffKeeper    // nil: the staff area does not exist
	BaseURL        string         // own origin, without a trailing slash; https makes cookies Secure
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is trusted
	Scripts        []string       // hosts of the human check, allowed by the CSP of public pages and API
	RefusalPage    func(c *echo.Context, r Refusal) error
	Clock          func() time.Time
	Log            *slog.Logger
	Watch          Watcher
}

// Manager identifies visitors and guards routes. It is safe for concurrent use.
type Manager struct {
	Config
	cookieName string
	store      *cookieStore
	bearers    *bearerStore
	origins    ownOrigin
	headers    headerClasses
	policies   map[route]*Policy
	unknown    Policy
	handler    http.Handler // all routes
}

// New returns a Manager, or an error that names every missing field.
func New(n Config) (*Manager, error) {
	var errs []error
	for _, need := range []struct {
		name    string
		missing bool
	}{
		{"Sessions", n.Sessions == nil}, {"BaseURL", n.BaseURL == ""}, {"RefusalPage", n.RefusalPage == nil},
		{"Clock", n.Clock == nil}, {"Log", n.Log == nil}, {"Watch", n.Watch == nil},
	} {
		if need.missing {
			errs = append(errs, errors.New("web: missing "+need.name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	secure := strings.HasPrefix(n.BaseURL, "https://")
	m := &Manager{Config: n, cookieName: "hiresure", headers: newHeaderClasses(secure, n.Scripts), policies: map[route]*Policy{}}
	if secure {
		m.cookieName = "__Host-hiresure"
	}
	m.store, m.bearers = &cookieStore{keeper: n.Sessions, clock: n.Clock, secure: secure}, &bearerStore{n.Tokens}
	var err error
	m.origins, err = newOwnOrigin(n.BaseURL)
	return m, err
}

// Install registers the middleware and error handler on e and returns its route table.
func (m *Manager) Install(e *echo.Echo) *Routes {
	e.HTTPErrorHandler = m.refuseError
	e.Use(m.serve)
	m.handler = e
	return &Routes{e, m}
}

// Visitor returns the visitor of a request. SessionID is "" without a live session. It queries the database only if the
// request has a cookie or, for the API, a bearer token.
func (m *Manager) Visitor(c *echo.Context) (admission.Visitor, error) {
	s, err := m.session(c)
	m.store.adopt(s)
	return m.visitor(c, s), err
}

// HasSessionCookie reports whether a request has a session cookie, live or not, or staff look at the page.
func (m *Manager) HasSessionCookie(c *echo.Context) bool {
	if _, viewed := admission.ViewedIn(c.Request().Context()); viewed {
		return true
	}
	_, err := c.Request().Cookie(m.cookieName)
	return err == nil
}

// VisitorOrNew returns the visitor like Visitor, but offers a new session to a visitor without one. The business call that
// accepts something inserts the session in its transaction, and the cookie is sent with the response. If no call does,
// nothing is stored.
func (m *Manager) VisitorOrNew(c *echo.Context) (admission.Visitor, error) {
	s, err := m.session(c)
	m.store.adopt(s)
	v := m.visitor(c, s)
	if err != nil || !s.IsNew {
		return v, err
	}
	response, err := echo.UnwrapResponse(c.Response())
	if err != nil {
		return v, err
	}
	var first bool
	if v.SessionID, v.Offered, first = m.store.offer(s); first {
		response.Before(func() {
			if m.store.adopt(s) {
				m.save(c, s)
			}
		})
	}
	return v, nil
}

// save sends the cookie of a newly opened session.
func (m *Manager) save(c *echo.Context, s *sessions.Session) {
	if err := s.Save(c.Request(), c.Response()); err != nil {
		m.Log.ErrorContext(c.Request().Context(), "sending the cookie of a new session failed", "error", err)
	}
}

// Renew sends the browser the token that access.Service.VerifyCode issued in place of the old one. It does nothing for
// "": the session kept its token.
func (m *Manager) Renew(c *echo.Context, newToken string) error {
	if newToken == "" {
		return nil
	}
	s, err := m.store.Get(c.Request(), m.cookieName)
	if err != nil {
		return err
	}
	kept, err := m.Sessions.FindSession(c.Request().Context(), newToken)
	if err != nil || kept == nil { // nil: ended meanwhile
		return err
	}
	s.IsNew, s.Values[tokenValue] = false, newToken
	remember(s, kept)
	return s.Save(c.Request(), c.Response())
}

// End deletes the visitor's session and its cookie.
func (m *Manager) End(c *echo.Context) error {
	s, err := m.store.Get(c.Request(), m.cookieName)
	if err != nil {
		return err
	}
	s.Options.MaxAge = -1
	return s.Save(c.Request(), c.Response())
}

func (m *Manager) visitor(c *echo.Context, s *sessions.Session) admission.Visitor {
	r := c.Request()
	account, _ := s.Values[accountValue].(string)
	return admission.Visitor{
		SessionID: s.ID, AccountID: account, IP: clientAddress(r, m.TrustedProxies), UserAgent: short(r.UserAgent(), 300), Page: m.page(r),
		Audit: m.audit(c, s),
	}
}

// page returns the path of the page that sent the request: the Referer's if it is ours, else the request's own.
func (m *Manager) page(r *http.Request) string {
	page := r.URL.Path
	if rest, own := strings.CutPrefix(r.Referer(), m.BaseURL+"/"); own {
		if from, err := url.Parse("/" + rest); err == nil {
			page = from.Path
		}
	}
	return short(page, 200)
}

// short truncates client-supplied text to a column's length, as valid UTF-8 without control characters.
func short(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

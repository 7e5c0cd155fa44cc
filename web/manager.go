// Package web is what pages and API share. It says who asks: the session of a cookie or a bearer token, the address, and whether
// a request may come from where it comes. It also guards every answer: security headers, request ids, the access log, and refusals.
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

// Keeper keeps sessions in the database; access.Service is one.
type Keeper interface {
	FindSession(ctx context.Context, token string) (*access.Session, error)
	EndSession(ctx context.Context, id string) error
}

// Watcher counts what was served, and hears of every fault of ours.
type Watcher interface {
	Served(method, route string, status int, took time.Duration)
	Broke(ctx context.Context, err error, requestID string)
}

// Needs is everything that a Manager works with.
type Needs struct {
	Sessions       Keeper
	Tokens         TokenReader    // of API clients; nil: no token is good
	BaseURL        string         // own origin, without a trailing slash; https makes cookies Secure
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	Scripts        []string       // where a human check loads from, besides us: the policy of public pages and API lets it
	RefusalPage    func(c *echo.Context, r Refusal) error
	Clock          func() time.Time
	Log            *slog.Logger
	Watch          Watcher
}

// Manager is safe for concurrent use.
type Manager struct {
	Needs
	cookieName string
	store      *cookieStore
	bearers    *bearerStore
	origins    *http.CrossOriginProtection
	headers    headerClasses
	policies   map[route]*Policy
	unknown    Policy
}

// New refuses needs that are missing, naming each.
func New(n Needs) (*Manager, error) {
	var errs []error
	for _, need := range []struct {
		name    string
		missing bool
	}{
		{"Sessions", n.Sessions == nil}, {"BaseURL", n.BaseURL == ""}, {"RefusalPage", n.RefusalPage == nil},
		{"Clock", n.Clock == nil}, {"Log", n.Log == nil}, {"Watch", n.Watch == nil},
	} {
		if need.missing {
			errs = append(errs, errors.New("session needs a "+need.name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	secure := strings.HasPrefix(n.BaseURL, "https://")
	m := &Manager{Needs: n, cookieName: "hiresure", headers: newHeaderClasses(secure, n.Scripts), policies: map[route]*Policy{}}
	if secure {
		m.cookieName = "__Host-hiresure"
	}
	m.store, m.bearers = &cookieStore{keeper: n.Sessions, clock: n.Clock, secure: secure}, &bearerStore{n.Tokens}
	var err error
	m.origins, err = crossOriginProtection(n.BaseURL)
	return m, err
}

// Install puts every guard before the routes of e, makes its errors readable answers, and returns where routes are added.
func (m *Manager) Install(e *echo.Echo) *Routes {
	e.HTTPErrorHandler = m.refuseError
	e.Use(m.serve)
	return &Routes{e, m}
}

// Visitor returns who asks. SessionID is "" for a browser without a live session. Only this touches the database, and
// only for a request that brings a cookie or, to the API, a bearer token.
func (m *Manager) Visitor(c *echo.Context) (admission.Visitor, error) {
	s, err := m.session(c)
	m.store.adopt(s)
	return m.visitor(c, s), err
}

// BringsSession reports whether a request brings the cookie of a session, live or not.
func (m *Manager) BringsSession(c *echo.Context) bool {
	_, err := c.Request().Cookie(m.cookieName)
	return err == nil
}

// Newcomer is Visitor for calls that accept something: one without a session may get it. The call that accepts something
// writes the session with it, and the cookie goes out with the answer; of every other call nothing is kept.
func (m *Manager) Newcomer(c *echo.Context) (admission.Visitor, error) {
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
	if v.SessionID, v.Opens, first = m.store.offer(s); first {
		response.Before(func() {
			if m.store.adopt(s) {
				m.save(c, s)
			}
		})
	}
	return v, nil
}

// save sends the cookie of a session that was just opened.
func (m *Manager) save(c *echo.Context, s *sessions.Session) {
	if err := s.Save(c.Request(), c.Response()); err != nil {
		m.Log.ErrorContext(c.Request().Context(), "the cookie of a new session was not sent", "error", err)
	}
}

// Renew gives the browser the token that access.Service.VerifyCode has put in the place of its old one, for as long as
// the session lives from now on. There is none, "", where the session keeps its own.
func (m *Manager) Renew(c *echo.Context, newToken string) error {
	if newToken == "" {
		return nil
	}
	s, err := m.store.Get(c.Request(), m.cookieName)
	if err != nil {
		return err
	}
	kept, err := m.Sessions.FindSession(c.Request().Context(), newToken)
	if err != nil || kept == nil { // nil: it was ended meanwhile
		return err
	}
	s.IsNew, s.Values[tokenValue] = false, newToken
	remember(s, kept)
	return s.Save(c.Request(), c.Response())
}

// End forgets the visitor's session, here and in the browser.
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

// page is the path of the page that sent the request: of the Referer, if that is ours, else of the request itself.
func (m *Manager) page(r *http.Request) string {
	page := r.URL.Path
	if rest, own := strings.CutPrefix(r.Referer(), m.BaseURL+"/"); own {
		if from, err := url.Parse("/" + rest); err == nil {
			page = from.Path
		}
	}
	return short(page, 200)
}

// short cuts what a stranger sent to a length that a column takes, in valid UTF-8 without control characters.
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

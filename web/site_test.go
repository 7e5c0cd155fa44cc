package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/store/storetest"
	"hiresure/web"
)

var now = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// keeper counts session look-ups.
type keeper struct {
	*access.Service
	found, ended atomic.Int32
}

// open inserts the offered session, as a business call does.
func (k *keeper) open(ctx context.Context, v admission.Visitor) error {
	s := access.Session{ID: v.SessionID, TokenHash: v.Offered.TokenHash, ExpiresAt: now.Add(2 * time.Hour)}
	err := k.Store.Update(ctx, func(tx access.Tx) error { return tx.AddSession(&s) })
	v.Offered.Opened, v.Offered.ExpiresAt = err == nil, s.ExpiresAt
	return err
}

func (k *keeper) FindSession(ctx context.Context, token string) (*access.Session, error) {
	k.found.Add(1)
	return k.Service.FindSession(ctx, token)
}

func (k *keeper) EndSession(ctx context.Context, id string) error {
	k.ended.Add(1)
	return k.Service.EndSession(ctx, id)
}

type watcher struct {
	sync.Mutex
	served []string
	broken int
}

func (w *watcher) Served(method, route string, status int, _ time.Duration) {
	w.Lock()
	defer w.Unlock()
	w.served = append(w.served, method+" "+route+" "+http.StatusText(status))
}

func (w *watcher) Broke(context.Context, error, string) {
	w.Lock()
	defer w.Unlock()
	w.broken++
}

type site struct {
	echo    *echo.Echo
	keeper  *keeper
	tokens  *tokens
	manager *web.Manager
	watcher *watcher
	visitor admission.Visitor
	logs    bytes.Buffer
	routes  *web.Routes
}

func newSite(t *testing.T, baseURL string, scripts ...string) *site {
	t.Helper()
	s := &site{echo: echo.New(), watcher: &watcher{}, tokens: &tokens{}}
	s.keeper = &keeper{Service: &access.Service{Config: access.Config{Store: storetest.Open(t, storetest.SQLite(t)).Areas().Access, Clock: func() time.Time { return now }}}}
	var err error
	s.manager, err = web.New(web.Config{
		Sessions: s.keeper, Tokens: s.tokens, BaseURL: baseURL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")},
		Scripts: scripts, Clock: func() time.Time { return now },
		Log: slog.New(web.NewLogHandler(slog.NewJSONHandler(&s.logs, nil), &s.logs)), Watch: s.watcher,
		RefusalPage: func(c *echo.Context, r web.Refusal) error { return c.HTML(r.Status, "<p>"+r.Message) },
	})
	if err != nil {
		t.Fatal(err)
	}
	s.routes = s.manager.Install(s.echo)
	act := func(path string, do func(*echo.Context) error) {
		policy := web.Public
		if path == "/checkout/:txn/return" {
			policy = web.Checkout.OpenToOthers()
		}
		handler := func(c *echo.Context) error {
			if err := do(c); err != nil {
				return err
			}
			return c.NoContent(http.StatusNoContent)
		}
		s.routes.Get(path, policy, handler)
		s.routes.Post(path, policy, handler)
	}
	act("/", func(*echo.Context) error { return nil })
	act("/who", func(c *echo.Context) (err error) { s.visitor, err = s.manager.Visitor(c); return err })
	act("/query", func(c *echo.Context) error { return c.String(http.StatusOK, c.Request().URL.RawQuery) })
	act("/refused", func(c *echo.Context) (err error) { s.visitor, err = s.manager.VisitorOrNew(c); return err })
	act("/opens", func(c *echo.Context) (err error) {
		first, err := s.manager.VisitorOrNew(c)
		if err != nil {
			return err
		}
		if s.visitor, err = s.manager.VisitorOrNew(c); err != nil || s.visitor != first {
			return errors.Join(err, errors.New("two calls return different visitors"))
		}
		if s.visitor.Offered == nil { // a live session
			return nil
		}
		if before, err := s.manager.Visitor(c); err != nil || before.SessionID != "" {
			return errors.Join(err, errors.New("the session exists before it is opened"))
		}
		if err := s.keeper.open(c.Request().Context(), first); err != nil {
			return err
		}
		s.visitor, err = s.manager.Visitor(c)
		return err
	})
	act("/denied/:id", func(c *echo.Context) error {
		v, err := s.manager.Visitor(c)
		v.Deny(c.Param("id"))
		v.Deny(c.Param("id"))
		return err
	})
	act("/form", func(c *echo.Context) error {
		if err := c.Request().ParseForm(); err != nil {
			return err
		}
		return web.CheckText(c.Request().PostForm)
	})
	act("/end", func(c *echo.Context) error { return s.manager.End(c) })
	act("/checkout/:txn/return", func(*echo.Context) error { return nil })
	for pattern, policy := range map[string]web.Policy{
		"/scholarship/:slug": web.Public, "/payment-help": web.Public, "/pay": web.Private, "/success": {}, "/leave": web.Private,
		"/receipt/:token": web.Private, "/invoice/:token": web.Private, "/checkout/:txn": web.Checkout,
	} {
		s.routes.Get(pattern, policy, func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) })
	}
	return s
}

func (s *site) get(path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	return s.send(http.MethodGet, path, change...)
}

func (s *site) send(method, path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.echo.ServeHTTP(w, r)
	return w
}

func cookie(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: name, Value: value}) }
}

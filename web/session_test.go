package web_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

var now = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// keeper counts how often the real office is asked.
type keeper struct {
	*access.Service
	found, ended atomic.Int32
}

// open is what a call does that accepts something of a visitor without a session.
func (k *keeper) open(ctx context.Context, v admission.Visitor) error {
	s := access.Session{ID: v.SessionID, TokenHash: v.Opens.TokenHash, ExpiresAt: now.Add(2 * time.Hour)}
	err := k.Store.Update(ctx, func(tx access.Tx) error { return tx.AddSession(&s) })
	v.Opens.Opened, v.Opens.ExpiresAt = err == nil, s.ExpiresAt
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
	served []string
	broken int
}

func (w *watcher) Served(method, route string, status int, _ time.Duration) {
	w.served = append(w.served, method+" "+route+" "+http.StatusText(status))
}

func (w *watcher) Broke(context.Context, error, string) { w.broken++ }

type site struct {
	echo    *echo.Echo
	keeper  *keeper
	manager *web.Manager
	watcher *watcher
	visitor admission.Visitor
	logs    bytes.Buffer
	routes  *web.Routes
}

func newSite(t *testing.T, baseURL string, scripts ...string) *site {
	t.Helper()
	s := &site{echo: echo.New(), watcher: &watcher{}}
	s.keeper = &keeper{Service: &access.Service{Needs: access.Needs{Store: storetest.Open(t, storetest.SQLite(t)).Areas().Access, Clock: func() time.Time { return now }}}}
	var err error
	s.manager, err = web.New(web.Needs{
		Sessions: s.keeper, BaseURL: baseURL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")},
		Scripts: scripts, Clock: func() time.Time { return now },
		Log: slog.New(web.NewLogHandler(slog.NewJSONHandler(&s.logs, nil))), Watch: s.watcher,
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
	act("/refused", func(c *echo.Context) (err error) { s.visitor, err = s.manager.Newcomer(c); return err })
	act("/opens", func(c *echo.Context) (err error) {
		first, err := s.manager.Newcomer(c)
		if err != nil {
			return err
		}
		if s.visitor, err = s.manager.Newcomer(c); err != nil || s.visitor != first {
			return errors.Join(err, errors.New("the two are not one visitor"))
		}
		if s.visitor.Opens == nil { // a session stands
			return nil
		}
		if before, err := s.manager.Visitor(c); err != nil || before.SessionID != "" {
			return errors.Join(err, errors.New("there is a session before it is opened"))
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

func TestMissingNeedsAreNamed(t *testing.T) {
	_, err := web.New(web.Needs{BaseURL: "http://127.0.0.1:8080"})
	want := "session needs a Sessions\nsession needs a RefusalPage\nsession needs a Clock\nsession needs a Log\nsession needs a Watch"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestSessionIsLookedUpOnlyWhenAHandlerAsks(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	token, id := admission.NewToken(), admission.NewID()
	if err := s.keeper.open(t.Context(), admission.Visitor{SessionID: id, Opens: &admission.NewSession{TokenHash: admission.HashToken(token)}}); err != nil {
		t.Fatal(err)
	}
	with := cookie("__Host-hiresure", token)
	s.get("/", with)
	s.get("/who")
	s.get("/who", cookie("__Host-hiresure", "short"))
	s.get("/who", cookie("hiresure", token))
	if n := s.keeper.found.Load(); n != 0 {
		t.Errorf("%d look-ups without need", n)
	}
	s.get("/who", with)
	if s.visitor.SessionID != id || s.keeper.found.Load() != 1 {
		t.Errorf("visitor %+v after %d look-ups", s.visitor, s.keeper.found.Load())
	}
	if w := s.get("/opens", with); w.Header().Get("Set-Cookie") != "" || s.keeper.found.Load() != 2 || s.visitor.SessionID != id {
		t.Errorf("a live session was opened again: %q", w.Header().Get("Set-Cookie"))
	}
	s.get("/who", cookie("__Host-hiresure", admission.NewToken()))
	if s.visitor.SessionID != "" {
		t.Errorf("a made-up token is session %q", s.visitor.SessionID)
	}
}

func TestCookieByScheme(t *testing.T) {
	for baseURL, want := range map[string]string{
		"https://www.example.in": "__Host-hiresure=…; Path=/; Expires=…; Max-Age=7200; HttpOnly; Secure; SameSite=Lax",
		"http://127.0.0.1:8080":  "hiresure=…; Path=/; Expires=…; Max-Age=7200; HttpOnly; SameSite=Lax",
	} {
		s := newSite(t, baseURL)
		w := s.get("/opens")
		got := w.Header().Values("Set-Cookie")
		if len(got) != 1 || s.visitor.SessionID == "" {
			t.Fatalf("cookies %q", got)
		}
		parts := strings.Split(got[0], "; ")
		name, token, _ := strings.Cut(parts[0], "=")
		parts[0] = name + "=…"
		for i, part := range parts {
			if strings.HasPrefix(part, "Expires=") {
				parts[i] = "Expires=…"
			}
		}
		if cookie := strings.Join(parts, "; "); cookie != want || len(token) != 43 {
			t.Errorf("cookie %q with a token of %d, want %q", cookie, len(token), want)
		}
		ended := s.get("/end", cookie(name, token))
		if c := ended.Header().Get("Set-Cookie"); !strings.Contains(c, name+"=; ") || !strings.Contains(c, "Max-Age=0") || s.keeper.ended.Load() != 1 {
			t.Errorf("after the end: %q", c)
		}
		if s.get("/who", cookie(name, token)); s.visitor.SessionID != "" {
			t.Error("an ended session lives")
		}
	}
}

func TestASessionIsOfferedAndKeptOnlyWhenItIsOpened(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	w := s.get("/refused", cookie("__Host-hiresure", admission.NewToken()))
	if w.Header().Get("Set-Cookie") != "" {
		t.Errorf("a refused call sets %q", w.Header().Get("Set-Cookie"))
	}
	if !admission.IsID(s.visitor.SessionID) || s.visitor.Opens == nil || len(s.visitor.Opens.TokenHash) != 64 {
		t.Errorf("offered %+v", s.visitor)
	}
	if err := s.keeper.Store.View(t.Context(), func(tx access.Tx) error {
		kept, err := tx.Session(s.visitor.SessionID)
		if kept != nil {
			t.Errorf("kept %+v", kept)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	opened := s.get("/opens")
	name, value, _ := strings.Cut(strings.Split(opened.Header().Get("Set-Cookie"), ";")[0], "=")
	id := s.visitor.SessionID
	if s.get("/who", cookie(name, value)); s.visitor.SessionID != id || id == "" {
		t.Errorf("the cookie leads to %q, want %q", s.visitor.SessionID, id)
	}
}

func TestWhatIsNoTextIsRefusedBeforeAnyHandler(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	form := func(body string) func(*http.Request) {
		return func(r *http.Request) {
			r.Body = io.NopCloser(strings.NewReader(body))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
	}
	for _, c := range []struct {
		method, address, body string
		status                int
	}{
		{http.MethodGet, "/who?a=b&a=c", "", http.StatusNoContent},
		{http.MethodGet, "/who?q=%E0%A4%B6&n=50%&m", "", http.StatusNoContent}, // cut by a mail program, not broken
		{http.MethodGet, "/who?a=%00", "", http.StatusBadRequest},
		{http.MethodGet, "/who?a=1&b%00=2", "", http.StatusBadRequest},
		{http.MethodGet, "/who?a=%ff", "", http.StatusBadRequest},
		{http.MethodGet, "/who?a=%ed%a0%80", "", http.StatusBadRequest}, // half of a surrogate pair
		{http.MethodGet, "/denied/%00", "", http.StatusNotFound},
		{http.MethodGet, "/denied/a%ff", "", http.StatusNotFound},
		{http.MethodPost, "/form", "a=b", http.StatusNoContent},
		{http.MethodPost, "/form", "a=b%00", http.StatusBadRequest},
		{http.MethodPost, "/form", "a=b&c=%ff", http.StatusBadRequest},
		{http.MethodPost, "/form", "%00=b", http.StatusBadRequest},
	} {
		if w := s.send(c.method, c.address, form(c.body)); w.Code != c.status {
			t.Errorf("%s %s %s: %d, want %d", c.method, c.address, c.body, w.Code, c.status)
		}
	}
	if n := s.watcher.broken; n != 0 {
		t.Errorf("%d of these are a fault of ours", n)
	}
}

func TestWhoAsksForAnothersRecordIsLoggedOnce(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	s.get("/opens")
	opened := s.get("/opens")
	name, value, _ := strings.Cut(strings.Split(opened.Header().Get("Set-Cookie"), ";")[0], "=")
	session, another := s.visitor.SessionID, admission.NewID()
	s.logs.Reset()
	s.get("/denied/"+another, cookie(name, value))
	var denied []string
	for _, line := range strings.Split(strings.TrimSpace(s.logs.String()), "\n") {
		if strings.Contains(line, "another's") {
			denied = append(denied, line)
		}
	}
	want := `"route":"/denied/:id","id":"` + another[:8] + `…","session":"` + session[:8] + `…"`
	if len(denied) != 1 || !strings.Contains(denied[0], want) || !strings.Contains(denied[0], `"level":"WARN"`) {
		t.Errorf("logged %q, want once %s", denied, want)
	}
	if strings.Contains(s.logs.String(), another) {
		t.Errorf("the log holds the id: %s", s.logs.String())
	}
}

func TestVisitorAddress(t *testing.T) {
	for _, c := range []struct{ title, peer, forwarded, want string }{
		{"a direct visitor", "203.0.113.5:999", "", "203.0.113.5"},
		{"a visitor who claims another address", "203.0.113.5:999", "198.51.100.1", "203.0.113.5"},
		{"behind a proxy", "10.1.1.1:80", "198.51.100.1", "198.51.100.1"},
		{"behind two proxies", "10.1.1.1:80", "198.51.100.1, 10.2.2.2", "198.51.100.1"},
		{"behind a proxy, with a claim", "10.1.1.1:80", "1.1.1.1, 198.51.100.1", "198.51.100.1"},
		{"behind a proxy that says nothing", "10.1.1.1:80", "", "10.1.1.1"},
		{"behind a proxy that says nonsense", "10.1.1.1:80", "unknown", "10.1.1.1"},
		{"behind a proxy that names a port", "10.1.1.1:80", "198.51.100.1:4711", "198.51.100.1"},
		{"IPv6", "[2001:db8:1:2:3:4:5:6]:80", "", "2001:db8:1:2::/64"},
		{"IPv6 behind a proxy", "[fd00::1]:80", "2001:db8:9:8::1", "2001:db8:9:8::/64"},
		{"IPv4 as IPv6", "[::ffff:203.0.113.5]:80", "", "203.0.113.5"},
		{"a link with a zone", "[fe80::1%eth0]:80", "", "fe80::/64"},
		{"no address", "@", "", "unknown"},
	} {
		t.Run(c.title, func(t *testing.T) {
			s := newSite(t, "https://www.example.in")
			s.get("/who", func(r *http.Request) {
				r.RemoteAddr = c.peer
				if c.forwarded != "" {
					r.Header.Set("X-Forwarded-For", c.forwarded)
				}
			})
			if s.visitor.IP != c.want {
				t.Errorf("got %q, want %q", s.visitor.IP, c.want)
			}
		})
	}
}

func TestVisitorPage(t *testing.T) {
	for referer, want := range map[string]string{
		"": "/who", "https://www.example.in/scholarship/x?phone=9876543210": "/scholarship/x", "https://www.example.in.evil/y": "/who", "https://other.example/z": "/who",
		"https://www.example.in/" + strings.Repeat("a", 300): "/" + strings.Repeat("a", 199), "https://www.example.in/%zz": "/who",
	} {
		s := newSite(t, "https://www.example.in")
		s.get("/who", func(r *http.Request) { r.Header.Set("Referer", referer) })
		if s.visitor.Page != want {
			t.Errorf("referer %q: page %q, want %q", referer, s.visitor.Page, want)
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	const (
		csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self'; " +
			"manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
		site, none = "strict-origin-when-cross-origin", "no-referrer"
	)
	s := newSite(t, "https://www.example.in")
	for path, want := range map[string][4]string{ // Referrer-Policy, COOP, Cache-Control, X-Robots-Tag
		"/":                        {site, "same-origin", "", ""},
		"/scholarship/x":           {site, "same-origin", "", ""},
		"/no/such/page":            {none, "same-origin", "private, no-store", "noindex"}, // what is not said to be public
		"/payment-help":            {site, "same-origin", "", ""},
		"/pay":                     {none, "same-origin", "private, no-store", "noindex"},
		"/success":                 {none, "same-origin", "private, no-store", "noindex"},
		"/leave":                   {none, "same-origin", "private, no-store", "noindex"},
		"/receipt/abc":             {none, "same-origin", "private, no-store", "noindex"},
		"/invoice/abc":             {none, "same-origin", "private, no-store", "noindex"},
		"/checkout/abc":            {none, "same-origin-allow-popups", "private, no-store", "noindex"},
		"/scholarship/v1/anything": {site, "same-origin", "private, no-store", "noindex"},
	} {
		h := s.get(path).Header()
		got := [4]string{h.Get("Referrer-Policy"), h.Get("Cross-Origin-Opener-Policy"), h.Get("Cache-Control"), h.Get("X-Robots-Tag")}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if h.Get("Content-Security-Policy") != csp || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Server") != "" ||
			h.Get("Strict-Transport-Security") != "max-age=63072000; includeSubDomains" || len(h.Get("X-Request-Id")) != 16 {
			t.Errorf("%s: %v", path, h)
		}
		for _, wanted := range []string{"otp-credentials=(self)", "payment=(self)", "camera=()"} {
			if !strings.Contains(h.Get("Permissions-Policy"), wanted) {
				t.Errorf("%s: Permissions-Policy lacks %s", path, wanted)
			}
		}
	}
	if h := newSite(t, "http://127.0.0.1:8080").get("/").Header(); h.Get("Strict-Transport-Security") != "" {
		t.Error("HSTS over http")
	}
}

func TestHumanCheckLoadsWherePeopleType(t *testing.T) {
	const (
		own = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self'; " +
			"manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
		open = "default-src 'none'; script-src 'self' https://a.example/x/ https://b.example; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
			"connect-src 'self' https://a.example/x/ https://b.example; frame-src https://a.example/x/ https://b.example; media-src 'self'; " +
			"manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
	)
	s := newSite(t, "https://www.example.in", "https://a.example/x/", "https://b.example")
	for path, want := range map[string]string{
		"/": open, "/scholarship/x": open, "/scholarship/v1/anything": open, "/human/challenge": open,
		"/pay": own, "/success": own, "/leave": own, "/receipt/abc": own, "/invoice/abc": own, "/checkout/abc": own,
	} {
		if got := s.get(path).Header().Get("Content-Security-Policy"); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestOtherSitesAreRefused(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	webtest.RefusesOtherSites(t, s.echo, "https://www.example.in", "POST /checkout/:txn/return")
	foreign := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	page := s.send(http.MethodPost, "/who", foreign)
	if page.Code != http.StatusForbidden || page.Body.String() != "<p>This request came from another site. Please use our own pages." {
		t.Errorf("page: %d %q", page.Code, page.Body)
	}
	script := s.send(http.MethodPost, "/who", foreign, func(r *http.Request) { r.Header.Set("Accept", "application/json") })
	want := `{"success":false,"isOk":false,"code":403,"message":"This request came from another site. Please use our own pages."}` + "\n"
	if script.Code != http.StatusForbidden || script.Body.String() != want {
		t.Errorf("script: %d %q", script.Code, script.Body)
	}
	if get := s.get("/who", foreign); get.Code != http.StatusNoContent {
		t.Errorf("a link from another site answers %d", get.Code)
	}
	same := s.send(http.MethodPost, "/who", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") })
	if same.Code != http.StatusNoContent {
		t.Errorf("our own page gets %d", same.Code)
	}
}

func TestRequestsAreCountedAndLogged(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	first := s.get("/who?phone=9876543210", func(r *http.Request) { r.Header.Set("X-Request-Id", "forged") })
	s.get("/missing")
	s.echo.GET("/breaks", func(*echo.Context) error { panic("boom") })
	s.get("/breaks")
	if got, want := strings.Join(s.watcher.served, ", "), "GET /who No Content, GET  Not Found, GET /breaks Internal Server Error"; got != want {
		t.Errorf("served %q, want %q", got, want)
	}
	id := first.Header().Get("X-Request-Id")
	logs := s.logs.String()
	if id == "forged" || !strings.Contains(logs, `"request":"`+id+`"`) || !strings.Contains(logs, `"address":"192.0.2.x"`) || strings.Contains(logs, "9876543210") {
		t.Errorf("log\n%s", logs)
	}
}

func TestMasks(t *testing.T) {
	for in, want := range map[string]string{
		"+919876543210": "98******10", "9876543210": "98******10", "919876543210": "98******10", "1234": "****", "": "",
	} {
		if got := web.MaskPhone(in); got != want {
			t.Errorf("phone %q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"asha@example.com": "a***@example.com", "é@x.in": "é***@x.in", "@x": "***", "none": "***"} {
		if got := web.MaskEmail(in); got != want {
			t.Errorf("e-mail %q: %q, want %q", in, got, want)
		}
	}
	token, id := "Xb7_"+admission.NewToken()[4:], "k3v5w9c1m2n4p6q8r0k3v5w9c1"
	for in, want := range map[string]string{
		"code for +919876543210 and asha.rao+x@example.com":  "code for 98******10 and a***@example.com",
		"card 4111111111111111":                              "card 41************11",
		"at 2026-11-21T06:30:00Z":                            "at 2026-11-21T06:30:00Z",
		"txn " + "k3v5w9c1m2n4p6q8r0":                        "txn k3v5w9c1m2n4p6q8r0",
		"token=" + token:                                     "token=" + token[:4] + "…",
		"t.1795242600000.Aq3Zk9xW0bT7yLm2Nc5vRg." + token:    "t.17*********00.Aq3Z…." + token[:4] + "…",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x": "eyJh….eyJz….x",
		"/checkout/" + id + "/return":                        "/checkout/" + id[:8] + "…/return",
		"payment " + id + ": paid":                           "payment " + id[:8] + "…: paid",
		"/ks-website/v1/check-scholarship-registered-phone":  "/ks-website/v1/check-scholarship-registered-phone",
		"goroutine 7: TestGuessesInParallelGetFiveTries":     "goroutine 7: TestGuessesInParallelGetFiveTries",
		"\"a@b.in\",\"c@d.in\"":                              "\"a***@b.in\",\"c***@d.in\"",
	} {
		if got := web.Mask(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"/receipt/" + token: "/receipt/…", "/invoice/short": "/invoice/…", "/apply/x?otp=123456": "/apply/x", "/find/9876543210": "/find/98******10",
	} {
		if got := web.MaskPath(in); got != want {
			t.Errorf("path %q: %q, want %q", in, got, want)
		}
	}
}

func TestLogHandlerMasksWhateverIsLogged(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(web.NewLogHandler(slog.NewJSONHandler(&out, nil))).With("to", "+919876543210").WithGroup("g")
	log.Info("sent to asha@example.com\r\nforged line", "error", context.DeadlineExceeded, "otp", "123456", "n", 9876543210,
		slog.Group("inner", "email", "asha@example.com"), "any", []string{"asha@example.com"}, "id", "k3v5w9c1m2n4p6q8r0k3v5w9c1", "txn", "m3v5w9c1m2n4p6q8r0k3v5w9c1")
	for _, secret := range []string{"asha@", "123456", "9876543210\"", "+919876543210", "\r", "\nforged", "k3v5w9c1m2n4p6q8r0k3v5w9c1\",\"txn"} {
		if strings.Contains(strings.TrimSuffix(out.String(), "\n"), secret) {
			t.Errorf("the log holds %q: %s", secret, out.String())
		}
	}
	if !strings.Contains(out.String(), `"txn":"m3v5w9c1m2n4p6q8r0k3v5w9c1"`) {
		t.Errorf("who looks after the site does not find the payment: %s", out.String())
	}
	if !strings.Contains(out.String(), "context deadline exceeded") {
		t.Errorf("the log lost its error: %s", out.String())
	}
}

func BenchmarkServe(b *testing.B) {
	manager, err := web.New(web.Needs{
		Sessions: &keeper{}, BaseURL: "https://www.example.in", Clock: time.Now, Log: slog.New(web.NewLogHandler(slog.NewJSONHandler(discard{}, nil))), Watch: quiet{},
		RefusalPage: func(*echo.Context, web.Refusal) error { return nil },
	})
	if err != nil {
		b.Fatal(err)
	}
	e := echo.New()
	manager.Install(e).Get("/", web.Public, func(c *echo.Context) error { return c.NoContent(http.StatusOK) })
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	b.ReportAllocs()
	for b.Loop() {
		e.ServeHTTP(httptest.NewRecorder(), r)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

type quiet struct{}

func (quiet) Served(string, string, int, time.Duration) {}
func (quiet) Broke(context.Context, error, string)      {}

package web_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/web"
)

func TestNewNamesMissingFields(t *testing.T) {
	_, err := web.New(web.Config{BaseURL: "http://127.0.0.1:8080"})
	want := "web: missing Sessions\nweb: missing RefusalPage\nweb: missing Clock\nweb: missing Log\nweb: missing Watch"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestSessionIsLoadedOnlyOnDemand(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	token, id := admission.NewToken(), admission.NewID()
	if err := s.keeper.open(t.Context(), admission.Visitor{SessionID: id, Offered: &admission.NewSession{TokenHash: admission.HashToken(token)}}); err != nil {
		t.Fatal(err)
	}
	with := cookie("__Host-hiresure", token)
	s.get("/", with)
	s.get("/who")
	s.get("/who", cookie("__Host-hiresure", "short"))
	s.get("/who", cookie("hiresure", token))
	if n := s.keeper.found.Load(); n != 0 {
		t.Errorf("%d needless look-ups", n)
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

func TestOfferedSessionIsStoredOnlyWhenOpened(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	w := s.get("/refused", cookie("__Host-hiresure", admission.NewToken()))
	if w.Header().Get("Set-Cookie") != "" {
		t.Errorf("a refused call sets %q", w.Header().Get("Set-Cookie"))
	}
	if !admission.IsID(s.visitor.SessionID) || s.visitor.Offered == nil || len(s.visitor.Offered.TokenHash) != 64 {
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

func TestInvalidTextIsRefusedBeforeHandlers(t *testing.T) {
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
		{http.MethodGet, "/who?a=%00", "", http.StatusNoContent},               // what cannot be read is ignored
		{http.MethodGet, "/who?a=1&b%00=2", "", http.StatusNoContent},
		{http.MethodHead, "/who?a=%ff", "", http.StatusNoContent},
		{http.MethodGet, "/who?a=%ed%a0%80", "", http.StatusNoContent}, // half of a surrogate pair
		{http.MethodPost, "/form?a=%ff", "a=b", http.StatusBadRequest},
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
		t.Errorf("%d of these are internal errors", n)
	}
}

func TestUnreadablePartOfAQueryIsIgnored(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	for query, want := range map[string]string{
		"couponCode=MGROW500&utm_campaign=%E0%A4": "couponCode=MGROW500",
		"a=1&a=%ff&b=2":       "b=2",
		"a=%E0%A4%B6&b%00=2":  "a=%E0%A4%B6",
		"utm_campaign=%E0%A4": "",
		"q=50%&a=b":           "q=50%&a=b", // as it came
	} {
		if got := s.get("/query?" + query).Body.String(); got != want {
			t.Errorf("%s: the page reads %q, want %q", query, got, want)
		}
	}
}

func TestDeniedAccessIsLoggedOnce(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	s.get("/opens")
	opened := s.get("/opens")
	name, value, _ := strings.Cut(strings.Split(opened.Header().Get("Set-Cookie"), ";")[0], "=")
	session, another := s.visitor.SessionID, admission.NewID()
	s.logs.Reset()
	s.get("/denied/"+another, cookie(name, value))
	var denied []string
	for _, line := range strings.Split(strings.TrimSpace(s.logs.String()), "\n") {
		if strings.Contains(line, "another visitor's") {
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
		{"behind a proxy without the header", "10.1.1.1:80", "", "10.1.1.1"},
		{"behind a proxy with an invalid header", "10.1.1.1:80", "unknown", "10.1.1.1"},
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

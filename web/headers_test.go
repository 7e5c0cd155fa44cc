package web_test

import (
	"net/http"
	"strings"
	"testing"

	"hiresure/static"
	"hiresure/web/webtest"
)

// styles returns the CSP directive for our style sheets and the inlined one.
func styles() string {
	_, source := static.Inline("first.css")
	return strings.TrimSpace("style-src 'self' " + source)
}

func TestSecurityHeaders(t *testing.T) {
	var (
		csp = "default-src 'none'; script-src 'self'; " + styles() + "; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self'; " +
			"manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
		site, none = "strict-origin-when-cross-origin", "no-referrer"
	)
	s := newSite(t, "https://www.example.in")
	for path, want := range map[string][4]string{ // Referrer-Policy, COOP, Cache-Control, X-Robots-Tag
		"/":                        {site, "same-origin", "", ""},
		"/scholarship/x":           {site, "same-origin", "", ""},
		"/no/such/page":            {none, "same-origin", "private, no-store", "noindex"}, // private unless declared public
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
			h.Get("Strict-Transport-Security") != "max-age=63072000; includeSubDomains" || len(h.Get("X-Request-Id")) != 13 {
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

func TestPolicyAllowsHumanCheckOnPublicPages(t *testing.T) {
	var (
		own = "default-src 'none'; script-src 'self'; " + styles() + "; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self'; " +
			"manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
		open = "default-src 'none'; script-src 'self' https://a.example/x/ https://b.example; " + styles() + "; img-src 'self' data:; font-src 'self'; " +
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

func TestCrossSitePostsAreRefused(t *testing.T) {
	s := newSite(t, "https://www.example.in")
	webtest.RejectsCrossSitePosts(t, s.echo, "https://www.example.in", "POST /checkout/:txn/return")
	foreign := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	page := s.send(http.MethodPost, "/who", foreign)
	if page.Code != http.StatusForbidden || page.Body.String() != "<p>We blocked this because it came from another site. Please use our own page." {
		t.Errorf("page: %d %q", page.Code, page.Body)
	}
	script := s.send(http.MethodPost, "/who", foreign, func(r *http.Request) { r.Header.Set("Accept", "application/json") })
	want := `{"success":false,"isOk":false,"code":403,"message":"We blocked this because it came from another site. Please use our own page."}` + "\n"
	if script.Code != http.StatusForbidden || script.Body.String() != want {
		t.Errorf("script: %d %q", script.Code, script.Body)
	}
	if get := s.get("/who", foreign); get.Code != http.StatusNoContent {
		t.Errorf("a link from another site returns %d", get.Code)
	}
	same := s.send(http.MethodPost, "/who", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") })
	if same.Code != http.StatusNoContent {
		t.Errorf("our own page gets %d", same.Code)
	}
}

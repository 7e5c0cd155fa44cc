package site_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/cmd/site/sitetest"
	"hiresure/static"
)

func TestHumanCheckAndItsPolicy(t *testing.T) {
	_, styles := static.Inline("first.css")
	var (
		before    = "default-src 'none'; script-src 'self'"
		between   = "; " + strings.TrimSpace("style-src 'self' "+styles) + "; img-src 'self' data:; font-src 'self'; connect-src 'self'"
		after     = "media-src 'self'; manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
		own       = before + between + "; " + after
		google    = " https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/ https://recaptcha.google.com/recaptcha/"
		turnstile = " https://challenges.cloudflare.com"
	)
	for _, row := range []struct {
		sentence string
		environ  map[string]string
		status   int
		provider string
		siteKey  string
		policy   string // of public pages and API
	}{
		{"proof of work, unless one says else", nil, http.StatusOK, "pow", "", own},
		{"reCAPTCHA", map[string]string{"CAPTCHA": "recaptcha"}, http.StatusOK, "recaptcha", "6Lsite", before + google + between + google + "; frame-src" + google + "; " + after},
		{"Turnstile", map[string]string{"CAPTCHA": "turnstile"}, http.StatusOK, "turnstile", "6Lsite", before + turnstile + between + turnstile + "; frame-src" + turnstile + "; " + after},
		{"none", map[string]string{"CAPTCHA": "off"}, http.StatusOK, "none", "", own},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := sitetest.New(t, row.environ)
			w := sitetest.Get(s, "/human/challenge")
			var check struct{ Provider, SiteKey, Salt, Signature string }
			if err := json.Unmarshal(w.Body.Bytes(), &check); err != nil || w.Code != row.status {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if works := check.Salt != "" && check.Signature != ""; check.Provider != row.provider || check.SiteKey != row.siteKey || works != (row.provider == "pow") {
				t.Errorf("challenge %s", w.Body)
			}
			for path, want := range map[string]string{
				"/scholarship/hiresure-mgrow-2025": row.policy, "/human/challenge": row.policy, "/pay": own, "/success": own, "/checkout/x": own,
			} {
				if got := sitetest.Get(s, path).Header().Get("Content-Security-Policy"); got != want {
					t.Errorf("%s\n got %s\nwant %s", path, got, want)
				}
			}
		})
	}
}

func TestPrivacyNoticeNamesTheCaptchaVendor(t *testing.T) {
	const (
		google      = "Google. Its reCAPTCHA checks whether you are a person, so that no program floods our forms. When you fill in or send a form, Google gets your internet address, data about your browser and device, and how you moved and typed on the page."
		cloudflare  = "Cloudflare. Its Turnstile checks whether you are a person, so that no program floods our forms. When you fill in or send a form, Cloudflare gets your internet address and data about your browser and device."
		cookie      = "The company that checks whether you are a person may keep its own cookie."
		nothing     = "load nothing from other companies"
		nothingElse = "load nothing else from other companies"
	)
	for _, row := range []struct {
		captcha    string
		says, hush []string
		version    string
	}{
		{"pow", []string{nothing}, []string{"Google", "Cloudflare", cookie}, noticeVersion},
		{"off", []string{nothing}, []string{"Google", "Cloudflare", cookie}, noticeVersion},
		{"recaptcha", []string{google, cookie, nothingElse}, []string{"Cloudflare", nothing}, noticeVersion + " with recaptcha"},
		{"turnstile", []string{cloudflare, cookie, nothingElse}, []string{"Google", nothing}, noticeVersion + " with turnstile"},
	} {
		s := sitetest.New(t, map[string]string{"CAPTCHA": row.captcha})
		page := sitetest.Get(s, "/legal/privacy").Body.String()
		for _, text := range append(row.says, "Version "+row.version+"</p>") {
			if !strings.Contains(page, text) {
				t.Errorf("%s: the notice does not say %q", row.captcha, text)
			}
		}
		for _, text := range row.hush {
			if strings.Contains(page, text) {
				t.Errorf("%s: the notice says %q", row.captcha, text)
			}
		}
		if s.Business.Contact.Consents.NoticeVersion() != row.version {
			t.Errorf("%s: consents are kept under notice %q", row.captcha, s.Business.Contact.Consents.NoticeVersion())
		}
	}
}

func TestCaptchaTokenOfAnotherSiteIsRejected(t *testing.T) {
	hostname := ""
	judge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"success":true,"score":0.9,"action":"signup","hostname":%q}`, hostname)
	}))
	defer judge.Close()
	for _, provider := range []string{"recaptcha", "turnstile"} {
		s := sitetest.New(t, map[string]string{"BASE_URL": "https://www.example.in:8443", "DEV_PUBLIC": "1", "CAPTCHA": provider, "CAPTCHA_URL": judge.URL})
		for _, row := range []struct {
			sentence, hostname string
			want               error
		}{
			{"a token for our own host passes", "www.example.in", nil},
			{"another site's does not", "evil.example", access.ErrNotHuman},
			{"nor that of a host below ours", "evil.www.example.in", access.ErrNotHuman},
			{"nor one that names no site", "", access.ErrNotHuman},
		} {
			hostname = row.hostname
			if _, err := s.Business.Access.Human.Check(t.Context(), "tok", admission.Visitor{IP: "203.0.113.9"}); !errors.Is(err, row.want) {
				t.Errorf("%s: %s: %v, want %v", provider, row.sentence, err, row.want)
			}
		}
	}
}

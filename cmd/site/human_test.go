package main

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestBrowserLearnsItsHumanCheckAndMayLoadIt(t *testing.T) {
	const (
		before    = "default-src 'none'; script-src 'self'"
		between   = "; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'"
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
		{"none", map[string]string{"CAPTCHA": "off"}, http.StatusNotFound, "", "", own},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			environ := map[string]string{"DATA_DIR": t.TempDir(), "CAPTCHA_SITE_KEY": "6Lsite", "CAPTCHA_SECRET": "secret"}
			maps.Copy(environ, row.environ)
			config, err := readConfig(environ)
			if err != nil {
				t.Fatal(err)
			}
			s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), time.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close(t.Context())
			get := func(path string) *httptest.ResponseRecorder {
				w := httptest.NewRecorder()
				s.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				return w
			}
			w := get("/human/challenge")
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
				if got := get(path).Header().Get("Content-Security-Policy"); got != want {
					t.Errorf("%s\n got %s\nwant %s", path, got, want)
				}
			}
		})
	}
}

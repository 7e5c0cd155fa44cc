package site_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"hiresure/cmd/site/sitetest"
)

// secrets is an environment with recognisable secrets.
var secrets = map[string]string{
	"SECRET_KEY": strings.Repeat("5ec7e7", 10) + "5ec7", "CAPTCHA": "turnstile", "CAPTCHA_SECRET": "canary-captcha", "SERVICE_SECRET": "canary-service",
	"SMTP_URL": "smtp://user:canary-mail@127.0.0.1:25?from=a@example.in", "SMS_URL": "https://canary-sms@sms.example.in/send",
	"LEAD_WEBHOOK_URL": "https://crm.example.in/canary-address", "LEAD_WEBHOOK_SECRET": "canary-lead", "METRICS_TOKEN": "canary-metrics", "S3_SECRET_KEY": "canary-bucket", "STORAGE_KEYS": "2026:" + strings.Repeat("5ec7e7", 10) + "5ec8",
}

var (
	canary    = regexp.MustCompile(`canary-[a-z]+|(?:5ec7e7){3}`)
	keyShape  = regexp.MustCompile(`(?i)\b[srp]k_(?:live|test)_|\bwhsec_|\brzp_(?:live|test)_|BEGIN [A-Z ]*PRIVATE KEY|x-client-secret`)
	addressed = regexp.MustCompile(`(?:href|src|action)="(/[^/"][^"#]*|/)`)
)

func TestNoSecretIsServed(t *testing.T) {
	s := sitetest.New(t, secrets)
	waiting := []string{
		"/", "/apply", "/pay", "/success", "/success?kspay_id=x", "/checkout/x", "/receipt/x", "/invoice/x", "/enquiry", "/hiresure", "/nothing", "/robots.txt", "/sitemap.xml",
		"/human/challenge", "/api/openapi.yaml", "/scholarship/v1/fetch-scholarship-event-data?slug=hiresure-mgrow-2025", "/v1/users/referralCode/NOBODY", "/payments/v1/nothing",
		"/healthz", "/readyz", "/metrics", "/dev/outbox", "/dev/outbox.json", "/dev/components",
	}
	served := map[string]string{}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		if _, done := served[path]; done {
			continue
		}
		answer := sitetest.Get(s, path)
		served[path] = fmt.Sprint(answer.Header(), answer.Body)
		if where := answer.Header().Get("Location"); strings.HasPrefix(where, "/") {
			waiting = append(waiting, where)
		}
		for _, link := range addressed.FindAllStringSubmatch(answer.Body.String(), -1) {
			waiting = append(waiting, link[1])
		}
	}
	for _, path := range []string{"/enquiry", "/scholarship/hiresure-mgrow-2025", "/legal/grievance", "/ks-website/create-enquiry", "/payments/v1/initiate-payment"} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, s.Config.BaseURL+path, strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		s.Handler.ServeHTTP(w, r)
		served["POST "+path] = fmt.Sprint(w.Header(), w.Body)
	}
	for _, path := range []string{"/scholarship/hiresure-mgrow-2025", "/scholarship/hiresure-campus-2026", "/legal/terms"} {
		if served[path] == "" {
			t.Errorf("the links do not lead to %s", path)
		}
	}
	if !strings.Contains(served["/human/challenge"], "6Lsite") {
		t.Error("the configuration has no effect")
	}
	for path, text := range served {
		if found := canary.FindString(text); found != "" {
			t.Errorf("%s holds %s", path, found)
		}
	}
}

// The front end is in static/dist, with source maps if built for development.
func TestNoSecretIsInTheFrontEnd(t *testing.T) {
	dist := os.DirFS("../../../static/dist")
	if err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(dist, name)
		if found := keyShape.Find(body); found != nil {
			t.Errorf("%s holds %s", name, found)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/admission/paper"
	"hiresure/store/storetest"
)

func TestProductionHasNoDeveloperPages(t *testing.T) {
	site := Start(t, AnyPort, t.TempDir(), "APP_ENV=production", "BASE_URL=https://www.example.in", "METRICS_TOKEN=d41d8cd98f00b204e9800998ecf8427e", "TRUSTED_PROXIES=127.0.0.1",
		"SECRET_KEY=c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a",
		"STORAGE_KEYS=2026:7b1e0c64d5a9f38260e74cb1d98f2a530f6be7411c8d9a25e3740fb86dc2915e", "CLAMD_URL=off", "GATEWAYS=none",
		"SMTP_URL=smtp://127.0.0.1:9?from=a@example.in&tls=none", "SMS_URL=http://key@127.0.0.1:9/send")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, test := range []struct {
		path string
		want int
	}{
		{"/dev/outbox", http.StatusFound},
		{"/dev/outbox.json", http.StatusNotFound},
		{"/dev/components", http.StatusFound},
		{"/dev/my-data/collecting", http.StatusFound},
		{"/dev/payments", http.StatusFound},
		{"/dev/payments/00000000000000000000000000", http.StatusFound},
		{"/metrics", http.StatusUnauthorized},
		{"/scholarship/hiresure-mgrow-2025", http.StatusOK},
		{"/healthz", http.StatusOK},
	} {
		answer, err := client.Get(site.URL + test.path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != test.want {
			t.Errorf("%s: %d, want %d", test.path, answer.StatusCode, test.want)
		}
		if test.path[1] == 's' && !strings.Contains(answer.Header.Get("Strict-Transport-Security"), "includeSubDomains") {
			t.Error("the landing page has no HSTS")
		}
	}
	answer, err := client.PostForm(site.URL+"/dev/payments/00000000000000000000000000", url.Values{"what": {"refunded"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound && answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a button for developers answers %d", answer.StatusCode)
	}
}

// On a busy machine a browser may take a minute to start.
func TestStopDoesNotWaitForABrowser(t *testing.T) {
	folder := t.TempDir()
	browser, began := filepath.Join(folder, "chrome"), filepath.Join(folder, "began")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\necho >"+began+"\nexec sleep 300\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	databaseURL := "sqlite://" + filepath.Join(folder, "site.db")
	site := Start(t, AnyPort, t.TempDir(), "CHROME_URL=", "CHROME_PATH="+browser, "DATABASE_URL="+databaseURL, "CAPTCHA=off")
	v := NewVisitor(site.URL, 1)
	var request, code, registration, txn string
	for i, act := range []func() (err error){
		func() (err error) { request, err = v.AskCode(); return err },
		func() (err error) {
			for code == "" && err == nil { // it arrives by a job
				code, err = v.ReadCode()
			}
			return err
		},
		func() error { return v.GiveCode(request, code) },
		func() (err error) { registration, err = v.Enrol(""); return err },
		func() (err error) { txn, err = v.Initiate(registration); return err },
		func() error { return v.Press(txn, "paid") },
	} {
		if err := act(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	for printing := 0; printing == 0; <-time.After(20 * time.Millisecond) { // a job that is due later is being done
		if err := storetest.SQL(t, databaseURL).QueryRow("SELECT COUNT(*) FROM jobs WHERE kind = ? AND due_at > ?", paper.JobPrint, time.Now().UnixMicro()).Scan(&printing); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(began); err != nil {
		t.Error(err)
	}
	at := time.Now()
	site.Stop(t)
	if took := time.Since(at); took > 5*time.Second {
		t.Errorf("the stop took %s", took)
	}
}

func TestTwoCopiesShareTheirLimits(t *testing.T) {
	// 20 enquiries an hour from one address: either copy rejects the 21st.
	databaseURL := databases(t)["PostgreSQL"]
	var visitors []*Visitor
	for n := range 2 {
		visitors = append(visitors, NewVisitor(Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off").URL, n))
	}
	for n := range 21 {
		a, err := visitors[n%2].Call("/ks-website/create-enquiry", map[string]any{"fullname": "Asha Verma", "email": fmt.Sprintf("asha%d@example.com", n), "phone": "9876543210", "countryCode": "in"})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: http.StatusOK, false: http.StatusTooManyRequests}[n < 20]; a.Status != want {
			t.Errorf("enquiry %d: %d %v, want %d", n+1, a.Status, a.Fields, want)
		}
	}
}

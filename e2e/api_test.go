package e2e

import (
	"errors"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"hiresure/store/storetest"
)

// databases returns a URL of each kind of database.
func databases(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{"SQLite": "sqlite://" + filepath.Join(t.TempDir(), "site.db"), "PostgreSQL": storetest.EmptyPostgres(t)}
}

func TestEnrolmentAndPayment(t *testing.T) {
	for name, databaseURL := range databases(t) {
		t.Run(name, func(t *testing.T) {
			box := openMailbox(t)
			site := Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", box.variable())
			book := newJournal()
			for n := range 3 {
				if err := enrolAndPay(NewVisitor(site.URL, n), book); err != nil {
					t.Fatal(err)
				}
			}
			if len(book.paid) != 3 {
				t.Errorf("%d payments, want 3", len(book.paid))
			}
			box.wait(t, len(book.receipts), 30*time.Second)
			site.Stop(t) // no further mails
			box.judge(t, book.receipts, 0)
		})
	}
}

func TestTwoCopiesServeOneVisitor(t *testing.T) {
	databaseURL := storetest.EmptyPostgres(t)
	var sites []*Site
	for range 2 {
		sites = append(sites, Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off", secretKey))
	}
	// The visitor's cookie belongs to 127.0.0.1, whatever the port: every request goes to the other copy.
	turn := 0
	v := NewVisitor("http://balancer.invalid", 1)
	v.Base = sites[0].URL
	v.Client.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		turn++
		r.URL.Host = sites[turn%2].URL[len("http://"):]
		return http.DefaultTransport.RoundTrip(r)
	})
	book := newJournal()
	if err := enrolAndPay(v, book); err != nil {
		t.Fatal(err)
	}
	if len(book.paid) != 1 || turn < 8 {
		t.Errorf("%d payments in %d requests, want one in at least 8", len(book.paid), turn)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRegistrationOfAnotherVisitor(t *testing.T) {
	site := Start(t, AnyPort, t.TempDir(), "CAPTCHA=off", "RATE_LIMITS=off")
	book := newJournal()
	if err := enrolAndPay(NewVisitor(site.URL, 1), book); err != nil {
		t.Fatal(err)
	}
	for registration := range book.registered {
		_, err := NewVisitor(site.URL, 2).Initiate(registration)
		refused, ok := errors.AsType[*Refused](err)
		if !ok || refused.Answer.Status != http.StatusNotFound {
			t.Errorf("initiate for somebody else's registration: %v, want 404", err)
		}
	}
}

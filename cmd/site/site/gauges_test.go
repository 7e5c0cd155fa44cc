package site_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/cmd/site/sitetest"
	"hiresure/cmd/site/telemetry"
	"hiresure/store"
	"hiresure/store/storetest"
)

func scrape(m *telemetry.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler("").ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

// mustMatch expects lines of a scrape that match the patterns.
func mustMatch(t *testing.T, scraped string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(scraped) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

func TestGauges(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := sitetest.New(t, map[string]string{"DATABASE_URL": url})
		for _, worker := range s.Workers { // the jobs of the start
			if _, err := worker.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		now := s.Clock()
		if err := s.Store.Update(t.Context(), func(tx store.Tx) error {
			if err := errors.Join(
				tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "e", Phone: "p", CreatedAt: now, ModifiedAt: now}),
				tx.AddTransaction(&payment.Transaction{ID: "t", RegistrationID: "r", Gateway: "cashfree", State: payment.Review, SettledAt: now.Add(-2 * time.Hour)}),
			); err != nil {
				return err
			}
			if _, err := tx.AddInboxEvent(&payment.InboxEvent{ID: "w", Gateway: "stripe", EventID: "w", ReceivedAt: now}); err != nil {
				return err
			}
			return tx.AddMessage(&message.Message{ID: "m", Cause: "test", Channel: message.Email, To: "a@example.in", Template: "receipt", CreatedAt: now.Add(-time.Hour)})
		}); err != nil {
			t.Fatal(err)
		}
		scraped := sitetest.Get(s, "/metrics").Body.String()
		mustMatch(t, scraped,
			"database_up 1", "jobs_waiting 1", `jobs_oldest_seconds 360\d(\.\d+)?`, "jobs_dead 0",
			`messages_unsent\{channel="email"\} 1`, `messages_unsent\{channel="sms"\} 0`,
			`messages_oldest_unsent_seconds\{channel="email"\} 360\d(\.\d+)?`, `messages_oldest_unsent_seconds\{channel="sms"\} 0`,
			`payments_unsettled\{age="day",gateway="cashfree",state="review"\} 1`, `webhooks_unhandled\{age="hour",gateway="stripe"\} 1`,
			`disk_free_bytes\{holds="data"\} [1-9]\S*`)
		if strings.HasPrefix(url, "sqlite://") {
			mustMatch(t, scraped, `sqlite_wal_bytes [1-9]\S*`, `disk_free_bytes\{holds="database"\} [1-9]\S*`,
				`database_connections_max\{pool="writer"\} 1`, `database_connections_open\{pool="writer"\} 1`, `database_connections_max\{pool="readers"\} 4`)
		} else {
			mustMatch(t, scraped, `database_connections_max\{pool="connections"\} \d+`, `database_connections_open\{pool="connections"\} [1-9]\d*`,
				`database_connections_in_use\{pool="connections"\} \d+`, `database_connection_waits_total\{pool="connections"\} \d+`, `database_connection_wait_seconds_total\{pool="connections"\} \S+`)
			if strings.Contains(scraped, "sqlite_wal_bytes ") {
				t.Error("PostgreSQL has a log of SQLite's")
			}
		}
	})
}

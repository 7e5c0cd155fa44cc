//go:build long

package e2e

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/store/storetest"
)

const rolledBack = "every fifth is rolled back"

// everyFifth is a trigger that rejects a fifth of the receipt mails, the last rows of a payment's transaction, and so rolls back
// the invoice's serial, which the next invoice must take.
var everyFifth = map[string][]string{
	"SQLite": {`CREATE TRIGGER every_fifth BEFORE INSERT ON messages WHEN NEW.cause LIKE 'receipt:%' AND abs(random()) % 5 = 0
		BEGIN SELECT RAISE(ABORT, '` + rolledBack + `'); END`},
	"PostgreSQL": {
		`CREATE FUNCTION every_fifth() RETURNS trigger AS $$ BEGIN
			IF NEW.cause LIKE 'receipt:%' AND random() < 0.2 THEN RAISE EXCEPTION '` + rolledBack + `'; END IF;
			RETURN NEW;
		END $$ LANGUAGE plpgsql`,
		"CREATE TRIGGER every_fifth BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION every_fifth()",
	},
}

// Fifty payers pay concurrently, a fifth of the payments is rolled back, and the server is killed five times: the numbers of
// invoices have neither gaps nor duplicates.
func TestInvoiceNumbersHaveNoGap(t *testing.T) {
	data := t.TempDir()
	for kind, databaseURL := range map[string]string{"SQLite": "sqlite://" + filepath.Join(data, "site.db"), "PostgreSQL": ""} {
		t.Run(kind, func(t *testing.T) {
			if databaseURL == "" {
				databaseURL = storetest.EmptyPostgres(t)
			}
			numbersHaveNoGap(t, data, databaseURL, everyFifth[kind])
		})
	}
}

func numbersHaveNoGap(t *testing.T, data, databaseURL string, everyFifth []string) {
	const payers, payments, kills = 50, 100, 5
	logs := ""
	start := func(addr string) *Site {
		return Start(t, addr, data, "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", secretKey)
	}
	var site atomic.Pointer[Site]
	site.Store(start(AnyPort))
	addr := site.Load().Addr
	db := storetest.SQL(t, databaseURL)
	for _, statement := range everyFifth {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	book := newJournal()
	book.payAfter = 5 * time.Second
	killWhile(t, kills, payments, func() {
		site.Load().Kill()
		logs += site.Load().Logs.All()
		site.Store(start(addr))
	}, func(done *atomic.Int64) {
		runConcurrently(t, payers, payments, done, func(n int) error { return enrolAndPay(NewVisitor("http://"+addr, n), book) })
	})
	waitForMessages(t, db)
	site.Load().Stop(t)
	logs += site.Load().Logs.All()
	if n := strings.Count(logs, rolledBack); n < payments/10 {
		t.Errorf("only %d payments are rolled back", n)
	} else {
		t.Logf("%d payments are rolled back", n)
	}
	verify(t, databaseURL)
	for _, row := range []struct{ what, query, want string }{
		{"acknowledged payments", fmt.Sprintf("SELECT %d", len(book.paid)), fmt.Sprint(payments)},
		{"paid", "SELECT COUNT(*) FROM transactions WHERE state = 'paid'", fmt.Sprint(payments)},
		{"invoices", "SELECT COUNT(*) FROM invoices", fmt.Sprint(payments)},
		{"first number", "SELECT MIN(serial) FROM invoices", "1"},
		{"last number", "SELECT MAX(serial) FROM invoices", fmt.Sprint(payments)},
		{"different numbers", "SELECT COUNT(DISTINCT number) FROM invoices", fmt.Sprint(payments)},
		{"invoices of different payments", "SELECT COUNT(DISTINCT txn_id) FROM invoices", fmt.Sprint(payments)},
		{"what is counted", "SELECT SUM(serial) FROM invoice_series", fmt.Sprint(payments)},
		{"receipt messages", "SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%'", fmt.Sprint(payments)},
	} {
		if got := ask(t, db, row.query); got != row.want {
			t.Errorf("%s: %s, want %s", row.what, got, row.want)
		}
	}
}

func ask(t *testing.T, db *sql.DB, query string) (said string) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&said); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return said
}

//go:build long

package e2e

import (
	"database/sql"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/store/storetest"
)

const (
	enrolments = 1000
	kills      = 20
	clients    = 8

	mailsAtOnce = 8 // concurrent mails of a process: a kill may leave as many sent but not marked
)

// 1,000 people enrol and pay while the server is killed at 20 random times. Everything acknowledged is stored once, everybody has a
// receipt, and each response followed a sync: a kill alone, unlike a power cut, loses no written pages.
func TestPaymentsSurviveKills(t *testing.T) { eachTraced(t, storm) }

// eachTraced runs a storm on each kind of database with traced syncs; wal is part of its log's path.
func eachTraced(t *testing.T, storm func(t *testing.T, tr *tracer, wal, databaseURL string, db *sql.DB, start func(addr string, variables ...string) *Site)) {
	t.Run("SQLite", func(t *testing.T) {
		tr, data := newTracer(t), t.TempDir()
		file := filepath.Join(data, "site.db")
		storm(t, tr, "site.db-wal", "sqlite://"+file, storetest.SQL(t, "sqlite://"+file), func(addr string, variables ...string) *Site {
			return startTraced(t, tr, addr, data, variables...)
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		tr, data := newTracer(t), t.TempDir()
		databaseURL, err := storetest.OwnCluster(t, tr.command()...).NewDatabase()
		if err != nil {
			t.Fatal(err)
		}
		storm(t, tr, "/pg_wal/", databaseURL, storetest.SQL(t, databaseURL), func(addr string, variables ...string) *Site {
			return Start(t, addr, data, variables...)
		})
	})
}

func storm(t *testing.T, tr *tracer, wal, databaseURL string, db *sql.DB, start func(addr string, variables ...string) *Site) {
	t.Helper()
	box := openMailbox(t)
	variables := []string{"DATABASE_URL=" + databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", secretKey, box.variable()}
	var site atomic.Pointer[Site]
	site.Store(start(AnyPort, variables...))
	addr := site.Load().Addr

	book := newJournal()
	killWhile(t, kills, enrolments, func() { site.Load().Kill(); site.Store(start(addr, variables...)) }, func(done *atomic.Int64) {
		enrolAll(t, "http://"+addr, book, 0, enrolments, done)
	})
	box.wait(t, enrolments, 2*time.Minute) // a killed process's jobs are claimed again after their lease
	waitForMessages(t, db)
	site.Load().Stop(t)
	compare(t, db, databaseURL, book)
	box.judge(t, book.receipts, kills*mailsAtOnce)
	tr.judge(t, wal, book.saved)
}

// killWhile kills and restarts at random points of the people's progress.
func killWhile(t *testing.T, kills, people int, kill func(), work func(done *atomic.Int64)) {
	t.Helper()
	var done atomic.Int64
	finished, killed := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for n < kills {
			at := int64((n*people + rand.IntN(people)) / kills)
			for done.Load() < at {
				select {
				case <-finished:
					killed <- n
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
			kill()
			n++
		}
		killed <- n
	}()
	work(&done)
	close(finished)
	if n := <-killed; n != kills {
		t.Errorf("the server was killed %d times, not %d", n, kills)
	}
}

// runConcurrently runs do for each of people by concurrent clients; done counts them.
func runConcurrently(t *testing.T, clients, people int, done *atomic.Int64, do func(n int) error) {
	t.Helper()
	next := make(chan int)
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for n := range next {
				if err := do(n); err != nil {
					t.Errorf("visitor %d: %v", n, err)
				}
				done.Add(1)
			}
		})
	}
	for n := range people {
		next <- n
	}
	close(next)
	running.Wait()
}

// enrolAll makes people enrol and pay.
func enrolAll(t *testing.T, base string, book *journal, from, people int, done *atomic.Int64) {
	t.Helper()
	runConcurrently(t, clients, people, done, func(n int) error { return enrolAndPay(NewVisitor(base, from+n), book) })
}

// waitForMessages waits until all messages are sent. A killed process's jobs are claimed again after their lease.
func waitForMessages(t *testing.T, db *sql.DB) {
	t.Helper()
	waitForNone(t, db, "messages WHERE sent_at = 0", 2*time.Minute)
}

// waitForNone waits until a query has no rows.
func waitForNone(t *testing.T, db *sql.DB, from string, limit time.Duration) {
	t.Helper()
	for deadline := time.Now().Add(limit); ; <-time.After(100 * time.Millisecond) {
		var left int
		if err := db.QueryRow("SELECT COUNT(*) FROM " + from).Scan(&left); err != nil {
			t.Fatal(err)
		}
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("after %v there are still %d %s", limit, left, from)
			return
		}
	}
}

// verify runs site verify.
func verify(t *testing.T, databaseURL string) {
	t.Helper()
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	verify := exec.Command(binary, "verify")
	verify.Env = []string{"DATABASE_URL=" + databaseURL, "DATA_DIR=" + t.TempDir(), secretKey}
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("site verify: %v\n%s", err, out)
	}
}

// compare compares the database with the journal.
func compare(t *testing.T, db *sql.DB, databaseURL string, book *journal) {
	t.Helper()
	verify(t, databaseURL)
	pairs := func(query string) map[string]string {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		all := map[string]string{}
		for rows.Next() {
			var key, value string
			if err := rows.Scan(&key, &value); err != nil {
				t.Fatal(err)
			}
			if _, twice := all[key]; twice {
				t.Errorf("%q stands twice in the books", key)
			}
			all[key] = value
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	count := func(query string) (n int) {
		if err := db.QueryRow(query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	registered := pairs("SELECT id, phone FROM registrations")
	for id, phone := range book.registered {
		if registered[id] != "+91"+phone {
			t.Errorf("registration %s of %s was acknowledged and is not in the books", id, phone)
		}
	}
	paid := pairs("SELECT id, registration_id FROM transactions WHERE state = 'paid'")
	for id, registration := range book.paid {
		if paid[id] != registration {
			t.Errorf("payment %s was acknowledged and is not in the books", id)
		}
	}
	phones := map[string]bool{}
	for _, phone := range registered {
		phones[phone] = true
	}
	invoices, first, last := count("SELECT COUNT(*) FROM invoices"), count("SELECT MIN(serial) FROM invoices"), count("SELECT MAX(serial) FROM invoices")
	figures := []struct {
		what      string
		got, want int
	}{
		{"acknowledged payments", len(book.paid), enrolments},
		{"registrations", len(registered), enrolments},
		{"different phones", len(phones), enrolments},
		{"paid", len(paid), enrolments},
		{"invoices", invoices, enrolments},
		{"first invoice number", first, 1},
		{"last invoice number", last, enrolments},
		{"receipt messages", count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%'"), enrolments},
		{"messages not sent", count("SELECT COUNT(*) FROM messages WHERE sent_at = 0"), 0},
	}
	for _, f := range figures {
		t.Logf("%s: %d", f.what, f.got)
		if f.got != f.want {
			t.Errorf("%s: %d, want %d", f.what, f.got, f.want)
		}
	}
}

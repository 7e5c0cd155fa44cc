package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission/contact"
	"hiresure/admission/message"
	"hiresure/store"

	_ "github.com/jackc/pgx/v5/stdlib"

	"hiresure/admission"
	"hiresure/store/storetest"
)

// BenchmarkEnquiry compares an enquiry's transaction, with its message and job, to the insert of a single row, with 8 and 64
// clients; on SQLite also with a commit per enquiry.
func BenchmarkEnquiry(b *testing.B) {
	for _, database := range []struct {
		name string
		url  func(testing.TB) string
	}{{"sqlite", storetest.SQLite}, {"postgres", storetest.Postgres}} {
		for _, clients := range []int{8, 64} {
			b.Run(fmt.Sprintf("%s/%d/bare", database.name, clients), func(b *testing.B) {
				insert := bareInsert(b, database.url(b))
				concurrently(b, clients, insert)
			})
			b.Run(fmt.Sprintf("%s/%d/enquiry", database.name, clients), func(b *testing.B) {
				s := storetest.Open(b, database.url(b))
				concurrently(b, clients, func() error { return addEnquiry(b.Context(), s) })
			})
			if database.name == "sqlite" {
				b.Run(fmt.Sprintf("%s/%d/alone", database.name, clients), func(b *testing.B) {
					s := storetest.Open(b, database.url(b))
					s.CommitEachAlone()
					concurrently(b, clients, func() error { return addEnquiry(b.Context(), s) })
				})
			}
		}
	}
}

// addEnquiry stores an enquiry like the business.
func addEnquiry(ctx context.Context, s *store.Store) error {
	e := enquiry()
	return s.Update(ctx, func(tx store.Tx) error {
		if err := tx.AddEnquiry(&e); err != nil {
			return err
		}
		return tx.AddMessage(&message.Message{
			ID: admission.NewID(), CreatedAt: e.CreatedAt, Cause: "enquiry:" + e.ID, Channel: message.Email, To: e.Email, Template: "enquiry",
			Params:  map[string]string{"Name": e.FullName, "Reference": e.Reference},
			Content: message.Content{Subject: "We have your question: " + e.Reference, Text: strings.Repeat("words ", 100)},
		})
	})
}

func enquiry() contact.Enquiry {
	return contact.Enquiry{
		ID: admission.NewID(), Reference: admission.Reference("ENQ"), FullName: "Asha Rao", Email: "asha.rao@example.com", Phone: "+919876543210",
		Country: "in", Description: "How long does the programme take, and may I work beside it?", Type: "KS_SCHOLARSHIP", CreatedAt: time.Now(),
	}
}

// bareInsert returns a plain insert of one row.
func bareInsert(b *testing.B, url string) func() error {
	b.Helper()
	driver, source, insert := "pgx", url, "INSERT INTO bare VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, source = "sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_txlock=immediate"
		insert = "INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(16)
	if driver == "sqlite" {
		db.SetMaxOpenConns(1)
	}
	db.SetMaxIdleConns(16)
	if _, err := db.ExecContext(b.Context(), `CREATE TABLE bare (id TEXT PRIMARY KEY, reference TEXT, full_name TEXT, email TEXT, phone TEXT, country TEXT,
		description TEXT, type TEXT, created_at BIGINT)`); err != nil {
		b.Fatal(err)
	}
	statement, err := db.PrepareContext(b.Context(), insert)
	if err != nil {
		b.Fatal(err)
	}
	return func() error {
		e := enquiry()
		_, err := statement.ExecContext(b.Context(), e.ID, e.Reference, e.FullName, e.Email, e.Phone, e.Country, e.Description, e.Type, e.CreatedAt.UnixMicro())
		return err
	}
}

// concurrently runs work b.N times by concurrent clients.
func concurrently(b *testing.B, clients int, work func() error) {
	b.Helper()
	left := make(chan struct{}, b.N)
	for range b.N {
		left <- struct{}{}
	}
	close(left)
	ended := make(chan error, clients)
	b.ResetTimer()
	for range clients {
		go func() {
			for range left {
				if err := work(); err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
	}
	for range clients {
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "done/s")
}

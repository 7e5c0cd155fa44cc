package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "modernc.org/sqlite"

	"hiresure/admission"
	"hiresure/store"
)

// The bare servers are the simplest implementations. Each is a process of this binary, named by its first argument.
const (
	barePage  = "bare-page"    // ADDR FILE: answers every request with the page in the file
	barePosts = "bare-enquiry" // ADDR URL: each POST stores an enquiry
	bareSteps = "bare-step"    // ADDR URL: each POST saves a step or a draft of an application
	bareInbox = "bare-webhook" // ADDR URL: each POST stores a webhook
)

func serveBare(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("%s takes an address and what to serve", args[0])
	}
	var handler http.Handler
	var err error
	switch args[0] {
	case barePage:
		handler, err = newBarePage(args[2])
	case bareFiles:
		handler, err = newBareFiles(args[2])
	case bareSteps:
		handler, err = newBareStep(args[2])
	case bareInbox:
		handler, err = newBareInbox(args[2])
	default:
		handler, err = newBareEnquiry(args[2])
	}
	if err != nil {
		return err
	}
	return http.ListenAndServe(args[1], handler)
}

// page is a response with all its headers.
type page struct {
	Header http.Header
	Body   []byte
}

func newBarePage(file string) (http.Handler, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p page
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), p.Header)
		_, _ = w.Write(p.Body) // fails only if the client has gone
	}), json.Unmarshal(text, &p)
}

type bareEnquiry struct{ FullName, Email, Phone, CountryCode, Description, EnquiryType string }

// newBareEnquiry stores an enquiry: on PostgreSQL the same rows as the site, on SQLite only the enquiry.
func newBareEnquiry(url string) (http.Handler, error) {
	keep, err := bareKeeper(url)
	if err != nil {
		return nil, err
	}
	alone := strings.HasPrefix(url, "sqlite://")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		var e bareEnquiry
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reference := admission.Reference("ENQ")
		rows := e.rows(reference)
		if alone {
			rows = rows[:1]
		}
		if err := keep(r.Context(), rows); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "reference_number": reference}) // fails only if the client has gone
	})
	return mux, nil
}

// bareKeeper creates the site's tables and returns a function that writes rows into them.
func bareKeeper(url string) (func(context.Context, []bareRow) error, error) {
	ctx := context.Background()
	tables, err := store.Open(ctx, store.Config{URL: url, Secret: make([]byte, 32), Migrate: true})
	if err != nil {
		return nil, err
	}
	if err := tables.Close(); err != nil {
		return nil, err
	}
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		return onBareSQLite(path)
	}
	return onBarePostgres(ctx, url)
}

// bareRow is a statement with parameters $1, $2, … on both databases.
type bareRow struct {
	statement string
	values    []any
}

// bareContent has the length of the sealed acknowledgement.
var bareContent = strings.Repeat("x", 1000)

// rows returns what the site writes for an enquiry, without limits and consents: the enquiry, its acknowledgement and its job.
func (e *bareEnquiry) rows(reference string) []bareRow {
	id, message, now := admission.NewID(), admission.NewID(), time.Now().UnixMicro()
	return []bareRow{
		{
			`INSERT INTO enquiries (id, reference, full_name, email, phone, country, description, type, page, created_at, form_version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', $9, 1)`,
			[]any{id, reference, e.FullName, e.Email, e.Phone, e.CountryCode, e.Description, e.EnquiryType, now},
		},
		{
			`INSERT INTO messages (id, cause, channel, recipient, template, params, created_at, sent_at, template_version, content)
				VALUES ($1, $2, 'email', $3, 'enquiry', $4, $5, 0, '0123456789ab', $6)`,
			[]any{message, "enquiry:" + id, e.Email, fmt.Sprintf(`{"Name":%q,"Reference":%q}`, e.FullName, reference), now, bareContent},
		},
		{`INSERT INTO jobs (kind, ref, due_at, attempts, last_error) VALUES ('mail', $1, $2, 0, '')`, []any{message, now}},
	}
}

// onBarePostgres sends the rows in one batch, which is one round trip and one transaction.
func onBarePostgres(ctx context.Context, url string) (func(context.Context, []bareRow) error, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 16 // as the site
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return func(ctx context.Context, rows []bareRow) error {
		batch := &pgx.Batch{}
		for _, row := range rows {
			batch.Queue(row.statement, row.values...)
		}
		return pool.SendBatch(ctx, batch).Close()
	}, err
}

// onBareSQLite writes the rows in one transaction with prepared statements, and with the driver and pragmas of package store.
func onBareSQLite(path string) (func(context.Context, []bareRow) error, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var statements sync.Map // *sql.Stmt, by their text
	prepare := func(text string) (*sql.Stmt, error) {
		if statement, is := statements.Load(text); is {
			return statement.(*sql.Stmt), nil
		}
		statement, err := db.Prepare(text)
		if err == nil {
			statements.Store(text, statement)
		}
		return statement, err
	}
	return func(ctx context.Context, rows []bareRow) (err error) {
		var prepared []*sql.Stmt
		for _, row := range rows { // before the transaction takes the only connection
			statement, err := prepare(row.statement)
			if err != nil {
				return err
			}
			prepared = append(prepared, statement)
		}
		if len(rows) == 1 { // is its own transaction
			_, err := prepared[0].ExecContext(ctx, rows[0].values...)
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		for i, row := range rows {
			if _, err := tx.StmtContext(ctx, prepared[i]).ExecContext(ctx, row.values...); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
		return tx.Commit()
	}, nil
}

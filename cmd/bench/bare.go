package main

import (
	"cmp"
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
	database, err := openBare(url)
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
		if err := database.keep(r.Context(), rows); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "reference_number": reference}) // fails only if the client has gone
	})
	return mux, nil
}

// bareDatabase is one of the site's databases.
type bareDatabase interface {
	// keep writes rows in one transaction.
	keep(context.Context, []bareRow) error
	// change reads and locks in one transaction, then writes the rows that follow from it.
	change(context.Context, []bareRead, func() ([]bareRow, error)) error
}

// openBare creates the site's tables.
func openBare(url string) (bareDatabase, error) {
	ctx := context.Background()
	tables, err := store.Open(ctx, store.Config{URL: url, Secret: make([]byte, 32), Migrate: true})
	if err != nil {
		return nil, err
	}
	if err := tables.Close(); err != nil {
		return nil, err
	}
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		return openBareSQLite(ctx, path)
	}
	return openBarePostgres(ctx, url)
}

// bareRow is a statement with parameters $1, $2, … on both databases.
type bareRow struct {
	statement string
	values    []any
}

// bareRead is a query of at most one row, with parameters as in bareRow. lock is added on PostgreSQL.
type bareRead struct {
	query  string
	lock   bool
	values []any
	into   []any // targets of the columns, unchanged without a row
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

// barePostgres sends statements in batches, each one round trip.
type barePostgres struct{ pool *pgxpool.Pool }

func openBarePostgres(ctx context.Context, url string) (*barePostgres, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 16 // as the site
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return &barePostgres{pool}, err
}

func (p *barePostgres) keep(ctx context.Context, rows []bareRow) error {
	return p.pool.SendBatch(ctx, batchOf(rows)).Close() // is one transaction
}

func (p *barePostgres) change(ctx context.Context, reads []bareRead, rows func() ([]bareRow, error)) error {
	connection, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer connection.Release() // closes it in an open transaction
	asked := &pgx.Batch{}
	asked.Queue("BEGIN")
	for _, read := range reads {
		if read.lock {
			read.query += " FOR UPDATE"
		}
		asked.Queue(read.query, read.values...).QueryRow(func(row pgx.Row) error {
			if err := row.Scan(read.into...); !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			return nil
		})
	}
	if err := connection.SendBatch(ctx, asked).Close(); err != nil {
		return err
	}
	written, err := rows()
	if err != nil {
		return err
	}
	batch := batchOf(written)
	batch.Queue("COMMIT")
	return connection.SendBatch(ctx, batch).Close()
}

func batchOf(rows []bareRow) *pgx.Batch {
	batch := &pgx.Batch{}
	for _, row := range rows {
		batch.Queue(row.statement, row.values...)
	}
	return batch
}

// bareSQLite has one connection with prepared statements, and the driver and pragmas of package store.
type bareSQLite struct {
	mutex      sync.Mutex
	connection *sql.Conn
	statements map[string]*sql.Stmt // by their text
}

func openBareSQLite(ctx context.Context, path string) (*bareSQLite, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	connection, err := db.Conn(ctx)
	return &bareSQLite{connection: connection, statements: map[string]*sql.Stmt{}}, err
}

func (s *bareSQLite) prepare(text string) (statement *sql.Stmt, err error) {
	if statement = s.statements[text]; statement == nil {
		statement, err = s.connection.PrepareContext(context.Background(), text)
		s.statements[text] = statement
	}
	return statement, err
}

func (s *bareSQLite) run(row bareRow) error {
	statement, err := s.prepare(row.statement)
	if err == nil {
		_, err = statement.Exec(row.values...)
	}
	return err
}

func (s *bareSQLite) keep(ctx context.Context, rows []bareRow) error {
	if len(rows) == 1 { // is its own transaction
		s.mutex.Lock()
		defer s.mutex.Unlock()
		return s.run(rows[0])
	}
	return s.change(ctx, nil, func() ([]bareRow, error) { return rows, nil })
}

func (s *bareSQLite) change(_ context.Context, reads []bareRead, rows func() ([]bareRow, error)) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.run(bareRow{statement: "BEGIN IMMEDIATE"}); err != nil {
		return err
	}
	if err := s.within(reads, rows); err != nil {
		return errors.Join(err, s.run(bareRow{statement: "ROLLBACK"}))
	}
	return s.run(bareRow{statement: "COMMIT"})
}

func (s *bareSQLite) within(reads []bareRead, rows func() ([]bareRow, error)) error {
	for _, read := range reads {
		statement, err := s.prepare(read.query)
		if err != nil {
			return err
		}
		if err := statement.QueryRow(read.values...).Scan(read.into...); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	written, err := rows()
	for _, row := range written {
		err = cmp.Or(err, s.run(row))
	}
	return err
}

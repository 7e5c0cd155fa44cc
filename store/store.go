// Package store keeps everything that the business needs in one SQL database, SQLite or PostgreSQL. It is the only
// package that knows SQL.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"hiresure/admission"
)

// Config says where the database is.
type Config struct {
	URL    string           // sqlite://PATH (a relative path, or sqlite:///absolute) or postgres://…
	Secret []byte           // 32 bytes, kept outside of the database, from which the sealed columns' key is derived
	Log    *slog.Logger     // nil: slog.Default
	Clock  func() time.Time // nil: time.Now

	Migrate  bool          // create what is not there, and bring the schema up to date
	Patience time.Duration // of a transaction, with a database that does not answer; 0 is 10 s
}

// Store keeps everything of every area (see Areas), and what the queue, the sandbox gateway, the development outbox and
// idempotent answers need. It is safe for concurrent use.
type Store struct {
	database database
	sealer   sealer
	clock    func() time.Time
	log      *slog.Logger
	patience time.Duration
	closed   atomic.Bool
	wake     func(kind string)
}

// database is what differs between the two.
type database interface {
	update(ctx context.Context, work func(*gorm.DB) error) error
	view(ctx context.Context, work func(*gorm.DB) error) error
	backup(ctx context.Context, path string) error
	close() error
}

// Open connects. Only with Config.Migrate does it change anything.
func Open(ctx context.Context, c Config) (*Store, error) {
	if len(c.Secret) != 32 {
		return nil, fmt.Errorf("open store: the secret has %d bytes, not 32", len(c.Secret))
	}
	sealer, err := newSealer(c.Secret)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	s := &Store{sealer: sealer, clock: c.Clock, log: c.Log, patience: cmp.Or(c.Patience, patience)}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	scheme, path, _ := strings.Cut(c.URL, "://")
	switch scheme {
	case "sqlite":
		s.database, err = openSQLite(ctx, path, c.Migrate)
	case "postgres", "postgresql":
		s.database, err = openPostgres(ctx, c.URL, c.Migrate)
	default:
		err = errors.New("the database's URL begins with neither sqlite:// nor postgres://")
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return s, nil
}

// gormConfig is quiet: GORM's own log would print values.
func gormConfig() *gorm.Config {
	return &gorm.Config{SkipDefaultTransaction: true, TranslateError: true, DisableAutomaticPing: true, Logger: logger.Discard}
}

const (
	tries    = 6                // runs of a transaction, at most
	patience = 10 * time.Second // for all of them together
)

// update runs work in one transaction; see Update.
func (s *Store) update(ctx context.Context, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	return s.patientUpdate(ctx, work)
}

// patientUpdate is update for what may take as long as ctx allows.
func (s *Store) patientUpdate(ctx context.Context, work func(*tx) error) error {
	if s.closed.Load() {
		return errClosed
	}
	for try := 0; ; try++ {
		var t *tx
		err := s.database.update(ctx, func(db *gorm.DB) error {
			t = &tx{db: db, later: later(db), sealer: s.sealer, locks: db.Name() == "postgres", again: try > 0}
			return work(t)
		})
		if err == nil && s.wake != nil {
			for _, kind := range t.jobs {
				s.wake(kind)
			}
		}
		if err == nil || !inTheWay(err) || try == tries-1 {
			return judged(err)
		}
		s.log.DebugContext(ctx, "transaction runs again", "try", try+1, "error", err)
		select {
		case <-time.After(time.Duration(rand.IntN(5<<try)) * time.Millisecond):
		case <-ctx.Done():
			return judged(ctx.Err())
		}
	}
}

func inTheWay(err error) bool {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return true
	}
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (failure.Code == "40001" || failure.Code == "40P01") // serialisation failure, deadlock
}

// view runs work on one snapshot.
func (s *Store) view(ctx context.Context, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	return s.patientView(ctx, work)
}

// patientView is view for what may take as long as ctx allows.
func (s *Store) patientView(ctx context.Context, work func(*tx) error) error {
	if s.closed.Load() {
		return errClosed
	}
	return judged(s.database.view(ctx, func(db *gorm.DB) error { return work(&tx{db: db, later: db, sealer: s.sealer}) }))
}

var errClosed = fmt.Errorf("%w: the store is closed", admission.ErrUnavailable)

// judged marks the errors of a database that cannot be reached or written as admission.ErrUnavailable.
func judged(err error) error {
	if err == nil || errors.Is(err, admission.ErrUnavailable) || !isDown(err) {
		return err
	}
	return fmt.Errorf("%w: %w", admission.ErrUnavailable, err)
}

func isDown(err error) bool {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok { // connection, resources, operator intervention
		return strings.HasPrefix(failure.Code, "08") || strings.HasPrefix(failure.Code, "53") || strings.HasPrefix(failure.Code, "57P")
	}
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		switch failure.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
			return true
		}
		return false
	}
	_, network := errors.AsType[net.Error](err) // as is context.DeadlineExceeded
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	return s.view(ctx, func(t *tx) error { return t.db.Exec("SELECT 1").Error })
}

// Backup writes a copy of a SQLite database to a new file, while work goes on. PostgreSQL has pg_dump.
func (s *Store) Backup(ctx context.Context, path string) error {
	return wrap("back up", s.database.backup(ctx, path))
}

// Close waits for the work under way, then disconnects.
func (s *Store) Close() error {
	s.closed.Store(true)
	return s.database.close()
}

func wrap(action string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

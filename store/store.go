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
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
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

	Pool     int           // connections to PostgreSQL at most, beside one of Ping's own; 0 is 16, SmallestPool the least
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
	events   admission.Catalogue // see UseEvents
}

// database is what differs between the two.
type database interface {
	update(ctx context.Context, work func(*gorm.DB, *pgx.Batch) error) error // the batch is PostgreSQL's, of what is queued
	view(ctx context.Context, work func(*gorm.DB) error) error
	outside(ctx context.Context) *gorm.DB // of any transaction, to read
	takeTime(*gorm.DB) error              // lets the statements of the transaction at hand take as long as its context allows
	ping(ctx context.Context) error
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
	s := &Store{sealer: sealer, clock: c.Clock, log: c.Log, patience: cmp.Or(c.Patience, patience), events: noEvents{}}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	pool := cmp.Or(c.Pool, defaultPool)
	if pool < SmallestPool {
		return nil, fmt.Errorf("open store: a pool needs at least %d connections", SmallestPool)
	}
	scheme, path, _ := strings.Cut(c.URL, "://")
	switch scheme {
	case "sqlite":
		s.database, err = openSQLite(ctx, path, c.Migrate)
	case "postgres", "postgresql":
		s.database, err = openPostgres(ctx, c.URL, pool, c.Migrate)
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
	return s.repeat(ctx, func(t *tx) error { return s.updateOnce(ctx, t, work) })
}

// patientUpdate is update for what may take as long as ctx allows.
func (s *Store) patientUpdate(ctx context.Context, work func(*tx) error) error {
	return s.repeat(ctx, func(t *tx) error {
		return s.updateOnce(ctx, t, func(t *tx) error {
			if err := s.database.takeTime(t.db); err != nil {
				return err
			}
			return work(t)
		})
	})
}

func (s *Store) updateOnce(ctx context.Context, t *tx, work func(*tx) error) error {
	return s.database.update(ctx, func(db *gorm.DB, batch *pgx.Batch) error {
		t.db, t.batch, t.phases = db, batch, nil
		if err := work(t); err != nil {
			return err
		}
		return s.writePhases(t)
	})
}

// repeat runs a transaction, and runs it again where another one was in its way.
func (s *Store) repeat(ctx context.Context, transaction func(*tx) error) error {
	if s.closed.Load() {
		return errClosed
	}
	return judged(inTime(ctx, untilClear(ctx, func(try int) error {
		t := &tx{sealer: s.sealer, again: try > 0}
		err := transaction(t)
		if err == nil && s.wake != nil {
			for _, kind := range t.jobs {
				s.wake(kind)
			}
		}
		if err != nil && inTheWay(err) {
			s.log.DebugContext(ctx, "another transaction was in the way", "try", try+1, "error", err)
		}
		return err
	})))
}

// untilClear runs work, and runs it again where another transaction was in its way.
func untilClear(ctx context.Context, work func(try int) error) error {
	for try := 0; ; try++ {
		err := work(try)
		if err == nil || !inTheWay(err) || try == tries-1 {
			return err
		}
		select {
		case <-time.After(time.Duration(rand.IntN(5<<try)) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
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
	return s.look(ctx, work)
}

// patientView is view for what may take as long as ctx allows.
func (s *Store) patientView(ctx context.Context, work func(*tx) error) error {
	return s.look(ctx, func(t *tx) error {
		if err := s.database.takeTime(t.db); err != nil {
			return err
		}
		return work(t)
	})
}

// read runs work, which is one statement, outside of a transaction.
func (s *Store) read(ctx context.Context, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	if s.closed.Load() {
		return errClosed
	}
	db := s.database.outside(ctx)
	return judged(work(&tx{db: db, sealer: s.sealer}))
}

func (s *Store) look(ctx context.Context, work func(*tx) error) error {
	if s.closed.Load() {
		return errClosed
	}
	return judged(inTime(ctx, s.database.view(ctx, func(db *gorm.DB) error { return work(&tx{db: db, sealer: s.sealer}) })))
}

// inTime says what ended a transaction that ended by itself when ctx did.
func inTime(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return err
}

var errClosed = fmt.Errorf("%w: the store is closed", admission.ErrUnavailable)

// judged marks the errors of a database that cannot be reached or written, or not in time, as admission.ErrUnavailable.
func judged(err error) error {
	if err == nil || errors.Is(err, admission.ErrUnavailable) || !isDown(err) {
		return err
	}
	return fmt.Errorf("%w: %w", admission.ErrUnavailable, err)
}

func isDown(err error) bool {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		for _, class := range []string{
			"08", "53", "57P", // connection, resources, operator intervention
			"55P03", "57014", // a lock or a statement took too long
			"25P03", // so did we
		} {
			if strings.HasPrefix(failure.Code, class) {
				return true
			}
		}
		return false
	}
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		switch failure.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
			return true
		}
		return false
	}
	if _, network := errors.AsType[net.Error](err); network { // as is context.DeadlineExceeded
		return true
	}
	for _, gone := range []error{driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed, pgx.ErrTxClosed, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// Ping reports whether the database answers, on a connection of its own: one that is only busy answers too.
func (s *Store) Ping(ctx context.Context) error {
	if s.closed.Load() {
		return errClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	return judged(s.database.ping(ctx))
}

// Backup writes a copy of a SQLite database to a new file, while work goes on. PostgreSQL has pg_dump.
func (s *Store) Backup(ctx context.Context, path string) error {
	return wrap("back up", s.database.backup(ctx, path))
}

// Close waits for the work under way, then disconnects. Another time it does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return s.database.close()
}

func wrap(action string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

// Package store stores the business's data in one SQL database, SQLite or PostgreSQL. No other package uses SQL.
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
	"slices"
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

// Config configures Open.
type Config struct {
	URL    string           // sqlite://PATH (a relative path, or sqlite:///absolute) or postgres://…
	Secret []byte           // 32 bytes; the key of the sealed columns is derived from it
	Log    *slog.Logger     // nil: slog.Default
	Clock  func() time.Time // nil: time.Now

	Pool    int           // maximum connections to PostgreSQL, plus one for Ping; at least SmallestPool, 0 means 16
	Migrate bool          // create a missing database and migrate the schema
	Timeout time.Duration // limits a transaction, with its retries; 0 means 5 s
}

// Store stores the data of every area (see Areas), of the job queue, the sandbox gateway, the development outbox and the
// idempotent answers. It is safe for concurrent use.
type Store struct {
	database   database
	sealer     sealer
	clock      func() time.Time
	log        *slog.Logger
	timeout    time.Duration
	unwritable atomic.Pointer[writeFault] // nil: the database can be written
	closed     atomic.Bool
	wake       func(kind string)
	events     admission.Catalogue // see UseEvents
}

// database is SQLite or PostgreSQL.
type database interface {
	update(ctx context.Context, work func(*gorm.DB, *pgx.Batch) error) error // the batch is PostgreSQL's queue of statements
	view(ctx context.Context, work func(*gorm.DB) error) error
	outside(ctx context.Context) *gorm.DB // reads outside of transactions
	removeTimeout(*gorm.DB) error         // removes the statement timeout of the running transaction
	ping(ctx context.Context) error
	backup(ctx context.Context, path string) error
	close() error
}

// Open connects to the database. It changes the schema only with Config.Migrate. Errors: admission.ErrUnavailable if a PostgreSQL does not answer.
func Open(ctx context.Context, c Config) (*Store, error) {
	if len(c.Secret) != 32 {
		return nil, fmt.Errorf("open store: the secret has %d bytes, not 32", len(c.Secret))
	}
	sealer, err := newSealer(c.Secret)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	s := &Store{sealer: sealer, clock: c.Clock, log: c.Log, timeout: cmp.Or(c.Timeout, defaultTimeout), events: noEvents{}}
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
		err = markUnavailable(err)
	default:
		err = errors.New("the database's URL begins with neither sqlite:// nor postgres://")
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return s, nil
}

// gormConfig disables GORM's log, which would print values.
func gormConfig() *gorm.Config {
	return &gorm.Config{SkipDefaultTransaction: true, TranslateError: true, DisableAutomaticPing: true, Logger: logger.Discard}
}

const (
	maxTries       = 6               // maximum runs of a transaction
	defaultTimeout = 5 * time.Second // for all runs together
)

// update runs work in one transaction; see Update.
func (s *Store) update(ctx context.Context, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return s.retry(ctx, func(t *tx) error { return s.updateOnce(ctx, t, work) })
}

// longUpdate is update without a timeout but ctx's.
func (s *Store) longUpdate(ctx context.Context, work func(*tx) error) error {
	return s.retry(ctx, func(t *tx) error {
		return s.updateOnce(ctx, t, func(t *tx) error {
			if err := s.database.removeTimeout(t.db); err != nil {
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

// retry runs a transaction, retries it after conflicts, and wakes the workers of its jobs.
func (s *Store) retry(ctx context.Context, transaction func(*tx) error) error {
	if s.closed.Load() {
		return errClosed
	}
	if _, viewed := admission.ViewedIn(ctx); viewed {
		return admission.ErrReadOnly
	}
	return markUnavailable(addContextError(ctx, retryConflicts(ctx, func(try int) error {
		t := &tx{sealer: s.sealer, isRetry: try > 0}
		err := transaction(t)
		s.noteWrite(err)
		if err == nil && s.wake != nil {
			for _, kind := range t.jobs {
				s.wake(kind)
			}
		}
		if err != nil && isConflict(err) {
			s.log.DebugContext(ctx, "another transaction was in the way", "try", try+1, "error", err)
		}
		return err
	})))
}

// retryConflicts runs work and retries it after conflicts with other transactions.
func retryConflicts(ctx context.Context, work func(try int) error) error {
	for try := 0; ; try++ {
		err := work(try)
		if err == nil || !isConflict(err) || try == maxTries-1 {
			return err
		}
		if err := pause(ctx, time.Duration(rand.IntN(5<<try))*time.Millisecond); err != nil {
			return err
		}
	}
}

func isConflict(err error) bool {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return true
	}
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (failure.Code == "40001" || failure.Code == "40P01") // serialisation failure, deadlock
}

// view runs work on one snapshot.
func (s *Store) view(ctx context.Context, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return s.viewOnce(ctx, work)
}

// longView is view without a timeout but ctx's.
func (s *Store) longView(ctx context.Context, work func(*tx) error) error {
	return s.viewOnce(ctx, func(t *tx) error {
		if err := s.database.removeTimeout(t.db); err != nil {
			return err
		}
		return work(t)
	})
}

// read runs work, a single statement, outside of a transaction.
func (s *Store) read(ctx context.Context, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if s.closed.Load() {
		return errClosed
	}
	db := s.database.outside(ctx)
	return markUnavailable(work(&tx{db: db, sealer: s.sealer}))
}

func (s *Store) viewOnce(ctx context.Context, work func(*tx) error) error {
	if s.closed.Load() {
		return errClosed
	}
	return markUnavailable(addContextError(ctx, s.database.view(ctx, func(db *gorm.DB) error { return work(&tx{db: db, sealer: s.sealer}) })))
}

// addContextError adds ctx's error to that of a transaction that ctx has ended.
func addContextError(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return err
}

var errClosed = fmt.Errorf("%w: the store is closed", admission.ErrUnavailable)

// markUnavailable marks errors of a database that is unreachable, read-only or too slow as admission.ErrUnavailable.
func markUnavailable(err error) error {
	if err == nil || errors.Is(err, admission.ErrUnavailable) || !isUnavailable(err) {
		return err
	}
	return fmt.Errorf("%w: %w", admission.ErrUnavailable, err)
}

// readOnlyTransaction is PostgreSQL's refusal to write on a standby.
const readOnlyTransaction = "25006"

func isUnavailable(err error) bool {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		for _, class := range []string{
			"08", "53", "57P", // connection, resources, operator intervention
			"55P03", "57014", // lock or statement timeout
			"25P03", // idle transaction timeout
			readOnlyTransaction,
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
	if _, network := errors.AsType[net.Error](err); network { // context.DeadlineExceeded is one too
		return true
	}
	for _, gone := range []error{driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed, pgx.ErrTxClosed, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// writeFault is the last error of a full disk or a read-only database.
type writeFault struct {
	err error
	at  time.Time
}

// faultTime is how long a writeFault counts at least: on a full disk small updates succeed between others that fail.
const faultTime = 30 * time.Second

// noteWrite stores a writeFault, and deletes it when an update succeeds after faultTime.
func (s *Store) noteWrite(err error) {
	now := s.clock()
	if isUnwritable(err) {
		s.unwritable.Store(&writeFault{err, now})
		return
	}
	if fault := s.unwritable.Load(); err == nil && fault != nil && now.Sub(fault.at).Abs() >= faultTime {
		s.unwritable.CompareAndSwap(fault, nil)
	}
}

func isUnwritable(err error) bool {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(failure.Code, "53") && failure.Code != "53300" || failure.Code == readOnlyTransaction // 53300: too many connections
	}
	failure, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains([]int{sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}, failure.Code()&0xff)
}

// TryWrite inserts and deletes a row if there is a writeFault, so that Ping notices its end.
func (s *Store) TryWrite(ctx context.Context) error {
	if s.unwritable.Load() == nil {
		return nil
	}
	return s.update(ctx, func(t *tx) error {
		if err := t.exec("INSERT INTO erasing (ref) VALUES ('nothing')"); err != nil {
			return err
		}
		return t.exec("DELETE FROM erasing WHERE ref = 'nothing'")
	})
}

// Ping checks the database on its own connection, which works even if the pool is exhausted. A database that cannot be written does
// not answer.
func (s *Store) Ping(ctx context.Context) error {
	if s.closed.Load() {
		return errClosed
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.database.ping(ctx); err != nil {
		return markUnavailable(err)
	}
	if fault := s.unwritable.Load(); fault != nil {
		return markUnavailable(fault.err)
	}
	return nil
}

// Backup copies a SQLite database to a new file while it is in use. PostgreSQL has pg_dump.
func (s *Store) Backup(ctx context.Context, path string) error {
	return wrap("back up", s.database.backup(ctx, path))
}

// Close waits for running transactions, then disconnects. Further calls do nothing.
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

// pause waits to give way to other writers, or returns ctx's error.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// A postgresTx is one transaction, as GORM uses it. What is queued, which is BEGIN at first, is sent with the next statement
// that is not, or with COMMIT: a transaction that only writes is one round trip.
type postgresTx struct {
	pool       *sql.DB
	connection *sql.Conn // nil until something is sent
	queued     pgx.Batch
}

// update pins the isolation, which a database or a role may have set otherwise: what a transaction waited to lock, it must
// see as it is then, and not as it was when it began.
func (d *postgresDatabase) update(ctx context.Context, work func(*gorm.DB, *pgx.Batch) error) (err error) {
	t := &postgresTx{pool: d.pool}
	t.queued.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	ended := false
	defer func() { err = cmp.Or(err, t.close(ctx, ended)) }() // also where work panics
	db := d.gorm.Session(&gorm.Session{Context: ctx, NewDB: true})
	db.Statement.ConnPool = t
	if err := work(db, &t.queued); err != nil {
		return err
	}
	if t.connection == nil && t.queued.Len() == 1 {
		return nil
	}
	if err := t.commit(ctx); err != nil {
		return d.translated(err)
	}
	ended = true
	return nil
}

// translated returns an error of pgx in GORM's words.
func (d *postgresDatabase) translated(err error) error {
	if translator, ok := d.gorm.Dialector.(gorm.ErrorTranslator); ok {
		return translator.Translate(err)
	}
	return err
}

func (t *postgresTx) commit(ctx context.Context) error {
	t.queued.Queue("COMMIT").Exec(func(outcome pgconn.CommandTag) error {
		if outcome.String() != "COMMIT" { // a statement had failed, and work went on
			return pgx.ErrTxCommitRollback
		}
		return nil
	})
	return t.send(ctx)
}

// send sends what is queued in one round trip.
func (t *postgresTx) send(ctx context.Context) (err error) {
	if t.queued.Len() == 0 {
		return nil
	}
	if t.connection == nil {
		if t.connection, err = t.pool.Conn(ctx); err != nil {
			return err
		}
	}
	batch := t.queued
	t.queued = pgx.Batch{}
	return t.connection.Raw(func(driver any) error {
		return driver.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
	})
}

// close returns the connection to the pool, and ends a transaction that has not ended. A connection that cannot do that is
// given up, so that nothing stays locked.
func (t *postgresTx) close(ctx context.Context, ended bool) error {
	if t.connection == nil {
		return nil
	}
	if !ended {
		if _, err := t.connection.ExecContext(ctx, "ROLLBACK"); err != nil {
			_ = t.connection.Raw(func(any) error { return driver.ErrBadConn }) // which closes it
			return nil                                                         // what was in the way is known
		}
	}
	return t.connection.Close()
}

func (t *postgresTx) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if err := t.send(ctx); err != nil {
		return nil, err
	}
	return t.connection.PrepareContext(ctx, query)
}

func (t *postgresTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := t.send(ctx); err != nil {
		return nil, err
	}
	return t.connection.ExecContext(ctx, query, args...)
}

func (t *postgresTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := t.send(ctx); err != nil {
		return nil, err
	}
	return t.connection.QueryContext(ctx, query, args...)
}

// QueryRowContext is of GORM's Row, which this package does not use: a *sql.Row cannot say that send failed.
func (t *postgresTx) QueryRowContext(context.Context, string, ...any) *sql.Row {
	panic("store: a transaction has no Row")
}

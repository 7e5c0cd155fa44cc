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

// A postgresTx is a transaction for GORM. Queued statements, BEGIN being the first, are sent with the next row that is needed
// (asked.found), before the next other statement, or with COMMIT. A transaction that only writes takes one round trip, and one
// that first reads a row takes two.
type postgresTx struct {
	pool       *sql.DB
	connection *sql.Conn // nil until the first send
	queued     pgx.Batch
}

// update runs work in a transaction. It sets READ COMMITTED, whatever the database's default: a transaction must see a row
// that it waited to lock as it is then, not as it was at the beginning.
func (d *postgresDatabase) update(ctx context.Context, work func(*gorm.DB, *pgx.Batch) error) (err error) {
	t := &postgresTx{pool: d.pool}
	t.queued.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	ended := false
	defer func() { err = cmp.Or(err, t.close(ctx, ended)) }() // also if work panics
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

// translated converts an error of pgx to GORM's.
func (d *postgresDatabase) translated(err error) error {
	if translator, ok := d.gorm.Dialector.(gorm.ErrorTranslator); ok {
		return translator.Translate(err)
	}
	return err
}

func (t *postgresTx) commit(ctx context.Context) error {
	t.queued.Queue("COMMIT").Exec(func(outcome pgconn.CommandTag) error {
		if outcome.String() != "COMMIT" { // a statement failed, and work ignored it
			return pgx.ErrTxCommitRollback
		}
		return nil
	})
	return t.send(ctx)
}

// send sends the queued statements in one round trip.
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

// close rolls back a transaction that has not ended and returns the connection to the pool. If the rollback fails it closes
// the connection, so that no lock remains.
func (t *postgresTx) close(ctx context.Context, ended bool) error {
	if t.connection == nil {
		return nil
	}
	if !ended {
		if _, err := t.connection.ExecContext(ctx, "ROLLBACK"); err != nil {
			_ = t.connection.Raw(func(any) error { return driver.ErrBadConn }) // closes it
			return nil
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

// QueryRowContext panics: a *sql.Row cannot return an error of send. Only GORM's Row calls it, which this package avoids.
func (t *postgresTx) QueryRowContext(context.Context, string, ...any) *sql.Row {
	panic("store: a transaction has no Row")
}

// pgxRows are rows of pgx for GORM.
type pgxRows struct{ pgx.Rows }

func (r pgxRows) Close() error {
	r.Rows.Close()
	return r.Err()
}

func (r pgxRows) Columns() (names []string, _ error) {
	for _, column := range r.FieldDescriptions() {
		names = append(names, column.Name)
	}
	return names, nil
}

// ColumnTypes returns nothing: GORM needs them only for maps.
func (pgxRows) ColumnTypes() ([]*sql.ColumnType, error) { return nil, nil }

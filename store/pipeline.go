package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// On PostgreSQL a transaction's time is the number of its round trips. So a statement whose answer nobody needs waits,
// and goes with the next one that is asked for an answer, or with the commit: BEGIN, three inserts and COMMIT are one
// round trip, of which the first and last word need not even be said. What goes wrong with a statement that waited is the error of the one it went with.

type laterKey struct{}

// later answers the same transaction, for statements that may wait.
func later(db *gorm.DB) *gorm.DB {
	return db.WithContext(context.WithValue(db.Statement.Context, laterKey{}, true))
}

// pipelines makes pipeline connections.
type pipelines struct {
	driver.Connector
	convoy convoy
}

func (p *pipelines) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	plain, ok := connection.(*stdlib.Conn)
	if !ok {
		return nil, fmt.Errorf("connect: pgx answers a %T", connection)
	}
	return &pipeline{Conn: plain, convoy: &p.convoy}, nil
}

// A pipeline is a connection that holds back statements. database/sql never uses one from two goroutines at once.
type pipeline struct {
	*stdlib.Conn
	convoy  *convoy
	waiting []statement
	untold  bool // a transaction of which PostgreSQL knows nothing yet
}

type statement struct {
	query string
	args  []any
}

func (p *pipeline) wait(query string, args ...any) {
	p.waiting = append(p.waiting, statement{query, args})
}

// send sends everything that waits, in one round trip, and answers the rows of the last.
func (p *pipeline) send(ctx context.Context) (*rows, error) {
	waiting := p.waiting
	p.waiting, p.untold = nil, false
	if len(waiting) == 0 {
		return &rows{}, nil
	}
	results := p.batch(ctx, waiting)
	for range waiting[1:] {
		if _, err := results.Exec(); err != nil {
			break // readRows repeats it
		}
	}
	answer, err := readRows(results)
	if err != nil {
		_ = results.Close() // repeats err
		return nil, err
	}
	return answer, results.Close()
}

// transact sends statements in one round trip, which is one transaction without being told so.
func (p *pipeline) transact(ctx context.Context, statements []statement) error {
	return p.batch(ctx, statements).Close()
}

func (p *pipeline) batch(ctx context.Context, statements []statement) pgx.BatchResults {
	batch := &pgx.Batch{}
	for _, s := range statements {
		batch.Queue(s.query, s.args...)
	}
	return p.Conn.Conn().SendBatch(ctx, batch)
}

func (p *pipeline) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if p.Conn.Conn().IsClosed() {
		return nil, driver.ErrBadConn
	}
	begin := "begin"
	if options.ReadOnly {
		begin = "begin isolation level repeatable read read only"
	}
	p.waiting, p.untold = nil, true
	p.wait(begin)
	return &pipelineTx{p, ctx}, nil
}

func (p *pipeline) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(p.waiting) == 0 && ctx.Value(laterKey{}) == nil {
		return p.Conn.ExecContext(ctx, query, args)
	}
	p.wait(query, values(args)...)
	if ctx.Value(laterKey{}) != nil {
		return driver.RowsAffected(1), nil
	}
	answer, err := p.send(ctx)
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(answer.affected), nil
}

func (p *pipeline) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(p.waiting) == 0 {
		return p.Conn.QueryContext(ctx, query, args)
	}
	p.wait(query, values(args)...)
	answer, err := p.send(ctx)
	if err != nil {
		return nil, err // not answer: a nil *rows is no nil driver.Rows
	}
	return answer, nil
}

func values(args []driver.NamedValue) []any {
	list := make([]any, len(args))
	for i, arg := range args {
		list[i] = arg.Value
	}
	return list
}

type pipelineTx struct {
	*pipeline
	ctx context.Context
}

func (t *pipelineTx) Commit() error {
	if t.untold {
		written := t.waiting[1:]
		t.waiting, t.untold = nil, false
		if len(written) == 0 {
			return nil
		}
		return t.convoy.travel(t.ctx, written, t.transact)
	}
	t.wait("commit")
	answer, err := t.send(t.ctx)
	if err != nil {
		return err
	}
	if answer.tag == "ROLLBACK" { // so PostgreSQL answers the commit of a transaction that has failed
		return pgx.ErrTxCommitRollback
	}
	return nil
}

func (t *pipelineTx) Rollback() error {
	t.waiting, t.untold = nil, false
	if t.Conn.Conn().IsClosed() || t.Conn.Conn().PgConn().TxStatus() == 'I' { // never begun, or ended by a failed commit
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), connectTimeout)
	defer cancel()
	_, err := t.Conn.Conn().Exec(ctx, "rollback")
	return err
}

// rows is an answer in memory: ours are short.
type rows struct {
	columns  []string
	values   [][]any
	affected int64
	tag      string
}

// readRows takes the next result of a batch.
func readRows(results pgx.BatchResults) (*rows, error) {
	answer, err := results.Query()
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	r := &rows{}
	for answer.Next() {
		values, err := answer.Values()
		if err != nil {
			return nil, err
		}
		r.values = append(r.values, values)
	}
	for _, column := range answer.FieldDescriptions() {
		r.columns = append(r.columns, column.Name)
	}
	answer.Close()
	r.affected, r.tag = answer.CommandTag().RowsAffected(), answer.CommandTag().String()
	return r, answer.Err()
}

func (r *rows) Columns() []string { return r.columns }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(into []driver.Value) error {
	if len(r.values) == 0 {
		return io.EOF
	}
	for i, value := range r.values[0] {
		into[i] = value
	}
	r.values = r.values[1:]
	return nil
}

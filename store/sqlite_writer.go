package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"gorm.io/gorm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite has one writer at a time, and a commit waits for the disk. So updates that wait at the same time share a commit:
// one transaction is a commit batch, within which each update runs alone, under a savepoint, and none is told that it is
// kept before the batch is committed. BenchmarkEnquiry on two cores: with 64 clients 5,800 enquiries a second, and 2,700
// where each is a commit of its own; with 8 clients 3,500 and 1,900.
const (
	batchMost    = 64                   // updates in a commit batch
	batchLongest = 5 * time.Millisecond // after which a commit batch takes no further update
)

// A writer runs updates on the connection that writes, one after the other, on a goroutine of its own: work that went back to
// its caller's would wait twice for another core.
type writer struct {
	connection *writerConnection
	gorm       *gorm.DB
	most       int          // updates in a commit batch
	updates    chan *update // without a buffer: an update that is received is the next to run
	closing    chan struct{}
	closed     chan struct{}
}

// An update is one caller's transaction.
type update struct {
	ctx   context.Context // of the caller
	work  func(*gorm.DB) error
	err   error         // of work, or of the batch
	panic *panicked     // of work
	done  chan struct{} // the batch is committed, or given up
}

// panicked is a panic on its way from the writer to the caller.
type panicked struct {
	value any
	stack []byte
}

func newWriter(ctx context.Context, pool *sql.DB) (*writer, error) {
	connection, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{
		connection: &writerConnection{connection: connection, prepared: map[string]*sql.Stmt{}}, most: batchMost,
		updates: make(chan *update), closing: make(chan struct{}), closed: make(chan struct{}),
	}
	if w.gorm, err = gorm.Open(translated(w.connection), gormConfig()); err != nil {
		return nil, errors.Join(err, w.connection.close())
	}
	go w.run()
	return w, nil
}

// run begins a commit batch for each update that finds none, until close.
func (w *writer) run() {
	defer close(w.closed)
	for {
		select {
		case first := <-w.updates:
			w.runBatch(first)
		case <-w.closing:
			return
		}
	}
}

// runBatch runs the first update and those that wait when it ends, commits once, and tells all of them the outcome.
func (w *writer) runBatch(first *update) {
	c := w.connection
	c.fault = nil
	if err := c.run("BEGIN IMMEDIATE"); err != nil {
		first.end(wrap("begin", err))
		return
	}
	started := time.Now()
	var batch []*update
	for next := first; next != nil; {
		batch = append(batch, next)
		w.runUpdate(next)
		next = nil
		if c.fault == nil && len(batch) < w.most && time.Since(started) < batchLongest {
			select {
			case next = <-w.updates:
			default:
			}
		}
	}
	err := c.fault
	if err == nil {
		err = wrap("commit", c.run("COMMIT"))
	}
	if err != nil {
		c.fault = nil
		_ = c.run("ROLLBACK") // SQLite may have done it: then this error says no more than that
	}
	for _, u := range batch {
		u.end(err)
	}
}

// runUpdate runs an update under a savepoint, so that its failure undoes nothing but itself.
func (w *writer) runUpdate(u *update) {
	if u.err = u.ctx.Err(); u.err != nil {
		return
	}
	if u.err = w.connection.run("SAVEPOINT one_update"); u.err != nil {
		return
	}
	defer func() {
		if value := recover(); value != nil {
			u.panic = &panicked{value, debug.Stack()}
		}
		if u.panic != nil || u.err != nil {
			if undo := w.connection.run("ROLLBACK TO one_update"); undo != nil {
				w.connection.fail(undo)
			}
		}
		if release := w.connection.run("RELEASE one_update"); release != nil {
			w.connection.fail(release)
		}
	}()
	// An interrupted statement would roll back the whole batch, so that ctx counts only before the first.
	u.err = u.work(w.gorm.WithContext(context.WithoutCancel(u.ctx)))
}

// end tells the caller how the batch has ended.
func (u *update) end(err error) {
	u.err = cmp.Or(u.err, err)
	close(u.done)
}

// update has work run in a commit batch, on the writer's goroutine, and returns when that is committed. A panic of work goes
// on here, as a text with its stack.
func (w *writer) update(ctx context.Context, work func(*gorm.DB) error) error {
	u := &update{ctx: ctx, work: work, done: make(chan struct{})}
	select {
	case w.updates <- u:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closing:
		return errClosed
	}
	<-u.done
	if u.panic != nil {
		panic(fmt.Sprintf("%v\n\n%s", u.panic.value, u.panic.stack))
	}
	return u.err
}

// close waits for the commit batch at hand.
func (w *writer) close() error {
	close(w.closing)
	<-w.closed
	return w.connection.close()
}

// A writerConnection is the connection that writes, with its prepared statements, as GORM uses it.
type writerConnection struct {
	connection *sql.Conn
	prepared   map[string]*sql.Stmt
	fault      error // after which nothing more is written in this batch, and nothing of it kept
}

func (c *writerConnection) close() error {
	var errs []error
	for _, statement := range c.prepared { // SQLite keeps the file open for as long as one is
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, c.connection.Close())...)
}

func (c *writerConnection) run(statement string) error {
	_, err := c.ExecContext(context.Background(), statement)
	return err
}

func (c *writerConnection) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if known, ok := c.prepared[query]; ok {
		return known, nil
	}
	statement, err := c.connection.PrepareContext(ctx, query)
	if err == nil {
		c.prepared[query] = statement
	}
	return statement, c.judge(err)
}

func (c *writerConnection) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if c.fault != nil {
		return nil, c.fault
	}
	statement, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := statement.ExecContext(ctx, args...)
	return result, c.judge(err)
}

func (c *writerConnection) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if c.fault != nil {
		return nil, c.fault
	}
	statement, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := statement.QueryContext(ctx, args...)
	return rows, c.judge(err)
}

func (c *writerConnection) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.connection.QueryRowContext(ctx, query, args...)
}

func (c *writerConnection) fail(err error) {
	if c.fault == nil {
		c.fault = err
	}
}

// judge gives the batch up unless err is the statement's own fault. A full disk and the like may have rolled back
// everything already, and what followed would stand outside of any transaction.
func (c *writerConnection) judge(err error) error {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		switch failure.Code() & 0xff {
		case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
		default:
			c.fail(err)
		}
	}
	return err
}

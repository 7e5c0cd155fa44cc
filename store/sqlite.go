package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	readers      = 4                    // each has a cache of its own
	batchMost    = 64                   // turns that share a commit
	batchLongest = 5 * time.Millisecond // after which a batch takes nobody more
)

// A sqliteDatabase has one connection that writes and several that read. Writers take turns within a batch, each under
// a savepoint of its own, and share the batch's commit with its one wait for the disk.
type sqliteDatabase struct {
	source  string
	writing *sql.DB
	pen     *pen
	writer  *gorm.DB
	reading *sql.DB
	reader  *gorm.DB

	turns   chan *turn // without a buffer: who is received has the turn
	closing chan struct{}
	closed  chan struct{}
}

// A turn is one caller's time with the pen.
type turn struct {
	begun chan error    // the batch is open, or cannot be
	ended chan struct{} // the caller lays the pen down
	kept  chan error    // the batch is committed, or not
}

func openSQLite(ctx context.Context, path string, create bool) (_ *sqliteDatabase, err error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	d := &sqliteDatabase{turns: make(chan *turn), closing: make(chan struct{}), closed: make(chan struct{})}
	d.source = "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"
	d.writing, err = sql.Open("sqlite", d.source+"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	d.reading, err = sql.Open("sqlite", d.source+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.writing.Close(), d.reading.Close())
		}
	}()
	d.writing.SetMaxOpenConns(1)
	d.reading.SetMaxOpenConns(readers)
	d.reading.SetMaxIdleConns(readers)
	if create {
		if err := migrate(ctx, goose.DialectSQLite3, d.writing, goose.WithLocker(&fileLock{path: path + ".lock"})); err != nil {
			return nil, err
		}
	}
	connection, err := d.writing.Conn(ctx)
	if err != nil {
		return nil, err
	}
	d.pen = &pen{connection: connection, prepared: map[string]*sql.Stmt{}}
	if d.writer, err = gorm.Open(translated(d.pen), gormConfig()); err != nil {
		return nil, err
	}
	config := gormConfig()
	config.PrepareStmt = true
	if d.reader, err = gorm.Open(translated(d.reading), config); err != nil {
		return nil, err
	}
	go d.write()
	return d, nil
}

// write opens a batch for whoever comes, until close.
func (d *sqliteDatabase) write() {
	defer close(d.closed)
	for {
		select {
		case t := <-d.turns:
			d.batch(t)
		case <-d.closing:
			return
		}
	}
}

// batch gives the pen to t and to those who wait by then, commits once, and tells all of them how that went.
func (d *sqliteDatabase) batch(t *turn) {
	if err := d.pen.run("BEGIN IMMEDIATE"); err != nil {
		d.pen.broken = nil
		t.begun <- wrap("begin", err)
		return
	}
	started := time.Now()
	var turns []*turn
	for t != nil {
		turns = append(turns, t)
		t.begun <- nil
		<-t.ended
		t = nil
		if d.pen.broken == nil && len(turns) < batchMost && time.Since(started) < batchLongest {
			select {
			case t = <-d.turns:
			default:
			}
		}
	}
	err := d.pen.broken
	if err == nil {
		err = wrap("commit", d.pen.run("COMMIT"))
	}
	if d.pen.broken = nil; err != nil {
		// SQLite may have rolled back by itself: then this is an error that says no more than that.
		_ = d.pen.run("ROLLBACK")
		d.pen.broken = nil
	}
	for _, t := range turns {
		t.kept <- err
	}
}

func (d *sqliteDatabase) update(ctx context.Context, work func(*gorm.DB) error) error {
	t := &turn{begun: make(chan error, 1), ended: make(chan struct{}), kept: make(chan error, 1)}
	select {
	case d.turns <- t:
	case <-ctx.Done():
		return ctx.Err()
	case <-d.closing:
		return errClosed
	}
	if err := <-t.begun; err != nil {
		return err
	}
	if err := d.takeTurn(ctx, t, work); err != nil {
		return err
	}
	return <-t.kept
}

// takeTurn runs work under a savepoint. A panic of work goes on to its caller; its neighbours do not notice.
func (d *sqliteDatabase) takeTurn(ctx context.Context, t *turn, work func(*gorm.DB) error) (err error) {
	defer close(t.ended)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.pen.run("SAVEPOINT turn"); err != nil {
		return err
	}
	finished := false
	defer func() {
		if !finished || err != nil {
			if undo := d.pen.run("ROLLBACK TO turn"); undo != nil {
				d.pen.fail(undo)
			}
		}
		if release := d.pen.run("RELEASE turn"); release != nil {
			d.pen.fail(release)
		}
	}()
	// An interrupted statement would roll back the whole batch, so that ctx counts only before the turn.
	err = work(d.writer.WithContext(context.WithoutCancel(ctx)))
	finished = true
	return err
}

func (d *sqliteDatabase) view(ctx context.Context, work func(*gorm.DB) error) error {
	return d.reader.WithContext(ctx).Transaction(work, &sql.TxOptions{ReadOnly: true})
}

func (d *sqliteDatabase) backup(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%s is there already", path)
	}
	db, err := sql.Open("sqlite", d.source) // a reader of its own, for ours may write nothing at all
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return errors.Join(err, db.Close())
}

func (d *sqliteDatabase) close() error {
	close(d.closing)
	<-d.closed
	return errors.Join(d.pen.close(), d.writing.Close(), d.reading.Close())
}

// The pen is the connection that writes, with its prepared statements, as GORM uses it. Who has the turn has the pen.
type pen struct {
	connection *sql.Conn
	prepared   map[string]*sql.Stmt
	broken     error // after which nothing more is written in this batch, and nothing of it kept
}

func (p *pen) close() error {
	var errs []error
	for _, statement := range p.prepared { // SQLite keeps the file open for as long as one is
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, p.connection.Close())...)
}

func (p *pen) run(statement string) error {
	_, err := p.ExecContext(context.Background(), statement)
	return err
}

func (p *pen) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if known, ok := p.prepared[query]; ok {
		return known, nil
	}
	statement, err := p.connection.PrepareContext(ctx, query)
	if err == nil {
		p.prepared[query] = statement
	}
	return statement, p.judge(err)
}

func (p *pen) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if p.broken != nil && query != "ROLLBACK" {
		return nil, p.broken
	}
	statement, err := p.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := statement.ExecContext(ctx, args...)
	return result, p.judge(err)
}

func (p *pen) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if p.broken != nil {
		return nil, p.broken
	}
	statement, err := p.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := statement.QueryContext(ctx, args...)
	return rows, p.judge(err)
}

func (p *pen) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.connection.QueryRowContext(ctx, query, args...)
}

func (p *pen) fail(err error) {
	if p.broken == nil {
		p.broken = err
	}
}

// judge marks the batch as broken unless err is the statement's own fault. A full disk and the like may have rolled
// back everything already, and what followed would stand outside of any transaction.
func (p *pen) judge(err error) error {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		switch failure.Code() & 0xff {
		case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
		default:
			p.fail(err)
		}
	}
	return err
}

// translator answers modernc's errors in GORM's words, which the dialect's own translation does not know.
type translator struct{ *gormsqlite.Dialector }

func translated(pool gorm.ConnPool) gorm.Dialector {
	return translator{&gormsqlite.Dialector{DriverName: "sqlite", Conn: pool}}
}

var words = map[int]error{
	sqlite3.SQLITE_CONSTRAINT_UNIQUE:     gorm.ErrDuplicatedKey,
	sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY: gorm.ErrDuplicatedKey,
	sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: gorm.ErrForeignKeyViolated,
	sqlite3.SQLITE_CONSTRAINT_CHECK:      gorm.ErrCheckConstraintViolated,
}

func (translator) Translate(err error) error {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok && words[failure.Code()] != nil {
		return fmt.Errorf("%w: %w", words[failure.Code()], err)
	}
	return err
}

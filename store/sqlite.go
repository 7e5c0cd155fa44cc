package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"
	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const readers = 4 // each with its own cache

// A sqliteDatabase has one connection that writes, several that read, and one for Ping.
type sqliteDatabase struct {
	source  string
	inUse   *os.File // locked against Restore
	writing *sql.DB
	writer  *writer
	reading *sql.DB
	reader  *gorm.DB
	pings   *sql.DB
}

// openSQLite opens a database; it creates and migrates it only with create.
func openSQLite(ctx context.Context, path string, create bool) (_ *sqliteDatabase, err error) {
	if err := openFile(path, create); err != nil {
		return nil, err
	}
	d := &sqliteDatabase{source: sqliteSource(path)}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if d.inUse, err = lockShared(path); err != nil {
		return nil, err
	}
	d.writing, err = sql.Open("sqlite", d.source+"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	d.writing.SetMaxOpenConns(1)
	if d.reading, err = readOnly(d.source, readers); err != nil {
		return nil, err
	}
	if d.pings, err = readOnly(d.source, 1); err != nil {
		return nil, err
	}
	if create {
		// The first connection also sets the journal mode, which fails if another process sets it at the same time.
		if err := withFileLock(path+".lock", func() error { return migrate(ctx, goose.DialectSQLite3, d.writing) }); err != nil {
			return nil, err
		}
	}
	config := gormConfig()
	config.PrepareStmt = true
	if d.reader, err = gorm.Open(newDialector(d.reading), config); err != nil {
		return nil, err
	}
	d.writer, err = newWriter(ctx, d.writing)
	return d, err
}

// openFile checks that the file exists, or creates it as a private file.
func openFile(path string, create bool) error {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

func sqliteSource(path string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(4000)&_pragma=foreign_keys(1)"
}

// readOnly opens read-only connections, with a quarter of the usual cache: there are many of them, and the operating system
// caches the file too.
func readOnly(source string, limit int) (*sql.DB, error) {
	pool, err := sql.Open("sqlite", source+"&_pragma=query_only(1)&_pragma=cache_size(-500)")
	if err == nil {
		pool.SetMaxOpenConns(limit)
		pool.SetMaxIdleConns(limit)
	}
	return pool, err
}

// update runs work in a transaction. It queues nothing: a statement within the process has no round trip.
func (d *sqliteDatabase) update(ctx context.Context, work func(*gorm.DB, *pgx.Batch) error) error {
	return d.writer.update(ctx, func(db *gorm.DB) error { return work(db, nil) })
}

func (d *sqliteDatabase) view(ctx context.Context, work func(*gorm.DB) error) error {
	return d.reader.WithContext(ctx).Transaction(work, &sql.TxOptions{ReadOnly: true})
}

func (d *sqliteDatabase) outside(ctx context.Context) *gorm.DB { return d.reader.WithContext(ctx) }

func (d *sqliteDatabase) removeTimeout(*gorm.DB) error { return nil } // SQLite limits no statement

func (d *sqliteDatabase) ping(ctx context.Context) error {
	_, err := d.pings.ExecContext(ctx, "SELECT 1 FROM sqlite_schema LIMIT 1") // SELECT 1 alone would not read the file
	return err
}

func (d *sqliteDatabase) close() error {
	var errs []error
	if d.writer != nil {
		errs = append(errs, d.writer.close())
	}
	for _, pool := range []*sql.DB{d.writing, d.reading, d.pings} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	if d.inUse != nil {
		errs = append(errs, d.inUse.Close())
	}
	return errors.Join(errs...)
}

// translator converts modernc's errors to GORM's. The dialect itself converts only those of the C SQLite.
type translator struct{ *gormsqlite.Dialector }

func newDialector(pool gorm.ConnPool) gorm.Dialector {
	return translator{&gormsqlite.Dialector{DriverName: "sqlite", Conn: pool}}
}

var gormErrors = map[int]error{
	sqlite3.SQLITE_CONSTRAINT_UNIQUE:     gorm.ErrDuplicatedKey,
	sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY: gorm.ErrDuplicatedKey,
	sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: gorm.ErrForeignKeyViolated,
	sqlite3.SQLITE_CONSTRAINT_CHECK:      gorm.ErrCheckConstraintViolated,
}

func (translator) Translate(err error) error {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok && gormErrors[failure.Code()] != nil {
		return fmt.Errorf("%w: %w", gormErrors[failure.Code()], err)
	}
	return err
}

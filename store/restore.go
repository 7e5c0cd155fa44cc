package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Restore replaces the SQLite database at url, which no process may use, by a copy of a backup. It first rejects a backup that
// is damaged, of another program, or of a newer schema; an older schema is migrated when the site starts. It keeps the old
// database in the same folder, with the time in its name: kept is its path, "" if there was none. If the process dies, either
// the old or the new database is in place.
func Restore(ctx context.Context, url, backup string, now time.Time) (kept string, err error) {
	kept, err = restore(ctx, url, backup, now)
	return kept, wrap("restore", err)
}

func restore(ctx context.Context, url, backup string, now time.Time) (kept string, err error) {
	path, ok := strings.CutPrefix(url, "sqlite://")
	if !ok {
		return "", errors.New("a PostgreSQL database is restored with pg_restore")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	lock, err := lockExclusive(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := checkFile(path, backup); err != nil {
		return "", err
	}
	source := sqliteSource(backup) + "&mode=ro"
	if err := checkBackup(ctx, source); err != nil {
		return "", fmt.Errorf("%s: %w", backup, err)
	}
	copied, err := copySQLite(ctx, source, path)
	if err != nil {
		return "", err
	}
	kept = path + ".before-restore-" + now.UTC().Format("20060102T150405Z")
	if kept, err = setAside(ctx, path, kept); err != nil {
		return "", errors.Join(err, os.Remove(copied))
	}
	return kept, replaceFile(copied, path)
}

func checkFile(path, backup string) error {
	from, err := os.Stat(backup)
	if err != nil {
		return err
	}
	if !from.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", backup)
	}
	to, err := os.Stat(path)
	if err == nil && os.SameFile(from, to) {
		err = fmt.Errorf("%s is the database itself", backup)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// checkBackup returns an error if a database cannot be restored.
func checkBackup(ctx context.Context, source string) (err error) {
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	damage, err := texts(ctx, db, "PRAGMA integrity_check(5)")
	if err == nil && (len(damage) != 1 || damage[0] != "ok") {
		err = errors.New("is damaged: " + strings.Join(damage, "; "))
	}
	if err != nil {
		return err
	}
	names, err := texts(ctx, db, schemaNames)
	if err != nil {
		return err
	}
	var version int64
	if err := db.QueryRowContext(ctx, versionQuery).Scan(&version); err != nil {
		return errors.New("is no database of this program")
	}
	if version > schemaVersion() {
		return newerSchema(version)
	}
	if version > 0 && version < firstSchema {
		return olderSchema(version)
	}
	wanted, err := expectedNames(ctx, version)
	if err != nil {
		return err
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return fmt.Errorf("is no database of this program: it has no %s", name)
		}
	}
	orphans, err := texts(ctx, db, `SELECT 'a row of "' || "table" || '" names a missing one of "' || parent || '"' FROM pragma_foreign_key_check LIMIT 5`)
	if err == nil && len(orphans) > 0 {
		err = errors.New("is damaged: " + strings.Join(orphans, "; "))
	}
	return err
}

const schemaNames = `SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1`

// expectedNames lists the tables, indexes and triggers of a schema version.
func expectedNames(ctx context.Context, version int64) (list []string, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // each connection has its own database
	provider, err := migrationsFor(goose.DialectSQLite3, db)
	if err != nil {
		return nil, err
	}
	if version > 0 {
		if _, err := provider.UpTo(ctx, version); err != nil {
			return nil, err
		}
	}
	return texts(ctx, db, schemaNames)
}

func texts(ctx context.Context, db *sql.DB, query string) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// setAside links the database at path to kept and deletes its logs, which SQLite would apply to the next database at path. It
// fails if another process has the database open, even without our lock.
func setAside(ctx context.Context, path, kept string) (_ string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", removeLogs(path) // left over from a deleted database
	}
	if err := os.Link(path, kept); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(kept), removeLogs(kept))
		}
	}()
	for _, log := range []string{"-wal", "-journal"} {
		if err := os.Link(path+log, kept+log); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	folded, err := checkpoint(ctx, path)
	if err == nil && folded {
		err = removeLogs(kept)
	}
	if err != nil {
		return "", err
	}
	return kept, errors.Join(removeLogs(path), syncFolder(filepath.Dir(path)))
}

// checkpoint merges the log of a database into it. It leaves a damaged database unchanged.
func checkpoint(ctx context.Context, path string) (folded bool, err error) {
	db, err := sql.Open("sqlite", sqliteSource(path))
	if err != nil {
		return false, err
	}
	_, err = db.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
	folded = err == nil
	if failure, ok := errors.AsType[*sqlite.Error](err); ok && failure.Code()&0xff == sqlite3.SQLITE_BUSY {
		return false, errors.Join(errInUse(path), db.Close())
	}
	return folded, errors.Join(ctx.Err(), db.Close())
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Restore puts a copy of a backup in the place of the SQLite database at url, which nobody may have open. It refuses a
// backup that is damaged, not ours, or of a later schema before it touches anything; an older schema is migrated when the
// site starts. The database that stood there is kept beside, with a moment in its name: kept is its path, "" where there
// was none. A process that dies in between leaves the one database or the other.
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
	lock, err := lockAlone(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := notTheSame(path, backup); err != nil {
		return "", err
	}
	source := sqliteSource(backup) + "&mode=ro"
	if err := check(ctx, source); err != nil {
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
	return kept, moveOver(copied, path)
}

func notTheSame(path, backup string) error {
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

// check returns what is wrong with a database that shall become ours.
func check(ctx context.Context, source string) (err error) {
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
	has, err := texts(ctx, db, names)
	if err != nil {
		return err
	}
	var version int64
	if err := db.QueryRowContext(ctx, versionQuery).Scan(&version); err != nil {
		return errors.New("is no database of this program")
	}
	if version > schemaVersion() {
		return newer(version)
	}
	if version > 0 && version < firstSchema {
		return tooOld(version)
	}
	wanted, err := namesOf(ctx, version)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, name := range has {
		there[name] = true
	}
	for _, name := range wanted {
		if !there[name] {
			return fmt.Errorf("is no database of this program: it has no %s", name)
		}
	}
	orphans, err := texts(ctx, db, `SELECT 'a row of "' || "table" || '" names a missing one of "' || parent || '"' FROM pragma_foreign_key_check LIMIT 5`)
	if err == nil && len(orphans) > 0 {
		err = errors.New("is damaged: " + strings.Join(orphans, "; "))
	}
	return err
}

const names = `SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1`

// namesOf lists the tables, indexes and triggers of a schema of ours.
func namesOf(ctx context.Context, version int64) (list []string, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // each would have a database of its own
	provider, err := migrationsFor(goose.DialectSQLite3, db)
	if err != nil {
		return nil, err
	}
	if version > 0 {
		if _, err := provider.UpTo(ctx, version); err != nil {
			return nil, err
		}
	}
	return texts(ctx, db, names)
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

// setAside gives the database at path a second name, and takes away what SQLite would apply to the next one of the first
// name: its logs. It refuses where another process has the database open, even one that knows nothing of our lock.
func setAside(ctx context.Context, path, kept string) (_ string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", removeLogs(path) // of a database that somebody has deleted alone
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
	folded, err := foldIn(ctx, path)
	if err == nil && folded {
		err = removeLogs(kept)
	}
	if err != nil {
		return "", err
	}
	return kept, errors.Join(removeLogs(path), syncFolder(filepath.Dir(path)))
}

// foldIn writes the log of a database into it. What is too damaged for that stays as it is.
func foldIn(ctx context.Context, path string) (folded bool, err error) {
	db, err := sql.Open("sqlite", sqliteSource(path))
	if err != nil {
		return false, err
	}
	_, err = db.ExecContext(ctx, "PRAGMA journal_mode = DELETE")
	folded = err == nil
	if failure, ok := errors.AsType[*sqlite.Error](err); ok && failure.Code()&0xff == sqlite3.SQLITE_BUSY {
		return false, errors.Join(inUse(path), db.Close())
	}
	return folded, errors.Join(ctx.Err(), db.Close())
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// backup writes to a temporary file and renames it to path, so that path is complete or absent.
func (d *sqliteDatabase) backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already", path)
		}
		return err
	}
	copied, err := copySQLite(ctx, d.source, path) // on a new connection: the readers cannot write
	if err != nil {
		return err
	}
	return replaceFile(copied, path)
}

// copySQLite writes a snapshot of a database to a new private file in path's folder.
func copySQLite(ctx context.Context, source, path string) (copied string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".partial-*") // its mode is 0600
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			err = errors.Join(err, os.Remove(file.Name()), removeLogs(file.Name()))
		}
	}()
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return "", err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", file.Name()) // accepts an empty file
	return file.Name(), errors.Join(err, db.Close(), file.Sync())
}

// replaceFile renames a file durably.
func replaceFile(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Remove(from))
	}
	return syncFolder(filepath.Dir(to))
}

// removeLogs deletes the auxiliary files of a SQLite database.
func removeLogs(path string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

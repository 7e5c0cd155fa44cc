package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// backup writes beside path and renames at the end: what stands at path is whole, and what failed is in nobody's way.
func (d *sqliteDatabase) backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already", path)
		}
		return err
	}
	copied, err := copySQLite(ctx, d.source, path) // over a connection of its own, for our readers may write nothing at all
	if err != nil {
		return err
	}
	return moveOver(copied, path)
}

// copySQLite writes a copy of a database, as one moment shows it, into a new file beside path that nobody else may read.
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
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", file.Name()) // which an empty file does not stop
	return file.Name(), errors.Join(err, db.Close(), file.Sync())
}

// moveOver puts a file in the place of another, or of none, for good.
func moveOver(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Remove(from))
	}
	return syncFolder(filepath.Dir(to))
}

// removeLogs takes away the files that SQLite writes beside a database.
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

// lockForUse keeps Restore away for as long as the file is open. Any number of processes may use a database.
func lockForUse(path string) (*os.File, error) {
	file, locked, err := flock(path+".in-use", syscall.LOCK_SH)
	if err == nil && !locked {
		err = fmt.Errorf("%s is being restored", path)
	}
	return file, err
}

// lockAlone refuses where somebody uses a database, and keeps everybody away for as long as the file is open.
func lockAlone(path string) (*os.File, error) {
	file, locked, err := flock(path+".in-use", syscall.LOCK_EX)
	if err == nil && !locked {
		err = inUse(path)
	}
	return file, err
}

func inUse(path string) error {
	return fmt.Errorf("%s is in use: stop the site, and whatever else has it open", path)
}

// flock takes a lock of the operating system, which ends with the process, or reports that others hold it.
func flock(path string, how int) (_ *os.File, locked bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	if err == nil {
		return file, true, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = nil
	}
	return nil, false, errors.Join(err, file.Close())
}

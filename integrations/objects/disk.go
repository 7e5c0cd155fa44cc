package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"hiresure/admission"
)

const (
	// pendingFolder holds unfinished files, on the same file system so that they can be renamed.
	pendingFolder = "pending"
	// abandoned is the age at which a pending file's process must have ended.
	abandoned = 24 * time.Hour
)

// Disk is a bucket in a folder, with subfolders named by the first two digits of a file's name.
type Disk struct{ folder string }

// NewDisk creates the folder if needed and deletes abandoned pending files.
func NewDisk(folder string) (*Disk, error) {
	d := &Disk{folder}
	if err := os.MkdirAll(filepath.Join(folder, pendingFolder), 0o700); err != nil {
		return nil, diskError(err)
	}
	left, err := os.ReadDir(filepath.Join(folder, pendingFolder))
	if err != nil {
		return nil, diskError(err)
	}
	for _, entry := range left {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(folder, pendingFolder, entry.Name()))
		}
	}
	return d, nil
}

func (d *Disk) path(name string) (string, error) {
	if !admission.IsHash(name) { // prevents path traversal
		return "", fmt.Errorf("object %q: %w", name, fs.ErrNotExist)
	}
	return filepath.Join(d.folder, name[:2], name), nil
}

// Create starts a file.
func (d *Disk) Create() (Pending, error) {
	file, err := os.CreateTemp(filepath.Join(d.folder, pendingFolder), "")
	if err != nil {
		return nil, diskError(err)
	}
	return &pendingFile{File: file, disk: d}, nil
}

type pendingFile struct {
	*os.File
	disk *Disk
	done bool
}

func (p *pendingFile) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	return n, diskError(err)
}

// Commit syncs the file, then its folder, and the parent of a new folder.
func (p *pendingFile) Commit(_ context.Context, name string) error {
	path, err := p.disk.path(name)
	if err != nil {
		return err
	}
	if err := errors.Join(p.Sync(), p.Close()); err != nil {
		return diskError(err)
	}
	folder := filepath.Dir(path)
	made := os.Mkdir(folder, 0o700)
	if made != nil && !errors.Is(made, fs.ErrExist) {
		return diskError(made)
	}
	if err := os.Rename(p.Name(), path); err != nil {
		return diskError(err)
	}
	p.done = true
	if err := syncFolder(folder); err != nil {
		return diskError(err)
	}
	if made == nil {
		return diskError(syncFolder(p.disk.folder))
	}
	return nil
}

func (p *pendingFile) Discard() {
	if !p.done {
		_ = p.Close()
		_ = os.Remove(p.Name())
	}
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Open opens a file.
func (d *Disk) Open(_ context.Context, name string) (io.ReadCloser, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, diskError(err)
	}
	return file, nil
}

// Remove deletes a file.
func (d *Disk) Remove(_ context.Context, name string) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskError(err)
	}
	return nil
}

// All walks the folders.
func (d *Disk) All(ctx context.Context) iter.Seq2[admission.StoredObject, error] {
	return func(yield func(admission.StoredObject, error) bool) {
		err := filepath.WalkDir(d.folder, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // deleted concurrently
				return err
			}
			if err != nil || ctx.Err() != nil || !admission.IsHash(entry.Name()) {
				return ctx.Err()
			}
			info, err := entry.Info()
			if err != nil {
				return nil
			}
			if !yield(admission.StoredObject{Name: entry.Name(), At: info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(admission.StoredObject{}, diskError(err))
		}
	}
}

// Check writes and deletes a file.
func (d *Disk) Check(context.Context) error {
	file, err := d.Create()
	if err != nil {
		return err
	}
	defer file.Discard()
	_, err = file.Write([]byte("checked"))
	return err
}

// diskError wraps an error as "storage full" or "unavailable"; fs.ErrNotExist stays.
func diskError(err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: %w", admission.ErrStorageFull, err)
	default:
		return fmt.Errorf("%w: %w", admission.ErrStorageUnavailable, err)
	}
}

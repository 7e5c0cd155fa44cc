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
	// pendingFolder holds what is being written, in the same file system, so that it can be renamed.
	pendingFolder = "pending"
	// abandoned is how old a pending file is that nobody writes any more: its process has ended.
	abandoned = 24 * time.Hour
)

// Disk is a bucket in a folder: a file's folder is named by the first two digits of its name.
type Disk struct{ folder string }

// NewDisk makes the folder where there is none, and deletes what a process that ended left half written.
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
	if !admission.IsHash(name) { // no path is ever made of another
		return "", fmt.Errorf("object %q: %w", name, fs.ErrNotExist)
	}
	return filepath.Join(d.folder, name[:2], name), nil
}

// Create begins a file.
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

// Commit makes bytes and name durable: the file first, then its folder, and the folder's own name where it is new.
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
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
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

// Check writes a file, and deletes it.
func (d *Disk) Check(context.Context) error {
	file, err := d.Create()
	if err != nil {
		return err
	}
	defer file.Discard()
	_, err = file.Write([]byte("checked"))
	return err
}

// diskError names what a caller can tell people: no room, or out of order. What is not there stays fs.ErrNotExist.
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

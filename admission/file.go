package admission

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrStorageFull means that the storage is full. Nothing of the file was stored.
var ErrStorageFull = errors.New("the storage is full")

// ErrStorageUnavailable means that the storage cannot be reached.
var ErrStorageUnavailable = errors.New("the storage is unavailable")

// StoredFile locates a file's encrypted bytes and holds its key.
type StoredFile struct {
	Object string // SHA-256 of the encrypted bytes, as 64 hexadecimal digits
	Size   int64  // of the plain file, in bytes
	Key    []byte // wrapped under the master key KeyID and bound to one id
	KeyID  string // name of a master key
}

// StoredObject is a file's encrypted bytes as the storage lists them.
type StoredObject struct {
	Name string    // SHA-256 of the bytes, as 64 hexadecimal digits
	At   time.Time // when it was stored
}

// Attachment is a file attached to a mail.
type Attachment struct {
	Name, Type string // "ticket.pdf", "application/pdf"
	Content    []byte
}

// Files stores files, each encrypted under its own key. A file is bound to the id of its row: it cannot be opened with
// another id.
type Files interface {
	// Put stores all of r, which must not be empty, durably. After an error nothing is stored.
	// Errors: those of r, ErrStorageFull, ErrStorageUnavailable.
	Put(ctx context.Context, id string, r io.Reader) (StoredFile, error)
	// Open opens a file; the caller closes it. Reading modified or truncated bytes ends in an error, not in io.EOF.
	// Errors: fs.ErrNotExist, ErrStorageUnavailable.
	Open(ctx context.Context, id string, file StoredFile) (io.ReadCloser, error)
	// Remove deletes the bytes, if they exist.
	Remove(ctx context.Context, object string) error
	// Rewrap returns the file with its key wrapped under the current master key. The bytes do not change.
	Rewrap(id string, file StoredFile) (StoredFile, error)
}

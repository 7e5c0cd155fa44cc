package admission

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrStorageFull is an answer of a storage that has no room: nothing of what was sent is kept.
var ErrStorageFull = errors.New("the storage is full")

// ErrStorageUnavailable is an answer of a storage that cannot be reached at the moment.
var ErrStorageUnavailable = errors.New("the storage is unavailable")

// StoredFile is what a row keeps of a file: where its encrypted bytes lie, and the key that opens them.
type StoredFile struct {
	Object string // name of the bytes: their own SHA-256, as 64 hexadecimal digits
	Size   int64  // of what was stored, in bytes; its encrypted bytes are more
	Key    []byte // wrapped under the master key KeyID, for one id alone
	KeyID  string // name of a master key
}

// StoredObject is the encrypted bytes of one file, as the storage lists them.
type StoredObject struct {
	Name string    // SHA-256 of the bytes, as 64 hexadecimal digits
	At   time.Time // when it was stored
}

// Attachment is a file that a mail brings along.
type Attachment struct {
	Name, Type string // "ticket.pdf", "application/pdf"
	Content    []byte
}

// Files keeps files, each encrypted under a key of its own. An id is whose file it is, as its row is called: what was
// stored for one id opens for no other.
type Files interface {
	// Put stores everything that r has, which is something, durably: once it returns, a crash loses nothing. After an error
	// nothing is kept.
	// Errors: what r returns, ErrStorageFull, ErrStorageUnavailable.
	Put(ctx context.Context, id string, r io.Reader) (StoredFile, error)
	// Open reads a file from its beginning; the caller closes it. What was changed or cut short since it was stored
	// ends in an error, not in io.EOF. Errors: fs.ErrNotExist, ErrStorageUnavailable.
	Open(ctx context.Context, id string, file StoredFile) (io.ReadCloser, error)
	// Remove deletes the bytes; nothing is there afterwards, as where nothing was before.
	Remove(ctx context.Context, object string) error
	// Rewrap returns the file with its key wrapped under the current master key; the bytes stay as they are.
	Rewrap(id string, file StoredFile) (StoredFile, error)
}

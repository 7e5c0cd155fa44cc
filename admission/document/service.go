package document

import (
	"context"
	"io"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
)

// Upload is a file on its way: it arrives in pieces, from whichever device, and is judged once it is whole.
type Upload struct {
	ID             string
	RegistrationID string
	Kind           Kind
	Name           string // as its sender calls it
	Type           string // as its sender says; the bytes are believed instead
	Size           int64  // of the whole, in bytes
	Hash           string // SHA-256 of the whole, hexadecimal, as its sender says: no other file goes on here
	Received       int64  // bytes that are kept
	Writer         string // who sends the next piece; whoever came before may not
	State          UploadState
	Refusal        string    // why it was refused, for its sender
	DocumentID     string    // what became of it
	JudgeUntil     time.Time // until then somebody judges it
	BegunAt        time.Time
	ExpiresAt      time.Time // it is forgotten
}

// UploadState is how far an upload has come.
type UploadState string

// The states of an upload.
const (
	Receiving UploadState = "receiving"
	Whole     UploadState = "whole" // to be judged
	Kept      UploadState = "kept"  // it is a document
	Refused   UploadState = "refused"
)

// Piece is a part of an upload that is kept.
type Piece struct {
	UploadID string
	Start    int64
	admission.StoredFile
}

// Document is a file that was judged and is kept.
type Document struct {
	ID             string
	RegistrationID string
	Kind           Kind
	Name           string
	ContentType    string
	Width, Height  int  // of a picture, in pixels
	Pages          int  // of a PDF
	Checking       bool // nothing has looked for harm in it yet: nobody may open it
	StoredAt       time.Time
	admission.StoredFile
}

// OfKind returns the document of a kind; false where there is none. There is one of each at most.
func OfKind(documents []Document, kind Kind) (Document, bool) {
	i := slices.IndexFunc(documents, func(d Document) bool { return d.Kind == kind })
	if i < 0 {
		return Document{}, false
	}
	return documents[i], true
}

// View is one opening of a document.
type View struct {
	DocumentID     string
	RegistrationID string
	Viewer         string // the account; of staff, later, who it was
	At             time.Time
}

// Tx is what this area needs of a transaction.
type Tx interface {
	apply.Tx

	AddUpload(*Upload) error
	SaveUpload(*Upload) error
	Upload(id string) (*Upload, error)
	UploadForUpdate(id string) (*Upload, error)
	// UploadsOf returns the uploads of a registration, the newest first.
	UploadsOf(registrationID string) ([]Upload, error)
	// UploadsToForget returns uploads whose time is over, at most so many.
	UploadsToForget(now time.Time, most int) ([]Upload, error)
	// DeleteUpload deletes an upload with its pieces' rows.
	DeleteUpload(id string) error
	AddPiece(Piece) error
	// Pieces returns the pieces of an upload, the first first.
	Pieces(uploadID string) ([]Piece, error)
	DeletePieces(uploadID string) error

	AddDocument(*Document) error
	SaveDocument(*Document) error
	Document(id string) (*Document, error)
	DocumentForUpdate(id string) (*Document, error)
	// Documents returns the documents of a registration that have a kind, in the order of Kinds.
	Documents(registrationID string) ([]Document, error)
	// UnnamedDocuments returns those that have none yet, the oldest first.
	UnnamedDocuments(registrationID string) ([]Document, error)
	DeleteDocument(d *Document, at time.Time) error
	AddView(View) error
	// ObjectsNamed returns which of these objects a row names.
	ObjectsNamed(objects []string) (map[string]bool, error)
}

// Found is what an Inspector has found a file to be.
type Found struct {
	ContentType          string
	Width, Height, Pages int
}

// Inspector judges files.
type Inspector interface {
	// Inspect reads what somebody has uploaded, and writes what is kept in its place. refusal is why it may not be kept, for
	// its sender; "" for a good one. After an error nothing is known of it.
	Inspect(ctx context.Context, who string, u Upload, in io.Reader, out io.Writer) (found Found, refusal string, err error)
}

// Scanner looks for what does harm.
type Scanner interface {
	// Scan returns the name of what it has found, or "". After an error nothing is known of the file.
	Scan(ctx context.Context, r io.Reader) (found string, err error)
}

// Needs is everything that a Service works with; all of it is required but Scanner.
type Needs struct {
	Store     admission.Store[Tx]
	Files     admission.Files
	Inspector Inspector
	Scanner   Scanner // nil: nobody looks for harm, in development
	Access    *access.Service
	Clock     func() time.Time
	Alert     func(what string)
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Needs }

// The kinds of this area's jobs.
const (
	JobJudge  = "judge-upload"  // judges an upload that is whole; its ref is the upload
	JobScan   = "scan-document" // looks for harm in a document that was kept while clamd was away
	JobRemove = "remove-object" // removes the bytes of what is deleted; its ref is the object
)

const (
	uploadKept   = 24 * time.Hour // from its last piece
	uploadsDaily = 20             // of one account (security.md 37)
	mostPieces   = 500            // of an upload: a file of its own each
	judgeAtMost  = time.Minute    // after which whoever judges an upload is taken for dead
	scanAgain    = time.Minute
)

// notFound refuses what is another person's as what is not there.
func notFound() error { return admission.NotFoundProblem("Document") }

package document

import (
	"context"
	"io"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/message"
)

// Upload is a file being uploaded in pieces, from any device, and judged once it is complete.
type Upload struct {
	ID             string
	RegistrationID string
	Kind           Kind
	Name           string // as sent
	Type           string // as sent; not trusted
	Size           int64  // of the complete file, in bytes
	Hash           string // SHA-256 of the complete file as sent, hexadecimal; identifies the file for resuming
	Received       int64  // stored bytes
	Writer         string // token of the only client that may send the next piece
	State          UploadState
	Refusal        string    // message for the sender
	DocumentID     string    // the resulting document
	JudgeUntil     time.Time // lease of the worker that judges it
	BegunAt        time.Time
	ExpiresAt      time.Time // when it is deleted
}

// UploadState is the state of an upload.
type UploadState string

// The states of an upload.
const (
	Receiving UploadState = "receiving"
	Whole     UploadState = "whole" // complete, not judged
	Accepted  UploadState = "kept"  // a document now
	Refused   UploadState = "refused"
)

// Piece is a stored part of an upload.
type Piece struct {
	UploadID string
	Start    int64
	admission.StoredFile
}

// Document is an accepted file.
type Document struct {
	ID             string
	RegistrationID string
	Kind           Kind
	Name           string
	ContentType    string
	Width, Height  int  // of a picture, in pixels
	Pages          int  // of a PDF
	Checking       bool // not scanned for malware yet; cannot be opened
	StoredAt       time.Time
	admission.StoredFile
}

// OfKind returns the document of a kind, at most one; false if there is none.
func OfKind(documents []Document, kind Kind) (Document, bool) {
	i := slices.IndexFunc(documents, func(d Document) bool { return d.Kind == kind })
	if i < 0 {
		return Document{}, false
	}
	return documents[i], true
}

// View is a recorded opening of a document.
type View struct {
	DocumentID     string
	RegistrationID string
	Viewer         string // account id; later also a member of staff
	At             time.Time
}

// Tx is the part of a transaction that this package uses.
type Tx interface {
	apply.Tx

	AddUpload(*Upload) error
	SaveUpload(*Upload) error
	Upload(id string) (*Upload, error)
	UploadForUpdate(id string) (*Upload, error)
	// UploadsOf returns a registration's uploads, newest first.
	UploadsOf(registrationID string) ([]Upload, error)
	// ExpiredUploads returns at most `most` expired uploads.
	ExpiredUploads(now time.Time, most int) ([]Upload, error)
	// DeleteUpload deletes an upload and the rows of its pieces.
	DeleteUpload(id string) error
	AddPiece(Piece) error
	// Pieces returns an upload's pieces in order.
	Pieces(uploadID string) ([]Piece, error)
	DeletePieces(uploadID string) error

	AddDocument(*Document) error
	SaveDocument(*Document) error
	Document(id string) (*Document, error)
	DocumentForUpdate(id string) (*Document, error)
	// Documents returns a registration's documents with a kind, in the order of Kinds.
	Documents(registrationID string) ([]Document, error)
	// UnnamedDocuments returns a registration's documents without a kind, oldest first.
	UnnamedDocuments(registrationID string) ([]Document, error)
	DeleteDocument(d *Document, at time.Time) error
	AddView(View) error
	// ObjectsNamed returns which of these objects have a row.
	ObjectsNamed(objects []string) (map[string]bool, error)
}

// Found is the result of an inspection.
type Found struct {
	ContentType          string
	Width, Height, Pages int
}

// Inspector inspects files.
type Inspector interface {
	// Inspect reads an uploaded file and writes its cleaned form. refusal is the message for a refused file, "" for an accepted one.
	// An error means that the file could not be inspected.
	Inspect(ctx context.Context, who string, u Upload, in io.Reader, out io.Writer) (found Found, refusal string, err error)
}

// Scanner detects malware.
type Scanner interface {
	// Scan returns the name of the malware found, or "". An error means that the file could not be scanned.
	Scan(ctx context.Context, r io.Reader) (found string, err error)
}

// Config configures a Service. All fields are required except Scanner.
type Config struct {
	Store     admission.Store[Tx]
	Files     admission.Files
	Inspector Inspector
	Scanner   Scanner // nil: no scanning, for development
	Access    *access.Service
	Messages  *message.Service
	Events    admission.Catalogue
	BaseURL   string
	Clock     func() time.Time
	Alert     func(what string)
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// The job kinds of this package.
const (
	JobJudge  = "judge-upload"  // judges a complete upload; its ref is the upload
	JobScan   = "scan-document" // scans a document accepted while clamd was unavailable
	JobRemove = "remove-object" // deletes an object; its ref is the object
)

const (
	uploadLife   = 24 * time.Hour // after its last piece
	uploadsDaily = 20             // per account (security.md 37)
	maxPieces    = 500            // per upload; each is an object
	judgeLease   = time.Minute    // lease for judging an upload
	scanAgain    = time.Minute
)

// notFound is the Problem for missing documents and those of others.
func notFound() error { return admission.NotFoundProblem("Document") }

// Package office is what staff do to the records of others: look up a payment, refund it, decide a review, print invoices,
// revoke links, retry failed jobs, and check the books. The commands of the shell call its methods.
package office

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
)

// Tx is what this area needs of a transaction.
type Tx interface {
	registry.Tx
	message.Tx
	paper.Tx
	staff.Tx

	// UnsettledPayments returns payments that wait for a person, oldest first: open since before opened, in review, or due with a
	// refund that failed. At most 500.
	UnsettledPayments(opened time.Time) ([]payment.Transaction, error)
	// RefundOrders returns the orders of refunds that wait for a second person at now, the oldest first, or else those that did, the latest
	// first; at most limit.
	RefundOrders(waiting bool, now time.Time, limit int) ([]payment.RefundOrder, error)
	// RefundOrdersOf returns the orders of refunds of a registration, oldest first.
	RefundOrdersOf(registrationID string) ([]payment.RefundOrder, error)
	// TakenCases returns who takes care of what.
	TakenCases() ([]Taken, error)
	// TakeCase stores who takes care of a case, and returns the account that did before; "" for none.
	TakeCase(Taken) (before string, err error)
	// Numbers counts what happened from one moment until before another.
	Numbers(from, until time.Time) (Numbers, error)
	// PaymentsBeginning returns the ids of at most limit payments that begin with prefix, sorted.
	PaymentsBeginning(prefix string, limit int) ([]string, error)
	// RevokeLinks revokes the mailed links of a registration that open its papers at now, and returns how many.
	RevokeLinks(registrationID string, now time.Time) (int64, error)
	// FindRegistrations returns a page of a query. cursor is "" for the first page; newer reads towards the first. A cursor of another
	// query is NotFound.
	FindRegistrations(q Query, cursor string, newer bool, limit int) (Found, error)
	// CountRegistrations counts the registrations of a query, to at most most. A limit above 5,000 is always counted, without statuses.
	CountRegistrations(q Query, most int) (Counts, error)
	// SimilarTexts returns at most most texts by which registrations are found and that differ from a text by one edit: a letter of a
	// name's word, or a character of a number.
	SimilarTexts(text string, most int) ([]string, error)
	// CountDocuments returns how many documents of a required kind are stored, by registration.
	CountDocuments(registrationIDs []string) (map[string]int, error)
	// AttemptsOf returns the latest payments of a registration, the latest first, without their checkouts.
	AttemptsOf(registrationID string, limit int) ([]payment.Transaction, error)
	// RegistrationsOfPhone returns the registrations of a phone, the last change first.
	RegistrationsOfPhone(phone string, limit int) ([]enrol.Registration, error)
	// MessagesTo returns the latest messages to some addresses since a moment, the latest first, without their text.
	MessagesTo(addresses []string, since time.Time, limit int) ([]Delivery, error)
	// NotesOn returns the notes on a registration, the latest first.
	NotesOn(registrationID string) ([]Note, error)
	AddNote(Note) error
	// StaffView returns a view; nil for none.
	StaffView(id string) (*View, error)
	// OpenStaffView returns the view of a registration that is open in a staff session at now; nil for none.
	OpenStaffView(registrationID, sessionID string, now time.Time) (*View, error)
	AddStaffView(View) error
	// EndStaffView ends a view that is open at now, and reports whether it was.
	EndStaffView(id string, now time.Time) (ended bool, err error)
	// SavedViews returns the views of an account and those that everybody sees, by name. They change only while the account of their owner is
	// locked.
	SavedViews(accountID string) ([]SavedView, error)
	SavedView(id string) (*SavedView, error)
	AddSavedView(SavedView) error
	RenameSavedView(id, name string) error
	DeleteSavedView(id string) error
	// FindEntries returns a page of the invoice register. cursor is "" for the first page; newer reads towards the first. A cursor of another
	// query is NotFound.
	FindEntries(q RegisterQuery, cursor string, newer bool, limit int) (EntryPage, error)
	// SumEntries adds up a query of the register.
	SumEntries(RegisterQuery) (RegisterSums, error)
	// PreviewBatch returns what a selection would print, with at most limit papers.
	PreviewBatch(of Selection, limit int) (BatchPreview, error)
	// AddBatch adds a batch with the papers of a selection, at most MaxBatch.
	AddBatch(*Batch, Selection) (fresh bool, err error)
	Batch(id string) (*Batch, error)
	BatchForUpdate(id string) (*Batch, error)
	SaveBatch(*Batch) error
	// OpenBatches returns the open batches, oldest first.
	OpenBatches() ([]Batch, error)
	// EndedBatches returns the others, the latest first.
	EndedBatches(limit int) ([]Batch, error)
	// BatchItems returns the next papers of a batch after those done.
	BatchItems(batchID string, done, limit int) ([]BatchItem, error)
	// PrintedItems returns the positions of papers that a ready batch has in the same issue.
	PrintedItems(of []BatchItem) (map[int]bool, error)
	// SaveBatchItems stores issue and duplicate.
	SaveBatchItems([]BatchItem) error
	AddBatchPart(*BatchPart) error
	BatchParts(batchID string) ([]BatchPart, error)
	// DeleteBatchParts deletes the parts of a batch and adds the jobs that delete their files.
	DeleteBatchParts(batchID string, at time.Time) error
	// PapersOfRegistration returns the papers of a registration.
	PapersOfRegistration(registrationID string) ([]paper.Paper, error)
	// ObjectsNamed returns which of these objects a row names.
	ObjectsNamed(objects []string) (map[string]bool, error)
}

// Books reads and changes more rows than one transaction should hold.
type Books interface {
	// Verify compares payments, registrations, tickets, refunds, papers, coupons and messages with each other and returns a
	// sentence for each difference. invoiced reports whether payments of a moment have invoices.
	Verify(ctx context.Context, invoiced func(at time.Time) bool) (differences []string, err error)
	// InvoicesIssued returns the invoices of an event from one moment until before another, in the order of their serials. It
	// ends with the first error.
	InvoicesIssued(ctx context.Context, eventCode string, from, until time.Time) iter.Seq2[invoice.Invoice, error]
	// FoundRegistrations returns the registrations of a query in batches, by id. It ends with the first error.
	FoundRegistrations(ctx context.Context, q Query) iter.Seq2[[]enrol.Registration, error]
	// Entries returns the documents of a query, oldest first. It ends with the first error.
	Entries(ctx context.Context, q RegisterQuery) iter.Seq2[Entry, error]
	// StoredFiles returns the files that rows name. It ends with the first error.
	StoredFiles(ctx context.Context) iter.Seq2[File, error]
	// DeadJobs returns the failed jobs of a kind, or of all kinds where it is "", those that failed first before the others. It
	// ends with the first error.
	DeadJobs(ctx context.Context, kind string) iter.Seq2[admission.DeadJob, error]
	// ReviveJobs makes failed jobs due at now and returns how many. kind "" is any kind, ref "" any ref. did is the row for the
	// staff log, if there are any.
	ReviveJobs(ctx context.Context, kind, ref string, now time.Time, did func(revived int64) staff.Act) (int64, error)
	// Acts returns the log of staff, oldest first. It ends with the first error.
	Acts(ctx context.Context) iter.Seq2[staff.Act, error]
}

// File is a stored file that a row names.
type File struct {
	ID     string // of its row
	Object string // where its bytes are
}

// Storage holds the bytes of files, each object named by the SHA-256 of its bytes.
type Storage interface {
	// Open returns the bytes of an object; the caller closes it. Errors: fs.ErrNotExist, admission.ErrStorageUnavailable.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// All returns every object, in no order. It ends with the first error.
	All(ctx context.Context) iter.Seq2[admission.StoredObject, error]
}

// Config is everything that a Service works with; all of it is required.
type Config struct {
	Store    admission.Store[Tx]
	Books    Books
	Storage  Storage
	Events   admission.Catalogue
	Supplier func(at time.Time) *invoice.Supplier // nil while none is registered
	Papers   *paper.Service
	Payment  *payment.Service
	Registry *registry.Service
	Printers int // how many papers are printed at the same time
	NewStack func(to io.Writer) Stack
	Clock    func() time.Time
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// New returns an error where a part of the configuration is missing.
func New(c Config) (*Service, error) {
	if c.Store == nil || c.Books == nil || c.Storage == nil || c.Events == nil || c.Supplier == nil || c.Papers == nil || c.Payment == nil || c.Registry == nil || c.Printers < 1 || c.NewStack == nil || c.Clock == nil {
		return nil, errors.New("office: the configuration is incomplete")
	}
	return &Service{c}, nil
}

// orphanAge is how old an object is before a missing row is a difference: until then its row may still be written.
const orphanAge = document.OrphanAge

func notFound(message string) error {
	return &admission.Problem{Kind: admission.NotFound, Message: message}
}

func invalid(message string) error {
	return &admission.Problem{Kind: admission.Invalid, Message: message}
}

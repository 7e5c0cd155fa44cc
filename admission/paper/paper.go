// Package paper stores the PDFs of a payment: invoice, credit note, receipt and ticket. A paper is a row, inserted in the transaction of its
// cause; a job prints it once, and everybody gets the same bytes.
package paper

import (
	"errors"
	"slices"
	"time"

	"hiresure/admission"
)

// Kind is the kind of a paper.
type Kind string

// The kinds, and what Ref identifies for each.
const (
	Invoice    Kind = "invoice"     // an invoice
	CreditNote Kind = "credit-note" // a credit note
	Receipt    Kind = "receipt"     // a payment
	Ticket     Kind = "ticket"      // a payment
)

// Paper is a document to be printed.
type Paper struct {
	ID             string
	Kind           Kind
	Ref            string // id of the printed record; unique together with kind
	RegistrationID string
	TxnID          string
	Issue          int       // incremented when the content changes: receipt and ticket change with a refund
	CausedAt       time.Time // of the issue, which shows the state of that time
	Printed        bool
	PrintedAt      time.Time
	Hash           string // SHA-256 of its bytes, as 64 hexadecimal digits
	admission.StoredFile
}

// requiredByLaw reports whether the law requires us to keep the paper even if its person was deleted.
func (k Kind) requiredByLaw() bool { return k == Invoice || k == CreditNote }

// Name returns the name of a paper in message.Message.Papers.
func Name(kind Kind, ref string) string { return string(kind) + ":" + ref }

// Tx is the part of a transaction that this package uses.
type Tx interface {
	admission.Jobs

	// AddPaper inserts a paper unless one of the same kind and ref exists.
	AddPaper(*Paper) (fresh bool, err error)
	SavePaper(*Paper) error
	Paper(id string) (*Paper, error)
	PaperForUpdate(id string) (*Paper, error)
	PaperOf(kind Kind, ref string) (*Paper, error)
	PapersOfPayment(txnID string) ([]Paper, error)
	// WaitingPapers returns the ids of at most n papers that are not printed and have no job.
	WaitingPapers(n int) (ids []string, err error)
	// HasPerson locks a registration and reports whether it is not erased.
	HasPerson(registrationID string) (bool, error)
}

// The jobs.
const (
	JobPrint   = "print-paper"          // prints a paper; its ref is the paper
	JobWaiting = "print-waiting-papers" // adds jobs for papers that waited for a browser or a font
)

// Queue inserts a paper to be printed, unless it exists.
func Queue(tx Tx, kind Kind, ref, registrationID, txnID string, at time.Time) error {
	p := Paper{ID: admission.NewID(), Kind: kind, Ref: ref, RegistrationID: registrationID, TxnID: txnID, Issue: 1, CausedAt: at}
	fresh, err := tx.AddPaper(&p)
	if err != nil || !fresh {
		return err
	}
	return tx.AddJob(admission.Job{Kind: JobPrint, Ref: p.ID, DueAt: at})
}

// Renew queues papers of a payment for printing again: receipt and ticket after a refund, the ticket after another change. Invoices and credit
// notes never change.
func Renew(tx Tx, txnID string, at time.Time, kinds ...Kind) error {
	papers, err := tx.PapersOfPayment(txnID)
	if err != nil {
		return err
	}
	for _, p := range papers {
		if !slices.Contains(kinds, p.Kind) {
			continue
		}
		p.Issue++
		p.CausedAt, p.Printed = at, false
		if err := errors.Join(tx.SavePaper(&p), tx.AddJob(admission.Job{Kind: JobPrint, Ref: p.ID, DueAt: at})); err != nil {
			return err
		}
	}
	return nil
}

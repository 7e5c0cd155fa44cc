// Package paper keeps what is printed for a payment as PDF: invoice, credit note, receipt and ticket. A paper is a row of the
// transaction that causes it, a job prints it, and from then on everybody gets the same bytes.
package paper

import (
	"errors"
	"time"

	"hiresure/admission"
)

// Kind is what a paper is.
type Kind string

// The kinds of papers, and what Ref names of each.
const (
	Invoice    Kind = "invoice"     // an invoice
	CreditNote Kind = "credit-note" // a credit note
	Receipt    Kind = "receipt"     // a payment
	Ticket     Kind = "ticket"      // the payment, too: a ticket says what was paid
)

// Paper is one thing that is printed.
type Paper struct {
	ID             string
	Kind           Kind
	Ref            string // id of what is printed; kind and ref are unique together
	RegistrationID string
	TxnID          string
	Issue          int       // counts how often what it says has changed: receipt and ticket do so when money goes back
	CausedAt       time.Time // of its issue: what it says is how things stood then
	Printed        bool
	PrintedAt      time.Time
	Hash           string // SHA-256 of its bytes, as 64 hexadecimal digits
	admission.StoredFile
}

// ofLaw reports whether it is a paper that the law asks for, whoever's it was.
func (k Kind) ofLaw() bool { return k == Invoice || k == CreditNote }

// Name is what a mail that brings a paper along calls it.
func Name(kind Kind, ref string) string { return string(kind) + ":" + ref }

// Tx is what this area needs of a transaction.
type Tx interface {
	admission.Jobs

	// AddPaper adds a paper, unless there is one of the same kind and ref.
	AddPaper(*Paper) (fresh bool, err error)
	SavePaper(*Paper) error
	Paper(id string) (*Paper, error)
	PaperForUpdate(id string) (*Paper, error)
	PaperOf(kind Kind, ref string) (*Paper, error)
	PapersOfPayment(txnID string) ([]Paper, error)
	// NamesSomebody locks a registration, and reports whether it has not been erased.
	NamesSomebody(registrationID string) (bool, error)
}

// JobPrint prints a paper; its ref is the paper.
const JobPrint = "print-paper"

// Queue causes that a paper is printed. It does nothing where there is such a paper.
func Queue(tx Tx, kind Kind, ref, registrationID, txnID string, at time.Time) error {
	p := Paper{ID: admission.NewID(), Kind: kind, Ref: ref, RegistrationID: registrationID, TxnID: txnID, Issue: 1, CausedAt: at}
	fresh, err := tx.AddPaper(&p)
	if err != nil || !fresh {
		return err
	}
	return tx.AddJob(admission.Job{Kind: JobPrint, Ref: p.ID, DueAt: at})
}

// Renew causes that receipt and ticket of a payment are printed anew, because money has moved since. What was issued, an
// invoice or a credit note, never changes.
func Renew(tx Tx, txnID string, at time.Time) error {
	papers, err := tx.PapersOfPayment(txnID)
	if err != nil {
		return err
	}
	for _, p := range papers {
		if p.Kind != Receipt && p.Kind != Ticket {
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

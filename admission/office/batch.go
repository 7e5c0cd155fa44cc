package office

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
	"hiresure/admission/staff"
)

// Selection selects papers to print. A zero field selects all.
type Selection struct {
	Kinds       []paper.Kind
	From, Until time.Time // issued at or after the one, and before the other
	Numbers     Numbering
	Event       string // code
	Unprinted   bool   // not those that a batch has
	Ref         string // the only paper: see paper.Paper
	Order       BatchOrder
}

// Numbering selects serials of invoices and credit notes of a financial year.
type Numbering struct {
	Series        string // "" for all, except debit notes
	FinancialYear string // "" for no limit
	First, Last   int64
}

// BatchOrder is the order of papers in a batch.
type BatchOrder string

// The orders. Papers without a serial are in the order of their time.
const (
	ByNumber BatchOrder = "number"
	ByName   BatchOrder = "name"
	ByEvent  BatchOrder = "event"
)

// Chosen is a paper of a selection.
type Chosen struct {
	Kind                       paper.Kind
	Ref, RegistrationID, TxnID string
	Number                     string // a receipt has its payment's id
	IssuedOn                   time.Time
	Name                       string
	Minor                      int64 // paise, negative for a credit note; 0 for a receipt or ticket
	Printed                    bool  // a batch has it
}

// Gap is a run of serials between the first and the last of a selection that it does not have.
type Gap struct {
	Series, FinancialYear string
	First, Last           int64
	Issued                int64 // how many of them exist
}

// BatchPreview is what a selection would print.
type BatchPreview struct {
	Counts     map[paper.Kind]int
	Total      int
	Duplicates int
	Minor      int64 // of the invoices and credit notes
	Papers     []Chosen
	Last       Chosen
	Gaps       []Gap // at most MaxGaps, first those with numbers that were never issued
}

// The limits of a batch, and of what is shown of a selection.
const (
	MaxBatch   = 2000
	MaxGaps    = 20
	maxPreview = 100
)

// Preview returns what a selection would print.
func (s *Service) Preview(ctx context.Context, of Selection) (p BatchPreview, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		p, err = tx.PreviewBatch(of, maxPreview)
		return err
	})
	return p, err
}

// BatchForm is the form of a batch's file.
type BatchForm string

// The forms.
const (
	OnePDF BatchForm = "pdf"
	ZIP    BatchForm = "zip" // a PDF for each paper
)

// BatchState is the state of a batch. An open one becomes one of the others, which stay.
type BatchState string

// The states.
const (
	BatchOpen    BatchState = "open"
	BatchReady   BatchState = "ready" // its papers are printed: from now on they are duplicates
	BatchStopped BatchState = "stopped"
	BatchFailed  BatchState = "failed"
)

// Batch is papers that staff print in one file.
type Batch struct {
	ID, AccountID, Who      string
	OrderedAt               time.Time
	Filter                  string // of the page, to order it again; names nobody
	Form                    BatchForm
	DoubleSided             bool
	State                   BatchState
	Trouble                 string // why it waits or has failed; "" for none
	Total, Done             int    // papers; those done are the first ones
	Duplicates, Sheets      int    // of those done
	FirstNumber, LastNumber string
	StartedAt, EndedAt      time.Time
	ExpiresAt               time.Time // of the file
	admission.StoredFile              // Object is "" without one
}

// Ready reports whether the file can be downloaded.
func (b Batch) Ready(now time.Time) bool { return b.Object != "" && now.Before(b.ExpiresAt) }

// BatchItem is a paper of a batch, printed if its position is at most Batch.Done.
type BatchItem struct {
	BatchID                    string
	Position                   int // from 1
	Kind                       paper.Kind
	Ref, RegistrationID, TxnID string
	Number                     string
	Issue                      int  // see paper.Paper; 0 until it is printed
	Duplicate                  bool // an earlier batch has the same issue
}

func (i BatchItem) paper() NumberedPaper {
	return NumberedPaper{i.Number, paper.Paper{Kind: i.Kind, Ref: i.Ref, RegistrationID: i.RegistrationID, TxnID: i.TxnID}}
}

// BatchPart is a stored part of the file of an open batch.
type BatchPart struct {
	ID, BatchID string
	Position    int // of its first paper
	admission.StoredFile
}

// BatchOrdering is what somebody orders.
type BatchOrdering struct {
	ID          string // chosen by the page, so that a second press orders nothing
	Selection   Selection
	Filter      string // see Batch
	Words       string // of the filter, for the log
	Form        BatchForm
	DoubleSided bool
	Total       int // papers and duplicates that the page showed
	Duplicates  int
}

// OrderBatch orders a batch. Problems: Invalid for too many papers or none, Conflict where the selection has changed since it was shown, NotFound
// for the id of another's batch.
func (s *Service) OrderBatch(ctx context.Context, o BatchOrdering, by staff.Actor) error {
	if !admission.IsID(o.ID) {
		return notFound("there is no batch " + o.ID)
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		before, err := tx.BatchForUpdate(o.ID)
		if err != nil {
			return err
		}
		if before != nil && before.AccountID == by.Account { // pressed twice
			return nil
		} else if before != nil {
			return notFound("there is no batch " + o.ID)
		}
		shown, err := tx.PreviewBatch(o.Selection, 1)
		switch {
		case err != nil:
			return err
		case shown.Total == 0:
			return invalid("Nothing to print with this selection")
		case shown.Total > MaxBatch:
			return invalid(fmt.Sprintf("One job prints at most %s papers. Choose fewer days or numbers", admission.Count(MaxBatch)))
		case shown.Total != o.Total || shown.Duplicates != o.Duplicates:
			return admission.ConflictProblem("", "The papers have changed since you counted them. Check the new numbers and press again")
		}
		now := s.Clock()
		b := Batch{
			ID: o.ID, AccountID: by.Account, Who: by.Name, OrderedAt: now, Filter: o.Filter, Form: o.Form, DoubleSided: o.DoubleSided && o.Form == OnePDF, State: BatchOpen, Total: shown.Total,
			FirstNumber: shown.Papers[0].Number, LastNumber: shown.Last.Number,
		}
		if fresh, err := tx.AddBatch(&b, o.Selection); err != nil {
			return err
		} else if !fresh { // a second press at the same moment
			return admission.ConflictProblem("", "This print is already ordered. It is in the list of jobs")
		}
		if err := tx.AddJob(admission.Job{Kind: JobBatch, Ref: b.ID, DueAt: now}); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "ordered a print", "print "+b.ID, "", fmt.Sprintf("%s; %s, %d papers, %d duplicates", o.Words, strings.ToUpper(string(b.Form)), b.Total, shown.Duplicates)))
	})
}

// StopBatch ends an open batch. Its papers do not count as printed. Problems: NotFound, Conflict where it has ended.
func (s *Service) StopBatch(ctx context.Context, id string, by staff.Actor) error {
	if !admission.IsID(id) {
		return noBatch
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		b, err := tx.BatchForUpdate(id)
		if err != nil {
			return err
		}
		if b == nil {
			return noBatch
		}
		if b.State != BatchOpen {
			return admission.ConflictProblem("", "This job has already ended")
		}
		now := s.Clock()
		if err := s.endBatch(tx, b, BatchStopped, "Stopped by "+by.Name); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "stopped a print", "print "+id, "", fmt.Sprintf("at %d of %d", b.Done, b.Total)))
	})
}

var noBatch = notFound("This print job does not exist")

// Batches returns the open batches, oldest first, and the latest others.
func (s *Service) Batches(ctx context.Context) (open, ended []Batch, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if open, err = tx.OpenBatches(); err != nil {
			return err
		}
		ended, err = tx.EndedBatches(shownBatches)
		return err
	})
	return open, ended, err
}

const shownBatches = 50

// Batch returns a batch. Problem: NotFound.
func (s *Service) Batch(ctx context.Context, id string) (b Batch, err error) {
	if !admission.IsID(id) {
		return Batch{}, noBatch
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		found, err := tx.Batch(id)
		if err == nil && found == nil {
			return noBatch
		} else if err != nil {
			return err
		}
		b = *found
		return nil
	})
	return b, err
}

// OpenBatch opens the file of a batch and logs the actor; the caller closes it. Problem: NotFound.
func (s *Service) OpenBatch(ctx context.Context, id string, by staff.Actor) (b Batch, file io.ReadCloser, err error) {
	if b, err = s.Batch(ctx, id); err != nil {
		return Batch{}, nil, err
	}
	if !b.Ready(s.Clock()) {
		return Batch{}, nil, notFound("This file is deleted. Make it again")
	}
	if file, err = s.Papers.Files.Open(ctx, b.ID, b.StoredFile); err != nil {
		return Batch{}, nil, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		return tx.LogAct(by.Did(s.Clock(), "downloaded a print", "print "+b.ID, "", fmt.Sprintf("%s, %d papers", strings.ToUpper(string(b.Form)), b.Total)))
	})
	if err != nil {
		_ = file.Close()
		return Batch{}, nil, err
	}
	return b, file, nil
}

// paperNames are the kinds in the log.
var paperNames = map[paper.Kind]string{paper.Invoice: "an invoice", paper.CreditNote: "a credit note", paper.Receipt: "a receipt", paper.Ticket: "a ticket"}

// OpenPaper opens a printed paper of a registration and logs the actor; the caller closes it. Problems: NotFound, Conflict while it is not printed.
func (s *Service) OpenPaper(ctx context.Context, registrationID string, kind paper.Kind, ref string, by staff.Actor) (p paper.Paper, file io.ReadCloser, err error) {
	missing := admission.NotFoundProblem("Paper")
	if !admission.IsID(registrationID) || !admission.IsID(ref) {
		return p, nil, missing
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		found, err := tx.PaperOf(kind, ref)
		if err != nil {
			return err
		}
		if found == nil || found.RegistrationID != registrationID {
			return missing
		}
		if p = *found; !p.Printed {
			return admission.ConflictProblem("", "This PDF is being made. Open it again in a minute")
		}
		return tx.LogAct(by.Did(s.Clock(), "opened "+paperNames[kind], "registration "+registrationID, "", string(kind)+" "+ref))
	})
	if err == nil {
		file, err = s.Papers.Open(ctx, p)
	}
	return p, file, err
}

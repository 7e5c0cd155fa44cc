package office

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"hiresure/admission/paper"
)

// NumberedPaper is a paper with the number that people call it by.
type NumberedPaper struct {
	Number string
	Paper  paper.Paper
}

// InvoicesOf returns the invoices that an event, named by its slug or code, issued from the first day to the last, both given
// by their midnight in Asia/Kolkata, in the order of their serials. Problems: NotFound where there is no such event or it issued none.
func (s *Service) InvoicesOf(ctx context.Context, event string, first, last time.Time) (invoices []NumberedPaper, err error) {
	found, known := s.Events.EventBySlug(event)
	if !known {
		found, known = s.Events.EventByCode(event)
	}
	if !known {
		return nil, notFound("there is no event " + event)
	}
	for i, err := range s.Books.InvoicesIssued(ctx, found.Code, first, last.AddDate(0, 0, 1)) {
		if err != nil {
			return nil, err
		}
		invoices = append(invoices, NumberedPaper{i.Number, paper.Paper{Kind: paper.Invoice, Ref: i.ID, RegistrationID: i.RegistrationID, TxnID: i.TxnID}})
	}
	if len(invoices) == 0 {
		return nil, notFound(fmt.Sprintf("%s has no invoices from %s to %s", event, first.Format(time.DateOnly), last.Format(time.DateOnly)))
	}
	return invoices, nil
}

// Copies holds copies of papers while invoices are collected.
type Copies interface {
	// Has reports whether the copy of a paper is complete: the SHA-256 of its bytes is hash.
	Has(paperID, hash string) bool
	// Keep stores a copy.
	Keep(paperID string, content []byte) error
}

// Collect copies each paper into copies, after printing those that nobody has printed, and returns them in order and
// how many copies were complete before. It calls collected after each, one call at a time. After an error the papers that
// have begun are finished. Errors: paper.ErrNoPrinter, paper.ErrNoFont; a *PaperError names the paper.
func (s *Service) Collect(ctx context.Context, wanted []NumberedPaper, copies Copies, collected func()) (papers []paper.Paper, complete int, err error) {
	going, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	papers = make([]paper.Paper, len(wanted))
	next := make(chan int)
	var mutex sync.Mutex
	var working sync.WaitGroup
	for range s.Printers {
		working.Go(func() {
			for i := range next {
				printed, was, err := s.copyPaper(ctx, wanted[i].Paper, copies)
				mutex.Lock()
				papers[i] = printed
				if was {
					complete++
				}
				if err != nil {
					stop(&PaperError{wanted[i].Number, err})
				} else {
					collected()
				}
				mutex.Unlock()
			}
		})
	}
	for i := range wanted {
		if going.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	working.Wait()
	return papers, complete, context.Cause(going)
}

// PaperError is why a paper was not collected.
type PaperError struct {
	Number string
	error
}

func (e *PaperError) Unwrap() error { return e.error }

// copyPaper copies one paper, printed first where nobody has; was reports whether the copy was complete before.
func (s *Service) copyPaper(ctx context.Context, want paper.Paper, copies Copies) (printed paper.Paper, was bool, err error) {
	p, err := s.printed(ctx, want)
	if err != nil || copies.Has(p.ID, p.Hash) {
		return p, err == nil, err
	}
	stored, err := s.Papers.Open(ctx, p)
	if err != nil {
		return p, false, err
	}
	content, err := io.ReadAll(stored)
	if err = errors.Join(err, stored.Close()); err != nil {
		return p, false, fmt.Errorf("read %s %s: %w", p.Kind, p.Ref, err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != p.Hash {
		return p, false, fmt.Errorf("%s %s: %w", p.Kind, p.Ref, errAltered)
	}
	return p, false, copies.Keep(p.ID, content)
}

// errAltered means that the stored bytes are not those that were printed.
var errAltered = errors.New("it is not what was printed: see site verify")

// printLimit is how long one paper may take to print, as the job has.
const printLimit = time.Minute

// printed returns a paper once it is printed.
func (s *Service) printed(ctx context.Context, want paper.Paper) (paper.Paper, error) {
	p, err := s.Papers.Find(ctx, want)
	if err != nil || p.Printed {
		return p, err
	}
	within, cancel := context.WithTimeout(ctx, printLimit)
	defer cancel()
	if err := s.Papers.Print(within, p.ID); err != nil {
		return p, err
	}
	return s.Papers.Find(ctx, want)
}

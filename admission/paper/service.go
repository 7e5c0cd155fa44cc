package paper

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"hiresure/admission"
)

var (
	// ErrNoPrinter is returned by a Printer that is temporarily unavailable.
	ErrNoPrinter = errors.New("nothing prints papers at the moment")
	// ErrNoFont is returned by a Printer that has no font for a character of the paper.
	ErrNoFont = errors.New("no font has a character of the paper")
)

// Printer prints papers.
type Printer interface {
	// Print returns a paper as PDF, the same bytes for the same paper. Errors: ErrNoPrinter, ErrNoFont.
	Print(ctx context.Context, p Paper) ([]byte, error)
	// Unavailable reports whether the printer is unavailable, as far as known.
	Unavailable() bool
}

// Config configures a Service. All fields are required except Printer.
type Config struct {
	Store   admission.Store[Tx]
	Files   admission.Files
	Printer Printer // nil: papers are never printed
	Clock   func() time.Time
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Unavailable reports whether printing is unavailable, as far as known.
func (s *Service) Unavailable() bool { return s.Printer == nil || s.Printer.Unavailable() }

// PrintQueued handles JobPrint. Without a printer or font the paper waits for PrintWaiting.
func (s *Service) PrintQueued(ctx context.Context, id string) error {
	err := s.Print(ctx, id)
	if errors.Is(err, ErrNoPrinter) || errors.Is(err, ErrNoFont) {
		return nil
	}
	return err
}

const (
	printWaiting = 5 * time.Minute
	mostWaiting  = 2000 // papers at a time: more than are printed until the next time
)

// PrintWaiting handles JobWaiting: every five minutes it adds the jobs of papers that wait, if there is a printer.
func (s *Service) PrintWaiting(ctx context.Context, _ string) (again time.Duration, err error) {
	if s.Unavailable() {
		return printWaiting, nil
	}
	return printWaiting, s.Store.Update(ctx, func(tx Tx) error {
		ids, err := tx.WaitingPapers(mostWaiting)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := tx.AddJob(admission.Job{Kind: JobPrint, Ref: id, DueAt: s.Clock()}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Print prints and stores a paper unless it is stored. Errors: ErrNoPrinter, ErrNoFont.
func (s *Service) Print(ctx context.Context, id string) error {
	var p *Paper
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		p, err = tx.Paper(id)
		return err
	}); err != nil || p == nil || p.Printed {
		return err
	}
	if s.Printer == nil {
		return ErrNoPrinter
	}
	file, err := s.Printer.Print(ctx, *p)
	if err != nil {
		return fmt.Errorf("print %s %s: %w", p.Kind, p.Ref, err)
	}
	stored, err := s.Files.Put(ctx, p.ID, bytes.NewReader(file))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(file)
	kept := false
	err = s.Store.Update(ctx, func(tx Tx) error {
		kept = false
		now, err := tx.PaperForUpdate(id)
		if err != nil || now == nil || now.Printed || now.Issue != p.Issue { // a changed issue has its own job
			return err
		}
		now.Printed, now.PrintedAt, now.Hash, now.StoredFile = true, s.Clock(), hex.EncodeToString(sum[:]), stored
		kept = true
		return tx.SavePaper(now)
	})
	if err == nil && !kept { // after an error the row may exist, so the sweep decides
		err = s.Files.Remove(context.WithoutCancel(ctx), stored.Object)
	}
	return err
}

// Find returns a paper; the caller has checked ownership. A missing one, of a payment settled by a version without papers, is queued now.
// NotFound if its person was erased and the law does not require the paper.
func (s *Service) Find(ctx context.Context, want Paper) (found Paper, err error) {
	look := func(tx Tx) (p *Paper, err error) { return tx.PaperOf(want.Kind, want.Ref) }
	var p *Paper
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		p, err = look(tx)
		return err
	}); err != nil {
		return Paper{}, err
	}
	if p != nil {
		return *p, nil
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		if named, err := tx.HasPerson(want.RegistrationID); err != nil || !named && !want.Kind.requiredByLaw() {
			return cmp.Or[error](err, admission.NotFoundProblem("Paper"))
		}
		if err := Queue(tx, want.Kind, want.Ref, want.RegistrationID, want.TxnID, s.Clock()); err != nil {
			return err
		}
		p, err := look(tx)
		if err != nil || p == nil {
			return err
		}
		found = *p
		return nil
	})
	return found, err
}

// PrintNow makes a waiting paper due for printing now.
func (s *Service) PrintNow(ctx context.Context, p Paper) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now, err := tx.PaperForUpdate(p.ID)
		if err != nil || now == nil || now.Printed {
			return err
		}
		return tx.AddJob(admission.Job{Kind: JobPrint, Ref: p.ID, DueAt: s.Clock()})
	})
}

// ForMail returns the printed papers among names, in order. waits reports whether others will be printed soon, which requires an available
// printer.
func (s *Service) ForMail(ctx context.Context, names []string) (printed []admission.Attachment, waits bool, err error) {
	var found []Paper
	if err := s.Store.View(ctx, func(tx Tx) error {
		found = nil
		for _, name := range names {
			kind, ref, _ := strings.Cut(name, ":")
			p, err := tx.PaperOf(Kind(kind), ref)
			if err != nil {
				return err
			}
			if p != nil { // nil: its person was deleted
				found = append(found, *p)
			}
		}
		return nil
	}); err != nil {
		return nil, false, err
	}
	for _, p := range found {
		if !p.Printed {
			waits = waits || !s.Unavailable()
			continue
		}
		content, err := s.read(ctx, p)
		if err != nil {
			return printed, true, err
		}
		printed = append(printed, admission.Attachment{Name: string(p.Kind) + ".pdf", Type: "application/pdf", Content: content})
	}
	return printed, waits, nil
}

func (s *Service) read(ctx context.Context, p Paper) ([]byte, error) {
	file, err := s.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s %s: %w", p.Kind, p.Ref, err)
	}
	return content, nil
}

// Open reads a printed paper; the caller closes it.
func (s *Service) Open(ctx context.Context, p Paper) (io.ReadCloser, error) {
	return s.Files.Open(ctx, p.ID, p.StoredFile)
}

package mydata

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
)

const (
	ExportKept = 7 * 24 * time.Hour // from when it is ready
	partSize   = 256 << 10          // of a file, in one row
	mostFile   = 64 << 20           // of one person's: more is no person's, and somebody must look at it
	mostRows   = 20_000             // of one table
	triedFor   = 24 * time.Hour     // to make it, whatever goes wrong
)

// Export is a file with all that we hold on a person: asked for, collected kind by kind, ready, and over.
type Export struct {
	ID        string
	AccountID string
	AskedAt   time.Time
	Done      int   // kinds that are collected
	Size      int64 // of the file in bytes, so far
	Parts     int
	ReadyAt   time.Time
	ExpiresAt time.Time // when the file is gone; zero until it is ready
	FailedAt  time.Time // it cannot be made; somebody of ours was told
}

// UnderWay reports whether the file is being made.
func (e *Export) UnderWay() bool { return e != nil && e.ReadyAt.IsZero() && e.FailedAt.IsZero() }

// Ready reports whether the file can be taken.
func (e *Export) Ready(now time.Time) bool {
	return e != nil && !e.ReadyAt.IsZero() && now.Before(e.ExpiresAt)
}

// AskExport begins a file with all that we hold on the visitor, in place of the one of before. One that is being made goes on.
func (s *Service) AskExport(ctx context.Context, v admission.Visitor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		latest, err := tx.LatestExport(a.ID)
		if err != nil || latest.UnderWay() {
			return err
		}
		if err := s.take(tx, v, "export", a); err != nil {
			return err
		}
		e := Export{ID: admission.NewID(), AccountID: a.ID, AskedAt: s.Clock()}
		if err := tx.AddExport(&e); err != nil {
			return err
		}
		return tx.AddJob(admission.Job{Kind: JobExport, Ref: e.ID, DueAt: s.Clock()})
	})
}

// StopExport forgets the visitor's file, whether it is being made or ready. Its job finds nothing.
func (s *Service) StopExport(ctx context.Context, v admission.Visitor, id string) error {
	if !admission.IsID(id) {
		return notFound()
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		e, err := tx.ExportForUpdate(id)
		if err != nil {
			return err
		}
		if e == nil || v.AccountID == "" || e.AccountID != v.AccountID {
			v.Deny(id)
			return notFound()
		}
		return tx.DeleteExport(id)
	})
}

// OpenExport returns the visitor's file that is ready, for who has signed in a moment ago: a Conflict for who has not, and
// NotFound for another's, or one that is over.
func (s *Service) OpenExport(ctx context.Context, v admission.Visitor, id string) (Export, error) {
	if !admission.IsID(id) {
		return Export{}, notFound()
	}
	var e *Export
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		e, err = tx.Export(id)
		return err
	}); err != nil {
		return Export{}, err
	}
	if e == nil || v.AccountID == "" || e.AccountID != v.AccountID {
		v.Deny(id)
		return Export{}, notFound()
	}
	if !e.Ready(s.Clock()) {
		return Export{}, notFound()
	}
	return *e, s.checkFresh(ctx, v)
}

// checkFresh refuses who has signed in too long ago, as account.Service.Fresh says it.
func (s *Service) checkFresh(ctx context.Context, v admission.Visitor) error {
	fresh, err := s.Account.Fresh(ctx, v)
	if err == nil && !fresh {
		err = admission.ConflictProblem("", "You signed in a while ago. Please sign in again first.")
	}
	return err
}

// WriteExport writes a file that OpenExport has returned, part by part: memory holds one of them.
func (s *Service) WriteExport(ctx context.Context, e Export, to io.Writer) error {
	for part := range e.Parts {
		var piece []byte
		if err := s.Store.View(ctx, func(tx Tx) (err error) {
			piece, err = tx.ExportPart(e.ID, part)
			return err
		}); err != nil {
			return err
		}
		if piece == nil {
			return errors.New("export " + e.ID + ": part " + strconv.Itoa(part) + " is gone")
		}
		if _, err := to.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// BuildExport is the work of JobExport. A file that cannot be made for good is given up, and its person is told.
func (s *Service) BuildExport(ctx context.Context, id string) error {
	if err := s.build(ctx, id); err != nil {
		return s.failed(ctx, id, err)
	}
	return nil
}

// build collects kind by kind and says so in between; cut off, it begins anew. Each kind is
// one moment of the database.
func (s *Service) build(ctx context.Context, id string) error {
	var a *account.Account
	if err := s.Store.View(ctx, func(tx Tx) error {
		a = nil
		e, err := tx.Export(id)
		if err != nil || !e.UnderWay() {
			return err
		}
		a, err = tx.Account(e.AccountID)
		return err
	}); err != nil || a == nil {
		return err
	}
	var file bytes.Buffer
	made := newArchive(&file, s.Clock(), s.Forms)
	for i, kind := range Kinds {
		var tables []Table
		var documents []document.Document
		err := s.Store.View(ctx, func(tx Tx) (err error) {
			if tables, err = tx.Held(a, kind, mostRows); err == nil && kind == Answers {
				documents, err = tx.HeldDocuments(a, mostRows)
			}
			return err
		})
		where := archivePaths(documents)
		tellPaths(tables, where)
		if err == nil {
			err = made.add(kind, tables)
		}
		if err == nil {
			err = s.addDocuments(ctx, made, documents, where)
		}
		if err == nil && file.Len() > mostFile {
			err = ErrTooMuch
		}
		if err != nil {
			return err
		}
		if going, err := s.progressed(ctx, id, i+1, int64(file.Len())); err != nil || !going {
			return err
		}
	}
	if err := made.close(a.FullName); err != nil {
		return err
	}
	return s.finish(ctx, id, file.Bytes())
}

// ErrTooMuch says that more is held on somebody than on a person.
var ErrTooMuch = errors.New("more than a person's data")

// progressed says how many kinds are collected; going is false where nobody wants the file any more.
func (s *Service) progressed(ctx context.Context, id string, done int, size int64) (going bool, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		e, err := tx.ExportForUpdate(id)
		if going = err == nil && e.UnderWay(); !going {
			return err
		}
		e.Done, e.Size = done, size
		return tx.SaveExport(e)
	})
	return going, err
}

// failed gives a file up that is too much, that no repetition makes, or that could not be made for a day; after any other error
// it is tried again.
func (s *Service) failed(ctx context.Context, id string, cause error) error {
	tooMuch := errors.Is(cause, ErrTooMuch)
	forGood := tooMuch || admission.IsPermanent(cause)
	givenUp := false
	err := s.Store.Update(ctx, func(tx Tx) error {
		e, err := tx.ExportForUpdate(id)
		if givenUp = err == nil && e.UnderWay() && (forGood || s.Clock().Sub(e.AskedAt) >= triedFor); !givenUp {
			return err
		}
		a, err := tx.Account(e.AccountID)
		if err != nil || a == nil {
			return err
		}
		e.FailedAt = s.Clock()
		if err := tx.SaveExport(e); err != nil {
			return err
		}
		return s.tell(tx, a, "export-failed:"+e.ID, "export-failed", map[string]string{"Asked": admission.Date(e.AskedAt)}, dataLink, dataPage)
	})
	switch {
	case err != nil:
		return errors.Join(cause, err)
	case tooMuch && givenUp:
		s.Alert("a person's data is too much for one file")
		return nil
	case givenUp && !forGood: // whose failures have alerted, again and again
		return nil
	}
	return cause
}

// finish keeps the file, and writes to its person.
func (s *Service) finish(ctx context.Context, id string, file []byte) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		e, err := tx.ExportForUpdate(id)
		if err != nil || !e.UnderWay() {
			return err
		}
		a, err := tx.Account(e.AccountID)
		if err != nil || a == nil {
			return err
		}
		now := s.Clock()
		e.ReadyAt, e.ExpiresAt, e.Size, e.Parts = now, now.Add(ExportKept), int64(len(file)), 0
		for rest := file; len(rest) > 0; e.Parts++ {
			piece := rest[:min(partSize, len(rest))]
			if err := tx.AddExportPart(e, e.Parts, piece); err != nil {
				return err
			}
			rest = rest[len(piece):]
		}
		if err := tx.SaveExport(e); err != nil {
			return err
		}
		return s.tell(tx, a, "export-ready:"+e.ID, "export-ready", map[string]string{"LastDay": admission.Date(e.ExpiresAt)}, dataLink, dataPage)
	})
}

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
	ExportLife   = 7 * 24 * time.Hour // after completion
	partSize     = 256 << 10          // bytes of the file per row
	maxFileSize  = 64 << 20           // bytes; an export above it fails and alerts
	maxRows      = 20_000             // per table
	buildTimeout = 24 * time.Hour     // time limit for all tries
)

// Export is a file with all data of a person.
type Export struct {
	ID        string
	AccountID string
	AskedAt   time.Time
	Done      int   // collected kinds
	Size      int64 // of the file so far, in bytes
	Parts     int
	ReadyAt   time.Time
	ExpiresAt time.Time // when the file is deleted; zero until it is ready
	FailedAt  time.Time // given up; an alert was raised
}

// UnderWay reports whether the file is being built.
func (e *Export) UnderWay() bool { return e != nil && e.ReadyAt.IsZero() && e.FailedAt.IsZero() }

// Ready reports whether the file can be downloaded.
func (e *Export) Ready(now time.Time) bool {
	return e != nil && !e.ReadyAt.IsZero() && now.Before(e.ExpiresAt)
}

// RequestExport starts a new export of the visitor's data, replacing an earlier one, unless one is under way.
func (s *Service) RequestExport(ctx context.Context, v admission.Visitor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		latest, err := tx.LatestExport(a.ID)
		if err != nil || latest.UnderWay() {
			return err
		}
		if err := s.limitRequests(tx, v, "export", a); err != nil {
			return err
		}
		e := Export{ID: admission.NewID(), AccountID: a.ID, AskedAt: s.Clock()}
		if err := tx.AddExport(&e); err != nil {
			return err
		}
		return tx.AddJob(admission.Job{Kind: JobExport, Ref: e.ID, DueAt: s.Clock()})
	})
}

// CancelExport deletes the visitor's export, finished or not; its job then does nothing.
func (s *Service) CancelExport(ctx context.Context, v admission.Visitor, id string) error {
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

// OpenExport returns the visitor's finished export. The visitor must have signed in recently (else Conflict); NotFound for another's or an
// expired one.
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

// checkFresh returns a Conflict if the sign-in is too old; see account.Service.Fresh.
func (s *Service) checkFresh(ctx context.Context, v admission.Visitor) error {
	fresh, err := s.Account.SignedInRecently(ctx, v)
	if err == nil && !fresh {
		err = admission.ConflictProblem("", "You signed in a while ago. Please sign in again first.")
	}
	return err
}

// WriteExport writes the file of an export from OpenExport, with one part in memory.
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

// BuildExport handles JobExport. After a permanent failure it gives up and notifies the person.
func (s *Service) BuildExport(ctx context.Context, id string) error {
	if err := s.build(ctx, id); err != nil {
		return s.giveUp(ctx, id, err)
	}
	return nil
}

// build collects the data kind by kind and records its progress; after an interruption it starts again. Each kind is read in one
// transaction.
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
			if tables, err = tx.PersonRows(a, kind, maxRows); err == nil && kind == Answers {
				documents, err = tx.PersonDocuments(a, maxRows)
			}
			return err
		})
		where := archivePaths(documents)
		addPaths(tables, where)
		if err == nil {
			err = made.add(kind, tables)
		}
		if err == nil {
			err = s.addDocuments(ctx, made, documents, where)
		}
		if err == nil && file.Len() > maxFileSize {
			err = ErrTooLarge
		}
		if err != nil {
			return err
		}
		if going, err := s.saveProgress(ctx, id, i+1, int64(file.Len())); err != nil || !going {
			return err
		}
	}
	if err := made.close(a.FullName); err != nil {
		return err
	}
	return s.finish(ctx, id, file.Bytes())
}

// ErrTooLarge is returned for more data than one person can have.
var ErrTooLarge = errors.New("more than a person's data")

// saveProgress records the progress; going is false if the export was deleted.
func (s *Service) saveProgress(ctx context.Context, id string, done int, size int64) (going bool, err error) {
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

// giveUp gives up an export that is too large, failed permanently, or failed for a day. Other errors are retried.
func (s *Service) giveUp(ctx context.Context, id string, cause error) error {
	tooMuch := errors.Is(cause, ErrTooLarge)
	forGood := tooMuch || admission.IsPermanent(cause)
	givenUp := false
	err := s.Store.Update(ctx, func(tx Tx) error {
		e, err := tx.ExportForUpdate(id)
		if givenUp = err == nil && e.UnderWay() && (forGood || s.Clock().Sub(e.AskedAt) >= buildTimeout); !givenUp {
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
		return s.notify(tx, a, "export-failed:"+e.ID, "export-failed", map[string]string{"Asked": admission.Date(e.AskedAt)}, dataLink, dataPage)
	})
	switch {
	case err != nil:
		return errors.Join(cause, err)
	case tooMuch && givenUp:
		s.Alert("export of personal data exceeds its limits")
		return nil
	case givenUp && !forGood: // the failed tries have raised alerts
		return nil
	}
	return cause
}

// finish completes the export and notifies the person.
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
		e.ReadyAt, e.ExpiresAt, e.Size, e.Parts = now, now.Add(ExportLife), int64(len(file)), 0
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
		return s.notify(tx, a, "export-ready:"+e.ID, "export-ready", map[string]string{"LastDay": admission.Date(e.ExpiresAt)}, dataLink, dataPage)
	})
}

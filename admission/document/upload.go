package document

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
)

// Messages for the sender of a file.
const (
	notEditable     = "You cannot modify the previous details now. Contact support for further help."
	anotherFile     = "This is not the file that you started to upload. Please choose that file again."
	newerUpload     = "This upload continues in another tab or on another device."
	allKindsPresent = "All four documents are here already. Please delete one first."
	hashMismatch    = "The file was damaged on the way. Please send it again."
)

// NewFile is the announcement of a file.
type NewFile struct {
	Kind Kind
	Name string // as sent
	Type string // as sent
	Size int64  // in bytes
	Hash string // SHA-256, hexadecimal
}

// Begin opens an upload for the visitor's application. It resumes an unfinished upload of the same file, from any browser, and deletes
// unfinished uploads of other files of the kind.
func (s *Service) Begin(ctx context.Context, v admission.Visitor, file NewFile) (upload Upload, err error) {
	fact, known := file.Kind.Fact()
	switch {
	case !known:
		return Upload{}, admission.FieldProblem("kind", "There is no such document.")
	case file.Size <= 0:
		return Upload{}, admission.FieldProblem(string(file.Kind), fact.Refusal(Empty))
	case file.Size > MaxBytes:
		return Upload{}, admission.FieldProblem(string(file.Kind), fact.TooLarge)
	case !admission.IsHash(file.Hash):
		return Upload{}, admission.FieldProblem(string(file.Kind), anotherFile)
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		r, err := s.registration(tx, v)
		if err != nil {
			return err
		}
		before, err := earlier(tx, r.ID, file.Kind)
		if err != nil {
			return err
		}
		for _, other := range before {
			if other.State == Receiving && other.Hash == file.Hash && other.Size == file.Size {
				upload = other
				return nil
			}
			if err := s.forget(tx, other); err != nil {
				return err
			}
		}
		upload, err = s.add(tx, v, r.ID, file)
		return err
	})
	return upload, err
}

// earlier returns unfinished and refused uploads of a kind, which a new upload replaces.
func earlier(tx Tx, registrationID string, kind Kind) ([]Upload, error) {
	uploads, err := tx.UploadsOf(registrationID)
	return slices.DeleteFunc(uploads, func(u Upload) bool {
		return u.Kind != kind || u.State != Receiving && u.State != Refused
	}), err
}

// add inserts an upload, within a person's daily limit.
func (s *Service) add(tx Tx, v admission.Visitor, registrationID string, file NewFile) (Upload, error) {
	if err := s.Access.Take(tx, v, access.Limit{Bucket: "uploads:" + v.AccountID, Max: uploadsDaily, Per: 24 * time.Hour, Lifted: true}); err != nil {
		return Upload{}, err
	}
	u := Upload{
		ID: admission.NewID(), RegistrationID: registrationID, Kind: file.Kind, Name: fileName(file.Name), Type: file.Type, Size: file.Size, Hash: file.Hash,
		State: Receiving, BegunAt: s.Clock(), ExpiresAt: s.Clock().Add(uploadLife),
	}
	return u, tx.AddUpload(&u)
}

// StartPiece makes the caller the only writer of an upload. It returns a Conflict if received is not the stored size or the application accepts no
// documents, and NotFound for another's upload. An upload with maxPieces is deleted and NotFound.
func (s *Service) StartPiece(ctx context.Context, v admission.Visitor, id string, received int64) (writer string, err error) {
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		if _, err := s.registration(tx, v); err != nil {
			return err
		}
		u, err := s.own(tx, v, id)
		if err != nil {
			return err
		}
		if u.State != Receiving || u.Received != received {
			return admission.ConflictProblem("", anotherFile)
		}
		pieces, err := tx.Pieces(u.ID)
		if err != nil {
			return err
		}
		if len(pieces) >= maxPieces {
			refusal = notFound()
			return s.forget(tx, *u)
		}
		u.Writer = admission.NewID()
		writer = u.Writer
		return tx.SaveUpload(u)
	})
	if err == nil {
		err = refusal
	}
	return writer, err
}

// Append stores the rest of r as the next piece and returns the updated upload. writer must be from the last Take. After an error
// nothing of r is stored; to keep a part, the caller ends r where the connection broke.
func (s *Service) Append(ctx context.Context, id, writer string, received int64, r io.Reader) (upload Upload, err error) {
	piece := Piece{UploadID: id, Start: received}
	piece.StoredFile, err = s.Files.Put(ctx, PieceID(id, received), io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Upload{}, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		u, err := tx.UploadForUpdate(id)
		switch {
		case err != nil:
			return err
		case u == nil:
			return notFound()
		case u.Writer != writer || u.Received != received || u.State != Receiving:
			return admission.ConflictProblem("", newerUpload)
		case received+piece.Size > u.Size:
			return admission.ConflictProblem("", anotherFile)
		}
		u.Received += piece.Size
		u.ExpiresAt = s.Clock().Add(uploadLife)
		if u.Received == u.Size {
			u.State = Whole
			if err := s.judgeLater(tx, u.ID); err != nil {
				return err
			}
		}
		upload = *u
		return errors.Join(tx.AddPiece(piece), tx.SaveUpload(u))
	})
	if admission.AsProblem(err) != nil { // after other errors the row may exist, so Sweep decides
		err = errors.Join(err, s.Files.Remove(context.WithoutCancel(ctx), piece.Object))
	}
	return upload, err
}

// Status returns the visitor's upload.
func (s *Service) Status(ctx context.Context, v admission.Visitor, id string) (upload Upload, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		u, err := s.own(tx, v, id)
		if err == nil {
			upload = *u
		}
		return err
	})
	return upload, err
}

// Cancel deletes the visitor's upload and its pieces.
func (s *Service) Cancel(ctx context.Context, v admission.Visitor, id string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		u, err := s.own(tx, v, id)
		if err != nil {
			return err
		}
		return s.forget(tx, *u)
	})
}

// registration returns the visitor's application if it accepts documents.
func (s *Service) registration(tx Tx, v admission.Visitor) (*enrol.Registration, error) {
	session, err := tx.SessionForUpdate(v.SessionID) // always locked first
	if err != nil {
		return nil, err
	}
	r, err := tx.ApplicationOf(v.AccountID)
	switch {
	case err != nil:
		return nil, err
	case session == nil || v.AccountID == "": // signed out meanwhile, for instance by a deletion
		return nil, notFound()
	case r == nil:
		return nil, admission.ConflictProblem("", apply.VerifyFirst)
	case r.Step != enrol.StepPaid:
		return nil, admission.ConflictProblem("", notEditable)
	}
	return r, nil
}

// own returns the visitor's upload, locked; it logs access to another's.
func (s *Service) own(tx Tx, v admission.Visitor, id string) (*Upload, error) {
	return owned(tx, v, id, tx.UploadForUpdate, func(u Upload) string { return u.RegistrationID })
}

// owned returns the visitor's record by find; it logs access to another's.
func owned[T any](tx Tx, v admission.Visitor, id string, find func(id string) (*T, error), registrationID func(T) string) (*T, error) {
	if !admission.IsID(id) || v.AccountID == "" {
		return nil, notFound()
	}
	record, err := find(id)
	if err != nil || record == nil {
		return nil, errors.Join(err, notFound())
	}
	r, err := tx.Registration(registrationID(*record))
	if err == nil && (r == nil || r.AccountID != v.AccountID) {
		v.Deny(id)
		err = notFound()
	}
	return record, err
}

// forget deletes an upload's rows and queues the deletion of its pieces.
func (s *Service) forget(tx Tx, u Upload) error {
	if err := s.removePieces(tx, u.ID); err != nil {
		return err
	}
	return tx.DeleteUpload(u.ID)
}

func (s *Service) removePieces(tx Tx, uploadID string) error {
	pieces, err := tx.Pieces(uploadID)
	if err != nil {
		return err
	}
	for _, piece := range pieces {
		if err := s.removeLater(tx, piece.Object); err != nil {
			return err
		}
	}
	return tx.DeletePieces(uploadID)
}

// judgeLater queues judging in case the client does not wait for it.
func (s *Service) judgeLater(tx Tx, id string) error {
	return tx.AddJob(admission.Job{Kind: JobJudge, Ref: id, DueAt: s.Clock().Add(judgeLease)})
}

// removeLater queues the deletion of objects whose rows this transaction deletes.
func (s *Service) removeLater(tx Tx, object string) error {
	return tx.AddJob(admission.Job{Kind: JobRemove, Ref: object, DueAt: s.Clock()})
}

// PieceID is what a piece's key is bound to.
func PieceID(uploadID string, start int64) string {
	return uploadID + "/" + strconv.FormatInt(start, 10)
}

package document

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"hiresure/admission"
)

// UploadFile stores and judges a file of unknown size and hash, from a form without scripts. It returns the upload, Kept or Refused; after an
// internal error in judging it returns the upload Whole with an error, and JobJudge retries. After any other error nothing is stored. Errors:
// those of r, ErrStorageFull, ErrStorageUnavailable, a Problem.
func (s *Service) UploadFile(ctx context.Context, v admission.Visitor, file NewFile, r io.Reader) (Upload, error) {
	fact := file.Kind.Rules()
	if _, known := file.Kind.Fact(); !known && file.Kind != Unnamed {
		return Upload{}, admission.FieldProblem("kind", "There is no such document.")
	}
	var u Upload
	if err := s.Store.Update(ctx, func(tx Tx) error {
		r, err := s.registration(tx, v)
		if err != nil {
			return err
		}
		if err := s.clearUploads(tx, r.ID, file.Kind); err != nil {
			return err
		}
		u, err = s.add(tx, v, r.ID, file)
		return err
	}); err != nil {
		return Upload{}, err
	}
	always := context.WithoutCancel(ctx) // the client may leave once it has sent everything
	u, err := s.receive(ctx, u, fact, r)
	if err == nil && u.State == Whole {
		err = s.Judge(always, u.ID)
		if err == nil {
			return s.Status(always, v, u.ID)
		}
	}
	if err != nil && (u.State != Whole || u.Kind == Unnamed || errors.Is(err, admission.ErrStorageFull)) { // the client would not know an unnamed upload's id
		return Upload{}, errors.Join(err, s.Cancel(always, v, u.ID))
	}
	return u, err
}

// clearUploads deletes unfinished uploads of kind and rejects unnamed ones once every kind is present.
func (s *Service) clearUploads(tx Tx, registrationID string, kind Kind) error {
	if kind == Unnamed {
		documents, err := tx.Documents(registrationID)
		if err == nil && len(documents) == len(Kinds) {
			err = admission.ConflictProblem("", allKindsPresent)
		}
		return err
	}
	before, err := earlier(tx, registrationID, kind)
	for _, other := range before {
		err = errors.Join(err, s.forget(tx, other))
	}
	return err
}

// receive stores the body as an upload's only piece. The upload is then Whole, or Refused.
func (s *Service) receive(ctx context.Context, u Upload, fact KindFact, r io.Reader) (Upload, error) {
	hash, piece, body := sha256.New(), Piece{UploadID: u.ID}, bufio.NewReader(io.LimitReader(r, MaxBytes+1))
	if _, err := body.Peek(1); errors.Is(err, io.EOF) {
		return s.refuse(ctx, u, fact.Refusal(Empty))
	} else if err != nil {
		return u, err
	}
	file, err := s.Files.Put(ctx, PieceID(u.ID, 0), io.TeeReader(body, hash))
	if err != nil {
		return u, err
	}
	piece.StoredFile = file
	ctx = context.WithoutCancel(ctx)
	if file.Size > MaxBytes {
		if err := s.Files.Remove(ctx, file.Object); err != nil {
			return u, err
		}
		return s.refuse(ctx, u, fact.TooLarge)
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		now, err := tx.UploadForUpdate(u.ID)
		if err != nil {
			return err
		}
		if now == nil || now.State != Receiving {
			return admission.ConflictProblem("", newerUpload)
		}
		now.Size, now.Received, now.Hash, now.State = file.Size, file.Size, hex.EncodeToString(hash.Sum(nil)), Whole
		if err := errors.Join(tx.AddPiece(piece), tx.SaveUpload(now), s.judgeLater(tx, now.ID)); err != nil {
			return err
		}
		u = *now
		return nil
	})
	if admission.AsProblem(err) != nil { // after other errors the row may exist, so Sweep decides
		err = errors.Join(err, s.Files.Remove(ctx, file.Object))
	}
	return u, err
}

// refuse records the refusal of an upload that stored nothing.
func (s *Service) refuse(ctx context.Context, u Upload, refusal string) (Upload, error) {
	u.State, u.Refusal = Refused, refusal
	return u, s.Store.Update(ctx, func(tx Tx) error { return tx.SaveUpload(&u) })
}

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

// Keep takes a file of which nothing is known before it has arrived, as a form without scripts sends it, and judges it: its
// size and hash are those of what came. It is kept, or refused, with the reason in the upload it returns; where judging fails
// for a reason of ours, the upload is Whole, err says why, and JobJudge judges it again. After any other error nothing of it
// is kept. Errors: what r returns, ErrStorageFull, ErrStorageUnavailable, a Problem.
func (s *Service) Keep(ctx context.Context, v admission.Visitor, file NewFile, r io.Reader) (Upload, error) {
	fact, known := file.Kind.Fact()
	if !known {
		return Upload{}, admission.FieldProblem("kind", "There is no such document.")
	}
	var u Upload
	if err := s.Store.Update(ctx, func(tx Tx) error {
		r, err := s.registration(tx, v)
		if err != nil {
			return err
		}
		before, err := earlier(tx, r.ID, file.Kind)
		for _, other := range before {
			err = errors.Join(err, s.forget(tx, other))
		}
		if err != nil {
			return err
		}
		u, err = s.add(tx, v, r.ID, file)
		return err
	}); err != nil {
		return Upload{}, err
	}
	always := context.WithoutCancel(ctx) // whoever has sent it all, and has gone, has sent it
	u, err := s.receive(ctx, u, fact, r)
	if err == nil && u.State == Whole {
		err = s.Judge(always, u.ID)
		if err == nil {
			return s.Status(always, v, u.ID)
		}
	}
	if err != nil && (u.State != Whole || errors.Is(err, admission.ErrStorageFull)) {
		return Upload{}, errors.Join(err, s.Cancel(always, v, u.ID))
	}
	return u, err
}

// receive stores what arrives as the only piece of an upload, which is Whole then, or Refused.
func (s *Service) receive(ctx context.Context, u Upload, fact KindFact, r io.Reader) (Upload, error) {
	hash, piece, body := sha256.New(), Piece{UploadID: u.ID}, bufio.NewReader(io.LimitReader(r, MostBytes+1))
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
	if file.Size > MostBytes {
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
	if admission.AsProblem(err) != nil { // of another error nobody knows whether the row stands: then Sweep finds out
		err = errors.Join(err, s.Files.Remove(ctx, file.Object))
	}
	return u, err
}

// refuse writes down why an upload of which nothing is kept is none.
func (s *Service) refuse(ctx context.Context, u Upload, refusal string) (Upload, error) {
	u.State, u.Refusal = Refused, refusal
	return u, s.Store.Update(ctx, func(tx Tx) error { return tx.SaveUpload(&u) })
}

package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

const harmful = "This file was refused because it may do harm. Please send another one, such as a photo of the paper."

// Judge checks a complete upload and stores it as a document, replacing the previous one of its kind. It is idempotent. It handles JobJudge
// and is called after the last piece.
func (s *Service) Judge(ctx context.Context, id string) error {
	u, who, err := s.claim(ctx, id)
	if err != nil || u == nil {
		return err
	}
	document := Document{ID: admission.NewID(), RegistrationID: u.RegistrationID, Kind: u.Kind, Name: u.Name}
	refusal, err := s.inspect(ctx, who, *u, &document)
	if err != nil {
		return err
	}
	if refusal == "" && s.Scanner != nil {
		found, err := s.scan(ctx, document)
		switch {
		case err != nil:
			document.Checking = true
		case found != "":
			s.Alert("a harmful file was uploaded")
			refusal = harmful
			if err := s.Files.Remove(ctx, document.Object); err != nil {
				return err
			}
		}
	}
	return s.settle(ctx, *u, document, refusal)
}

// claim locks the upload for one worker and returns it with its owner; nil if there is nothing to do.
func (s *Service) claim(ctx context.Context, id string) (claimed *Upload, who string, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		claimed = nil
		u, err := tx.UploadForUpdate(id)
		if err != nil || u == nil || u.State != Whole || s.Clock().Before(u.JudgeUntil) {
			return err
		}
		r, err := tx.Registration(u.RegistrationID)
		if err != nil || r == nil {
			return err
		}
		u.JudgeUntil = s.Clock().Add(judgeLease)
		claimed, who = u, r.AccountID
		return tx.SaveUpload(u)
	})
	return claimed, who, err
}

// inspect inspects an upload and stores the accepted file. A refused one is not stored.
func (s *Service) inspect(ctx context.Context, who string, u Upload, document *Document) (refusal string, err error) {
	hash := sha256.New()
	whole, err := s.open(ctx, u.ID)
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(hash, whole); err != nil {
		return "", err
	}
	if hex.EncodeToString(hash.Sum(nil)) != u.Hash {
		return hashMismatch, nil
	}
	if whole, err = s.open(ctx, u.ID); err != nil {
		return "", err
	}
	out, in := io.Pipe()
	var found Found
	judged := make(chan error, 1)
	go func() {
		var err error
		found, refusal, err = s.Inspector.Inspect(ctx, who, u, whole, in)
		if err == nil && refusal != "" {
			err = errRefused
		}
		_ = in.CloseWithError(err) // nil means EOF
		judged <- err
	}()
	document.StoredFile, err = s.Files.Put(ctx, document.ID, out)
	_ = out.CloseWithError(err) // unblocks the inspector
	if judgedErr := <-judged; judgedErr != nil {
		err = judgedErr
	}
	if errors.Is(err, errRefused) {
		return refusal, nil
	}
	document.ContentType, document.Width, document.Height, document.Pages = found.ContentType, found.Width, found.Height, found.Pages
	return "", err
}

// errRefused stops storing a refused file.
var errRefused = errors.New("refused")

// open returns a reader of all pieces of an upload.
func (s *Service) open(ctx context.Context, uploadID string) (io.Reader, error) {
	var pieces []Piece
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		pieces, err = tx.Pieces(uploadID)
		return err
	}); err != nil {
		return nil, err
	}
	return &pieceReader{ctx: ctx, files: s.Files, left: pieces}, nil
}

// pieceReader reads pieces one after another, with one open at a time.
type pieceReader struct {
	ctx   context.Context
	files admission.Files
	left  []Piece
	now   io.ReadCloser
}

func (p *pieceReader) Read(into []byte) (int, error) {
	for {
		if p.now == nil {
			if len(p.left) == 0 {
				return 0, io.EOF
			}
			piece := p.left[0]
			opened, err := p.files.Open(p.ctx, PieceID(piece.UploadID, piece.Start), piece.StoredFile)
			if err != nil {
				return 0, err
			}
			p.now, p.left = opened, p.left[1:]
		}
		n, err := p.now.Read(into)
		if errors.Is(err, io.EOF) {
			err = p.now.Close()
			p.now = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (s *Service) scan(ctx context.Context, document Document) (found string, err error) {
	file, err := s.Files.Open(ctx, document.ID, document.StoredFile)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return s.Scanner.Scan(ctx, file)
}

// settle records the result of an upload. It deletes an unused object.
func (s *Service) settle(ctx context.Context, u Upload, document Document, refusal string) error {
	kept := false
	err := s.Store.Update(ctx, func(tx Tx) error {
		kept = false
		now, err := tx.UploadForUpdate(u.ID)
		if err != nil || now == nil || now.State != Whole {
			return err // cancelled, or judged by another worker
		}
		r, err := tx.RegistrationForUpdate(u.RegistrationID)
		if err != nil || r == nil {
			return err
		}
		if err := s.removePieces(tx, u.ID); err != nil {
			return err
		}
		why := refusal
		if r.Step != enrol.StepPaid { // submitted meanwhile: the submitted document stays
			why = notEditable
		}
		if why != "" {
			now.State, now.Refusal = Refused, why
			return tx.SaveUpload(now)
		}
		if err := s.replace(tx, document); err != nil {
			return err
		}
		document.StoredAt = s.Clock()
		if err := tx.AddDocument(&document); err != nil {
			return err
		}
		if document.Checking {
			if err := tx.AddJob(admission.Job{Kind: JobScan, Ref: document.ID, DueAt: s.Clock().Add(scanAgain)}); err != nil {
				return err
			}
		}
		now.State, now.DocumentID = Accepted, document.ID
		kept = true
		return tx.SaveUpload(now)
	})
	if err == nil && !kept && refusal == "" { // after an error the row may exist, so Sweep decides
		err = s.Files.Remove(context.WithoutCancel(ctx), document.Object)
	}
	return err
}

// replace deletes the document of the same kind. For an unnamed one it deletes the oldest unnamed document above the number of kinds, so that
// a client that lost an id can send again.
func (s *Service) replace(tx Tx, by Document) error {
	documents, err := tx.Documents(by.RegistrationID)
	if err != nil {
		return err
	}
	live := len(documents) + 1
	if other, there := OfKind(documents, by.Kind); there {
		live--
		err = s.drop(tx, other)
	}
	unnamed, listErr := tx.UnnamedDocuments(by.RegistrationID)
	if err = errors.Join(err, listErr); err != nil {
		return err
	}
	for i := 0; i < len(unnamed) && live+len(unnamed)-i > len(Kinds); i++ {
		err = errors.Join(err, s.drop(tx, unnamed[i]))
	}
	return err
}

// drop deletes a document's row, with its key, and queues the deletion of its object.
func (s *Service) drop(tx Tx, document Document) error {
	return errors.Join(tx.DeleteDocument(&document, s.Clock()), s.removeLater(tx, document.Object))
}

// ScanAgain handles JobScan.
func (s *Service) ScanAgain(ctx context.Context, id string) error {
	var document *Document
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		document, err = tx.Document(id)
		return err
	}); err != nil || document == nil || !document.Checking {
		return err
	}
	found := ""
	if s.Scanner != nil { // nil: scanning was turned off
		var err error
		if found, err = s.scan(ctx, *document); err != nil {
			return err // retried
		}
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		d, err := tx.DocumentForUpdate(id)
		if err != nil || d == nil {
			return err
		}
		if found != "" {
			s.Alert("a harmful file was uploaded")
			return errors.Join(s.drop(tx, *d), s.recordHarmful(tx, *d))
		}
		d.Checking = false
		return tx.SaveDocument(d)
	})
}

// recordHarmful records in a document's upload why it was deleted.
func (s *Service) recordHarmful(tx Tx, d Document) error {
	uploads, err := tx.UploadsOf(d.RegistrationID)
	for _, u := range uploads {
		if u.DocumentID == d.ID {
			u.State, u.Refusal, u.DocumentID = Refused, harmful, ""
			err = errors.Join(err, tx.SaveUpload(&u))
		}
	}
	return err
}

// RemoveObject handles JobRemove.
func (s *Service) RemoveObject(ctx context.Context, object string) error {
	return s.Files.Remove(ctx, object)
}

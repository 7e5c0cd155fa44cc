package document

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/forms"
)

const mostNameLetters = 100

// fileName is what is kept of a sender's name for a file: no folders, nothing that is not drawn, and an end. It is shown
// to people and names a download; no path of ours is made of it.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // a mark that turns the writing direction is none either
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "")))
	if letters := []rune(name); len(letters) > mostNameLetters {
		end := path.Ext(name)
		if len(end) > 5 {
			end = ""
		}
		name = string(letters[:mostNameLetters-len(end)]) + end
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return "document"
	}
	return name
}

// ends are those of file names by type, the usual one first.
var ends = map[string][]string{"image/jpeg": {".jpg", ".jpeg"}, "application/pdf": {".pdf"}, "image/png": {".png"}}

// End is the end of a file of the document's type; "" for what we do not keep.
func (d Document) End() string {
	if of := ends[d.ContentType]; len(of) > 0 {
		return of[0]
	}
	return ""
}

// FileName is the document's name with the end of what it is now: every picture is kept as a JPEG.
func (d Document) FileName() string {
	if slices.ContainsFunc(ends[d.ContentType], func(end string) bool { return strings.HasSuffix(strings.ToLower(d.Name), end) }) {
		return d.Name
	}
	if i := strings.LastIndexByte(d.Name, '.'); i > 0 && d.End() != "" {
		return d.Name[:i] + d.End()
	}
	return d.Name + d.End()
}

// Overview is what somebody has sent of an application's documents.
type Overview struct {
	Documents []Document
	Unnamed   []Document // the oldest first
	Uploads   []Upload   // that go on, or were refused; the newest of each kind
}

// Overview returns the documents and the uploads of a registration of the visitor's, also of one that has ended; "": of the
// application that goes on.
func (s *Service) Overview(ctx context.Context, v admission.Visitor, registrationID string) (all Overview, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		all = Overview{}
		var r *enrol.Registration
		var err error
		if registrationID == "" {
			r, err = tx.ApplicationOf(v.AccountID)
		} else {
			r, err = tx.Registration(registrationID)
		}
		if err != nil || r == nil || v.AccountID == "" || r.AccountID != v.AccountID {
			return errors.Join(err, notFound())
		}
		if all.Documents, err = tx.Documents(r.ID); err != nil {
			return err
		}
		if all.Unnamed, err = tx.UnnamedDocuments(r.ID); err != nil {
			return err
		}
		uploads, err := tx.UploadsOf(r.ID)
		for _, u := range uploads {
			seen := slices.ContainsFunc(all.Uploads, func(newer Upload) bool { return newer.Kind == u.Kind })
			if !seen && u.State != Kept {
				all.Uploads = append(all.Uploads, u)
			}
		}
		return err
	})
	return all, err
}

// Open returns a document of the visitor, to be read and closed, and writes down who has opened it. One that is being
// checked opens for nobody.
func (s *Service) Open(ctx context.Context, v admission.Visitor, id string) (document Document, content io.ReadCloser, err error) {
	return s.read(ctx, v, id, false)
}

// Thumbnail is Open for the picture of a photo in pages of its owner's own, who only looks at the page: that is no opening, and
// is not written down. It is the owner's alone, whoever else may Open; any other document is opened.
func (s *Service) Thumbnail(ctx context.Context, v admission.Visitor, id string) (document Document, content io.ReadCloser, err error) {
	return s.read(ctx, v, id, true)
}

func (s *Service) read(ctx context.Context, v admission.Visitor, id string, thumbnail bool) (document Document, content io.ReadCloser, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		d, err := s.ownDocument(tx, v, id)
		if err != nil {
			return err
		}
		if d.Checking {
			return admission.ConflictProblem("", d.Name+" is being checked. Please try again in a minute.")
		}
		document = *d
		if thumbnail && d.Kind == Photo {
			return nil
		}
		if err := s.Access.Take(tx, v, access.OnRecord("views", v.AccountID)); err != nil {
			return err
		}
		return tx.AddView(View{DocumentID: d.ID, RegistrationID: d.RegistrationID, Viewer: v.AccountID, At: s.Clock()})
	})
	if err != nil {
		return Document{}, nil, err
	}
	content, err = s.Files.Open(ctx, document.ID, document.StoredFile)
	return document, content, err
}

// Delete deletes a document of the visitor, while its application takes documents, or once that has ended: its fee went back.
func (s *Service) Delete(ctx context.Context, v admission.Visitor, id string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		d, err := owned(tx, v, id, tx.Document)
		if err != nil { // before anything is locked: session and application come first, as everywhere
			return err
		}
		of, err := tx.Registration(d.RegistrationID)
		if err != nil {
			return err
		}
		if of != nil && of.Refunded {
			_, err = tx.RegistrationForUpdate(of.ID)
		} else {
			_, err = s.registration(tx, v)
		}
		if err != nil {
			return err
		}
		d, err = s.ownDocument(tx, v, id)
		if err != nil {
			return err
		}
		return s.drop(tx, *d)
	})
}

// ownDocument returns a document of the visitor's, locked; who asks for another's is noted.
func (s *Service) ownDocument(tx Tx, v admission.Visitor, id string) (*Document, error) {
	return owned(tx, v, id, tx.DocumentForUpdate)
}

// owned returns a document of the visitor's as find finds it; who asks for another's is noted.
func owned(tx Tx, v admission.Visitor, id string, find func(id string) (*Document, error)) (*Document, error) {
	if !admission.IsID(id) || v.AccountID == "" {
		return nil, notFound()
	}
	d, err := find(id)
	if err != nil || d == nil {
		return nil, errors.Join(err, notFound())
	}
	return d, belongs(tx, v, id, d.RegistrationID)
}

// Submit ends an application: its documents stand, and it is complete. Each that is missing is told at its field; one that
// is still being checked is waited for. named says which document is which, by its id, for who has sent them unnamed; nil:
// they are what they were sent as. What stays unnamed goes.
func (s *Service) Submit(ctx context.Context, v admission.Visitor, named map[Kind]string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		r, err := s.registration(tx, v)
		if err != nil {
			return err
		}
		if named != nil {
			if err := s.name(tx, v, r.ID, named); err != nil {
				return err
			}
		}
		if err := s.dropUnnamed(tx, r.ID); err != nil {
			return err
		}
		documents, err := tx.Documents(r.ID)
		if err != nil {
			return err
		}
		if problem := admission.FormProblem(Missing(documents)); problem != nil {
			return problem
		}
		if err := enrol.Note(tx, r, s.Clock(), enrol.EntryDocumentsSubmitted, ""); err != nil {
			return err
		}
		return r.Move(tx, enrol.StepComplete, s.Clock())
	})
}

// Missing names what an application lacks, each at its field.
func Missing(documents []Document) (faults []forms.Fault) {
	for _, fact := range Kinds {
		d, there := OfKind(documents, fact.Kind)
		switch {
		case !there && fact.Required != "":
			faults = append(faults, forms.Fault{Field: string(fact.Kind), Message: fact.Required})
		case d.Checking:
			faults = append(faults, forms.Fault{Field: string(fact.Kind), Message: fact.Label + " is being checked. Please submit again in a minute."})
		}
	}
	return faults
}

// Sweep forgets uploads whose time is over, and removes bytes that lie there without a row that names them, once they are
// older than any transaction that could still write one.
func (s *Service) Sweep(ctx context.Context, lying func(ctx context.Context, batch int, each func(objects []string) error) error) error {
	for {
		over := 0
		if err := s.Store.Update(ctx, func(tx Tx) error {
			uploads, err := tx.UploadsToForget(s.Clock(), sweepBatch)
			over = len(uploads)
			for _, u := range uploads {
				err = errors.Join(err, s.forget(tx, u))
			}
			return err
		}); err != nil {
			return err
		}
		if over < sweepBatch {
			break
		}
	}
	return lying(ctx, sweepBatch, func(objects []string) error {
		var named map[string]bool
		if err := s.Store.View(ctx, func(tx Tx) (err error) {
			named, err = tx.ObjectsNamed(objects)
			return err
		}); err != nil {
			return err
		}
		for _, object := range objects {
			if !named[object] {
				if err := s.Files.Remove(ctx, object); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

const sweepBatch = 100

// OrphanAge is how old bytes are that no row names before they are taken for left behind.
const OrphanAge = 24 * time.Hour

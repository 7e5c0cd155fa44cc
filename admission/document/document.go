package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/forms"
	"hiresure/paths"
)

const maxNameLetters = 100

// fileName cleans a sender's file name: no folders, no invisible characters, and a length limit. It is displayed and names downloads, but
// is never part of a path on our disks.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // also drops marks that change the writing direction
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "")))
	if letters := []rune(name); len(letters) > maxNameLetters {
		end := path.Ext(name)
		if len(end) > 5 {
			end = ""
		}
		name = string(letters[:maxNameLetters-len(end)]) + end
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return "document"
	}
	return name
}

// extensions are file name extensions by type, the usual one first.
var extensions = map[string][]string{"image/jpeg": {".jpg", ".jpeg"}, "application/pdf": {".pdf"}, "image/png": {".png"}}

// Extension returns the extension of the document's type; "" for an unsupported one.
func (d Document) Extension() string {
	if of := extensions[d.ContentType]; len(of) > 0 {
		return of[0]
	}
	return ""
}

// FileName returns the document's name with the extension of its stored type: pictures are stored as JPEG.
func (d Document) FileName() string {
	if slices.ContainsFunc(extensions[d.ContentType], func(end string) bool { return strings.HasSuffix(strings.ToLower(d.Name), end) }) {
		return d.Name
	}
	if i := strings.LastIndexByte(d.Name, '.'); i > 0 && d.Extension() != "" {
		return d.Name[:i] + d.Extension()
	}
	return d.Name + d.Extension()
}

// Overview is the state of an application's documents.
type Overview struct {
	Documents []Document
	Unnamed   []Document // oldest first
	Uploads   []Upload   // unfinished or refused; the newest of each kind
}

// Overview returns the documents and uploads of a registration of the visitor, including an ended one; "" means the current application.
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
			if !seen && u.State != Accepted {
				all.Uploads = append(all.Uploads, u)
			}
		}
		return err
	})
	return all, err
}

// Open returns a document of the visitor and records the view. The caller closes it. A document being checked is NotFound.
func (s *Service) Open(ctx context.Context, v admission.Visitor, id string) (document Document, content io.ReadCloser, err error) {
	return s.read(ctx, v, id, false)
}

// Thumbnail is Open for a photo embedded in a page of its owner, which is not recorded as a view. It returns photos only to their owner;
// other documents are opened with Open.
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
		if err := s.Access.Take(tx, v, access.RecordedActionLimit("views", v.AccountID)); err != nil {
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

// Delete deletes a document of the visitor while the application accepts documents, or after it ended with a refund.
func (s *Service) Delete(ctx context.Context, v admission.Visitor, id string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		d, err := owned(tx, v, id, tx.Document, Document.registration)
		if err != nil { // checked before other locks: session and application are always locked first
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

// ownDocument returns a document of the visitor, locked; it logs access to another's.
func (s *Service) ownDocument(tx Tx, v admission.Visitor, id string) (*Document, error) {
	return owned(tx, v, id, tx.DocumentForUpdate, Document.registration)
}

func (d Document) registration() string { return d.RegistrationID }

// Submit completes an application. It returns a Problem for each missing document, and for one still being checked. named gives the kinds of
// unnamed documents, by id; nil keeps the kinds of the uploads. Documents left unnamed are deleted.
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
		if err := r.Move(tx, enrol.StepComplete, s.Clock()); err != nil {
			return err
		}
		return s.notifySubmitted(tx, r, documents)
	})
}

// notifySubmitted mails the applicant which documents we have, and by when we answer.
func (s *Service) notifySubmitted(tx Tx, r *enrol.Registration, documents []Document) error {
	event, known := s.Events.EventByCode(r.EventCode)
	if !known {
		return fmt.Errorf("submit documents: registration %s has no event %q", r.ID, r.EventCode)
	}
	var labels []string
	for _, fact := range Kinds {
		if _, there := OfKind(documents, fact.Kind); there {
			labels = append(labels, fact.Label)
		}
	}
	return s.Messages.Send(tx, message.Message{
		Cause: "documents:" + r.ID + ":" + admission.NewID(), Channel: message.Email, To: r.Email, Template: "documents-submitted",
		Params: map[string]string{
			"Name": r.FullName, "Documents": strings.Join(labels, ", "), "AnswerBy": admission.LongDate(event.AnswerOn(s.Clock())),
			"RegistrationURL": s.BaseURL + paths.Registrations,
		},
	})
}

// Missing returns a fault for each missing document, at its field.
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

// Sweep deletes expired uploads, and stored objects without a row once they are older than any transaction that could still insert it.
func (s *Service) Sweep(ctx context.Context, lying func(ctx context.Context, batch int, each func(objects []string) error) error) error {
	for {
		over := 0
		if err := s.Store.Update(ctx, func(tx Tx) error {
			uploads, err := tx.ExpiredUploads(s.Clock(), sweepBatch)
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

// OrphanAge is the age at which an object without a row is deleted.
const OrphanAge = 24 * time.Hour

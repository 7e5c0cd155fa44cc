package business_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
)

// keepFile sends a file without announcing it, like a form without scripts.
func (p *person) keepFile(kind document.Kind, r io.Reader) (document.Upload, error) {
	return p.Document.UploadFile(p.ctx, p.Visitor, document.NewFile{Kind: kind, Name: string(kind) + ".pdf"}, r)
}

func TestKeepFileWithoutAnnouncement(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		u, err := p.keepFile(document.Marksheet, strings.NewReader("a marksheet"))
		w.must(err)
		equal(t, "the upload", fmt.Sprintf("%s %d", u.State, u.Size), "kept 11")
		equal(t, "the document", p.openDocument(u.DocumentID), "a marksheet")
		half, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Marksheet, "another marksheet"))
		w.must(err)
		u, err = p.keepFile(document.Marksheet, strings.NewReader("a newer marksheet"))
		w.must(err)
		equal(t, "it takes the place of the one before", p.openDocument(u.DocumentID), "a newer marksheet")
		_, err = p.Document.Status(p.ctx, p.Visitor, half.ID)
		expectProblem(t, err, admission.NotFound, "", "Document not found.")
		w.runJobs()
		equal(t, "what lies in the storage", len(w.files.objects()), 1)
	})
}

func TestKeepRejectedFileStoresNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		for _, row := range []struct {
			sentence string
			kind     document.Kind
			content  string
			refusal  string
		}{
			{"nothing is in it", document.Photo, "", "The selected file is empty. Please choose another one, or take another one."},
			{"a photo is too large", document.Photo, strings.Repeat("x", document.MaxBytes+1), "Photo must be less than or equal to 2MB"},
			{"a certificate is too large", document.IncomeCertificate, strings.Repeat("x", document.MaxBytes+1), "Certification must be less than or equal to 2MB"},
			{"it is as large as may be", document.IDProof, strings.Repeat("x", document.MaxBytes), ""},
		} {
			u, err := p.keepFile(row.kind, strings.NewReader(row.content))
			w.must(err)
			equal(t, row.sentence, u.Refusal, row.refusal)
		}
		all, err := p.Document.Overview(p.ctx, p.Visitor, "")
		w.must(err)
		equal(t, "what stands", fmt.Sprint(len(all.Documents), len(all.Uploads)), "1 2")

		cut := errors.New("the connection is cut")
		_, err = p.keepFile(document.Marksheet, io.MultiReader(strings.NewReader("half of"), iotest.ErrReader(cut)))
		equal(t, "what is told of a cut", errors.Is(err, cut), true)
		w.inspector.fails = errors.New("the inspector crashed")
		u, err := p.keepFile(document.Marksheet, strings.NewReader("a marksheet"))
		equal(t, "what is told of a fault of ours", errors.Is(err, w.inspector.fails), true)
		equal(t, "it is here", string(u.State), "whole")
		w.inspector.fails = nil
		w.clock.Pass(time.Minute)
		w.runJobs()
		u, err = p.Document.Status(p.ctx, p.Visitor, u.ID)
		w.must(err)
		equal(t, "and judged later", string(u.State), "kept")
		w.runJobs()
		equal(t, "what lies in the storage", len(w.files.objects()), 2)
	})
}

// fullFiles is a storage with room for a number of files.
type fullFiles struct {
	admission.Files
	room int
}

func (f *fullFiles) Put(ctx context.Context, id string, r io.Reader) (admission.StoredFile, error) {
	if f.room--; f.room < 0 {
		_, _ = io.CopyN(io.Discard, r, 3)
		return admission.StoredFile{}, admission.ErrStorageFull
	}
	return f.Files.Put(ctx, id, r)
}

func TestFullStorageStoresNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		for room, sentence := range []string{"what was sent has no room", "what is kept of it has none"} {
			w.Document.Files = &fullFiles{w.files, room}
			_, err := p.keepFile(document.Marksheet, strings.NewReader("a marksheet"))
			equal(t, sentence, errors.Is(err, admission.ErrStorageFull), true)
			all, err := p.Document.Overview(p.ctx, p.Visitor, "")
			w.must(err)
			equal(t, "what stands", fmt.Sprint(len(all.Documents), len(all.Uploads)), "0 0")
			w.runJobs()
			equal(t, "what lies in the storage", len(w.files.objects()), 0)
		}
	})
}

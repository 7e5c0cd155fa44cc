package document_test

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
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
)

func TestKeepFileWithoutAnnouncement(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		u, err := p.UploadWhole(document.Marksheet, strings.NewReader("a marksheet"))
		w.Must(err)
		businesstest.Equal(t, "the upload", fmt.Sprintf("%s %d", u.State, u.Size), "kept 11")
		businesstest.Equal(t, "the document", p.OpenDocument(u.DocumentID), "a marksheet")
		half, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Marksheet, "another marksheet"))
		w.Must(err)
		u, err = p.UploadWhole(document.Marksheet, strings.NewReader("a newer marksheet"))
		w.Must(err)
		businesstest.Equal(t, "it takes the place of the one before", p.OpenDocument(u.DocumentID), "a newer marksheet")
		_, err = p.Document.Status(p.Ctx, p.Visitor, half.ID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Document not found.")
		w.RunJobs()
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 1)
	})
}

func TestKeepRejectedFileStoresNothing(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
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
			u, err := p.UploadWhole(row.kind, strings.NewReader(row.content))
			w.Must(err)
			businesstest.Equal(t, row.sentence, u.Refusal, row.refusal)
		}
		all, err := p.Document.Overview(p.Ctx, p.Visitor, "")
		w.Must(err)
		businesstest.Equal(t, "what stands", fmt.Sprint(len(all.Documents), len(all.Uploads)), "1 2")

		cut := errors.New("the connection is cut")
		_, err = p.UploadWhole(document.Marksheet, io.MultiReader(strings.NewReader("half of"), iotest.ErrReader(cut)))
		businesstest.Equal(t, "what is told of a cut", errors.Is(err, cut), true)
		w.Inspector.Fails = errors.New("the inspector crashed")
		u, err := p.UploadWhole(document.Marksheet, strings.NewReader("a marksheet"))
		businesstest.Equal(t, "what is told of a fault of ours", errors.Is(err, w.Inspector.Fails), true)
		businesstest.Equal(t, "it is here", string(u.State), "whole")
		w.Inspector.Fails = nil
		w.Clock.Pass(time.Minute)
		w.RunJobs()
		u, err = p.Document.Status(p.Ctx, p.Visitor, u.ID)
		w.Must(err)
		businesstest.Equal(t, "and judged later", string(u.State), "kept")
		w.RunJobs()
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 2)
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
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		for room, sentence := range []string{"what was sent has no room", "what is kept of it has none"} {
			w.Document.Files = &fullFiles{w.Files, room}
			_, err := p.UploadWhole(document.Marksheet, strings.NewReader("a marksheet"))
			businesstest.Equal(t, sentence, errors.Is(err, admission.ErrStorageFull), true)
			all, err := p.Document.Overview(p.Ctx, p.Visitor, "")
			w.Must(err)
			businesstest.Equal(t, "what stands", fmt.Sprint(len(all.Documents), len(all.Uploads)), "0 0")
			w.RunJobs()
			businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 0)
		}
	})
}

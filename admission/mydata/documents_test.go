package mydata_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
)

// exportFiles returns the files of the person's finished export.
func exportFiles(p *businesstest.Person) map[string]string {
	p.T.Helper()
	p.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
	p.RunJobs()
	e, err := p.MyData.OpenExport(p.Ctx, p.Visitor, overview(p).Export.ID)
	p.Must(err)
	var file bytes.Buffer
	p.Must(p.MyData.WriteExport(p.Ctx, e, &file))
	return unpacked(p.T, file.Bytes())
}

func TestExportContainsDocuments(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		stranger := w.PaidApplication()
		stranger.Upload(document.Photo, "a stranger's photo", 100)
		p := w.PaidApplication()
		w.Scanner.Down = errors.New("clamd is away")
		p.Upload(document.IDProof, "an id", 100)
		w.Scanner.Down = nil
		p.Upload(document.Photo, "a photo", 100)
		paper := strings.Repeat("a marksheet, ", 10_000)
		p.Upload(document.Marksheet, paper, 1<<20)
		_, err := p.UploadWhole(document.Unnamed, strings.NewReader("what nobody has named"))
		w.Must(err)
		held := exportFiles(p)
		businesstest.Same(t, "files in it", slices.Sorted(maps.Keys(held)), []string{
			"answers.json", "documents/Document.pdf", "documents/Last Academic Marksheet.pdf", "documents/Passport photo.jpg", "index.html", "messages.json", "money.json", "yes-no.json", "you.json",
		})
		businesstest.Equal(t, "the photo", held["documents/Passport photo.jpg"], "a photo")
		businesstest.Equal(t, "the marksheet", held["documents/Last Academic Marksheet.pdf"] == paper, true)
		businesstest.Equal(t, "the unnamed one", held["documents/Document.pdf"], "what nobody has named")
		for name, wanted := range map[string][]string{
			"answers.json": {`"file": "documents/Passport photo.jpg"`, `"file": "It is being checked, and not in this file. Ask for another file once it is."`, `"name": "idProof.pdf"`},
			"index.html":   {`<a href="documents/Last%20Academic%20Marksheet.pdf">documents/Last Academic Marksheet.pdf</a>`, "It is being checked, and not in this file."},
		} {
			for _, text := range wanted {
				if !strings.Contains(held[name], text) {
					t.Errorf("%s has no %q:\n%s", name, text, held[name])
				}
			}
		}
		for name, text := range held {
			if text == "an id" || strings.Contains(text, "a stranger's photo") || strings.Contains(text, "file_key") {
				t.Errorf("%s tells what it must not", name)
			}
		}
		w.Clock.Pass(time.Minute)
		w.RunJobs() // clamd has answered
		w.Clock.Pass(24 * time.Hour)
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		businesstest.Equal(t, "once it is checked", exportFiles(p)["documents/Student ID.pdf"], "an id")
	})
}

func TestExportFailsWithoutDocument(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		p.Upload(document.Photo, "a photo", 100)
		w.RunJobs()
		for _, object := range w.Files.Objects() {
			w.Must(w.Files.Remove(w.Ctx, object)) // the storage has lost it
		}
		w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
		asked := overview(p).Export
		err := p.MyData.BuildExport(p.Ctx, asked.ID)
		businesstest.Equal(t, "what is lost", errors.Is(err, fs.ErrNotExist), true)
		businesstest.Equal(t, "it is tried again", overview(p).Export.UnderWay(), true)
	})
}

func TestDeletionRemovesFiles(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		p.Upload(document.Photo, "a photo", 100)
		gone := p.Upload(document.IDProof, "an id", 100)
		_, err := p.UploadWhole(document.Unnamed, strings.NewReader("unnamed"))
		w.Must(err)
		half, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Marksheet, "a marksheet"))
		w.Must(err)
		writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, half.ID, 0)
		w.Must(err)
		_, err = p.Document.Append(p.Ctx, half.ID, writer, 0, strings.NewReader("a mark"))
		w.Must(err)
		w.RunJobs()
		businesstest.Equal(t, "what lies there", len(w.Files.Objects()), 4)
		w.Must(p.Document.Delete(p.Ctx, p.Visitor, gone.DocumentID))
		businesstest.Equal(t, "keys of a deleted one", w.Count("documents WHERE id = $1", gone.DocumentID), 0)
		w.RunJobs()
		businesstest.Equal(t, "what lies there without it", len(w.Files.Objects()), 3)

		stays := w.PaidApplication()
		kept := stays.Upload(document.Photo, "another's photo", 100)
		w.Clock.Pass(7 * 24 * time.Hour) // what was paid is settled
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		w.Advance(7*24*time.Hour + time.Second)
		w.RunJobs()
		businesstest.Equal(t, "accounts", w.Count("accounts WHERE id = $1", p.AccountID), 0)
		businesstest.Equal(t, "what lies there", len(w.Files.Objects()), 1)
		businesstest.Equal(t, "rows with a key", w.Count("documents")+w.Count("upload_pieces"), 1)
		businesstest.Equal(t, "another's", stays.OpenDocument(kept.DocumentID), "another's photo")
	})
}

func TestNameDocumentsOnSubmit(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.PaidApplication(), w.PaidApplication()
		sent := func(who *businesstest.Person, content string) string {
			u, err := who.UploadWhole(document.Unnamed, strings.NewReader(content))
			w.Must(err)
			w.Clock.Pass(time.Second)
			return u.DocumentID
		}
		page := p.Upload(document.Photo, "a photo", 100).DocumentID
		lost, id, marks := sent(p, "lost"), sent(p, "an id"), sent(p, "marks")
		named := map[document.Kind]string{document.Photo: page, document.IDProof: id, document.Marksheet: marks}
		businesstest.ExpectProblem(t, other.Document.Submit(other.Ctx, other.Visitor, named), admission.NotFound, "", "Document not found.")
		named[document.Photo] = marks // a PDF
		businesstest.ExpectProblem(t, p.Document.Submit(p.Ctx, p.Visitor, named), admission.Invalid, "photo", "Only JPG, JPEG, or PNG files are allowed")
		businesstest.ExpectProblem(t, p.Document.Submit(p.Ctx, p.Visitor, nil), admission.Invalid, "idProof", "ID Proof is required")
		businesstest.Same(t, "after what was refused", w.Texts("SELECT id FROM documents WHERE kind = '' ORDER BY stored_at"), []string{lost, id, marks})
		newest := sent(p, "a newer one") // the fifth
		businesstest.Same(t, "the oldest made way", w.Texts("SELECT id FROM documents WHERE kind = '' ORDER BY stored_at"), []string{id, marks, newest})
		named[document.Photo] = page
		w.Must(p.Document.Submit(p.Ctx, p.Visitor, named))
		p.ExpectStep(enrol.StepComplete)
		businesstest.Same(t, "what stands", w.Texts("SELECT id FROM documents WHERE registration_id = '"+p.RegistrationID+"' ORDER BY kind"), []string{id, marks, page})
		w.RunJobs()
		businesstest.Equal(t, "what lies there", len(w.Files.Objects()), 3)
	})
}

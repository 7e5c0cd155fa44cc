package business_test

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
	"hiresure/admission/document"
	"hiresure/admission/enrol"
)

// exportFiles returns the files of the person's finished export.
func (p *person) exportFiles() map[string]string {
	p.t.Helper()
	p.must(p.MyData.RequestExport(p.ctx, p.Visitor))
	p.runJobs()
	e, err := p.MyData.OpenExport(p.ctx, p.Visitor, p.overview().Export.ID)
	p.must(err)
	var file bytes.Buffer
	p.must(p.MyData.WriteExport(p.ctx, e, &file))
	return unpacked(p.t, file.Bytes())
}

func TestExportContainsDocuments(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		stranger := w.paidApplication()
		stranger.upload(document.Photo, "a stranger's photo", 100)
		p := w.paidApplication()
		w.scanner.away = errors.New("clamd is away")
		p.upload(document.IDProof, "an id", 100)
		w.scanner.away = nil
		p.upload(document.Photo, "a photo", 100)
		paper := strings.Repeat("a marksheet, ", 10_000)
		p.upload(document.Marksheet, paper, 1<<20)
		_, err := p.keepFile(document.Unnamed, strings.NewReader("what nobody has named"))
		w.must(err)
		held := p.exportFiles()
		same(t, "files in it", slices.Sorted(maps.Keys(held)), []string{
			"answers.json", "documents/Document.pdf", "documents/Last Academic Marksheet.pdf", "documents/Passport photo.jpg", "index.html", "messages.json", "money.json", "yes-no.json", "you.json",
		})
		equal(t, "the photo", held["documents/Passport photo.jpg"], "a photo")
		equal(t, "the marksheet", held["documents/Last Academic Marksheet.pdf"] == paper, true)
		equal(t, "the unnamed one", held["documents/Document.pdf"], "what nobody has named")
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
		w.clock.Pass(time.Minute)
		w.runJobs() // clamd has answered
		w.clock.Pass(24 * time.Hour)
		_, err = p.signIn(p.phone)
		w.must(err)
		equal(t, "once it is checked", p.exportFiles()["documents/Student ID.pdf"], "an id")
	})
}

func TestExportFailsWithoutDocument(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		p.upload(document.Photo, "a photo", 100)
		w.runJobs()
		for _, object := range w.files.objects() {
			w.must(w.files.Remove(w.ctx, object)) // the storage has lost it
		}
		w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
		asked := p.overview().Export
		err := p.MyData.BuildExport(p.ctx, asked.ID)
		equal(t, "what is lost", errors.Is(err, fs.ErrNotExist), true)
		equal(t, "it is tried again", p.overview().Export.UnderWay(), true)
	})
}

func TestDeletionRemovesFiles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		p.upload(document.Photo, "a photo", 100)
		gone := p.upload(document.IDProof, "an id", 100)
		_, err := p.keepFile(document.Unnamed, strings.NewReader("unnamed"))
		w.must(err)
		half, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Marksheet, "a marksheet"))
		w.must(err)
		writer, err := p.Document.StartPiece(p.ctx, p.Visitor, half.ID, 0)
		w.must(err)
		_, err = p.Document.Append(p.ctx, half.ID, writer, 0, strings.NewReader("a mark"))
		w.must(err)
		w.runJobs()
		equal(t, "what lies there", len(w.files.objects()), 4)
		w.must(p.Document.Delete(p.ctx, p.Visitor, gone.DocumentID))
		equal(t, "keys of a deleted one", w.count("documents WHERE id = $1", gone.DocumentID), 0)
		w.runJobs()
		equal(t, "what lies there without it", len(w.files.objects()), 3)

		stays := w.paidApplication()
		kept := stays.upload(document.Photo, "another's photo", 100)
		w.clock.Pass(7 * 24 * time.Hour) // what was paid is settled
		_, err = p.signIn(p.phone)
		w.must(err)
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		w.advance(7*24*time.Hour + time.Second)
		w.runJobs()
		equal(t, "accounts", w.count("accounts WHERE id = $1", p.AccountID), 0)
		equal(t, "what lies there", len(w.files.objects()), 1)
		equal(t, "rows with a key", w.count("documents")+w.count("upload_pieces"), 1)
		equal(t, "another's", stays.openDocument(kept.DocumentID), "another's photo")
	})
}

func TestNameDocumentsOnSubmit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, other := w.paidApplication(), w.paidApplication()
		sent := func(who *person, content string) string {
			u, err := who.keepFile(document.Unnamed, strings.NewReader(content))
			w.must(err)
			w.clock.Pass(time.Second)
			return u.DocumentID
		}
		page := p.upload(document.Photo, "a photo", 100).DocumentID
		lost, id, marks := sent(p, "lost"), sent(p, "an id"), sent(p, "marks")
		named := map[document.Kind]string{document.Photo: page, document.IDProof: id, document.Marksheet: marks}
		expectProblem(t, other.Document.Submit(other.ctx, other.Visitor, named), admission.NotFound, "", "Document not found.")
		named[document.Photo] = marks // a PDF
		expectProblem(t, p.Document.Submit(p.ctx, p.Visitor, named), admission.Invalid, "photo", "Only JPG, JPEG, or PNG files are allowed")
		expectProblem(t, p.Document.Submit(p.ctx, p.Visitor, nil), admission.Invalid, "idProof", "ID Proof is required")
		same(t, "after what was refused", w.texts("SELECT id FROM documents WHERE kind = '' ORDER BY stored_at"), []string{lost, id, marks})
		newest := sent(p, "a newer one") // the fifth
		same(t, "the oldest made way", w.texts("SELECT id FROM documents WHERE kind = '' ORDER BY stored_at"), []string{id, marks, newest})
		named[document.Photo] = page
		w.must(p.Document.Submit(p.ctx, p.Visitor, named))
		p.expectStep(enrol.StepComplete)
		same(t, "what stands", w.texts("SELECT id FROM documents WHERE registration_id = '"+p.registration+"' ORDER BY kind"), []string{id, marks, page})
		w.runJobs()
		equal(t, "what lies there", len(w.files.objects()), 3)
	})
}

package business_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
)

// paidApplication returns an applicant at the documents step, with real storage.
func (w *world) paidApplication() *person {
	p := w.applicantAt(enrol.StepPaid)
	return p
}

func newFile(kind document.Kind, content string) document.NewFile {
	sum := sha256.Sum256([]byte(content))
	return document.NewFile{Kind: kind, Name: string(kind) + ".pdf", Type: "application/pdf", Size: int64(len(content)), Hash: hex.EncodeToString(sum[:])}
}

// upload uploads a file in pieces of a size and returns the resulting upload.
func (p *person) upload(kind document.Kind, content string, piece int) document.Upload {
	p.t.Helper()
	u, err := p.Document.Begin(p.ctx, p.Visitor, newFile(kind, content))
	p.must(err)
	writer, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, u.Received)
	p.must(err)
	for u.State == document.Receiving {
		next := content[u.Received:min(int(u.Received)+piece, len(content))]
		u, err = p.Document.Append(p.ctx, u.ID, writer, u.Received, strings.NewReader(next))
		p.must(err)
	}
	p.must(p.Document.Judge(p.ctx, u.ID))
	u, err = p.Document.Status(p.ctx, p.Visitor, u.ID)
	p.must(err)
	return u
}

func (p *person) openDocument(id string) string {
	p.t.Helper()
	_, content, err := p.Document.Open(p.ctx, p.Visitor, id)
	p.must(err)
	defer content.Close()
	all, err := io.ReadAll(content)
	p.must(err)
	return string(all)
}

func TestUploadInPieces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		paper := strings.Repeat("a marksheet, ", 10_000)
		u := p.upload(document.Marksheet, paper, 50_000)
		equal(t, "the upload", string(u.State)+" "+u.Refusal, "kept ")
		equal(t, "the document", p.openDocument(u.DocumentID) == paper, true)
		all, err := p.Document.Overview(p.ctx, p.Visitor, "")
		w.must(err)
		equal(t, "the overview", fmt.Sprintf("%d %s %d %d", len(all.Documents), all.Documents[0].Name, all.Documents[0].Size, len(all.Uploads)), fmt.Sprintf("1 marksheet.pdf %d 0", len(paper)))
		w.runJobs()
		equal(t, "what lies in the storage", len(w.files.objects()), 1)

		again := p.upload(document.Marksheet, "another marksheet", 50_000)
		equal(t, "the new one", p.openDocument(again.DocumentID), "another marksheet")
		_, _, err = p.Document.Open(p.ctx, p.Visitor, u.DocumentID)
		expectProblem(t, err, admission.NotFound, "", "Document not found.")
		w.runJobs()
		equal(t, "the one before is gone", len(w.files.objects()), 1)
		w.must(p.Document.Delete(p.ctx, p.Visitor, again.DocumentID))
		w.runJobs()
		equal(t, "and so is a deleted one", len(w.files.objects()), 0)
	})
}

func TestUploadResumes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		const paper = "the first half, the other half"
		u, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.IDProof, paper))
		w.must(err)
		older, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, 0)
		w.must(err)
		u, err = p.Document.Append(p.ctx, u.ID, older, 0, strings.NewReader(paper[:10]))
		w.must(err)

		same, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.IDProof, paper)) // in another tab
		w.must(err)
		equal(t, "it is the same upload", same.ID == u.ID && same.Received == 10, true)
		newer, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, 10)
		w.must(err)
		_, err = p.Document.Append(p.ctx, u.ID, older, 10, strings.NewReader(paper[10:20]))
		expectProblem(t, err, admission.Conflict, "", "This upload goes on in another tab or on another device.")
		_, err = p.Document.StartPiece(p.ctx, p.Visitor, u.ID, 20)
		expectProblem(t, err, admission.Conflict, "", "This is not the file whose upload began here. Please choose it again.")
		_, err = p.Document.Append(p.ctx, u.ID, newer, 10, strings.NewReader(paper[10:]+"!"))
		expectProblem(t, err, admission.Conflict, "", "This is not the file whose upload began here. Please choose it again.")
		u, err = p.Document.Append(p.ctx, u.ID, newer, 10, strings.NewReader(paper[10:]))
		w.must(err)
		w.must(p.Document.Judge(p.ctx, u.ID))
		u, err = p.Document.Status(p.ctx, p.Visitor, u.ID)
		w.must(err)
		equal(t, "it is whole", p.openDocument(u.DocumentID), paper)
		w.runJobs()
		equal(t, "nothing else lies there", len(w.files.objects()), 1)
	})
}

// Each piece is a file and a row, so their number is limited.
func TestUploadWithTooManyPiecesIsDeleted(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		const most = 500
		p := w.paidApplication()
		file := newFile(document.IDProof, strings.Repeat("x", most+1))
		u, err := p.Document.Begin(p.ctx, p.Visitor, file)
		w.must(err)
		for u.Received < most {
			writer, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, u.Received)
			w.must(err)
			u, err = p.Document.Append(p.ctx, u.ID, writer, u.Received, strings.NewReader("x"))
			w.must(err)
		}
		_, err = p.Document.StartPiece(p.ctx, p.Visitor, u.ID, u.Received)
		expectProblem(t, err, admission.NotFound, "", "Document not found.")
		w.runJobs()
		equal(t, "what lies in the storage", len(w.files.objects()), 0)
		equal(t, "pieces", w.count("upload_pieces"), 0)
		again, err := p.Document.Begin(p.ctx, p.Visitor, file)
		w.must(err)
		equal(t, "it begins anew", again.ID != u.ID && again.Received == 0, true)
	})
}

// Each view is stored permanently.
func TestDailyViewLimit(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.paidApplication()
		u := p.upload(document.Photo, "a face", 100)
		for range 100 {
			equal(t, "it opens", p.openDocument(u.DocumentID), "a face")
		}
		_, _, err := p.Document.Open(p.ctx, p.Visitor, u.DocumentID)
		expectProblem(t, err, admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		_, content, err := p.Document.Thumbnail(p.ctx, p.Visitor, u.DocumentID)
		w.must(err)
		w.must(content.Close())
		equal(t, "views", w.count("document_views"), 100)
		w.clock.Pass(24 * time.Hour)
		equal(t, "the day after it opens", p.openDocument(u.DocumentID), "a face")
	})
}

func TestUploadRejectsOtherFile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		u, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Photo, "one photo"))
		w.must(err)
		writer, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, 0)
		w.must(err)
		_, err = p.Document.Append(p.ctx, u.ID, writer, 0, strings.NewReader("one"))
		w.must(err)
		other, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Photo, "two photo"))
		w.must(err)
		equal(t, "another file begins anew", other.ID != u.ID && other.Received == 0, true)
		_, err = p.Document.Append(p.ctx, u.ID, writer, 3, strings.NewReader(" photo"))
		expectProblem(t, err, admission.NotFound, "", "Document not found.")
		writer, err = p.Document.StartPiece(p.ctx, p.Visitor, other.ID, 0)
		w.must(err)
		other, err = p.Document.Append(p.ctx, other.ID, writer, 0, strings.NewReader("one photo")) // as long, and another
		w.must(err)
		w.must(p.Document.Judge(p.ctx, other.ID))
		other, err = p.Document.Status(p.ctx, p.Visitor, other.ID)
		w.must(err)
		equal(t, "what came is not what was promised", string(other.State)+": "+other.Refusal, "refused: The file did not arrive as it was sent. Please send it once more.")
		w.runJobs()
		equal(t, "nothing of either is kept", len(w.files.objects()), 0)
	})
}

func TestRefusedFileIsNotStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		w.inspector.refuses = "This PDF asks for a password."
		u := p.upload(document.Marksheet, "locked", 100)
		equal(t, "refused", string(u.State)+": "+u.Refusal, "refused: This PDF asks for a password.")
		w.runJobs()
		equal(t, "what lies there", len(w.files.objects()), 0)

		w.inspector.refuses, w.inspector.fails = "", errors.New("the inspector crashed")
		u, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Marksheet, "good"))
		w.must(err)
		writer, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, 0)
		w.must(err)
		_, err = p.Document.Append(p.ctx, u.ID, writer, 0, strings.NewReader("good"))
		w.must(err)
		if err := p.Document.Judge(p.ctx, u.ID); !errors.Is(err, w.inspector.fails) {
			t.Errorf("a fault of ours is %v", err)
		}
		w.inspector.fails = nil
		w.must(p.Document.Judge(p.ctx, u.ID)) // another worker has the lease
		u, err = p.Document.Status(p.ctx, p.Visitor, u.ID)
		w.must(err)
		equal(t, "nothing is decided", string(u.State), "whole")
		w.clock.Pass(time.Minute)
		w.runJobs()
		u, err = p.Document.Status(p.ctx, p.Visitor, u.ID)
		w.must(err)
		equal(t, "its job judges it", string(u.State), "kept")
	})
}

func TestDocumentBeingCheckedCannotBeOpened(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		w.scanner.away = errors.New("clamd is away")
		u := p.upload(document.Marksheet, "a marksheet", 100)
		equal(t, "kept", string(u.State), "kept")
		_, _, err := p.Document.Open(p.ctx, p.Visitor, u.DocumentID)
		expectProblem(t, err, admission.Conflict, "", "marksheet.pdf is being checked. Please try again in a minute.")
		p.upload(document.Photo, "a photo", 100)
		p.upload(document.IDProof, "an id", 100)
		err = p.Document.Submit(p.ctx, p.Visitor, nil)
		equal(t, "submitted", err.Error(), "invalid: Passport photo is being checked. Please submit again in a minute.")
		equal(t, "each is named", len(admission.AsProblem(err).Faults), 3)
		w.scanner.away = nil
		w.clock.Pass(time.Minute)
		w.runJobs()
		equal(t, "clamd is back", p.openDocument(u.DocumentID), "a marksheet")

		w.scanner.harm = "harm"
		u = p.upload(document.Marksheet, "harm", 100)
		equal(t, "harm", string(u.State)+": "+u.Refusal, "refused: This file was refused because it may do harm. Please send another one, such as a photo of the paper.")
		equal(t, "an alert", slices.Contains(w.alerts.all(), "a harmful file was uploaded"), true)
	})
}

func TestSubmitRequiresAllDocuments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		err := p.Document.Submit(p.ctx, p.Visitor, nil)
		equal(t, "nothing is there", fmt.Sprint(admission.AsProblem(err).Errors()), "map[idProof:ID Proof is required marksheet:Marksheet is required photo:Photo is required]")
		p.upload(document.Photo, "a photo", 100)
		p.upload(document.IDProof, "an id", 100)
		paper := p.upload(document.Marksheet, "a marksheet", 100)
		w.must(p.Document.Submit(p.ctx, p.Visitor, nil))
		p.expectStep(enrol.StepComplete)
		const stands = "You cannot modify the previous details now. Contact support for further help."
		expectProblem(t, p.Document.Submit(p.ctx, p.Visitor, nil), admission.Conflict, "", stands)
		expectProblem(t, p.Document.Delete(p.ctx, p.Visitor, paper.DocumentID), admission.Conflict, "", stands)
		_, err = p.Document.Begin(p.ctx, p.Visitor, newFile(document.Photo, "another"))
		expectProblem(t, err, admission.Conflict, "", stands)
		equal(t, "its owner reads it on", p.openDocument(paper.DocumentID), "a marksheet")
	})
}

func TestDocumentOfAnotherPersonIsNotFound(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		kept := p.upload(document.Photo, "a photo", 100)
		open, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Marksheet, "a marksheet"))
		w.must(err)
		other := w.paidApplication()
		for sentence, try := range map[string]func(v admission.Visitor) error{
			"opens":   func(v admission.Visitor) error { _, _, err := p.Document.Open(p.ctx, v, kept.DocumentID); return err },
			"deletes": func(v admission.Visitor) error { return p.Document.Delete(p.ctx, v, kept.DocumentID) },
			"asks":    func(v admission.Visitor) error { _, err := p.Document.Status(p.ctx, v, open.ID); return err },
			"goes on": func(v admission.Visitor) error { _, err := p.Document.StartPiece(p.ctx, v, open.ID, 0); return err },
			"cancels": func(v admission.Visitor) error { return p.Document.Cancel(p.ctx, v, open.ID) },
		} {
			for who, v := range map[string]admission.Visitor{"another": other.Visitor, "a stranger": {}} {
				if problem := admission.AsProblem(try(v)); problem == nil || problem.Kind != admission.NotFound || problem.Message != "Document not found." {
					t.Errorf("%s %s: %v", who, sentence, problem)
				}
			}
		}
		equal(t, "nothing happened to it", p.openDocument(kept.DocumentID), "a photo")
	})
}

func TestSweepDeletesOrphans(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		kept := p.upload(document.Photo, "a photo", 100)
		u, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Marksheet, "a marksheet"))
		w.must(err)
		writer, err := p.Document.StartPiece(p.ctx, p.Visitor, u.ID, 0)
		w.must(err)
		_, err = p.Document.Append(p.ctx, u.ID, writer, 0, strings.NewReader("a mark"))
		w.must(err)
		_, err = w.files.Put(p.ctx, "nobody", strings.NewReader("left behind"))
		w.must(err)
		sweep := func() {
			w.must(w.Document.Sweep(p.ctx, func(_ context.Context, _ int, each func([]string) error) error { return each(w.files.objects()) }))
			w.runJobs()
		}
		sweep()
		equal(t, "what is named stays", len(w.files.objects()), 2)
		w.clock.Pass(24 * time.Hour)
		sweep()
		equal(t, "an upload that nobody goes on with goes", len(w.files.objects()), 1)
		_, err = p.Document.Status(p.ctx, p.Visitor, u.ID)
		expectProblem(t, err, admission.NotFound, "", "Document not found.")
		equal(t, "a document stays", p.openDocument(kept.DocumentID), "a photo")
	})
}

func TestUploadAfterSubmitIsRejected(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		for _, kind := range []document.Kind{document.Photo, document.IDProof, document.Marksheet} {
			p.upload(kind, "a paper", 100)
		}
		another, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Photo, "another photo"))
		w.must(err)
		writer, err := p.Document.StartPiece(p.ctx, p.Visitor, another.ID, 0)
		w.must(err)
		w.must(p.Document.Submit(p.ctx, p.Visitor, nil))
		const stands = "You cannot modify the previous details now. Contact support for further help."
		_, err = p.Document.StartPiece(p.ctx, p.Visitor, another.ID, 0)
		expectProblem(t, err, admission.Conflict, "", stands)
		_, err = p.Document.Append(p.ctx, another.ID, writer, 0, strings.NewReader("another photo")) // by an earlier writer
		w.must(err)
		w.must(p.Document.Judge(p.ctx, another.ID))
		another, err = p.Document.Status(p.ctx, p.Visitor, another.ID)
		w.must(err)
		equal(t, "what has become of it", string(another.State)+": "+another.Refusal, "refused: "+stands)
		all, err := p.Document.Overview(p.ctx, p.Visitor, "")
		w.must(err)
		photo, _ := document.OfKind(all.Documents, document.Photo)
		equal(t, "the photo that was submitted", p.openDocument(photo.ID), "a paper")
		w.runJobs()
		equal(t, "what lies in the storage", len(w.files.objects()), 3)
	})
}

func TestMalwareFoundLater(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		w.scanner.away = errors.New("clamd is away")
		u := p.upload(document.Marksheet, "harm", 100)
		equal(t, "kept for the moment", string(u.State), "kept")
		w.scanner.away, w.scanner.harm = nil, "harm"
		w.clock.Pass(time.Minute)
		w.runJobs()
		all, err := p.Document.Overview(p.ctx, p.Visitor, "")
		w.must(err)
		equal(t, "documents", len(all.Documents), 0)
		equal(t, "its upload", string(all.Uploads[0].State)+": "+all.Uploads[0].Refusal+all.Uploads[0].DocumentID, "refused: This file was refused because it may do harm. Please send another one, such as a photo of the paper.")
		equal(t, "what lies in the storage", len(w.files.objects()), 0)
	})
}

package document_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
)

func TestUploadInPieces(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		paper := strings.Repeat("a marksheet, ", 10_000)
		u := p.Upload(document.Marksheet, paper, 50_000)
		businesstest.Equal(t, "the upload", string(u.State)+" "+u.Refusal, "kept ")
		businesstest.Equal(t, "the document", p.OpenDocument(u.DocumentID) == paper, true)
		all, err := p.Document.Overview(p.Ctx, p.Visitor, "")
		w.Must(err)
		businesstest.Equal(t, "the overview", fmt.Sprintf("%d %s %d %d", len(all.Documents), all.Documents[0].Name, all.Documents[0].Size, len(all.Uploads)), fmt.Sprintf("1 marksheet.pdf %d 0", len(paper)))
		w.RunJobs()
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 1)

		again := p.Upload(document.Marksheet, "another marksheet", 50_000)
		businesstest.Equal(t, "the new one", p.OpenDocument(again.DocumentID), "another marksheet")
		_, _, err = p.Document.Open(p.Ctx, p.Visitor, u.DocumentID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Document not found.")
		w.RunJobs()
		businesstest.Equal(t, "the one before is gone", len(w.Files.Objects()), 1)
		w.Must(p.Document.Delete(p.Ctx, p.Visitor, again.DocumentID))
		w.RunJobs()
		businesstest.Equal(t, "and so is a deleted one", len(w.Files.Objects()), 0)
	})
}

func TestUploadResumes(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		const paper = "the first half, the other half"
		u, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.IDProof, paper))
		w.Must(err)
		older, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, 0)
		w.Must(err)
		u, err = p.Document.Append(p.Ctx, u.ID, older, 0, strings.NewReader(paper[:10]))
		w.Must(err)

		same, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.IDProof, paper)) // in another tab
		w.Must(err)
		businesstest.Equal(t, "it is the same upload", same.ID == u.ID && same.Received == 10, true)
		newer, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, 10)
		w.Must(err)
		_, err = p.Document.Append(p.Ctx, u.ID, older, 10, strings.NewReader(paper[10:20]))
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "This upload continues in another tab or on another device.")
		_, err = p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, 20)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "This is not the file that you started to upload. Please choose that file again.")
		_, err = p.Document.Append(p.Ctx, u.ID, newer, 10, strings.NewReader(paper[10:]+"!"))
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "This is not the file that you started to upload. Please choose that file again.")
		u, err = p.Document.Append(p.Ctx, u.ID, newer, 10, strings.NewReader(paper[10:]))
		w.Must(err)
		w.Must(p.Document.Judge(p.Ctx, u.ID))
		u, err = p.Document.Status(p.Ctx, p.Visitor, u.ID)
		w.Must(err)
		businesstest.Equal(t, "it is whole", p.OpenDocument(u.DocumentID), paper)
		w.RunJobs()
		businesstest.Equal(t, "nothing else lies there", len(w.Files.Objects()), 1)
	})
}

// Each piece is a file and a row, so their number is limited.
func TestUploadWithTooManyPiecesIsDeleted(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		const most = 500
		p := w.PaidApplication()
		file := businesstest.NewFile(document.IDProof, strings.Repeat("x", most+1))
		u, err := p.Document.Begin(p.Ctx, p.Visitor, file)
		w.Must(err)
		for u.Received < most {
			writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, u.Received)
			w.Must(err)
			u, err = p.Document.Append(p.Ctx, u.ID, writer, u.Received, strings.NewReader("x"))
			w.Must(err)
		}
		_, err = p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, u.Received)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Document not found.")
		w.RunJobs()
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 0)
		businesstest.Equal(t, "pieces", w.Count("upload_pieces"), 0)
		again, err := p.Document.Begin(p.Ctx, p.Visitor, file)
		w.Must(err)
		businesstest.Equal(t, "it begins anew", again.ID != u.ID && again.Received == 0, true)
	})
}

// Each view is stored permanently.
func TestDailyViewLimit(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := w.PaidApplication()
		u := p.Upload(document.Photo, "a face", 100)
		for range 100 {
			businesstest.Equal(t, "it opens", p.OpenDocument(u.DocumentID), "a face")
		}
		_, _, err := p.Document.Open(p.Ctx, p.Visitor, u.DocumentID)
		businesstest.ExpectProblem(t, err, admission.TooMany, "", "Too many tries. Please wait 24 hours and try again.")
		_, content, err := p.Document.Thumbnail(p.Ctx, p.Visitor, u.DocumentID)
		w.Must(err)
		w.Must(content.Close())
		businesstest.Equal(t, "views", w.Count("document_views"), 100)
		w.Clock.Pass(24 * time.Hour)
		businesstest.Equal(t, "the day after it opens", p.OpenDocument(u.DocumentID), "a face")
	})
}

func TestUploadRejectsOtherFile(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		u, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Photo, "one photo"))
		w.Must(err)
		writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, 0)
		w.Must(err)
		_, err = p.Document.Append(p.Ctx, u.ID, writer, 0, strings.NewReader("one"))
		w.Must(err)
		other, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Photo, "two photo"))
		w.Must(err)
		businesstest.Equal(t, "another file begins anew", other.ID != u.ID && other.Received == 0, true)
		_, err = p.Document.Append(p.Ctx, u.ID, writer, 3, strings.NewReader(" photo"))
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Document not found.")
		writer, err = p.Document.StartPiece(p.Ctx, p.Visitor, other.ID, 0)
		w.Must(err)
		other, err = p.Document.Append(p.Ctx, other.ID, writer, 0, strings.NewReader("one photo")) // as long, and another
		w.Must(err)
		w.Must(p.Document.Judge(p.Ctx, other.ID))
		other, err = p.Document.Status(p.Ctx, p.Visitor, other.ID)
		w.Must(err)
		businesstest.Equal(t, "what came is not what was promised", string(other.State)+": "+other.Refusal, "refused: The file was damaged on the way. Please send it again.")
		w.RunJobs()
		businesstest.Equal(t, "nothing of either is kept", len(w.Files.Objects()), 0)
	})
}

func TestRefusedFileIsNotStored(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		w.Inspector.Refuses = "This PDF asks for a password."
		u := p.Upload(document.Marksheet, "locked", 100)
		businesstest.Equal(t, "refused", string(u.State)+": "+u.Refusal, "refused: This PDF asks for a password.")
		w.RunJobs()
		businesstest.Equal(t, "what lies there", len(w.Files.Objects()), 0)

		w.Inspector.Refuses, w.Inspector.Fails = "", errors.New("the inspector crashed")
		u, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Marksheet, "good"))
		w.Must(err)
		writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, 0)
		w.Must(err)
		_, err = p.Document.Append(p.Ctx, u.ID, writer, 0, strings.NewReader("good"))
		w.Must(err)
		if err := p.Document.Judge(p.Ctx, u.ID); !errors.Is(err, w.Inspector.Fails) {
			t.Errorf("a fault of ours is %v", err)
		}
		w.Inspector.Fails = nil
		w.Must(p.Document.Judge(p.Ctx, u.ID)) // another worker has the lease
		u, err = p.Document.Status(p.Ctx, p.Visitor, u.ID)
		w.Must(err)
		businesstest.Equal(t, "nothing is decided", string(u.State), "whole")
		w.Clock.Pass(time.Minute)
		w.RunJobs()
		u, err = p.Document.Status(p.Ctx, p.Visitor, u.ID)
		w.Must(err)
		businesstest.Equal(t, "its job judges it", string(u.State), "kept")
	})
}

func TestDocumentBeingCheckedCannotBeOpened(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		w.Scanner.Down = errors.New("clamd is away")
		u := p.Upload(document.Marksheet, "a marksheet", 100)
		businesstest.Equal(t, "kept", string(u.State), "kept")
		_, _, err := p.Document.Open(p.Ctx, p.Visitor, u.DocumentID)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "marksheet.pdf is being checked. Please try again in a minute.")
		p.Upload(document.Photo, "a photo", 100)
		p.Upload(document.IDProof, "an id", 100)
		err = p.Document.Submit(p.Ctx, p.Visitor, nil)
		businesstest.Equal(t, "submitted", err.Error(), "invalid: Passport photo is being checked. Please submit again in a minute.")
		businesstest.Equal(t, "each is named", len(admission.AsProblem(err).Faults), 3)
		w.Scanner.Down = nil
		w.Clock.Pass(time.Minute)
		w.RunJobs()
		businesstest.Equal(t, "clamd is back", p.OpenDocument(u.DocumentID), "a marksheet")

		w.Scanner.Harm = "harm"
		u = p.Upload(document.Marksheet, "harm", 100)
		businesstest.Equal(t, "harm", string(u.State)+": "+u.Refusal, "refused: This file was refused because it may do harm. Please send another one, such as a photo of the paper.")
		businesstest.Equal(t, "an alert", slices.Contains(w.Alerts.All(), "a harmful file was uploaded"), true)
	})
}

func TestSubmitRequiresAllDocuments(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		err := p.Document.Submit(p.Ctx, p.Visitor, nil)
		businesstest.Equal(t, "nothing is there", fmt.Sprint(admission.AsProblem(err).Errors()), "map[idProof:ID Proof is required marksheet:Marksheet is required photo:Photo is required]")
		p.Upload(document.Photo, "a photo", 100)
		p.Upload(document.IDProof, "an id", 100)
		paper := p.Upload(document.Marksheet, "a marksheet", 100)
		w.Must(p.Document.Submit(p.Ctx, p.Visitor, nil))
		w.RunJobs()
		mail := p.Mailed("documents-submitted")
		businesstest.Equal(t, "documents in the mail", mail.Params["Documents"], "Passport photo, Student ID, Last Academic Marksheet")
		businesstest.Equal(t, "its answer", mail.Params["AnswerBy"], admission.LongDate(w.Clock.Now().AddDate(0, 0, 30)))
		p.ExpectStep(enrol.StepComplete)
		const stands = "You cannot modify the previous details now. Contact support for further help."
		businesstest.ExpectProblem(t, p.Document.Submit(p.Ctx, p.Visitor, nil), admission.Conflict, "", stands)
		businesstest.ExpectProblem(t, p.Document.Delete(p.Ctx, p.Visitor, paper.DocumentID), admission.Conflict, "", stands)
		_, err = p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Photo, "another"))
		businesstest.ExpectProblem(t, err, admission.Conflict, "", stands)
		businesstest.Equal(t, "its owner reads it on", p.OpenDocument(paper.DocumentID), "a marksheet")
	})
}

func TestDocumentOfAnotherPersonIsNotFound(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		kept := p.Upload(document.Photo, "a photo", 100)
		open, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Marksheet, "a marksheet"))
		w.Must(err)
		other := w.PaidApplication()
		for sentence, try := range map[string]func(v admission.Visitor) error{
			"opens":   func(v admission.Visitor) error { _, _, err := p.Document.Open(p.Ctx, v, kept.DocumentID); return err },
			"deletes": func(v admission.Visitor) error { return p.Document.Delete(p.Ctx, v, kept.DocumentID) },
			"asks":    func(v admission.Visitor) error { _, err := p.Document.Status(p.Ctx, v, open.ID); return err },
			"goes on": func(v admission.Visitor) error { _, err := p.Document.StartPiece(p.Ctx, v, open.ID, 0); return err },
			"cancels": func(v admission.Visitor) error { return p.Document.Cancel(p.Ctx, v, open.ID) },
		} {
			for who, v := range map[string]admission.Visitor{"another": other.Visitor, "a stranger": {}} {
				if problem := admission.AsProblem(try(v)); problem == nil || problem.Kind != admission.NotFound || problem.Message != "Document not found." {
					t.Errorf("%s %s: %v", who, sentence, problem)
				}
			}
		}
		businesstest.Equal(t, "nothing happened to it", p.OpenDocument(kept.DocumentID), "a photo")
	})
}

func TestSweepDeletesOrphans(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		kept := p.Upload(document.Photo, "a photo", 100)
		u, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Marksheet, "a marksheet"))
		w.Must(err)
		writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, u.ID, 0)
		w.Must(err)
		_, err = p.Document.Append(p.Ctx, u.ID, writer, 0, strings.NewReader("a mark"))
		w.Must(err)
		_, err = w.Files.Put(p.Ctx, "nobody", strings.NewReader("left behind"))
		w.Must(err)
		sweep := func() {
			w.Must(w.Document.Sweep(p.Ctx, func(_ context.Context, _ int, each func([]string) error) error { return each(w.Files.Objects()) }))
			w.RunJobs()
		}
		sweep()
		businesstest.Equal(t, "what is named stays", len(w.Files.Objects()), 2)
		w.Clock.Pass(24 * time.Hour)
		sweep()
		businesstest.Equal(t, "an upload that nobody goes on with goes", len(w.Files.Objects()), 1)
		_, err = p.Document.Status(p.Ctx, p.Visitor, u.ID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Document not found.")
		businesstest.Equal(t, "a document stays", p.OpenDocument(kept.DocumentID), "a photo")
	})
}

func TestUploadAfterSubmitIsRejected(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		for _, kind := range []document.Kind{document.Photo, document.IDProof, document.Marksheet} {
			p.Upload(kind, "a paper", 100)
		}
		another, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Photo, "another photo"))
		w.Must(err)
		writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, another.ID, 0)
		w.Must(err)
		w.Must(p.Document.Submit(p.Ctx, p.Visitor, nil))
		const stands = "You cannot modify the previous details now. Contact support for further help."
		_, err = p.Document.StartPiece(p.Ctx, p.Visitor, another.ID, 0)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", stands)
		_, err = p.Document.Append(p.Ctx, another.ID, writer, 0, strings.NewReader("another photo")) // by an earlier writer
		w.Must(err)
		w.Must(p.Document.Judge(p.Ctx, another.ID))
		another, err = p.Document.Status(p.Ctx, p.Visitor, another.ID)
		w.Must(err)
		businesstest.Equal(t, "what has become of it", string(another.State)+": "+another.Refusal, "refused: "+stands)
		all, err := p.Document.Overview(p.Ctx, p.Visitor, "")
		w.Must(err)
		photo, _ := document.OfKind(all.Documents, document.Photo)
		businesstest.Equal(t, "the photo that was submitted", p.OpenDocument(photo.ID), "a paper")
		w.RunJobs()
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 3)
	})
}

func TestMalwareFoundLater(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		w.Scanner.Down = errors.New("clamd is away")
		u := p.Upload(document.Marksheet, "harm", 100)
		businesstest.Equal(t, "kept for the moment", string(u.State), "kept")
		w.Scanner.Down, w.Scanner.Harm = nil, "harm"
		w.Clock.Pass(time.Minute)
		w.RunJobs()
		all, err := p.Document.Overview(p.Ctx, p.Visitor, "")
		w.Must(err)
		businesstest.Equal(t, "documents", len(all.Documents), 0)
		businesstest.Equal(t, "its upload", string(all.Uploads[0].State)+": "+all.Uploads[0].Refusal+all.Uploads[0].DocumentID, "refused: This file was refused because it may do harm. Please send another one, such as a photo of the paper.")
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 0)
	})
}

func TestUploadAfterDeletionIsRejected(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.PaidApplication()
		w.Recorder.BeforeNext(func() { w.Must(w.Access.EndSession(w.Ctx, p.SessionID)) })
		_, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Photo, "a photo"))
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Document not found.")
		businesstest.Equal(t, "uploads", w.Count("uploads"), 0)
	})
}

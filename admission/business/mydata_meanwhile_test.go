package business_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/store"
)

// dueDeletion returns the id of a deletion requested seven days ago, before its job runs.
func (p *person) dueDeletion() string {
	p.t.Helper()
	p.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
	p.runJobs()
	p.clock.Pass(7 * 24 * time.Hour)
	return strings.Join(p.texts("SELECT id FROM deletions"), "")
}

func TestDeletionIncludesConcurrentWrites(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"consents": "reminders"}).signedIn()
		id := p.dueDeletion()
		w.recorder.beforeNext(func() { // the tables are looked through, and nothing is erased
			p.newBrowser()
			_, err := p.signIn(p.phone)
			w.must(err)
			w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
			w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
			_, err = p.enrol(fields{"event": "KS_Campus"})
			w.must(err)
		})
		_, err := w.MyData.Delete(w.ctx, id)
		w.must(err)
		for _, table := range []string{"accounts", "sessions WHERE account_id <> ''", "exports", "jobs WHERE kind = 'export'", "consents", "registrations", "code_requests", "entries"} {
			equal(t, table, w.count(table), 0)
		}
		same(t, "messages", w.texts("SELECT template FROM messages"), []string{"deletion-done-sms"})
	})
}

func TestRequestDuringDeletionFindsNoSession(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil).signedIn()
		id := p.dueDeletion()
		deleted := func() {
			_, err := w.MyData.Delete(w.ctx, id)
			w.must(err)
		}
		w.recorder.beforeNext(deleted)
		_, err := p.start("")
		expectProblem(t, err, admission.NotFound, "", "Registration not found.")
		equal(t, "payments", w.count("transactions"), 0)

		expectProblem(t, (&enrol.Registration{ErasedAt: w.clock.Now()}).Payable(), admission.NotFound, "", "Registration not found.") // kept for its payments
	})
}

func TestSaveStepRequiresSession(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPersonal)
		before := p.application().ModifiedAt
		w.clock.Pass(time.Minute)
		w.recorder.beforeNext(func() { w.must(w.Access.EndSession(w.ctx, p.SessionID)) })
		_, err := p.saveStep("academic", nil)
		expectProblem(t, err, admission.NotFound, "", "Account not found.")
		equal(t, "it is changed at", p.application().ModifiedAt, before)
	})
}

// interruptedStore is a store whose long views are interrupted.
type interruptedStore struct{ admission.Store[store.Tx] }

func (interruptedStore) PatientView(context.Context, func(store.Tx) error) error {
	return admission.ErrUnavailable
}

func TestInterruptedDeletionKeepsSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil).signedIn()
		id := p.dueDeletion()
		w.recorder.Store = interruptedStore{w.database}
		if _, err := w.MyData.Delete(w.ctx, id); !errors.Is(err, admission.ErrUnavailable) {
			t.Errorf("the look through the tables ends with %v", err)
		}
		equal(t, "sessions", w.count("sessions WHERE account_id <> ''"), 1)
		w.recorder.Store = w.database
		_, err := w.MyData.Delete(w.ctx, id)
		w.must(err)
		equal(t, "accounts", w.count("accounts"), 0)
	})
}

func TestDailyLimitOfDataRequests(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p, other := w.enrolled(nil).signedIn(), w.enrolled(nil).signedIn()
		begins := w.clock.Now()
		_, err := p.signIn(p.email) // lasts for a while
		w.must(err)
		for range 3 {
			w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
			w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor)) // exists already: not counted
			w.must(p.MyData.CancelDeletion(p.ctx, p.Visitor))
			w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
			w.must(p.MyData.CancelExport(p.ctx, p.Visitor, p.overview().Export.ID))
		}
		const wait = "Too many tries. Please wait 24 hours and try again."
		expectProblem(t, p.MyData.RequestDeletion(p.ctx, p.Visitor), admission.TooMany, "", wait)
		expectProblem(t, p.MyData.RequestExport(p.ctx, p.Visitor), admission.TooMany, "", wait)
		equal(t, "messages", w.count("messages WHERE template = 'deletion-asked-sms'"), 3)
		equal(t, "files", w.count("exports"), 0)
		w.must(other.MyData.RequestExport(other.ctx, other.Visitor))
		w.must(other.MyData.RequestDeletion(other.ctx, other.Visitor))
		w.clock.Pass(begins.Add(24 * time.Hour).Sub(w.clock.Now()))
		w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
	})
}

func TestDeletionRemovesDocuments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.paidApplication()
		stays := other.upload(document.Photo, "another's photo", 100)
		p := w.paidApplication()
		p.upload(document.Photo, "a photo", 100)
		p.openDocument(p.upload(document.Marksheet, "a marksheet", 3).DocumentID)
		w.scanner.away = errors.New("clamd is away")
		p.upload(document.IncomeCertificate, "an income", 100)
		id := p.dueDeletion()
		whole, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.IDProof, "an id"))
		w.must(err)
		writer, err := p.Document.StartPiece(p.ctx, p.Visitor, whole.ID, 0)
		w.must(err)
		w.recorder.beforeNext(func() { // the tables are looked through, and nothing is erased
			_, err := p.Document.Append(p.ctx, whole.ID, writer, 0, strings.NewReader("an id"))
			w.must(err)
			w.must(p.Document.Judge(p.ctx, whole.ID)) // a document not found by the search
			begun, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Marksheet, "another"))
			w.must(err)
			second, err := p.Document.StartPiece(p.ctx, p.Visitor, begun.ID, 0)
			w.must(err)
			_, err = p.Document.Append(p.ctx, begun.ID, second, 0, strings.NewReader("ano"))
			w.must(err)
		})
		_, err = w.MyData.Delete(w.ctx, id)
		w.must(err)
		w.scanner.away = nil
		w.clock.Pass(time.Minute)
		w.runJobs()
		for table, want := range map[string]int{"uploads": 1, "upload_pieces": 0, "documents": 1, "document_views": 0, "jobs WHERE kind IN ('judge-upload', 'scan-document', 'remove-object')": 0} {
			equal(t, table, w.count(table), want)
		}
		equal(t, "what lies in the storage", len(w.files.objects()), 1)
		equal(t, "another's", other.openDocument(stays.DocumentID), "another's photo")
	})
}

func TestUploadAfterDeletionIsRejected(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paidApplication()
		w.recorder.beforeNext(func() { w.must(w.Access.EndSession(w.ctx, p.SessionID)) })
		_, err := p.Document.Begin(p.ctx, p.Visitor, newFile(document.Photo, "a photo"))
		expectProblem(t, err, admission.NotFound, "", "Document not found.")
		equal(t, "uploads", w.count("uploads"), 0)
	})
}

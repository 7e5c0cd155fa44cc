package mydata_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/store"
)

// dueDeletion returns the id of a deletion requested seven days ago, before its job runs.
func dueDeletion(p *businesstest.Person) string {
	p.T.Helper()
	p.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
	p.RunJobs()
	p.Clock.Pass(7 * 24 * time.Hour)
	return strings.Join(p.Texts("SELECT id FROM deletions"), "")
}

func TestDeletionIncludesConcurrentWrites(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"consents": "reminders"}).SignedIn()
		id := dueDeletion(p)
		w.Recorder.BeforeNext(func() { // the tables are looked through, and nothing is erased
			p.NewBrowser()
			_, err := p.SignIn(p.Phone)
			w.Must(err)
			w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
			w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true))
			_, err = p.SubmitEnrolment(businesstest.Fields{"event": "KS_Campus"})
			w.Must(err)
		})
		_, err := w.MyData.Delete(w.Ctx, id)
		w.Must(err)
		for _, table := range []string{"accounts", "sessions WHERE account_id <> ''", "exports", "jobs WHERE kind = 'export'", "consents", "registrations", "code_requests", "entries"} {
			businesstest.Equal(t, table, w.Count(table), 0)
		}
		businesstest.Same(t, "messages", w.Texts("SELECT template FROM messages"), []string{"deletion-done-sms"})
	})
}

func TestRequestDuringDeletionFindsNoSession(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil).SignedIn()
		id := dueDeletion(p)
		deleted := func() {
			_, err := w.MyData.Delete(w.Ctx, id)
			w.Must(err)
		}
		w.Recorder.BeforeNext(deleted)
		_, err := p.Start("")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
		businesstest.Equal(t, "payments", w.Count("transactions"), 0)

		businesstest.ExpectProblem(t, (&enrol.Registration{ErasedAt: w.Clock.Now()}).Payable(), admission.NotFound, "", "Registration not found.") // kept for its payments
	})
}

// interruptedStore is a store whose long views are interrupted.
type interruptedStore struct{ admission.Store[store.Tx] }

func (interruptedStore) LongView(context.Context, func(store.Tx) error) error {
	return admission.ErrUnavailable
}

func TestInterruptedDeletionKeepsSessions(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil).SignedIn()
		id := dueDeletion(p)
		w.Recorder.Store = interruptedStore{w.Database}
		if _, err := w.MyData.Delete(w.Ctx, id); !errors.Is(err, admission.ErrUnavailable) {
			t.Errorf("the look through the tables ends with %v", err)
		}
		businesstest.Equal(t, "sessions", w.Count("sessions WHERE account_id <> ''"), 1)
		w.Recorder.Store = w.Database
		_, err := w.MyData.Delete(w.Ctx, id)
		w.Must(err)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 0)
	})
}

func TestDailyLimitOfDataRequests(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p, other := w.Enrolled(nil).SignedIn(), w.Enrolled(nil).SignedIn()
		begins := w.Clock.Now()
		_, err := p.SignIn(p.Email) // lasts for a while
		w.Must(err)
		for range 3 {
			w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
			w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor)) // exists already: not counted
			w.Must(p.MyData.CancelDeletion(p.Ctx, p.Visitor))
			w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
			w.Must(p.MyData.CancelExport(p.Ctx, p.Visitor, overview(p).Export.ID))
		}
		const wait = "Too many tries. Please wait 24 hours and try again."
		businesstest.ExpectProblem(t, p.MyData.RequestDeletion(p.Ctx, p.Visitor), admission.TooMany, "", wait)
		businesstest.ExpectProblem(t, p.MyData.RequestExport(p.Ctx, p.Visitor), admission.TooMany, "", wait)
		businesstest.Equal(t, "messages", w.Count("messages WHERE template = 'deletion-asked-sms'"), 3)
		businesstest.Equal(t, "files", w.Count("exports"), 0)
		w.Must(other.MyData.RequestExport(other.Ctx, other.Visitor))
		w.Must(other.MyData.RequestDeletion(other.Ctx, other.Visitor))
		w.Clock.Pass(begins.Add(24 * time.Hour).Sub(w.Clock.Now()))
		w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
	})
}

func TestDeletionRemovesDocuments(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		other := w.PaidApplication()
		stays := other.Upload(document.Photo, "another's photo", 100)
		p := w.PaidApplication()
		p.Upload(document.Photo, "a photo", 100)
		p.OpenDocument(p.Upload(document.Marksheet, "a marksheet", 3).DocumentID)
		w.Scanner.Down = errors.New("clamd is away")
		p.Upload(document.IncomeCertificate, "an income", 100)
		id := dueDeletion(p)
		whole, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.IDProof, "an id"))
		w.Must(err)
		writer, err := p.Document.StartPiece(p.Ctx, p.Visitor, whole.ID, 0)
		w.Must(err)
		w.Recorder.BeforeNext(func() { // the tables are looked through, and nothing is erased
			_, err := p.Document.Append(p.Ctx, whole.ID, writer, 0, strings.NewReader("an id"))
			w.Must(err)
			w.Must(p.Document.Judge(p.Ctx, whole.ID)) // a document created after the search
			begun, err := p.Document.Begin(p.Ctx, p.Visitor, businesstest.NewFile(document.Marksheet, "another"))
			w.Must(err)
			second, err := p.Document.StartPiece(p.Ctx, p.Visitor, begun.ID, 0)
			w.Must(err)
			_, err = p.Document.Append(p.Ctx, begun.ID, second, 0, strings.NewReader("ano"))
			w.Must(err)
		})
		_, err = w.MyData.Delete(w.Ctx, id)
		w.Must(err)
		w.Scanner.Down = nil
		w.Clock.Pass(time.Minute)
		w.RunJobs()
		for table, want := range map[string]int{"uploads": 1, "upload_pieces": 0, "documents": 1, "document_views": 0, "jobs WHERE kind IN ('judge-upload', 'scan-document', 'remove-object')": 0} {
			businesstest.Equal(t, table, w.Count(table), want)
		}
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 1)
		businesstest.Equal(t, "another's", other.OpenDocument(stays.DocumentID), "another's photo")
	})
}

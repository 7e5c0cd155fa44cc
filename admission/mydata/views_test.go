package mydata_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/store"
)

// recordView records a view of the person's document by somebody else.
func recordView(p *businesstest.Person, viewer, documentID string) {
	p.T.Helper()
	p.Must(p.Database.Update(p.Ctx, func(tx store.Tx) error {
		return tx.AddView(document.View{DocumentID: documentID, RegistrationID: p.RegistrationID, Viewer: viewer, At: p.Clock.Now()})
	}))
}

func TestOverviewListsViews(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.PaidApplication(), w.PaidApplication()
		kept := p.Upload(document.Photo, "a photo", 100).DocumentID
		other.OpenDocument(other.Upload(document.Photo, "another's photo", 100).DocumentID)
		told := func() string {
			o := overview(p)
			said := []string{fmt.Sprint(o.Others, " by others")}
			for _, view := range o.Views {
				who := view.Viewer
				if who == p.AccountID {
					who = "you"
				}
				said = append(said, who+" "+admission.TimeOfDay(view.At))
			}
			return strings.Join(said, ", ")
		}
		businesstest.Equal(t, "at first", told(), "0 by others")
		p.OpenDocument(kept)
		w.Clock.Pass(time.Hour)
		p.OpenDocument(kept)
		businesstest.Equal(t, "the latest first", told(), "0 by others, you 13:00, you 12:00")
		recordView(p, "staff", kept)
		w.Clock.Pass(time.Hour)
		for range 60 {
			p.OpenDocument(kept)
		}
		o := overview(p)
		businesstest.Equal(t, "however often the owner looks", fmt.Sprintf("%d %d %s %t %t", o.Others, len(o.Views), o.Views[0].Viewer, o.Views[1].Viewer == p.AccountID, o.Views[49].At.Equal(w.Clock.Now())), "1 50 staff true true")
		for range 60 {
			recordView(p, "staff", kept)
		}
		o = overview(p)
		businesstest.Equal(t, "and however often others do", fmt.Sprintf("%d %d %s %s", o.Others, len(o.Views), o.Views[0].Viewer, o.Views[49].Viewer), "61 50 staff staff")
	})
}

func TestThumbnailIsNoView(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.PaidApplication(), w.PaidApplication()
		photo, paper := p.Upload(document.Photo, "a photo", 100).DocumentID, p.Upload(document.Marksheet, "a marksheet", 100).DocumentID
		shown := func(id string) string {
			_, content, err := p.Document.Thumbnail(p.Ctx, p.Visitor, id)
			w.Must(err)
			defer content.Close()
			all, err := io.ReadAll(content)
			w.Must(err)
			return string(all)
		}
		businesstest.Equal(t, "the photo", shown(photo), "a photo")
		businesstest.Equal(t, "views", w.Count("document_views"), 0)
		businesstest.Equal(t, "no other document is a picture in a page", shown(paper), "a marksheet")
		businesstest.Equal(t, "so that its opening is written down", w.Count("document_views WHERE document_id = $1", paper), 1)
		for who, v := range map[string]admission.Visitor{"another": other.Visitor, "a stranger": {}} {
			_, _, err := p.Document.Thumbnail(p.Ctx, v, photo)
			if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.NotFound {
				t.Errorf("to %s it is %v", who, err)
			}
		}
	})
}

func TestDocumentsOfEndedApplication(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.PaidApplication(), w.PaidApplication()
		kept := p.Upload(document.Photo, "a photo", 100).DocumentID
		p.OpenDocument(kept)
		p.RefundAll()
		o := overview(p)
		businesstest.Equal(t, "what is held", fmt.Sprint(len(o.Documents), o.Documents[0].ID == kept, len(o.Views)), "1 true 1")
		businesstest.Equal(t, "it opens", p.OpenDocument(kept), "a photo")
		businesstest.ExpectProblem(t, other.Document.Delete(other.Ctx, other.Visitor, kept), admission.NotFound, "", "Document not found.")
		w.Must(p.Document.Delete(p.Ctx, p.Visitor, kept))
		w.RunJobs()
		businesstest.Equal(t, "what is held then", fmt.Sprint(len(overview(p).Documents), w.Count("documents"), len(w.Files.Objects())), "0 0 0")
		businesstest.Equal(t, "who opened it stays written down", len(overview(p).Views), 2)
	})
}

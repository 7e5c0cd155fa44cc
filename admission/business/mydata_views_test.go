package business_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/store"
)

// recordView records a view of the person's document by somebody else.
func (p *person) recordView(viewer, documentID string) {
	p.t.Helper()
	p.must(p.database.Update(p.ctx, func(tx store.Tx) error {
		return tx.AddView(document.View{DocumentID: documentID, RegistrationID: p.registration, Viewer: viewer, At: p.clock.Now()})
	}))
}

func TestOverviewListsViews(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p, other := w.paidApplication(), w.paidApplication()
		kept := p.upload(document.Photo, "a photo", 100).DocumentID
		other.openDocument(other.upload(document.Photo, "another's photo", 100).DocumentID)
		told := func() string {
			o := p.overview()
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
		equal(t, "at first", told(), "0 by others")
		p.openDocument(kept)
		w.clock.Pass(time.Hour)
		p.openDocument(kept)
		equal(t, "the latest first", told(), "0 by others, you 13:00, you 12:00")
		p.recordView("staff", kept)
		w.clock.Pass(time.Hour)
		for range 60 {
			p.openDocument(kept)
		}
		o := p.overview()
		equal(t, "however often the owner looks", fmt.Sprintf("%d %d %s %t %t", o.Others, len(o.Views), o.Views[0].Viewer, o.Views[1].Viewer == p.AccountID, o.Views[49].At.Equal(w.clock.Now())), "1 50 staff true true")
		for range 60 {
			p.recordView("staff", kept)
		}
		o = p.overview()
		equal(t, "and however often others do", fmt.Sprintf("%d %d %s %s", o.Others, len(o.Views), o.Views[0].Viewer, o.Views[49].Viewer), "61 50 staff staff")
	})
}

func TestThumbnailIsNoView(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, other := w.paidApplication(), w.paidApplication()
		photo, paper := p.upload(document.Photo, "a photo", 100).DocumentID, p.upload(document.Marksheet, "a marksheet", 100).DocumentID
		shown := func(id string) string {
			_, content, err := p.Document.Thumbnail(p.ctx, p.Visitor, id)
			w.must(err)
			defer content.Close()
			all, err := io.ReadAll(content)
			w.must(err)
			return string(all)
		}
		equal(t, "the photo", shown(photo), "a photo")
		equal(t, "views", w.count("document_views"), 0)
		equal(t, "no other document is a picture in a page", shown(paper), "a marksheet")
		equal(t, "so that its opening is written down", w.count("document_views WHERE document_id = $1", paper), 1)
		for who, v := range map[string]admission.Visitor{"another": other.Visitor, "a stranger": {}} {
			_, _, err := p.Document.Thumbnail(p.ctx, v, photo)
			if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.NotFound {
				t.Errorf("to %s it is %v", who, err)
			}
		}
	})
}

func TestDocumentsOfEndedApplication(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p, other := w.paidApplication(), w.paidApplication()
		kept := p.upload(document.Photo, "a photo", 100).DocumentID
		p.openDocument(kept)
		p.refundAll()
		o := p.overview()
		equal(t, "what is held", fmt.Sprint(len(o.Documents), o.Documents[0].ID == kept, len(o.Views)), "1 true 1")
		equal(t, "it opens", p.openDocument(kept), "a photo")
		expectProblem(t, other.Document.Delete(other.ctx, other.Visitor, kept), admission.NotFound, "", "Document not found.")
		w.must(p.Document.Delete(p.ctx, p.Visitor, kept))
		w.runJobs()
		equal(t, "what is held then", fmt.Sprint(len(p.overview().Documents), w.count("documents"), len(w.files.objects())), "0 0 0")
		equal(t, "who opened it stays written down", len(p.overview().Views), 2)
	})
}

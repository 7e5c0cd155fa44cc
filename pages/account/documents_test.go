package account_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/store"
)

const documentsFold = "/account/data?at=documents"

// applies gives a phone's account an application at a step, and returns its id.
func (s *site) applies(phone string, step enrol.Step, refunded bool) (registration string) {
	s.t.Helper()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		a, err := tx.AccountOf("+91" + phone)
		check(s.t, err)
		r := enrol.Registration{
			ID: admission.NewID(), EventCode: enrol.ApplicationCode, EventSlug: "hiresure", AccountID: a.ID, Phone: a.Phone, Step: step, Refunded: refunded, CreatedAt: s.clock.Now(), ModifiedAt: s.clock.Now(),
		}
		registration = r.ID
		return tx.AddRegistration(&r)
	}))
	return registration
}

// holds stores a document of an application, opened by others a number of times, and returns its id.
func (s *site) holds(registration string, kind document.Kind, name string, opened int) string {
	s.t.Helper()
	d := document.Document{ID: admission.NewID(), RegistrationID: registration, Kind: kind, Name: name, ContentType: "application/pdf", StoredAt: s.clock.Now()}
	d.Object, d.Size = d.ID, 1024
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		for range opened {
			check(s.t, tx.AddView(document.View{DocumentID: d.ID, RegistrationID: registration, Viewer: "staff", At: s.clock.Now()}))
		}
		return tx.AddDocument(&d)
	}))
	return d.ID
}

func TestMyDataListsDocumentsOfAnEndedApplication(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	ended := s.applies(phone, enrol.StepPaid, true)
	id := s.holds(ended, document.IDProof, "college.pdf", 0)
	s.holds(ended, document.Unnamed, "loose.pdf", 0)
	b.get(documentsFold).is(http.StatusOK, "Here Student ID college.pdf, 1 KB, uploaded 21 Nov 2026, 12:00 Open Student ID Delete Student ID", "Here Document loose.pdf, 1 KB", "Your fee was refunded. You can delete that application’s documents here.").
		without("We have no documents of yours", "Not yet Passport photo", "was deleted", "Replace or delete")
	if address := "/hiresure/documents/" + id; !strings.Contains(b.body, `href="`+address+`"`) {
		t.Errorf("nothing leads to %s", address)
	}

	other := s.signedUp("9876500009", "other@example.com")
	other.get(documentsFold).is(http.StatusOK, "We have no documents of yours.").without("college.pdf")
	other.post("/account/data", "do", "delete", "document", id, "kind", "idProof").is(http.StatusNotFound)
	if denied := strings.Count(s.log.String(), "access to another visitor's record denied"); denied != 1 {
		t.Errorf("%d tries are logged, want 1:\n%s", denied, s.log.String())
	}
	const deleted = "/account/data?at=documents&deleted=idProof#documents"
	b.post("/account/data", "do", "delete", "document", id, "kind", "idProof").leadsTo(deleted)
	b.get(deleted).is(http.StatusOK, "Student ID was deleted.", "loose.pdf").without("college.pdf")
	if !regexp.MustCompile(`<details class="data-section" name="mydata" id="documents" open>`).MatchString(b.body) {
		t.Error("the fold is not open")
	}
	b.get("/account/data?at=documents&deleted=%3Cb%3Ehello").is(http.StatusOK, "Document was deleted.").without("hello")
	b.post("/account/data", "do", "delete", "document", id).is(http.StatusNotFound)
}

func TestMyDataLinksToDocumentDeletion(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	s.holds(s.applies(phone, enrol.StepPaid, true), document.Photo, "old.jpg", 0)
	b.get(documentsFold).is(http.StatusOK, "old.jpg", "Delete Passport photo")
	now := s.applies(phone, enrol.StepPaid, false)
	b.get(documentsFold).is(http.StatusOK, "Not yet Passport photo Not yet Student ID Not yet Last Academic Marksheet Not yet Family Income Certificate Here Passport photo old.jpg").without("Replace or delete")
	s.holds(now, document.IDProof, "college.pdf", 0)
	b.get(documentsFold).is(http.StatusOK, "Here Student ID college.pdf", "Replace or delete a document", "Delete Passport photo").without("Delete Student ID")
	if !strings.Contains(b.body, `href="/hiresure/upload-doc"`) {
		t.Error("nothing leads to the page of the documents")
	}
	s.change("UPDATE registrations SET step = 8 WHERE id = '" + now + "'")
	b.get(documentsFold).is(http.StatusOK, "Here Student ID college.pdf").without("Replace or delete", "Delete Student ID")
}

func TestMyDataCountsTheLooksOfOthers(t *testing.T) {
	for opened, says := range []string{"Nobody has opened your documents", "Your documents were opened once", "Your documents were opened two times"} {
		t.Run(fmt.Sprint(opened), func(t *testing.T) {
			s := newSite(t)
			b := s.signedUp(phone, email)
			s.holds(s.applies(phone, enrol.StepComplete, false), document.Photo, "me.jpg", opened)
			b.get(documentsFold).is(http.StatusOK, says)
		})
	}
}

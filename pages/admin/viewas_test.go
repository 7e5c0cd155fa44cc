package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"hiresure/web"
)

// has expects parts of the page's HTML.
func (b *browser) has(parts ...string) {
	b.t.Helper()
	for _, part := range parts {
		if !strings.Contains(b.page, part) {
			b.t.Errorf("no %s in %s", part, b.page)
		}
	}
}

func TestAViewBeginsWithItsReason(t *testing.T) {
	s := newSite(t)
	s.register()
	at := web.StaffRegistrationPath(personID(0))
	b := s.setUp("farida@academy.example", "Farida Merchant", "support")
	b.get(at).is(http.StatusOK, "More actions", "View as applicant")
	b.has(`href="` + at + `/view-as"`)
	b.get(at+"/view-as").is(http.StatusOK, "View as Asha <Verma>", "for 15 minutes", "You can change nothing.", "Not your name.", "View for 15 minutes")
	b.post(at+"/view-as", "purpose", "", "reason", "cannot find the button").is(http.StatusUnprocessableEntity, "Choose what it is for")
	b.has(`value="cannot find the button"`)
	b.post(at+"/view-as", "purpose", "Help with documents", "reason", "").is(http.StatusUnprocessableEntity, "Write what you look for")
	b.has(`<option value="Help with documents" selected>`)
	b.post(at+"/view-as", "purpose", "To be curious", "reason", "x").is(http.StatusUnprocessableEntity, "Choose what it is for")
	b.get(web.StaffRegistrationPath(personID(9)) + "/view-as").is(http.StatusNotFound)
	b.post(web.StaffRegistrationPath(personID(9))+"/view-as", "purpose", "Help with documents", "reason", "x").is(http.StatusNotFound)
	b.get(at)
	b.lacks("Viewed by staff")
	b.post(at+"/view-as", "purpose", "Help with documents", "reason", "cannot find the button")
	view := b.location
	b.get(view).is(http.StatusOK, "You are viewing as Asha <Verma>.", "Your reason: cannot find the button.", "Ends at", "End now")
	b.post(view).leads(at+"?said=view-ended").get(b.location).is(http.StatusOK, "The view has ended.", "Viewed by staff", "Farida Merchant")

	f := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	f.get(at)
	f.lacks("View as applicant")
	f.get(at + "/view-as").is(http.StatusForbidden)
}

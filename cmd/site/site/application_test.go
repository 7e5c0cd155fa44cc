package site_test

import (
	"net/http"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// The application is an event only for payments: it has no page, and lists and enrolment calls ignore it.
func TestApplicationIsNoPublicEvent(t *testing.T) {
	r := openSite(t)
	events := r.Site.Events
	event, known := events.EventByCode(enrol.ApplicationCode)
	if !known || event.Title != "HireSure Scholarship" || event.Fee != admission.INR(2500_00) || event.FeeFor == "" || event.Terms.Version == "" || event.Closed(r.Site.Clock()) != "" {
		t.Errorf("the application is %+v", event)
	}
	if event, known := events.EventBySlug(event.Slug); known {
		t.Errorf("an address leads to %+v", event)
	}
	if _, sitemap := r.Fetch("/sitemap.xml"); strings.Contains(sitemap, "HireSure Scholarship") || strings.Contains(sitemap, "scholarship/hiresure<") {
		t.Errorf("the sitemap has it:\n%s", sitemap)
	}
	for _, path := range []string{"/scholarship/hiresure", "/apply/hiresure"} {
		if answer, _ := r.Fetch(path); answer.StatusCode != http.StatusFound {
			t.Errorf("%s answers %d", path, answer.StatusCode)
		}
	}
	if answer, _ := r.Fetch("/scholarship/v1/fetch-scholarship-event-data?slug=hiresure"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("its data: %d", answer.StatusCode)
	}
	for _, closed := range []bool{false, true} {
		if closed {
			if err := r.Site.Words.Publish(revised(t, change{"application.yaml", "state: open", "state: closed"})); err != nil {
				t.Fatal(err)
			}
		}
		want := map[bool]string{true: "Applications are closed at the moment."}[closed]
		event, _ := events.EventByCode(enrol.ApplicationCode)
		if why := event.Closed(r.Site.Clock()); why != want {
			t.Errorf("closed %t: %q, want %q", closed, why, want)
		}
		if _, home := r.Fetch("/hiresure"); strings.Contains(home, "Family income and marks decide.") == closed {
			t.Errorf("closed %t: the home page offers it: %t", closed, closed)
		}
	}
}

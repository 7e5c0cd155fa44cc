package site_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"hiresure/cmd/site/sitetest"
)

func TestGrievanceMailGoesToTheOfficer(t *testing.T) {
	s := sitetest.New(t, map[string]string{"CAPTCHA": "off"})
	form := url.Values{"name": {"Asha Rao"}, "email": {"asha@example.com"}, "category": {"payment"}, "message": {"I paid twice.\r\nNobody answers."}}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, s.Config.BaseURL+"/legal/grievance", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if s.Handler.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Fatalf("answered %d: %s", w.Code, w.Body)
	}
	for _, worker := range s.Workers {
		if _, err := worker.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct{ to, subject, text string }{
		{"grievance@hiresure.example", "Complaint GRV-", "\n\nIn the writer's words:\n\nI paid twice.\nNobody answers.\n\n-- \n"},
		{"asha@example.com", "Your complaint is registered: GRV-", "Your complaint has reached Revathi Menon, Grievance Officer."},
	} {
		got, _, err := s.Store.OutboxPage(t.Context(), row.to, "", 10)
		if err != nil || len(got) != 1 {
			t.Errorf("%s has %d mails, %v", row.to, len(got), err)
			continue
		}
		if !strings.HasPrefix(got[0].Subject, row.subject) || !strings.Contains(got[0].Body, row.text) {
			t.Errorf("%s got %q: %q", row.to, got[0].Subject, got[0].Body)
		}
	}
}

package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hiresure/admission/staff"
)

func TestStaffMoveAnExam(t *testing.T) {
	r := openSite(t)
	s, owner := r.Site, r.Visitor
	txn := r.Pay()
	r.Work()
	r.Passes(time.Minute) // the newest mail is of the move
	paid, err := s.Business.Payment.Find(t.Context(), txn)
	if err != nil {
		t.Fatal(err)
	}
	id, key, number := paid.Registration.ID, paid.Registration.TicketKey, paid.Registration.Ticket
	cookie := become(t, s, staff.Support)
	at := "/admin/registrations/" + id + "/exam"
	shows := func(what, page string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %q: %s", what, part, page)
			}
		}
	}
	shows("the menu", as(s, cookie, http.MethodGet, "/admin/registrations/"+id, nil).Body.String(), `href="`+at+`"`, "Move to another exam")
	shows("the dialog", as(s, cookie, http.MethodGet, at, nil).Body.String(), "<b>14 Mar 2027</b>", "HireSure mGrow Scholarship. Ticket "+number, "28 Mar 2027, HireSure Campus Scholarship", "Fee ₹1,499.00",
		`value="KS_Campus" checked`, "<del>14 Mar 2027</del> → <b>28 Mar 2027</b>", "the old one stops working", "<del>7 Mar 2027</del> → <b>21 Mar 2027</b>", "stays, same fee", "Move to 28 March", "E-mail and SMS go out at once.")
	send := func(event, shown, reason string) (int, string, string) {
		w := as(s, cookie, http.MethodPost, at, url.Values{"from": {"KS_Mgrow"}, "event": {event}, "shown": {shown}, "reason": {reason}})
		return w.Code, w.Header().Get("Location"), w.Body.String()
	}
	const reason = "Another exam on the same day"
	code, _, page := send("KS_Campus", "KS_Campus", "")
	shows("without a reason", page, "Choose a reason")
	if code != http.StatusUnprocessableEntity {
		t.Errorf("without a reason: %d", code)
	}
	code, _, page = send("", "KS_Campus", reason)
	shows("without an exam", page, "Choose an exam", `value="`+reason+`" selected`)
	if code != http.StatusUnprocessableEntity {
		t.Errorf("without an exam: %d", code)
	}
	if code, _, _ := send("KS_Campus", "", reason); code != http.StatusOK {
		t.Errorf("another exam than shown: %d", code)
	}
	if w := call(s, "GET /ticket/"+key); w.Code != http.StatusOK {
		t.Fatalf("nothing is moved yet, and the ticket answers %d", w.Code)
	}
	if code, location, page := send("KS_Campus", "KS_Campus", reason); location != "/admin/registrations/"+id+"?said=moved" {
		t.Fatalf("the move answers %d to %q: %s", code, location, page)
	}
	if code, _, page := send("KS_Campus", "KS_Campus", reason); code == http.StatusSeeOther || !strings.Contains(page, "Somebody else was faster") && !strings.Contains(page, "Choose an exam") {
		t.Errorf("pressed twice: %d %s", code, page)
	}
	if w := call(s, "GET /ticket/"+key); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), owner.Name) {
		t.Errorf("the old code answers %d", w.Code)
	}
	moved, err := s.Business.Payment.Find(t.Context(), txn)
	if err != nil {
		t.Fatal(err)
	}
	shows("the new ticket", call(s, "GET /ticket/"+moved.Registration.TicketKey).Body.String(), number, "28 Mar", "HireSure Campus Scholarship")
	shows("the person's page", as(s, cookie, http.MethodGet, "/admin/registrations/"+id+"?said=moved", nil).Body.String(), "The exam is moved.", "Moved to another exam", "14 Mar 2027 → 28 Mar 2027. "+reason, "Exam moved")
	mail := r.Mail(owner.Email)
	shows("the mail", mail, "Your exam is now on", "28 March", number, "/ticket/"+moved.Registration.TicketKey)
	if w := as(s, become(t, s, staff.Finance), http.MethodPost, at, url.Values{}); w.Code != http.StatusForbidden {
		t.Errorf("finance moves an exam: %d", w.Code)
	}
	r.Passes(2 * time.Minute)
	r.SignUp(owner)
	shows("the applicant's page", r.Ask(owner, http.MethodGet, "/hiresure/registration/"+id, "").Text, "Moved to another exam", "</span> → <span class=\"nowrap\">28 Mar 2027.</span> "+reason, "HireSure Campus Scholarship")
}

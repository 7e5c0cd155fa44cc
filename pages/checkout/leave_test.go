package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hiresure/integrations/payment/sandbox"
)

const leaveButton = `<form class="leave-browser no-print" method="post" action="/leave">`

func TestLeavingEndsTheSession(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	home, err := url.Parse(s.url)
	check(t, err)
	old := b.client.Jar.Cookies(home)
	b.get("/pay").is(http.StatusOK, "Not you? Log out", "Ananya Deshmukh")

	left := b.post("/leave", nil)
	left.leadsTo("/scholarship/hiresure-mgrow-2025")
	if left.status != http.StatusSeeOther || left.header.Get("Clear-Site-Data") != `"cookies", "storage"` || left.header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("%d %v", left.status, left.header)
	}
	if kept := b.client.Jar.Cookies(home); len(kept) != 0 {
		t.Errorf("the browser keeps %v", kept)
	}

	thief := s.stranger()
	thief.client.Jar.SetCookies(home, old)
	for sentence, visitor := range map[string]*browser{"the browser that was left": b, "the old cookie": thief} {
		t.Run(sentence, func(t *testing.T) {
			if pay := visitor.get("/pay"); pay.status != http.StatusFound || pay.location != "/account/sign-in?next=%2Fpay" {
				t.Errorf("/pay answers %d to %q", pay.status, pay.location)
			}
			visitor.get("/success?kspay_id="+txn).is(http.StatusOK, congratulations).without("Ananya Deshmukh", "Receipt", leaveButton)
			visitor.get("/checkout/"+txn+"/receipt").is(http.StatusNotFound, "Open your receipt from the e-mail", "Look for “You are enrolled” from HireSure", "Sign in", "Give us the first 8 characters of your payment ID: "+txn[:4]+" "+txn[4:8]).
				holds(`href="/account/sign-in?next=%2Fcheckout%2F`+txn+`%2Freceipt"`).without("Ananya", "₹")
			visitor.post("/pay", url.Values{"scholarship_requested_id": {b.registration.ID}}).leadsTo("/#no-enrolment")
		})
	}
	thief.post("/leave", nil).is(http.StatusSeeOther)
}

func TestLeaveIsOfferedToKnownVisitorsOnly(t *testing.T) {
	for _, outcome := range []sandbox.Outcome{sandbox.Paid, sandbox.Failed, sandbox.Pending} {
		t.Run(string(outcome), func(t *testing.T) {
			s := newSite(t)
			b, txn := s.at(outcome, nil)
			for _, address := range []string{"/pay", "/success?kspay_id=" + txn} {
				b.get(address).is(http.StatusOK, "Not you? Log out").holds(leaveButton)
			}
			s.stranger().get("/success?kspay_id=" + txn).is(http.StatusOK).without(leaveButton)
		})
	}
}

func TestOtherSitesCannotSendAnybodyAway(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(nil)
	for _, headers := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/leave", strings.NewReader(""))
		check(t, err)
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		answer, err := b.client.Do(r)
		refused := b.read(answer, err).is(http.StatusForbidden)
		if refused.header.Get("Clear-Site-Data") != "" || refused.header.Get("Set-Cookie") != "" {
			t.Errorf("%v: %v", headers, refused.header)
		}
	}
	b.get("/leave").is(http.StatusMethodNotAllowed)
	b.get("/pay").is(http.StatusOK, "Ananya Deshmukh")
}

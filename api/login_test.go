package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store/storetest"
)

// API clients sign in, and stay signed in.

func TestANewPersonSignsUpByTheAPI(t *testing.T) {
	storetest.EachURL(t, onANewPersonSignsUpByTheAPI)
}

func onANewPersonSignsUpByTheAPI(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	enrolled := s.browser().proves(phone, email).enrols(nil)
	s.clock.Pass(time.Minute)
	b := s.client()
	first := b.signsUp()
	profile := b.as(first.access).get(profilePath)
	want(t, profile, http.StatusOK, "Profile found.")
	for path, value := range map[string]string{"first_name": "Asha Kumari", "last_name": "Rao", "email": email, "mobile_number": phone, "profile_step": ""} {
		if got := profile.text("scholarshipRequestedData", path); got != value {
			t.Errorf("%s %q, want %q", path, got, value)
		}
	}
	want(t, b.as(first.access).starts(enrolled), http.StatusOK, "Payment started.") // the phone's enrolment belongs to the account
	for _, message := range []string{"new-device", "new-device-sms"} {
		if n := len(s.ledger.sent(message, email)) + len(s.ledger.sent(message, "+91"+phone)); n != 0 {
			t.Errorf("a new person is told %d times of a %s", n, message)
		}
	}

	s.clock.Pass(10*time.Minute - time.Second)
	want(t, b.as(first.access).get(profilePath), http.StatusOK, "Profile found.")
	s.clock.Pass(time.Second)
	wantSignedOut(t, "an access token after ten minutes", b.as(first.access).get(profilePath))
	refreshed := b.as(first.refresh).get(refreshPath)
	want(t, refreshed, http.StatusOK, "You are signed in.")
	second := holds(refreshed)
	if refreshed.text("expires_in") != "600" || second.refresh == first.refresh || second.access == first.access {
		t.Errorf("refreshed %s", refreshed.raw)
	}
	want(t, b.as(second.access).get(profilePath), http.StatusOK, "Profile found.")
	s.clock.Pass(29 * 24 * time.Hour)
	third := holds(b.as(second.refresh).post(refreshPath, object{}))
	s.clock.Pass(29 * 24 * time.Hour) // each refresh extends the session
	want(t, b.as(third.refresh).send(http.MethodPost, refreshPath, ""), http.StatusOK, "You are signed in.")
	if len(b.cookies) != 0 {
		t.Errorf("a client got the cookies %v", b.cookies)
	}

	s.clock.Pass(30 * 24 * time.Hour)
	wantSignedOut(t, "a session that has come to its end", b.as(third.refresh).get(refreshPath))
	if rows := storetest.Rows(t, databaseURL); rows["accounts"] != 1 {
		t.Errorf("%d accounts", rows["accounts"])
	}
}

func TestSignInByAPI(t *testing.T) {
	s := newSite(t)
	s.client().signsUp()
	s.clock.Pass(time.Minute)
	b := s.client().with("User-Agent", "other/2.0")
	asked := b.post(loginCodePath, newAccountRequest(object{"fullname": "Somebody Else", "email": "other@example.com"}))
	got := b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": s.code(phone)})
	want(t, got, http.StatusOK, "You are signed in.")
	if name := b.as(holds(got).access).get(profilePath).text("scholarshipRequestedData", "first_name"); name != "Asha Kumari" {
		t.Errorf("the account has the name %q", name)
	}
	if n := len(s.ledger.sent("new-device-sms", "+91"+phone)); n != 1 {
		t.Errorf("the owner is told %d times of a new device", n)
	}
	if n := storetest.Rows(t, s.url)["accounts"]; n != 1 {
		t.Errorf("%d accounts", n)
	}
	// A code without a name works for a known address only.
	s.clock.Pass(time.Minute)
	asked = b.post(loginCodePath, object{"mobile_number": "+91 98765 43210"})
	want(t, b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": s.code(phone)}), http.StatusOK, "You are signed in.")
	for _, stranger := range []object{{"mobile_number": "9876543219"}, {"email": email}} { // an unverified e-mail
		asked = b.post(loginCodePath, stranger)
		code := ""
		if stranger["email"] != nil {
			code = s.mailed(email)
		} else {
			code = s.code("9876543219")
		}
		got := b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": code})
		want(t, got, http.StatusUnprocessableEntity, "Full name is required.")
		if got.errors()["fullname"] == "" || got.text("access_token") != "" {
			t.Errorf("got %s", got.raw)
		}
		want(t, b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": code}), http.StatusUnprocessableEntity, "Invalid OTP")
	}
}

func TestSignInCodeRequest(t *testing.T) {
	s := newSite(t)
	before := s.ledger.written()
	for _, c := range []struct {
		sentence, field, message string
		body                     object
	}{
		{"nothing", "mobile_number", "Phone number is required.", object{}},
		{"a number that is none", "mobile_number", "Indian phone number must start with 6-9 and be exactly 10 digits.", object{"mobile_number": "12345"}},
		{"an e-mail as a number", "mobile_number", "Indian phone number must start with 6-9 and be exactly 10 digits.", object{"mobile_number": email}},
		{"an e-mail that is none", "email", "Enter a valid email address.", object{"email": "asha"}},
		{"both without a name", "fullname", "Full name is required.", object{"email": email, "mobile_number": phone}},
		{"a name without an e-mail", "email", "Email is required.", object{"fullname": "Asha Rao", "mobile_number": phone}},
		{"a name without a phone", "mobile_number", "Phone number is required.", object{"fullname": "Asha Rao", "email": email}},
		{"a name that is none", "fullname", "Name must be 2-50 characters: letters, spaces, dots, hyphens and apostrophes. Please take out “1”.", newAccountRequest(object{"fullname": "A1"})},
	} {
		got := s.client().post(loginCodePath, c.body)
		if got.status != http.StatusUnprocessableEntity || got.message() != c.message || got.errors()[c.field] != c.message {
			t.Errorf("%s: %d %s", c.sentence, got.status, got.raw)
		}
	}
	wantWritten(t, s, before, nil)
}

func TestSignInDoesNotRevealAccounts(t *testing.T) {
	s := newSite(t, guarded)
	s.addAccount()
	answer := func(i int, body object) string {
		body["captcha_token"] = fmt.Sprint("good", i)
		got := s.client().post(loginCodePath, body)
		return fmt.Sprint(got.status, strings.Replace(string(got.raw), got.text("request_id"), "…", 1))
	}
	for i, pair := range [][2]object{
		{{"email": email}, {"email": "nobody@example.com"}},
		{newAccountRequest(nil), newAccountRequest(object{"mobile_number": "9876543219", "email": "nobody@example.com"})},
	} {
		if known, unknown := answer(2*i, pair[0]), answer(2*i+1, pair[1]); known != unknown {
			t.Errorf("known: %s\nunknown: %s", known, unknown)
		}
	}
}

func TestACodeBelongsToItsRequest(t *testing.T) {
	s := newSite(t)
	b := s.client()
	asked := b.post(loginCodePath, newAccountRequest(nil))
	id, code := asked.text("request_id"), s.code(phone)
	give := func(id, code string) reply { return b.post(loginTokenPath, object{"request_id": id, "otp": code}) }
	own := s.browser().asks("9876543219", "ravi@example.com")
	for sentence, got := range map[string]reply{
		"a wrong code": give(id, wrong(code)), "no code": give(id, ""), "no request": give("", code), "a request that is none": give("../x", code),
		"a request that there is not": give("0123456789abcdefghjkmnpqrs", code),
		"a browser's request":         give(own.text("request_id"), s.code("9876543219")),
		"in a browser":                s.browser().answers(phone, email, id, code),
	} {
		message := "Invalid OTP"
		if sentence == "no code" {
			message = "Please verify the OTP."
		}
		if got.status != http.StatusUnprocessableEntity || got.message() != message || got.text("access_token") != "" {
			t.Errorf("%s: %d %s", sentence, got.status, got.raw)
		}
	}
	for range 3 {
		want(t, give(id, wrong(code)), http.StatusUnprocessableEntity, "Invalid OTP")
	}
	want(t, give(id, wrong(code)), http.StatusUnprocessableEntity, "5 wrong tries: this OTP has ended. Please ask for a new one.")
	want(t, give(id, code), http.StatusTooManyRequests, "5 wrong tries: this OTP has ended. Please ask for a new one.")
	if n := storetest.Rows(t, s.url)["accounts"]; n != 0 {
		t.Errorf("%d accounts", n)
	}
	// Of many concurrent correct codes, one gets tokens.
	s.clock.Pass(time.Minute)
	asked = b.post(loginCodePath, newAccountRequest(nil))
	id, code = asked.text("request_id"), s.code(phone)
	_, statuses := atOnce(20, func(int) reply { return s.client().post(loginTokenPath, object{"request_id": id, "otp": code}) })
	if statuses[200] != 1 || statuses[422] != 19 {
		t.Errorf("statuses %v", statuses)
	}
}

func TestStrangersFillNoTableBySigningIn(t *testing.T) {
	s := newSite(t, guarded, limited)
	ask := func(token string, i int) reply {
		body := object{"mobile_number": fmt.Sprintf("98%03d00000", i)} // each in another block
		if token != "" {
			body["captcha_token"] = token
		}
		return s.client().post(loginCodePath, body)
	}
	want(t, ask("good", 0), http.StatusOK, "We sent a code to your mobile number.")
	before := storetest.Rows(t, s.url)
	for i := range 50 {
		want(t, ask("", i), http.StatusUnprocessableEntity, "Execute reCAPTCHA is not ready yet.")
		want(t, ask("good", i), http.StatusUnprocessableEntity, "Something went wrong.") // used up
		want(t, s.client().post(loginTokenPath, object{"request_id": "0123456789abcdefghjkmnpqrs", "otp": "123456"}), http.StatusUnprocessableEntity, "Invalid OTP")
		wantSignedOut(t, "a made-up refresh token", s.client().as("0123456789abcdefghjkmnpqrs.x.y").get(refreshPath))
	}
	if after := storetest.Rows(t, s.url); !maps.Equal(before, after) {
		t.Errorf("refused calls have left rows: %v, before %v", after, before)
	}
	statuses := map[int]int{}
	for i := range 320 {
		statuses[ask(fmt.Sprint("good", i), i+1).status]++
	}
	if statuses[200] != 299 || statuses[429] != 21 { // 30 an hour per address, ten times as many after a human check
		t.Errorf("statuses %v", statuses)
	}
}

func TestABrowsersCodeGivesNoTokens(t *testing.T) {
	s := newSite(t)
	s.addAccount()
	b := s.browser().proves("9876543219", "ravi@example.com")
	sent, _, err := s.services.Account.RequestCode(t.Context(), admission.Visitor{SessionID: b.cookieSession().ID, IP: "198.51.100.7"}, email)
	if err != nil {
		t.Fatal(err)
	}
	want(t, s.client().post(loginTokenPath, object{"request_id": sent.RequestID, "otp": s.mailed(email)}), http.StatusUnprocessableEntity, "Invalid OTP")
}

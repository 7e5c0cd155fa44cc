package account_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/web/webtest"
)

func TestANewPersonSignsUpAndSeesTheProfile(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account").is(http.StatusOK, "My profile", "Asha Pillai", spoke, "Verified by code on 21 Nov 2026. A new number needs a new code.",
		"Tickets already issued keep the old name.", email, "For receipts and exam dates. Earlier enrolments keep the e-mail that you gave there. Not verified yet. You cannot sign in with it.", "Chrome on Android", "Signed in on 21 Nov 2026 at 12:00", "This device", "Logout")
	if b.header.Get("Cache-Control") != "no-store" || !strings.Contains(b.header.Get("X-Robots-Tag"), "noindex") {
		t.Errorf("others may keep the profile: %v", b.header)
	}
	b.get("/account/sign-up?next=/account").leadsTo("/account")
}

func TestUnknownAddressIsReportedOnceVerified(t *testing.T) {
	s := newSite(t)
	for _, address := range []struct{ typed, to, shown, other, value string }{
		{phone, "+91" + phone, spoke, "email", "new@example.com"},
		{email, email, email, "phone_number", "9876500001"},
	} {
		b := s.browser()
		b.signsIn(address.typed, address.to, "/account").leadsTo("/account/sign-up?next=%2Faccount")
		b.get(b.location).is(http.StatusOK, "No account signs in with "+address.shown+" yet.")
		if n := strings.Count(b.body, " readonly"); n != 1 {
			t.Errorf("%d fields are read-only, want one", n)
		}
		sent := len(s.written)
		typed := regexp.MustCompile(`name="(email|phone_number)"[^>]* value="([^"]+)"`).FindStringSubmatch(b.body)
		b.post("/account/sign-up", "fullname", "Asha Pillai", typed[1], typed[2], address.other, address.value).leadsTo("/account")
		if len(s.written) != sent {
			t.Errorf("another code is sent: %v", s.written[sent:])
		}
		b.get("/account").is(http.StatusOK, address.shown)
	}
}

func TestSignUpDoesNotRevealAccounts(t *testing.T) {
	s := newSite(t)
	s.signedUp(phone, email)
	s.clock.Pass(time.Minute)
	asked := func(path string, pairs ...string) string {
		b := s.browser()
		b.get(path)
		b.post(path, pairs...).asks("/account/sign-in/code")
		text := regexp.MustCompile(`\+91 [0-9 ]{11}`).ReplaceAllString(b.text(), "N")
		return text
	}
	for _, path := range []string{"/account/sign-in", "/account/sign-up"} {
		s.clock.Pass(time.Minute)
		known := asked(path, "identifier", phone, "fullname", "A B", "email", email, "phone_number", phone)
		unknown := asked(path, "identifier", "9876500002", "fullname", "A B", "email", "n@example.com", "phone_number", "9876500002")
		if known != unknown {
			t.Errorf("%s says of a known number\n%s\nand of an unknown one\n%s", path, known, unknown)
		}
	}
}

func TestSignInReturnsToOwnPages(t *testing.T) {
	s := newSite(t)
	s.signedUp(phone, email)
	for next, want := range map[string]string{
		"": "/hiresure", "/account/phone?x=1": "/account/phone?x=1", "https://evil.example/": "/hiresure", "//evil.example": "/hiresure",
		"/\\evil.example": "/hiresure", "javascript:alert(1)": "/hiresure", s.url + "/account": s.url + "/account", s.url + ".evil.example/": "/hiresure",
	} {
		s.clock.Pass(11 * time.Minute)
		b := s.browser()
		b.signsIn(phone, "+91"+phone, next).leadsTo(want)
		b.get("/account/sign-in?next=" + url.QueryEscape(next)).leadsTo(want)
	}
	b := s.browser()
	b.get("/account").leadsTo("/account/sign-in?next=%2Faccount")
	s.clock.Pass(11 * time.Minute)
	b.get("/account/sign-in")
	b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone), "next", "https://evil.example/").leadsTo("/hiresure") // forged in the form
}

func TestErrorsAreAtTheirFields(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.get("/account/sign-in")
	b.post("/account/sign-in", "identifier", "12345").is(http.StatusUnprocessableEntity, "Error: Sign in", "Number must start with 6-9 and be exactly 10 digits.")
	if !strings.Contains(b.body, `value="12345"`) {
		t.Error("what was typed is gone")
	}
	b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code", spoke, "OTP sent by SMS to")
	b.post("/account/sign-in/code", "do", "verify", "otp", "").is(http.StatusUnprocessableEntity, "Please verify the OTP.", spoke)
	b.post("/account/sign-in/code", "do", "verify", "otp", "000 000").is(http.StatusUnprocessableEntity, "Invalid OTP", "Use the latest OTP sent from this page, or press Resend.", spoke)
	b.get("/account").leadsTo("/account/sign-in?next=%2Faccount")
	b.get("/account/sign-up").is(http.StatusOK, "We save your application. Continue it on any phone or computer.", "We send a 6-digit code by SMS.", "No password. We use these for your application: Privacy notice Have an account? Sign in")
	b.post("/account/sign-up").is(http.StatusUnprocessableEntity, "3 answers missing", "Full name is required.", "Email is required.", "Phone number is required.")
}

func TestACodeIsSentAgainAfterAMinute(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.get("/account/sign-in?next=/account")
	b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code")
	s.clock.Pass(18 * time.Second)
	b.post("/account/sign-in/code", "do", "resend").is(http.StatusTooManyRequests, "Please wait 42 seconds and try again.", spoke)
	if !strings.Contains(b.body, `data-resend="42"`) || b.header.Get("Retry-After") != "42" {
		t.Errorf("the page does not say how long: %v", b.header)
	}
	s.clock.Pass(42 * time.Second)
	b.post("/account/sign-in/code", "do", "resend").asks("/account/sign-in/code", spoke)
	if n := len(s.written); n != 2 || s.written[0].Params["Code"] != s.written[1].Params["Code"] {
		t.Errorf("%d messages, want the same code twice", n)
	}
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/account/sign-up?next=%2Faccount")
	other := s.browser()
	other.body = `<input type="hidden" name="request_id" value="` + regexp.MustCompile(`[0-9a-f-]{32,36}`).FindString(b.body) + `">`
	other.post("/account/sign-in/code", "do", "resend", "to", "+91"+phone).leadsTo("/account/sign-in?next=%2Fhiresure") // another browser
	if len(s.written) != 2 {
		t.Error("another browser has a code sent")
	}
}

func TestHumanCheckPageWithoutScripts(t *testing.T) {
	s := newSite(t)
	s.human = true
	for path, pairs := range map[string][]string{
		"/account/sign-in": {"identifier", phone},
		"/account/sign-up": {"fullname", "Asha Pillai", "email", email, "phone_number", "9876500003"},
	} {
		b := s.browser()
		b.get(path)
		b.post(path, pairs...).is(http.StatusOK, "One more step", "Please confirm that you are a person. Wait three seconds, then press the button. What you typed is kept.")
		if len(b.client.Jar.Cookies(&url.URL{Scheme: "http", Host: strings.TrimPrefix(s.url, "http://")})) != 0 || len(s.written) != 0 {
			t.Errorf("%s keeps something of somebody who has not passed", path)
		}
		b.post(path, "captcha_token", "good").asks("/account/sign-in/code")
		s.written = nil
		script := s.browser()
		script.get(path)
		script.post(path, append(pairs, "captcha_token", "good", "website", "x")...).is(http.StatusUnprocessableEntity, "Something went wrong.") // fills what no person sees
		if len(s.written) != 0 {
			t.Errorf("%s sends a code to a script", path)
		}
	}
}

// Whoever signs in meets no wall that strangers have closed: scripts do the page's work, others wait.
func TestPageThatWorksForACode(t *testing.T) {
	s := newSite(t)
	s.human = true
	for range 3 {
		b := s.browser()
		b.get("/account/sign-in")
		b.post("/account/sign-in", "identifier", phone, "captcha_token", "good").asks("/account/sign-in/code")
	}
	b := s.browser()
	b.get("/account/sign-in")
	b.post("/account/sign-in", "identifier", phone, "captcha_token", "other good").is(http.StatusTooManyRequests, "One moment",
		"Many codes were sent to this number. Please wait 10 minutes and try again.", "It takes up to half a minute.")
	if want := `data-challenge="{&#34;provider&#34;:&#34;pow&#34;,&#34;steps&#34;:1}"`; !strings.Contains(b.body, want) {
		t.Errorf("the page has no %s: %s", want, b.body)
	}
	if got := b.header.Get("Retry-After"); got != "600" || len(s.written) != 3 {
		t.Errorf("Retry-After %s, %d messages", got, len(s.written))
	}
	b.post("/account/sign-in", "captcha_token", "good").asks("/account/sign-in/code")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/hiresure")
}

func TestAddressChangeHasItsOwnPage(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/account/name").is(http.StatusOK, "Change your name As on your student ID", "Full name").without("What should we call you?")
	b.post("/account/name", "fullname", "A").is(http.StatusUnprocessableEntity, "Name must be 2-50 characters: letters, spaces, dots, hyphens and apostrophes.")
	b.post("/account/name", "fullname", "Asha Menon").leadsTo("/account#name-saved")
	b.get("/account/phone").is(http.StatusOK, "Which phone is yours, Asha?", "Signed in as "+spoke)
	b.post("/account/phone", "phone_number", "").is(http.StatusUnprocessableEntity, "Phone must be 10 digits.")
	b.post("/account/phone", "phone_number", "91234 5678").is(http.StatusUnprocessableEntity, "Number must start with 6-9 and be exactly 10 digits.")
	b.post("/account/phone", "phone_number", "98200 41567").asks("/account/phone/code", "OTP sent by SMS to +91 98200 41567")
	b.post("/account/phone", "do", "verify", "otp", "000000").is(http.StatusUnprocessableEntity, "Invalid OTP")
	b.post("/account/phone", "do", "verify", "otp", s.code("+919820041567")).leadsTo("/account#phone-saved")
	b.get("/account").is(http.StatusOK, "Asha Menon", "+91 98200 41567").without(spoke)
	if last := s.written[len(s.written)-1]; last.To != "+91"+phone || last.Template != "address-changed-sms" {
		t.Errorf("the last message is %s to %s", last.Template, last.To)
	}

	s.clock.Pass(16 * time.Minute)
	b.get("/account/email").is(http.StatusOK, "Which address is yours, Asha?") // the address of the sign-up can still be verified
	b.post("/account/email", "email", "other@example.com").is(http.StatusConflict, "Is it still you, Asha?", "Please sign in again before you change this.")
	b.get("/account/phone").is(http.StatusOK, "We send a code to +91 98200 41567 first.")
	b.post("/account/sign-in").asks("/account/sign-in/code", "OTP sent by SMS to +91 98200 41567")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+919820041567")).leadsTo("/account/phone")
	b.get("/account/phone").is(http.StatusOK, "Which phone is yours, Asha?")
}

func TestProfileNamesWhatWasSaved(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	for anchor, text := range map[string]string{
		"name-saved": "Your name is saved.", "phone-saved": "Your mobile number is verified and saved.", "email-saved": "Your e-mail is verified and saved.",
		"session-ended": "That device is logged out.",
	} {
		if _, notice, found := strings.Cut(b.get("/account").body, `id="`+anchor+`"`); !found || !strings.Contains(notice[:strings.Index(notice, "</p>")], text) {
			t.Errorf("#%s does not say %q", anchor, text)
		}
	}
	b.without("Verified by code on 21 Nov 2026. For receipts")
	b.get("/account/email")
	b.post("/account/email", "email", email).leadsTo("/account/email/code")
	b.get("/account/email/code")
	b.post("/account/email", "do", "verify", "otp", s.code(email)).leadsTo("/account#email-saved")
	b.get("/account").is(http.StatusOK, "Verified by code on 21 Nov 2026. For receipts and exam dates.").without("Not verified yet")
}

func TestAddressInUseIsReportedOnceVerified(t *testing.T) {
	s := newSite(t)
	s.signedUp("9876500005", "owner@example.com")
	b := s.signedUp(phone, email)
	s.clock.Pass(time.Minute)
	b.get("/account/phone")
	b.post("/account/phone", "phone_number", "9876500005").asks("/account/phone/code", "OTP sent by SMS to +91 98765 00005").without("already registered")
	b.post("/account/phone", "do", "verify", "otp", s.code("+919876500005")).
		is(http.StatusConflict, "This phone number is already registered.", "Is it your own account? Log out and sign in with it")
	b.get("/account").is(http.StatusOK, spoke)
}

func TestWhoSignedUpByEmailVerifiesThePhone(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.signsIn(email, email, "/hiresure/verify").leadsTo("/account/sign-up?next=%2Fhiresure%2Fverify")
	b.get(b.location)
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", email, "phone_number", phone).leadsTo("/hiresure/verify")
	b.get("/account").is(http.StatusOK, "Not verified yet. You cannot sign in with it.", "Verify mobile number")
	b.get("/hiresure/verify").is(http.StatusOK, "Fee ₹ 2,500.00", "Verify your mobile number to start.").without("Start application")
	b.get("/hiresure/verify?number").is(http.StatusOK, "Which phone is yours, Asha?", "Codes and reminders go to this number. One number, one application.", "Signed in as "+email)
	b.post("/hiresure/verify", "phone_number", "5876543210").is(http.StatusUnprocessableEntity, "Number must start with 6-9 and be exactly 10 digits.")
	b.post("/hiresure/verify", "phone_number", phone).asks("/hiresure/verify/code")
	b.post("/hiresure/verify", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/hiresure/form/personal")
	b.get("/hiresure/verify").leadsTo("/hiresure/form/personal")
}

func TestVerifiedPhoneStartsTheApplicationByAPress(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	for range 2 { // a visit starts nothing
		b.get("/hiresure/verify").is(http.StatusOK, "A scholarship based on family income and marks 40 seats a year, for students, graduates and people at work. Each pays the full tuition of one programme.",
			"Fee ₹ 2,500.00 GST included. You pay after step 4 of 6. Refund The whole fee, if we cannot read your application or you withdraw before we open a document. Nothing, if we do not select you. Refund Policy Keep ready Latest marksheet, student or employee ID, passport photo. If you have one, the family income certificate. Time About 20 minutes. You can stop and continue later. Answer Within 30 days of your last document. Two people read it.",
			"Your number "+spoke+" is verified.", "Start application").without("OTP", "Send code", "Your exam on", "Sign in to start.")
	}
	b.post("/hiresure/verify", "do", "begin").leadsTo("/hiresure/form/personal")
	b.post("/hiresure/verify", "do", "begin").leadsTo("/hiresure/form/personal")
	b.get("/hiresure/verify").leadsTo("/hiresure/form/personal")
	stranger := s.browser()
	stranger.get("/hiresure/verify").is(http.StatusOK, "Fee ₹ 2,500.00", "Sign in to start.").without("Start application", "Log out", "Your exam on")
	stranger.post("/hiresure/verify", "do", "begin")
	if stranger.status != http.StatusTemporaryRedirect || stranger.location != "/account/sign-in?next=%2Fhiresure%2Fverify" {
		t.Errorf("a stranger's: %d to %s", stranger.status, stranger.location)
	}

	unproven := s.browser()
	unproven.signsIn("other@example.com", "other@example.com", "/hiresure/verify")
	unproven.get(unproven.location)
	unproven.post("/account/sign-up", "fullname", "Asha Pillai", "email", "other@example.com", "phone_number", "9876500012").leadsTo("/hiresure/verify")
	unproven.post("/hiresure/verify", "do", "begin").is(http.StatusConflict, "Which phone is yours, Asha?", "Please verify the OTP.")
	unproven.get("/hiresure/verify").is(http.StatusOK, "Verify your number").without("Start application")
}

func TestSessionsEnd(t *testing.T) {
	s := newSite(t)
	here := s.signedUp(phone, email)
	s.clock.Pass(time.Minute)
	there := s.browser()
	there.signsIn(phone, "+91"+phone, "/account").leadsTo("/account")
	other := s.signedUp("9876500006", "other@example.com")

	ids := func(b *browser) (ids []string) {
		for _, m := range regexp.MustCompile(`name="end" value="([^"]{20,})"`).FindAllStringSubmatch(b.get("/account").body, -1) {
			ids = append(ids, m[1])
		}
		return ids
	}
	mine := ids(here)
	if len(mine) != 1 || len(ids(other)) != 0 { // the current one logs out
		t.Fatalf("sessions: %d and %d", len(mine), len(ids(other)))
	}
	other.post("/account/sessions", "end", mine[0]).is(http.StatusNotFound)
	if !strings.Contains(s.log.String(), "access to another visitor's record denied") || !strings.Contains(s.log.String(), mine[0]) {
		t.Errorf("nobody hears of it: %s", s.log.String())
	}
	if !slices.Equal(ids(here), mine) {
		t.Error("another's session was ended")
	}
	here.post("/account/sessions", "end", mine[0]).leadsTo("/account#session-ended") // there: the latest
	there.get("/account").leadsTo("/account/sign-in?next=%2Faccount")
	here.get("/account").is(http.StatusOK, "Only here.", "Log out everywhere also closes your ticket in browsers where you enrolled without an account.").without("Is one of these not you?")

	s.clock.Pass(time.Minute)
	there.signsIn(phone, "+91"+phone, "/account").leadsTo("/account")
	here.post("/account/sessions", "end", "everywhere").leadsTo("/hiresure#signed-out")
	there.get("/account").leadsTo("/account/sign-in?next=%2Faccount")
	here.get("/account").leadsTo("/account/sign-in?next=%2Faccount")
	other.get("/account").is(http.StatusOK)
}

func TestLoggingOutEndsTheSession(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	home, _ := url.Parse(s.url)
	old := b.client.Jar.Cookies(home)
	b.get("/account/log-out").is(http.StatusOK, "Log out?", "Your saved work stays. To sign in again, use a code sent to "+spoke)
	b.get("/account").is(http.StatusOK) // opening the page ends no session
	b.post("/account/log-out").leadsTo("/hiresure#signed-out")
	if b.header.Get("Clear-Site-Data") != `"cache", "storage"` || len(b.client.Jar.Cookies(home)) != 0 {
		t.Errorf("%v, %v", b.header, b.client.Jar.Cookies(home))
	}
	thief := s.browser()
	thief.client.Jar.SetCookies(home, old)
	thief.get("/account").leadsTo("/account/sign-in?next=%2Faccount")
	thief.get("/account/log-out").leadsTo("/hiresure")
}

func TestOtherSitesCannotSignInOrOut(t *testing.T) {
	s := newSite(t)
	webtest.RejectsCrossSitePosts(t, s.echo, s.url)
}

package account_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// posts sends a form to a page that requires a sign-in, and follows the redirect that holds it.
func (b *browser) posts(address string, form url.Values) *browser {
	b.t.Helper()
	for {
		r, err := http.NewRequest(http.MethodPost, b.url+address, strings.NewReader(form.Encode()))
		check(b.t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if b.do(r); b.status != http.StatusTemporaryRedirect {
			return b
		}
		address = b.location
	}
}

// renaming returns the form of a page opened by the browser's account.
func (b *browser) renaming() url.Values {
	b.t.Helper()
	owner := regexp.MustCompile(`name="owner" value="([0-9a-f]{24})"`).FindStringSubmatch(b.get("/account/name").body)
	if owner == nil {
		b.t.Fatalf("the page does not say whose it is: %s", b.text())
	}
	return url.Values{"fullname": {"Asha “R” Pillai <b>"}, "dob": {"12", "03", "2005"}, "do": {"next"}, "owner": {owner[1]}}
}

func TestHeldFormIsSentAfterSignIn(t *testing.T) {
	s := newSite(t)
	renaming := s.signedUp(phone, email).renaming()
	b := s.browser()
	b.posts("/account/name", renaming).is(http.StatusOK, "Sign in, or see your ticket", "You were logged out. Sign in, and we send what you typed.").without("Sign up")
	b.post("/account/sign-in", "identifier", "12").is(http.StatusUnprocessableEntity, "Sign in, or see your ticket")
	b.post("/account/sign-in", "identifier", "9876500099").is(http.StatusOK, "Change number")
	b.post("/account/sign-in/code", "do", "start").is(http.StatusOK, "Sign in, or see your ticket")
	s.clock.Pass(time.Minute)
	s.human = true
	b.post("/account/sign-in", "identifier", phone).is(http.StatusOK, "One more step")
	b.post("/account/sign-in", "captcha_token", "good").is(http.StatusOK, "Enter the OTP")
	b.post("/account/sign-in/code", "do", "verify", "otp", "12").is(http.StatusUnprocessableEntity)
	tab := *b
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).is(http.StatusOK, "You are signed in again.", "Continue")
	tab.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).is(http.StatusOK, "You are signed in again.", "Continue")
	for _, field := range []string{`<form method="post" action="/account/name" novalidate>`, `name="fullname" value="Asha “R” Pillai &lt;b&gt;"`, `name="dob" value="12"> <input type="hidden" name="dob" value="03"> <input type="hidden" name="dob" value="2005"`, `name="do" value="next"`} {
		if !strings.Contains(b.body, field) {
			t.Errorf("%s is not in %s", field, b.text())
		}
	}
	if strings.Contains(b.body, "held.") || strings.Contains(b.body, `name="otp"`) {
		t.Errorf("more comes along than was sent: %s", b.text())
	}
	b.get("/account").is(http.StatusOK, "Asha Pillai") // only a press sends it
	b.posts("/account/name", url.Values{"fullname": {"Asha Devi"}, "owner": renaming["owner"]}).leadsTo("/account#name-saved")
	b.get("/account").is(http.StatusOK, "Asha Devi")
}

func TestHeldFormNeedsTheSameAccount(t *testing.T) {
	const refused = "This page was opened in another account. Sign in with that account to send it. Nothing was saved."
	s := newSite(t)
	first := s.signedUp(phone, email)
	second := s.signedUp("9876500002", "meera@example.com")
	second.get("/account/log-out").post("/account/log-out").leadsTo("/hiresure#signed-out")
	renaming := first.renaming()

	// the second account signs in after the first one's session has ended
	b := s.browser()
	b.posts("/account/name", renaming).is(http.StatusOK, "Sign in, or see your ticket")
	s.clock.Pass(time.Minute)
	b.post("/account/sign-in", "identifier", "9876500002").is(http.StatusOK)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+919876500002")).is(http.StatusConflict, refused).without("Asha")
	b.get("/account").is(http.StatusOK, "Asha Pillai", "98765 00002")

	// it has signed in in another tab meanwhile
	b.posts("/account/name", renaming).is(http.StatusConflict, refused)
	b.posts("/account/sign-in?next=%2Faccount%2Fname", renaming).is(http.StatusConflict, refused)
	b.get("/account").is(http.StatusOK, "Asha Pillai", "98765 00002")
	own := b.renaming()
	own.Set("fullname", "Meera Das")
	b.posts("/account/name", own).leadsTo("/account#name-saved")
	b.get("/account").is(http.StatusOK, "Meera Das")

	// a sign-up
	b = s.browser()
	b.posts("/account/name", renaming)
	b.post("/account/sign-in", "identifier", "9876500003").is(http.StatusOK)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+919876500003")).is(http.StatusOK, "Create your account")
	b.post("/account/sign-up", "fullname", "Ravi Nair", "email", "ravi@example.com", "phone_number", "9876500003").is(http.StatusConflict, refused)
	b.get("/account").is(http.StatusOK, "Ravi Nair")
	first.get("/account").is(http.StatusOK, "Asha Pillai")
}

func TestSignedOutButtonMustBePressedAgain(t *testing.T) {
	s := newSite(t)
	for address, next := range map[string]string{
		"/account/data": "%2Faccount%2Fdata", "/account/data/delete": "%2Faccount%2Fdata%2Fdelete", "/account/sessions": "%2Faccount", "/hiresure/verify": "%2Fhiresure%2Fverify",
	} {
		s.browser().posts(address, url.Values{"do": {"collect"}}).leadsTo("/account/sign-in?next=" + next)
	}
}

func TestHeldFormIsSentAtOnceIfSignedIn(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.posts("/account/sign-in?next=%2Faccount%2Fname", b.renaming()).is(http.StatusOK, "You are signed in again.")
}

func TestHeldFormOpensOwnPagesOnly(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.posts("/account/sign-in?next="+url.QueryEscape("https://evil.example/"), b.renaming()).is(http.StatusOK)
	if !strings.Contains(b.body, `action="/hiresure"`) || strings.Contains(b.body, "evil") {
		t.Errorf("it leads away: %s", b.text())
	}
}

func TestATooLargeFormIsNotHeld(t *testing.T) {
	s := newSite(t)
	s.browser().posts("/account/name", url.Values{"fullname": {strings.Repeat("a", 40<<10)}}).leadsTo("/account/sign-in")
}

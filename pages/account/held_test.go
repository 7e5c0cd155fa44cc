package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// posts sends a form to where its sender must be signed in, and follows the redirect that keeps it, as browsers do.
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

var renaming = url.Values{"fullname": {"Asha “R” Pillai <b>"}, "dob": {"12", "03", "2005"}, "do": {"next"}}

func TestWhatWhoIsSignedOutPostsComesAlong(t *testing.T) {
	s := newSite(t)
	s.signedUp(phone, email)
	b := s.browser()
	b.posts("/account/name", renaming).is(http.StatusOK, "Which number is yours?", "You were signed out meanwhile. What you typed comes along, and is sent when you are signed in.").without("Sign up")
	b.post("/account/sign-in", "identifier", "12").is(http.StatusUnprocessableEntity, "Which number is yours?")
	b.post("/account/sign-in", "identifier", "9876500099").is(http.StatusOK, "Not your number? Change it")
	b.post("/account/sign-in/code", "do", "start").is(http.StatusOK, "Which number is yours?")
	s.clock.Pass(time.Minute)
	s.human = true
	b.post("/account/sign-in", "identifier", phone).is(http.StatusOK, "One press more")
	b.post("/account/sign-in", "captcha_token", "good").is(http.StatusOK, "Which six digits did you get?")
	b.post("/account/sign-in/code", "do", "verify", "otp", "12").is(http.StatusUnprocessableEntity)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).is(http.StatusOK, "You are signed in again.", "Go on")
	for _, field := range []string{`<form method="post" action="/account/name" novalidate>`, `name="fullname" value="Asha “R” Pillai &lt;b&gt;"`, `name="dob" value="12"> <input type="hidden" name="dob" value="03"> <input type="hidden" name="dob" value="2005"`, `name="do" value="next"`} {
		if !strings.Contains(b.body, field) {
			t.Errorf("%s is not in %s", field, b.text())
		}
	}
	if strings.Contains(b.body, "held.") || strings.Contains(b.body, `name="otp"`) {
		t.Errorf("more comes along than was sent: %s", b.text())
	}
	b.get("/account").is(http.StatusOK, "Asha Pillai") // nothing is sent but by a press
	b.posts("/account/name", url.Values{"fullname": {"Asha Devi"}}).leadsTo("/account")
	b.get("/account").is(http.StatusOK, "Asha Devi")
}

func TestWhatIsHeldComesAlongThroughASignUp(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.posts("/account/name", renaming)
	b.post("/account/sign-in", "identifier", phone).is(http.StatusOK)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).is(http.StatusOK, "What should we call you?", "Nobody has signed up with "+spoke+" yet.")
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", email, "phone_number", phone).is(http.StatusOK, "You are signed in again.")
	if !strings.Contains(b.body, `name="fullname" value="Asha “R” Pillai &lt;b&gt;"`) {
		t.Errorf("it is lost: %s", b.text())
	}
}

func TestWhoIsSignedInMeanwhileSendsAtOnce(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.posts("/account/sign-in?next=%2Faccount%2Fname", renaming).is(http.StatusOK, "You are signed in again.")
}

func TestWhatIsHeldLeadsToPagesOfOursAlone(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.posts("/account/sign-in?next="+url.QueryEscape("https://evil.example/"), renaming).is(http.StatusOK)
	if !strings.Contains(b.body, `action="/hiresure"`) || strings.Contains(b.body, "evil") {
		t.Errorf("it leads away: %s", b.text())
	}
}

func TestATooLargeFormIsNotHeld(t *testing.T) {
	s := newSite(t)
	s.browser().posts("/account/name", url.Values{"fullname": {strings.Repeat("a", 40<<10)}}).leadsTo("/account/sign-in")
}

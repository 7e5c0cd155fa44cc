package account_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// again checks that the page at its address is unchanged, and that reading it sends no code.
func (b *browser) again(address string) *browser {
	b.t.Helper()
	page, sent := b.text(), len(b.written)
	b.get("/account/sign-in")
	b.get(address).is(http.StatusOK)
	if b.text() != page {
		b.t.Errorf("%s was\n%s\nand is\n%s", address, page, b.text())
	}
	if len(b.written) != sent {
		b.t.Errorf("looking at %s sends a code", address)
	}
	return b
}

func TestTheCodesPageIsThereAgainAtItsAddress(t *testing.T) {
	const here = "/account/sign-in/code?next=%2Faccount"
	s := newSite(t)
	b := s.browser()
	b.get("/account/sign-in?next=/account")
	b.post("/account/sign-in", "identifier", phone).leadsTo(here)
	b.get(here).is(http.StatusOK, "Enter the OTP", "Change number", "6 digits, valid for 10 minutes.", spoke).without("Error:", `class="lede"`)
	b.again(here)
	b.post("/account/sign-in/code", "do", "verify", "otp", "000000").is(http.StatusUnprocessableEntity, "Invalid OTP")
	if !strings.Contains(b.body, `data-here="`+here+`"`) {
		t.Error("the answer to a post does not say where its page is")
	}
	b.get(here).is(http.StatusOK, spoke).without("Invalid OTP")
	if strings.Contains(b.body, "data-here") {
		t.Error("a page that is where it says it is says so again")
	}
	s.browser().get(here).leadsTo("/account/sign-in?next=%2Faccount") // another browser
	b.get("/account/sign-in/code?next=//evil.example").is(http.StatusOK, spoke).without("evil")

	s.clock.Pass(time.Minute)
	b.post("/account/sign-in/code", "do", "resend").leadsTo("/account/sign-in/code?next=%2Fhiresure")
	b.get(here).is(http.StatusOK)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/account/sign-up?next=%2Faccount")
	b.get(here).leadsTo("/account/sign-in?next=%2Faccount") // used up
}

func TestExpiredCodeHasNoPage(t *testing.T) {
	const here = "/account/sign-in/code?next=%2Fhiresure"
	s := newSite(t)
	b := s.browser()
	b.get(here).leadsTo("/account/sign-in?next=%2Fhiresure")
	b.get("/account/sign-in")
	b.post("/account/sign-in", "identifier", email).leadsTo(here)
	s.clock.Pass(10*time.Minute - time.Second)
	b.get(here).is(http.StatusOK, email)
	s.clock.Pass(time.Second)
	b.get(here).leadsTo("/account/sign-in?next=%2Fhiresure")
	s.signedUp(phone, email).get(here).leadsTo("/hiresure") // a signed-in visitor waits for no code
}

func TestInputFromBeforeTheLatestCodeIsNotShown(t *testing.T) {
	const here = "/account/sign-in/code?next=%2Fhiresure"
	s := newSite(t)
	b := s.browser()
	b.get("/account/sign-up")
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", email, "phone_number", "9876543211").asks("/account/sign-in/code")
	b.get("/account/sign-in")
	b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code", spoke)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/hiresure")
	b.get(here).leadsTo("/account/sign-in?next=%2Fhiresure")
}

func TestResendingTabShowsItsOwnCode(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	b.get("/account/sign-in")
	tab := *b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code", spoke)
	b.get("/account/sign-in")
	b.post("/account/sign-in", "identifier", "9820041567").asks("/account/sign-in/code", "+91 98200 41567")
	s.clock.Pass(time.Minute)
	tab.post("/account/sign-in/code", "do", "resend").asks("/account/sign-in/code", spoke).without("98200")
}

func TestTheSecondTabThatGivesACodeIsLedOn(t *testing.T) {
	s := newSite(t)
	give := func(tab browser, action, otp string) *browser { return tab.post(action, "do", "verify", "otp", otp) }
	b := s.browser()
	b.get("/account/sign-in?next=/account")
	b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code")
	tab, code := *b, s.code("+91"+phone)
	give(*b, "/account/sign-in/code", code).leadsTo("/account/sign-up?next=%2Faccount")
	give(tab, "/account/sign-in/code", code).leadsTo("/account/sign-up?next=%2Faccount")
	b.get("/account/sign-up?next=/account")
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", email, "phone_number", phone).leadsTo("/account")
	give(tab, "/account/sign-in/code", code).leadsTo("/account")
	give(tab, "/account/sign-in/code", "000000").is(http.StatusUnprocessableEntity, "Invalid OTP")
	stranger := tab
	stranger.client = s.browser().client
	give(stranger, "/account/sign-in/code", code).is(http.StatusUnprocessableEntity, "Invalid OTP")

	b.get("/account/phone")
	b.post("/account/phone", "phone_number", "9820041567").asks("/account/phone/code")
	tab, code = *b, s.code("+919820041567")
	give(*b, "/account/phone", code).leadsTo("/account#phone-saved")
	give(tab, "/account/phone", code).leadsTo("/account#phone-saved")
	give(tab, "/account/phone", "000000").is(http.StatusUnprocessableEntity, "Invalid OTP")

	b = s.browser() // a sign-up
	b.get("/account/sign-up?next=/account")
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", "other@example.com", "phone_number", "9876543212").asks("/account/sign-in/code")
	tab, code = *b, s.code("+919876543212")
	give(*b, "/account/sign-in/code", code).leadsTo("/account")
	give(tab, "/account/sign-in/code", code).leadsTo("/account")
	b.get("/account/log-out").post("/account/log-out").leadsTo("/hiresure#signed-out")
	give(tab, "/account/sign-in/code", code).is(http.StatusUnprocessableEntity, "Invalid OTP")
}

// An address that belongs to another account was verified and not taken: its code redirects nowhere.
func TestSecondTabWithAnAddressInUseDoesNotContinue(t *testing.T) {
	s := newSite(t)
	s.signedUp("9876500005", "owner@example.com")
	b := s.signedUp(phone, email)
	s.clock.Pass(time.Minute)
	b.get("/account/phone")
	tab := *b.post("/account/phone", "phone_number", "9876500005").asks("/account/phone/code")
	code := s.code("+919876500005")
	b.post("/account/phone", "do", "verify", "otp", code).is(http.StatusConflict)
	tab.post("/account/phone", "do", "verify", "otp", code).is(http.StatusUnprocessableEntity, "Invalid OTP")
}

func TestCodePageKeepsTheSignUpsInput(t *testing.T) {
	const here = "/account/sign-in/code?next=%2Faccount"
	s := newSite(t)
	b := s.browser()
	b.get("/account/sign-up?next=/account")
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", "Asha@Example.com", "phone_number", "98765 43210").leadsTo(here)
	b.get(here).is(http.StatusOK, spoke).again(here)
	if !strings.Contains(b.body, `href="/account/sign-up?next=%2Faccount"`) {
		t.Error("who mistyped the number is not led back to the sign-up")
	}
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/account")
	b.get("/account").is(http.StatusOK, "Asha Pillai", "Asha@Example.com", spoke)
	b.get(here).leadsTo("/account")

	s.clock.Pass(time.Minute) // the same number signs in: the earlier answers create no account
	other := s.browser()
	other.get("/account/sign-in")
	other.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code").without("Asha")
	if strings.Contains(other.body, "Asha") || !strings.Contains(other.body, `href="/account/sign-in?next=%2Fhiresure"`) {
		t.Errorf("somebody's sign-up is in another's page: %s", other.text())
	}
}

func TestRequestWithinAMinuteOpensTheCodePage(t *testing.T) {
	const here = "/account/sign-in/code?next=%2Faccount"
	s := newSite(t)
	b := s.browser()
	for range 2 {
		b.get("/account/sign-in?next=/account")
		b.post("/account/sign-in", "identifier", phone).leadsTo(here)
	}
	b.get(here).is(http.StatusOK, spoke)
	for _, name := range []string{"Asha Pillai", "Asha Menon"} {
		b.get("/account/sign-up?next=/account")
		b.post("/account/sign-up", "fullname", name, "email", email, "phone_number", phone).leadsTo(here)
	}
	if b.get(here).is(http.StatusOK, spoke); len(s.written) != 1 {
		t.Errorf("%d codes were sent, want one", len(s.written))
	}

	other := s.browser()
	other.get("/account/sign-in")
	other.post("/account/sign-in", "identifier", phone).is(http.StatusTooManyRequests, "Please wait 60 seconds and try again.", "Sign in, or see your ticket").without("Enter the code")
	other.get("/account/sign-up")
	other.post("/account/sign-up", "fullname", "A B", "email", email, "phone_number", phone).is(http.StatusTooManyRequests, "Please wait 60 seconds and try again.").without("Enter the code")

	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/account")
	b.get("/account").is(http.StatusOK, "Asha Menon") // as typed last
	b.get("/account/phone")
	for range 2 {
		b.post("/account/phone", "phone_number", "9820041567").leadsTo("/account/phone/code")
		b.get("/account/phone/code").is(http.StatusOK, "+91 98200 41567")
		b.get("/account/phone")
	}
}

func TestLimitedVisitorFindsTheExistingCode(t *testing.T) {
	s := newSite(t)
	stranger := s.browser()
	stranger.get("/account/sign-in")
	stranger.post("/account/sign-in", "identifier", "9820041567").asks("/account/sign-in/code")
	b := s.browser()
	b.get("/account/sign-in?next=/account")
	b.post("/account/sign-in", "identifier", phone).asks("/account/sign-in/code")
	for page, pairs := range map[string][]string{
		"/account/sign-in": {"identifier", "9820041567"},
		"/account/sign-up": {"fullname", "A B", "email", email, "phone_number", "9820041567"},
	} {
		b.get(page + "?next=/account")
		b.post(page, pairs...).is(http.StatusTooManyRequests, "Please wait 60 seconds and try again.", "A code is on its way to you already. Enter the code")
		if !strings.Contains(b.body, `href="/account/sign-in/code?next=%2Faccount"`) {
			t.Errorf("%s does not lead there", page)
		}
	}
	b.get("/account/sign-in/code").is(http.StatusOK, spoke)
}

// wantEnded expects an empty field, Resend first, and Verify inactive.
func wantEnded(b *browser) {
	b.site.t.Helper()
	resend := strings.Index(b.body, `<button class="button" type="submit" name="do" value="resend">`)
	verify := strings.Index(b.body, `value="verify" disabled>Verify`)
	if resend < 0 || verify < resend || strings.Contains(b.body, `value="000000"`) {
		b.site.t.Errorf("Resend at %d, Verify at %d in %s", resend, verify, b.body)
	}
}

func TestExhaustedCodeIsReportedOnItsPage(t *testing.T) {
	const over = "5 wrong tries: this OTP has ended. Please ask for a new one."
	s := newSite(t)
	tooOften := func(b *browser, action, here string) {
		for try := range 5 {
			b.get(here).is(http.StatusOK).without(over)
			b.post(action, "do", "verify", "otp", "000000").is(http.StatusUnprocessableEntity, map[bool]string{true: "Invalid OTP", false: over}[try < 4])
		}
		b.post(action, "do", "verify", "otp", "000000").is(http.StatusTooManyRequests, over)
		wantEnded(b)
		b.get(here).is(http.StatusOK, "Error: Your OTP", over, "Resend")
		wantEnded(b)
		if !strings.Contains(b.body, `data-resend="60"`) || !strings.Contains(b.body, `aria-invalid="true"`) {
			t.Error("the page does not say when another one may be had, or what is wrong")
		}
		s.clock.Pass(time.Minute)
		b.post(action, "do", "resend")
		b.get(b.location).is(http.StatusOK).without(over, "Error:", "disabled")
	}
	b := s.browser()
	b.get("/account/sign-up")
	b.post("/account/sign-up", "fullname", "Asha Pillai", "email", email, "phone_number", phone)
	tooOften(b, "/account/sign-in/code", "/account/sign-in/code?next=%2Fhiresure")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+phone)).leadsTo("/hiresure") // with the typed answers
	b.get("/account/phone")
	b.post("/account/phone", "phone_number", "9820041567")
	tooOften(b, "/account/phone", "/account/phone/code")
}

func TestNewAddressCodeHasItsOwnPage(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	for _, path := range []string{"/account/phone", "/account/email", "/hiresure/verify"} {
		b.get(path + "/code").leadsTo(path)
		s.browser().get(path + "/code").leadsTo("/account/sign-in?next=" + strings.ReplaceAll(path+"/code", "/", "%2F"))
	}
	b.get("/account/email")
	b.post("/account/email", "email", "new@example.com").leadsTo("/account/email/code")
	b.get("/account/email/code").is(http.StatusOK, "new@example.com").again("/account/email/code")
	b.get("/account/phone/code").leadsTo("/account/phone") // that code is for the e-mail
	b.get("/account/phone")
	b.post("/account/phone", "phone_number", "9820041568").leadsTo("/account/phone/code")
	b.get("/account/phone")
	b.post("/account/phone", "phone_number", "9820041567").leadsTo("/account/phone/code")
	b.get("/account/phone/code").is(http.StatusOK, "+91 98200 41567").again("/account/phone/code")
	b.get("/account/email/code").is(http.StatusOK, "new@example.com")
	b.get("/account/phone/code")
	b.post("/account/phone", "do", "verify", "otp", "000000").is(http.StatusUnprocessableEntity, "Invalid OTP")
	if !strings.Contains(b.body, `data-here="/account/phone/code"`) {
		t.Error("the answer to a post does not say where its page is")
	}
	s.clock.Pass(time.Minute)
	b.post("/account/phone", "do", "resend").leadsTo("/account/phone/code")
	b.get("/account/phone/code")
	b.post("/account/phone", "do", "verify", "otp", s.code("+919820041567")).leadsTo("/account#phone-saved")
	b.get("/account/phone/code").leadsTo("/account/phone") // not to the mistyped number
	b.get("/account/email/code").is(http.StatusOK, "new@example.com")
}

func TestStartedApplicationNeedsNoOtherNumbersCode(t *testing.T) {
	s := newSite(t)
	b := s.signedUp(phone, email)
	b.get("/hiresure/verify")
	b.post("/hiresure/verify", "do", "begin").leadsTo("/hiresure/form/personal")
	b.get("/account/phone")
	b.post("/account/phone", "phone_number", "9820041567").leadsTo("/account/phone/code")
	b.get("/hiresure/verify/code").leadsTo("/hiresure/verify")
	b.get("/hiresure/verify").leadsTo("/hiresure/form/personal")
}

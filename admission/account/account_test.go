package account_test

import (
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/business/businesstest"
	"hiresure/store"
)

func TestSignUpWithCode(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		_, before := w.SessionOf(p)
		in, err := p.SignIn("+91 " + p.Phone)
		w.Must(err)
		businesstest.Equal(t, "a phone that nobody has signed up with has an account", in.Account != nil, false)
		businesstest.Equal(t, "address", in.Address, "+91"+p.Phone)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 0)

		done := p.SignUp(p.Email)
		businesstest.Equal(t, "name", done.Account.FullName, "Asha Rao")
		businesstest.Equal(t, "phone is proven", done.Account.PhoneVerified(), true)
		businesstest.Equal(t, "e-mail is proven", done.Account.EmailVerified(), false)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 1)
		businesstest.Same(t, "messages", w.Texts("SELECT template FROM messages"), []string{"otp"})

		session, after := w.SessionOf(p)
		businesstest.Equal(t, "the session is signed in", session.AccountID, done.Account.ID)
		businesstest.Equal(t, "the session's token has changed", before != after, true)
		businesstest.Equal(t, "a phone proven at sign-in counts for an enrolment", session.HasVerified(string(access.ForPhone)+"+91"+p.Phone), true)
		r, err := p.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "what is enrolled later belongs to the account", r.AccountID, done.Account.ID)
	})
}

func TestSignInClaimsEarlierEnrolments(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		p.NewBrowser()
		p.ExpectRegistrationNotFound("a new browser", p.RegistrationID)
		w.Clock.Pass(time.Minute)
		in := p.SignUp(p.Email)
		r, err := w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "account", r.AccountID, in.Account.ID)
		latest, err := w.Enrol.LatestRegistration(w.Ctx, p.Visitor, "KS_Mgrow")
		w.Must(err)
		businesstest.Equal(t, "latest of the event", latest.ID, p.RegistrationID)
		_, err = w.Enrol.LatestRegistration(w.Ctx, p.Visitor, "KS_Campus")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.") // of another event

		other := w.Somebody()
		other.SignUp(other.Email)
		other.ExpectRegistrationNotFound("another account", p.RegistrationID)
		p.NewBrowser()
		p.ExpectRegistrationNotFound("one who knows the e-mail of an account that has not proven it", p.RegistrationID)
	})
}

func TestSignInCodeContinuesEnrolment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		p.NewBrowser()
		_, err := p.SignIn(p.Email) // is proven, but not to be the registration's: anybody may have typed it there
		w.Must(err)
		p.ExpectRegistrationNotFound("the e-mail of an enrolment", p.RegistrationID)
		w.Clock.Pass(time.Minute)
		in, err := p.SignIn(p.Phone)
		w.Must(err)
		businesstest.Equal(t, "a phone that nobody has signed up with has an account", in.Account != nil, false)
		latest, err := w.Enrol.LatestRegistration(w.Ctx, p.Visitor, "KS_Mgrow")
		w.Must(err)
		businesstest.Equal(t, "latest of the event", latest.ID, p.RegistrationID)
		businesstest.Equal(t, "account", latest.AccountID, "")

		other := w.Somebody()
		_, err = other.SignIn(other.Phone)
		w.Must(err)
		other.ExpectRegistrationNotFound("another phone", p.RegistrationID)

		p.NewBrowser()
		w.RunRefund(p.TxnID)
		w.Clock.Pass(time.Minute)
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		latest, err = w.Enrol.LatestRegistration(w.Ctx, p.Visitor, "KS_Mgrow")
		w.Must(err)
		businesstest.Equal(t, "a refunded enrolment, whose payer looks for the refund", latest.ID, p.RegistrationID)
	})
}

func TestUnverifiedAddressOpensNoAccount(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		stranger, owner := w.Somebody(), w.Somebody()
		stranger.SignUp(owner.Email) // claims an e-mail that is another's
		in, err := owner.SignIn(owner.Email)
		w.Must(err)
		businesstest.Equal(t, "the owner of the e-mail lands in the stranger's account", in.Account != nil, false)
		own := owner.SignUp(owner.Email)
		businesstest.Equal(t, "e-mail is proven", own.Account.EmailVerified(), true)
		businesstest.Equal(t, "phone is proven", own.Account.PhoneVerified(), false)
		owner.NewBrowser()
		w.Clock.Pass(time.Minute)
		back, err := owner.SignIn("  " + strings.ToUpper(owner.Email))
		w.Must(err)
		businesstest.Equal(t, "account", back.Account.ID, own.Account.ID)
	})
}

func TestSignInClearsSessionOfOthers(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil) // in this browser
		sibling := w.Somebody()
		sibling.Visitor = p.Visitor
		sibling.SignUp(sibling.Email)
		sibling.ExpectRegistrationNotFound("who signs in where another has enrolled", p.RegistrationID)
		session, _ := w.SessionOf(sibling)
		businesstest.Equal(t, "the other's phone is proven", session.HasVerified(string(access.ForPhone)+"+91"+p.Phone), false)
	})
}

func TestSignOutEndsSessions(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.UserAgent = "Mozilla/5.0 (Linux; Android 14) Chrome/130"
		p.SignUp(p.Email)
		phone := p.Visitor
		w.Clock.Pass(time.Hour)
		p.NewBrowser()
		p.UserAgent = "Mozilla/5.0 (Windows NT 10.0) Firefox/130"
		_, err := p.SignIn(p.Phone)
		w.Must(err)
		businesstest.Same(t, "messages", w.Texts("SELECT template FROM messages WHERE template <> 'otp'"), []string{"new-device-sms"})
		sessions, err := w.Account.Sessions(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "sessions", len(sessions), 2)
		businesstest.Equal(t, "the latest", account.Device(sessions[0].UserAgent), "Firefox on Windows")

		other := w.Somebody()
		other.SignUp(other.Email)
		businesstest.ExpectProblem(t, w.Account.SignOut(w.Ctx, other.Visitor, phone.SessionID), admission.NotFound, "", "Session not found.") // another's session
		w.Must(w.Account.SignOut(w.Ctx, p.Visitor, phone.SessionID))
		businesstest.ExpectProblem(t, w.Account.SignOut(w.Ctx, p.Visitor, phone.SessionID), admission.NotFound, "", "Session not found.") // one that has ended
		w.Clock.Pass(30*24*time.Hour - time.Second)
		sessions, err = w.Account.Sessions(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "sessions before their end", len(sessions), 1)
		w.Clock.Pass(time.Second)
		sessions, err = w.Account.Sessions(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "sessions at their end", len(sessions), 0)
		w.Must(w.Account.SignOutEverywhere(w.Ctx, p.Visitor))
		sessions, err = w.Account.Sessions(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "sessions", len(sessions), 0)
		businesstest.Equal(t, "the other's session stands", w.Count("sessions"), 1)
	})
}

func TestSignOutEverywhereClosesBrowsersThatEnrolled(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		shop := *p // a browser that enrolled, and never signs in
		p.NewBrowser()
		p.SignedIn()
		sibling := w.Paid(nil)
		w.Must(w.Account.SignOutEverywhere(w.Ctx, p.Visitor))
		shop.ExpectRegistrationNotFound("in the browser that enrolled", p.RegistrationID)
		businesstest.Equal(t, "the number is verified there", strings.Contains(strings.Join(w.Texts("SELECT proven FROM sessions"), " "), p.Phone), false)
		if _, err := w.Enrol.RegistrationOfVisitor(w.Ctx, sibling.Visitor, sibling.RegistrationID); err != nil {
			t.Error("another's enrolment:", err)
		}
		businesstest.ExpectProblem(t, w.Account.SignOutEverywhere(w.Ctx, shop.Visitor), admission.NotFound, "", "Account not found.")
	})
}

func TestSignInNotifiesOtherAddress(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		told := func() []string {
			return w.Texts("SELECT template || ' ' || recipient FROM messages WHERE template LIKE 'new-device%' ORDER BY created_at, id")
		}
		p := w.Somebody()
		p.SignUp(p.Email) // the phone is proven, the e-mail is not
		businesstest.Same(t, "who is new", told(), nil)
		w.Clock.Pass(time.Hour)
		_, err := p.SignIn(p.Phone)
		w.Must(err)
		businesstest.Same(t, "in the session that is signed in already", told(), nil)

		w.Clock.Pass(time.Hour)
		p.NewBrowser() // it calls itself as the first one does
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		businesstest.Same(t, "with one proven address", told(), []string{"new-device-sms +91" + p.Phone})

		w.Clock.Pass(time.Hour)
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			a, err := tx.AccountOf("+91" + p.Phone)
			w.Must(err)
			a.EmailProvenAt = w.Clock.Now()
			return tx.SaveAccount(a)
		}))
		p.NewBrowser()
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		w.Clock.Pass(time.Hour)
		p.NewBrowser()
		_, err = p.SignIn(p.Email)
		w.Must(err)
		businesstest.Same(t, "with two, at the other one", told(), []string{"new-device-sms +91" + p.Phone, "new-device " + p.Email, "new-device-sms +91" + p.Phone})
		w.RunJobs()
		businesstest.Equal(t, "and when it was", p.Mailed("new-device").Params["At"], admission.Moment(w.Clock.Now().Add(-time.Hour)))
	})
}

func TestSignInCodeHasOnePurpose(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		sent, to, err := w.Account.RequestCode(w.Ctx, p.Visitor, p.Phone)
		w.Must(err)
		code := p.Recorder.Code(to)
		_, err = w.Access.VerifyCode(w.Ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Phone: p.Phone, Code: code})
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // in an enrolment
		_, err = w.Access.VerifyCode(w.Ctx, p.Visitor, access.EnteredCode{Purpose: access.ForSignIn, RequestID: sent.RequestID, Phone: p.Phone, Code: code})
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // as a proof of a phone
		stranger := w.Somebody()
		_, err = w.Account.SignIn(w.Ctx, stranger.Visitor, sent.RequestID, code)
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // in another browser
		_, _, err = w.Account.RequestCode(w.Ctx, p.Visitor, p.Phone)
		businesstest.ExpectProblem(t, err, admission.TooMany, "identifier", "A code went to this number a moment ago. Please wait 60 seconds and try again.")
		for range 4 {
			_, err = w.Account.SignIn(w.Ctx, p.Visitor, sent.RequestID, "000000")
			businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // a wrong code
		}
		_, err = w.Account.SignIn(w.Ctx, p.Visitor, sent.RequestID, code)
		w.Must(err)
		_, err = w.Account.SignIn(w.Ctx, p.Visitor, sent.RequestID, code)
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // twice
	})
}

func TestEmailIgnoresCase(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		_, to, err := w.Account.RequestCode(w.Ctx, p.Visitor, strings.ToUpper(p.Email))
		w.Must(err)
		businesstest.Equal(t, "goes to", to, strings.ToLower(p.Email))
		code := w.Recorder.Code(to)
		_, _, err = w.Account.RequestCode(w.Ctx, p.Visitor, p.Email)
		businesstest.ExpectProblem(t, err, admission.TooMany, "identifier", "A code went to this address a moment ago. Please wait 60 seconds and try again.")
		businesstest.Equal(t, "the last code", w.Recorder.Code(to), code)
	})
}

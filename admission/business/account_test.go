package business_test

import (
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/store"
)

// signIn requests a code for an address and signs in with it.
func (p *person) signIn(typed string) (account.SignedIn, error) {
	p.t.Helper()
	sent, to, err := p.Account.RequestCode(p.ctx, p.Visitor, typed)
	if err != nil {
		return account.SignedIn{}, err
	}
	in, err := p.Account.SignIn(p.ctx, p.Visitor, sent.RequestID, p.recorder.code(to))
	p.setSession(in)
	return in, err
}

// setSession makes the person's next calls in the signed-in session.
func (p *person) setSession(in account.SignedIn) {
	if in.Account != nil {
		p.AccountID = in.Account.ID
	}
}

// signUp signs up with a name, an e-mail and a phone, and enters the code if one is sent.
func (p *person) signUp(email string) account.SignedIn {
	p.t.Helper()
	in := map[string]string{"fullname": "Asha Rao", "email": email, "phone_number": p.phone}
	done, sent, err := p.Account.SignUp(p.ctx, p.Visitor, in)
	p.must(err)
	if sent != nil {
		proven, err := p.Account.SignIn(p.ctx, p.Visitor, sent.RequestID, p.recorder.code("+91"+p.phone))
		p.must(err)
		if proven.Account != nil {
			p.setSession(proven)
			return proven
		}
		done, sent, err = p.Account.SignUp(p.ctx, p.Visitor, in)
		p.must(err)
		equal(p.t, "another code is sent", sent != nil, false)
	}
	p.setSession(done)
	return done
}

// sessionOf returns the person's session and its token's hash.
func (w *world) sessionOf(p *person) (session *access.Session, hash string) {
	w.t.Helper()
	w.must(w.database.View(w.ctx, func(tx store.Tx) (err error) {
		session, err = tx.Session(p.SessionID)
		return err
	}))
	return session, session.TokenHash
}

// expectNotFound expects a registration to be NotFound.
func (p *person) expectNotFound(what, registration string) {
	p.t.Helper()
	if _, err := p.Enrol.RegistrationOfVisitor(p.ctx, p.Visitor, registration); admission.AsProblem(err) == nil || admission.AsProblem(err).Kind != admission.NotFound {
		p.t.Errorf("%s opens registration %s: %v", what, registration, err)
	}
}

func TestSignUpWithCode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		_, before := w.sessionOf(p)
		in, err := p.signIn("+91 " + p.phone)
		w.must(err)
		equal(t, "a phone that nobody has signed up with has an account", in.Account != nil, false)
		equal(t, "address", in.Address, "+91"+p.phone)
		equal(t, "accounts", w.count("accounts"), 0)

		done := p.signUp(p.email)
		equal(t, "name", done.Account.FullName, "Asha Rao")
		equal(t, "phone is proven", done.Account.PhoneVerified(), true)
		equal(t, "e-mail is proven", done.Account.EmailVerified(), false)
		equal(t, "accounts", w.count("accounts"), 1)
		same(t, "messages", w.texts("SELECT template FROM messages"), []string{"otp"})

		session, after := w.sessionOf(p)
		equal(t, "the session is signed in", session.AccountID, done.Account.ID)
		equal(t, "the session's token has changed", before != after, true)
		equal(t, "a phone proven at sign-in counts for an enrolment", session.HasVerified(string(access.ForPhone)+"+91"+p.phone), true)
		r, err := p.enrol(nil)
		w.must(err)
		equal(t, "what is enrolled later belongs to the account", r.AccountID, done.Account.ID)
	})
}

func TestSignInClaimsEarlierEnrolments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		p.newBrowser()
		p.expectNotFound("a new browser", p.registration)
		w.clock.Pass(time.Minute)
		in := p.signUp(p.email)
		r, err := w.Enrol.RegistrationOfVisitor(w.ctx, p.Visitor, p.registration)
		w.must(err)
		equal(t, "account", r.AccountID, in.Account.ID)
		latest, err := w.Enrol.LatestRegistration(w.ctx, p.Visitor, "KS_Mgrow")
		w.must(err)
		equal(t, "latest of the event", latest.ID, p.registration)
		_, err = w.Enrol.LatestRegistration(w.ctx, p.Visitor, "KS_Campus")
		expectProblem(t, err, admission.NotFound, "", "Registration not found.") // of another event

		other := w.somebody()
		other.signUp(other.email)
		other.expectNotFound("another account", p.registration)
		p.newBrowser()
		p.expectNotFound("one who knows the e-mail of an account that has not proven it", p.registration)
	})
}

func TestSignInCodeContinuesEnrolment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		p.newBrowser()
		_, err := p.signIn(p.email) // is proven, but not to be the registration's: anybody may have typed it there
		w.must(err)
		p.expectNotFound("the e-mail of an enrolment", p.registration)
		w.clock.Pass(time.Minute)
		in, err := p.signIn(p.phone)
		w.must(err)
		equal(t, "a phone that nobody has signed up with has an account", in.Account != nil, false)
		latest, err := w.Enrol.LatestRegistration(w.ctx, p.Visitor, "KS_Mgrow")
		w.must(err)
		equal(t, "latest of the event", latest.ID, p.registration)
		equal(t, "account", latest.AccountID, "")

		other := w.somebody()
		_, err = other.signIn(other.phone)
		w.must(err)
		other.expectNotFound("another phone", p.registration)

		p.newBrowser()
		w.refund(p.txn)
		w.clock.Pass(time.Minute)
		_, err = p.signIn(p.phone)
		w.must(err)
		p.expectNotFound("a phone whose enrolment has ended", p.registration)
	})
}

func TestUnverifiedAddressOpensNoAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		stranger, owner := w.somebody(), w.somebody()
		stranger.signUp(owner.email) // claims an e-mail that is another's
		in, err := owner.signIn(owner.email)
		w.must(err)
		equal(t, "the owner of the e-mail lands in the stranger's account", in.Account != nil, false)
		own := owner.signUp(owner.email)
		equal(t, "e-mail is proven", own.Account.EmailVerified(), true)
		equal(t, "phone is proven", own.Account.PhoneVerified(), false)
		owner.newBrowser()
		w.clock.Pass(time.Minute)
		back, err := owner.signIn("  " + strings.ToUpper(owner.email))
		w.must(err)
		equal(t, "account", back.Account.ID, own.Account.ID)
	})
}

func TestSignInClearsSessionOfOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil) // in this browser
		sibling := w.somebody()
		sibling.Visitor = p.Visitor
		sibling.signUp(sibling.email)
		sibling.expectNotFound("who signs in where another has enrolled", p.registration)
		session, _ := w.sessionOf(sibling)
		equal(t, "the other's phone is proven", session.HasVerified(string(access.ForPhone)+"+91"+p.phone), false)
	})
}

func TestSignOutEndsSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.UserAgent = "Mozilla/5.0 (Linux; Android 14) Chrome/130"
		p.signUp(p.email)
		phone := p.Visitor
		w.clock.Pass(time.Hour)
		p.newBrowser()
		p.UserAgent = "Mozilla/5.0 (Windows NT 10.0) Firefox/130"
		_, err := p.signIn(p.phone)
		w.must(err)
		same(t, "messages", w.texts("SELECT template FROM messages WHERE template <> 'otp'"), []string{"new-device-sms"})
		sessions, err := w.Account.Sessions(w.ctx, p.Visitor)
		w.must(err)
		equal(t, "sessions", len(sessions), 2)
		equal(t, "the latest", account.Device(sessions[0].UserAgent), "Firefox on Windows")

		other := w.somebody()
		other.signUp(other.email)
		expectProblem(t, w.Account.SignOut(w.ctx, other.Visitor, phone.SessionID), admission.NotFound, "", "Session not found.") // another's session
		w.must(w.Account.SignOut(w.ctx, p.Visitor, phone.SessionID))
		expectProblem(t, w.Account.SignOut(w.ctx, p.Visitor, phone.SessionID), admission.NotFound, "", "Session not found.") // one that has ended
		w.clock.Pass(30*24*time.Hour - time.Second)
		sessions, err = w.Account.Sessions(w.ctx, p.Visitor)
		w.must(err)
		equal(t, "sessions before their end", len(sessions), 1)
		w.clock.Pass(time.Second)
		sessions, err = w.Account.Sessions(w.ctx, p.Visitor)
		w.must(err)
		equal(t, "sessions at their end", len(sessions), 0)
		w.must(w.Account.SignOutEverywhere(w.ctx, p.Visitor))
		sessions, err = w.Account.Sessions(w.ctx, p.Visitor)
		w.must(err)
		equal(t, "sessions", len(sessions), 0)
		equal(t, "the other's session stands", w.count("sessions"), 1)
	})
}

func TestSignInNotifiesOtherAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		told := func() []string {
			return w.texts("SELECT template || ' ' || recipient FROM messages WHERE template LIKE 'new-device%' ORDER BY created_at, id")
		}
		p := w.somebody()
		p.signUp(p.email) // the phone is proven, the e-mail is not
		same(t, "who is new", told(), nil)
		w.clock.Pass(time.Hour)
		_, err := p.signIn(p.phone)
		w.must(err)
		same(t, "in the session that is signed in already", told(), nil)

		w.clock.Pass(time.Hour)
		p.newBrowser() // it calls itself as the first one does
		_, err = p.signIn(p.phone)
		w.must(err)
		same(t, "with one proven address", told(), []string{"new-device-sms +91" + p.phone})

		w.clock.Pass(time.Hour)
		w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
			a, err := tx.AccountOf("+91" + p.phone)
			w.must(err)
			a.EmailProvenAt = w.clock.Now()
			return tx.SaveAccount(a)
		}))
		p.newBrowser()
		_, err = p.signIn(p.phone)
		w.must(err)
		w.clock.Pass(time.Hour)
		p.newBrowser()
		_, err = p.signIn(p.email)
		w.must(err)
		same(t, "with two, at the other one", told(), []string{"new-device-sms +91" + p.phone, "new-device " + p.email, "new-device-sms +91" + p.phone})
		w.runJobs()
		equal(t, "and when it was", p.mailed("new-device").Params["At"], admission.Moment(w.clock.Now().Add(-time.Hour)))
	})
}

func TestSignInCodeHasOnePurpose(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		sent, to, err := w.Account.RequestCode(w.ctx, p.Visitor, p.phone)
		w.must(err)
		code := p.recorder.code(to)
		_, err = w.Access.VerifyCode(w.ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Phone: p.phone, Code: code})
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // in an enrolment
		_, err = w.Access.VerifyCode(w.ctx, p.Visitor, access.EnteredCode{Purpose: access.ForSignIn, RequestID: sent.RequestID, Phone: p.phone, Code: code})
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // as a proof of a phone
		stranger := w.somebody()
		_, err = w.Account.SignIn(w.ctx, stranger.Visitor, sent.RequestID, code)
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // in another browser
		_, _, err = w.Account.RequestCode(w.ctx, p.Visitor, p.phone)
		expectProblem(t, err, admission.TooMany, "identifier", "Too many tries. Please wait 60 seconds and try again.")
		for range 4 {
			_, err = w.Account.SignIn(w.ctx, p.Visitor, sent.RequestID, "000000")
			expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // a wrong code
		}
		_, err = w.Account.SignIn(w.ctx, p.Visitor, sent.RequestID, code)
		w.must(err)
		_, err = w.Account.SignIn(w.ctx, p.Visitor, sent.RequestID, code)
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // twice
	})
}

func TestEmailIgnoresCase(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		_, to, err := w.Account.RequestCode(w.ctx, p.Visitor, strings.ToUpper(p.email))
		w.must(err)
		equal(t, "goes to", to, strings.ToLower(p.email))
		code := w.recorder.code(to)
		_, _, err = w.Account.RequestCode(w.ctx, p.Visitor, p.email)
		expectProblem(t, err, admission.TooMany, "identifier", "Too many tries. Please wait 60 seconds and try again.")
		equal(t, "the last code", w.recorder.code(to), code)
	})
}

package business_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/store/storetest"
)

// changeAddress requests a code for a new address of the person's account and enters it.
func (p *person) changeAddress(field, typed, to string) (account.Changed, error) {
	p.t.Helper()
	sent, asked, err := p.Account.RequestAddress(p.ctx, p.Visitor, field, typed)
	if err != nil {
		return account.Changed{}, err
	}
	equal(p.t, "the code goes to", asked, to)
	return p.Account.ChangeAddress(p.ctx, p.Visitor, sent.RequestID, p.recorder.code(to))
}

// account returns the person's account.
func (p *person) account() *account.Account {
	p.t.Helper()
	a, err := p.Account.Profile(p.ctx, p.Visitor)
	p.must(err)
	return &a
}

func TestRename(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		w.clock.Pass(time.Hour)
		w.must(w.Account.Rename(w.ctx, p.Visitor, "  Asha Pillai "))
		equal(t, "name", p.account().FullName, "Asha Pillai")
		equal(t, "changed at", p.account().ModifiedAt.Equal(w.clock.Now()), true)
		expectProblem(t, w.Account.Rename(w.ctx, p.Visitor, "A"), admission.Invalid, "fullname", "Name must be 2-50 characters and contain only letters, spaces, dots and hyphens.")
		expectProblem(t, w.Account.Rename(w.ctx, admission.Visitor{SessionID: p.SessionID}, "Asha"), admission.NotFound, "", "Account not found.") // a stranger
		equal(t, "name", p.account().FullName, "Asha Pillai")
	})
}

func TestChangeAddressAfterVerification(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		w.clock.Pass(time.Minute)
		p.signUp(p.email)
		here, elsewhere := p.Visitor, w.somebody()
		elsewhere.phone = p.phone
		w.clock.Pass(time.Minute)
		elsewhere.newBrowser()
		_, err := elsewhere.signIn(p.phone)
		w.must(err)
		_, before := w.sessionOf(p)
		_, helpers, err := storetest.AddSession(w.ctx, w.database, w.clock.Now().AddDate(0, 1, 0), p.registration)
		w.must(err)
		helper := admission.Visitor{SessionID: helpers.ID} // who proved the old phone once, and is not signed in
		_, err = w.Enrol.RegistrationOfVisitor(w.ctx, helper, p.registration)
		w.must(err)

		sent, _, err := w.Account.RequestAddress(w.ctx, here, "phone_number", "98200 41567")
		w.must(err)
		equal(t, "phone while it is not proven", p.account().Phone, "+91"+p.phone)
		_, err = w.Account.ChangeAddress(w.ctx, here, sent.RequestID, "000000")
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		equal(t, "phone after a wrong code", p.account().Phone, "+91"+p.phone)
		changed, err := w.Account.ChangeAddress(w.ctx, here, sent.RequestID, p.recorder.code("+919820041567"))
		w.must(err)
		equal(t, "phone", p.account().Phone, "+919820041567")
		equal(t, "phone is proven", changed.Account.PhoneVerified(), true)
		same(t, "who is told", w.texts("SELECT recipient FROM messages WHERE template = 'address-changed-sms'"), []string{"+91" + p.phone})
		_, after := w.sessionOf(p)
		equal(t, "the session's token has changed", before != after, true)

		_, err = w.Enrol.RegistrationOfVisitor(w.ctx, p.Visitor, p.registration)
		w.must(err) // what was enrolled with the old phone stays the account's
		_, err = w.Enrol.RegistrationOfVisitor(w.ctx, helper, p.registration)
		expectProblem(t, err, admission.NotFound, "", "Registration not found.")
		_, err = w.Enrol.LatestRegistration(w.ctx, helper, "")
		expectProblem(t, err, admission.NotFound, "", "Registration not found.")
		same(t, "phones of registrations", w.texts("SELECT phone FROM registrations"), []string{"+919820041567"})
		sessions, err := w.Account.Sessions(w.ctx, elsewhere.Visitor)
		w.must(err)
		equal(t, "sessions that stay", len(sessions), 2)
		stranger := w.somebody()
		w.clock.Pass(11 * time.Minute)
		in, err := stranger.signIn(p.phone)
		w.must(err)
		equal(t, "the old phone opens the account", in.Account != nil, false)
		stranger.phone = p.phone // the number has a new owner
		r, err := stranger.enrol(nil)
		w.must(err)
		equal(t, "who has the old number now gets the registration", r.ID == p.registration, false)
	})
}

func TestChangePhoneConflictsWithSameExam(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, other := w.enrolled(nil), w.enrolled(nil) // the same person, with two numbers
		w.clock.Pass(time.Minute)
		p.signUp(p.email)
		_, err := p.changeAddress("phone_number", other.phone, "+91"+other.phone)
		expectProblem(t, err, admission.Conflict, "phone_number", "Both numbers have an enrolment for the same exam. Please write to us, and we join them.")
		equal(t, "phone", p.account().Phone, "+91"+p.phone)
		same(t, "who owns the other", w.texts("SELECT account_id FROM registrations WHERE id = '"+other.registration+"'"), []string{""})
	})
}

func TestVerifiedAddressDoesNotRefreshSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		w.clock.Pass(16 * time.Minute)
		_, sent, err := w.Account.SignUp(w.ctx, p.Visitor, map[string]string{"fullname": "Asha Rao", "email": "x@example.com", "phone_number": p.phone})
		expectProblem(t, err, admission.Conflict, "", "You are signed in already. Log out before you sign up somebody else.")
		equal(t, "a code is sent", sent != nil, false)
		fresh, err := w.Account.SignedInRecently(w.ctx, p.Visitor)
		w.must(err)
		equal(t, "fresh", fresh, false)
	})
}

func TestLateCodeDoesNotChangeAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		w.clock.Pass(14 * time.Minute)
		sent, to, err := w.Account.RequestAddress(w.ctx, p.Visitor, "phone_number", "98200 41567")
		w.must(err)
		w.clock.Pass(12 * time.Minute)
		_, err = w.Access.ResendCode(w.ctx, p.Visitor, sent.RequestID)
		w.must(err)
		_, err = w.Account.ChangeAddress(w.ctx, p.Visitor, sent.RequestID, p.recorder.code(to))
		expectProblem(t, err, admission.Conflict, "", "Please sign in once more before you change this.")
		equal(t, "phone", p.account().Phone, "+91"+p.phone)
	})
}

func TestChangeAddressRequiresRecentSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		fresh := func() bool {
			is, err := w.Account.SignedInRecently(w.ctx, p.Visitor)
			w.must(err)
			return is
		}
		w.clock.Pass(15*time.Minute - time.Second)
		equal(t, "fresh before a quarter of an hour", fresh(), true)
		w.clock.Pass(time.Second)
		equal(t, "fresh after it", fresh(), false)
		_, err := p.changeAddress("phone_number", "9820041567", "")
		expectProblem(t, err, admission.Conflict, "", "Please sign in once more before you change this.")
		_, err = p.changeAddress("email", "other@example.com", "")
		expectProblem(t, err, admission.Conflict, "", "Please sign in once more before you change this.")
		equal(t, "messages", w.count("messages"), 1)

		_, err = p.changeAddress("email", p.email, p.email) // the one of the sign-up, not proven yet
		w.must(err)
		equal(t, "e-mail is proven", p.account().EmailVerified(), true)
		same(t, "who is told", w.texts("SELECT recipient FROM messages WHERE template LIKE 'address-changed%'"), nil)
		_, err = p.signIn(p.phone)
		w.must(err)
		equal(t, "fresh after another code", fresh(), true)
		_, err = p.changeAddress("email", "other@example.com", "other@example.com")
		w.must(err)
		same(t, "who is told", w.texts("SELECT recipient FROM messages WHERE template = 'address-changed'"), []string{p.email})
		w.runJobs()
		equal(t, "and when it was", p.mailed("address-changed").Params["At"], admission.Moment(w.clock.Now()))
		_, err = p.changeAddress("email", "OTHER@example.com", "")
		expectProblem(t, err, admission.Invalid, "email", "This is yours already.")
	})
}

func TestChangeAddressRejectsTakenAfterVerification(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		owner, p := w.somebody(), w.somebody()
		owner.signUp(owner.email)
		_, err := owner.changeAddress("email", owner.email, owner.email)
		w.must(err)
		p.signUp("p@example.com")
		w.clock.Pass(time.Minute)
		before := p.account()
		_, err = p.changeAddress("phone_number", owner.phone, "+91"+owner.phone)
		expectProblem(t, err, admission.Conflict, "phone_number", "This phone number is already registered.")
		_, err = p.changeAddress("email", owner.email, owner.email)
		expectProblem(t, err, admission.Conflict, "email", "This email is already in use. Please try another.")
		equal(t, "the account", *p.account(), *before)
		equal(t, "who is told", len(w.texts("SELECT recipient FROM messages WHERE template LIKE 'address-changed%'")), 0)
	})
}

func TestVerifyPhoneAfterEmailSignUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		enrolled := w.enrolled(nil)
		p := w.somebody()
		p.phone = enrolled.phone
		in, err := p.signIn(p.email)
		w.must(err)
		equal(t, "the address to sign up with", verifiedAddress(w, p), p.email)
		equal(t, "account", in.Account == nil, true)
		p.signUp(p.email)
		equal(t, "the address to sign up with", verifiedAddress(w, p), "")
		p.expectNotFound("a phone that is not proven", enrolled.registration)
		w.clock.Pass(time.Hour) // no fresh sign-in is asked for
		_, err = p.changeAddress("phone_number", p.phone, "+91"+p.phone)
		w.must(err)
		_, err = w.Enrol.RegistrationOfVisitor(w.ctx, p.Visitor, enrolled.registration)
		w.must(err)
		same(t, "who is told", w.texts("SELECT recipient FROM messages WHERE template LIKE 'address-changed%'"), nil)
	})
}

// verifiedAddress returns the address that a person's session may sign up with.
func verifiedAddress(w *world, p *person) string {
	w.t.Helper()
	address, err := w.Account.VerifiedAddress(w.ctx, p.Visitor)
	w.must(err)
	return address
}

func TestAddressCodeDoesNotSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		sent, to, err := w.Account.RequestAddress(w.ctx, p.Visitor, "phone_number", "9820041567")
		w.must(err)
		_, err = w.Account.SignIn(w.ctx, p.Visitor, sent.RequestID, p.recorder.code(to))
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		w.clock.Pass(time.Minute)
		sign, own, err := w.Account.RequestCode(w.ctx, p.Visitor, p.phone)
		w.must(err)
		_, err = w.Account.ChangeAddress(w.ctx, p.Visitor, sign.RequestID, p.recorder.code(own))
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
	})
}

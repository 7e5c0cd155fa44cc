package account_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/store/storetest"
)

func TestRename(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		w.Clock.Pass(time.Hour)
		w.Must(w.Account.Rename(w.Ctx, p.Visitor, "  Asha Pillai "))
		businesstest.Equal(t, "name", p.OwnAccount().FullName, "Asha Pillai")
		businesstest.Equal(t, "changed at", p.OwnAccount().ModifiedAt.Equal(w.Clock.Now()), true)
		businesstest.ExpectProblem(t, w.Account.Rename(w.Ctx, p.Visitor, "A"), admission.Invalid, "fullname", "Name must be 2-50 characters: letters, spaces, dots, hyphens and apostrophes.")
		businesstest.ExpectProblem(t, w.Account.Rename(w.Ctx, admission.Visitor{SessionID: p.SessionID}, "Asha"), admission.NotFound, "", "Account not found.") // a stranger
		businesstest.Equal(t, "name", p.OwnAccount().FullName, "Asha Pillai")
	})
}

func TestChangeAddressAfterVerification(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil) // with a referral code
		w.Clock.Pass(time.Minute)
		p.SignUp(p.Email)
		here, elsewhere := p.Visitor, w.Somebody()
		elsewhere.Phone = p.Phone
		w.Clock.Pass(time.Minute)
		elsewhere.NewBrowser()
		_, err := elsewhere.SignIn(p.Phone)
		w.Must(err)
		_, before := w.SessionOf(p)
		_, helpers, err := storetest.AddSession(w.Ctx, w.Database, w.Clock.Now().AddDate(0, 1, 0), p.RegistrationID)
		w.Must(err)
		helper := admission.Visitor{SessionID: helpers.ID} // who proved the old phone once, and is not signed in
		_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, helper, p.RegistrationID)
		w.Must(err)

		sent, _, err := w.Account.RequestAddress(w.Ctx, here, "phone_number", "98200 41567")
		w.Must(err)
		businesstest.Equal(t, "phone while it is not proven", p.OwnAccount().Phone, "+91"+p.Phone)
		_, err = w.Account.ChangeAddress(w.Ctx, here, sent.RequestID, "000000")
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		businesstest.Equal(t, "phone after a wrong code", p.OwnAccount().Phone, "+91"+p.Phone)
		changed, err := w.Account.ChangeAddress(w.Ctx, here, sent.RequestID, p.Recorder.Code("+919820041567"))
		w.Must(err)
		businesstest.Equal(t, "phone", p.OwnAccount().Phone, "+919820041567")
		businesstest.Equal(t, "phone is proven", changed.Account.PhoneVerified(), true)
		businesstest.Same(t, "who is told", w.Texts("SELECT recipient FROM messages WHERE template = 'address-changed-sms'"), []string{"+91" + p.Phone})
		_, after := w.SessionOf(p)
		businesstest.Equal(t, "the session's token has changed", before != after, true)

		_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err) // what was enrolled with the old phone stays the account's
		_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, helper, p.RegistrationID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
		_, err = w.Enrol.LatestRegistration(w.Ctx, helper, "")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
		businesstest.Same(t, "phones of registrations", w.Texts("SELECT phone FROM registrations"), []string{"+919820041567"})
		sessions, err := w.Account.Sessions(w.Ctx, elsewhere.Visitor)
		w.Must(err)
		businesstest.Equal(t, "sessions that stay", len(sessions), 2)
		stranger := w.Somebody()
		w.Clock.Pass(11 * time.Minute)
		in, err := stranger.SignIn(p.Phone)
		w.Must(err)
		businesstest.Equal(t, "the old phone opens the account", in.Account != nil, false)
		for _, number := range []string{"+91" + p.Phone, ""} {
			none, err := w.Registry.HomeWithoutAccount(w.Ctx, stranger.Visitor, number)
			w.Must(err)
			businesstest.Equal(t, "the old phone finds the registration", none.Next != nil, false)
		}
		renewed := w.Somebody()
		in, err = renewed.SignIn("9820041567")
		w.Must(err)
		businesstest.Equal(t, "the new phone opens the account", in.Account != nil, true)
		found, err := w.Registry.Home(w.Ctx, renewed.Visitor)
		w.Must(err)
		businesstest.Equal(t, "the new phone finds the registration", found.Next != nil && found.Next.Registration.ID == p.RegistrationID, true)
		stranger.Phone = p.Phone // the number has a new owner
		r, err := stranger.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "who has the old number now gets the registration", r.ID == p.RegistrationID, false)
	})
}

func TestChangePhoneConflictsWithSameExam(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Enrolled(nil), w.Enrolled(nil) // the same person, with two numbers
		w.Clock.Pass(time.Minute)
		p.SignUp(p.Email)
		_, err := p.ChangeAddress("phone_number", other.Phone, "+91"+other.Phone)
		businesstest.ExpectProblem(t, err, admission.Conflict, "phone_number", "Both numbers have an enrolment for the same exam. Please write to us, and we join them.")
		businesstest.Equal(t, "phone", p.OwnAccount().Phone, "+91"+p.Phone)
		businesstest.Same(t, "who owns the other", w.Texts("SELECT account_id FROM registrations WHERE id = '"+other.RegistrationID+"'"), []string{""})
	})
}

func TestVerifiedAddressDoesNotRefreshSignIn(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		w.Clock.Pass(16 * time.Minute)
		_, sent, err := w.Account.SignUp(w.Ctx, p.Visitor, map[string]string{"fullname": "Asha Rao", "email": "x@example.com", "phone_number": p.Phone})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "You are already signed in. Log out before you sign up another person.")
		businesstest.Equal(t, "a code is sent", sent != nil, false)
		fresh, err := w.Account.SignedInRecently(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "fresh", fresh, false)
	})
}

func TestLateCodeDoesNotChangeAddress(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		w.Clock.Pass(14 * time.Minute)
		sent, to, err := w.Account.RequestAddress(w.Ctx, p.Visitor, "phone_number", "98200 41567")
		w.Must(err)
		w.Clock.Pass(12 * time.Minute)
		_, err = w.Access.ResendCode(w.Ctx, p.Visitor, sent.RequestID)
		w.Must(err)
		_, err = w.Account.ChangeAddress(w.Ctx, p.Visitor, sent.RequestID, p.Recorder.Code(to))
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Please sign in again before you change this.")
		businesstest.Equal(t, "phone", p.OwnAccount().Phone, "+91"+p.Phone)
	})
}

func TestChangeAddressRequiresRecentSignIn(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		fresh := func() bool {
			is, err := w.Account.SignedInRecently(w.Ctx, p.Visitor)
			w.Must(err)
			return is
		}
		w.Clock.Pass(15*time.Minute - time.Second)
		businesstest.Equal(t, "fresh before a quarter of an hour", fresh(), true)
		w.Clock.Pass(time.Second)
		businesstest.Equal(t, "fresh after it", fresh(), false)
		_, err := p.ChangeAddress("phone_number", "9820041567", "")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Please sign in again before you change this.")
		_, err = p.ChangeAddress("email", "other@example.com", "")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Please sign in again before you change this.")
		businesstest.Equal(t, "messages", w.Count("messages"), 1)

		_, err = p.ChangeAddress("email", p.Email, p.Email) // the one of the sign-up, not proven yet
		w.Must(err)
		businesstest.Equal(t, "e-mail is proven", p.OwnAccount().EmailVerified(), true)
		businesstest.Same(t, "who is told", w.Texts("SELECT recipient FROM messages WHERE template LIKE 'address-changed%'"), nil)
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		businesstest.Equal(t, "fresh after another code", fresh(), true)
		_, err = p.ChangeAddress("email", "other@example.com", "other@example.com")
		w.Must(err)
		businesstest.Same(t, "who is told", w.Texts("SELECT recipient FROM messages WHERE template = 'address-changed'"), []string{p.Email})
		w.RunJobs()
		businesstest.Equal(t, "and when it was", p.Mailed("address-changed").Params["At"], admission.Moment(w.Clock.Now()))
		_, err = p.ChangeAddress("email", "OTHER@example.com", "")
		businesstest.ExpectProblem(t, err, admission.Invalid, "email", "This is yours already.")
	})
}

func TestChangeAddressRejectsTakenAfterVerification(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		owner, p := w.Somebody(), w.Somebody()
		owner.SignUp(owner.Email)
		_, err := owner.ChangeAddress("email", owner.Email, owner.Email)
		w.Must(err)
		p.SignUp("p@example.com")
		w.Clock.Pass(time.Minute)
		before := p.OwnAccount()
		_, err = p.ChangeAddress("phone_number", owner.Phone, "+91"+owner.Phone)
		businesstest.ExpectProblem(t, err, admission.Conflict, "phone_number", "This phone number is already registered.")
		_, err = p.ChangeAddress("email", owner.Email, owner.Email)
		businesstest.ExpectProblem(t, err, admission.Conflict, "email", "This email is already in use. Please try another.")
		businesstest.Equal(t, "the account", *p.OwnAccount(), *before)
		businesstest.Equal(t, "who is told", len(w.Texts("SELECT recipient FROM messages WHERE template LIKE 'address-changed%'")), 0)
	})
}

func TestVerifyPhoneAfterEmailSignUp(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		enrolled := w.Enrolled(nil)
		p := w.Somebody()
		p.Phone = enrolled.Phone
		in, err := p.SignIn(p.Email)
		w.Must(err)
		businesstest.Equal(t, "the address to sign up with", verifiedAddress(w, p), p.Email)
		businesstest.Equal(t, "account", in.Account == nil, true)
		p.SignUp(p.Email)
		businesstest.Equal(t, "the address to sign up with", verifiedAddress(w, p), "")
		p.ExpectRegistrationNotFound("a phone that is not proven", enrolled.RegistrationID)
		w.Clock.Pass(time.Hour) // no fresh sign-in is asked for
		_, err = p.ChangeAddress("phone_number", p.Phone, "+91"+p.Phone)
		w.Must(err)
		_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, enrolled.RegistrationID)
		w.Must(err)
		businesstest.Same(t, "who is told", w.Texts("SELECT recipient FROM messages WHERE template LIKE 'address-changed%'"), nil)
	})
}

// verifiedAddress returns the address that a person's session may sign up with.
func verifiedAddress(w *businesstest.World, p *businesstest.Person) string {
	w.T.Helper()
	address, err := w.Account.VerifiedAddress(w.Ctx, p.Visitor)
	w.Must(err)
	return address
}

func TestAddressCodeDoesNotSignIn(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		sent, to, err := w.Account.RequestAddress(w.Ctx, p.Visitor, "phone_number", "9820041567")
		w.Must(err)
		_, err = w.Account.SignIn(w.Ctx, p.Visitor, sent.RequestID, p.Recorder.Code(to))
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		w.Clock.Pass(time.Minute)
		sign, own, err := w.Account.RequestCode(w.Ctx, p.Visitor, p.Phone)
		w.Must(err)
		_, err = w.Account.ChangeAddress(w.Ctx, p.Visitor, sign.RequestID, p.Recorder.Code(own))
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
	})
}

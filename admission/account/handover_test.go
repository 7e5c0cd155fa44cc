package account_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/business/businesstest"
	"hiresure/store"
)

const login = "Something went wrong, Please login"

// identity returns the person's verified identity at the accounts service.
func identity(p *businesstest.Person) account.Identity {
	return account.Identity{
		FullName: "Asha of Accounts", Phone: "+91" + p.Phone, PhoneVerified: true, Email: p.Email, EmailVerified: true, Once: admission.NewID(), ExpiresAt: p.Clock.Now().Add(time.Hour),
	}
}

// arrives returns a browser without a session.
func arrives(p *businesstest.Person) admission.Visitor {
	p.Visitor = admission.Visitor{SessionID: admission.NewID(), Offered: &admission.NewSession{TokenHash: admission.HashToken(admission.NewToken())}, IP: "198.51.100.7", UserAgent: "test"}
	return p.Visitor
}

func TestHandOverCreatesAccount(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		v, who := arrives(p), identity(p)
		before := w.Count("sessions")
		token, err := w.Account.HandOver(w.Ctx, v, who)
		w.Must(err)
		businesstest.Equal(t, "a new session keeps the token that its cookie has", token, "")
		session, hash := w.SessionOf(p)
		businesstest.Equal(t, "token", hash, v.Offered.TokenHash)
		businesstest.Equal(t, "the cookie goes out", v.Offered.Opened, true)
		businesstest.Equal(t, "for as long as the session lives", v.Offered.ExpiresAt.Equal(session.ExpiresAt) && session.ExpiresAt.Equal(w.Clock.Now().Add(30*24*time.Hour)), true)
		businesstest.Equal(t, "a cookie opens it", session.API, false)
		a, err := w.Account.Profile(w.Ctx, admission.Visitor{AccountID: session.AccountID})
		w.Must(err)
		businesstest.Equal(t, "name", a.FullName, "Asha of Accounts")
		businesstest.Equal(t, "both are proven", a.PhoneVerified() && a.EmailVerified(), true)
		_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, v, p.RegistrationID)
		w.Must(err) // what the phone has enrolled is the account's
		for _, template := range w.Texts("SELECT template FROM messages") {
			businesstest.Equal(t, "a new person is told of a new device", template == "new-device" || template == "new-device-sms", false)
		}

		_, err = w.Account.HandOver(w.Ctx, arrives(p), who)
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", login) // the same token again
		businesstest.Equal(t, "accounts", w.Count("accounts"), 1)
		businesstest.Equal(t, "sessions", w.Count("sessions"), before+1)
		p.NewBrowser() // an existing session, whose cookie may have been planted
		_, planted := w.SessionOf(p)
		token, err = w.Account.HandOver(w.Ctx, p.Visitor, identity(p))
		w.Must(err)
		_, hash = w.SessionOf(p)
		businesstest.Equal(t, "the token has changed", hash == admission.HashToken(token) && hash != planted, true)
	})
}

func TestHandOverSignsInVerifiedAddress(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		byPhone, byEmail := w.Somebody(), w.Somebody()
		byPhone.SignUp(byPhone.Email)
		now := w.Clock.Now()
		mailed := account.Account{ID: admission.NewID(), FullName: "Ravi", Email: byEmail.Email, EmailProvenAt: now, Phone: "+91" + byEmail.Phone, CreatedAt: now, ModifiedAt: now}
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error { return tx.AddAccount(&mailed) }))
		for sentence, c := range map[string]struct {
			who  func() account.Identity
			want string // account; "" for none
		}{
			"by phone": {func() account.Identity { return identity(byPhone) }, byPhone.AccountID},
			"by phone before e-mail": {func() account.Identity {
				who := identity(byPhone)
				who.Email = byEmail.Email
				return who
			}, byPhone.AccountID},
			"by e-mail, in other letters": {func() account.Identity {
				who := identity(byEmail)
				who.Phone, who.Email, who.FullName = "", "ASHA"+byEmail.Email[4:], ""
				return who
			}, mailed.ID},
			"by an e-mail beside a phone of another country": {func() account.Identity {
				who := identity(byEmail)
				who.Phone = "+14155550100"
				return who
			}, mailed.ID},
			"an e-mail that the service has not proven": {func() account.Identity {
				who := identity(byEmail)
				who.EmailVerified, who.Phone = false, ""
				return who
			}, ""},
			"a phone that the service has not proven": {func() account.Identity {
				who := identity(byPhone)
				who.PhoneVerified, who.Email = false, ""
				return who
			}, ""},
			"somebody new without a name": {func() account.Identity {
				who := identity(w.Somebody())
				who.FullName = ""
				return who
			}, ""},
			"somebody new with half an e-mail": {func() account.Identity {
				who := identity(w.Somebody())
				who.Email = "asha"
				return who
			}, ""},
		} {
			who := c.who()
			accounts, sessions := w.Count("accounts"), w.Count("sessions")
			p := &businesstest.Person{World: w}
			v := arrives(p)
			_, err := w.Account.HandOver(w.Ctx, v, who)
			businesstest.Equal(t, sentence+": accounts", w.Count("accounts"), accounts)
			if c.want == "" {
				businesstest.ExpectProblem(t, err, admission.SignedOut, "", login)
				businesstest.Equal(t, sentence+": no session is opened", v.Offered.Opened, false)
				businesstest.Equal(t, sentence+": sessions", w.Count("sessions"), sessions)
				continue
			}
			w.Must(err)
			session, _ := w.SessionOf(p)
			businesstest.Equal(t, sentence, session.AccountID, c.want)
		}
	})
}

func TestHandOverKeepsExistingSession(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Somebody(), w.Somebody()
		p.SignUp(p.Email)
		before, hash := w.SessionOf(p)
		_, err := w.Account.HandOver(w.Ctx, p.Visitor, identity(other))
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", login)
		after, still := w.SessionOf(p)
		businesstest.Equal(t, "account", after.AccountID, before.AccountID)
		businesstest.Equal(t, "token", still, hash)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 1)

		payer := w.Enrolled(nil) // without an account
		_, err = w.Account.HandOver(w.Ctx, payer.Visitor, identity(other))
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", login)
		_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, payer.Visitor, payer.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 1)

		who := identity(other)
		for sentence, has := range map[string]func(*access.Session){
			"signed in since the request came": func(s *access.Session) { s.AccountID = before.AccountID },
			"proven": func(s *access.Session) {
				s.Proven = map[string]time.Time{string(access.ForGuardian) + "+919800000099": w.Clock.Now()}
			},
			"enrolled": func(s *access.Session) { s.Registered = []string{payer.RegistrationID} },
		} {
			p := w.Somebody()
			w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
				session, err := tx.SessionForUpdate(p.SessionID)
				if err != nil {
					return err
				}
				has(session)
				return tx.SaveSession(session)
			}))
			before, _ := w.SessionOf(p)
			_, err := w.Account.HandOver(w.Ctx, p.Visitor, who)
			businesstest.ExpectProblem(t, err, admission.SignedOut, "", login)
			after, _ := w.SessionOf(p)
			businesstest.Equal(t, sentence+": session", fmt.Sprintf("%+v", after), fmt.Sprintf("%+v", before))
			businesstest.Equal(t, sentence+": accounts", w.Count("accounts"), 1)
		}
		_, err = w.Account.HandOver(w.Ctx, arrives(other), who)
		w.Must(err) // a token that was refused is not spent
		businesstest.Equal(t, "accounts", w.Count("accounts"), 2)
	})
}

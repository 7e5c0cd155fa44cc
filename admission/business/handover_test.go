package business_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/store"
)

const login = "Something went wrong, Please login"

// identity returns the person's verified identity at the accounts service.
func (p *person) identity() account.Identity {
	return account.Identity{
		FullName: "Asha of Accounts", Phone: "+91" + p.phone, PhoneVerified: true, Email: p.email, EmailVerified: true, Once: admission.NewID(), ExpiresAt: p.clock.Now().Add(time.Hour),
	}
}

// arrives returns a browser without a session.
func (p *person) arrives() admission.Visitor {
	p.Visitor = admission.Visitor{SessionID: admission.NewID(), Offered: &admission.NewSession{TokenHash: admission.HashToken(admission.NewToken())}, IP: "198.51.100.7", UserAgent: "test"}
	return p.Visitor
}

func TestHandOverCreatesAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		v, who := p.arrives(), p.identity()
		before := w.count("sessions")
		token, err := w.Account.HandOver(w.ctx, v, who)
		w.must(err)
		equal(t, "a new session keeps the token that its cookie has", token, "")
		session, hash := w.sessionOf(p)
		equal(t, "token", hash, v.Offered.TokenHash)
		equal(t, "the cookie goes out", v.Offered.Opened, true)
		equal(t, "for as long as the session lives", v.Offered.ExpiresAt.Equal(session.ExpiresAt) && session.ExpiresAt.Equal(w.clock.Now().Add(30*24*time.Hour)), true)
		equal(t, "a cookie opens it", session.API, false)
		a, err := w.Account.Profile(w.ctx, admission.Visitor{AccountID: session.AccountID})
		w.must(err)
		equal(t, "name", a.FullName, "Asha of Accounts")
		equal(t, "both are proven", a.PhoneVerified() && a.EmailVerified(), true)
		_, err = w.Enrol.RegistrationOfVisitor(w.ctx, v, p.registration)
		w.must(err) // what the phone has enrolled is the account's
		for _, template := range w.texts("SELECT template FROM messages") {
			equal(t, "a new person is told of a new device", template == "new-device" || template == "new-device-sms", false)
		}

		_, err = w.Account.HandOver(w.ctx, p.arrives(), who)
		expectProblem(t, err, admission.SignedOut, "", login) // the same token again
		equal(t, "accounts", w.count("accounts"), 1)
		equal(t, "sessions", w.count("sessions"), before+1)
		p.newBrowser() // an existing session, whose cookie may have been planted
		_, planted := w.sessionOf(p)
		token, err = w.Account.HandOver(w.ctx, p.Visitor, p.identity())
		w.must(err)
		_, hash = w.sessionOf(p)
		equal(t, "the token has changed", hash == admission.HashToken(token) && hash != planted, true)
	})
}

func TestHandOverSignsInVerifiedAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		byPhone, byEmail := w.somebody(), w.somebody()
		byPhone.signUp(byPhone.email)
		now := w.clock.Now()
		mailed := account.Account{ID: admission.NewID(), FullName: "Ravi", Email: byEmail.email, EmailProvenAt: now, Phone: "+91" + byEmail.phone, CreatedAt: now, ModifiedAt: now}
		w.must(w.database.Update(w.ctx, func(tx store.Tx) error { return tx.AddAccount(&mailed) }))
		for sentence, c := range map[string]struct {
			who  func() account.Identity
			want string // account; "" for none
		}{
			"by phone": {byPhone.identity, byPhone.AccountID},
			"by phone before e-mail": {func() account.Identity {
				who := byPhone.identity()
				who.Email = byEmail.email
				return who
			}, byPhone.AccountID},
			"by e-mail, in other letters": {func() account.Identity {
				who := byEmail.identity()
				who.Phone, who.Email, who.FullName = "", "ASHA"+byEmail.email[4:], ""
				return who
			}, mailed.ID},
			"by an e-mail beside a phone of another country": {func() account.Identity {
				who := byEmail.identity()
				who.Phone = "+14155550100"
				return who
			}, mailed.ID},
			"an e-mail that the service has not proven": {func() account.Identity {
				who := byEmail.identity()
				who.EmailVerified, who.Phone = false, ""
				return who
			}, ""},
			"a phone that the service has not proven": {func() account.Identity {
				who := byPhone.identity()
				who.PhoneVerified, who.Email = false, ""
				return who
			}, ""},
			"somebody new without a name": {func() account.Identity {
				who := w.somebody().identity()
				who.FullName = ""
				return who
			}, ""},
			"somebody new with half an e-mail": {func() account.Identity {
				who := w.somebody().identity()
				who.Email = "asha"
				return who
			}, ""},
		} {
			who := c.who()
			accounts, sessions := w.count("accounts"), w.count("sessions")
			p := &person{world: w}
			v := p.arrives()
			_, err := w.Account.HandOver(w.ctx, v, who)
			equal(t, sentence+": accounts", w.count("accounts"), accounts)
			if c.want == "" {
				expectProblem(t, err, admission.SignedOut, "", login)
				equal(t, sentence+": no session is opened", v.Offered.Opened, false)
				equal(t, sentence+": sessions", w.count("sessions"), sessions)
				continue
			}
			w.must(err)
			session, _ := w.sessionOf(p)
			equal(t, sentence, session.AccountID, c.want)
		}
	})
}

func TestHandOverKeepsExistingSession(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, other := w.somebody(), w.somebody()
		p.signUp(p.email)
		before, hash := w.sessionOf(p)
		_, err := w.Account.HandOver(w.ctx, p.Visitor, other.identity())
		expectProblem(t, err, admission.SignedOut, "", login)
		after, still := w.sessionOf(p)
		equal(t, "account", after.AccountID, before.AccountID)
		equal(t, "token", still, hash)
		equal(t, "accounts", w.count("accounts"), 1)

		payer := w.enrolled(nil) // without an account
		_, err = w.Account.HandOver(w.ctx, payer.Visitor, other.identity())
		expectProblem(t, err, admission.SignedOut, "", login)
		_, err = w.Enrol.RegistrationOfVisitor(w.ctx, payer.Visitor, payer.registration)
		w.must(err)
		equal(t, "accounts", w.count("accounts"), 1)

		who := other.identity()
		for sentence, has := range map[string]func(*access.Session){
			"signed in since the request came": func(s *access.Session) { s.AccountID = before.AccountID },
			"proven": func(s *access.Session) {
				s.Proven = map[string]time.Time{string(access.ForGuardian) + "+919800000099": w.clock.Now()}
			},
			"enrolled": func(s *access.Session) { s.Registered = []string{payer.registration} },
		} {
			p := w.somebody()
			w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
				session, err := tx.SessionForUpdate(p.SessionID)
				if err != nil {
					return err
				}
				has(session)
				return tx.SaveSession(session)
			}))
			before, _ := w.sessionOf(p)
			_, err := w.Account.HandOver(w.ctx, p.Visitor, who)
			expectProblem(t, err, admission.SignedOut, "", login)
			after, _ := w.sessionOf(p)
			equal(t, sentence+": session", fmt.Sprintf("%+v", after), fmt.Sprintf("%+v", before))
			equal(t, sentence+": accounts", w.count("accounts"), 1)
		}
		_, err = w.Account.HandOver(w.ctx, other.arrives(), who)
		w.must(err) // a token that was refused is not spent
		equal(t, "accounts", w.count("accounts"), 2)
	})
}

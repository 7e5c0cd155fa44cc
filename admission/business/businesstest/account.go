package businesstest

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/store"
)

// ChangeAddress requests a code for a new address of the person's account and enters it.
func (p *Person) ChangeAddress(field, typed, to string) (account.Changed, error) {
	p.T.Helper()
	sent, asked, err := p.Account.RequestAddress(p.Ctx, p.Visitor, field, typed)
	if err != nil {
		return account.Changed{}, err
	}
	Equal(p.T, "the code goes to", asked, to)
	return p.Account.ChangeAddress(p.Ctx, p.Visitor, sent.RequestID, p.Recorder.Code(to))
}

// OwnAccount returns the person's account.
func (p *Person) OwnAccount() *account.Account {
	p.T.Helper()
	a, err := p.Account.Profile(p.Ctx, p.Visitor)
	p.Must(err)
	return &a
}

// SignedIn signs the person in to a new account, which owns the phone's enrolments.
func (p *Person) SignedIn() *Person {
	p.T.Helper()
	p.Clock.Pass(time.Minute) // the next code
	p.SignUp(p.Email)
	return p
}

// SignIn requests a code for an address and signs in with it.
func (p *Person) SignIn(typed string) (account.SignedIn, error) {
	p.T.Helper()
	sent, to, err := p.Account.RequestCode(p.Ctx, p.Visitor, typed)
	if err != nil {
		return account.SignedIn{}, err
	}
	in, err := p.Account.SignIn(p.Ctx, p.Visitor, sent.RequestID, p.Recorder.Code(to))
	p.setSession(in)
	return in, err
}

// setSession makes the person's next calls in the signed-in session.
func (p *Person) setSession(in account.SignedIn) {
	if in.Account != nil {
		p.AccountID = in.Account.ID
	}
}

// SignUp signs up with a name, an e-mail and a phone, and enters the code if one is sent.
func (p *Person) SignUp(email string) account.SignedIn {
	p.T.Helper()
	in := map[string]string{"fullname": "Asha Rao", "email": email, "phone_number": p.Phone}
	done, sent, err := p.Account.SignUp(p.Ctx, p.Visitor, in)
	p.Must(err)
	if sent != nil {
		proven, err := p.Account.SignIn(p.Ctx, p.Visitor, sent.RequestID, p.Recorder.Code("+91"+p.Phone))
		p.Must(err)
		if proven.Account != nil {
			p.setSession(proven)
			return proven
		}
		done, sent, err = p.Account.SignUp(p.Ctx, p.Visitor, in)
		p.Must(err)
		Equal(p.T, "another code is sent", sent != nil, false)
	}
	p.setSession(done)
	return done
}

// SessionOf returns the person's session and its token's hash.
func (w *World) SessionOf(p *Person) (session *access.Session, hash string) {
	w.T.Helper()
	w.Must(w.Database.View(w.Ctx, func(tx store.Tx) (err error) {
		session, err = tx.Session(p.SessionID)
		return err
	}))
	return session, session.TokenHash
}

// ExpectRegistrationNotFound expects a registration to be NotFound.
func (p *Person) ExpectRegistrationNotFound(what, registration string) {
	p.T.Helper()
	if _, err := p.Enrol.RegistrationOfVisitor(p.Ctx, p.Visitor, registration); admission.AsProblem(err) == nil || admission.AsProblem(err).Kind != admission.NotFound {
		p.T.Errorf("%s opens registration %s: %v", what, registration, err)
	}
}

package account

import (
	"context"
	"strings"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/forms"
)

// The fields of the forms, by name.
const (
	identifierField = "identifier"
	nameField       = "fullname"
	emailField      = "email"
	phoneField      = "phone_number"
)

// SignedIn is what comes of a right code. Account is nil where nobody has signed up with the address: then the session has
// proven it, and SignUp asks for no other code.
type SignedIn struct {
	Token   string // the session's from now on
	Address string // that was proven: E.164, or an e-mail
	Account *Account
}

// RequestCode sends a one-time code to the mobile number or e-mail that somebody has typed, known or not. It refuses as
// access.Service.RequestTo does.
func (s *Service) RequestCode(ctx context.Context, v admission.Visitor, typed string) (sent access.CodeSent, to string, err error) {
	clean, faults := s.Forms.Get(signInForm).CheckOnly(map[string]string{identifierField: typed}, forms.Env{}, identifierField)
	if problem := admission.FormProblem(faults); problem != nil {
		return sent, "", problem
	}
	to = address(clean[identifierField])
	sent, err = s.requestCode(ctx, v, access.AddressAsk{Purpose: access.ForSignIn, To: to, Field: identifierField})
	return sent, to, err
}

// requestCode sends a code to a stranger who has passed the human check.
func (s *Service) requestCode(ctx context.Context, v admission.Visitor, ask access.AddressAsk) (access.CodeSent, error) {
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return access.CodeSent{}, err
	}
	return s.Access.RequestTo(ctx, v, ask)
}

// address is what a clean identifier names: a phone in E.164, or an e-mail in small letters, so that its limits are those of
// one mailbox.
func address(identifier string) string {
	if strings.Contains(identifier, "@") {
		return strings.ToLower(identifier)
	}
	return admission.IndianPhone(identifier)
}

// SignIn judges a code that RequestCode has sent, and signs in to the account of its address.
func (s *Service) SignIn(ctx context.Context, v admission.Visitor, requestID, code string) (in SignedIn, err error) {
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Access.Prove(tx, v, access.CodeAnswer{Purpose: access.ForSignIn, RequestID: requestID, Code: code})
		if refusal = refused; err != nil || refusal != nil {
			return err
		}
		in = SignedIn{Address: c.To}
		if in.Account, err = tx.AccountOf(c.To); err != nil {
			return err
		}
		if in.Account == nil {
			in.Token, err = s.Access.SignIn(tx, v, "", c.To)
			return err
		}
		in.Token, err = s.enter(tx, v, in.Account, c.To, false)
		return err
	})
	if refusal != nil {
		return SignedIn{}, refusal
	}
	return in, err
}

// enter signs the visitor's session in to an account that has proven an address. Whatever was enrolled with the account's
// phone before belongs to it from now on. Its owner is told, unless the account is new or this session is signed in to it
// already: what a browser calls itself would not tell the owner's from a thief's.
func (s *Service) enter(tx Tx, v admission.Visitor, a *Account, to string, isNew bool) (token string, err error) {
	if a.PhoneProven() {
		if err := tx.ClaimRegistrations(a.ID, a.Phone); err != nil {
			return "", err
		}
	}
	before, err := tx.SessionForUpdate(v.SessionID)
	if err != nil {
		return "", err
	}
	again := before != nil && before.AccountID == a.ID
	if token, err = s.Access.SignIn(tx, v, a.ID, to); err != nil || again || isNew {
		return token, err
	}
	return token, s.tellAt(tx, a.addressBeside(to), a, "signed-in:"+v.SessionID+":"+admission.NewID(), "new-device", map[string]string{"Device": Device(v.UserAgent), "At": admission.Moment(s.Clock())})
}

// SignUp makes an account of a name, an e-mail and a phone, one of which the visitor's session has proven to sign in a
// moment ago. Where neither is, it sends a code to the phone and returns it as sent: the caller asks for the code, and
// comes again. An account that has proven one of the addresses already is signed in to, and keeps its own name.
func (s *Service) SignUp(ctx context.Context, v admission.Visitor, in map[string]string) (done SignedIn, sent *access.CodeSent, err error) {
	clean, faults := s.Forms.Get(signUpForm).CheckOnly(in, forms.Env{}, nameField, emailField, phoneField)
	if problem := admission.FormProblem(faults); problem != nil {
		return SignedIn{}, nil, problem
	}
	phone, email := address(clean[phoneField]), address(clean["email"])
	var proven bool
	err = s.Store.Update(ctx, func(tx Tx) error {
		done, proven = SignedIn{}, false
		session, err := tx.SessionForUpdate(v.SessionID)
		if err != nil || session == nil {
			return err
		}
		if session.AccountID != "" { // else whoever finds the browser open would be signed in anew by a proof of before
			return admission.ConflictProblem("", "You are signed in already. Log out before you sign up somebody else.")
		}
		now := s.Clock()
		byPhone, byEmail := session.ProvedToSignIn(phone, now), session.ProvedToSignIn(email, now)
		if proven = byPhone || byEmail; !proven {
			return nil
		}
		done, err = s.join(tx, v, Account{FullName: clean[nameField], Email: clean[emailField], Phone: phone}, byPhone, byEmail)
		return err
	})
	if err != nil || proven {
		return done, nil, err
	}
	code, err := s.requestCode(ctx, v, access.AddressAsk{
		Purpose: access.ForSignIn, To: phone, Field: phoneField, FullName: clean[nameField], Other: clean[emailField],
	})
	return SignedIn{}, &code, err
}

// join signs the visitor in to the account that has proven an address which is proven now too, the phone before the e-mail;
// where there is none, to a new one of that name and those addresses.
func (s *Service) join(tx Tx, v admission.Visitor, a Account, byPhone, byEmail bool) (in SignedIn, err error) {
	in.Address = address(a.Email)
	if byPhone {
		in.Address = a.Phone
	}
	if in.Account, err = tx.AccountOf(in.Address); err != nil {
		return in, err
	}
	isNew := in.Account == nil
	if isNew {
		a.ID, a.CreatedAt, a.ModifiedAt = admission.NewID(), s.Clock(), s.Clock()
		in.Account = &a
		if err := s.prove(tx, &a, byPhone, byEmail); err != nil {
			return in, err
		}
		if err := tx.AddAccount(&a); err != nil {
			return in, err
		}
	}
	in.Token, err = s.enter(tx, v, in.Account, in.Address, isNew)
	return in, err
}

// prove notes which of a new account's addresses are proven, unless another account has proven the second one: that stays
// the other's, and is told to nobody but the person who has just proven both.
func (s *Service) prove(tx Tx, a *Account, byPhone, byEmail bool) error {
	if byPhone {
		a.PhoneProvenAt = s.Clock()
	}
	if !byEmail {
		return nil
	}
	if byPhone {
		if other, err := tx.AccountOf(a.Email); err != nil || other != nil {
			return err
		}
	}
	a.EmailProvenAt = s.Clock()
	return nil
}

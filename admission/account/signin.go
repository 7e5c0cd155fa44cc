package account

import (
	"context"
	"strings"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/forms"
)

// Field names of the forms.
const (
	identifierField = "identifier"
	nameField       = "fullname"
	emailField      = "email"
	phoneField      = "phone_number"
)

// SignedIn is the result of a correct code. Account is nil if the address has none; SignUp then needs no further code.
type SignedIn struct {
	Token   string // the session's new token
	Address string // verified: E.164, or an e-mail
	Account *Account
}

// RequestCode sends a one-time code to a mobile number or e-mail, known or not. It returns the Problems of access.Service.RequestAddressCode.
func (s *Service) RequestCode(ctx context.Context, v admission.Visitor, typed string) (sent access.CodeSent, to string, err error) {
	clean, faults := s.Forms.Get(signInForm).CheckOnly(map[string]string{identifierField: typed}, forms.Env{}, identifierField)
	if problem := admission.FormProblem(faults); problem != nil {
		return sent, "", problem
	}
	to = address(clean[identifierField])
	sent, err = s.requestCode(ctx, v, access.AddressCodeInput{Purpose: access.ForSignIn, To: to, Field: identifierField})
	return sent, to, err
}

// requestCode sends a code after the human check.
func (s *Service) requestCode(ctx context.Context, v admission.Visitor, ask access.AddressCodeInput) (access.CodeSent, error) {
	var err error
	if ask.Passed, err = s.Access.CheckHuman(ctx, v); err != nil {
		return access.CodeSent{}, err
	}
	return s.Access.RequestAddressCode(ctx, v, ask)
}

// address returns the address in a clean identifier: a phone in E.164, or an e-mail in lower case, so that it counts as one mailbox.
func address(identifier string) string {
	if strings.Contains(identifier, "@") {
		return strings.ToLower(identifier)
	}
	return admission.IndianPhone(identifier)
}

// SignIn checks a code sent by RequestCode and signs in to the account of its address.
func (s *Service) SignIn(ctx context.Context, v admission.Visitor, requestID, code string) (in SignedIn, err error) {
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Access.Redeem(tx, v, access.EnteredCode{Purpose: access.ForSignIn, RequestID: requestID, Code: code})
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
		in.Token, err = s.signIn(tx, v, in.Account, c.To, false)
		return err
	})
	if refusal != nil {
		return SignedIn{}, refusal
	}
	return in, err
}

// signIn signs the session in to an account that has verified an address; the account claims its phone's registrations. Except for a new
// account or a session already signed in to it, the owner is notified, because a User-Agent does not tell the owner from a thief.
func (s *Service) signIn(tx Tx, v admission.Visitor, a *Account, to string, isNew bool) (token string, err error) {
	if a.PhoneVerified() {
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
	return token, s.notifyAt(tx, a.otherAddress(to), a, "signed-in:"+v.SessionID+":"+admission.NewID(), "new-device", map[string]string{"Device": Device(v.UserAgent), "At": admission.Moment(s.Clock())})
}

// SignUp creates an account with a name, an e-mail and a phone, one of which the session recently verified to sign in. If neither is, it
// sends a code to the phone and returns it as sent: the caller asks for the code and calls again. If an account has verified one of the
// addresses, the session is signed in to that account, which keeps its name.
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
		if session.AccountID != "" { // else an old verification could sign in somebody who finds the browser open
			return admission.ConflictProblem("", "You are already signed in. Log out before you sign up another person.")
		}
		now := s.Clock()
		byPhone, byEmail := session.VerifiedForSignIn(phone, now), session.VerifiedForSignIn(email, now)
		if proven = byPhone || byEmail; !proven {
			return nil
		}
		done, err = s.signInOrCreate(tx, v, Account{FullName: clean[nameField], Email: clean[emailField], Phone: phone}, byPhone, byEmail)
		return err
	})
	if err != nil || proven {
		return done, nil, err
	}
	code, err := s.requestCode(ctx, v, access.AddressCodeInput{
		Purpose: access.ForSignIn, To: phone, Field: phoneField, FullName: clean[nameField], Other: clean[emailField],
	})
	return SignedIn{}, &code, err
}

// signInOrCreate signs in to the account that has verified one of the addresses verified now, the phone's first, or else to a new account.
func (s *Service) signInOrCreate(tx Tx, v admission.Visitor, a Account, byPhone, byEmail bool) (in SignedIn, err error) {
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
		if err := s.setVerified(tx, &a, byPhone, byEmail); err != nil {
			return in, err
		}
		if err := tx.AddAccount(&a); err != nil {
			return in, err
		}
	}
	in.Token, err = s.signIn(tx, v, in.Account, in.Address, isNew)
	return in, err
}

// setVerified records which addresses of a new account are verified. If another account has the e-mail, the e-mail stays with that account
// and is not verified here.
func (s *Service) setVerified(tx Tx, a *Account, byPhone, byEmail bool) error {
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

package account

import (
	"context"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/forms"
)

// Identity is a visitor as identified by an external accounts service. Unverified addresses are stored as such.
type Identity struct {
	FullName      string
	Phone         string // E.164
	PhoneVerified bool
	Email         string
	EmailVerified bool
	Once          string // hash of the token, which is accepted once
	ExpiresAt     time.Time
}

// VerifiedAddress returns the phone if it is verified, otherwise the e-mail if that is; "" for neither.
func (i Identity) VerifiedAddress() string {
	switch {
	case i.PhoneVerified && i.Phone != "":
		return i.Phone
	case i.EmailVerified:
		return i.Email
	}
	return ""
}

// Issuer verifies tokens of an accounts service.
type Issuer interface {
	// Identify returns the identity in a token, or an error for an invalid one.
	Identify(ctx context.Context, token string) (Identity, error)
}

// HandOver signs the visitor in to the account that has verified one of the identity's verified addresses, or to a new one. It does not
// replace a session that is signed in or has verifications or registrations. It returns the session's new token; "" for a new session,
// whose cookie is sent with the response.
func (s *Service) HandOver(ctx context.Context, v admission.Visitor, who Identity) (token string, err error) {
	clean, faults := s.Forms.Get(signUpForm).CheckOnly(map[string]string{
		"fullname": who.FullName, "email": who.Email, phoneField: strings.TrimPrefix(who.Phone, "+91"),
	}, forms.Env{}, "fullname", "email", phoneField)
	for _, fault := range faults {
		clean[fault.Field] = ""
	}
	a := Account{FullName: clean["fullname"], Email: clean["email"]}
	if clean[phoneField] != "" {
		a.Phone = admission.IndianPhone(clean[phoneField])
	}
	byPhone, byEmail := who.PhoneVerified && a.Phone != "", who.EmailVerified && a.Email != ""
	if !byPhone && !byEmail {
		return "", admission.LoginProblem()
	}
	var opened *access.Session
	err = s.Store.Update(ctx, func(tx Tx) error {
		here, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		if here.HasIdentity() {
			return admission.LoginProblem()
		}
		fresh, err := tx.Spend("hand-over:"+who.Once, who.ExpiresAt)
		if err == nil && !fresh {
			err = admission.LoginProblem()
		}
		if err != nil {
			return err
		}
		if token, err = s.signInIdentity(tx, v, a, byPhone, byEmail, len(faults) == 0); err != nil {
			return err
		}
		opened, err = tx.Session(v.SessionID)
		return err
	})
	if err == nil && token == "" && opened != nil && v.Offered != nil {
		v.Offered.Opened, v.Offered.ExpiresAt = true, opened.ExpiresAt
	}
	return token, err
}

// signInIdentity signs in to the account of a verified address, the phone's first. If there is none, it signs in to a new one, provided that all
// required data is known.
func (s *Service) signInIdentity(tx Tx, v admission.Visitor, a Account, byPhone, byEmail, whole bool) (token string, err error) {
	for _, address := range []struct {
		proven bool
		to     string
	}{{byPhone, a.Phone}, {byEmail, a.Email}} {
		if !address.proven {
			continue
		}
		found, err := tx.AccountOf(address.to)
		if err != nil {
			return "", err
		}
		if found != nil {
			return s.signIn(tx, v, found, address.to, false)
		}
	}
	if !whole {
		return "", admission.LoginProblem()
	}
	in, err := s.signInOrCreate(tx, v, a, byPhone, byEmail)
	return in.Token, err
}

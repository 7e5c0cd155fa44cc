package account

import (
	"context"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/message"
	"hiresure/forms"
	"hiresure/paths"
)

// recentSignIn is how long after a sign-in the addresses can be changed. Later the visitor must verify again, so that somebody who finds an
// open browser cannot change them.
const recentSignIn = 15 * time.Minute

// codeEntryTime is added to freshFor for entering a code that was requested in time.
const codeEntryTime = 10 * time.Minute

// Messages for an address that another account has verified, shown only after its verification here (spec §6).
const (
	emailTaken = "This email is already in use. Please try another."
	// bothEnrolled is shown if both numbers have an enrolment for the same exam, which one account cannot hold.
	bothEnrolled = "Both numbers have an enrolment for the same exam. Please write to us, and we join them."
)

// Changed is an account with a newly verified address. Token is the session's new token.
type Changed struct {
	Token   string
	Account Account
}

// VerifiedAddress returns the address that the visitor's session recently verified to sign in and that has no account; "" for none.
func (s *Service) VerifiedAddress(ctx context.Context, v admission.Visitor) (address string, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil || session.AccountID != "" {
			return err
		}
		address = session.LatestSignIn(s.Clock())
		return nil
	})
	return address, err
}

// SignedInRecently reports whether the visitor signed in recently enough to change addresses.
func (s *Service) SignedInRecently(ctx context.Context, v admission.Visitor) (fresh bool, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		fresh, err = s.fresh(tx, v, recentSignIn)
		return err
	})
	return fresh, err
}

func (s *Service) fresh(tx Tx, v admission.Visitor, within time.Duration) (bool, error) {
	session, err := tx.Session(v.SessionID)
	if err != nil || session == nil || session.AccountID == "" {
		return false, err
	}
	return s.Clock().Before(session.SignedInAt.Add(within)), nil
}

// Rename changes the account's name. Existing enrolments keep theirs.
func (s *Service) Rename(ctx context.Context, v admission.Visitor, name string) error {
	clean, faults := s.Forms.Get(signUpForm).CheckOnly(map[string]string{nameField: name}, forms.Env{}, nameField)
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		a.FullName, a.ModifiedAt = clean[nameField], s.Clock()
		return tx.SaveAccount(a)
	})
}

// visitorAccount returns the visitor's account, locked; NotFound if the visitor is signed out.
func visitorAccount(tx Tx, v admission.Visitor) (a *Account, err error) {
	if v.AccountID != "" {
		a, err = tx.AccountForUpdate(v.AccountID)
	}
	if err == nil && a == nil {
		err = admission.NotFoundProblem("Account")
	}
	return a, err
}

// RequestAddress sends a code to a new phone or e-mail for the visitor's account; field names the input. It returns a Conflict if the
// sign-in is too old, unless the address is the account's own unverified one. Only after verification does it reveal whether another
// account has the address.
func (s *Service) RequestAddress(ctx context.Context, v admission.Visitor, field, typed string) (sent access.CodeSent, to string, err error) {
	form := s.Forms.Get(signUpForm)
	if field == phoneField {
		form = s.Forms.Get(verifyForm)
	}
	clean, faults := form.CheckOnly(map[string]string{field: typed}, forms.Env{}, field)
	if problem := admission.FormProblem(faults); problem != nil {
		return sent, "", problem
	}
	to = address(clean[field])
	err = s.Store.View(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		if a.hasVerified(to) {
			return admission.FieldProblem(field, "This is yours already.")
		}
		return s.checkRecentSignIn(tx, v, a, to, recentSignIn)
	})
	if err == nil {
		sent, err = s.requestCode(ctx, v, access.AddressCodeInput{Purpose: access.ForAddress, To: to, Field: field})
	}
	return sent, to, err
}

// hasVerified reports whether the account has verified an address.
func (a *Account) hasVerified(to string) bool {
	return a.PhoneVerified() && a.Phone == to || a.EmailVerified() && strings.EqualFold(a.Email, to)
}

// checkRecentSignIn returns a Conflict for an address that is not the account's own if the sign-in is too old.
func (s *Service) checkRecentSignIn(tx Tx, v admission.Visitor, a *Account, to string, within time.Duration) error {
	fresh, err := s.fresh(tx, v, within)
	if err == nil && !fresh && to != a.Phone && !strings.EqualFold(to, a.Email) {
		err = admission.ConflictProblem("", "Please sign in again before you change this.")
	}
	return err
}

// ChangeAddress checks the code sent by RequestAddress, replaces the account's address and notifies the old one. The account's registrations
// move to the new phone, and sessions that verified the old phone lose them unless signed in. Registrations of the new phone without an
// account become the account's. An address verified by another account is a Conflict.
func (s *Service) ChangeAddress(ctx context.Context, v admission.Visitor, requestID, code string) (changed Changed, err error) {
	return s.change(ctx, v, access.EnteredCode{Purpose: access.ForAddress, RequestID: requestID, Code: code})
}

func (s *Service) change(ctx context.Context, v admission.Visitor, answer access.EnteredCode) (changed Changed, err error) {
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Access.Redeem(tx, v, answer)
		if refusal = refused; err != nil || refusal != nil {
			return err
		}
		other, err := tx.AccountOf(c.To)
		if err != nil {
			return err
		}
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		if other != nil && other.ID != a.ID {
			refusal = addressTaken(c.To)
			return nil
		}
		if err := s.checkRecentSignIn(tx, v, a, c.To, recentSignIn+codeEntryTime); err != nil {
			return err
		}
		if err := s.SetAddress(tx, a, c.To, "address:"+c.ID); err != nil {
			return err
		}
		changed.Account = *a
		changed.Token, err = s.Access.SignIn(tx, v, "", c.To)
		return err
	})
	if refusal != nil {
		return Changed{}, refusal
	}
	return changed, err
}

func addressTaken(to string) *admission.Problem {
	if strings.Contains(to, "@") {
		return admission.ConflictProblem(emailField, emailTaken)
	}
	return admission.ConflictProblem(phoneField, admission.PhoneTaken)
}

// SetAddress gives an account an address that its owner has verified and that no other account has; the caller has locked both. It notifies
// the old address or, if that was not verified, the account's other one. Problem: Conflict.
func (s *Service) SetAddress(tx Tx, a *Account, to, cause string) error {
	before, now := *a, s.Clock()
	old, what := a.Phone, "mobile number"
	if a.ModifiedAt = now; strings.Contains(to, "@") {
		old, what = a.Email, "e-mail"
		a.Email, a.EmailProvenAt = to, now
	} else {
		a.Phone, a.PhoneProvenAt = to, now
		moved, err := tx.MoveRegistrations(a.ID, old, a.Phone, now)
		if err != nil {
			return err
		}
		if !moved {
			return admission.ConflictProblem(phoneField, bothEnrolled)
		}
		if err := tx.ClaimRegistrations(a.ID, a.Phone); err != nil {
			return err
		}
	}
	if err := tx.SaveAccount(a); err != nil || strings.EqualFold(old, to) {
		return err
	}
	if before.hasVerified(old) {
		if err := tx.AddFormerAddress(a.ID, old, now); err != nil {
			return err
		}
	}
	params := map[string]string{"What": what, "At": admission.Moment(now)}
	if !before.hasVerified(old) {
		return s.notify(tx, &before, cause, "address-changed", params)
	}
	return s.notifyAt(tx, old, &before, cause, "address-changed", params)
}

// notify writes to the account's verified e-mail, else to its phone. template names the mail; the SMS template has the suffix "-sms".
func (s *Service) notify(tx Tx, a *Account, cause, template string, params map[string]string) error {
	to := a.Phone
	if a.EmailVerified() {
		to = a.Email
	}
	return s.notifyAt(tx, to, a, cause, template, params)
}

// notifyAt writes to one address of the account.
func (s *Service) notifyAt(tx Tx, to string, a *Account, cause, template string, params map[string]string) error {
	m := message.Message{Cause: cause, Channel: message.SMS, To: to, Template: template + "-sms", Params: params}
	if strings.Contains(to, "@") {
		m.Channel, m.Template = message.Email, template
		params["Name"], params["AccountURL"] = a.FullName, s.BaseURL+paths.Account
	}
	return s.Messages.Send(tx, m)
}

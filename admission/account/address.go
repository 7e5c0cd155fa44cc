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

// freshFor is how long after signing in an account lets its addresses be changed: who finds an open browser later must
// prove one of its addresses first.
const freshFor = 15 * time.Minute

// typingFor is how much longer the code of the new address may take, which was asked for in time.
const typingFor = 10 * time.Minute

// What is told of an address that another account has proven, once it is proven here too (spec §6).
const (
	emailTaken = "This email is already in use. Please try another."
	// bothEnrolled is told where each of two numbers has an enrolment for one exam, and one account would have both.
	bothEnrolled = "Both numbers have an enrolment for the same exam. Please write to us, and we join them."
)

// Changed is an account with an address that was just proven. Token is the session's from now on.
type Changed struct {
	Token   string
	Account Account
}

// Proven returns the address that the visitor's session has proven to sign in a moment ago, and that nobody has signed up
// with; "" for none.
func (s *Service) Proven(ctx context.Context, v admission.Visitor) (address string, err error) {
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

// Fresh reports whether the visitor has signed in so lately that addresses may be changed.
func (s *Service) Fresh(ctx context.Context, v admission.Visitor) (fresh bool, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		fresh, err = s.fresh(tx, v, freshFor)
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

// Rename gives the visitor's account another name. What is enrolled already keeps the name that it was enrolled with.
func (s *Service) Rename(ctx context.Context, v admission.Visitor, name string) error {
	clean, faults := s.Forms.Get(signUpForm).CheckOnly(map[string]string{nameField: name}, forms.Env{}, nameField)
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		a.FullName, a.ModifiedAt = clean[nameField], s.Clock()
		return tx.SaveAccount(a)
	})
}

// own returns the visitor's account, locked; NotFound where nobody is signed in.
func own(tx Tx, v admission.Visitor) (a *Account, err error) {
	if v.AccountID != "" {
		a, err = tx.AccountForUpdate(v.AccountID)
	}
	if err == nil && a == nil {
		err = admission.NotFoundProblem("Account")
	}
	return a, err
}

// RequestAddress sends a code to a phone or an e-mail that the visitor's account shall have from now on; field says which
// was typed. It is a Conflict where the sign-in is too long ago, unless it is the address that the account was opened with
// and has not proven yet. Whether another account has it is told only once it is proven.
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
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		if a.proves(to) {
			return admission.FieldProblem(field, "This is yours already.")
		}
		return s.mayTake(tx, v, a, to, freshFor)
	})
	if err == nil {
		sent, err = s.requestCode(ctx, v, access.AddressAsk{Purpose: access.ForAddress, To: to, Field: field})
	}
	return sent, to, err
}

// proves reports whether the account has proven an address.
func (a *Account) proves(to string) bool {
	return a.PhoneProven() && a.Phone == to || a.EmailProven() && strings.EqualFold(a.Email, to)
}

// mayTake refuses an address that is not the account's own where the sign-in is too long ago.
func (s *Service) mayTake(tx Tx, v admission.Visitor, a *Account, to string, within time.Duration) error {
	fresh, err := s.fresh(tx, v, within)
	if err == nil && !fresh && to != a.Phone && !strings.EqualFold(to, a.Email) {
		err = admission.ConflictProblem("", "Please sign in once more before you change this.")
	}
	return err
}

// ChangeAddress judges the code that RequestAddress has sent, and gives the account the address in the place of the one
// that it had, to which it is told. What the account has enrolled goes with it to the new phone: whoever gets the old one
// finds nothing there, nor does a browser that has proven it and is not signed in. What is enrolled with the new phone, and is nobody's, belongs to the account from now on. An address that another account has proven is a Conflict.
func (s *Service) ChangeAddress(ctx context.Context, v admission.Visitor, requestID, code string) (changed Changed, err error) {
	return s.change(ctx, v, access.CodeAnswer{Purpose: access.ForAddress, RequestID: requestID, Code: code})
}

func (s *Service) change(ctx context.Context, v admission.Visitor, answer access.CodeAnswer) (changed Changed, err error) {
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Access.Prove(tx, v, answer)
		if refusal = refused; err != nil || refusal != nil {
			return err
		}
		other, err := tx.AccountOf(c.To)
		if err != nil {
			return err
		}
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		if other != nil && other.ID != a.ID {
			refusal = taken(c.To)
			return nil
		}
		if err := s.mayTake(tx, v, a, c.To, freshFor+typingFor); err != nil {
			return err
		}
		if err := s.take(tx, a, c); err != nil {
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

func taken(to string) *admission.Problem {
	if strings.Contains(to, "@") {
		return admission.ConflictProblem(emailField, emailTaken)
	}
	return admission.ConflictProblem(phoneField, admission.PhoneTaken)
}

// take gives an account the address of a code that was right. Who had the address before it is told, at that address; where
// none was proven, the account is told at the other one.
func (s *Service) take(tx Tx, a *Account, c *access.CodeRequest) error {
	before, now := *a, s.Clock()
	old, what := a.Phone, "mobile number"
	if a.ModifiedAt = now; strings.Contains(c.To, "@") {
		old, what = a.Email, "e-mail"
		a.Email, a.EmailProvenAt = c.To, now
	} else {
		a.Phone, a.PhoneProvenAt = c.To, now
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
	if err := tx.SaveAccount(a); err != nil || strings.EqualFold(old, c.To) {
		return err
	}
	if before.proves(old) {
		if err := tx.AddFormerAddress(a.ID, old, now); err != nil {
			return err
		}
	}
	cause, params := "address:"+c.ID, map[string]string{"What": what, "At": admission.Moment(now)}
	if !before.proves(old) {
		return s.tell(tx, &before, cause, "address-changed", params)
	}
	return s.tellAt(tx, old, &before, cause, "address-changed", params)
}

// tell writes to the account's proven e-mail, or else to its phone. template names the mail; its SMS ends in "-sms".
func (s *Service) tell(tx Tx, a *Account, cause, template string, params map[string]string) error {
	to := a.Phone
	if a.EmailProven() {
		to = a.Email
	}
	return s.tellAt(tx, to, a, cause, template, params)
}

// tellAt writes to one address of the account.
func (s *Service) tellAt(tx Tx, to string, a *Account, cause, template string, params map[string]string) error {
	m := message.Message{Cause: cause, Channel: message.SMS, To: to, Template: template + "-sms", Params: params}
	if strings.Contains(to, "@") {
		m.Channel, m.Template = message.Email, template
		params["Name"], params["AccountURL"] = a.FullName, s.BaseURL+paths.Account
	}
	return s.Messages.Send(tx, m)
}

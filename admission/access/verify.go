package access

import (
	"context"
	"crypto/hmac"
	"slices"

	"hiresure/admission"
	"hiresure/forms"
)

// CodeAnswer is a code as somebody typed it. RequestID may be "": then the session's latest request for the phone counts.
type CodeAnswer struct {
	Purpose   Purpose
	RequestID string
	Phone     string
	Email     string
	EventCode string
	Code      string
}

// Verified is what comes of a right code.
type Verified struct {
	Token          string // the session's from now on; "" where it keeps its own, an API client's
	RegistrationID string // of the phone in the answer's event, which the session may continue; "" for none
}

// VerifyCode proves a phone for the visitor's session. The session's token changes with it, so that a cookie planted
// before is worth nothing: the caller sets the new one.
func (s *Service) VerifyCode(ctx context.Context, v admission.Visitor, a CodeAnswer) (verified Verified, err error) {
	if a.Purpose != ForPhone && a.Purpose != ForGuardian { // account.Service's
		return Verified{}, admission.FieldProblem(otpField, wrongCode)
	}
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Prove(tx, v, a)
		if refusal = refused; err != nil || refusal != nil {
			return err
		}
		now := s.Clock()
		verified = Verified{}
		if a.Purpose == ForPhone && a.EventCode != "" && a.Phone != "" {
			if verified.RegistrationID, err = tx.RegistrationIDOf(a.EventCode, c.To); err != nil {
				return err
			}
		}
		return changeSession(tx, v, func(session *Session) {
			verified.Token = session.exchange(now)
			session.keepProof(string(c.Purpose)+c.To, now)
			if verified.RegistrationID != "" {
				session.Registered = Remember(session.Registered, verified.RegistrationID)
			}
		})
	})
	if refusal != nil {
		return Verified{}, refusal
	}
	return verified, err
}

// Prove judges a code, uses it up where it is right, and locks the visitor's session first, as everywhere: else two calls
// wait for each other. A refusal comes with what must be kept of it, a wrong try: the caller commits, and then returns it.
func (s *Service) Prove(tx Tx, v admission.Visitor, a CodeAnswer) (c *CodeRequest, refusal *admission.Problem, err error) {
	codeName := otpField
	if a.Purpose == ForGuardian {
		codeName = "guardian_otp"
	}
	a = s.tidied(a)
	if a.Code == "" {
		return nil, admission.FieldProblem(codeName, verifyOTP), nil
	}
	session, err := tx.SessionForUpdate(v.SessionID)
	if err != nil {
		return nil, nil, err
	}
	if c, err = s.codeRequestOf(tx, v, a); err != nil {
		return nil, nil, err
	}
	now := s.Clock()
	switch {
	case c == nil, !c.UsedAt.IsZero(), c.Purpose != a.Purpose, a.Phone != "" && admission.IndianPhone(a.Phone) != c.To,
		a.Email != "" && a.Email != c.Email && c.Purpose == ForPhone, a.EventCode != "" && a.EventCode != c.EventCode:
		return nil, admission.FieldProblem(codeName, wrongCode), nil
	case c.Tries >= codeTries:
		refusal = admission.TooManyProblem(codeName, cooldown(c.SentAt, now))
		refusal.Message = wrongOften
		return nil, refusal, nil
	case !now.Before(c.ExpiresAt):
		return nil, admission.FieldProblem(codeName, wrongCode), nil
	case !hmac.Equal([]byte(c.CodeMAC), []byte(s.codeMAC(c, a.Code))):
		c.Tries++
		return nil, admission.FieldProblem(codeName, wrongCode), tx.SaveCodeRequest(c)
	}
	c.UsedAt = now
	if err := tx.SaveCodeRequest(c); err != nil {
		return nil, nil, err
	}
	return c, nil, endOlder(tx, session, c)
}

// Given is a code that has been given.
type Given struct {
	To        string // what it has proven
	AccountID string // who is signed in since; "" for nobody
}

// GivenBefore returns the code of an answer where it was given before, and what it has proven still stands in the visitor's
// session: another tab was faster. It is nil for every other, also for one that has proven nothing.
func (s *Service) GivenBefore(ctx context.Context, v admission.Visitor, a CodeAnswer) (given *Given, err error) {
	a = s.tidied(a)
	if !admission.IsID(a.RequestID) {
		return nil, nil
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		given = nil
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil {
			return err
		}
		c, err := tx.CodeRequest(a.RequestID)
		if err != nil || c == nil || c.SessionID != session.ID || c.Purpose != a.Purpose || c.UsedAt.IsZero() || !hmac.Equal([]byte(c.CodeMAC), []byte(s.codeMAC(c, a.Code))) {
			return err
		}
		if at, proven := session.Proven[string(ForSignIn)+c.To]; proven && !at.Before(c.UsedAt) {
			given = &Given{To: c.To, AccountID: session.AccountID}
		}
		return nil
	})
	return given, err
}

// endOlder ends what the session has asked for before a code that was used, and would be asked for on the same page. In an
// enrolment each form has its own: two may stand open side by side.
func endOlder(tx Tx, session *Session, used *CodeRequest) error {
	if session == nil || used.ofEnrolment() {
		return nil
	}
	for _, id := range session.Requests[:max(0, slices.Index(session.Requests, used.ID))] {
		c, err := tx.CodeRequestForUpdate(id)
		if err != nil {
			return err
		}
		if c == nil || c.SessionID != session.ID || !c.UsedAt.IsZero() || c.Purpose != used.Purpose {
			continue
		}
		if c.Purpose == ForAddress && c.channel() != used.channel() { // a phone and an e-mail have each a page
			continue
		}
		c.UsedAt, c.Code, c.CodeMAC = used.UsedAt, "", ""
		if err := tx.SaveCodeRequest(c); err != nil {
			return err
		}
	}
	return nil
}

// tidied reads an answer as RequestCode has read what it belongs to: an address is the same without what nobody sees in it.
func (s *Service) tidied(a CodeAnswer) CodeAnswer {
	in := map[string]string{"email": a.Email, "phone_number": a.Phone, "otp": a.Code}
	clean, _ := s.Forms.Get("enrolment").CheckOnly(in, forms.Env{}, "email", "phone_number", "otp")
	a.Email, a.Phone, a.Code = clean["email"], clean["phone_number"], clean["otp"]
	return a
}

func (s *Service) codeRequestOf(tx Tx, v admission.Visitor, a CodeAnswer) (*CodeRequest, error) {
	ids := []string{a.RequestID}
	if a.RequestID == "" {
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil {
			return nil, err
		}
		ids = session.Requests
	} else if !admission.IsID(a.RequestID) {
		return nil, nil
	}
	for i := len(ids) - 1; i >= 0; i-- {
		c, err := tx.CodeRequestForUpdate(ids[i])
		if err != nil {
			return nil, err
		}
		if c == nil || c.SessionID != v.SessionID {
			continue
		}
		if a.RequestID != "" || c.Purpose == a.Purpose && (a.Phone == "" || c.To == admission.IndianPhone(a.Phone)) {
			return c, nil
		}
	}
	return nil, nil
}

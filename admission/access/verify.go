package access

import (
	"context"
	"crypto/hmac"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/forms"
)

// EnteredCode is a code as typed. RequestID is optional: "" means the session's latest request for the phone.
type EnteredCode struct {
	Purpose   Purpose
	RequestID string
	Phone     string
	Email     string
	EventCode string
	Code      string
}

// Verified is the result of a correct code.
type Verified struct {
	Token          string // the session's new token; "" if it keeps its own, as an API client does
	RegistrationID string // the phone's registration for the event, which the session may continue; "" for none
}

// VerifyCode verifies a phone for the visitor's session. It changes the session's token, which the caller must send, so that
// a cookie planted earlier is worthless.
func (s *Service) VerifyCode(ctx context.Context, v admission.Visitor, a EnteredCode) (verified Verified, err error) {
	if a.Purpose != ForPhone && a.Purpose != ForGuardian { // account.Service handles the others
		return Verified{}, admission.FieldProblem(otpField, wrongCode)
	}
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Redeem(tx, v, a)
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
			session.recordVerification(string(c.Purpose)+c.To, now)
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

// Redeem checks a code and marks a correct one as used. It locks the visitor's session first, like every other method, to
// avoid deadlocks. On a refusal the caller must commit, because a wrong try was counted, and then return the refusal.
func (s *Service) Redeem(tx Tx, v admission.Visitor, a EnteredCode) (c *CodeRequest, refusal *admission.Problem, err error) {
	codeName := otpField
	if a.Purpose == ForGuardian {
		codeName = "guardian_otp"
	}
	a = s.normalize(a)
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
		refusal = refuseEnded(codeName, *c, now)
		refusal.Kind = admission.TooMany
		return nil, refusal, nil
	case !now.Before(c.ExpiresAt):
		return nil, admission.FieldProblem(codeName, wrongCode), nil
	case !hmac.Equal([]byte(c.CodeMAC), []byte(s.codeMAC(c, a.Code))):
		c.Tries++
		if err := s.countWrong(tx, v); err != nil {
			return nil, nil, err
		}
		refusal = admission.FieldProblem(codeName, wrongCode)
		if c.Tries == codeTries {
			refusal = refuseEnded(codeName, *c, now)
		}
		return nil, refusal, tx.SaveCodeRequest(c)
	}
	c.UsedAt = now
	if err := tx.SaveCodeRequest(c); err != nil {
		return nil, nil, err
	}
	return c, nil, endOlder(tx, session, c)
}

// refuseEnded refuses any code of a request, and says how long to wait for a new one.
func refuseEnded(codeName string, c CodeRequest, now time.Time) *admission.Problem {
	problem := admission.FieldProblem(codeName, codeEnded)
	problem.RetryAfter = cooldown(c.SentAt, now)
	return problem
}

// RedeemedCode is a code that was used.
type RedeemedCode struct {
	To        string // the verified address
	AccountID string // signed in since; "" for none
}

// AlreadyRedeemed returns the used code that the answer repeats, if its verification is still in the visitor's session: another
// tab was faster. Otherwise it returns nil.
func (s *Service) AlreadyRedeemed(ctx context.Context, v admission.Visitor, a EnteredCode) (given *RedeemedCode, err error) {
	a = s.normalize(a)
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
			given = &RedeemedCode{To: c.To, AccountID: session.AccountID}
		}
		return nil
	})
	return given, err
}

// endOlder ends the session's earlier requests of the same page as a used code. Enrolment codes are exempt: two forms may be
// open side by side.
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
		if c.Purpose == ForAddress && c.channel() != used.channel() { // phone and e-mail have separate pages
			continue
		}
		c.UsedAt, c.Code, c.CodeMAC = used.UsedAt, "", ""
		if err := tx.SaveCodeRequest(c); err != nil {
			return err
		}
	}
	return nil
}

// normalize normalizes an answer as RequestCode did, for instance without invisible characters.
func (s *Service) normalize(a EnteredCode) EnteredCode {
	in := map[string]string{"email": a.Email, "phone_number": a.Phone, "otp": a.Code}
	clean, _ := s.Forms.Get("enrolment").CheckOnly(in, forms.Env{}, "email", "phone_number", "otp")
	a.Email, a.Phone, a.Code = clean["email"], clean["phone_number"], clean["otp"]
	return a
}

func (s *Service) codeRequestOf(tx Tx, v admission.Visitor, a EnteredCode) (*CodeRequest, error) {
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

package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Purpose is what a one-time code proves. A code of one purpose is worth nothing for another.
type Purpose string

const (
	ForPhone    Purpose = "phone"    // the applicant's own phone
	ForGuardian Purpose = "guardian" // the phone of the guardian of somebody under 18
	ForSignIn   Purpose = "sign-in"  // the phone or the e-mail of whoever signs in
	ForAddress  Purpose = "address"  // a phone or an e-mail that an account shall have from now on
)

const (
	codeLife    = 10 * time.Minute
	codeTries   = 5
	resendAfter = 60 * time.Second
	otpField    = "phone_otp"
	wrongCode   = "Invalid OTP"
	wrongOften  = "Too many wrong codes. Please ask for a new one."
	verifyOTP   = "Please verify the OTP."
)

// CodeRequest is one demand for a one-time code. The code itself is kept as HMAC, and sealed for a resend.
type CodeRequest struct {
	ID        string
	SessionID string
	Purpose   Purpose
	To        string // E.164, or an e-mail where Purpose is ForSignIn or ForAddress
	Email     string
	FullName  string // of who signs up with it, where Purpose is ForSignIn; "" for who signs in
	Other     string // the other address of who signs up: E.164 beside an e-mail, an e-mail beside a phone
	EventCode string
	CodeMAC   string
	Code      string // sealed at rest
	Sends     int
	SentAt    time.Time
	ExpiresAt time.Time
	Tries     int       // wrong ones
	UsedAt    time.Time // or ended, with a later one that was used
}

// ofEnrolment reports whether the code is one of an enrolment; an account judges the others itself.
func (c *CodeRequest) ofEnrolment() bool { return c.Purpose == ForPhone || c.Purpose == ForGuardian }

// CodeAsk is who wants to prove what.
type CodeAsk struct {
	Purpose                 Purpose
	Phone, Email            string // as typed: ten digits; e-mail may be "" for a guardian
	EventCode, SubeventCode string
	GuardianOf              string // the applicant's own ten digits, where Purpose is ForGuardian
}

// CodeSent tells a page what to show after a code went out.
type CodeSent struct {
	RequestID   string
	ResendAfter time.Duration
	ExpiresIn   time.Duration
}

// RequestCode sends a one-time code to a phone. It returns a Problem of kind Proven where this session has already
// proven the phone: nothing is sent then.
func (s *Service) RequestCode(ctx context.Context, v admission.Visitor, ask CodeAsk) (CodeSent, error) {
	phoneName := "phone_number"
	// The name is asked for where it is typed; this call carries none on the wire.
	in := map[string]string{"fullname": "-", "email": ask.Email, "phone_number": ask.Phone}
	names := []string{"email", "phone_number"}
	if ask.Purpose == ForGuardian {
		phoneName, names = "guardian_phone", []string{"guardian_phone"}
		in["adult"], in["phone_number"], in["guardian_phone"] = "false", ask.GuardianOf, ask.Phone
	} else if ask.Purpose != ForPhone {
		return CodeSent{}, admission.FieldProblem("purpose", "Unknown purpose.")
	}
	clean, faults := s.Forms.Get("enrolment").CheckOnly(in, forms.Env{}, names...)
	if problem := admission.FormProblem(faults); problem != nil {
		return CodeSent{}, problem
	}
	event, err := admission.OpenEvent(s.Events, s.Clock(), ask.EventCode, ask.SubeventCode)
	if err != nil {
		return CodeSent{}, err
	}
	if err := s.PassHuman(ctx, v); err != nil {
		return CodeSent{}, err
	}
	return s.request(ctx, v, phoneName, CodeRequest{Purpose: ask.Purpose, To: admission.IndianPhone(clean[phoneName]), Email: clean["email"], EventCode: event.Code})
}

// AddressAsk is who wants to prove an address: to sign in with it or to sign up, or to have it in an account.
type AddressAsk struct {
	Purpose         Purpose // ForSignIn or ForAddress
	To              string  // a phone (E.164) or an e-mail
	Field           string  // the one at fault where it is refused
	FullName, Other string  // of who signs up with the code; "" for all others
}

// RequestTo sends a one-time code to an address, whoever's it is: nothing is looked up that would tell a known one from
// another. The caller has asked for the human check, or knows who asks. Where it is too early for another one, and this very
// session waits for the one before, that is returned with the refusal.
func (s *Service) RequestTo(ctx context.Context, v admission.Visitor, ask AddressAsk) (CodeSent, error) {
	return s.request(ctx, v, ask.Field, CodeRequest{Purpose: ask.Purpose, To: ask.To, FullName: ask.FullName, Other: ask.Other})
}

// request sends the code of a wanted request, or of the one that the session has open. Whoever signs up is kept as typed last,
// also where the code is on its way already.
func (s *Service) request(ctx context.Context, v admission.Visitor, field string, want CodeRequest) (CodeSent, error) {
	var sent dispatch
	var refusal *admission.Problem
	var session *Session
	var isNew bool
	err := s.Store.Update(ctx, func(tx Tx) (err error) {
		refusal = nil
		session, isNew, err = s.sessionFor(tx, v)
		if err != nil {
			return err
		}
		if session == nil {
			return admission.NotFoundProblem("Session")
		}
		if want.ofEnrolment() && session.HasProven(string(want.Purpose)+want.To) {
			return &admission.Problem{Kind: admission.Proven, Field: field, Message: "This phone number is already verified."}
		}
		c, err := s.openRequest(tx, session, field, want)
		if err != nil {
			return err
		}
		c.Email, c.FullName, c.Other = want.Email, want.FullName, want.Other
		session.Requests = Remember(session.Requests, c.ID)
		now := s.Clock()
		if wait := cooldown(c.SentAt, now); wait > 0 && now.Before(c.ExpiresAt) && !c.ofEnrolment() {
			refusal = admission.TooManyProblem(field, wait)
			sent.CodeSent = CodeSent{RequestID: c.ID, ResendAfter: wait, ExpiresIn: c.ExpiresAt.Sub(now)}
			err = tx.SaveCodeRequest(c)
		} else {
			sent, err = s.sendCode(tx, v, session, c, field)
		}
		if err != nil {
			return err
		}
		return saveSession(tx, session, isNew)
	})
	if err != nil {
		return CodeSent{}, err
	}
	if refusal != nil {
		return sent.CodeSent, refusal
	}
	tellOpened(v, session, isNew)
	s.alert(sent.alert)
	return sent.CodeSent, nil
}

// CodeAsked is a code that was asked for and still lives, as its page shows it.
type CodeAsked struct {
	Purpose         Purpose
	RequestID, To   string
	FullName, Other string // of who signs up with it
	ResendAfter     time.Duration
	Refusal         string // of whatever is given for it, since it was guessed too often; "" for none
}

// OpenCode returns the code that the visitor's session has asked for last, of those that fits likes; nil for none, or one that
// was used or is over: what was typed for an older one is shown to nobody. Nothing is sent.
func (s *Service) OpenCode(ctx context.Context, v admission.Visitor, fits func(CodeAsked) bool) (asked *CodeAsked, err error) {
	if v.SessionID == "" {
		return nil, nil
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		asked = nil
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil {
			return err
		}
		now := s.Clock()
		for _, id := range slices.Backward(session.Requests) {
			c, err := tx.CodeRequest(id)
			if err != nil {
				return err
			}
			if c == nil || c.SessionID != session.ID {
				continue
			}
			latest := CodeAsked{Purpose: c.Purpose, RequestID: c.ID, To: c.To, FullName: c.FullName, Other: c.Other, ResendAfter: cooldown(c.SentAt, now)}
			if !fits(latest) {
				continue
			}
			if c.Tries >= codeTries {
				latest.Refusal = wrongOften
			}
			if c.UsedAt.IsZero() && now.Before(c.ExpiresAt) {
				asked = &latest
			}
			return nil
		}
		return nil
	})
	return asked, err
}

// openRequest returns the request that the session has open for this phone, purpose and event, since asking anew does not
// reset its timer; or a new one. Somebody else's code of a moment ago holds up nobody who has passed the human check.
func (s *Service) openRequest(tx Tx, session *Session, field string, want CodeRequest) (*CodeRequest, error) {
	isOwn := func(c *CodeRequest) bool {
		return c != nil && c.SessionID == session.ID && c.UsedAt.IsZero() && c.To == want.To && c.Purpose == want.Purpose && c.EventCode == want.EventCode
	}
	now := s.Clock()
	latest, err := tx.LatestCodeRequest(want.To, want.Purpose, want.EventCode)
	if err != nil || isOwn(latest) {
		return latest, err
	}
	if latest != nil {
		for _, id := range slices.Backward(session.Requests) {
			if c, err := tx.CodeRequestForUpdate(id); err != nil || isOwn(c) {
				return c, err
			}
		}
		passed := latest.SessionID != session.ID && now.Before(session.HumanUntil)
		if wait := cooldown(latest.SentAt, now); wait > 0 && !passed {
			return nil, admission.TooManyProblem(field, wait)
		}
	}
	want.ID, want.SessionID = admission.NewID(), session.ID
	return &want, nil
}

// ResendCode sends the code of a request again: the same one while it lives.
func (s *Service) ResendCode(ctx context.Context, v admission.Visitor, requestID string) (CodeSent, error) {
	if err := s.PassHuman(ctx, v); err != nil {
		return CodeSent{}, err
	}
	if !admission.IsID(requestID) {
		return CodeSent{}, admission.NotFoundProblem("Request")
	}
	var sent dispatch
	err := s.Store.Update(ctx, func(tx Tx) error {
		session, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		c, err := tx.CodeRequestForUpdate(requestID)
		if err != nil {
			return err
		}
		if session == nil || c == nil || c.SessionID != session.ID {
			v.Deny(requestID)
			return admission.NotFoundProblem("Request")
		}
		if !c.UsedAt.IsZero() {
			return admission.NotFoundProblem("Request")
		}
		if sent, err = s.sendCode(tx, v, session, c, otpField); err != nil {
			return err
		}
		session.Requests = Remember(session.Requests, c.ID)
		return tx.SaveSession(session)
	})
	if err != nil {
		return CodeSent{}, err
	}
	s.alert(sent.alert)
	return sent.CodeSent, nil
}

// dispatch is a code on its way, and what a person must be told of it once that is committed.
type dispatch struct {
	CodeSent
	alert []string
}

// codesOf is how many codes a visitor's address may ask for.
func codesOf(v admission.Visitor) Limit { return PerAddress("code", v, 30, time.Hour) }

// sendCode sends the request's code, a new one where none lives, within the limits of phone, address, block and hour. It
// may change the session, which the caller saves.
func (s *Service) sendCode(tx Tx, v admission.Visitor, session *Session, c *CodeRequest, field string) (sent dispatch, err error) {
	now := s.Clock()
	if wait := cooldown(c.SentAt, now); wait > 0 {
		return sent, admission.TooManyProblem(field, wait)
	}
	to := mailbox(c.To)
	minute := Limit{Bucket: "code:60s:" + to, Most: 1, Per: resendAfter, Field: field} // whatever it is for
	if now.Before(session.HumanUntil) {                                                // then a stranger who asked for this phone holds up nobody
		minute.Bucket += ":" + session.ID
	}
	if err := s.Take(tx, v,
		minute,
		Limit{Bucket: "code:10m:" + to, Most: 3, Per: 10 * time.Minute, Field: field},
		Limit{Bucket: "code:day:" + to, Most: 10, Per: 24 * time.Hour, Field: field},
		codesOf(v),
	); err != nil {
		return sent, err
	}
	if c.channel() == message.SMS {
		if sent.alert, err = s.takeSMS(tx, v, session, c.To, field); err != nil {
			return sent, err
		}
	}
	if c.Code == "" || !now.Before(c.ExpiresAt) || c.Tries >= codeTries {
		c.Code, c.Tries, c.ExpiresAt = admission.NewCode(), 0, now.Add(codeLife)
		c.CodeMAC = s.codeMAC(c, c.Code)
	}
	c.Sends++
	c.SentAt = now
	if err := tx.SaveCodeRequest(c); err != nil {
		return sent, err
	}
	sent.CodeSent = CodeSent{RequestID: c.ID, ResendAfter: resendAfter, ExpiresIn: c.ExpiresAt.Sub(now)}
	return sent, s.Messages.Send(tx, message.Message{
		Cause: "code:" + c.ID + ":" + admission.NewID(), Channel: c.channel(), To: c.To, Template: c.template(),
		Params: map[string]string{"Code": c.Code},
	})
}

// clockSkew is how far the clocks of two copies are apart at most. What was stored further ahead than that was stored by
// a clock that has been set back since.
const clockSkew = 5 * time.Second

// cooldown returns how long after a code was sent the next one must wait; 0 for not at all. A moment that a clock stored
// which has been set back since holds up nobody: how long ago it was is not known.
func cooldown(sentAt, now time.Time) time.Duration {
	if sentAt.After(now.Add(clockSkew)) {
		return 0
	}
	return min(resendAfter, max(0, sentAt.Add(resendAfter).Sub(now)))
}

func (s *Service) codeMAC(c *CodeRequest, code string) string {
	mac := hmac.New(sha256.New, s.Pepper)
	mac.Write([]byte("one-time code\x00" + c.ID + "\x00" + c.To + "\x00" + string(c.Purpose) + "\x00" + code))
	return hex.EncodeToString(mac.Sum(nil))
}

package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Purpose is what a one-time code verifies. A code is valid only for its own purpose.
type Purpose string

const (
	ForPhone    Purpose = "phone"    // the applicant's phone
	ForGuardian Purpose = "guardian" // the phone of a minor's guardian
	ForSignIn   Purpose = "sign-in"  // a phone or e-mail to sign in with
	ForAddress  Purpose = "address"  // a new phone or e-mail of an account
)

const (
	codeLife    = 10 * time.Minute
	codeTries   = 5
	resendAfter = 60 * time.Second
	otpField    = "phone_otp"
	wrongCode   = "Invalid OTP"
	verifyOTP   = "Please verify the OTP."
)

// codeEnded is the message for any code once there were too many wrong ones.
const (
	ended     = "5 wrong tries: this OTP has ended."
	codeEnded = ended + " Please ask for a new one."
)

// CodeEnded reports whether a problem says that no code of its request works any more: only a new one does.
func CodeEnded(problem *admission.Problem) bool {
	return problem != nil && strings.HasPrefix(problem.Message, ended)
}

// CodeRequest is a stored request for a one-time code. The code is stored as HMAC, and encrypted for a resend.
type CodeRequest struct {
	ID        string
	SessionID string
	Purpose   Purpose
	To        string // E.164, or an e-mail where Purpose is ForSignIn or ForAddress
	Email     string
	FullName  string // of a sign-up; the student's first name where Purpose is ForGuardian
	Other     string // a sign-up's other address: E.164 for an e-mail, an e-mail for a phone; the student's phone for a guardian
	EventCode string
	CodeMAC   string
	Code      string // encrypted at rest
	Sends     int
	SentAt    time.Time
	ExpiresAt time.Time
	Tries     int       // wrong codes entered
	UsedAt    time.Time // when it was used, or ended by a later code that was used
}

// ofEnrolment reports whether the code belongs to an enrolment; account.Service checks the others.
func (c *CodeRequest) ofEnrolment() bool { return c.Purpose == ForPhone || c.Purpose == ForGuardian }

// lives reports whether the request has a code that still works.
func (c *CodeRequest) lives(now time.Time) bool {
	return c.Code != "" && now.Before(c.ExpiresAt) && c.Tries < codeTries
}

// PhoneCodeInput is the input of RequestCode.
type PhoneCodeInput struct {
	Purpose                 Purpose
	Phone, Email            string // as typed: ten digits; the e-mail is optional for a guardian
	EventCode, SubeventCode string
	GuardianOf              Student // where Purpose is ForGuardian
	Passed                  *Passed // human check that the caller has done; nil: RequestCode does it
}

// Student is the minor for whom a guardian agrees.
type Student struct {
	Name, Phone string // as typed; the phone has ten digits
	SharesPhone bool   // the guardian has said that both use one phone
}

// CodeSent describes a code that was sent.
type CodeSent struct {
	RequestID   string
	ResendAfter time.Duration
	ExpiresIn   time.Duration
}

// RequestCode sends a one-time code to a phone. If the session has verified the phone already, it sends nothing and returns
// a Problem of kind Proven.
func (s *Service) RequestCode(ctx context.Context, v admission.Visitor, ask PhoneCodeInput) (CodeSent, error) {
	phoneName := "phone_number"
	// The form requires a name, which this call does not have.
	in := map[string]string{"fullname": "-", "email": ask.Email, "phone_number": ask.Phone}
	names := []string{"email", "phone_number"}
	if ask.Purpose == ForGuardian {
		phoneName, names = "guardian_phone", []string{"guardian_phone"}
		in["adult"], in["phone_number"], in["guardian_phone"] = "false", forms.TenDigits(ask.GuardianOf.Phone), ask.Phone
		in["guardian_shares_phone"] = strconv.FormatBool(ask.GuardianOf.SharesPhone)
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
	if ask.Passed == nil {
		if ask.Passed, err = s.CheckHuman(ctx, v); err != nil {
			return CodeSent{}, err
		}
	}
	want := CodeRequest{Purpose: ask.Purpose, To: admission.IndianPhone(clean[phoneName]), Email: clean["email"], EventCode: event.Code}
	if ask.Purpose == ForGuardian {
		want.FullName, want.Other = firstName(ask.GuardianOf.Name), admission.IndianPhone(in["phone_number"])
	}
	return s.request(ctx, v, ask.Passed, phoneName, want)
}

// AddressCodeInput is the input of RequestAddressCode.
type AddressCodeInput struct {
	Purpose         Purpose // ForSignIn or ForAddress
	To              string  // a phone (E.164) or an e-mail
	Field           string  // the field that a refusal names
	FullName, Other string  // of a sign-up; "" otherwise
	Passed          *Passed // human check to record; nil for none
}

// RequestAddressCode sends a one-time code to an address, known or not: it looks nothing up that could reveal accounts. The caller has
// done the human check or knows the visitor. During the cooldown of an earlier code of the same session, it returns that code
// with the refusal.
func (s *Service) RequestAddressCode(ctx context.Context, v admission.Visitor, ask AddressCodeInput) (CodeSent, error) {
	return s.request(ctx, v, ask.Passed, ask.Field, CodeRequest{Purpose: ask.Purpose, To: ask.To, FullName: ask.FullName, Other: ask.Other})
}

// request sends the code of want, or of the session's open request for the same. The latest sign-up data is saved even if
// the code was sent already.
func (s *Service) request(ctx context.Context, v admission.Visitor, passed *Passed, field string, want CodeRequest) (CodeSent, error) {
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
		if err := s.record(tx, v, session, passed); err != nil {
			return err
		}
		if want.ofEnrolment() && session.HasVerified(string(want.Purpose)+want.To) {
			return &admission.Problem{Kind: admission.AlreadyVerified, Field: field, Message: "This phone number is already verified."}
		}
		c, err := s.openRequest(tx, session, field, want)
		if err != nil {
			return err
		}
		c.Email, c.FullName, c.Other = want.Email, want.FullName, want.Other
		session.Requests = Remember(session.Requests, c.ID)
		now := s.Clock()
		if wait := cooldown(c.SentAt, now); wait > 0 && now.Before(c.ExpiresAt) && !c.ofEnrolment() {
			refusal = tooSoon(field, *c, wait)
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
	reportOpened(v, session, isNew)
	s.raise(sent.alarms)
	return sent.CodeSent, nil
}

// OpenCodeRequest is an open code request, for its page.
type OpenCodeRequest struct {
	Purpose         Purpose
	RequestID, To   string
	FullName, Other string // of a sign-up
	ResendAfter     time.Duration
	Refusal         string // shown for any code once there were too many wrong ones; "" for none
}

// OpenCode returns the session's latest code request for which fits returns true. It returns nil if there is none, or if it
// was used or has expired: older requests are never shown. It sends nothing.
func (s *Service) OpenCode(ctx context.Context, v admission.Visitor, fits func(OpenCodeRequest) bool) (asked *OpenCodeRequest, err error) {
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
			latest := OpenCodeRequest{Purpose: c.Purpose, RequestID: c.ID, To: c.To, FullName: c.FullName, Other: c.Other, ResendAfter: cooldown(c.SentAt, now)}
			if !fits(latest) {
				continue
			}
			if c.Tries >= codeTries {
				latest.Refusal = codeEnded
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

// openRequest returns the session's open request for this phone, purpose and event, or a new one, so that a second request
// does not reset the timer. A recent code of another session delays only visitors who have not passed the human check.
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
			return nil, tooSoon(field, want, wait)
		}
	}
	want.ID, want.SessionID = admission.NewID(), session.ID
	return &want, nil
}

// ResendCode sends the code of a request again, and a new code once the old one has expired.
func (s *Service) ResendCode(ctx context.Context, v admission.Visitor, requestID string) (CodeSent, error) {
	passed, err := s.CheckHuman(ctx, v)
	if err != nil {
		return CodeSent{}, err
	}
	if !admission.IsID(requestID) {
		return CodeSent{}, admission.NotFoundProblem("Request")
	}
	var sent dispatch
	err = s.Store.Update(ctx, func(tx Tx) error {
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
		if err := s.record(tx, v, session, passed); err != nil {
			return err
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
	s.raise(sent.alarms)
	return sent.CodeSent, nil
}

// tooSoon asks to wait for another code. It says why, because the owner of the address may have done nothing.
func tooSoon(field string, c CodeRequest, wait time.Duration) *admission.Problem {
	to := "number"
	if strings.Contains(c.To, "@") {
		to = "address"
	}
	if c.Tries >= codeTries {
		return admission.BusyOthersProblem(field, ended, wait)
	}
	return admission.BusyOthersProblem(field, "A code went to this "+to+" a moment ago.", wait)
}

// dispatch is a code to be sent, with the alarms to raise after the commit.
type dispatch struct {
	CodeSent
	alarms []alarm
}

// sendCode sends the request's code, or a new one once that has expired, within the budget of budget.go. It may change the
// session; the caller saves it.
func (s *Service) sendCode(tx Tx, v admission.Visitor, session *Session, c *CodeRequest, field string) (sent dispatch, err error) {
	now := s.Clock()
	if wait := cooldown(c.SentAt, now); wait > 0 {
		return sent, tooSoon(field, *c, wait)
	}
	if sent.alarms, err = s.spendBudget(tx, v, session, c, field); err != nil {
		return sent, err
	}
	if !c.lives(now) {
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
		Params: s.params(c),
	})
}

// clockSkew is the largest expected difference between the clocks of two copies. A stored time further ahead means that
// a clock was set back.
const clockSkew = 5 * time.Second

// cooldown returns how long to wait before the next code is sent; 0 for not at all. A sentAt in the future, after a clock was set
// back, does not delay: the true time is unknown.
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

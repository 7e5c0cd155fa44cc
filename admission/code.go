package admission

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"hiresure/forms"
)

// Purpose is what a one-time code proves. A code of one purpose is worth nothing for another.
type Purpose string

const (
	ForPhone    Purpose = "phone"    // the applicant's own phone
	ForGuardian Purpose = "guardian" // the phone of the guardian of somebody under 18
)

const (
	codeLife    = 10 * time.Minute
	codeTries   = 5
	resendAfter = 60 * time.Second
	otpField    = "phone_otp"
	wrongCode   = "Invalid OTP"
)

// CodeRequest is one demand for a one-time code. The code itself is kept as HMAC, and sealed for a resend.
type CodeRequest struct {
	ID        string
	SessionID string
	Purpose   Purpose
	Phone     string // E.164
	Email     string
	EventCode string
	CodeMAC   string
	Code      string // sealed at rest
	Sends     int
	SentAt    time.Time
	ExpiresAt time.Time
	Tries     int // wrong ones
	UsedAt    time.Time
}

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

// RequestCode sends a one-time code to a phone. It answers a Problem of kind Proven where this session has already
// proven the phone: nothing is sent then.
func (o *Office) RequestCode(ctx context.Context, v Visitor, ask CodeAsk) (CodeSent, error) {
	phoneName := "phone_number"
	// The name is asked for where it is typed; this call carries none on the wire.
	in := map[string]string{"fullname": "-", "email": ask.Email, "phone_number": ask.Phone}
	names := []string{"email", "phone_number"}
	if ask.Purpose == ForGuardian {
		phoneName, names = "guardian_phone", []string{"guardian_phone"}
		in["phone_number"], in["guardian_phone"] = ask.GuardianOf, ask.Phone
	} else if ask.Purpose != ForPhone {
		return CodeSent{}, invalid("purpose", "Unknown purpose.")
	}
	clean, faults := forms.Get("enrolment").CheckOnly(in, forms.Env{}, names...)
	if problem := refuse(faults); problem != nil {
		return CodeSent{}, problem
	}
	event, err := o.openEvent(ask.EventCode, ask.SubeventCode)
	if err != nil {
		return CodeSent{}, err
	}
	if err := o.PassHuman(ctx, v); err != nil {
		return CodeSent{}, err
	}
	now, phone := o.Clock(), indian(clean[phoneName])
	var sent CodeSent
	var refusal error
	err = o.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		s, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		if s == nil {
			return notFound("Session")
		}
		if s.hasProven(string(ask.Purpose) + phone) {
			return &Problem{Kind: Proven, Field: phoneName, Message: "This phone number is already verified."}
		}
		if ask.Purpose == ForPhone {
			if err := o.within(tx, v, guesses(v)); err != nil {
				return err
			}
			if refusal = emailFree(tx, event.Code, clean["email"], phone); AsProblem(refusal) != nil {
				return o.count(tx, guesses(v))
			} else if refusal != nil {
				return refusal
			}
		}
		// An open request of the same phone and purpose goes on: asking anew does not reset its timer.
		c, err := tx.LatestCodeRequest(phone, ask.Purpose, event.Code)
		if err != nil {
			return err
		}
		if c == nil || c.SessionID != s.ID || !c.UsedAt.IsZero() {
			if c != nil && now.Before(c.SentAt.Add(resendAfter)) {
				return tooMany(phoneName, c.SentAt.Add(resendAfter).Sub(now))
			}
			c = &CodeRequest{ID: NewID(), SessionID: s.ID, Purpose: ask.Purpose, Phone: phone, Email: clean["email"], EventCode: event.Code}
		}
		c.Email = clean["email"]
		s.Requests = remember(s.Requests, c.ID)
		if err := tx.SaveSession(s); err != nil {
			return err
		}
		sent, err = o.sendCode(tx, v, c, phoneName)
		return err
	})
	if err == nil {
		err = refusal
	}
	return sent, err
}

// ResendCode sends the code of a request again: the same one while it lives.
func (o *Office) ResendCode(ctx context.Context, v Visitor, requestID string) (CodeSent, error) {
	if err := o.PassHuman(ctx, v); err != nil {
		return CodeSent{}, err
	}
	var sent CodeSent
	err := o.Store.Update(ctx, func(tx Tx) error {
		c, err := tx.CodeRequestForUpdate(requestID)
		if err != nil {
			return err
		}
		if c == nil || c.SessionID != v.SessionID || !c.UsedAt.IsZero() {
			return notFound("Request")
		}
		sent, err = o.sendCode(tx, v, c, otpField)
		return err
	})
	return sent, err
}

// sendCode sends the request's code, a new one where none lives, within the limits of phone, address and prefix.
func (o *Office) sendCode(tx Tx, v Visitor, c *CodeRequest, field string) (CodeSent, error) {
	now := o.Clock()
	if now.Before(c.SentAt.Add(resendAfter)) {
		return CodeSent{}, tooMany(field, c.SentAt.Add(resendAfter).Sub(now))
	}
	prefix := c.Phone[:len(c.Phone)-4]
	limits := []limit{
		{bucket: "code:60s:" + c.Phone, most: 1, per: resendAfter, field: field}, // whatever it is for
		{bucket: "code:10m:" + c.Phone, most: 3, per: 10 * time.Minute, field: field},
		{bucket: "code:day:" + c.Phone, most: 10, per: 24 * time.Hour, field: field},
		perIP("code", v, 30, time.Hour),
		// SMS pumping walks through the numbers of one block.
		{bucket: "code:prefix:" + prefix, most: 50, per: time.Hour, lifted: true, field: field, alert: "codes for one block of numbers are limited"},
	}
	if err := o.within(tx, v, limits...); err != nil {
		return CodeSent{}, err
	}
	if c.Code == "" || !now.Before(c.ExpiresAt) || c.Tries >= codeTries {
		c.Code, c.Tries, c.ExpiresAt = NewCode(), 0, now.Add(codeLife)
		c.CodeMAC = o.codeMAC(c, c.Code)
	}
	c.Sends++
	c.SentAt = now
	if err := tx.SaveCodeRequest(c); err != nil {
		return CodeSent{}, err
	}
	if err := o.count(tx, limits...); err != nil {
		return CodeSent{}, err
	}
	template := "otp"
	if c.Purpose == ForGuardian {
		template = "guardian-otp"
	}
	err := o.send(tx, Message{
		Cause: "code:" + c.ID + ":" + NewID(), Channel: SMS, To: c.Phone, Template: template,
		Params: map[string]string{"Code": c.Code},
	})
	return CodeSent{RequestID: c.ID, ResendAfter: resendAfter, ExpiresIn: c.ExpiresAt.Sub(now)}, err
}

func (o *Office) codeMAC(c *CodeRequest, code string) string {
	mac := hmac.New(sha256.New, o.Pepper)
	mac.Write([]byte("one-time code\x00" + c.ID + "\x00" + c.Phone + "\x00" + string(c.Purpose) + "\x00" + code))
	return hex.EncodeToString(mac.Sum(nil))
}

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
	Token          string // the session's from now on
	RegistrationID string // of the phone in the answer's event, which the session may continue; "" for none
}

// VerifyCode proves a phone for the visitor's session. The session's token changes with it, so that a cookie planted
// before is worth nothing: the caller sets the new one.
func (o *Office) VerifyCode(ctx context.Context, v Visitor, a CodeAnswer) (verified Verified, err error) {
	codeName := otpField
	if a.Purpose == ForGuardian {
		codeName = "guardian_otp"
	}
	typed := strings.NewReplacer(" ", "", "-", "").Replace(a.Code)
	if typed == "" {
		return Verified{}, invalid(codeName, verifyOTP)
	}
	var refusal *Problem
	err = o.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		if _, err := tx.SessionForUpdate(v.SessionID); err != nil { // first, as everywhere: else two calls wait for each other
			return err
		}
		c, err := o.codeRequestOf(tx, v, a)
		if err != nil {
			return err
		}
		now := o.Clock()
		switch {
		case c == nil, !c.UsedAt.IsZero(), c.Purpose != a.Purpose, a.Phone != "" && indian(a.Phone) != c.Phone,
			a.Email != "" && a.Email != c.Email && c.Purpose == ForPhone, a.EventCode != "" && a.EventCode != c.EventCode:
			refusal = invalid(codeName, wrongCode)
			return nil
		case c.Tries >= codeTries:
			refusal = tooMany(codeName, c.SentAt.Add(resendAfter).Sub(now))
			refusal.Message = "Too many wrong codes. Please ask for a new one."
			return nil
		case !now.Before(c.ExpiresAt):
			refusal = invalid(codeName, wrongCode)
			return nil
		case !hmac.Equal([]byte(c.CodeMAC), []byte(o.codeMAC(c, typed))):
			c.Tries++
			refusal = invalid(codeName, wrongCode)
			return tx.SaveCodeRequest(c)
		}
		c.UsedAt = now
		if err := tx.SaveCodeRequest(c); err != nil {
			return err
		}
		verified = Verified{Token: NewToken()}
		if a.Purpose == ForPhone && a.EventCode != "" && a.Phone != "" {
			r, err := tx.RegistrationOf(a.EventCode, c.Phone)
			if err != nil {
				return err
			}
			if r != nil {
				verified.RegistrationID = r.ID
			}
		}
		return changeSession(tx, v, func(s *Session) {
			if s.Proven == nil {
				s.Proven = map[string]time.Time{}
			}
			s.TokenHash, s.ExpiresAt = HashToken(verified.Token), now.Add(sessionLife)
			s.Proven[string(c.Purpose)+c.Phone] = now
			if verified.RegistrationID != "" {
				s.Registered = remember(s.Registered, verified.RegistrationID)
			}
		})
	})
	if refusal != nil {
		return Verified{}, refusal
	}
	return verified, err
}

func (o *Office) codeRequestOf(tx Tx, v Visitor, a CodeAnswer) (*CodeRequest, error) {
	ids := []string{a.RequestID}
	if a.RequestID == "" {
		s, err := tx.Session(v.SessionID)
		if err != nil || s == nil {
			return nil, err
		}
		ids = s.Requests
	}
	for i := len(ids) - 1; i >= 0; i-- {
		c, err := tx.CodeRequestForUpdate(ids[i])
		if err != nil {
			return nil, err
		}
		if c == nil || c.SessionID != v.SessionID {
			continue
		}
		if a.RequestID != "" || c.Purpose == a.Purpose && (a.Phone == "" || c.Phone == indian(a.Phone)) {
			return c, nil
		}
	}
	return nil, nil
}

// indian answers ten digits as E.164.
func indian(tenDigits string) string { return "+91" + tenDigits }

// tenDigits takes back what indian did; "" stays.
func tenDigits(phone string) string { return strings.TrimPrefix(phone, "+91") }

// emailFree refuses an e-mail that another proven phone holds for this event.
func emailFree(tx Tx, eventCode, email, phone string) error {
	holder, err := tx.PhoneOfEmail(eventCode, email)
	if err != nil || holder == "" || holder == phone {
		return err
	}
	return conflict("email", "This email is already in use. Please try another.")
}

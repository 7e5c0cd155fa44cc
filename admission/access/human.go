package access

import (
	"context"
	"errors"
	"time"

	"hiresure/admission"
)

// HumanCheck verifies tokens of a human check (CAPTCHA).
type HumanCheck interface {
	// Check verifies a token. It returns ErrNotHuman for an invalid token, ErrTooFast for one used too early, and another
	// error if the service does not respond.
	Check(ctx context.Context, token string, from admission.Visitor) (Pass, error)
	// Needed reports whether the check is on; CAPTCHA=off turns it off.
	Needed() bool
	// NotReady returns the message for a visitor without a token: the check has not loaded, or is blocked.
	NotReady() string
}

// Pass is the result of a valid token.
type Pass struct {
	Once   string // a key that can be spent once; "" if the service prevents replays itself
	Ticket bool   // from the page without scripts, which is cheaper to automate
}

// The errors of HumanCheck.Check for tokens that are not accepted.
var (
	ErrNotHuman = errors.New("not human")
	ErrTooFast  = errors.New("too fast for a person")
)

const (
	humanLife    = 2 * time.Hour
	captchaField = "captcha_token"
	unknownError = "Something went wrong."
	tooFast      = "That was a little too fast. Please wait three seconds and press again."
)

// HumanPause is the minimum time a person needs to read a page and press its button.
const HumanPause = 3 * time.Second

// PassHuman returns nil if the session has passed the human check or the visitor's token is valid. Only a valid token opens
// the session offered to the visitor.
func (s *Service) PassHuman(ctx context.Context, v admission.Visitor) error {
	if !s.Human.Needed() {
		return nil
	}
	now := s.Clock()
	var passed bool
	if v.SessionID != "" {
		if err := s.Store.View(ctx, func(tx Tx) error {
			session, err := tx.Session(v.SessionID)
			passed = session != nil && now.Before(session.HumanUntil)
			return err
		}); err != nil || passed {
			return err
		}
	}
	if v.CaptchaToken == "" {
		return admission.FieldProblem(captchaField, s.Human.NotReady())
	}
	pass, err := s.Human.Check(ctx, v.CaptchaToken, v)
	if errors.Is(err, ErrNotHuman) {
		return admission.FieldProblem(captchaField, unknownError)
	}
	if errors.Is(err, ErrTooFast) {
		return &admission.Problem{Kind: admission.TooMany, Field: captchaField, RetryAfter: HumanPause, Message: tooFast}
	}
	if err != nil {
		s.Log.ErrorContext(ctx, "human check does not respond", "error", err)
		return &admission.Problem{Kind: admission.Unavailable, Field: captchaField, Message: unknownError}
	}
	var session *Session
	var isNew bool
	err = s.Store.Update(ctx, func(tx Tx) (err error) {
		session, isNew, err = s.sessionFor(tx, v)
		if err != nil || session != nil && now.Before(session.HumanUntil) { // a concurrent call passed
			return err
		}
		if pass.Once != "" {
			fresh, err := tx.Spend("human:"+pass.Once, now.Add(humanLife))
			if err != nil {
				return err
			}
			if !fresh {
				return admission.FieldProblem(captchaField, unknownError)
			}
		}
		if session == nil {
			return nil
		}
		session.HumanUntil, session.ByTicket = now.Add(humanLife), pass.Ticket
		return saveSession(tx, session, isNew)
	})
	if err == nil {
		reportOpened(v, session, isNew)
	}
	return err
}

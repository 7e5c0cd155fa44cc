package access

import (
	"context"
	"errors"
	"time"

	"hiresure/admission"
)

// HumanCheck tells people from scripts.
type HumanCheck interface {
	// Check judges a visitor's token. It returns ErrNotHuman for a token that is not good, ErrTooFast for one that will be
	// in a moment, and any other error when the service does not answer.
	Check(ctx context.Context, token string, from admission.Visitor) (Pass, error)
	// Needed is false where CAPTCHA=off.
	Needed() bool
	// NotReady is what a visitor is told whose browser brings no token: the check has not loaded, or something blocks it.
	NotReady() string
}

// Pass is what a good token is worth.
type Pass struct {
	Once   string // a key that may be spent only once; "" where the service itself sees to that
	Ticket bool   // of the page without scripts, which costs a script less than the other checks
}

// What a check says of a token that it does not take.
var (
	ErrNotHuman = errors.New("not human")
	ErrTooFast  = errors.New("too fast for a person")
)

const (
	humanLife     = 2 * time.Hour
	captchaField  = "captcha_token"
	somethingElse = "Something went wrong."
	tooFast       = "That was a little too fast. Please wait three seconds and press again."
)

// HumanPause is what a person takes at least to read a page and press its button.
const HumanPause = 3 * time.Second

// PassHuman lets a visitor pass who has passed before in this session, or brings a good token now. Only a good token opens
// the session that a visitor may get.
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
		return admission.FieldProblem(captchaField, somethingElse)
	}
	if errors.Is(err, ErrTooFast) {
		return &admission.Problem{Kind: admission.TooMany, Field: captchaField, RetryAfter: HumanPause, Message: tooFast}
	}
	if err != nil {
		s.Log.ErrorContext(ctx, "human check does not answer", "error", err)
		return &admission.Problem{Kind: admission.Unavailable, Field: captchaField, Message: somethingElse}
	}
	var session *Session
	var isNew bool
	err = s.Store.Update(ctx, func(tx Tx) (err error) {
		session, isNew, err = s.sessionFor(tx, v)
		if err != nil || session != nil && now.Before(session.HumanUntil) { // a parallel call of the same page was faster
			return err
		}
		if pass.Once != "" {
			fresh, err := tx.Spend("human:"+pass.Once, now.Add(humanLife))
			if err != nil {
				return err
			}
			if !fresh {
				return admission.FieldProblem(captchaField, somethingElse)
			}
		}
		if session == nil {
			return nil
		}
		session.HumanUntil, session.ByTicket = now.Add(humanLife), pass.Ticket
		return saveSession(tx, session, isNew)
	})
	if err == nil {
		tellOpened(v, session, isNew)
	}
	return err
}

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
	// Work returns a proof of work of so many steps for a subject, as JSON for the browser; nil if there is no check. Its
	// solution is also a token for Check.
	Work(subject string, steps int) any
	// Worked reports whether a token solves Work for the subject, with at least so many steps, and returns its one-time key.
	Worked(token, subject string, steps int) (once string, proven bool)
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

// Passed is a human check that a call has passed. The transaction that accepts the call records it, so that a refused call
// writes nothing. nil records nothing: the session has passed before, or there is no check.
type Passed struct {
	service *Service
	pass    Pass
	opened  *Session // by Enter; nil for none
}

// CheckHuman returns an error unless the session has passed the human check or the visitor's token is valid. It writes nothing.
func (s *Service) CheckHuman(ctx context.Context, v admission.Visitor) (*Passed, error) {
	if !s.Human.Needed() {
		return nil, nil
	}
	if v.SessionID != "" {
		var passed bool
		if err := s.Store.View(ctx, func(tx Tx) error {
			session, err := tx.Session(v.SessionID)
			passed = session != nil && s.Clock().Before(session.HumanUntil)
			return err
		}); err != nil || passed {
			return nil, err
		}
	}
	if v.CaptchaToken == "" {
		return nil, admission.FieldProblem(captchaField, s.Human.NotReady())
	}
	pass, err := s.Human.Check(ctx, v.CaptchaToken, v)
	switch {
	case err == nil:
		return &Passed{service: s, pass: pass}, nil
	case errors.Is(err, ErrNotHuman):
		return nil, admission.FieldProblem(captchaField, unknownError)
	case errors.Is(err, ErrTooFast):
		return nil, &admission.Problem{Kind: admission.TooMany, Field: captchaField, RetryAfter: HumanPause, Message: tooFast}
	}
	s.Log.ErrorContext(ctx, "human check does not respond", "error", err)
	return nil, &admission.Problem{Kind: admission.Unavailable, Field: captchaField, Message: unknownError}
}

// record spends the token and raises the session's limits. The caller saves the session.
func (s *Service) record(tx Tx, v admission.Visitor, session *Session, p *Passed) error {
	now := s.Clock()
	if p == nil || session != nil && now.Before(session.HumanUntil) { // a concurrent call passed
		return nil
	}
	if p.pass.Ticket {
		if err := s.Take(tx, v, ticketLimit(v)); err != nil {
			return err
		}
	}
	if p.pass.Once != "" {
		fresh, err := tx.Spend("human:"+p.pass.Once, now.Add(humanLife))
		if err != nil {
			return err
		}
		if !fresh {
			return admission.FieldProblem(captchaField, unknownError)
		}
	}
	if session != nil {
		session.HumanUntil, session.ByTicket = now.Add(humanLife), p.pass.Ticket
	}
	return nil
}

// ticketLimit is how often the page without scripts lets an address pass in an hour; its work costs a script nothing.
func ticketLimit(v admission.Visitor) Limit { return PerAddress("ticket", v, 10, time.Hour) }

// Enter records a passed human check in the transaction that accepts the call. It opens the session offered to the visitor,
// which Opened reports after the commit.
func (p *Passed) Enter(tx Tx, v admission.Visitor) error {
	if p == nil {
		return nil
	}
	p.opened = nil
	session, isNew, err := p.service.sessionFor(tx, v)
	if err == nil {
		err = p.service.record(tx, v, session, p)
	}
	if err != nil || session == nil {
		return err
	}
	if isNew {
		p.opened = session
	}
	return saveSession(tx, session, isNew)
}

// Opened reports a session opened by Enter to the transport, after the commit.
func (p *Passed) Opened(v admission.Visitor) {
	if p != nil && p.opened != nil {
		reportOpened(v, p.opened, true)
	}
}

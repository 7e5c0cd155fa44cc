package access

import (
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
)

// channel is the way the code goes.
func (c *CodeRequest) channel() message.Channel {
	if strings.Contains(c.To, "@") {
		return message.Email
	}
	return message.SMS
}

// template is the message that brings the code.
func (c *CodeRequest) template() string {
	switch {
	case c.channel() == message.Email:
		return "otp-mail"
	case c.Purpose == ForGuardian && c.EventCode == admission.ApplicationCode:
		return "guardian-otp-application"
	case c.Purpose == ForGuardian:
		return "guardian-otp"
	}
	return "otp"
}

// proofFor is how long an address that was proven to sign in may be used to sign up.
const proofFor = 30 * time.Minute

// ProvedToSignIn reports whether the address was proven in this session to sign in, a moment ago.
func (s *Session) ProvedToSignIn(to string, now time.Time) bool {
	at, proven := s.Proven[string(ForSignIn)+to]
	return proven && now.Before(at.Add(proofFor))
}

// LatestSignIn returns the address that was proven last in this session to sign in, a moment ago; "" for none.
func (s *Session) LatestSignIn(now time.Time) string {
	if to := s.latest(ForSignIn); s.ProvedToSignIn(to, now) {
		return to
	}
	return ""
}

// SignIn notes in the visitor's session that its browser has proven an address to sign in, and makes it that of an account,
// "" for none yet. What others have proven or enrolled in this browser is not the account's: of all that, only the proof of
// the address that has signed in stays. Without an account the session may continue what the phone has enrolled, as with the
// enrolment's own code: both went to that phone. The session's token changes, as with every proof: the caller sets the new one,
// unless it is "": an API client keeps its own.
func (s *Service) SignIn(tx Tx, v admission.Visitor, accountID, to string) (token string, err error) {
	var enrolled []string
	if accountID == "" { // else they are the account's
		if enrolled, err = tx.OpenRegistrations(to); err != nil {
			return "", err
		}
	}
	return s.renew(tx, v, func(session *Session) {
		if accountID != "" {
			session.Proven, session.Registered, session.Requests = nil, nil, nil
			session.AccountID, session.SignedInAt, session.UserAgent = accountID, s.Clock(), v.UserAgent
		}
		session.prove(to, s.Clock())
		for _, id := range enrolled {
			session.Registered = Remember(session.Registered, id)
		}
	})
}

func (s *Service) renew(tx Tx, v admission.Visitor, change func(*Session)) (token string, err error) {
	session, isNew, err := s.sessionFor(tx, v)
	if err != nil || session == nil {
		return "", err
	}
	change(session)
	if isNew { // its token is as young as it
		session.ExpiresAt = s.Clock().Add(sessionLife)
	} else {
		token = session.exchange(s.Clock())
	}
	return token, saveSession(tx, session, isNew)
}

// exchange gives a browser's session a new token, so that a cookie which was planted before is worth nothing. An API client
// has none that anybody could plant: its token changes when it is used, and "" is returned.
func (s *Session) exchange(now time.Time) (token string) {
	if s.API {
		return ""
	}
	token = admission.NewToken()
	s.Renew(token, now)
	return token
}

// prove notes an address that has been proven to sign in. A phone counts for an enrolment too.
func (s *Session) prove(to string, at time.Time) {
	s.keepProof(string(ForSignIn)+to, at)
	if !strings.Contains(to, "@") {
		s.keepProof(string(ForPhone)+to, at)
	}
}

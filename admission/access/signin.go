package access

import (
	"regexp"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
)

// channel returns the channel of the code's message.
func (c *CodeRequest) channel() message.Channel {
	if strings.Contains(c.To, "@") {
		return message.Email
	}
	return message.SMS
}

// template returns the name of the code's message template.
func (c *CodeRequest) template() string {
	switch {
	case c.channel() == message.Email:
		return "otp-mail"
	case c.Purpose != ForGuardian:
		return "otp"
	}
	template := "guardian-otp"
	if c.EventCode == admission.ApplicationCode {
		template += "-application"
	}
	if c.To != c.Other { // the guardian tells the student the code
		template += "-told"
	}
	return template
}

// params returns the values in the code's message.
func (s *Service) params(c *CodeRequest) map[string]string {
	params := map[string]string{"Code": c.Code}
	if event, known := s.Events.EventByCode(c.EventCode); known && c.Purpose == ForGuardian {
		params["Student"], params["Day"], params["Fee"] = c.FullName, admission.Date(event.Exam), string(event.Fee.Rupees())
	}
	return params
}

// longestFirstName is how many letters of a student's first name fit into an SMS.
const longestFirstName = 14

var smsName = regexp.MustCompile(`^[A-Za-z]+(?:['-][A-Za-z]+)*\.?$`) // no dot between letters: nobody sends a link

// firstName returns the first word of a name for an SMS, shortened; "A student" where it has letters that would make the SMS two.
func firstName(name string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	if !smsName.MatchString(first) {
		return "A student"
	}
	return first[:min(len(first), longestFirstName)]
}

// signUpWindow is how long a verified address may be used to sign up.
const signUpWindow = 30 * time.Minute

// VerifiedForSignIn reports whether the session verified the address to sign in within the last 30 minutes.
func (s *Session) VerifiedForSignIn(to string, now time.Time) bool {
	at, proven := s.Proven[string(ForSignIn)+to]
	return proven && now.Before(at.Add(signUpWindow))
}

// LatestSignIn returns the address last verified to sign in, within the last 30 minutes; "" for none.
func (s *Session) LatestSignIn(now time.Time) string {
	if to := s.latest(ForSignIn); s.VerifiedForSignIn(to, now) {
		return to
	}
	return ""
}

// SignIn records that the session has verified an address and signs it in to an account ("" for none yet). An account
// replaces everything verified or enrolled before in this browser, possibly by others. Without an account, the session
// may continue the registrations of the phone, as after an enrolment code to the same phone. SignIn returns the session's
// new token, which the caller must send; "" for an API client or a new session, which keep theirs.
func (s *Service) SignIn(tx Tx, v admission.Visitor, accountID, to string) (token string, err error) {
	var enrolled []string
	if accountID == "" { // an account has its own
		if enrolled, err = tx.RegistrationsWithoutAccount(to); err != nil {
			return "", err
		}
	}
	return s.renew(tx, v, func(session *Session) {
		if accountID != "" {
			session.Proven, session.Registered, session.Requests = nil, nil, nil
			session.AccountID, session.SignedInAt, session.UserAgent = accountID, s.Clock(), v.UserAgent
		}
		session.recordSignIn(to, s.Clock())
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
	if isNew { // its token was never sent
		session.ExpiresAt = s.Clock().Add(sessionLife)
	} else {
		token = session.exchange(s.Clock())
	}
	return token, saveSession(tx, session, isNew)
}

// exchange sets and returns a new token, so that a cookie planted earlier is worthless. It returns "" for an API client,
// whose refresh token changes at each use anyway.
func (s *Session) exchange(now time.Time) (token string) {
	if s.API {
		return ""
	}
	token = admission.NewToken()
	s.Renew(token, now)
	return token
}

// recordSignIn records an address verified to sign in. A phone is verified for enrolment too.
func (s *Session) recordSignIn(to string, at time.Time) {
	s.recordVerification(string(ForSignIn)+to, at)
	if !strings.Contains(to, "@") {
		s.recordVerification(string(ForPhone)+to, at)
	}
}

package access

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
)

// A session lives long only after something was verified in it; before that, strangers can open any number.
const (
	sessionLife  = 30 * 24 * time.Hour
	strangerLife = 2 * time.Hour
)

// Session is the server-side state of a browser or an API client. Its token is the browser's cookie or the client's refresh
// token; only the hash is stored.
type Session struct {
	ID         string
	TokenHash  string
	HumanUntil time.Time            // when the passed human check expires
	ByTicket   bool                 // the check was passed on the page without scripts
	Proven     map[string]time.Time // purpose and address, concatenated → time of verification
	Requests   []string             // code requests, newest last
	Registered []string             // registrations that this session may continue, newest last
	ExpiresAt  time.Time
	AccountID  string // signed-in account; "" for none
	SignedInAt time.Time
	UserAgent  string // at sign-in
	API        bool   // of an API client: not valid as a cookie
}

// IsLive reports whether the session has not expired.
func (s *Session) IsLive(now time.Time) bool { return now.Before(s.ExpiresAt) }

// Renew sets a new token, which invalidates the old one, and restarts the session's life.
func (s *Session) Renew(token string, now time.Time) {
	s.TokenHash, s.ExpiresAt = admission.HashToken(token), now.Add(sessionLife)
}

// HasVerified reports whether the session has verified phone, which is purpose and phone concatenated.
func (s *Session) HasVerified(phone string) bool { _, ok := s.Proven[phone]; return ok }

// hasVerifiedPhone reports whether the session has a verified phone. A nil session has none.
func (s *Session) hasVerifiedPhone() bool { return s != nil && s.limitPhone() != "" }

// latest returns the address last verified for a purpose, the greatest for equal times; "" for none.
func (s *Session) latest(purpose Purpose) (phone string) {
	var latest time.Time
	for proven, at := range s.Proven {
		own, found := strings.CutPrefix(proven, string(purpose))
		if found && (phone == "" || at.After(latest) || at.Equal(latest) && own > phone) {
			phone, latest = own, at
		}
	}
	return phone
}

// limitPhone returns the phone that limits count by: the applicant's, else a guardian's (who may act for many); "" for none.
// E-mails don't count: the owner of a domain has any number of them.
func (s *Session) limitPhone() string { return cmp.Or(s.latest(ForPhone), s.latest(ForGuardian)) }

// maxVerifications is how many verifications a session keeps.
const maxVerifications = 20

// recordVerification records a verification (purpose and address concatenated) and drops the oldest above maxVerifications.
func (s *Session) recordVerification(proven string, at time.Time) {
	if s.Proven == nil {
		s.Proven = map[string]time.Time{}
	}
	s.Proven[proven] = at
	for len(s.Proven) > maxVerifications {
		oldest := proven
		for other, when := range s.Proven {
			if when.Before(s.Proven[oldest]) || when.Equal(s.Proven[oldest]) && other < oldest {
				oldest = other
			}
		}
		delete(s.Proven, oldest)
	}
}

// LatestVerifiedPhone returns the phone that the visitor's session verified last; "" for none.
func LatestVerifiedPhone(tx Tx, v admission.Visitor) (phone string, err error) {
	s, err := tx.Session(v.SessionID)
	if err != nil || s == nil {
		return "", err
	}
	return s.latest(ForPhone), nil
}

// HasIdentity reports whether the session has an account, a verification or a registration. A nil session has none.
func (s *Session) HasIdentity() bool {
	return s != nil && (s.AccountID != "" || len(s.Proven) > 0 || len(s.Registered) > 0)
}

// Holds reports whether the session may continue a registration.
func (s *Session) Holds(registrationID string) bool {
	return slices.Contains(s.Registered, registrationID)
}

// sessionFor returns the visitor's session, locked, or a new one that the visitor may open and the caller must save; else
// nil.
func (s *Service) sessionFor(tx Tx, v admission.Visitor) (session *Session, isNew bool, err error) {
	if v.SessionID == "" {
		return nil, false, nil
	}
	session, err = tx.SessionForUpdate(v.SessionID)
	if err != nil || session != nil || v.Offered == nil {
		return session, false, err
	}
	return &Session{ID: v.SessionID, TokenHash: v.Offered.TokenHash, API: v.Offered.API, Proven: map[string]time.Time{}, ExpiresAt: s.Clock().Add(strangerLife)}, true, nil
}

// saveSession inserts or updates a session returned by sessionFor.
func saveSession(tx Tx, session *Session, isNew bool) error {
	if isNew {
		return tx.AddSession(session)
	}
	return tx.SaveSession(session)
}

// reportOpened reports a new session to the transport, after the commit.
func reportOpened(v admission.Visitor, session *Session, isNew bool) {
	if isNew {
		v.Offered.Opened, v.Offered.ExpiresAt = true, session.ExpiresAt
	}
}

// FindSession returns the live session of a cookie's token, or nil. It returns nil for tokens of API clients.
func (s *Service) FindSession(ctx context.Context, token string) (*Session, error) {
	var found *Session
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		found, err = tx.SessionByToken(admission.HashToken(token))
		return err
	})
	if found != nil && (found.API || !found.IsLive(s.Clock())) {
		found = nil
	}
	return found, err
}

// EndSession deletes a session.
func (s *Service) EndSession(ctx context.Context, id string) error {
	return s.Store.Update(ctx, func(tx Tx) error { return tx.DeleteSession(id) })
}

// changeSession applies change to the visitor's session, if there is one, and saves it.
func changeSession(tx Tx, v admission.Visitor, change func(*Session)) error {
	if v.SessionID == "" {
		return nil
	}
	s, err := tx.SessionForUpdate(v.SessionID)
	if err != nil || s == nil {
		return err
	}
	change(s)
	return tx.SaveSession(s)
}

// Remember moves an id to the end of a list and keeps the last 20.
func Remember(list []string, id string) []string {
	list = slices.DeleteFunc(list, func(known string) bool { return known == id })
	list = append(list, id)
	return list[max(0, len(list)-20):]
}

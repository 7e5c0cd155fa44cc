package access

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
)

// A session lives long once something has been proven in it; until then anybody can open any number of them.
const (
	sessionLife  = 30 * 24 * time.Hour
	strangerLife = 2 * time.Hour
)

// Session is what the server remembers of one browser. Its token lives in the browser's cookie; we keep only the hash.
type Session struct {
	ID         string
	TokenHash  string
	HumanUntil time.Time            // a passed human check holds until then
	ByTicket   bool                 // that check was the page without scripts
	Proven     map[string]time.Time // phone (E.164) → when its code was given here
	Requests   []string             // code requests, newest last
	Registered []string             // registrations that this browser may continue, newest last
	ExpiresAt  time.Time
}

// HasProven reports whether a code of the purpose was given here for the phone; purpose and phone are joined.
func (s *Session) HasProven(phone string) bool { _, ok := s.Proven[phone]; return ok }

// hasProvenAny reports whether a person stands behind the session who can be reached; nobody does behind nil.
func (s *Session) hasProvenAny() bool { return s != nil && len(s.Proven) > 0 }

// latest returns the phone of a purpose that was proven here last, of two at once always the same; "" for none.
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

// countedPhone returns the phone by which a session is counted: the applicant's, or else a guardian's, who may stand for
// many; "" for none.
func (s *Session) countedPhone() string { return cmp.Or(s.latest(ForPhone), s.latest(ForGuardian)) }

// LatestProven returns the phone that the visitor's session proved last; "" for none.
func LatestProven(tx Tx, v admission.Visitor) (phone string, err error) {
	s, err := tx.Session(v.SessionID)
	if err != nil || s == nil {
		return "", err
	}
	return s.latest(ForPhone), nil
}

// Holds reports whether this browser may continue a registration.
func (s *Session) Holds(registrationID string) bool {
	return slices.Contains(s.Registered, registrationID)
}

// sessionFor returns the visitor's session, locked, or a new one where the visitor may get it, for the caller to add; nil
// for neither.
func (s *Service) sessionFor(tx Tx, v admission.Visitor) (session *Session, isNew bool, err error) {
	if v.SessionID == "" {
		return nil, false, nil
	}
	session, err = tx.SessionForUpdate(v.SessionID)
	if err != nil || session != nil || v.Opens == nil {
		return session, false, err
	}
	return &Session{ID: v.SessionID, TokenHash: v.Opens.TokenHash, Proven: map[string]time.Time{}, ExpiresAt: s.Clock().Add(strangerLife)}, true, nil
}

// saveSession writes what sessionFor has returned.
func saveSession(tx Tx, session *Session, isNew bool) error {
	if isNew {
		return tx.AddSession(session)
	}
	return tx.SaveSession(session)
}

// tellOpened lets the transport know of a new session, once its row is committed.
func tellOpened(v admission.Visitor, session *Session, isNew bool) {
	if isNew {
		v.Opens.Opened, v.Opens.ExpiresAt = true, session.ExpiresAt
	}
}

// FindSession returns the live session of a cookie's token, or nil.
func (s *Service) FindSession(ctx context.Context, token string) (*Session, error) {
	var found *Session
	err := s.Store.View(ctx, func(tx Tx) (err error) {
		found, err = tx.SessionByToken(admission.HashToken(token))
		return err
	})
	if found != nil && !s.Clock().Before(found.ExpiresAt) {
		found = nil
	}
	return found, err
}

// EndSession forgets a session: its cookie is worthless from then on.
func (s *Service) EndSession(ctx context.Context, id string) error {
	return s.Store.Update(ctx, func(tx Tx) error { return tx.DeleteSession(id) })
}

// changeSession loads the visitor's session for change, lets change work on it, and saves it.
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

// Remember puts an id at the end of a list that is kept short, once.
func Remember(list []string, id string) []string {
	list = slices.DeleteFunc(list, func(known string) bool { return known == id })
	list = append(list, id)
	return list[max(0, len(list)-20):]
}

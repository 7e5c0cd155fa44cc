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

// Session is what the server remembers of one browser, or of one API client. Its token lives in the browser's cookie, or is
// the client's refresh token; we keep only the hash.
type Session struct {
	ID         string
	TokenHash  string
	HumanUntil time.Time            // a passed human check holds until then
	ByTicket   bool                 // that check was the page without scripts
	Proven     map[string]time.Time // purpose and address, joined → when its code was given here
	Requests   []string             // code requests, newest last
	Registered []string             // registrations that this browser may continue, newest last
	ExpiresAt  time.Time
	AccountID  string // who is signed in; "" for nobody
	SignedInAt time.Time
	UserAgent  string // that signed in
	API        bool   // of an API client: no cookie opens it
}

// Lives reports whether the session has not come to its end.
func (s *Session) Lives(now time.Time) bool { return now.Before(s.ExpiresAt) }

// Renew gives the session another token, and its whole life anew. The one before is worth nothing from then on.
func (s *Session) Renew(token string, now time.Time) {
	s.TokenHash, s.ExpiresAt = admission.HashToken(token), now.Add(sessionLife)
}

// HasProven reports whether a code of the purpose was given here for the phone; purpose and phone are joined.
func (s *Session) HasProven(phone string) bool { _, ok := s.Proven[phone]; return ok }

// hasProvenAny reports whether a person stands behind the session who has a phone; nobody does behind nil.
func (s *Session) hasProvenAny() bool { return s != nil && s.counted() != "" }

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

// counted returns the phone by which a session is counted: the applicant's, or else a guardian's, who may stand for many;
// "" for none. An e-mail does not count: whoever has a domain has any number of them.
func (s *Session) counted() string { return cmp.Or(s.latest(ForPhone), s.latest(ForGuardian)) }

// mostProofs is how many proofs a session keeps, the latest.
const mostProofs = 20

// keepProof notes what was proven, a purpose and an address joined.
func (s *Session) keepProof(proven string, at time.Time) {
	if s.Proven == nil {
		s.Proven = map[string]time.Time{}
	}
	s.Proven[proven] = at
	for len(s.Proven) > mostProofs {
		oldest := proven
		for other, when := range s.Proven {
			if when.Before(s.Proven[oldest]) || when.Equal(s.Proven[oldest]) && other < oldest {
				oldest = other
			}
		}
		delete(s.Proven, oldest)
	}
}

// LatestProven returns the phone that the visitor's session proved last; "" for none.
func LatestProven(tx Tx, v admission.Visitor) (phone string, err error) {
	s, err := tx.Session(v.SessionID)
	if err != nil || s == nil {
		return "", err
	}
	return s.latest(ForPhone), nil
}

// IsSomebodys reports whether somebody has signed in, proven or enrolled anything in this browser; nobody has behind nil.
func (s *Session) IsSomebodys() bool {
	return s != nil && (s.AccountID != "" || len(s.Proven) > 0 || len(s.Registered) > 0)
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
	return &Session{ID: v.SessionID, TokenHash: v.Opens.TokenHash, API: v.Opens.API, Proven: map[string]time.Time{}, ExpiresAt: s.Clock().Add(strangerLife)}, true, nil
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

// FindSession returns the live session of a cookie's token, or nil. The token of an API client opens nothing here.
func (s *Service) FindSession(ctx context.Context, token string) (*Session, error) {
	var found *Session
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		found, err = tx.SessionByToken(admission.HashToken(token))
		return err
	})
	if found != nil && (found.API || !found.Lives(s.Clock())) {
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

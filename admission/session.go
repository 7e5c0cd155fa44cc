package admission

import (
	"context"
	"slices"
	"strings"
	"time"
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
	Proven     map[string]time.Time // phone (E.164) → when its code was given here
	Requests   []string             // code requests, newest last
	Registered []string             // registrations that this browser may continue, newest last
	ExpiresAt  time.Time
}

func (s *Session) hasProven(phone string) bool { _, ok := s.Proven[phone]; return ok }

// latestProven answers the phone that the visitor's session proved last; "" for none.
func latestProven(tx Tx, v Visitor) (phone string, err error) {
	s, err := tx.Session(v.SessionID)
	if err != nil || s == nil {
		return "", err
	}
	var latest time.Time
	for proven, at := range s.Proven {
		if own, found := strings.CutPrefix(proven, string(ForPhone)); found && at.After(latest) {
			phone, latest = own, at
		}
	}
	return phone, nil
}

func (s *Session) holds(registrationID string) bool {
	return slices.Contains(s.Registered, registrationID)
}

// Visitor is who asks, as far as a request tells. SessionID is "" for a browser that has no session yet.
type Visitor struct {
	SessionID    string
	IP           string // an IPv4 address, or the /64 of an IPv6 address
	UserAgent    string
	Page         string // path that the request came from
	CaptchaToken string
}

// OpenSession starts a session and answers the token for its cookie.
func (o *Office) OpenSession(ctx context.Context) (token string, s Session, err error) {
	token = NewToken()
	s = Session{ID: NewID(), TokenHash: HashToken(token), Proven: map[string]time.Time{}, ExpiresAt: o.Clock().Add(strangerLife)}
	err = o.Store.Update(ctx, func(tx Tx) error { return tx.AddSession(&s) })
	return token, s, err
}

// FindSession answers the live session of a cookie's token, or nil.
func (o *Office) FindSession(ctx context.Context, token string) (*Session, error) {
	var found *Session
	err := o.Store.View(ctx, func(tx Tx) (err error) {
		found, err = tx.SessionByToken(HashToken(token))
		return err
	})
	if found != nil && !o.Clock().Before(found.ExpiresAt) {
		found = nil
	}
	return found, err
}

// EndSession forgets a session: its cookie is worthless from then on.
func (o *Office) EndSession(ctx context.Context, id string) error {
	return o.Store.Update(ctx, func(tx Tx) error { return tx.DeleteSession(id) })
}

// changeSession loads the visitor's session for change, lets change work on it, and saves it.
func changeSession(tx Tx, v Visitor, change func(*Session)) error {
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

func remember(list []string, id string) []string {
	list = slices.DeleteFunc(list, func(known string) bool { return known == id })
	list = append(list, id)
	return list[max(0, len(list)-20):]
}

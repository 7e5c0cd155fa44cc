package web

import (
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"hiresure/admission"
	"hiresure/admission/access"
)

// valueName names what a gorilla session carries for the length of one request.
type valueName string

const (
	tokenValue   valueName = "token" // a token that the browser does not have yet
	expiresValue valueName = "expires"
	opensValue   valueName = "opens"   // the session that this request may open
	accountValue valueName = "account" // the id of whoever is signed in
)

// tokenLength is that of admission.NewToken: 256 bits as base64url.
const tokenLength = 43

// cookieStore is a sessions.Store whose cookie is a random token and nothing else; all state is the database's.
type cookieStore struct {
	keeper Keeper
	clock  func() time.Time
	secure bool
}

// Get returns the session of a request, found once however often it is asked for.
func (s *cookieStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New finds the session of the cookie's token, or returns an empty one.
func (s *cookieStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.IsNew = true
	session.Options = &sessions.Options{Path: "/", Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	cookie, err := r.Cookie(name)
	if err != nil || len(cookie.Value) != tokenLength {
		return session, nil
	}
	found, err := s.keeper.FindSession(r.Context(), cookie.Value)
	if found != nil && err == nil {
		session.IsNew = false
		remember(session, found)
	}
	return session, err
}

// Save ends a session whose MaxAge is below zero, and sends a token that the browser lacks.
func (s *cookieStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	if session.Options.MaxAge < 0 {
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		if session.ID == "" {
			return nil
		}
		return s.keeper.EndSession(r.Context(), session.ID)
	}
	token, send := session.Values[tokenValue].(string)
	if !send {
		return nil
	}
	delete(session.Values, tokenValue)
	if expires, known := session.Values[expiresValue].(time.Time); known {
		session.Options.MaxAge = int(expires.Sub(s.clock()).Seconds())
	}
	http.SetCookie(w, sessions.NewCookie(session.Name(), token, session.Options))
	return nil
}

func remember(session *sessions.Session, kept *access.Session) {
	session.ID = kept.ID
	session.Values[expiresValue], session.Values[accountValue] = kept.ExpiresAt, kept.AccountID
}

// offer returns the session that a request without one may open, the same however often it is asked for. Nothing of it is
// kept until then; send does what is left once the answer goes out.
func (s *cookieStore) offer(session *sessions.Session) (id string, opens *admission.NewSession, isNew bool) {
	if found, offered := session.Values[opensValue].(*offered); offered {
		return found.id, &found.NewSession, false
	}
	token := admission.NewToken()
	made := &offered{admission.NewSession{TokenHash: admission.HashToken(token)}, admission.NewID(), token}
	session.Values[opensValue] = made
	return made.id, &made.NewSession, true
}

type offered struct {
	admission.NewSession
	id, token string
}

// adopt makes the offered session the browser's, if the call has opened it.
func (s *cookieStore) adopt(session *sessions.Session) (opened bool) {
	made, isOffered := session.Values[opensValue].(*offered)
	if !isOffered || !made.Opened {
		return false
	}
	if session.IsNew {
		session.IsNew = false
		session.Values[tokenValue] = made.token
		remember(session, &access.Session{ID: made.id, ExpiresAt: made.ExpiresAt})
	}
	return true
}

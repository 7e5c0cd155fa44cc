package web

import (
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"hiresure/admission/access"
)

// valueName names what a gorilla session carries for the length of one request.
type valueName string

const (
	tokenValue   valueName = "token" // a token that the browser does not have yet
	expiresValue valueName = "expires"
)

// tokenLength is that of admission.NewToken: 256 bits as base64url.
const tokenLength = 43

// cookieStore is a sessions.Store whose cookie is a random token and nothing else; all state is the database's.
type cookieStore struct {
	keeper Keeper
	clock  func() time.Time
	secure bool
}

// Get answers the session of a request, found once however often it is asked for.
func (s *cookieStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New finds the session of the cookie's token, or answers an empty one that is kept when it is saved.
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

// Save opens a session that is new, ends one whose MaxAge is below zero, and sends a token that the browser lacks.
func (s *cookieStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	if session.Options.MaxAge < 0 {
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		if session.ID == "" {
			return nil
		}
		return s.keeper.EndSession(r.Context(), session.ID)
	}
	if session.IsNew {
		token, opened, err := s.keeper.OpenSession(r.Context())
		if err != nil {
			return err
		}
		session.IsNew = false
		session.Values[tokenValue] = token
		remember(session, &opened)
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
	session.Values[expiresValue] = kept.ExpiresAt
}

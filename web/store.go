package web

import (
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"hiresure/admission"
	"hiresure/admission/access"
)

// valueName is the type of keys in a gorilla session's values, which live for one request.
type valueName string

const (
	tokenValue   valueName = "token" // a token to send to the browser
	expiresValue valueName = "expires"
	opensValue   valueName = "opens"   // the session that this request may open
	accountValue valueName = "account" // id of the signed-in account
)

// tokenLength is the length of admission.NewToken: 256 bits as base64url.
const tokenLength = 43

// cookieStore is a sessions.Store whose cookie is only a random token; the state is in the database.
type cookieStore struct {
	keeper Keeper
	clock  func() time.Time
	secure bool
}

// Get returns the session of a request, loaded once per request.
func (s *cookieStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New returns the session of the cookie's token, or an empty one.
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

// Save deletes a session whose MaxAge is negative; otherwise it sends the cookie if the token is new.
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

// offer returns the session that a request without one may open, the same at each call. It is stored only if a business
// call opens it; adopt then makes it the browser's.
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

// adopt makes the offered session the browser's and reports whether the business call opened it.
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

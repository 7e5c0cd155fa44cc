package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/forms"
)

// accessLife is how long an access token is valid while its session lives.
const accessLife = 10 * time.Minute

// maxTokenLength is above the length of our tokens; longer ones are rejected unread.
const maxTokenLength = 1024 // bytes

// Tokens signs in API clients, which have no cookie. A client's session has one refresh token, which is exchanged for the next one and an
// access token. The access token ends with the session.
type Tokens struct {
	Accounts *Service
	Key      []byte // 32 bytes that sign tokens, kept outside of the database
}

// Pair is a client's new tokens.
type Pair struct {
	Access    string
	Refresh   string
	ExpiresIn time.Duration // of Access
}

// RequestCode sends a one-time code to a phone or e-mail, known or not. For a sign-up it takes the full name and both addresses, and sends
// the code to the phone. v opens a session of an API client.
func (t *Tokens) RequestCode(ctx context.Context, v admission.Visitor, in map[string]string) (sent access.CodeSent, byMail bool, err error) {
	names := []string{"fullname", "email", phoneField}
	if in["fullname"] == "" {
		switch {
		case in["email"] == "":
			names = []string{phoneField}
		case in[phoneField] == "":
			names = []string{"email"}
		}
	}
	clean, faults := t.Accounts.Forms.Get(signUpForm).CheckOnly(in, forms.Env{}, names...)
	if problem := admission.FormProblem(faults); problem != nil {
		return sent, false, problem
	}
	ask := access.AddressCodeInput{Purpose: access.ForSignIn, To: address(clean["email"]), Field: "email"}
	if clean[phoneField] != "" {
		ask = access.AddressCodeInput{Purpose: access.ForSignIn, To: address(clean[phoneField]), Field: phoneField, FullName: clean["fullname"], Other: clean["email"]}
	}
	sent, err = t.Accounts.requestCode(ctx, v, ask)
	return sent, ask.Field == "email", err
}

// Exchange checks a code sent by RequestCode and signs its session in. If the address has no account and no name was given, it returns a Problem
// that asks for it.
func (t *Tokens) Exchange(ctx context.Context, v admission.Visitor, requestID, code string) (pair Pair, err error) {
	s := t.Accounts
	if v.SessionID, err = t.requestingSession(ctx, requestID); err != nil {
		return Pair{}, err
	}
	var refusal *admission.Problem
	err = s.Store.Update(ctx, func(tx Tx) error {
		c, refused, err := s.Access.Redeem(tx, v, access.EnteredCode{Purpose: access.ForSignIn, RequestID: requestID, Code: code})
		if refusal = refused; err != nil || refusal != nil {
			return err
		}
		if refusal, err = s.signInByCode(tx, v, c); err != nil || refusal != nil {
			return err
		}
		session, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		pair, err = t.issue(tx, session)
		return err
	})
	if refusal != nil {
		return Pair{}, refusal
	}
	return pair, err
}

// requestingSession returns the API client's session that requested a code; "" if there is none, so that no code is accepted.
func (t *Tokens) requestingSession(ctx context.Context, requestID string) (sessionID string, err error) {
	if !admission.IsID(requestID) {
		return "", nil
	}
	err = t.Accounts.Store.View(ctx, func(tx Tx) error {
		c, err := tx.CodeRequest(requestID)
		if err != nil || c == nil {
			return err
		}
		session, err := tx.Session(c.SessionID)
		if session != nil && session.API && session.AccountID == "" && session.IsLive(t.Accounts.Clock()) {
			sessionID = session.ID
		}
		return err
	})
	return sessionID, err
}

// signInByCode signs in to the account of the address verified by a code, or to a new one made of the data of the code request.
func (s *Service) signInByCode(tx Tx, v admission.Visitor, c *access.CodeRequest) (refusal *admission.Problem, err error) {
	if c.FullName != "" {
		_, err = s.signInOrCreate(tx, v, Account{FullName: c.FullName, Email: c.Other, Phone: c.To}, true, false)
		return nil, err
	}
	a, err := tx.AccountOf(c.To)
	if err != nil {
		return nil, err
	}
	if a == nil {
		_, faults := s.Forms.Get(signUpForm).CheckOnly(nil, forms.Env{}, "fullname")
		return admission.FormProblem(faults), nil
	}
	_, err = s.signIn(tx, v, a, c.To, false)
	return nil, err
}

// Refresh exchanges a refresh token for a new pair. A token used before indicates theft: the session ends and the account's owner is
// notified. This includes a client that lost a response and retries, because it cannot be told from a thief.
func (t *Tokens) Refresh(ctx context.Context, refreshToken string) (pair Pair, err error) {
	err = t.redeem(ctx, refreshToken, func(tx Tx, session *access.Session) (err error) {
		pair, err = t.issue(tx, session)
		return err
	})
	return pair, err
}

// End ends the session of an access token or a refresh token.
func (t *Tokens) End(ctx context.Context, token string) error {
	if session, err := t.Session(ctx, token); err != nil || session != nil {
		if err != nil {
			return err
		}
		return t.Accounts.Store.Update(ctx, func(tx Tx) error { return tx.DeleteSession(session.ID) })
	}
	return t.redeem(ctx, token, func(tx Tx, session *access.Session) error { return tx.DeleteSession(session.ID) })
}

// redeem runs work with the session of a refresh token. Of two concurrent calls the second finds the token used.
func (t *Tokens) redeem(ctx context.Context, refreshToken string, work func(Tx, *access.Session) error) error {
	id, ours := t.sessionOf(refreshToken)
	if !ours {
		return admission.LoginProblem()
	}
	var refused bool
	err := t.Accounts.Store.Update(ctx, func(tx Tx) error {
		session, err := tx.SessionForUpdate(id)
		refused = session == nil || !session.API || session.AccountID == "" || !session.IsLive(t.Accounts.Clock())
		if err != nil || refused {
			return err
		}
		if session.TokenHash == admission.HashToken(refreshToken) {
			return work(tx, session)
		}
		refused = true
		return t.endFamily(tx, session)
	})
	if err == nil && refused {
		return admission.LoginProblem()
	}
	return err
}

// endFamily ends the session of a refresh token that was used before, and with it all tokens derived from it.
func (t *Tokens) endFamily(tx Tx, session *access.Session) error {
	a, err := tx.Account(session.AccountID)
	if err != nil {
		return err
	}
	if err := tx.DeleteSession(session.ID); err != nil || a == nil {
		return err
	}
	return t.Accounts.notify(tx, a, "refresh-reused:"+session.ID, "refresh-reused", map[string]string{"Device": Device(session.UserAgent)})
}

// issue gives a session a new refresh token and an access token.
func (t *Tokens) issue(tx Tx, session *access.Session) (Pair, error) {
	now := t.Accounts.Clock()
	claims := accessClaims{session.ID, jwt.RegisteredClaims{
		Issuer: t.Accounts.BaseURL, Subject: session.AccountID, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(accessLife)),
	}}
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(t.Key)
	if err != nil {
		return Pair{}, err
	}
	refresh := t.refreshToken(session.ID)
	session.Renew(refresh, now)
	return Pair{Access: signed, Refresh: refresh, ExpiresIn: accessLife}, tx.SaveSession(session)
}

type accessClaims struct {
	SessionID string `json:"sid"`
	jwt.RegisteredClaims
}

// Session returns the live session of an access token; nil if the token is invalid or its account is not the session's.
func (t *Tokens) Session(ctx context.Context, accessToken string) (*access.Session, error) {
	if len(accessToken) > maxTokenLength {
		return nil, nil
	}
	var claims accessClaims
	_, err := jwt.ParseWithClaims(accessToken, &claims, func(*jwt.Token) (any, error) { return t.Key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithIssuer(t.Accounts.BaseURL), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(t.Accounts.Clock), jwt.WithStrictDecoding())
	if err != nil || claims.Subject == "" {
		return nil, nil
	}
	var session *access.Session
	err = t.Accounts.Store.Read(ctx, func(tx Tx) (err error) {
		session, err = tx.Session(claims.SessionID)
		return err
	})
	if err != nil || session == nil || !session.API || session.AccountID != claims.Subject || !session.IsLive(t.Accounts.Clock()) {
		return nil, err
	}
	return session, nil
}

// refreshToken returns the session id, a random part and a signature: a used token is recognized at any age, and a made-up one needs no
// look-up.
func (t *Tokens) refreshToken(sessionID string) string {
	body := sessionID + "." + admission.NewToken()
	return body + "." + t.signature(body)
}

func (t *Tokens) sessionOf(refreshToken string) (id string, ours bool) {
	cut := strings.LastIndexByte(refreshToken, '.')
	if cut < 0 || len(refreshToken) > maxTokenLength || !hmac.Equal([]byte(refreshToken[cut+1:]), []byte(t.signature(refreshToken[:cut]))) {
		return "", false
	}
	id, _, _ = strings.Cut(refreshToken, ".")
	return id, admission.IsID(id)
}

func (t *Tokens) signature(body string) string {
	mac := hmac.New(sha256.New, t.Key)
	mac.Write([]byte("refresh token\x00" + body))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

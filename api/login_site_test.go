package api_test

import (
	"net/http"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/store"
)

const (
	loginCodePath  = "/login/code"
	loginTokenPath = "/login/token"
	refreshPath    = "/login/token/refresh"
	destroyPath    = "/login/session/destroy"
	profilePath    = "/v2scholarship/v1/fetch-user-profile?scholarship_code=hiresure"
	phoneCodePath  = "/v2scholarship/v1/user-phone-verification-request"
	phoneProofPath = "/v2scholarship/v1/user-verify-phone"

	pleaseLogin = "Something went wrong, Please login"
)

// client is a program that calls us; it sends only what it is given.
func (s *site) client() *browser {
	return &browser{site: s, cookies: map[string]string{}, headers: http.Header{"User-Agent": {"app/1.0"}}, address: "198.51.100.9:40000"}
}

// as is client with a token.
func (b *browser) as(token string) *browser { return b.with("Authorization", "Bearer "+token) }

// newAccountRequest returns the body of a request for a code to open an account.
func newAccountRequest(changes object) object {
	body := object{"fullname": "Asha Kumari Rao", "mobile_number": phone, "email": email}
	for name, value := range changes {
		body[name] = value
	}
	return body
}

// mailed returns the latest code sent by e-mail.
func (s *site) mailed(email string) string {
	s.t.Helper()
	sent := s.ledger.sent("otp-mail", email)
	if len(sent) == 0 {
		s.t.Fatalf("no code was mailed to %s", email)
	}
	return sent[len(sent)-1].Params["Code"]
}

// held is what a client stores.
type held struct{ access, refresh string }

func holds(got reply) held {
	return held{got.text("access_token"), got.text("refresh_token")}
}

// signsUp gets tokens for a client, of a new account or of its existing one.
func (b *browser) signsUp() held {
	b.t.Helper()
	asked := b.post(loginCodePath, newAccountRequest(nil))
	want(b.t, asked, http.StatusOK, "We sent a code to your mobile number.")
	got := b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": b.code(phone)})
	want(b.t, got, http.StatusOK, "You are signed in.")
	return holds(got)
}

// addAccount adds an account with a verified e-mail and an unverified phone.
func (s *site) addAccount() {
	s.t.Helper()
	now := s.clock.Now()
	s.update(func(tx store.Tx) error {
		return tx.AddAccount(&account.Account{ID: admission.NewID(), FullName: "Asha Rao", Email: email, EmailProvenAt: now, Phone: "+91" + phone, CreatedAt: now, ModifiedAt: now})
	})
}

// byMail returns a client signed in to the account of addAccount.
func (s *site) byMail() *browser {
	s.t.Helper()
	s.addAccount()
	b := s.client()
	asked := b.post(loginCodePath, object{"email": "Asha@Example.com", "captcha_token": "good client"})
	want(s.t, asked, http.StatusOK, "We sent a code to your e-mail.")
	got := b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": s.mailed("asha@example.com")})
	want(s.t, got, http.StatusOK, "You are signed in.")
	return b.as(holds(got).access)
}

func (s *site) update(work func(store.Tx) error) {
	s.t.Helper()
	if err := s.ledger.Store.Update(s.t.Context(), work); err != nil {
		s.t.Fatal(err)
	}
}

// cookieSession returns the session of a browser's cookie.
func (b *browser) cookieSession() *access.Session {
	b.t.Helper()
	session, err := b.services.Access.FindSession(b.t.Context(), b.cookies["__Host-hiresure"])
	if err != nil || session == nil {
		b.t.Fatalf("session %v, %v", session, err)
	}
	return session
}

// signedIn returns a browser signed in to the account with a verified phone.
func (s *site) signedIn() *browser {
	s.t.Helper()
	b := s.browser().proves("9876543219", "ravi@example.com") // opens a session
	v := admission.Visitor{SessionID: b.cookieSession().ID, IP: "198.51.100.7"}
	s.clock.Pass(time.Minute)
	sent, _, err := s.services.Account.RequestCode(s.t.Context(), v, phone)
	if err != nil {
		s.t.Fatal(err)
	}
	in, err := s.services.Account.SignIn(s.t.Context(), v, sent.RequestID, s.code(phone))
	if err != nil || in.Account == nil {
		s.t.Fatalf("signed in %v, %v", in, err)
	}
	b.cookies["__Host-hiresure"] = in.Token
	return b
}

func wantSignedOut(t *testing.T, what string, got reply) {
	t.Helper()
	if got.status != http.StatusUnauthorized || got.message() != pleaseLogin || got.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("%s: got %d %q, want 401 %q", what, got.status, got.message(), pleaseLogin)
	}
}

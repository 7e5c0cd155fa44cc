package api_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"hiresure/admission"
	"hiresure/store/storetest"
)

// Valid and invalid uses of a token.

func TestAStolenRefreshTokenEndsItsFamily(t *testing.T) {
	storetest.EachURL(t, onAStolenRefreshTokenEndsItsFamily)
}

func onAStolenRefreshTokenEndsItsFamily(t *testing.T, databaseURL string) {
	for title, c := range map[string]struct {
		phone string // another person
		again func(b *browser, used string) reply
		after time.Duration
	}{
		"at once":            {"9876500001", func(b *browser, used string) reply { return b.as(used).get(refreshPath) }, 0},
		"by POST":            {"9876500002", func(b *browser, used string) reply { return b.as(used).post(refreshPath, object{}) }, 0},
		"a month later":      {"9876500003", func(b *browser, used string) reply { return b.as(used).get(refreshPath) }, 31 * 24 * time.Hour},
		"to sign out by GET": {"9876500004", func(b *browser, used string) reply { return b.as(used).get(destroyPath) }, 0},
	} {
		t.Run(title, func(t *testing.T) {
			s := newSiteOn(t, databaseURL)
			b := s.client()
			asked := b.post(loginCodePath, newAccountRequest(object{"mobile_number": c.phone}))
			owner := holds(b.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": s.code(c.phone)}))
			thief := owner
			owner = holds(b.as(owner.refresh).get(refreshPath))
			for left := c.after; left > 0; left -= 24 * time.Hour { // the owner continues, day by day
				s.clock.Pass(24 * time.Hour)
				owner = holds(b.as(owner.refresh).get(refreshPath))
			}
			want(t, b.as(owner.access).get(profilePath), http.StatusOK, "Profile found.")
			warnings := func() int { return len(s.ledger.sent("refresh-reused-sms", "+91"+c.phone)) }
			if warnings() != 0 {
				t.Errorf("the owner is told of nothing")
			}
			wantSignedOut(t, "the thief", c.again(s.client().from("203.0.113.77:1"), thief.refresh))
			wantSignedOut(t, "the owner's access token", b.as(owner.access).get(profilePath))
			wantSignedOut(t, "the owner's refresh token", b.as(owner.refresh).get(refreshPath))
			wantSignedOut(t, "the thief again", c.again(s.client(), thief.refresh))
			if warnings() != 1 {
				t.Errorf("the owner is told %d times, want 1", warnings())
			}
		})
	}
}

func TestOfManyRefreshesAtOnceOneWinsAndTheOthersEndTheFamily(t *testing.T) {
	storetest.EachURL(t, onOfManyRefreshesAtOnce)
}

func onOfManyRefreshesAtOnce(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.client()
	pair := b.signsUp()
	replies, statuses := atOnce(20, func(int) reply { return s.client().as(pair.refresh).get(refreshPath) })
	if statuses[200] != 1 || statuses[401] != 19 {
		t.Fatalf("statuses %v", statuses)
	}
	for _, got := range replies {
		if got.status == http.StatusOK {
			wantSignedOut(t, "the winner's access token", b.as(holds(got).access).get(profilePath))
			wantSignedOut(t, "the winner's refresh token", b.as(holds(got).refresh).get(refreshPath))
		}
	}
	if n := len(s.ledger.sent("refresh-reused-sms", "+91"+phone)); n != 1 {
		t.Errorf("the owner is told %d times, want 1", n)
	}
	if n := storetest.Rows(t, databaseURL)["sessions"]; n != 0 {
		t.Errorf("%d sessions stand", n)
	}
}

func TestASessionEndsWithEitherToken(t *testing.T) {
	for title, token := range map[string]func(held) string{
		"the access token":  func(h held) string { return h.access },
		"the refresh token": func(h held) string { return h.refresh },
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(method+" with "+title, func(t *testing.T) {
				s := newSite(t)
				b := s.client()
				pair, other := b.signsUp(), held{}
				s.clock.Pass(time.Minute)
				other = b.signsUp()
				want(t, b.as(token(pair)).send(method, destroyPath, ""), http.StatusOK, "You are logged out.")
				wantSignedOut(t, "the access token", b.as(pair.access).get(profilePath))
				wantSignedOut(t, "the refresh token", b.as(pair.refresh).get(refreshPath))
				wantSignedOut(t, "the same again", b.as(token(pair)).send(method, destroyPath, ""))
				want(t, b.as(other.access).get(profilePath), http.StatusOK, "Profile found.")
				if n := len(s.ledger.sent("refresh-reused-sms", "+91"+phone)); n != 0 {
					t.Errorf("the owner is told of a theft")
				}
			})
		}
	}
	s := newSite(t)
	b := s.client()
	pair := b.signsUp()
	account := b.accountOf(pair)
	if err := s.services.Account.SignOutEverywhere(t.Context(), admission.Visitor{AccountID: account}); err != nil {
		t.Fatal(err)
	}
	wantSignedOut(t, "an access token after sign out everywhere", b.as(pair.access).get(profilePath))
	wantSignedOut(t, "a refresh token after sign out everywhere", b.as(pair.refresh).get(refreshPath))
}

// accountOf returns the account of an access token.
func (b *browser) accountOf(pair held) string {
	b.t.Helper()
	session, err := b.services.Tokens.Session(b.t.Context(), pair.access)
	if err != nil || session == nil {
		b.t.Fatalf("session %v, %v", session, err)
	}
	return session.AccountID
}

func TestNoOtherTokenIsGood(t *testing.T) {
	s := newSite(t)
	b := s.client()
	pair := b.signsUp()
	session, err := s.services.Tokens.Session(t.Context(), pair.access)
	if err != nil {
		t.Fatal(err)
	}
	browser := s.signedIn()
	own, now, key := browser.cookieSession(), s.clock.Now(), s.services.Tokens.Key
	claims := func(changes jwt.MapClaims) jwt.MapClaims {
		all := jwt.MapClaims{"sub": session.AccountID, "sid": session.ID, "iss": baseURL, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}
		for name, value := range changes {
			all[name] = value
			if value == nil {
				delete(all, name)
			}
		}
		return all
	}
	signed := func(method jwt.SigningMethod, key any, changes jwt.MapClaims) string {
		t.Helper()
		token, err := jwt.NewWithClaims(method, claims(changes)).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	good := signed(jwt.SigningMethodHS256, key, nil)
	want(t, b.as(good).get(profilePath), http.StatusOK, "Profile found.") // otherwise the table below proves nothing
	parts := strings.Split(good, ".")
	for sentence, token := range map[string]string{
		"none":                           "",
		"no token":                       "x",
		"three dots":                     "...",
		"expired":                        signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"exp": now.Unix()}),
		"for ever":                       signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"exp": nil}),
		"unsigned":                       signed(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil),
		"without its signature":          parts[0] + "." + parts[1] + ".",
		"with another's claims":          parts[0] + "." + strings.Split(signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"sub": "x"}), ".")[1] + "." + parts[2],
		"of another method":              signed(jwt.SigningMethodHS384, key, nil),
		"of another key":                 signed(jwt.SigningMethodHS256, bytes.Repeat([]byte("p"), 32), nil),
		"of a foreign issuer":            signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"iss": "https://evil.example"}),
		"of no issuer":                   signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"iss": nil}),
		"of another account":             signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"sub": admission.NewID()}),
		"of no account":                  signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"sub": ""}),
		"of no session":                  signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"sid": nil}),
		"of a session that is not there": signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"sid": admission.NewID()}),
		"of a browser's session":         signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"sid": own.ID, "sub": own.AccountID}),
		"not yet":                        signed(jwt.SigningMethodHS256, key, jwt.MapClaims{"nbf": now.Add(time.Minute).Unix()}),
		"too long":                       good + strings.Repeat("A", 1024),
		"a refresh token":                pair.refresh,
		"a cookie":                       browser.cookies["__Host-hiresure"],
	} {
		wantSignedOut(t, sentence, b.as(token).get(profilePath))
		wantSignedOut(t, sentence+", beside a good cookie", browser.as(token).get(profilePath))
		if sentence != "a refresh token" {
			wantSignedOut(t, "to refresh: "+sentence, b.as(token).get(refreshPath))
			wantSignedOut(t, "to sign out: "+sentence, b.as(token).get(destroyPath))
		}
	}
	for sentence, lines := range map[string][]string{"two of them": {"Bearer " + good, "Bearer " + good}, "a scheme alone": {"Bearer"}, "small letters": {"bearer x"}} {
		twice := b.with("Authorization", "")
		twice.headers["Authorization"] = lines
		wantSignedOut(t, sentence, twice.get(profilePath))
	}
	want(t, b.as(pair.access).get(profilePath), http.StatusOK, "Profile found.")
	want(t, browser.get(profilePath), http.StatusOK, "Profile found.")
	want(t, browser.with("Authorization", "Basic eDp5").get(profilePath), http.StatusOK, "Profile found.")
	wantSignedOut(t, "nobody", s.client().get(profilePath))
	wantSignedOut(t, "a browser that is not signed in", s.browser().proves("9876543218", "ravi@example.com").get(profilePath))
}

func TestARefreshTokenEndsWithItsSession(t *testing.T) {
	s := newSite(t)
	b := s.client()
	pair := b.signsUp()
	session, err := s.services.Tokens.Session(t.Context(), pair.access)
	if err != nil {
		t.Fatal(err)
	}
	s.clock.Pass(session.ExpiresAt.Sub(s.clock.Now()) - time.Second)
	renewed := holds(b.as(pair.refresh).get(refreshPath))
	want(t, b.as(renewed.access).get(profilePath), http.StatusOK, "Profile found.")
	if session, err = s.services.Tokens.Session(t.Context(), renewed.access); err != nil {
		t.Fatal(err)
	}
	s.clock.Pass(session.ExpiresAt.Sub(s.clock.Now())) // not purged yet
	wantSignedOut(t, "the refresh token of a session that is over", b.as(renewed.refresh).get(refreshPath))
	if n := len(s.ledger.sent("refresh-reused-sms", "+91"+phone)); n != 0 {
		t.Errorf("the owner is told of a theft")
	}
}

func TestARefreshTokenIsMadeByUsAlone(t *testing.T) {
	s := newSite(t)
	b := s.client()
	pair := b.signsUp()
	parts := strings.Split(pair.refresh, ".")
	sign := func(key []byte, body string) string {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("refresh token\x00" + body))
		return body + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	if sign(s.services.Tokens.Key, parts[0]+"."+parts[1]) != pair.refresh {
		t.Fatal("a refresh token is made otherwise than this test makes it")
	}
	for sentence, token := range map[string]string{
		"of another key":               sign([]byte("another"), parts[0]+"."+parts[1]),
		"with another's random part":   parts[0] + "." + admission.NewToken() + "." + parts[2],
		"without its proof":            parts[0] + "." + parts[1],
		"with no proof":                parts[0] + "." + parts[1] + ".",
		"of something that is no id":   sign(s.services.Tokens.Key, "x."+parts[1]),
		"of a session that is no more": sign(s.services.Tokens.Key, admission.NewID()+"."+parts[1]),
		"an access token":              pair.access,
	} {
		wantSignedOut(t, sentence, b.as(token).get(refreshPath))
	}
	want(t, b.as(pair.refresh).get(refreshPath), http.StatusOK, "You are signed in.") // the session is live
}

func TestACookieIsNoTokenAndATokenNoCookie(t *testing.T) {
	s := newSite(t)
	s.client().signsUp()
	s.clock.Pass(time.Minute)
	browser := s.signedIn()
	for _, path := range []string{refreshPath, destroyPath} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			wantSignedOut(t, method+" "+path+" by cookie", browser.send(method, path, ""))
		}
		got := browser.send(http.MethodHead, path, "")
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "GET, POST" {
			t.Errorf("HEAD %s: %d, Allow %q", path, got.status, got.header.Get("Allow"))
		}
	}
	want(t, browser.get(profilePath), http.StatusOK, "Profile found.")

	s.clock.Pass(time.Minute)
	b := s.client()
	pair := b.signsUp()
	for sentence, token := range map[string]string{"a refresh token": pair.refresh, "an access token": pair.access} {
		thief := s.browser()
		thief.cookies["__Host-hiresure"] = token
		wantSignedOut(t, sentence+" as a cookie", thief.get(profilePath))
		if session, err := s.services.Access.FindSession(t.Context(), token); session != nil || err != nil {
			t.Errorf("%s opens a session as a cookie: %v", sentence, err)
		}
	}
	foreign := s.browser().with("Sec-Fetch-Site", "cross-site").with("Origin", "https://evil.example").as(pair.refresh)
	want(t, foreign.post(refreshPath, object{}), http.StatusForbidden, "We blocked this because it came from another site. Please use our own page.")
	answer := b.as(pair.access).with("Origin", "https://evil.example").get(profilePath)
	want(t, answer, http.StatusOK, "Profile found.")
	for name := range answer.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the answer lets other sites read it: %s", name)
		}
	}
	if got := answer.header.Get("Cache-Control"); got != "private, no-store" {
		t.Errorf("Cache-Control %q", got)
	}
	want(t, b.as(pair.refresh).post(refreshPath, object{"x": "y"}), http.StatusUnprocessableEntity, "This field is unknown.")
	want(t, b.as(pair.refresh).get(refreshPath), http.StatusOK, "You are signed in.")
}

func TestAClientEnrolsWithItsToken(t *testing.T) {
	s := newSite(t)
	b := s.client()
	pair := b.signsUp()
	as := b.as(pair.access)
	s.clock.Pass(time.Minute)
	asked := as.asks("9876543219", "ravi@example.com")
	want(t, asked, http.StatusOK, "We sent a code to your mobile number.")
	want(t, as.answers("9876543219", "ravi@example.com", asked.text("request_id"), s.code("9876543219")), http.StatusOK, "Your mobile number is verified.")
	id := as.enrols(object{"phone_number": "9876543219", "email": "ravi@example.com"})
	want(t, as.starts(id), http.StatusOK, "Payment started.")
	want(t, s.client().starts(id), http.StatusNotFound, "Registration not found.")
	if len(as.cookies) != 0 {
		t.Errorf("cookies %v", as.cookies)
	}

	// A key's answer belongs to the session: its next access token gets it, another client does not.
	first := as.with("Idempotency-Key", "k1").post(enquiryPath, enquiry(nil))
	s.clock.Pass(time.Minute)
	next := holds(b.as(pair.refresh).get(refreshPath)) // the verification kept the refresh token
	if again := b.as(next.access).with("Idempotency-Key", "k1").post(enquiryPath, enquiry(nil)); string(again.raw) != string(first.raw) {
		t.Errorf("the next access token got %s, want %s", again.raw, first.raw)
	}
	other := b.as(b.signsUp().access).with("Idempotency-Key", "k1").post(enquiryPath, enquiry(nil))
	if other.status != http.StatusOK || string(other.raw) == string(first.raw) {
		t.Errorf("another client got %s", other.raw)
	}
	a, refused := b.as(next.refresh).with("Idempotency-Key", "k1"), b.as(next.refresh).with("Idempotency-Key", "k1")
	want(t, a.post(refreshPath, object{}), http.StatusOK, "You are signed in.")
	wantSignedOut(t, "a refresh with the same key", refused.post(refreshPath, object{}))
}

func TestNoTokenIsLogged(t *testing.T) {
	s := newSite(t)
	b := s.client()
	first := b.signsUp()
	second := holds(b.as(first.refresh).get(refreshPath))
	b.as(second.access).get(profilePath)
	s.ledger.setDown(errors.New("the database is gone " + second.access + " " + second.refresh))
	b.as(second.access).get(profilePath)
	b.as(second.refresh).get(refreshPath)
	s.ledger.setDown(context.DeadlineExceeded)
	b.as(second.refresh).get(destroyPath)
	s.ledger.setDown(nil)
	b.as(second.access + "x").get(profilePath)
	b.as(first.refresh).get(refreshPath)
	logs := s.logs.String()
	if !strings.Contains(logs, "the database is gone") || !strings.Contains(logs, refreshPath) {
		t.Fatalf("nothing is logged: %s", logs)
	}
	for _, token := range []string{first.access, first.refresh, second.access, second.refresh} {
		for _, part := range strings.Split(token, ".") {
			if strings.Contains(logs, part) && part != strings.Split(first.access, ".")[0] { // which describes how it is signed
				t.Errorf("the log has %s", part)
			}
		}
	}
}

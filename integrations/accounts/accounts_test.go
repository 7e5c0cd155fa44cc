package accounts_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/integrations/accounts"
)

const (
	origin = "https://www.example.in"
	iss    = "https://accounts.example.in"
)

var now = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

func clock() time.Time { return now }

// service is a fake accounts service that counts requests for its keys.
type service struct {
	*httptest.Server
	rsa    *rsa.PrivateKey
	ec     *ecdsa.PrivateKey
	asked  atomic.Int32
	answer func(w http.ResponseWriter)
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{}
	var err, ecErr error
	s.rsa, err = rsa.GenerateKey(rand.Reader, 2048)
	s.ec, ecErr = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil || ecErr != nil {
		t.Fatal(err, ecErr)
	}
	s.answer = func(w http.ResponseWriter) {
		number := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }
		point, err := s.ec.PublicKey.Bytes()
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"keys":[{"kty":"RSA","kid":"r","use":"sig","alg":"RS256","n":%q,"e":"AQAB"},{"kty":"EC","kid":"e","crv":"P-256","x":%q,"y":%q}]}`,
			number(s.rsa.N), base64.RawURLEncoding.EncodeToString(point[1:33]), base64.RawURLEncoding.EncodeToString(point[33:]))
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/keys", http.StatusFound)
			return
		}
		s.answer(w)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) issuer(t *testing.T, path string) *accounts.Issuer {
	t.Helper()
	issuer, err := accounts.New(t.Context(), accounts.Config{Issuer: iss, KeysURL: s.URL + path, Audience: origin, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return issuer
}

func claims(changes jwt.MapClaims) jwt.MapClaims {
	all := jwt.MapClaims{
		"iss": iss, "aud": origin, "sub": "7", "exp": now.Add(time.Minute).Unix(), "name": "Asha Rao", "email": "asha@example.com", "email_verified": true,
		"phone_number": "+919876543210", "phone_number_verified": true,
	}
	for name, value := range changes {
		all[name] = value
		if value == nil {
			delete(all, name)
		}
	}
	return all
}

func signed(t *testing.T, method jwt.SigningMethod, key any, kid string, changes jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims(changes))
	if kid != "" {
		token.Header["kid"] = kid
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestIdentifyReadsToken(t *testing.T) {
	s := newService(t)
	issuer := s.issuer(t, "/keys")
	for sentence, token := range map[string]string{
		"by RSA":                 signed(t, jwt.SigningMethodRS256, s.rsa, "r", nil),
		"by an elliptic curve":   signed(t, jwt.SigningMethodES256, s.ec, "e", nil),
		"without a key's name":   signed(t, jwt.SigningMethodES256, s.ec, "", nil),
		"for us and for another": signed(t, jwt.SigningMethodES256, s.ec, "e", jwt.MapClaims{"aud": []string{"https://x.example", origin}}),
	} {
		got, err := issuer.Identify(t.Context(), token)
		want := account.Identity{
			FullName: "Asha Rao", Phone: "+919876543210", PhoneVerified: true, Email: "asha@example.com", EmailVerified: true,
			Once: admission.HashToken(token[:strings.LastIndexByte(token, '.')]), ExpiresAt: now.Add(time.Minute),
		}
		if got.ExpiresAt = got.ExpiresAt.UTC(); err != nil || got != want {
			t.Errorf("%s: %+v, %v", sentence, got, err)
		}
	}
	got, err := issuer.Identify(t.Context(), signed(t, jwt.SigningMethodES256, s.ec, "e", jwt.MapClaims{"email_verified": nil, "phone_number_verified": false}))
	if err != nil || got.PhoneVerified || got.EmailVerified {
		t.Errorf("what the service has not proven: %+v, %v", got, err)
	}
}

func TestIdentifyRejectsInvalidTokens(t *testing.T) {
	s := newService(t)
	issuer := s.issuer(t, "/keys")
	der, err := x509.MarshalPKIXPublicKey(&s.rsa.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for sentence, token := range map[string]string{
		"nothing":                   "",
		"no token":                  "x.y.z",
		"too long":                  signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"x": strings.Repeat("x", 8<<10)}),
		"of another key":            signed(t, jwt.SigningMethodRS256, stranger, "r", nil),
		"of a key without its name": signed(t, jwt.SigningMethodRS256, stranger, "", nil),
		"unsigned":                  signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "r", nil),
		"the public key as secret":  signed(t, jwt.SigningMethodHS256, public, "r", nil),
		"its bytes as secret":       signed(t, jwt.SigningMethodHS256, der, "", nil),
		"another method of the key": signed(t, jwt.SigningMethodRS512, s.rsa, "r", nil),
		"of another issuer":         signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"iss": "https://evil.example"}),
		"of no issuer":              signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"iss": nil}),
		"for another site":          signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"aud": "https://x.example"}),
		"for nobody":                signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"aud": nil}),
		"expired":                   signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"exp": now.Unix()}),
		"for ever":                  signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"exp": nil}),
		"not yet":                   signed(t, jwt.SigningMethodRS256, s.rsa, "r", jwt.MapClaims{"nbf": now.Add(time.Minute).Unix()}),
	} {
		if got, err := issuer.Identify(t.Context(), token); err == nil || got != (account.Identity{}) {
			t.Errorf("%s: %+v, %v", sentence, got, err)
		}
	}
}

func TestKeysAreFetchedAtLimitedRate(t *testing.T) {
	s := newService(t)
	issuer := s.issuer(t, "/keys")
	for i := range 50 {
		if _, err := issuer.Identify(t.Context(), signed(t, jwt.SigningMethodES256, s.ec, fmt.Sprint("made up ", i), nil)); err == nil {
			t.Error("a key of a made-up name is taken")
		}
	}
	if n := s.asked.Load(); n != 2 { // at the beginning, and once in a minute for names that it does not know
		t.Errorf("the service is asked %d times", n)
	}
	if _, err := issuer.Identify(t.Context(), signed(t, jwt.SigningMethodES256, s.ec, "e", nil)); err != nil {
		t.Errorf("a good token is refused after that: %v", err)
	}
}

func TestInvalidKeysRejectTokens(t *testing.T) {
	for sentence, c := range map[string]struct {
		path   string
		answer func(good func(http.ResponseWriter)) func(http.ResponseWriter)
	}{
		"elsewhere": {"/moved", func(good func(http.ResponseWriter)) func(http.ResponseWriter) { return good }},
		"a fault": {"/keys", func(func(http.ResponseWriter)) func(http.ResponseWriter) {
			return func(w http.ResponseWriter) { w.WriteHeader(500) }
		}},
		"no JSON": {"/keys", func(func(http.ResponseWriter)) func(http.ResponseWriter) {
			return func(w http.ResponseWriter) { fmt.Fprint(w, "<html>") }
		}},
		"too much of it": {"/keys", func(good func(http.ResponseWriter)) func(http.ResponseWriter) {
			return func(w http.ResponseWriter) {
				recorded := httptest.NewRecorder()
				good(recorded)
				var set map[string]any
				if err := json.Unmarshal(recorded.Body.Bytes(), &set); err != nil {
					panic(err)
				}
				set["a"] = strings.Repeat("x", 256<<10)
				_ = json.NewEncoder(w).Encode(set)
			}
		}},
	} {
		s := newService(t)
		s.answer = c.answer(s.answer)
		if _, err := s.issuer(t, c.path).Identify(t.Context(), signed(t, jwt.SigningMethodES256, s.ec, "e", nil)); err == nil {
			t.Errorf("%s: a token is taken", sentence)
		}
	}
}

func TestNewRejectsMissingFields(t *testing.T) {
	whole := accounts.Config{Issuer: iss, KeysURL: "https://accounts.example.in/keys", Audience: origin, Clock: clock, Log: slog.New(slog.DiscardHandler)}
	for sentence, c := range map[string]struct {
		change func(*accounts.Config)
		want   string
	}{
		"no address":       {func(n *accounts.Config) { n.KeysURL = "" }, "ACCOUNTS_JWKS_URL must be an https address"},
		"another scheme":   {func(n *accounts.Config) { n.KeysURL = "file:///etc/passwd" }, "ACCOUNTS_JWKS_URL must be an https address"},
		"nobody it is of":  {func(n *accounts.Config) { n.Issuer = "" }, "an accounts service needs an Issuer, an Audience, a Clock and a Log"},
		"nobody it is for": {func(n *accounts.Config) { n.Audience = "" }, "an accounts service needs an Issuer, an Audience, a Clock and a Log"},
	} {
		config := whole
		c.change(&config)
		if _, err := accounts.New(t.Context(), config); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", sentence, err, c.want)
		}
	}
}

// An ECDSA signature (r, s) is as valid as (r, n-s).
func TestOnceIgnoresSignature(t *testing.T) {
	s := newService(t)
	issuer := s.issuer(t, "/keys")
	token := signed(t, jwt.SigningMethodES256, s.ec, "e", nil)
	dot := strings.LastIndexByte(token, '.')
	signature, err := base64.RawURLEncoding.DecodeString(token[dot+1:])
	if err != nil {
		t.Fatal(err)
	}
	flipped := new(big.Int).Sub(s.ec.Params().N, new(big.Int).SetBytes(signature[32:]))
	flipped.FillBytes(signature[32:])
	other := token[:dot+1] + base64.RawURLEncoding.EncodeToString(signature)
	first, err := issuer.Identify(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	again, err := issuer.Identify(t.Context(), other)
	if err != nil || again.Once != first.Once {
		t.Errorf("%v, %q, want %q", err, again.Once, first.Once)
	}
}

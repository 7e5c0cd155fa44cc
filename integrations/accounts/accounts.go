// Package accounts verifies the tokens of an external accounts service that signs visitors in.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"hiresure/admission"
	"hiresure/admission/account"
)

const (
	wait         = 5 * time.Second // for the service's keys
	mostKeys     = 256 << 10       // bytes of the key set
	longestToken = 3500            // bytes: browsers drop larger cookies
	newKeysEvery = time.Minute     // minimum interval: made-up key ids must not cause requests
)

// methods are the accepted algorithms, all with public verification keys.
var methods = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// Config configures an Issuer.
type Config struct {
	Issuer   string // the iss of its tokens
	KeysURL  string // of its JWK Set
	Audience string // aud of our tokens: our origin
	Clock    func() time.Time
	Log      *slog.Logger
}

// Issuer verifies the tokens of an accounts service.
type Issuer struct {
	Config
	keys keyfunc.Keyfunc
}

// New fetches the service's keys, and again every hour until ctx ends. If the service does not respond, New still succeeds;
// the keys are retried later and tokens are rejected until then.
func New(ctx context.Context, n Config) (*Issuer, error) {
	u, err := url.Parse(n.KeysURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("ACCOUNTS_JWKS_URL must be an https address")
	}
	if n.Issuer == "" || n.Audience == "" || n.Clock == nil || n.Log == nil {
		return nil, errors.New("an accounts service needs an Issuer, an Audience, a Clock and a Log")
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	keys, err := keyfunc.NewDefaultOverrideCtx(ctx, []string{n.KeysURL}, keyfunc.Override{
		Client:           &http.Client{Timeout: wait, CheckRedirect: stay, Transport: bounded{http.DefaultTransport}},
		HTTPTimeout:      wait,
		RateLimitWaitMax: time.Millisecond, RefreshUnknownKID: rate.NewLimiter(rate.Every(newKeysEvery), 1),
		RefreshErrorHandlerFunc: func(string) func(context.Context, error) {
			return func(ctx context.Context, err error) {
				n.Log.ErrorContext(ctx, "fetching the accounts service's keys failed", "error", err)
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("accounts service: %w", err)
	}
	return &Issuer{n, keys}, nil
}

type claims struct {
	Name                string `json:"name"`
	Email               string `json:"email"`
	EmailVerified       bool   `json:"email_verified"`
	PhoneNumber         string `json:"phone_number"`
	PhoneNumberVerified bool   `json:"phone_number_verified"`
	jwt.RegisteredClaims
}

// Identify returns the identity in a token that the service signed for us and that has not expired.
func (i *Issuer) Identify(ctx context.Context, token string) (account.Identity, error) {
	if len(token) > longestToken {
		return account.Identity{}, errors.New("accounts service: a token is too long")
	}
	var c claims
	_, err := jwt.ParseWithClaims(token, &c, i.keys.KeyfuncCtx(ctx), jwt.WithValidMethods(methods), jwt.WithIssuer(i.Issuer), jwt.WithAudience(i.Audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(i.Clock), jwt.WithStrictDecoding())
	if err != nil {
		return account.Identity{}, fmt.Errorf("accounts service: %w", err)
	}
	return account.Identity{
		FullName: c.Name, Phone: c.PhoneNumber, PhoneVerified: c.PhoneNumberVerified, Email: c.Email, EmailVerified: c.EmailVerified,
		// Hash without the signature: an ECDSA signature has two valid forms.
		Once: admission.HashToken(token[:strings.LastIndexByte(token, '.')]), ExpiresAt: c.ExpiresAt.Time,
	}, nil
}

// bounded limits responses to mostKeys bytes.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, mostKeys), response.Body}
	}
	return response, err
}

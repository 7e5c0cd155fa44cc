package paypal

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// beforeEnd is how long before its expiry a token is replaced.
const beforeEnd = time.Minute

// tokens caches the access token that all calls share.
type tokens struct {
	config Config
	turn   chan struct{} // held by the one goroutine that requests a token

	mutex sync.Mutex
	text  string
	until time.Time
}

func newTokens(n Config) *tokens { return &tokens{config: n, turn: make(chan struct{}, 1)} }

// sign adds the token to a call.
func (t *tokens) sign(r *http.Request) error {
	text, err := t.get(r.Context())
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+text)
	return nil
}

func (t *tokens) kept() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.config.Clock().Before(t.until) {
		return t.text
	}
	return ""
}

// drop deletes the cached token and reports whether there was one.
func (t *tokens) drop() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	kept := t.text != ""
	t.text, t.until = "", time.Time{}
	return kept
}

func (t *tokens) get(ctx context.Context) (string, error) {
	if text := t.kept(); text != "" {
		return text, nil
	}
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("%w: %w", method.ErrUnknown, ctx.Err())
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	}
	if text := t.kept(); text != "" { // requested meanwhile
		return text, nil
	}
	asked := t.config.Clock()
	var answer struct {
		Token   string `json:"access_token"`
		Seconds int64  `json:"expires_in"`
	}
	var err error
	for _, secret := range t.config.Secrets {
		client := call.Client{Base: t.config.BaseURL, Transport: t.config.Transport, Sign: func(r *http.Request) error {
			r.SetBasicAuth(t.config.ClientID, secret)
			return nil
		}}
		err = client.JSON(ctx, call.Request{Method: http.MethodPost, Path: "/v1/oauth2/token", Type: "application/x-www-form-urlencoded", Body: []byte("grant_type=client_credentials")}, nil, &answer)
		if !errors.Is(err, method.ErrCredentials) {
			break
		}
	}
	switch { // the call itself was not sent, so it is neither declined nor without a charge
	case errors.Is(err, method.ErrDeclined):
		return "", fmt.Errorf("%w: no token: %s", method.ErrCredentials, err)
	case errors.Is(err, method.ErrNoCharge), err == nil && answer.Token == "":
		return "", fmt.Errorf("%w: no token", method.ErrUnknown)
	case err != nil:
		return "", err
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text, t.until = answer.Token, asked.Add(time.Duration(answer.Seconds)*time.Second-beforeEnd)
	return t.text, nil
}

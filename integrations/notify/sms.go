package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"hiresure/admission/message"
)

const smsWait = 10 * time.Second

// SMS sends texts through a provider's HTTP API.
type SMS struct {
	address string
	key     string
	client  *http.Client
}

// NewSMS parses https://key@host/path or https://host/path?key=…; http is for loopback only.
func NewSMS(smsURL string) (*SMS, error) {
	u, err := url.Parse(smsURL)
	if err != nil || u.Host == "" {
		return nil, errors.New("SMS_URL must be https://key@host/path") // without the parser's error, which quotes the key
	}
	loopback := slices.Contains([]string{"127.0.0.1", "::1", "localhost"}, u.Hostname())
	if u.Scheme != "https" && (u.Scheme != "http" || !loopback) {
		return nil, errors.New("SMS_URL must be https")
	}
	query := u.Query()
	key := query.Get("key")
	if u.User != nil {
		key = u.User.Username()
		if password, ok := u.User.Password(); ok {
			key = password
		}
	}
	if key == "" {
		return nil, errors.New("SMS_URL holds no key")
	}
	query.Del("key")
	u.User, u.RawQuery = nil, query.Encode()
	return &SMS{u.String(), key, &http.Client{Timeout: smsWait, CheckRedirect: noRedirect}}, nil
}

// noRedirect disables redirects: text and key are for one host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Send posts {to, text, template, id} with the key as bearer token and the message's id as Idempotency-Key. A refusal (4xx) is
// permanent, except 401, 403, 404, 408, 425 and 429, which concern us or the moment.
func (s *SMS) Send(ctx context.Context, m message.Message, _ []Picture) error {
	body, err := json.Marshal(map[string]string{"to": m.To, "text": m.Content.Text, "template": m.Template, "id": m.ID})
	if err != nil {
		return refused(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Idempotency-Key", m.ID)
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("SMS provider does not respond: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // allows the connection to be reused
	if response.StatusCode/100 == 2 {
		return nil
	}
	err = fmt.Errorf("SMS provider: status %d", response.StatusCode)
	temporary := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}
	if response.StatusCode/100 == 4 && !slices.Contains(temporary, response.StatusCode) {
		return refused(err)
	}
	return err
}

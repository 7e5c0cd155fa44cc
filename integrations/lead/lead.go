// Package lead sends abandoned enrolments to a webhook, with the person's consent.
package lead

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"hiresure/admission/enrol"
)

const (
	signatureHeader = "X-HireSure-Signature"
	wait            = 10 * time.Second
)

// Config configures a Webhook.
type Config struct {
	URL    string // https; http only in tests
	Secret []byte
	Clock  func() time.Time
	Leads  func(ctx context.Context, id string) (*enrol.Lead, error) // nil for a deleted one
}

// Webhook sends leads to one address.
type Webhook struct {
	Config
	client *http.Client
}

// New returns a Webhook, or an error for a missing or invalid field.
func New(n Config) (*Webhook, error) {
	u, err := url.Parse(n.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errors.New("LEAD_WEBHOOK_URL must be an https address")
	}
	if len(n.Secret) == 0 || n.Clock == nil || n.Leads == nil {
		return nil, errors.New("lead webhook needs Secret, Clock and Leads")
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Webhook{n, &http.Client{Timeout: wait, CheckRedirect: stay}}, nil
}

// Body is the JSON body sent to the webhook.
type Body struct {
	ID        string    `json:"id"`
	EventCode string    `json:"event_code"`
	FullName  string    `json:"full_name"`
	Email     string    `json:"email"`
	Phone     string    `json:"phone"` // E.164
	CreatedAt time.Time `json:"created_at"`
}

// Forward handles admission.JobLead: it posts a lead, unless it was deleted.
func (w *Webhook) Forward(ctx context.Context, id string) (again time.Duration, err error) {
	l, err := w.Leads(ctx, id)
	if err != nil || l == nil {
		return 0, err
	}
	return 0, w.send(ctx, *l)
}

// send posts a lead as JSON. X-HireSure-Signature is "t=<Unix seconds>,v1=<hex>": HMAC-SHA256 under the secret of the seconds, a
// dot and the body. Idempotency-Key is the lead's id. Any status but 2xx is an error, and the queue retries.
func (w *Webhook) send(ctx context.Context, l enrol.Lead) error {
	body, err := json.Marshal(Body{l.ID, l.EventCode, l.FullName, l.Email, l.Phone, l.CreatedAt.UTC()})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	at := strconv.FormatInt(w.Clock().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", l.ID)
	request.Header.Set(signatureHeader, "t="+at+",v1="+Sign(w.Secret, at, body))
	response, err := w.client.Do(request)
	if err != nil {
		var fault *url.Error // its text has the address, which may contain a token
		if errors.As(err, &fault) {
			err = fault.Err
		}
		return fmt.Errorf("send lead: %w", err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)); err != nil {
		return fmt.Errorf("send lead: %w", err)
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("send lead: status %d", response.StatusCode)
	}
	return nil
}

// Sign returns the signature that a receiver compares; at is the header's "t".
func Sign(secret []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

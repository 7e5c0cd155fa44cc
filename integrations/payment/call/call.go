// Package call is the HTTP client of the payment gateways; it maps responses to the gateways' errors.
package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	mostAnswer  = 4 << 20 // bytes; a day's list page of 100 payments is 200 kB
	beforeRetry = 200 * time.Millisecond
)

// Client calls one provider's API. It is safe for concurrent use.
type Client struct {
	Base      string            // https://api.example.com/v1, without a trailing slash
	Transport http.RoundTripper // nil means http.DefaultTransport
	// Sign authenticates a request, for instance by basic authentication. It runs for every try.
	Sign func(r *http.Request) error
}

// Request is an API call.
type Request struct {
	Method, Path string // path and query, appended to the base
	Header       http.Header
	Type         string // content type of the body; "" means application/json
	Body         []byte
}

// Refused is a permanent refusal by a provider; it is an ErrDeclined. Its text has the provider's codes, but not its message,
// which may contain personal data.
type Refused struct {
	Status int
	Body   []byte
}

func (r *Refused) Error() string {
	return fmt.Sprintf("%v: status %s", method.ErrDeclined, Reason(strconv.Itoa(r.Status), r.codes()...))
}

// codes returns the codes of a refusal, from the fields in which our providers have them.
func (r *Refused) codes() []string {
	var body struct {
		Code      string `json:"code"`
		ErrorCode string `json:"error_code"`
		Error     struct {
			Code string `json:"code"`
		} `json:"error"`
		Details []struct {
			Issue string `json:"issue"`
		} `json:"details"`
	}
	_ = json.Unmarshal(r.Body, &body) // what has another shape is skipped
	codes := []string{body.Code, body.ErrorCode, body.Error.Code}
	for _, detail := range body.Details {
		codes = append(codes, detail.Issue)
	}
	return codes
}

var code = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z_.-]{1,63}$`)

// Reason returns a provider's status and its codes as method.RefundStatus.Reason. It leaves out what is no code, since a
// sentence may contain personal data.
func Reason(status string, codes ...string) string {
	for _, c := range codes {
		if code.MatchString(c) {
			status += ", " + c
		}
	}
	return status
}

// Unwrap returns method.ErrDeclined.
func (r *Refused) Unwrap() error { return method.ErrDeclined }

// Unrefused converts a Refused to an ErrUnknown, for queries: a refused query leaves its subject unknown.
func Unrefused(err error) error {
	var refused *Refused
	if errors.As(err, &refused) {
		return fmt.Errorf("%w: status %d", method.ErrUnknown, refused.Status)
	}
	return err
}

// Do makes a call and returns the response's body. It retries a GET once if no response came. Callers repeat other calls
// themselves, with the same idempotency key. It returns ErrCredentials for 401 and 403, ErrNoCharge for 404, a Refused for any
// other 4xx that is not temporary, else ErrUnknown.
func (c Client) Do(ctx context.Context, r Request) ([]byte, error) {
	answer, err := c.try(ctx, r)
	if r.Method != http.MethodGet || !errors.Is(err, method.ErrUnknown) {
		return answer, err
	}
	select {
	case <-ctx.Done():
		return nil, err
	case <-time.After(beforeRetry):
		return c.try(ctx, r)
	}
}

func (c Client) try(ctx context.Context, r Request) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, c.Base+r.Path, bytes.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", r.Method, err)
	}
	if r.Header != nil {
		request.Header = r.Header.Clone()
	}
	request.Header.Set("Accept", "application/json")
	if r.Body != nil {
		request.Header.Set("Content-Type", "application/json")
		if r.Type != "" {
			request.Header.Set("Content-Type", r.Type)
		}
	}
	if c.Sign != nil {
		if err := c.Sign(request); err != nil {
			return nil, fmt.Errorf("sign call: %w", err)
		}
	}
	// Redirects are not followed: they would send our credentials to another host.
	client := http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", method.ErrUnknown, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer+1))
	if err == nil && len(body) > mostAnswer {
		err = errors.New("response too long")
	}
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return nil, fmt.Errorf("%w: status %d", method.ErrCredentials, status)
	case status == http.StatusNotFound:
		return nil, method.ErrNoCharge
	case err != nil:
		return nil, fmt.Errorf("%w: %w", method.ErrUnknown, err)
	case status >= 200 && status < 300:
		return body, nil
	case momentary(status):
		return nil, fmt.Errorf("%w: status %d", method.ErrUnknown, status)
	}
	return nil, &Refused{response.StatusCode, body}
}

// momentary reports whether a status is temporary: the same call may succeed later.
func momentary(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status < 400 || status >= 500
}

// JSON makes a call with in as JSON body (nil for none) and decodes the response into out, untyped numbers as json.Number. A
// truncated response is an ErrUnknown: the provider may have acted on the call.
func (c Client) JSON(ctx context.Context, r Request, in, out any) error {
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("call %s: %w", r.Method, err)
		}
		r.Body = body
	}
	answer, err := c.Do(ctx, r)
	if err != nil || out == nil {
		return err
	}
	reader := json.NewDecoder(bytes.NewReader(answer))
	reader.UseNumber()
	if err := reader.Decode(out); err != nil {
		return fmt.Errorf("%w: response: %w", method.ErrUnknown, err)
	}
	return nil
}

// Digits is a decimal number as received.
type Digits string

// UnmarshalJSON stores the raw text; In validates it.
func (d *Digits) UnmarshalJSON(raw []byte) error {
	*d = Digits(bytes.TrimSpace(raw))
	return nil
}

// In returns the amount exactly. It returns ErrUnknown for more than two significant decimals, an exponent, a sign or no
// currency.
func (d Digits) In(currency string) (admission.Money, error) {
	whole, part, _ := strings.Cut(string(d), ".")
	part = strings.TrimRight(part, "0")
	if whole == "" || len(whole) > 12 || len(part) > 2 || strings.Trim(whole+part, "0123456789") != "" || len(currency) != 3 {
		return admission.Money{}, fmt.Errorf("%w: invalid amount", method.ErrUnknown)
	}
	minor, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil {
		return admission.Money{}, fmt.Errorf("%w: invalid amount", method.ErrUnknown)
	}
	return admission.Money{Minor: minor, Currency: currency}, nil
}

// Decimal formats an amount of minor units, such as paise, with two decimals: 149900 becomes "1499.00". minor must not be negative.
func Decimal(minor int64) string { return fmt.Sprintf("%d.%02d", minor/100, minor%100) }

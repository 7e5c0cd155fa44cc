// Package call asks the HTTP interfaces of payment providers, and says in the errors of a gateway what became of a call.
package call

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	mostAnswer  = 4 << 20 // bytes; a page of 100 payments of a day's list is 200 kB
	beforeRetry = 200 * time.Millisecond
)

// Client asks one provider. It is safe for concurrent use.
type Client struct {
	Base      string            // https://api.example.com/v1, without a slash at its end
	Transport http.RoundTripper // nil is http.DefaultTransport
	// Sign adds to a request what proves that it is ours, such as basic authentication. It runs for every try.
	Sign func(r *http.Request) error
}

// Request is one call.
type Request struct {
	Method, Path string // the path with its query, from the base on
	Header       http.Header
	Type         string // of the body; "" is application/json
	Body         []byte
}

// Refused is an answer by which a provider refuses a call for good; it is an ErrDeclined. Its text holds no word of the
// provider, which may name the payer.
type Refused struct {
	Status int
	Body   []byte
}

func (r *Refused) Error() string { return fmt.Sprintf("refused with status %d", r.Status) }

// Unwrap returns method.ErrDeclined.
func (r *Refused) Unwrap() error { return method.ErrDeclined }

// Unrefused returns the error of a question: one that is refused leaves open what is asked, so that a Refused is an ErrUnknown.
func Unrefused(err error) error {
	var refused *Refused
	if errors.As(err, &refused) {
		return fmt.Errorf("%w: status %d", method.ErrUnknown, refused.Status)
	}
	return err
}

// Do makes a call and returns the body of its answer. A GET is tried a second time where no answer came, no other is: who
// has written down that he calls repeats the call, with the same key. The errors are those of a gateway: ErrCredentials for
// 401 and 403, ErrNoCharge for 404, a Refused for any other 4xx that is not about the moment, else ErrUnknown.
func (c Client) Do(ctx context.Context, ask Request) ([]byte, error) {
	answer, err := c.try(ctx, ask)
	if ask.Method != http.MethodGet || !errors.Is(err, method.ErrUnknown) {
		return answer, err
	}
	select {
	case <-ctx.Done():
		return nil, err
	case <-time.After(beforeRetry):
		return c.try(ctx, ask)
	}
}

func (c Client) try(ctx context.Context, ask Request) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, ask.Method, c.Base+ask.Path, bytes.NewReader(ask.Body))
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", ask.Method, err)
	}
	if ask.Header != nil {
		request.Header = ask.Header.Clone()
	}
	request.Header.Set("Accept", "application/json")
	if ask.Body != nil {
		request.Header.Set("Content-Type", "application/json")
		if ask.Type != "" {
			request.Header.Set("Content-Type", ask.Type)
		}
	}
	if c.Sign != nil {
		if err := c.Sign(request); err != nil {
			return nil, fmt.Errorf("sign call: %w", err)
		}
	}
	// No redirect is followed: it would carry what proves us to wherever it leads.
	browser := http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", method.ErrUnknown, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer+1))
	if err == nil && len(body) > mostAnswer {
		err = errors.New("answer too long")
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

// momentary reports whether a status speaks of the moment and not of the call: the same call may be answered later.
func momentary(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status < 400 || status >= 500
}

// JSON makes a call whose body is JSON, nil for none, and reads its answer into out, with numbers of type json.Number where
// out does not say. A torn answer is an ErrUnknown: the call may have done what it asked for.
func (c Client) JSON(ctx context.Context, ask Request, in, out any) error {
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("call %s: %w", ask.Method, err)
		}
		ask.Body = body
	}
	answer, err := c.Do(ctx, ask)
	if err != nil || out == nil {
		return err
	}
	reader := json.NewDecoder(bytes.NewReader(answer))
	reader.UseNumber()
	if err := reader.Decode(out); err != nil {
		return fmt.Errorf("%w: answer: %w", method.ErrUnknown, err)
	}
	return nil
}

// Digits are a decimal number, in the characters that came.
type Digits string

// UnmarshalJSON keeps whatever stands there; In judges it.
func (d *Digits) UnmarshalJSON(raw []byte) error {
	*d = Digits(bytes.TrimSpace(raw))
	return nil
}

// In returns a sum of money exactly, with an ErrUnknown for what has more than two decimals that count, an exponent, a sign or
// no currency.
func (d Digits) In(currency string) (admission.Money, error) {
	whole, part, _ := strings.Cut(string(d), ".")
	part = strings.TrimRight(part, "0")
	if whole == "" || len(whole) > 12 || len(part) > 2 || strings.Trim(whole+part, "0123456789") != "" || len(currency) != 3 {
		return admission.Money{}, fmt.Errorf("%w: no sum of money", method.ErrUnknown)
	}
	minor, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil {
		return admission.Money{}, fmt.Errorf("%w: no sum of money", method.ErrUnknown)
	}
	return admission.Money{Minor: minor, Currency: currency}, nil
}

// Decimal writes an amount of minor units, such as paise, with two decimals: 149900 is 1499.00. It is not for amounts below nothing.
func Decimal(minor int64) string { return fmt.Sprintf("%d.%02d", minor/100, minor%100) }

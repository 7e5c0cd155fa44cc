package stripe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"

	"github.com/stripe/stripe-go/v85"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// sender is the transport of Stripe's library. Like other gateways it retries only GETs and follows no redirects, and it
// converts bad responses to gateway errors before the library reads them.
type sender struct{ call.Client }

// RoundTrip returns only successful responses.
func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, fmt.Errorf("call %s: %w", r.Method, err)
		}
	}
	header := r.Header.Clone()
	header.Del("X-Stripe-Client-User-Agent") // describes this machine
	answer, err := s.Do(r.Context(), call.Request{Method: r.Method, Path: r.URL.RequestURI(), Header: header, Type: header.Get("Content-Type"), Body: body})
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(answer)), Request: r}, nil
}

// asGateway returns the gateway error inside a library error. Other library errors are unreadable responses; their texts are
// dropped, because they quote the response, which may contain personal data.
func asGateway(err error) error {
	var ours *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return ours.Err
	}
	return fmt.Errorf("%w: unreadable response", method.ErrUnknown)
}

const (
	pageOfList = 100
	mostPages  = 1000 // stops a list that never ends
)

// each yields the items of a paginated list.
func each[T any](list func(at stripe.ListParams) *stripe.V1List[T], id func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		at := stripe.ListParams{Limit: stripe.Int64(pageOfList)}
		for range mostPages {
			page := list(at)
			if err := page.Err(); err != nil {
				yield(none, call.Unrefused(asGateway(err)))
				return
			}
			last := ""
			for _, item := range page.Data() {
				if last = id(item); !yield(item, nil) {
					return
				}
			}
			if !page.Meta().HasMore {
				return
			}
			if last == "" || at.StartingAfter != nil && *at.StartingAfter == last {
				break
			}
			at.StartingAfter = &last
		}
		yield(none, fmt.Errorf("%w: the list does not end", method.ErrUnknown))
	}
}

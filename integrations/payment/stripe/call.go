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

// sender sends what Stripe's library asks for as every gateway does: a question is repeated and no other call, no redirect
// is followed, and what is no good answer is the error of a gateway before the library reads it.
type sender struct{ call.Client }

// RoundTrip returns good answers alone.
func (s sender) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, fmt.Errorf("call %s: %w", r.Method, err)
		}
	}
	header := r.Header.Clone()
	header.Del("X-Stripe-Client-User-Agent") // it tells of this machine
	answer, err := s.Do(r.Context(), call.Request{Method: r.Method, Path: r.URL.RequestURI(), Header: header, Type: header.Get("Content-Type"), Body: body})
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(answer)), Request: r}, nil
}

// asGateway returns the error of a gateway that the library's error is. All others are about an answer that can not be
// read; their texts have a part of it, which may name the payer.
func asGateway(err error) error {
	var ours *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return ours.Err
	}
	return fmt.Errorf("%w: answer", method.ErrUnknown)
}

const (
	pageOfList = 100
	mostPages  = 1000 // of one list; more is one that goes round in circles
)

// each walks over a list, page by page.
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

package call_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

func TestDoMapsStatusToGatewayErrors(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
		body   string
		want   error
		tries  int32
	}{
		{"POST", 200, `{"id":"a"}`, nil, 1},
		{"POST", 201, `{"id":"a"}`, nil, 1},
		{"POST", 200, `{"id":"a`, method.ErrUnknown, 1},
		{"POST", 302, `{"id":"a"}`, method.ErrUnknown, 1},
		{"POST", 400, `{"id":"a"}`, method.ErrDeclined, 1},
		{"POST", 401, ``, method.ErrCredentials, 1},
		{"POST", 403, ``, method.ErrCredentials, 1},
		{"GET", 404, ``, method.ErrNoCharge, 1},
		{"POST", 409, ``, method.ErrUnknown, 1},
		{"POST", 422, ``, method.ErrDeclined, 1},
		{"POST", 429, ``, method.ErrUnknown, 1},
		{"POST", 500, ``, method.ErrUnknown, 1},
		{"GET", 500, ``, method.ErrUnknown, 2},
		{"GET", 429, ``, method.ErrUnknown, 2},
		{"GET", 400, ``, method.ErrDeclined, 1},
		{"POST", 200, `"` + strings.Repeat("a", 4<<20) + `"`, method.ErrUnknown, 1},
	} {
		var tries atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tries.Add(1)
			if user, password, _ := r.BasicAuth(); user != "key" || password != "secret" {
				t.Errorf("%s %d: signed as %q %q", c.method, c.status, user, password)
			}
			if c.status == http.StatusFound {
				w.Header().Set("Location", "/elsewhere")
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		client := call.Client{Base: server.URL, Sign: func(r *http.Request) error { r.SetBasicAuth("key", "secret"); return nil }}
		var out struct{ ID string }
		err := client.JSON(t.Context(), call.Request{Method: c.method, Path: "/orders"}, nil, &out)
		server.Close()
		if !errors.Is(err, c.want) || tries.Load() != c.tries {
			t.Errorf("%s answered with %d: %v after %d tries, want %v after %d", c.method, c.status, err, tries.Load(), c.want, c.tries)
		}
		if err == nil && out.ID != "a" {
			t.Errorf("read %+v", out)
		}
	}
}

func TestDigitsInIsExact(t *testing.T) {
	for digits, want := range map[call.Digits]int64{
		"1499": 149900, "1499.": 149900, "1499.5": 149950, "1499.05": 149905, "1499.0500": 149905, "0": 0, "0.01": 1, "01499": 149900, "999999999999.99": 99999999999999,
	} {
		if got, err := digits.In("INR"); err != nil || got != admission.INR(want) {
			t.Errorf("%q: %v, %v, want %d", digits, got, err, want)
		}
		for _, currency := range []string{"", "IN", "rupees"} {
			if got, err := digits.In(currency); !errors.Is(err, method.ErrUnknown) || got != (admission.Money{}) {
				t.Errorf("%q of %q: %v, %v", digits, currency, got, err)
			}
		}
	}
	for _, digits := range []call.Digits{"", ".", ".5", "-1", "+1", "1e3", "1.0e3", "1,499", "1499.001", "1499.0.0", " 1499", "null", `"1499"`, "NaN", "१४९९", "1000000000000"} {
		if got, err := digits.In("INR"); !errors.Is(err, method.ErrUnknown) || got != (admission.Money{}) {
			t.Errorf("%q: %v, %v", digits, got, err)
		}
	}
}

func TestRefusedKeepsBodyOutOfItsText(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"name":"Asha"}`))
	}))
	defer server.Close()
	_, err := call.Client{Base: server.URL}.Do(t.Context(), call.Request{Method: "POST"})
	var refused *call.Refused
	if !errors.As(err, &refused) || string(refused.Body) != `{"name":"Asha"}` || err.Error() != "payment: declined: status 400" {
		t.Errorf("got %v, %+v", err, refused)
	}
}

func TestRefusedNamesOnlyCodes(t *testing.T) {
	for body, want := range map[string]string{
		`{"code":"refund_amount_invalid","message":"Asha Rao","type":"invalid_request_error"}`:                          "status 422, refund_amount_invalid",
		`{"error":{"code":"charge_already_refunded","message":"Asha Rao"}}`:                                             "status 422, charge_already_refunded",
		`{"error_code":"ORDER_REFUND_ERROR","message":"Asha Rao"}`:                                                      "status 422, ORDER_REFUND_ERROR",
		`{"name":"UNPROCESSABLE_ENTITY","details":[{"issue":"REFUND_TIME_LIMIT_EXCEEDED"},{"issue":"PERMISSION_X"}]}`:   "status 422, REFUND_TIME_LIMIT_EXCEEDED, PERMISSION_X",
		`{"error":"invalid_client","code":17,"details":"of Asha Rao","error_code":"E1"}`:                                "status 422, E1",
		`{"code":"Asha Rao","error_code":"+919820041567","error":{"code":"9820041567"},"details":[{"issue":"a@b.in"}]}`: "status 422",
		`<html>`: "status 422",
	} {
		err := &call.Refused{Status: 422, Body: []byte(body)}
		if got := method.DeclineReason(fmt.Errorf("gold: refund: %w", err)); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}

func TestJSONSendsBodyAndHeaders(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Amount json.Number }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Amount != "149900" ||
			r.Header.Get("Idempotency-Key") != "k" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("sent %v, %v, %v", in, r.Header, err)
		}
		_, _ = w.Write([]byte(`{"amount":12345678901234567}`))
	}))
	defer server.Close()
	out := map[string]any{}
	ask := call.Request{Method: "POST", Header: http.Header{"Idempotency-Key": {"k"}}}
	if err := (call.Client{Base: server.URL}).JSON(t.Context(), ask, map[string]int{"amount": 149900}, &out); err != nil {
		t.Fatal(err)
	}
	if out["amount"] != json.Number("12345678901234567") {
		t.Errorf("read %v", out)
	}
}

func TestUnreachableProviderIsUnknown(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if _, err := (call.Client{Base: server.URL}).Do(t.Context(), call.Request{Method: "POST"}); !errors.Is(err, method.ErrUnknown) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (call.Client{Base: server.URL}).Do(ctx, call.Request{Method: "GET"}); !errors.Is(err, method.ErrUnknown) {
		t.Errorf("cancelled: %v", err)
	}
}

package stripe_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/stripe"
)

// rewriting replaces text in the responses of calls whose path has a suffix.
type rewriting struct{ path, from, to string }

func (w rewriting) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, w.path) {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	body = bytes.ReplaceAll(body, []byte(w.from), []byte(w.to))
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, err
}

func TestMismatchedResponseIsRejected(t *testing.T) {
	const back, unknown, done = "paid; paid of ₹1,499.00 INR, back ₹500.00", "payment: outcome unknown", "true done ₹500.00"
	other := "z" + txn[1:]
	for _, c := range []struct {
		sentence string
		rewriting
		want, refund string
	}{
		{"unchanged", rewriting{"none", "", ""}, back, done},
		{"another intent", rewriting{"{intent}", `"id":"pi_`, `"id":"pi_9`}, unknown, done},
		{"an intent of another attempt", rewriting{"{intent}", txn, other}, unknown, done},
		{"an intent without TxnID", rewriting{"{intent}", `"txn"`, `"order"`}, unknown, done},
		{"no charge", rewriting{"{intent}", `"latest_charge":{`, `"latest_charge":null,"then":{`}, unknown, done},
		{"a charge that was not captured", rewriting{"{intent}", `"captured":true`, `"captured":false`}, unknown, done},
		{"a charge of another sum", rewriting{"{intent}", `"amount_captured":149900`, `"amount_captured":149899`}, unknown, done},
		{"another sum received", rewriting{"{intent}", `"amount_received":149900`, `"amount_received":14990000`}, unknown, done},
		{"a negative amount", rewriting{"{intent}", `149900`, `-149900`}, unknown, done},
		{"an amount with decimals", rewriting{"{intent}", `149900`, `1499.00`}, unknown, done},
		{"an amount as text", rewriting{"{intent}", `149900`, `"149900"`}, unknown, done},
		{"an unknown state", rewriting{"{intent}", `"status":"succeeded"`, `"status":"settled"`}, "pending", done},
		{"refunds of another charge", rewriting{"/refunds", `"charge":"ch_`, `"charge":"ch_9`}, unknown, done},
		{"a refund in another currency", rewriting{"/refunds", `"currency":"inr"`, `"currency":"usd"`}, unknown, done},
		{"another refund", rewriting{"{refund}", `"id":"re_`, `"id":"re_9`}, back, unknown},
		{"a refund with another refund id", rewriting{"{refund}", "refund1", "refund2"}, back, unknown},
		{"a refund of another attempt", rewriting{"{refund}", txn, other}, back, unknown},
		{"a page that goes on for ever", rewriting{"/refunds", `"has_more":false`, `"has_more":true`}, unknown, done},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(txn)}, "refund1", admission.INR(50000))
			if err != nil {
				t.Fatal(err)
			}
			c.path = strings.NewReplacer("{intent}", d.ref, "{refund}", made.ProviderID).Replace(c.path)
			lied := d.through(t, c.rewriting)
			if got := summary(lied.Fetch(t.Context(), intent(), d.ref)); got != c.want {
				t.Errorf("Fetch: %s, want %s", got, c.want)
			}
			if got := toldRefund(lied.FetchRefund(t.Context(), intent(), "refund1", made.ProviderID)); got != c.refund {
				t.Errorf("FetchRefund: %s, want %s", got, c.refund)
			}
		})
	}
}

func TestResponseWithAnotherChargeIsRejected(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	charge := method.Charge{PaymentID: d.there.Pay(txn)}
	lied := d.through(t, rewriting{"/charges/" + charge.PaymentID, `"id":"ch_`, `"id":"ch_9`})
	if got := toldRefund(lied.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "payment: outcome unknown" || d.there.Refunded("INR") != 0 {
		t.Errorf("a refund: %s, %d went back", got, d.there.Refunded("INR"))
	}
	d.there.Dispute(charge.PaymentID, "needs_response")
	lied = d.through(t, rewriting{"/disputes", `"charge":"ch_`, `"charge":"ch_9`})
	if got := summary(lied.Fetch(t.Context(), intent(), d.ref)); got != "payment: outcome unknown" {
		t.Errorf("a dispute: %s", got)
	}
}

func TestErrorsOmitStripesTextAndSecrets(t *testing.T) {
	const name = "Asha Rao"
	for _, c := range []struct {
		sentence, body string
		status         int
		want           error
	}{
		{"a refusal", `{"error":{"type":"card_error","message":"` + name + `"}}`, 402, method.ErrDeclined},
		{"a torn answer", `{"id":"pi_1","description":"` + name, 200, method.ErrUnknown},
		{"an answer of another shape", `["` + name + `"]`, 200, method.ErrUnknown},
		{"a page of a proxy", `<h1>` + name + `</h1>`, 401, method.ErrCredentials},
		{"a page of another proxy", `<h1>` + name + `</h1>`, 502, method.ErrUnknown},
		{"somewhere else", ``, 302, method.ErrUnknown},
		{"a key that is in use", `{"error":{"type":"idempotency_error","code":"idempotency_key_in_use"}}`, 409, method.ErrUnknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("X-Stripe-Client-User-Agent") != "" || r.Header.Get("X-Stripe-Client-Telemetry") != "" {
					t.Errorf("sent %v", r.Header)
				}
				if r.Method == http.MethodGet { // asked about after the failure
					_, _ = io.WriteString(w, `{"object":"list","data":[],"has_more":false}`)
					return
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer server.Close()
			g, err := stripe.New(config(server.URL))
			if err != nil {
				t.Fatal(err)
			}
			_, err = g.Start(t.Context(), intent())
			text := fmt.Sprint(err)
			if paymenttest.Error(err) != c.want.Error() || strings.Contains(text, name) || strings.Contains(text, secret) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

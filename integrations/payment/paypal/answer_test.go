package paypal_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paypal"
	"hiresure/simulators"
)

// rewriting replaces text in the responses of calls whose path contains a text.
type rewriting struct{ path, from, to string }

func (w rewriting) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !strings.Contains(r.URL.Path, w.path) {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	body = bytes.ReplaceAll(body, []byte(w.from), []byte(w.to))
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, err
}

func TestMismatchedResponseIsRejected(t *testing.T) {
	const (
		back, done, unknown = "refunded; refunded of $18.00 USD, back $18.00", "true done $18.00", "payment: outcome unknown"
		orders, refunds     = "/v2/checkout/orders/", "/v2/payments/refunds/"
	)
	other := "z" + txn[1:]
	for _, c := range []struct {
		sentence string
		rewriting
		want, refund string
	}{
		{"unchanged", rewriting{"none", "", ""}, back, done},
		{"another order", rewriting{orders, `"id":"5O`, `"id":"6O`}, unknown, done},
		{"no purchase unit", rewriting{orders, `"purchase_units":`, `"units":`}, unknown, done},
		{"a capture of an incomplete order", rewriting{orders, `"status":"COMPLETED","update_time":"2026-01-01T06:30:00Z"}` + "\n", `"status":"SAVED"}`}, unknown, done},
		{"refunds of another capture", rewriting{orders, "/v2/payments/captures/3C", "/v2/payments/captures/4C"}, unknown, done},
		{"a refund in another currency", rewriting{orders, `{"amount":{"currency_code":"USD","value":"18.00"},"create_time":"2026-01-01T06:30:00Z","custom_id":"` + txn + `","id":"1J`, `{"amount":{"currency_code":"EUR","value":"18.00"},"id":"1J`}, unknown, done},
		{"no time", rewriting{orders, `"create_time":"2026`, `"create_time":"then`}, unknown, done},
		{"another refund", rewriting{refunds, `"id":"1J`, `"id":"2J`}, back, unknown},
		{"a refund with another refund id", rewriting{refunds, "refund1", "refund2"}, back, unknown},
		{"a refund of another attempt", rewriting{refunds, txn, other}, back, unknown},
		{"an amount with a third decimal", rewriting{"/v2/", "18.00", "18.001"}, unknown, unknown},
		{"an amount with trailing zeros", rewriting{"/v2/", "18.00", "18.0000"}, back, done},
		{"an amount without decimals", rewriting{"/v2/", "18.00", "18"}, back, done},
		{"an amount with an exponent", rewriting{"/v2/", "18.00", "1.8e1"}, unknown, unknown},
		{"a negative amount", rewriting{"/v2/", "18.00", "-18.00"}, unknown, unknown},
		{"an amount as a number", rewriting{"/v2/", `"18.00"`, "18.00"}, unknown, unknown},
		{"no amount", rewriting{"/v2/", `"18.00"`, "null"}, unknown, unknown},
		{"no currency", rewriting{"/v2/", `"USD"`, `""`}, unknown, unknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(id)}, "refund1", fee)
			if err != nil {
				t.Fatal(err)
			}
			d.open(t, func(n *paypal.Config) { n.Transport = c.rewriting })
			if got := summary(d.Fetch(t.Context(), intent(), id)); got != c.want {
				t.Errorf("Fetch: %s, want %s", got, c.want)
			}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", made.ProviderID)); got != c.refund {
				t.Errorf("FetchRefund: %s, want %s", got, c.refund)
			}
		})
	}
	t.Run("the capture of another", func(t *testing.T) {
		for _, w := range []rewriting{{"/v2/payments/captures/", `"id":"3C`, `"id":"4C`}, {"/v2/payments/captures/", `"order_id":"5O`, `"order_id":"6O`}, {orders, `"id":"3C`, `"id":"4C`}, {orders, txn, other}} {
			d := newDesk(t)
			charge := d.paid(t)
			d.open(t, func(n *paypal.Config) { n.Transport = w })
			if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got == done || d.there.Refunded("USD") != 0 {
				t.Errorf("%v: %s, %d went back", w, got, d.there.Refunded("USD"))
			}
		}
	})
	t.Run("disputes that can not be asked about", func(t *testing.T) {
		d := newDesk(t)
		id := d.start(t)
		d.there.Pay(id)
		d.there.AddFaults("", simulators.ErrorBefore, simulators.ErrorBefore)
		if got := summary(d.Fetch(t.Context(), intent(), id)); got != unknown {
			t.Error(got)
		}
	})
}

func TestDescriptor(t *testing.T) {
	d := paypal.Descriptor()
	var names []string
	for _, s := range d.Settings {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "PAYPAL_CLIENT_ID PAYPAL_SECRET PAYPAL_WEBHOOK_ID PAYPAL_BASE_URL PAYPAL_SCRIPT_URL" {
		t.Error(got)
	}
	for base, test := range map[string]bool{"https://api-m.paypal.com": false, "https://api-m.sandbox.paypal.com": true, "http://127.0.0.1:9": true} {
		if d.Settings[3].Plays(base) != test {
			t.Errorf("%s takes no real money: %t", base, !test)
		}
	}
	environ := map[string]string{"PAYPAL_CLIENT_ID": "app1", "PAYPAL_SECRET": secret, "PAYPAL_WEBHOOK_ID": webhookID}
	values, given, faults := d.Configure(environ)
	if !given || len(faults) > 0 || values["PAYPAL_BASE_URL"] != "https://api-m.paypal.com" || values["PAYPAL_SCRIPT_URL"] != "https://www.paypal.com/sdk/js" {
		t.Error(values, given, faults)
	}
	environ["PAYPAL_SECRET"], environ["PAYPAL_BASE_URL"] = "a,b,c", "https://api-m.paypal.com/"
	if _, _, faults = d.Configure(environ); len(faults) != 2 {
		t.Error(faults)
	}
}

package twocheckout_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/simulators"
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
	const held = "accepted ₹1,499.00"
	for _, c := range []struct {
		sentence string
		rewriting
		want, refund string
	}{
		{"unchanged", rewriting{"none", "", ""}, paid, held},
		{"another order", rewriting{"/REF/", `"RefNo":"REF"`, `"RefNo":"1"`}, unknown, unknown},
		{"an order of another attempt", rewriting{"/REF/", txn, "z" + txn[1:]}, unknown, unknown},
		{"an order of another account", rewriting{"/REF/", merchant, "1"}, unknown, unknown},
		{"a search that finds others", rewriting{"/orders/", txn, "z" + txn[1:]}, paid, held}, // the order is found by ref
		{"an amount with a third decimal", rewriting{"/REF/", "1499.00", "1499.001"}, unknown, unknown},
		{"an amount with trailing zeros", rewriting{"/REF/", "1499.00", "1499.0000"}, paid, held},
		{"an amount without decimals", rewriting{"/REF/", "1499.00", "1499"}, paid, held},
		{"an amount with an exponent", rewriting{"/REF/", "1499.00", "1.499e3"}, unknown, unknown},
		{"a negative amount", rewriting{"/REF/", "1499.00", "-1499.00"}, unknown, unknown},
		{"an amount of nothing", rewriting{"/REF/", "1499.00", "0.00"}, unknown, unknown},
		{"an amount as text", rewriting{"/REF/", "1499.00", `"1499.00"`}, unknown, unknown},
		{"no amount", rewriting{"/REF/", "1499.00", "null"}, unknown, unknown},
		{"no currency", rewriting{"/REF/", `"inr"`, "null"}, unknown, unknown},
		{"another currency", rewriting{"/REF/", `"inr"`, `"usd"`}, "paid; paid of $1,499.00 USD", "accepted $1,499.00"},
		{"an error within a good answer", rewriting{"/REF/", `"RefNo"`, `"error_code":"X","RefNo"`}, unknown, unknown},
		{"no such keys within a good answer", rewriting{"/REF/", `"RefNo"`, `"error_code":"AUTHENTICATION_ERROR","RefNo"`}, strange, strange},
		{"not JSON", rewriting{"/REF/", "{", "<"}, unknown, unknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d, ref := charged(t, simulators.CardPaid)
			c.path, c.from = strings.ReplaceAll(c.path, "REF", ref), strings.ReplaceAll(c.from, "REF", ref)
			lied := d.through(t, c.rewriting)
			if got := summary(lied.Fetch(t.Context(), intent(), ref)); got != c.want {
				t.Errorf("Fetch: %s, want %s", got, c.want)
			}
			if got := toldRefund(lied.FetchRefund(t.Context(), intent(), refundID, ref)); got != c.refund {
				t.Errorf("FetchRefund: %s, want %s", got, c.refund)
			}
		})
	}
	t.Run("a token's response with another order", func(t *testing.T) {
		for _, r := range []rewriting{{"/orders/", txn, "z" + txn[1:]}, {"/orders/", "1499.00", "1498.99"}, {"/orders/", `"inr"`, `"usd"`}, {"/orders/", `"RefNo"`, `"Ref"`}} {
			d := newDesk(t)
			if got := summary(d.through(t, r).Complete(t.Context(), intent(), "", d.pay(simulators.CardPaid))); got != unknown {
				t.Errorf("%v: %s", r, got)
			}
			if got := summary(d.Complete(t.Context(), intent(), "", d.pay(simulators.CardPaid))); got != paid || d.there.Orders() != 1 {
				t.Errorf("%v: then %s, %d orders", r, got, d.there.Orders())
			}
		}
	})
	t.Run("a declined refund", func(t *testing.T) {
		d, ref := charged(t, simulators.CardPaid)
		d.there.SlowRefunds()
		if got := toldRefund(d.through(t, rewriting{"/refund/", "true", "false"}).Refund(t.Context(), intent(), method.Charge{PaymentID: ref}, refundID, fee)); got != declined {
			t.Error(got)
		}
	})
	t.Run("errors that are none", func(t *testing.T) {
		for _, none := range []string{"null", "[]", "{}"} {
			d, ref := charged(t, simulators.CardWaiting)
			lied := d.through(t, rewriting{"/" + ref + "/", `"Errors":null`, `"Errors":` + none})
			if got := summary(lied.Complete(t.Context(), intent(), ref, d.pay(simulators.CardPaid))); got != "pending, at the bank" || d.there.Orders() != 1 {
				t.Errorf("%s: %s, %d orders", none, got, d.there.Orders())
			}
		}
	})
}

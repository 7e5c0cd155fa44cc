package razorpay_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
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
	const refunded, done = "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00", "done ₹1,499.00"
	for _, c := range []struct {
		sentence string
		rewriting
		want, refund string
	}{
		{"unchanged", rewriting{"none", "", ""}, refunded, done},
		{"another order", rewriting{"/orders/ORDER", "ORDER", "order_another"}, unknown, done},
		{"payments of another order", rewriting{"/ORDER/payments", "ORDER", "order_another"}, unknown, unknown},
		{"payments without ids", rewriting{"/ORDER/payments", `"id":"PAYMENT"`, `"id":""`}, unknown, unknown},
		{"refunds of another payment", rewriting{"/refunds", "PAYMENT", "pay_another"}, unknown, unknown},
		{"refunds of another currency", rewriting{"/refunds", "INR", "USD"}, unknown, unknown},
		{"a negative refund", rewriting{"/refunds", "149900", "-149900"}, unknown, unknown},
		{"a dispute of another currency", rewriting{"/disputes", "INR", "USD"}, unknown, done},
		{"a dispute with a negative deduction", rewriting{"/disputes", `"amount_deducted":0`, `"amount_deducted":-1`}, unknown, done},
		{"another refund", rewriting{"/refunds/REFUND", "REFUND", "rfnd_another"}, refunded, unknown},
		{"a refund with another refund id", rewriting{"/refunds/REFUND", refundID, "refund-another"}, refunded, unknown},
		{"an amount with decimals", rewriting{"/payments", "149900", "149900.5"}, unknown, unknown},
		{"an amount with trailing zeros", rewriting{"/payments", "149900", "149900.00"}, unknown, unknown},
		{"an amount with an exponent", rewriting{"/payments", "149900", "1.499e5"}, unknown, unknown},
		{"a negative amount", rewriting{"/payments", "149900", "-149900"}, unknown, done},
		{"an amount as text", rewriting{"/payments", "149900", `"149900"`}, unknown, unknown},
		{"no amount", rewriting{"/payments", `"amount":149900`, `"amount":null`}, unknown, done},
		{"no currency", rewriting{"/payments", `"INR"`, "null"}, unknown, unknown},
		{"not JSON", rewriting{"/payments", "{", "<"}, unknown, unknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := started(t)
			paymentID := d.there.Pay(txn)
			if strings.Contains(c.sentence, "dispute") {
				d.there.AskForPapers(paymentID, "lost")
			}
			made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: paymentID}, refundID, fee)
			if err != nil {
				t.Fatal(err)
			}
			names := strings.NewReplacer("ORDER", d.ref, "PAYMENT", paymentID, "REFUND", made.ProviderID)
			lied := d.through(t, rewriting{names.Replace(c.path), names.Replace(c.from), names.Replace(c.to)})
			in := intent()
			in.Wanted = false
			if got := summary(lied.Fetch(t.Context(), in, d.ref)); got != c.want {
				t.Errorf("Fetch: %s, want %s", got, c.want)
			}
			providerID := "" // which searches
			if strings.Contains(c.path, "REFUND") {
				providerID = made.ProviderID
			}
			if got := toldRefund(lied.FetchRefund(t.Context(), intent(), refundID, providerID)); got != c.refund {
				t.Errorf("FetchRefund: %s, want %s", got, c.refund)
			}
		})
	}
	t.Run("an order with another TxnID is not ours", func(t *testing.T) {
		d := started(t)
		d.there.Pay(txn)
		lied := d.through(t, rewriting{"/orders/" + d.ref, txn, "z" + txn[1:]})
		got, err := lied.Fetch(t.Context(), intent(), d.ref)
		if err != nil || got.TxnID == txn {
			t.Errorf("%+v, %v", got, err) // Settle compares the TxnID
		}
	})
	t.Run("another attempt's order is not captured", func(t *testing.T) {
		d := started(t)
		d.there.Authorise(txn)
		lied := d.through(t, rewriting{"/orders/" + d.ref, txn, "z" + txn[1:]})
		if got := summary(lied.Fetch(t.Context(), intent(), d.ref)); got != "pending" || d.there.Captured("INR") != 0 {
			t.Errorf("%s, captured %d", got, d.there.Captured("INR"))
		}
	})
	t.Run("orders with another receipt are ignored", func(t *testing.T) {
		d := started(t)
		d.there.Pay(txn)
		lied := d.through(t, rewriting{"/v1/orders", `"receipt":"` + txn, `"receipt":"z` + txn[1:]})
		if got := summary(lied.Fetch(t.Context(), intent(), "")); got != noCharge {
			t.Error(got)
		}
	})
	t.Run("a mismatched authorisation is not captured", func(t *testing.T) {
		for _, authorise := range []func(d *desk){
			func(d *desk) { d.there.AuthoriseWrong(txn, 149899, "INR") }, func(d *desk) { d.there.AuthoriseWrong(txn, 149900, "USD") },
		} {
			d, road := started(t), &blind{}
			authorise(d)
			if got := summary(d.through(t, road).Fetch(t.Context(), intent(), d.ref)); got != "pending" || len(road.posted) != 0 {
				t.Errorf("%s, posted %q", got, road.posted)
			}
		}
	})
	t.Run("a refund's response with another refund", func(t *testing.T) {
		for _, r := range []rewriting{{"/refund", "149900", "49900"}, {"/refund", refundID, "refund-another"}, {"/refund", "pay_", "pay_x"}, {"/refund", "INR", "USD"}} {
			d := started(t)
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			if got := toldRefund(d.through(t, r).Refund(t.Context(), intent(), charge, refundID, fee)); got != unknown {
				t.Errorf("%v: %s", r, got)
			}
			if got := toldRefund(d.Refund(t.Context(), intent(), charge, refundID, fee)); got != done || d.there.Refunded("INR") != fee.Minor {
				t.Errorf("%v: then %s, %d went back", r, got, d.there.Refunded("INR"))
			}
		}
	})
}

package cashfree_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

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
	const paid, unknown = "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00", "payment: outcome unknown"
	other := "z" + txn[1:]
	for _, c := range []struct {
		sentence string
		rewriting
		want, refund string
	}{
		{"unchanged", rewriting{"none", "", ""}, paid, "refund1 done ₹1,499.00"},
		{"another order", rewriting{"/orders/" + txn, txn, other}, unknown, "refund1 done ₹1,499.00"},
		{"payments of another order", rewriting{"/payments", txn, other}, unknown, "refund1 done ₹1,499.00"},
		{"refunds of another order", rewriting{"/refunds", txn, other}, unknown, "refund1 done ₹1,499.00"},
		{"refunds of another payment", rewriting{"/refunds", `"cf_payment_id":"1`, `"cf_payment_id":"2`}, unknown, "refund1 done ₹1,499.00"},
		{"a refund in another currency", rewriting{"/refunds", `"refund_currency":"INR"`, `"refund_currency":"USD"`}, unknown, "refund1 done ₹1,499.00"},
		{"another refund", rewriting{"/refund1", "refund1", "refund2"}, paid, unknown},
		{"a refund of another order", rewriting{"/refund1", txn, other}, paid, unknown},
		{"an amount with a third decimal", rewriting{"/payments", "1499.00", "1499.001"}, unknown, "refund1 done ₹1,499.00"},
		{"an amount with trailing zeros", rewriting{"/payments", "1499.00", "1499.0000"}, paid, "refund1 done ₹1,499.00"},
		{"an amount without decimals", rewriting{"/payments", "1499.00", "1499"}, paid, "refund1 done ₹1,499.00"},
		{"an amount with an exponent", rewriting{"/payments", "1499.00", "1.499e3"}, unknown, "refund1 done ₹1,499.00"},
		{"a negative amount", rewriting{"/payments", "1499.00", "-1499.00"}, unknown, "refund1 done ₹1,499.00"},
		{"an amount as text", rewriting{"/payments", "1499.00", `"1499.00"`}, unknown, "refund1 done ₹1,499.00"},
		{"no amount", rewriting{"/payments", "1499.00", "null"}, unknown, "refund1 done ₹1,499.00"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			if _, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(txn)}, "refund1", fee); err != nil {
				t.Fatal(err)
			}
			lied := d.through(t, c.rewriting)
			if got := summary(lied.Fetch(t.Context(), intent(), txn)); got != c.want {
				t.Errorf("Fetch: %s, want %s", got, c.want)
			}
			if got := toldRefund(lied.FetchRefund(t.Context(), intent(), "refund1", "")); got != c.refund {
				t.Errorf("FetchRefund: %s, want %s", got, c.refund)
			}
		})
	}
}

func TestResponseWithAnotherRefundIsRejected(t *testing.T) {
	for _, r := range []rewriting{{"/refunds", `"cf_payment_id":"1`, `"cf_payment_id":"2`}, {"/refunds", "1499.00", "499.00"}, {"/refunds", `"INR"`, `"USD"`}} {
		d := newDesk(t)
		d.start(t)
		charge := method.Charge{PaymentID: d.there.Pay(txn)}
		if got := toldRefund(d.through(t, r).Refund(t.Context(), intent(), charge, "refund1", fee)); got != "payment: outcome unknown" {
			t.Errorf("%v: %s", r, got)
		}
	}
}

func TestPendingRefundIsNotCounted(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	d.there.SlowRefunds()
	if _, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(txn)}, "refund1", fee); err != nil {
		t.Fatal(err)
	}
	if got := summary(d.Fetch(t.Context(), intent(), txn)); got != "paid; paid of ₹1,499.00 INR" {
		t.Error(got)
	}
}

func TestListYieldsChargeOncePerDay(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	d.there.Decline(txn)
	id := d.there.Pay(txn)
	d.Pass(time.Hour)
	d.there.Dispute(id, "CHARGEBACK_CREATED")
	times := 0
	for _, err := range d.List(t.Context(), noon) {
		if times++; err != nil {
			t.Fatal(err)
		}
	}
	if times != 1 {
		t.Errorf("listed %d times", times)
	}
}

package sandbox

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/store/storetest"
)

func TestWebhookSignature(t *testing.T) {
	d := newDesk(t, storetest.SQLite(t))
	header, body := d.SignedWebhook("t1", "payment.paid")
	with := func(value string) http.Header { return http.Header{signatureHeader: {value}} }
	signature := header.Get(signatureHeader)
	rotated, err := New(Config{Orders: d.Orders, Key: bytes.Repeat([]byte{8}, 32), OldKey: key, Clock: d.time})
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := New(Config{Orders: d.Orders, Key: bytes.Repeat([]byte{8}, 32), Clock: d.time})
	if err != nil {
		t.Fatal(err)
	}
	_, otherBody := d.SignedWebhook("t2", "payment.paid")
	signed := func(body string) http.Header {
		at := strconv.FormatInt(noon.Unix(), 10)
		return with("t=" + at + ",v1=" + hex.EncodeToString(d.webhookMAC(key, at, []byte(body))))
	}
	foreignHeader, foreignBody := foreign.SignedWebhook("t1", "payment.paid")
	for _, c := range []struct {
		sentence string
		gateway  *Gateway
		header   http.Header
		body     []byte
		skew     time.Duration
		good     bool
	}{
		{"as it was sent", d.Gateway, header, body, 0, true},
		{"five minutes later", d.Gateway, header, body, 5 * time.Minute, true},
		{"an old timestamp", d.Gateway, header, body, 5*time.Minute + time.Second, false},
		{"a clock ten minutes behind", d.Gateway, header, body, -10 * time.Minute, false},
		{"no header", d.Gateway, http.Header{}, body, 0, false},
		{"two headers", d.Gateway, http.Header{signatureHeader: {signature, signature}}, body, 0, false},
		{"an empty header", d.Gateway, with(""), body, 0, false},
		{"half a header", d.Gateway, with(strings.Split(signature, ",")[0]), body, 0, false},
		{"another time with the same signature", d.Gateway, with(strings.Replace(signature, "t=1", "t=2", 1)), body, 0, false},
		{"a bit flipped in the body", d.Gateway, header, append([]byte{body[0] ^ 1}, body[1:]...), 0, false},
		{"the body written anew", d.Gateway, header, bytes.ReplaceAll(body, []byte(":"), []byte(": ")), 0, false},
		{"an empty body", d.Gateway, header, nil, 0, false},
		{"the signature of another transaction", d.Gateway, header, otherBody, 0, false},
		{"a good signature of no JSON", d.Gateway, signed("paid!"), []byte("paid!"), 0, false},
		{"a good signature of another shape", d.Gateway, signed(`["paid"]`), []byte(`["paid"]`), 0, false},
		{"a foreign key", d.Gateway, foreignHeader, foreignBody, 0, false},
		{"the old key after a rotation", rotated, header, body, 0, true},
		{"the new key after a rotation", rotated, foreignHeader, foreignBody, 0, true},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d.now = noon.Add(c.skew)
			e, err := c.gateway.Webhook(t.Context(), c.header, c.body, nil)
			if c.good && (err != nil || e.TxnID != "t1" || e.Ref != "sbx_t1" || e.Type != "payment.paid" || e.ID == "" || string(e.Ack) != "received "+e.ID) {
				t.Errorf("%+v, %v", e, err)
			}
			if !c.good && (!errors.Is(err, method.ErrSignature) || e.ID != "") {
				t.Errorf("%+v, %v; want %v", e, err, method.ErrSignature)
			}
		})
	}
}

func TestWebhooksAreDelivered(t *testing.T) {
	for _, c := range []struct {
		outcome Outcome
		want    string
		times   int
	}{
		{Paid, "paid, ₹1,499.00", 0},
		{WebhookFirst, "paid, ₹1,499.00", 1},
		{WebhookTwice, "paid, ₹1,499.00", 2},
		{WebhookOnly, "payment: outcome unknown", 1},
	} {
		t.Run(string(c.outcome), func(t *testing.T) {
			d := newDesk(t, storetest.SQLite(t))
			var ids, states []string
			status := http.StatusOK
			receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				e, err := d.Webhook(r.Context(), r.Header, body, nil)
				if err != nil {
					t.Error(err)
				}
				ids, states = append(ids, e.ID), append(states, answer(d.Fetch(r.Context(), intent("t1"), "")))
				w.WriteHeader(status)
				_, _ = w.Write(e.Ack)
			}))
			defer receiver.Close()
			in := intent("t1")
			in.WebhookURL = receiver.URL
			if _, err := d.Start(t.Context(), in); err != nil {
				t.Fatal(err)
			}
			if got := answer(d.Complete(t.Context(), in, "", method.Return{Form: d.Press("t1", c.outcome)})); got != c.want {
				t.Errorf("the return is answered %s, want %s", got, c.want)
			}
			if len(ids) != c.times || len(slices.Compact(slices.Clone(ids))) > 1 {
				t.Errorf("events %q, want one event %d times", ids, c.times)
			}
			for _, state := range states {
				if state != "paid, ₹1,499.00" {
					t.Errorf("the webhook came while the order was %s", state)
				}
			}
			if got := answer(d.Complete(t.Context(), in, "", method.Return{Form: d.Press("t1", c.outcome)})); got != "paid, ₹1,499.00" || len(ids) != c.times {
				t.Errorf("a second press: %s, %d webhooks", got, len(ids))
			}
		})
	}
	t.Run("a receiver that is away does not undo the payment", func(t *testing.T) {
		d := newDesk(t, storetest.SQLite(t))
		in := intent("t1")
		in.WebhookURL = "http://127.0.0.1:1/webhook"
		if _, err := d.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if got := answer(d.Complete(t.Context(), in, "", method.Return{Form: d.Press("t1", WebhookFirst)})); got != "paid, ₹1,499.00" {
			t.Error(got)
		}
	})
}

func TestFaults(t *testing.T) {
	var before, after error
	amount := fee
	d := newDesk(t, storetest.SQLite(t), func(n *Config) {
		n.Faults = Faults{
			Before: func(ctx context.Context, call, _ string) error {
				if call == "fetch" && ctx.Err() != nil {
					return method.ErrUnknown
				}
				return before
			},
			After: func(_ string, s *method.Status) error {
				for i := range s.Charges {
					s.Charges[i].Amount = amount
				}
				return after
			},
		}
	})
	before = method.ErrUnknown
	if _, err := d.Start(t.Context(), intent("t1")); !errors.Is(err, before) {
		t.Fatal(err)
	}
	before = nil
	if got := answer(d.Fetch(t.Context(), intent("t1"), "")); got != "payment: provider has no such transaction" {
		t.Errorf("a start that was refused made an order: %s", got)
	}
	after = method.ErrUnknown
	if _, err := d.Start(t.Context(), intent("t1")); !errors.Is(err, after) {
		t.Fatal(err)
	}
	if got := answer(d.Complete(t.Context(), intent("t1"), "", method.Return{Form: d.Press("t1", Paid)})); got != "payment: outcome unknown" {
		t.Errorf("a lost answer: %s", got)
	}
	after, amount = nil, admission.INR(149_900_00)
	if got := answer(d.Fetch(t.Context(), intent("t1"), "")); got != "paid, ₹1,49,900.00" {
		t.Errorf("rupees taken for paise: %s", got)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := answer(d.Fetch(ended, intent("t1"), "")); got != "payment: outcome unknown" {
		t.Errorf("a caller who left: %s", got)
	}
}

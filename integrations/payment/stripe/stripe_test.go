package stripe_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/stripe"
	"hiresure/simulators"
)

const (
	txn       = paymenttest.Txn
	publishes = "pk_test_1"
	secret    = "sk_test_1"
	signs     = "whsec_test_secret"
)

var (
	noon    = paymenttest.Noon
	fee     = paymenttest.Fee
	intent  = paymenttest.Intent
	summary = paymenttest.Summary
)

// desk is an adapter connected to a simulated account.
type desk struct {
	*stripe.Gateway
	paymenttest.Clock
	there *simulators.Stripe
	ref   string // of the intent that start has made
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.there = simulators.NewStripe(simulators.KeysStripe{PublishableKey: publishes, SecretKey: secret, WebhookSecret: signs, Clock: d.Now})
	d.Gateway = d.through(t, nil)
	return d
}

// through returns another adapter for the same account, with a transport.
func (d *desk) through(t *testing.T, transport http.RoundTripper) *stripe.Gateway {
	t.Helper()
	server := httptest.NewServer(d.there)
	t.Cleanup(server.Close)
	config := config(server.URL)
	config.Clock, config.Transport = d.Now, transport
	g, err := stripe.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func config(base string) stripe.Config {
	return stripe.Config{PublishableKey: publishes, SecretKey: secret, WebhookSecrets: []string{signs, "whsec_older"}, BaseURL: base, Clock: func() time.Time { return noon }}
}

func (d *desk) start(t *testing.T) {
	t.Helper()
	session, err := d.Start(t.Context(), intent())
	if err != nil {
		t.Fatal(err)
	}
	d.ref = session.Ref
}

func TestFetchIntentStatus(t *testing.T) {
	paid := "paid; paid of ₹1,499.00 INR"
	for _, c := range []struct {
		sentence string
		happens  func(d *desk)
		unwanted bool
		want     string
		captured int64
	}{
		{"no try yet", func(*desk) {}, false, "pending", 0},
		{"paid", func(d *desk) { d.there.Pay(txn) }, false, paid, 149900},
		{"paid, and no longer wanted", func(d *desk) { d.there.Pay(txn) }, true, paid, 149900},
		{"the bank is silent", func(d *desk) { d.there.LeavePending(txn) }, false, "pending, at the bank", 0},
		{"the bank was silent, then paid", func(d *desk) { d.there.LeavePending(txn); d.Pass(time.Hour); d.there.Pay(txn) }, false, paid, 149900},
		{"the bank was silent, then refused", func(d *desk) { d.there.LeavePending(txn); d.there.Decline(txn) }, false, "pending, last try failed", 0},
		{"the bank refuses", func(d *desk) { d.there.Decline(txn) }, false, "pending, last try failed", 0},
		{"the bank asks who pays", func(d *desk) { d.there.Challenge(txn) }, false, "pending", 0},
		{"the bank believes who pays", func(d *desk) { d.there.Challenge(txn); d.there.Prove(txn, true) }, false, paid, 149900},
		{"the bank does not believe who pays", func(d *desk) { d.there.Challenge(txn); d.there.Prove(txn, false) }, false, "pending, last try failed", 0},
		{"refused, then paid", func(d *desk) { d.there.Decline(txn); d.there.Pay(txn) }, false, paid, 149900},
		{"refused, then a second try", func(d *desk) { d.there.Decline(txn); d.there.Challenge(txn) }, false, "pending", 0},
		{"authorised and wanted is captured", func(d *desk) { d.there.Authorise(txn) }, false, paid, 149900},
		{"an unwanted authorisation is not captured", func(d *desk) { d.there.Authorise(txn) }, true, "pending", 0},
		{"a paisa less", func(d *desk) { d.there.PayWrong(txn, 149899, "INR") }, false, "paid; paid of ₹1,498.99 INR", 149899},
		{"a hundred times as much", func(d *desk) { d.there.PayWrong(txn, 14990000, "INR") }, false, "paid; paid of ₹1,49,900.00 INR", 14990000},
		{"another currency", func(d *desk) { d.there.PayWrong(txn, 149900, "USD") }, false, "paid; paid of $1,499.00 USD", 0},
		{"another shop is paid", func(d *desk) { d.there.Foreign() }, false, "pending", 100000},
		{"partly back", func(d *desk) { d.there.RefundThere(d.there.Pay(txn), 50000) }, false, paid + ", back ₹500.00", 149900},
		{"back in parts", func(d *desk) {
			id := d.there.Pay(txn)
			for _, part := range []int64{50000, 50000, 49900} {
				d.there.RefundThere(id, part)
			}
		}, false, "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00", 149900},
		{"a refund that came back", func(d *desk) { d.there.FinishRefund(d.there.RefundThere(d.there.Pay(txn), 149900), "failed") }, false, paid, 149900},
		{"a refund under way has not gone back", func(d *desk) { d.there.SlowRefunds(); d.there.RefundThere(d.there.Pay(txn), 149900) }, false, paid, 149900},
		{"disputed", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "needs_response") }, false, paid + ", disputed", 149900},
		{"a dispute that was answered", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "under_review") }, false, paid + ", disputed", 149900},
		{"a dispute won", func(d *desk) {
			id := d.there.Pay(txn)
			d.there.Dispute(id, "needs_response")
			d.there.Dispute(id, "won")
		}, false, paid, 149900},
		{"a dispute lost after a refund by staff", func(d *desk) { id := d.there.Pay(txn); d.there.RefundThere(id, 149900); d.there.Dispute(id, "lost") }, false, "refunded; refunded of ₹1,499.00 INR, back ₹2,998.00, lost ₹1,499.00", 149900},
		{"a dispute lost", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "lost") }, false, "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00, lost ₹1,499.00", 149900},
		{"an inquiry", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "warning_needs_response") }, false, paid + ", disputed", 149900},
		{"an inquiry that is over", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "warning_closed") }, false, paid, 149900},
		{"a dispute prevented, for nothing", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "prevented") }, false, paid, 149900},
		{"a dispute prevented by paying back", func(d *desk) {
			id := d.there.Pay(txn)
			d.there.Dispute(id, "needs_response")
			d.there.Dispute(id, "prevented")
		}, false, "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00, lost ₹1,499.00", 149900},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			c.happens(d)
			in := intent()
			in.Wanted = !c.unwanted
			for _, got := range [][2]string{
				{"Fetch by ref", summary(d.Fetch(t.Context(), in, d.ref))},
				{"Fetch by our id", summary(d.Fetch(t.Context(), in, ""))},
				{"Complete", summary(d.Complete(t.Context(), in, d.ref, method.Return{}))},
			} {
				if got[1] != c.want {
					t.Errorf("%s: %s, want %s", got[0], got[1], c.want)
				}
			}
			if got := d.there.Captured("INR"); got != c.captured {
				t.Errorf("captured %d, want %d", got, c.captured)
			}
		})
	}
}

func TestStartCreatesOneIntent(t *testing.T) {
	for _, c := range []struct {
		sentence string
		faults   []simulators.Fault
		first    string
		intents  int
	}{
		{"success", nil, "", 1},
		{"no response", []simulators.Fault{simulators.HangAfter}, "payment: outcome unknown", 1},
		{"the answer is a 500, now and ever after", []simulators.Fault{simulators.ErrorAfter}, "", 1},
		{"a 500 before the call ran", []simulators.Fault{simulators.ErrorBefore}, "payment: outcome unknown", 0},
		{"a truncated response", []simulators.Fault{simulators.Truncated}, "", 1},
		{"too many calls", []simulators.Fault{simulators.TooMany}, "payment: outcome unknown", 0},
		{"our keys are rejected", []simulators.Fault{simulators.Unauthorized}, "payment: provider refuses our credentials", 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.there.Foreign()
			d.there.AddFaults(c.faults...)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, err := d.Start(ctx, intent())
			if got := paymenttest.Error(err); got != c.first {
				t.Errorf("the first Start: %v, want %q", err, c.first)
			}
			if got := d.there.Orders() - 1; got != c.intents {
				t.Errorf("%d intents after the first Start, want %d", got, c.intents)
			}
			session, err := d.Start(t.Context(), intent())
			secret, _ := session.Checkout["clientSecret"].(string)
			if err != nil || !strings.HasPrefix(session.Ref, "pi_") || !strings.HasPrefix(secret, session.Ref+"_secret_") ||
				session.Checkout["publishableKey"] != publishes || session.Checkout["script"] != "https://js.stripe.com/dahlia/stripe.js" {
				t.Errorf("the second Start: %+v, %v", session, err)
			}
			if got := d.there.Orders() - 1; got != 1 {
				t.Errorf("%d intents, want 1", got)
			}
		})
	}
}

func TestRepeatedCallIsIdentical(t *testing.T) {
	d, posts := newDesk(t), &paymenttest.Posts{Key: "Idempotency-Key"}
	d.Gateway = d.through(t, posts)
	d.start(t)
	d.there.Authorise(txn)
	status, err := d.Fetch(t.Context(), intent(), d.ref)
	if got := summary(status, err); got != "paid; paid of ₹1,499.00 INR" {
		t.Fatal(got)
	}
	if got := toldRefund(d.Refund(t.Context(), intent(), status.Charges[0], "refund1", fee)); got != wholeRefund {
		t.Error(got)
	}
	for end, want := range map[string]string{"/payment_intents": txn + "-pi", "/capture": txn + "-capture", "/refunds": "refund1"} {
		if got := posts.To(end); got != want {
			t.Errorf("the key to %s: %s, want %s", end, got, want)
		}
	}
}

func TestStartRefuses(t *testing.T) {
	for _, c := range []struct {
		sentence string
		change   func(in *method.Intent)
		want     string
	}{
		{"an unsupported currency", func(in *method.Intent) { in.Amount.Currency = "JPY" }, "payment: currency not supported by provider"},
		{"what is below Stripe's least", func(in *method.Intent) { in.Amount.Minor = 49 }, "payment: declined"},
		{"what is above Stripe's most", func(in *method.Intent) { in.Amount.Minor = 100000000 }, "payment: declined"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			in := intent()
			c.change(&in)
			if session, err := d.Start(t.Context(), in); paymenttest.Error(err) != c.want || d.there.Orders() != 0 || session.Ref != "" {
				t.Errorf("%+v, %v, %d intents; want %s", session, err, d.there.Orders(), c.want)
			}
		})
	}
	t.Run("an intent with another amount", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		in := intent()
		in.Amount.Minor--
		if _, err := d.Start(t.Context(), in); err == nil || errors.Is(err, method.ErrUnknown) || d.there.Orders() != 1 {
			t.Errorf("%v, %d intents", err, d.there.Orders())
		}
	})
	for _, email := range []string{"asha@exämple.com", "asha", "asha@a@example.com", "", "asha rao@example.com"} {
		t.Run("no payment for the address "+email, func(t *testing.T) {
			d := newDesk(t)
			in := intent()
			in.Email = email
			if _, err := d.Start(t.Context(), in); err != nil || d.there.Orders() != 1 {
				t.Errorf("%v, %d intents", err, d.there.Orders())
			}
		})
	}
}

func TestFetchReturnsErrors(t *testing.T) {
	for fault, want := range map[simulators.Fault]string{
		simulators.HangAfter: "payment: outcome unknown", simulators.Truncated: "payment: outcome unknown", simulators.Unauthorized: "payment: provider refuses our credentials",
	} {
		t.Run(string(fault), func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Pay(txn)
			d.there.AddFaults(fault)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if got := summary(d.Fetch(ctx, intent(), d.ref)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	t.Run("an unknown attempt", func(t *testing.T) {
		d := newDesk(t)
		d.there.Foreign()
		if got := summary(d.Fetch(t.Context(), intent(), "")); got != "payment: provider has no such transaction" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), "pi_unknown")); got != "payment: provider has no such transaction" {
			t.Error(got)
		}
	})
	t.Run("a query is retried after a 500", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Pay(txn)
		d.there.AddFaults(simulators.ErrorBefore)
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != "paid; paid of ₹1,499.00 INR" {
			t.Error(got)
		}
	})
	t.Run("a capture whose answer is lost is done once", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Authorise(txn)
		d.there.AddFaults("", simulators.ErrorAfter)
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != "payment: outcome unknown" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != "paid; paid of ₹1,499.00 INR" || d.there.Captured("INR") != fee.Minor {
			t.Errorf("%s, captured %d", got, d.there.Captured("INR"))
		}
	})
}

func TestCancel(t *testing.T) {
	for _, c := range []struct {
		sentence string
		happens  func(d *desk)
		want     string
	}{
		{"untried", func(*desk) {}, "failed"},
		{"refused before", func(d *desk) { d.there.Decline(txn) }, "failed"},
		{"while the bank asks who pays", func(d *desk) { d.there.Challenge(txn) }, "failed"},
		{"with a try under way", func(d *desk) { d.there.LeavePending(txn) }, "pending, at the bank"},
		{"paid meanwhile", func(d *desk) { d.there.Pay(txn) }, "paid; paid of ₹1,499.00 INR"},
		{"an authorisation is released, not captured", func(d *desk) { d.there.Authorise(txn) }, "failed"},
		{"its answer lost", func(d *desk) { d.there.AddFaults(simulators.ErrorAfter) }, "failed"},
		{"authorised, and unknown to the provider", func(d *desk) { d.there.Authorise(txn); d.there.AddFaults(simulators.ErrorBefore) }, "payment: outcome unknown"},
		{"unknown to the provider", func(d *desk) { d.there.AddFaults(simulators.ErrorBefore) }, "payment: outcome unknown"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			c.happens(d)
			captured := d.there.Captured("INR")
			if got := summary(d.Cancel(t.Context(), intent(), d.ref)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if got := d.there.Captured("INR"); got != captured {
				t.Errorf("captured %d, and %d before", got, captured)
			}
		})
	}
	t.Run("by our id", func(t *testing.T) {
		d := newDesk(t)
		if got := summary(d.Cancel(t.Context(), intent(), "")); got != "payment: provider has no such transaction" {
			t.Error(got)
		}
		d.start(t)
		if got := summary(d.Cancel(t.Context(), intent(), "")); got != "failed" {
			t.Error(got)
		}
	})
	t.Run("twice, the first not heard", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.AddFaults(simulators.ErrorBefore)
		_, _ = d.Cancel(t.Context(), intent(), d.ref)
		if got := summary(d.Cancel(t.Context(), intent(), d.ref)); got != "failed" {
			t.Error(got)
		}
	})
}

package razorpay_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/razorpay"
	"hiresure/simulators"
)

const (
	txn           = paymenttest.Txn
	keyID         = "rzp_test_1"
	secret        = "rzp_test_secret_1"
	webhookSecret = "whk_secret_1"

	unknown  = "payment: outcome unknown"
	noCharge = "payment: provider has no such transaction"
	strange  = "payment: provider refuses our credentials"
	declined = "payment: declined"
	forged   = "payment: bad signature"
	paid     = "paid; paid of ₹1,499.00 INR"
)

var (
	noon    = paymenttest.Noon
	fee     = paymenttest.Fee
	intent  = paymenttest.Intent
	summary = paymenttest.Summary
)

// desk is an adapter connected to a simulated account. ref is the order created by start.
type desk struct {
	*razorpay.Gateway
	paymenttest.Clock
	there *simulators.Razorpay
	ref   string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.there = simulators.NewRazorpay(simulators.KeysRazorpay{KeyID: keyID, KeySecret: secret, WebhookSecret: webhookSecret, Clock: d.Now})
	d.Gateway = d.through(t, nil)
	return d
}

// through returns another adapter for the same account, with a transport.
func (d *desk) through(t *testing.T, transport http.RoundTripper) *razorpay.Gateway {
	t.Helper()
	server := httptest.NewServer(d.there)
	t.Cleanup(server.Close)
	g, err := razorpay.New(razorpay.Config{
		KeyID: keyID, KeySecrets: []string{secret, "older"}, WebhookSecrets: []string{webhookSecret, "older"}, BaseURL: server.URL, Clock: d.Now, Transport: transport,
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (d *desk) start(t *testing.T) {
	t.Helper()
	session, err := d.Start(t.Context(), intent())
	if err != nil {
		t.Fatal(err)
	}
	d.ref = session.Ref
}

func started(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.start(t)
	return d
}

func TestFetchOrderStatus(t *testing.T) {
	refunded := "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00"
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
		{"the bank refuses", func(d *desk) { d.there.Decline(txn) }, false, "pending, last try failed", 0},
		{"refused, then paid", func(d *desk) { d.there.Decline(txn); d.Pass(time.Minute); d.there.Pay(txn) }, false, paid, 149900},
		{"refused, then a second try", func(d *desk) { d.there.Decline(txn); d.Pass(time.Minute); d.there.LeavePending(txn) }, false, "pending, at the bank", 0},
		{"refused, and paid after all", func(d *desk) { d.there.Late(d.there.Decline(txn)) }, false, paid, 149900},
		{"refused, and paid days later", func(d *desk) { id := d.there.Decline(txn); d.Pass(72 * time.Hour); d.there.Late(id) }, true, paid, 149900},
		{"authorised and wanted is captured", func(d *desk) { d.there.Authorise(txn) }, false, paid, 149900},
		{"an unwanted authorisation is not captured", func(d *desk) { d.there.Authorise(txn) }, true, "pending", 0},
		{"authorised twice and wanted is captured once", func(d *desk) { d.there.Authorise(txn); d.there.Authorise(txn) }, false, paid, 149900},
		{"an authorisation is not captured after a payment", func(d *desk) { d.there.Authorise(txn); d.there.Pay(txn) }, false, paid, 149900},
		{"an authorisation of a paisa less is not captured", func(d *desk) { d.there.AuthoriseWrong(txn, 149899, "INR") }, false, "pending", 0},
		{"an authorisation in another currency is not captured", func(d *desk) { d.there.AuthoriseWrong(txn, 149900, "USD") }, false, "pending", 0},
		{"authorised, and lapsed", func(d *desk) { d.there.Lapse(d.there.Authorise(txn)) }, false, "pending, last try failed", 0},
		{"untried for days", func(d *desk) { d.Pass(72 * time.Hour) }, true, "pending", 0},
		{"a paisa less", func(d *desk) { d.there.PayWrong(txn, 149899, "INR") }, false, "paid; paid of ₹1,498.99 INR", 149899},
		{"a hundred times as much", func(d *desk) { d.there.PayWrong(txn, 14990000, "INR") }, false, "paid; paid of ₹1,49,900.00 INR", 14990000},
		{"another currency", func(d *desk) { d.there.PayWrong(txn, 149900, "USD") }, false, "paid; paid of $1,499.00 USD", 0},
		{"paid twice", func(d *desk) { d.there.Pay(txn); d.there.Pay(txn) }, false, paid + "; paid of ₹1,499.00 INR", 299800},
		{"refunded by staff", func(d *desk) { d.there.RefundThere(d.there.Pay(txn), 149900) }, false, refunded, 149900},
		{"refunded by staff in part", func(d *desk) { d.there.RefundThere(d.there.Pay(txn), 50000) }, false, paid + ", back ₹500.00", 149900},
		{"a bounced refund", func(d *desk) { d.there.FinishRefund(d.there.RefundThere(d.there.Pay(txn), 149900), "failed") }, false, paid, 149900},
		{"disputed", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "open") }, true, paid + ", disputed", 149900},
		{"a dispute under review", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "under_review") }, true, paid + ", disputed", 149900},
		{"disputed months later", func(d *desk) { id := d.there.Pay(txn); d.Pass(90 * 24 * time.Hour); d.there.Dispute(id, "open") }, true, paid + ", disputed", 149900},
		{"a dispute won", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "won") }, true, paid, 149900},
		{"a dispute closed", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "closed") }, true, paid, 149900},
		{"a dispute lost", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "lost") }, true, refunded + ", lost ₹1,499.00", 149900},
		{"a dispute lost after a refund by staff", func(d *desk) { id := d.there.Pay(txn); d.there.RefundThere(id, 149900); d.there.Dispute(id, "lost") }, true, "refunded; refunded of ₹1,499.00 INR, back ₹2,998.00, lost ₹1,499.00", 149900},
		{"documents requested, and not sent", func(d *desk) { d.there.AskForPapers(d.there.Pay(txn), "lost") }, true, paid, 149900},
		{"disputes are not queried for a wanted payment", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "open") }, false, paid, 149900},
		{"another payment's dispute", func(d *desk) { d.there.Pay(txn); d.there.Dispute(d.there.PayLink(99900), "open") }, true, paid, 149900 + 99900},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := started(t)
			c.happens(d)
			in := intent()
			in.Wanted = !c.unwanted
			for name, got := range map[string]string{
				"Fetch by ref":    summary(d.Fetch(t.Context(), in, d.ref)),
				"Fetch by our id": summary(d.Fetch(t.Context(), in, "")),
				"Complete":        summary(d.Complete(t.Context(), in, d.ref, method.Return{})),
			} {
				if got != c.want {
					t.Errorf("%s: %s, want %s", name, got, c.want)
				}
			}
			if got := d.there.Captured("INR"); got != c.captured {
				t.Errorf("captured %d, want %d", got, c.captured)
			}
		})
	}
}

func TestStatusHasIDs(t *testing.T) {
	d := started(t)
	id := d.there.Pay(txn)
	got, err := d.Fetch(t.Context(), intent(), "")
	if err != nil || got.TxnID != txn || got.Ref != d.ref || got.Raw != "paid" || got.Charges[0].PaymentID != id || !got.Charges[0].At.Equal(noon) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestStartCreatesOneOrder(t *testing.T) {
	for _, c := range []struct {
		sentence string
		faults   []simulators.Fault
		first    string
		orders   int
	}{
		{"success", nil, "", 1},
		{"no response", []simulators.Fault{simulators.HangAfter}, unknown, 1},
		{"a 500 after the call succeeded", []simulators.Fault{simulators.ErrorAfter}, "", 1},
		{"a 500 before the call ran", []simulators.Fault{simulators.ErrorBefore}, unknown, 0},
		{"a truncated response", []simulators.Fault{simulators.Truncated}, "", 1},
		{"too many calls", []simulators.Fault{simulators.TooMany}, unknown, 0},
		{"our keys are rejected", []simulators.Fault{simulators.Unauthorized}, strange, 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.there.AddFaults(c.faults...)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			first, err := d.Start(ctx, intent())
			if got := summary(method.Status{}, err); err != nil && got != c.first || err == nil && c.first != "" {
				t.Errorf("the first Start: %v, want %q", err, c.first)
			}
			if got := d.there.Orders(); got != c.orders {
				t.Errorf("%d orders after the first Start, want %d", got, c.orders)
			}
			session, err := d.Start(t.Context(), intent())
			if err != nil || !strings.HasPrefix(session.Ref, "order_") || first.Ref != "" && first.Ref != session.Ref {
				t.Errorf("the second Start: %+v after %+v, %v", session, first, err)
			}
			if got := d.there.Orders(); got != 1 {
				t.Errorf("%d orders, want 1", got)
			}
		})
	}
	t.Run("another currency is refused, and creates nothing", func(t *testing.T) {
		d := newDesk(t)
		in := intent()
		in.Amount.Currency = "USD"
		if _, err := d.Start(t.Context(), in); !errors.Is(err, method.ErrCurrency) || d.there.Orders() != 0 {
			t.Errorf("%v, %d orders", err, d.there.Orders())
		}
	})
	t.Run("a refusal by Razorpay is declined, and creates nothing", func(t *testing.T) {
		d := newDesk(t)
		in := intent()
		in.Amount = admission.INR(99)
		if _, err := d.Start(t.Context(), in); summary(method.Status{}, err) != declined || d.there.Orders() != 0 {
			t.Errorf("%v, %d orders", err, d.there.Orders())
		}
	})
	t.Run("an order with another amount is rejected", func(t *testing.T) {
		d := started(t)
		in := intent()
		in.Amount.Minor--
		if session, err := d.Start(t.Context(), in); err == nil || session.Ref != "" || d.there.Orders() != 1 {
			t.Errorf("%+v, %v, %d orders", session, err, d.there.Orders())
		}
	})
}

func TestFetchReturnsErrors(t *testing.T) {
	for fault, want := range map[simulators.Fault]string{simulators.HangAfter: unknown, simulators.Truncated: unknown, simulators.Unauthorized: strange} {
		for calls, name := range []string{"the order", "its payments", "the disputes"} {
			t.Run(fmt.Sprintf("%s at %s", fault, name), func(t *testing.T) {
				d := started(t)
				d.there.Pay(txn)
				d.there.AddFaults(append(make([]simulators.Fault, calls), fault, fault)...) // a query is retried once
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				in := intent()
				in.Wanted = false
				if got := summary(d.Fetch(ctx, in, d.ref)); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
	}
	t.Run("an unknown order", func(t *testing.T) {
		d := newDesk(t)
		if got := summary(d.Fetch(t.Context(), intent(), "")); got != noCharge {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), "order_unknown")); got != noCharge {
			t.Error(got)
		}
	})
	t.Run("a query is retried after a 500", func(t *testing.T) {
		d := started(t)
		d.there.Pay(txn)
		d.there.AddFaults(simulators.ErrorBefore)
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != paid {
			t.Error(got)
		}
	})
}

func TestCaptureHappensOnce(t *testing.T) {
	for _, c := range []struct {
		fault simulators.Fault
		first string
	}{
		{"", paid}, {simulators.HangAfter, unknown}, {simulators.ErrorAfter, unknown}, {simulators.Truncated, paid}, {simulators.ErrorBefore, unknown},
		{simulators.TooMany, unknown}, {simulators.Unauthorized, strange},
	} {
		t.Run("fault: "+string(c.fault), func(t *testing.T) {
			d := started(t)
			d.there.Authorise(txn)
			d.there.AddFaults("", "", c.fault) // at the order, at its payments, at the capture
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if got := summary(d.Fetch(ctx, intent(), d.ref)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			for range 2 {
				if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != paid {
					t.Errorf("again: %s", got)
				}
			}
			if got := d.there.Captured("INR"); got != fee.Minor {
				t.Errorf("captured %d, want %d", got, fee.Minor)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	for _, c := range []struct {
		sentence string
		happens  func(d *desk)
		want     string
	}{
		{"untried", func(*desk) {}, "pending"},
		{"with a try under way", func(d *desk) { d.there.LeavePending(txn) }, "pending, at the bank"},
		{"refused", func(d *desk) { d.there.Decline(txn) }, "pending, last try failed"},
		{"paid meanwhile", func(d *desk) { d.there.Pay(txn) }, paid},
		{"authorised is not captured", func(d *desk) { d.there.Authorise(txn) }, "pending"},
		{"no response", func(d *desk) { d.there.AddFaults(simulators.ErrorBefore, simulators.ErrorBefore) }, unknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := started(t)
			c.happens(d)
			if got := summary(d.Cancel(t.Context(), intent(), d.ref)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

package cashfree_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/cashfree"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/simulators"
)

const (
	txn    = paymenttest.Txn
	secret = "cfsk_ma_test_secret_1"
)

var (
	noon    = paymenttest.Noon
	fee     = paymenttest.Fee
	intent  = paymenttest.Intent
	summary = paymenttest.Summary
)

// desk is an adapter connected to a simulated account.
type desk struct {
	*cashfree.Gateway
	paymenttest.Clock
	there *simulators.Cashfree
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.there = simulators.NewCashfree(simulators.KeysCashfree{AppID: "TEST1", SecretKey: secret, Clock: d.Now})
	d.Gateway = d.through(t, nil)
	return d
}

// through returns another adapter for the same account, with a transport.
func (d *desk) through(t *testing.T, transport http.RoundTripper) *cashfree.Gateway {
	t.Helper()
	server := httptest.NewServer(d.there)
	t.Cleanup(server.Close)
	g, err := cashfree.New(cashfree.Config{AppID: "TEST1", Secrets: []string{secret, "older"}, BaseURL: server.URL + "/pg", Clock: d.Now, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (d *desk) start(t *testing.T) {
	t.Helper()
	if _, err := d.Start(t.Context(), intent()); err != nil {
		t.Fatal(err)
	}
}

func TestFetchOrderStatus(t *testing.T) {
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
		{"the bank refuses", func(d *desk) { d.there.Decline(txn) }, false, "pending, last try failed", 0},
		{"the payer leaves", func(d *desk) { d.there.Drop(txn) }, false, "pending, last try failed", 0},
		{"refused, then paid", func(d *desk) { d.there.Decline(txn); d.Pass(time.Minute); d.there.Pay(txn) }, false, paid, 149900},
		{"refused, then a second try", func(d *desk) { d.there.Decline(txn); d.Pass(time.Minute); d.there.LeavePending(txn) }, false, "pending, at the bank", 0},
		{"refused, and paid after all", func(d *desk) { d.there.Late(d.there.Decline(txn)) }, false, paid, 149900},
		{"authorised and wanted is captured", func(d *desk) { d.there.Authorise(txn) }, false, paid, 149900},
		{"paid, and authorised once more, is not captured", func(d *desk) { d.there.Pay(txn); d.there.Authorise(txn) }, false, paid, 149900},
		{"an unwanted authorisation is not captured", func(d *desk) { d.there.Authorise(txn) }, true, "pending", 0},
		{"over its time, untried", func(d *desk) { d.Pass(time.Hour) }, false, "failed", 0},
		{"over its time after a refusal", func(d *desk) { d.there.Decline(txn); d.Pass(time.Hour) }, false, "pending, last try failed", 0},
		{"over its time, then paid late", func(d *desk) { id := d.there.LeavePending(txn); d.Pass(time.Hour); d.there.Late(id) }, false, paid, 149900},
		{"a paisa less", func(d *desk) { d.there.PayWrong(txn, 149899, "INR") }, false, "paid; paid of ₹1,498.99 INR", 149899},
		{"a hundred times as much", func(d *desk) { d.there.PayWrong(txn, 14990000, "INR") }, false, "paid; paid of ₹1,49,900.00 INR", 14990000},
		{"another currency", func(d *desk) { d.there.PayWrong(txn, 149900, "USD") }, false, "paid; paid of $1,499.00 USD", 0},
		{"paid twice", func(d *desk) { d.there.Pay(txn); d.there.Pay(txn) }, false, paid + "; paid of ₹1,499.00 INR", 299800},
		{"disputed", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "CHARGEBACK_CREATED") }, false, paid + ", disputed", 149900},
		{"a dispute won", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "CHARGEBACK_MERCHANT_WON") }, false, paid, 149900},
		{"a dispute lost", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "CHARGEBACK_MERCHANT_LOST") }, false, "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00, lost ₹1,499.00", 149900},
		{"a dispute lost after a refund by staff", func(d *desk) {
			id := d.there.Pay(txn)
			d.there.RefundThere(id, 149900)
			d.there.Dispute(id, "CHARGEBACK_MERCHANT_LOST")
		}, false, "refunded; refunded of ₹1,499.00 INR, back ₹2,998.00, lost ₹1,499.00", 149900},
		{"documents requested, and not sent", func(d *desk) { d.there.Dispute(d.there.Pay(txn), "RETRIEVAL_MERCHANT_LOST") }, false, paid, 149900},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			c.happens(d)
			in := intent()
			in.Wanted = !c.unwanted
			for name, got := range map[string]string{
				"Fetch by ref":    summary(d.Fetch(t.Context(), in, txn)),
				"Fetch by our id": summary(d.Fetch(t.Context(), in, "")),
				"Complete":        summary(d.Complete(t.Context(), in, txn, method.Return{})),
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

// TestMismatchedOrderIsNotCaptured gives one attempt the order of another.
func TestMismatchedOrderIsNotCaptured(t *testing.T) {
	for _, c := range []struct {
		sentence string
		change   func(in *method.Intent)
	}{
		{"another amount", func(in *method.Intent) { in.Amount.Minor-- }},
		{"another currency", func(in *method.Intent) { in.Amount.Currency = "USD" }},
		{"another attempt", func(in *method.Intent) { in.TxnID = "z" + txn[1:] }},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Authorise(txn)
			in := intent()
			c.change(&in)
			if got := summary(d.Fetch(t.Context(), in, txn)); got != "pending" || d.there.Captured("INR") != 0 {
				t.Errorf("%s, captured %d", got, d.there.Captured("INR"))
			}
		})
	}
}

func TestRepeatedCallIsIdentical(t *testing.T) {
	d, posts := newDesk(t), &paymenttest.Posts{Key: "X-Idempotency-Key"}
	d.Gateway = d.through(t, posts)
	d.start(t)
	charge := method.Charge{PaymentID: d.there.Authorise(txn)}
	if got := summary(d.Fetch(t.Context(), intent(), txn)); got != "paid; paid of ₹1,499.00 INR" {
		t.Error(got)
	}
	if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "refund1 done ₹1,499.00" {
		t.Error(got)
	}
	for end, want := range map[string]string{"/orders": txn, "/authorization": txn + "-capture", "/refunds": "refund1"} {
		if got := posts.To(end); got != want {
			t.Errorf("the key to %s: %s, want %s", end, got, want)
		}
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
		{"no response", []simulators.Fault{simulators.HangAfter}, "payment: outcome unknown", 1},
		{"a 500 after the call succeeded", []simulators.Fault{simulators.ErrorAfter}, "", 1},
		{"a 500 before the call ran", []simulators.Fault{simulators.ErrorBefore}, "payment: outcome unknown", 0},
		{"a truncated response", []simulators.Fault{simulators.Truncated}, "", 1},
		{"too many calls", []simulators.Fault{simulators.TooMany}, "payment: outcome unknown", 0},
		{"our keys are rejected", []simulators.Fault{simulators.Unauthorized}, "payment: provider refuses our credentials", 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.there.AddFaults(c.faults...)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, err := d.Start(ctx, intent())
			if got := summary(method.Status{}, err); err != nil && got != c.first || err == nil && c.first != "" {
				t.Errorf("the first Start: %v, want %q", err, c.first)
			}
			if got := d.there.Orders(); got != c.orders {
				t.Errorf("%d orders after the first Start, want %d", got, c.orders)
			}
			session, err := d.Start(t.Context(), intent())
			if err != nil || session.Ref != txn || !strings.HasPrefix(fmt.Sprint(session.Checkout["sessionId"]), "session_") || session.Checkout["mode"] != "sandbox" {
				t.Errorf("the second Start: %+v, %v", session, err)
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
	t.Run("an order with another amount is rejected", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		in := intent()
		in.Amount.Minor--
		if _, err := d.Start(t.Context(), in); err == nil || d.there.Orders() != 1 {
			t.Errorf("%v, %d orders", err, d.there.Orders())
		}
	})
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
			if got := summary(d.Fetch(ctx, intent(), txn)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	t.Run("an unknown order", func(t *testing.T) {
		if got := summary(newDesk(t).Fetch(t.Context(), intent(), "")); got != "payment: provider has no such transaction" {
			t.Error(got)
		}
	})
	t.Run("a query is retried after a 500", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Pay(txn)
		d.there.AddFaults(simulators.ErrorBefore)
		if got := summary(d.Fetch(t.Context(), intent(), txn)); got != "paid; paid of ₹1,499.00 INR" {
			t.Error(got)
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
		{"with a try under way", func(d *desk) { d.there.LeavePending(txn) }, "pending, at the bank"},
		{"paid meanwhile", func(d *desk) { d.there.Pay(txn) }, "paid; paid of ₹1,499.00 INR"},
		{"authorised is not captured", func(d *desk) { d.there.Authorise(txn) }, "pending"},
		{"over already", func(d *desk) { d.Pass(time.Hour) }, "failed"},
		{"its answer lost", func(d *desk) { d.there.AddFaults(simulators.ErrorAfter) }, "failed"},
		{"unknown to the provider", func(d *desk) { d.there.AddFaults(simulators.ErrorBefore) }, "payment: outcome unknown"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			c.happens(d)
			if got := summary(d.Cancel(t.Context(), intent(), txn)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

package paypal_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/paypal"
	"hiresure/simulators"
)

const (
	txn       = paymenttest.Txn
	secret    = "EGnHDxD_qRPdaLdZz8iCr8N7_MzF-YHPTkjs6NKYQvQSBngp4PTTVWkPZRbL"
	webhookID = "1JE4291016473214C"
)

var (
	noon    = paymenttest.Noon
	fee     = admission.Money{Minor: 1800, Currency: "USD"}
	summary = paymenttest.Summary
)

func intent() method.Intent {
	in := paymenttest.Intent()
	in.Amount = fee
	return in
}

// desk is an adapter connected to a simulated account.
type desk struct {
	*paypal.Gateway
	paymenttest.Clock
	there *simulators.PayPal
	base  string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.there = simulators.NewPayPal(simulators.KeysPayPal{ClientID: "app1", Secret: secret, WebhookID: webhookID, Clock: d.Now})
	server := httptest.NewServer(d.there)
	t.Cleanup(server.Close)
	d.base = server.URL
	d.there.ServedAt(server.URL)
	d.open(t, func(*paypal.Config) {})
	return d
}

// open replaces the adapter by one with a changed configuration.
func (d *desk) open(t *testing.T, change func(*paypal.Config)) {
	t.Helper()
	config := paypal.Config{ClientID: "app1", Secrets: []string{secret}, WebhookIDs: []string{webhookID}, BaseURL: d.base, Clock: d.Now}
	change(&config)
	var err error
	if d.Gateway, err = paypal.New(config); err != nil {
		t.Fatal(err)
	}
}

// patience is how long a caller waits for a response before it gives up.
func patience(t *testing.T, faults ...simulators.Fault) context.Context {
	if !slices.Contains(faults, simulators.HangAfter) {
		return t.Context()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	t.Cleanup(cancel)
	return ctx
}

// start starts an attempt, so the adapter has a token, and returns the order.
func (d *desk) start(t *testing.T) (orderID string) {
	t.Helper()
	session, err := d.Start(t.Context(), intent())
	if err != nil {
		t.Fatal(err)
	}
	return session.Ref
}

func TestFetchOrderStatus(t *testing.T) {
	const paid, back = "paid; paid of $18.00 USD", "refunded; refunded of $18.00 USD, back $18.00"
	action := func(press func(*simulators.PayPal, string)) func(*desk, string) {
		return func(d *desk, id string) { press(d.there, id) }
	}
	for _, c := range []struct {
		sentence string
		happens  func(d *desk, orderID string)
		unwanted bool
		want     string
		captured int64
	}{
		{"nobody has approved", func(*desk, string) {}, false, "pending", 0},
		{"approved and wanted is captured", action((*simulators.PayPal).Approve), false, paid, 1800},
		{"approved and not wanted is left alone", action((*simulators.PayPal).Approve), true, "pending", 0},
		{"approved twice is captured once", func(d *desk, id string) { d.there.Approve(id); d.there.Approve(id) }, false, paid, 1800},
		{"captured by the tab", func(d *desk, id string) { d.there.Pay(id) }, false, paid, 1800},
		{"captured by the tab, and no longer wanted", func(d *desk, id string) { d.there.Pay(id) }, true, paid, 1800},
		{"the bank refuses", action((*simulators.PayPal).ApproveWithout), false, "pending, last try failed", 0},
		{"the bank refuses what nobody wants", action((*simulators.PayPal).ApproveWithout), true, "pending", 0},
		{"an e-cheque waits", action((*simulators.PayPal).ApproveCheque), false, "pending, at the bank", 0},
		{"voided", action((*simulators.PayPal).Void), false, "failed", 0},
		{"deleted by the provider", func(d *desk, id string) { d.Pass(4 * time.Hour) }, true, "payment: provider has no such transaction", 0},
		{"approved, and forgotten there", func(d *desk, id string) { d.there.Approve(id); d.Pass(4 * time.Hour) }, true, "payment: provider has no such transaction", 0},
		{"paid, four hours later", func(d *desk, id string) { d.there.Pay(id); d.Pass(4 * time.Hour) }, true, paid, 1800},
		{"a cent less", func(d *desk, id string) { d.there.PayWrong(id, 1799, "USD") }, false, "paid; paid of $17.99 USD", 1799},
		{"a hundred times as much", func(d *desk, id string) { d.there.PayWrong(id, 180000, "USD") }, false, "paid; paid of $1,800.00 USD", 180000},
		{"another currency", func(d *desk, id string) { d.there.PayWrong(id, 1800, "EUR") }, false, "paid; paid of €18.00 EUR", 0},
		{"paid twice", func(d *desk, id string) { d.there.Pay(id); d.there.Pay(id) }, false, paid + "; paid of $18.00 USD", 3600},
		{"disputed", func(d *desk, id string) { d.there.Dispute(d.there.Pay(id)) }, false, paid + ", disputed", 1800},
		{"a dispute won", func(d *desk, id string) {
			of := d.there.Pay(id)
			d.there.Dispute(of)
			d.there.Resolve(of, "RESOLVED_SELLER_FAVOUR")
		}, false, paid, 1800},
		{"a dispute lost", func(d *desk, id string) {
			of := d.there.Pay(id)
			d.there.Dispute(of)
			d.there.Resolve(of, "RESOLVED_BUYER_FAVOUR")
		}, false, back + ", lost $18.00", 1800},
		{"the rest lost after a refund of a part", func(d *desk, id string) {
			of := d.there.Pay(id)
			d.there.RefundThere(of, 500)
			d.there.Dispute(of)
			d.there.Resolve(of, "RESOLVED_BUYER_FAVOUR")
		}, false, back + ", lost $13.00", 1800},
		{"a part sent back in the dashboard", func(d *desk, id string) { d.there.RefundThere(d.there.Pay(id), 500) }, false, paid + ", back $5.00", 1800},
		{"all sent back in the dashboard", func(d *desk, id string) { d.there.RefundThere(d.there.Pay(id), 1800) }, false, back, 1800},
		{"sent back, and bounced", func(d *desk, id string) { d.there.FinishRefund(d.there.RefundThere(d.there.Pay(id), 1800), "FAILED") }, false, paid, 1800},
		{"one of two sent back", func(d *desk, id string) { d.there.RefundThere(d.there.Pay(id), 1800); d.there.Pay(id) }, false, "paid; refunded of $18.00 USD, back $18.00; paid of $18.00 USD", 3600},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			c.happens(d, id)
			in := intent()
			in.Wanted = !c.unwanted
			for name, got := range map[string]string{
				"Fetch by ref": summary(d.Fetch(t.Context(), in, id)), "Fetch by our id": summary(d.Fetch(t.Context(), in, "")), "Complete": summary(d.Complete(t.Context(), in, id, method.Return{})),
			} {
				if got != c.want {
					t.Errorf("%s: %s, want %s", name, got, c.want)
				}
			}
			if got := d.there.Captured("USD"); got != c.captured {
				t.Errorf("captured %d, want %d", got, c.captured)
			}
			if d.there.Orders() != 1 {
				t.Errorf("%d orders, want 1", d.there.Orders())
			}
		})
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
		{"a 500 before the call ran", []simulators.Fault{simulators.ErrorBefore}, "", 1},
		{"two of them", []simulators.Fault{simulators.ErrorBefore, simulators.ErrorBefore}, "payment: outcome unknown", 0},
		{"a truncated response", []simulators.Fault{simulators.Truncated}, "", 1},
		{"too many calls", []simulators.Fault{simulators.TooMany, simulators.TooMany}, "payment: outcome unknown", 0},
		{"our token is refused once", []simulators.Fault{simulators.Unauthorized}, "", 1},
		{"our token is refused, and our secret", []simulators.Fault{simulators.Unauthorized, simulators.Unauthorized}, "payment: provider refuses our credentials", 0},
		{"a new token is refused too", []simulators.Fault{simulators.Unauthorized, "", simulators.Unauthorized}, "payment: provider refuses our credentials", 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			if _, err := d.FetchRefund(t.Context(), intent(), "r", "r"); !errors.Is(err, method.ErrNoCharge) { // which gets a token
				t.Fatal(err)
			}
			d.there.AddFaults(c.faults...)
			ctx := patience(t, c.faults...)
			_, err := d.Start(ctx, intent())
			if got := summary(method.Status{}, err); err != nil && got != c.first || err == nil && c.first != "" {
				t.Errorf("the first Start: %v, want %q", err, c.first)
			}
			if got := d.there.Orders(); got != c.orders {
				t.Errorf("%d orders after the first Start, want %d", got, c.orders)
			}
			session, err := d.Start(t.Context(), intent())
			want := map[string]any{"script": "https://www.paypal.com/sdk/js", "clientId": "app1", "currency": "USD", "providerOrderId": session.Ref}
			if err != nil || session.Ref == "" || fmt.Sprint(session.Checkout) != fmt.Sprint(want) {
				t.Errorf("the second Start: %+v, %v", session, err)
			}
			if got := d.there.Orders(); got != 1 {
				t.Errorf("%d orders, want 1", got)
			}
		})
	}
}

func TestStartRejectsMismatchedOrder(t *testing.T) {
	for _, c := range []struct {
		sentence string
		change   func(d *desk, in *method.Intent)
		want     string
		orders   int
	}{
		{"rupees are refused", func(_ *desk, in *method.Intent) { in.Amount.Currency = "INR" }, "payment: currency not supported by provider", 1},
		{"an order with another amount is rejected", func(_ *desk, in *method.Intent) { in.Amount.Minor-- }, "paypal: create order: response has another order", 1},
		{"nor one in another currency", func(_ *desk, in *method.Intent) { in.Amount.Currency = "EUR" }, "paypal: create order: response has another order", 1},
		{"euros are taken", func(_ *desk, in *method.Intent) { in.Amount.Currency, in.TxnID = "EUR", "z"+txn[1:] }, "", 2},
		{"after the key's life what was paid is found", func(d *desk, _ *method.Intent) { d.Pass(7 * time.Hour) }, "", 1},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.there.Pay(d.start(t))
			in := intent()
			c.change(d, &in)
			if _, err := d.Start(t.Context(), in); paymenttest.Error(err) != c.want || d.there.Orders() != c.orders {
				t.Errorf("%v, %d orders; want %q, %d", err, d.there.Orders(), c.want, c.orders)
			}
		})
	}
}

func TestOrderIsFoundByTxnIDAfterKeyExpires(t *testing.T) {
	for _, c := range []struct {
		sentence string
		happens  func(d *desk, orderID string)
		want     string
	}{
		{"paid", func(d *desk, id string) { d.there.Pay(id) }, "paid; paid of $18.00 USD"},
		{"an e-cheque that waits", func(d *desk, id string) {
			d.there.ApproveCheque(id)
			summary(d.Fetch(context.Background(), intent(), id))
		}, "pending, at the bank"},
		{"refunded", func(d *desk, id string) { d.there.RefundThere(d.there.Pay(id), 1800) }, "refunded; refunded of $18.00 USD, back $18.00"},
		{"never paid", func(*desk, string) {}, "payment: provider has no such transaction"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			other := intent()
			other.TxnID = "y" + txn[1:]
			session, err := d.Start(t.Context(), other)
			if err != nil {
				t.Fatal(err)
			}
			d.there.Pay(session.Ref)
			id := d.start(t)
			c.happens(d, id)
			d.Pass(7 * time.Hour)
			in := intent()
			in.Wanted = false
			if got := summary(d.Fetch(t.Context(), in, "")); got != c.want || d.there.Orders() != 2 {
				t.Errorf("%s, %d orders; want %s, 2", got, d.there.Orders(), c.want)
			}
		})
	}
}

func TestFetchReturnsErrors(t *testing.T) {
	for fault, want := range map[simulators.Fault]string{simulators.HangAfter: "payment: outcome unknown", simulators.Truncated: "payment: outcome unknown"} {
		t.Run(string(fault), func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			d.there.Pay(id)
			d.there.AddFaults(fault, fault)
			ctx := patience(t, fault)
			if got := summary(d.Fetch(ctx, intent(), id)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	t.Run("an unknown order", func(t *testing.T) {
		d := newDesk(t)
		if got := summary(d.Fetch(t.Context(), intent(), "5O000000000000009")); got != "payment: provider has no such transaction" || d.there.Orders() != 0 {
			t.Error(got, d.there.Orders())
		}
	})
	t.Run("a query is retried after a 500", func(t *testing.T) {
		d := newDesk(t)
		id := d.start(t)
		d.there.Pay(id)
		d.there.AddFaults(simulators.ErrorBefore)
		if got := summary(d.Fetch(t.Context(), intent(), id)); got != "paid; paid of $18.00 USD" {
			t.Error(got)
		}
	})
}

func TestCancel(t *testing.T) {
	for _, c := range []struct {
		sentence string
		happens  func(d *desk, orderID string)
		want     string
	}{
		{"not approved", func(*desk, string) {}, "pending"},
		{"approved is not captured", func(d *desk, id string) { d.there.Approve(id) }, "pending"},
		{"paid meanwhile", func(d *desk, id string) { d.there.Pay(id) }, "paid; paid of $18.00 USD"},
		{"deleted by the provider", func(d *desk, _ string) { d.Pass(4 * time.Hour) }, "payment: provider has no such transaction"},
		{"no answer", func(d *desk, _ string) { d.there.AddFaults(simulators.ErrorBefore, simulators.ErrorBefore) }, "payment: outcome unknown"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			c.happens(d, id)
			before := d.there.Captured("USD")
			if got := summary(d.Cancel(t.Context(), intent(), id)); got != c.want || d.there.Captured("USD") != before {
				t.Errorf("%s, %d captured; want %s, %d", got, d.there.Captured("USD"), c.want, before)
			}
		})
	}
}

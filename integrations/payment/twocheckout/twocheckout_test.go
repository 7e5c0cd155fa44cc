package twocheckout_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/twocheckout"
	"hiresure/simulators"
)

const (
	txn      = paymenttest.Txn
	secret   = "SECRET_KEY"
	merchant = "250111206876"

	paid     = "paid; paid of ₹1,499.00 INR"
	back     = "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00"
	unknown  = "payment: outcome unknown"
	declined = "payment: declined"
	noCharge = "payment: provider has no such transaction"
	strange  = "payment: provider refuses our credentials"
)

var (
	noon    = paymenttest.Noon
	fee     = paymenttest.Fee
	intent  = paymenttest.Intent
	summary = paymenttest.Summary
)

// desk is an adapter connected to a simulated account.
type desk struct {
	*twocheckout.Gateway
	paymenttest.Clock
	there *simulators.Twocheckout
	base  string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.there = simulators.NewTwocheckout(simulators.KeysTwocheckout{MerchantCode: merchant, SecretKey: secret, Clock: d.Now, At: "https://bank.example"})
	server := httptest.NewServer(d.there)
	t.Cleanup(server.Close)
	d.base = server.URL + "/rest/6.0"
	d.Gateway = d.through(t, nil)
	return d
}

// through returns another adapter for the same account, with a transport.
func (d *desk) through(t *testing.T, road http.RoundTripper) *twocheckout.Gateway {
	t.Helper()
	g, err := twocheckout.New(twocheckout.Config{MerchantCode: merchant, Secrets: []string{secret, "older"}, PublishableKey: "public", BaseURL: d.base, Clock: d.Now, Transport: road})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// pay returns a browser's return with a token of a card.
func (d *desk) pay(card string) method.Return {
	return method.Return{Method: http.MethodPost, Form: url.Values{"token": {d.there.Token(card)}}}
}

// charged returns a desk with an order, and its RefNo.
func charged(t *testing.T, card string) (*desk, string) {
	t.Helper()
	d := newDesk(t)
	if _, err := d.Complete(t.Context(), intent(), "", d.pay(card)); err != nil {
		t.Fatal(err)
	}
	return d, d.there.Ref(0)
}

func TestFetchOrderStatus(t *testing.T) {
	for _, c := range []struct {
		sentence string
		card     string
		happens  func(d *desk, ref string)
		want     string
		captured int64
	}{
		{"paid", simulators.CardPaid, nil, paid, 149900},
		{"authorised, and not collected", simulators.CardReceived, nil, "pending, at the bank", 0},
		{"authorised, then collected", simulators.CardReceived, func(d *desk, ref string) { d.there.Become(ref, "COMPLETE") }, paid, 149900},
		{"under review", simulators.CardReceived, func(d *desk, ref string) { d.there.Become(ref, "PENDING_APPROVAL") }, "pending, at the bank", 0},
		{"in an unknown state", simulators.CardReceived, func(d *desk, ref string) { d.there.Become(ref, "PAID_PERHAPS") }, "pending, at the bank", 0},
		{"the bank is silent", simulators.CardWaiting, nil, "pending, at the bank", 0},
		{"the bank refuses", simulators.CardDeclined, nil, "pending, last try failed", 0},
		{"the bank asks", simulators.CardSecured, nil, "pending, at the bank", 0},
		{"canceled", simulators.CardWaiting, func(d *desk, ref string) { d.there.Become(ref, "CANCELED") }, "failed", 0},
		{"invalid", simulators.CardWaiting, func(d *desk, ref string) { d.there.Become(ref, "INVALID") }, "failed", 0},
		{"reversed before it was collected", simulators.CardReceived, func(d *desk, ref string) { d.there.Become(ref, "REVERSED") }, "failed", 0},
		{"reversed afterwards", simulators.CardPaid, func(d *desk, ref string) { d.there.Become(ref, "REVERSED") }, back, 149900},
		{"sent back there", simulators.CardPaid, func(d *desk, ref string) { d.there.Become(ref, "REFUND") }, back, 149900},
		{"perhaps sent back in part", simulators.CardPaid, func(d *desk, ref string) { d.there.Reprice(ref, 50000, "INR"); d.there.Become(ref, "REFUND") }, unknown, 50000},
		{"canceled, then paid late", simulators.CardWaiting, func(d *desk, ref string) { d.there.Become(ref, "CANCELED"); d.there.Become(ref, "COMPLETE") }, paid, 149900},
		{"a paisa less", simulators.CardPaid, func(d *desk, ref string) { d.there.Reprice(ref, 149899, "INR") }, "paid; paid of ₹1,498.99 INR", 149899},
		{"a hundred times as much", simulators.CardPaid, func(d *desk, ref string) { d.there.Reprice(ref, 14990000, "INR") }, "paid; paid of ₹1,49,900.00 INR", 14990000},
		{"another currency", simulators.CardPaid, func(d *desk, ref string) { d.there.Reprice(ref, 149900, "USD") }, "paid; paid of $1,499.00 USD", 0},
		{"paid twice", simulators.CardPaid, func(d *desk, ref string) { d.Pass(time.Minute); d.there.Duplicate(ref) }, paid + "; paid of ₹1,499.00 INR", 299800},
		{"paid twice, and once sent back", simulators.CardPaid, func(d *desk, ref string) { d.there.Become(d.there.Duplicate(ref), "REFUND") }, paid + "; refunded of ₹1,499.00 INR, back ₹1,499.00", 299800},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d, ref := charged(t, c.card)
			if c.happens != nil {
				c.happens(d, ref)
			}
			for name, got := range map[string]string{
				"Fetch by ref":    summary(d.Fetch(t.Context(), intent(), ref)),
				"Fetch by our id": summary(d.Fetch(t.Context(), intent(), "")),
				"Complete":        summary(d.Complete(t.Context(), intent(), ref, method.Return{Method: http.MethodGet})),
				"Cancel":          summary(d.Cancel(t.Context(), intent(), ref)),
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
	t.Run("of another sum, all of which we have sent back", func(t *testing.T) {
		d, ref := charged(t, simulators.CardPaid)
		d.there.Reprice(ref, 50000, "INR")
		d.there.Become(ref, "REFUND")
		for sent, want := range map[int64]string{0: unknown, 49999: unknown, 50000: "refunded; refunded of ₹500.00 INR, back ₹500.00"} {
			in := intent()
			in.SentBack = map[string]admission.Money{ref: admission.INR(sent), "1": admission.INR(50000)}
			if got := summary(d.Fetch(t.Context(), in, ref)); got != want {
				t.Errorf("of which we have sent back %d: %s, want %s", sent, got, want)
			}
		}
	})
	t.Run("no try yet", func(t *testing.T) {
		d := newDesk(t)
		if got := summary(d.Fetch(t.Context(), intent(), "")); got != noCharge {
			t.Error(got)
		}
		if got := summary(d.Complete(t.Context(), intent(), "", method.Return{Method: http.MethodPost})); got != noCharge || d.there.Orders() != 0 {
			t.Errorf("%s, %d orders", got, d.there.Orders())
		}
	})
}

func TestStartMakesNoCall(t *testing.T) {
	d := newDesk(t)
	d.there.AddFaults(simulators.ErrorBefore)
	session, err := d.Start(t.Context(), intent())
	if got := fmt.Sprint(session.Checkout); err != nil || session.Ref != "" || got != "map[name:Asha Rao publishableKey:public script:https://2pay-js.2checkout.com/v1/2pay.js sellerId:250111206876]" {
		t.Errorf("%s, %v", got, err)
	}
	in := intent()
	in.Amount.Currency = "JPY"
	if _, err := d.Start(t.Context(), in); !errors.Is(err, method.ErrCurrency) {
		t.Error(err)
	}
	if d.there.Orders() != 0 {
		t.Error("an order was placed")
	}
}

func TestCompleteChargesToken(t *testing.T) {
	for _, c := range []struct {
		sentence string
		change   func(d *desk, in *method.Intent, back *method.Return)
		want     string
	}{
		{"wanted", func(*desk, *method.Intent, *method.Return) {}, paid},
		{"no longer wanted", func(_ *desk, in *method.Intent, _ *method.Return) { in.Wanted = false }, noCharge},
		{"in a link", func(_ *desk, _ *method.Intent, back *method.Return) { back.Method = http.MethodGet }, noCharge},
		{"of nobody", func(_ *desk, _ *method.Intent, back *method.Return) { back.Form.Set("token", "x") }, declined},
		{"too old", func(d *desk, _ *method.Intent, _ *method.Return) { d.Pass(11 * time.Minute) }, declined},
		{"of another currency than is taken", func(_ *desk, in *method.Intent, _ *method.Return) { in.Amount.Currency = "JPY" }, declined},
		{"with a tax on top, which we did not ask for", func(d *desk, _ *method.Intent, _ *method.Return) { d.there.Tax(1) }, unknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d, in := newDesk(t), intent()
			back := d.pay(simulators.CardPaid)
			c.change(d, &in, &back)
			if got := summary(d.Complete(t.Context(), in, "", back)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if orders := d.there.Orders(); (orders == 1) != (c.want == paid || c.want == unknown) {
				t.Errorf("%d orders", orders)
			}
		})
	}
	for ip, want := range map[string]string{"203.0.113.7": "203.0.113.7", "::ffff:203.0.113.7": "203.0.113.7", "2001:db8::1": "", "": "", "x": ""} {
		d, in := newDesk(t), intent()
		in.CustomerIP = ip
		if got := summary(d.Complete(t.Context(), in, "", d.pay(simulators.CardPaid))); got != paid || d.there.IP(0) != want {
			t.Errorf("%q: %s, with the address %q", ip, got, d.there.IP(0))
		}
	}
	for _, name := range []string{"Asha", "Asha Devi Rao"} {
		d, in := newDesk(t), intent()
		in.Name = name
		if got := summary(d.Complete(t.Context(), in, "", d.pay(simulators.CardPaid))); got != paid {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestCompletePlacesOneOrder(t *testing.T) {
	for _, c := range []struct {
		sentence string
		fault    simulators.Fault
		first    string
		orders   int
	}{
		{"success", "", paid, 1},
		{"no response", simulators.HangAfter, unknown, 1},
		{"a 500 after the call succeeded", simulators.ErrorAfter, unknown, 1},
		{"a truncated response", simulators.Truncated, unknown, 1},
		{"a 500 before the call ran", simulators.ErrorBefore, unknown, 0},
		{"too many calls", simulators.TooMany, unknown, 0},
		{"our keys are rejected", simulators.Unauthorized, strange, 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.there.AddFaults("", c.fault) // the search succeeds, then the order fails
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			back := d.pay(simulators.CardPaid)
			if got := summary(d.Complete(ctx, intent(), "", back)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			if got := d.there.Orders(); got != c.orders {
				t.Errorf("%d orders, want %d", got, c.orders)
			}
			for _, again := range []method.Return{back, d.pay(simulators.CardPaid), d.pay(simulators.CardPaid)} { // the same token, and new ones
				if got := summary(d.Complete(t.Context(), intent(), "", again)); got != paid {
					t.Errorf("again: %s", got)
				}
			}
			if got := d.there.Orders(); got != 1 || d.there.Captured("INR") != fee.Minor {
				t.Errorf("%d orders, captured %d", got, d.there.Captured("INR"))
			}
		})
	}
	t.Run("no order is placed while the state is unknown", func(t *testing.T) {
		d := newDesk(t)
		d.there.AddFaults(simulators.ErrorBefore, simulators.ErrorBefore) // a query is retried once
		if got := summary(d.Complete(t.Context(), intent(), "", d.pay(simulators.CardPaid))); got != unknown || d.there.Orders() != 0 {
			t.Errorf("%s, %d orders", got, d.there.Orders())
		}
	})
}

func TestSecondCardWaitsForFirst(t *testing.T) {
	for first, c := range map[string]struct {
		want   string
		orders int
	}{
		simulators.CardDeclined: {paid, 2}, simulators.CardPaid: {paid, 1}, simulators.CardReceived: {"pending, at the bank", 1},
		simulators.CardWaiting: {"pending, at the bank", 1}, simulators.CardSecured: {"pending, at the bank", 1},
	} {
		d, ref := charged(t, first)
		d.Pass(time.Minute)
		for _, known := range []string{ref, ""} {
			if got := summary(d.Complete(t.Context(), intent(), known, d.pay(simulators.CardPaid))); got != c.want || d.there.Orders() != c.orders {
				t.Errorf("after a card that is %s: %s, %d orders", first, got, d.there.Orders())
			}
		}
	}
	d, ref := charged(t, simulators.CardWaiting)
	d.there.Become(ref, "CANCELED")
	if got := summary(d.Complete(t.Context(), intent(), ref, d.pay(simulators.CardPaid))); got != paid {
		t.Errorf("after an order that is canceled: %s", got)
	}
}

func TestCompleteRedirectsToBank(t *testing.T) {
	d := newDesk(t)
	s, err := d.Complete(t.Context(), intent(), "", d.pay(simulators.CardSecured))
	bank := "https://bank.example/6.0/scripts/credit_card/authorize/?avng8apitoken=3ds" + d.there.Ref(0)
	if err != nil || s.Next != bank || s.Ref != d.there.Ref(0) || s.State != method.ChargePending {
		t.Fatalf("%+v, %v", s, err)
	}
	if s, err = d.Complete(t.Context(), intent(), s.Ref, d.pay(simulators.CardPaid)); err != nil || s.Next != bank {
		t.Errorf("after another press: %+v, %v", s, err)
	}
	for _, ask := range []func() (method.Status, error){
		func() (method.Status, error) {
			return d.Complete(t.Context(), intent(), s.Ref, method.Return{Method: http.MethodGet, Form: url.Values{"REFNO": {s.Ref}}})
		},
		func() (method.Status, error) { return d.Fetch(t.Context(), intent(), s.Ref) },
	} {
		if got, err := ask(); err != nil || got.Next != "" || got.State != method.ChargePending {
			t.Errorf("who comes back from there is not sent there again: %+v, %v", got, err)
		}
	}
	press := func(do string) {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", strings.TrimPrefix(bank, "https://bank.example"), strings.NewReader("do="+do))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if d.there.ServeHTTP(w, r); w.Header().Get("Location") != intent().ReturnURL {
			t.Errorf("%s leads to %d %s", do, w.Code, w.Header())
		}
	}
	press("back")
	press("confirm")
	if got := summary(d.Complete(t.Context(), intent(), s.Ref, method.Return{Method: http.MethodGet})); got != paid {
		t.Error(got)
	}
}

func TestFetchReturnsErrors(t *testing.T) {
	for fault, want := range map[simulators.Fault]string{simulators.HangAfter: unknown, simulators.Truncated: unknown, simulators.Unauthorized: strange} {
		for calls, name := range []string{"the search", "the order"} {
			t.Run(fmt.Sprintf("%s at %s", fault, name), func(t *testing.T) {
				d, ref := charged(t, simulators.CardPaid)
				d.there.AddFaults(append(make([]simulators.Fault, calls), fault, fault)...)
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				if got := summary(d.Fetch(ctx, intent(), ref)); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
	}
	t.Run("an unknown order", func(t *testing.T) {
		if got := summary(newDesk(t).Fetch(t.Context(), intent(), "1")); got != noCharge {
			t.Error(got)
		}
	})
	t.Run("a clock ten minutes off is refused", func(t *testing.T) {
		d, ref := charged(t, simulators.CardPaid)
		g, err := twocheckout.New(twocheckout.Config{MerchantCode: merchant, Secrets: []string{secret}, BaseURL: d.base, Clock: func() time.Time { return d.Now().Add(10 * time.Minute) }})
		if err != nil {
			t.Fatal(err)
		}
		if got := summary(g.Fetch(t.Context(), intent(), ref)); got != strange {
			t.Error(got)
		}
	})
	t.Run("a test order takes no money at the real address", func(t *testing.T) {
		d, ref := charged(t, simulators.CardPaid) // at another address every order is one
		g, err := twocheckout.New(twocheckout.Config{MerchantCode: merchant, Secrets: []string{secret}, Clock: d.Now, Transport: toSimulator(d.base)})
		if err != nil {
			t.Fatal(err)
		}
		if got := summary(g.Fetch(t.Context(), intent(), ref)); got != "pending" {
			t.Error(got)
		}
		if got := summary(g.Complete(t.Context(), other(), "", d.pay(simulators.CardPaid))); got != paid {
			t.Errorf("an order in earnest: %s", got)
		}
	})
}

func other() method.Intent {
	in := intent()
	in.TxnID = "1" + txn[1:]
	return in
}

// toSimulator sends calls for the real address to the simulator.
type toSimulator string

func (s toSimulator) RoundTrip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(string(s))
	if err != nil {
		return nil, err
	}
	if r.URL.Host != "api.2checkout.com" || r.URL.Scheme != "https" {
		return nil, errors.New("a call to " + r.URL.Host)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = to.Scheme, to.Host
	return http.DefaultTransport.RoundTrip(r)
}

package payu_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/payu"
	"hiresure/simulators"
)

const (
	txn  = paymenttest.Txn
	key  = "TESTKEY1"
	salt = "TESTSALT1"
)

var (
	fee     = paymenttest.Fee
	intent  = paymenttest.Intent
	summary = paymenttest.Summary
	ref     = intent().MerchantRef
)

// desk is an adapter connected to a simulated account.
type desk struct {
	*payu.Gateway
	paymenttest.Clock
	there *simulators.PayU
	url   string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.there = simulators.NewPayU(simulators.KeysPayU{Key: key, Salt: salt, Clock: d.Now})
	server := httptest.NewServer(d.there)
	t.Cleanup(server.Close)
	d.url = server.URL
	var err error
	if d.Gateway, err = payu.New(payu.Config{Key: key, Salts: []string{salt, "older"}, BaseURL: server.URL, FormURL: server.URL + "/_payment"}); err != nil {
		t.Fatal(err)
	}
	return d
}

// formOf returns the form that the browser posts to PayU.
func (d *desk) formOf(t *testing.T, in method.Intent) method.Form {
	t.Helper()
	session, err := d.Start(t.Context(), in)
	if err != nil || session.Ref != in.MerchantRef {
		t.Fatal(session, err)
	}
	descriptor := payu.Descriptor()
	descriptor.Checkout.Forms = append(descriptor.Checkout.Forms, d.url)
	forms, err := descriptor.FormsOf(session.Checkout)
	if err != nil || len(forms) != 1 {
		t.Fatal(forms, err)
	}
	return forms[0]
}

func fieldsOf(form method.Form) url.Values {
	values := url.Values{}
	for _, f := range form.Fields {
		values.Add(f.Name, f.Value)
	}
	return values
}

// arrive posts the form of Start to PayU's page, and returns its response.
func (d *desk) arrive(t *testing.T, in method.Intent) (status int, page string) {
	t.Helper()
	form := d.formOf(t, in)
	response, err := http.PostForm(form.Action, fieldsOf(form))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (d *desk) start(t *testing.T) {
	t.Helper()
	if status, page := d.arrive(t, intent()); status != http.StatusOK || !strings.Contains(page, "₹1499.00 for Enrolment fee, Asha Rao") {
		t.Fatal(status, page)
	}
}

func posted(form url.Values) method.Return {
	return method.Return{Method: http.MethodPost, Form: form}
}

func TestFetchTransactionStatus(t *testing.T) {
	paid := "paid; paid of ₹1,499.00 INR"
	for _, c := range []struct {
		sentence string
		happens  func(d *desk)
		unwanted bool
		want     string
		captured int64
	}{
		{"on PayU's page", func(*desk) {}, false, "pending", 0},
		{"paid", func(d *desk) { d.there.Pay(ref) }, false, paid, 149900},
		{"paid, and no longer wanted", func(d *desk) { d.there.Pay(ref) }, true, paid, 149900},
		{"the bank is silent", func(d *desk) { d.there.LeavePending(ref) }, false, "pending, at the bank", 0},
		{"the bank refuses", func(d *desk) { d.there.Decline(ref) }, false, "failed", 0},
		{"the payer cancels", func(d *desk) { d.there.Leave(ref) }, false, "failed", 0},
		{"the payer goes away", func(d *desk) { d.there.Bounce(ref) }, false, "failed", 0},
		{"the bank is silent for too long", func(d *desk) { d.there.Drop(ref) }, false, "failed", 0},
		{"given up, and paid after all", func(d *desk) { d.there.Drop(ref); d.there.Pay(ref) }, false, paid, 149900},
		{"given up, and sent back by PayU itself", func(d *desk) { d.there.SendBack(ref) }, false, "failed", 0},
		{"authorised and wanted is captured", func(d *desk) { d.there.Authorise(ref) }, false, paid, 149900},
		{"an unwanted authorisation is not captured", func(d *desk) { d.there.Authorise(ref) }, true, "pending", 0},
		{"a paisa less", func(d *desk) { d.there.PayWrong(ref, 149899) }, false, "paid; paid of ₹1,498.99 INR", 149899},
		{"a hundred times as much", func(d *desk) { d.there.PayWrong(ref, 14990000) }, false, "paid; paid of ₹1,49,900.00 INR", 14990000},
		{"less, after an offer", func(d *desk) { d.there.PayLess(ref, 10000) }, false, "paid; paid of ₹1,399.00 INR", 139900},
		{"more, for PayU itself", func(d *desk) { d.there.PayMore(ref, 1234) }, false, paid, 149900},
		{"sent back by staff, in part", func(d *desk) { d.there.RefundThere(d.there.Pay(ref), 50000) }, false, paid + ", back ₹500.00", 149900},
		{"sent back by staff", func(d *desk) { d.there.RefundThere(d.there.Pay(ref), 149900) }, false, "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00", 149900},
		{"disputed, of which PayU's API says nothing", func(d *desk) { d.there.Dispute(d.there.Pay(ref), "New") }, false, paid, 149900},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			c.happens(d)
			in := intent()
			in.Wanted = !c.unwanted
			for name, ask := range map[string]func() (method.Status, error){
				"Fetch by ref":    func() (method.Status, error) { return d.Fetch(t.Context(), in, ref) },
				"Fetch by our id": func() (method.Status, error) { return d.Fetch(t.Context(), in, "") },
				"Complete":        func() (method.Status, error) { return d.Complete(t.Context(), in, ref, posted(d.there.Return(ref))) },
			} {
				status, err := ask()
				if got := summary(status, err); got != c.want || status.TxnID != txn || status.Ref != ref {
					t.Errorf("%s: %s of %s %s, want %s", name, got, status.TxnID, status.Ref, c.want)
				}
			}
			if got := d.there.Captured("INR"); got != c.captured {
				t.Errorf("captured %d, want %d", got, c.captured)
			}
		})
	}
	for what, change := range map[string]func(in *method.Intent){
		"sum": func(in *method.Intent) { in.Amount.Minor-- }, "attempt": func(in *method.Intent) { in.MerchantRef = "z" + ref[1:] },
	} {
		t.Run("authorised for another "+what+" is left alone", func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Authorise(ref)
			in := intent()
			change(&in)
			if got := summary(d.Fetch(t.Context(), in, ref)); got != "pending" || d.there.Captured("INR") != 0 {
				t.Errorf("%s, captured %d", got, d.there.Captured("INR"))
			}
		})
	}
}

func TestFetchBeforePayerReachesPayU(t *testing.T) {
	d := newDesk(t)
	d.formOf(t, intent())
	for name, got := range map[string]string{
		"Fetch":  summary(d.Fetch(t.Context(), intent(), ref)),
		"Cancel": summary(d.Cancel(t.Context(), intent(), ref)),
	} {
		if got != "payment: provider has no such transaction" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if d.there.Orders() != 0 {
		t.Error("PayU has heard of it")
	}
}

func TestFetchReturnsErrors(t *testing.T) {
	for fault, want := range map[simulators.Fault]string{
		simulators.HangAfter: "payment: outcome unknown", simulators.Truncated: "payment: outcome unknown", simulators.ErrorBefore: "payment: outcome unknown",
		simulators.ErrorAfter: "payment: outcome unknown", simulators.TooMany: "payment: outcome unknown", simulators.Unauthorized: "payment: provider refuses our credentials",
	} {
		for calls, question := range []string{"about the transaction", "about its refunds"} {
			t.Run(string(fault)+" "+question, func(t *testing.T) {
				d := newDesk(t)
				d.start(t)
				d.there.Pay(ref)
				d.there.AddFaults(append(make([]simulators.Fault, calls), fault)...)
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				want := want
				if calls > 0 { // paid does not depend on the second call
					want = "paid; paid of ₹1,499.00 INR, refunds unknown"
				}
				if got := summary(d.Fetch(ctx, intent(), ref)); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
	}
	t.Run("an address where no service is", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		defer server.Close()
		g, err := payu.New(payu.Config{Key: key, Salts: []string{salt}, BaseURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		if got := summary(g.Fetch(t.Context(), intent(), ref)); got != "payment: outcome unknown" {
			t.Error(got)
		}
	})
}

func TestCaptureHappensOnce(t *testing.T) {
	for fault, first := range map[simulators.Fault]string{
		simulators.HangAfter: "payment: outcome unknown", simulators.ErrorAfter: "payment: outcome unknown", simulators.ErrorBefore: "payment: outcome unknown",
		simulators.Truncated: "payment: outcome unknown", simulators.TooMany: "payment: outcome unknown", simulators.Unauthorized: "payment: provider refuses our credentials",
	} {
		t.Run(string(fault), func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Authorise(ref)
			d.there.AddFaults("", fault)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if got := summary(d.Fetch(ctx, intent(), ref)); got != first {
				t.Errorf("the first time: %s, want %s", got, first)
			}
			for range 2 {
				if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR" {
					t.Error("again:", got)
				}
			}
			if got := d.there.Captured("INR"); got != fee.Minor {
				t.Errorf("captured %d", got)
			}
		})
	}
}

func TestCancelOnlyFetches(t *testing.T) {
	for _, c := range []struct {
		sentence string
		happens  func(d *desk)
		want     string
	}{
		{"on PayU's page", func(*desk) {}, "pending"},
		{"the bank is silent", func(d *desk) { d.there.LeavePending(ref) }, "pending, at the bank"},
		{"paid meanwhile", func(d *desk) { d.there.Pay(ref) }, "paid; paid of ₹1,499.00 INR"},
		{"authorised is not captured", func(d *desk) { d.there.Authorise(ref) }, "pending"},
		{"over already", func(d *desk) { d.there.Leave(ref) }, "failed"},
		{"no answer", func(d *desk) { d.there.AddFaults(simulators.ErrorBefore) }, "payment: outcome unknown"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			c.happens(d)
			if got := summary(d.Cancel(t.Context(), intent(), ref)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestTxnIDIsPaidOnce(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	d.there.Decline(ref)
	d.start(t) // after Back the browser posts it again
	d.there.Pay(ref)
	if status, page := d.arrive(t, intent()); status != http.StatusBadRequest || !strings.Contains(page, "duplicate Order ID") {
		t.Errorf("%d %s", status, page)
	}
	if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR" || d.there.Captured("INR") != fee.Minor {
		t.Errorf("%s, captured %d", got, d.there.Captured("INR"))
	}
}

func TestStartRefusesOtherCurrencies(t *testing.T) {
	in := intent()
	in.Amount.Currency = "USD"
	if session, err := newDesk(t).Start(t.Context(), in); !errors.Is(err, method.ErrCurrency) || session.Checkout != nil {
		t.Errorf("%v, %v", session, err)
	}
}

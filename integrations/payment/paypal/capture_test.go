package paypal_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paypal"
	"hiresure/simulators"
)

func TestCaptureHappensOnce(t *testing.T) {
	for _, c := range []struct {
		fault simulators.Fault
		first string
	}{
		{"", "paid; paid of $18.00 USD"},
		{simulators.HangAfter, "payment: outcome unknown"},
		{simulators.ErrorAfter, "payment: outcome unknown"},
		{simulators.Truncated, "paid; paid of $18.00 USD"}, // the order is asked for anyway
		{simulators.ErrorBefore, "payment: outcome unknown"},
		{simulators.TooMany, "payment: outcome unknown"},
		{simulators.Unauthorized, "paid; paid of $18.00 USD"}, // a new token
	} {
		t.Run("the answer to the capture: "+string(c.fault), func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			d.there.Approve(id)
			d.there.AddFaults("", c.fault) // the order, the capture
			ctx := patience(t, c.fault)
			if got := summary(d.Complete(ctx, intent(), id, method.Return{})); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			for range 2 {
				if got := summary(d.Fetch(t.Context(), intent(), id)); got != "paid; paid of $18.00 USD" {
					t.Errorf("again: %s", got)
				}
			}
			if got := d.there.Captured("USD"); got != 1800 {
				t.Errorf("captured %d", got)
			}
		})
	}
	t.Run("all roads at once", func(t *testing.T) {
		d := newDesk(t)
		id := d.start(t)
		d.there.Approve(id)
		var roads sync.WaitGroup
		for range 20 {
			roads.Go(func() {
				if got := summary(d.Fetch(t.Context(), intent(), id)); got != "paid; paid of $18.00 USD" {
					t.Error(got)
				}
			})
		}
		roads.Wait()
		if got := d.there.Captured("USD"); got != 1800 {
			t.Errorf("captured %d", got)
		}
	})
}

func TestPayerRetriesAfterDecline(t *testing.T) {
	d := newDesk(t)
	id := d.start(t)
	for _, c := range []struct {
		agrees func(string)
		want   string
	}{
		{d.there.ApproveWithout, "pending, last try failed"},
		{func(string) {}, "pending, last try failed"},
		{d.there.ApproveWithout, "pending, last try failed"},
		{d.there.Approve, "paid; paid of $18.00 USD"},
	} {
		c.agrees(id)
		if got := summary(d.Fetch(t.Context(), intent(), id)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestPendingCapture(t *testing.T) {
	for status, want := range map[string]string{"PENDING": "pending, at the bank", "COMPLETED": "paid; paid of $18.00 USD", "DECLINED": "failed", "FAILED": "failed", "NEW WORD": "pending, at the bank"} {
		t.Run(status, func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			d.there.ApproveCheque(id)
			if got := summary(d.Fetch(t.Context(), intent(), id)); got != "pending, at the bank" {
				t.Error(got)
			}
			d.there.Clear(d.there.CaptureOf(id), status)
			if got := summary(d.Fetch(t.Context(), intent(), id)); got != want {
				t.Errorf("%s, want %s", got, want)
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
		{"another amount", func(in *method.Intent) { in.Amount.Minor++ }},
		{"another currency", func(in *method.Intent) { in.Amount.Currency = "EUR" }},
		{"another attempt", func(in *method.Intent) { in.TxnID = "z" + txn[1:] }},
		{"one that is not wanted", func(in *method.Intent) { in.Wanted = false }},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			id := d.start(t)
			d.there.Approve(id)
			in := intent()
			c.change(&in)
			status, err := d.Fetch(t.Context(), in, id)
			if got := summary(status, err); got != "pending" || status.TxnID != txn || status.Ref != id || d.there.Captured("USD") != 0 {
				t.Errorf("%s of %s, %d captured", got, status.TxnID, d.there.Captured("USD"))
			}
		})
	}
	t.Run("a key that was used for an order that PayPal charged already", func(t *testing.T) {
		d := newDesk(t)
		d.there.Pay(d.start(t))
		twin := intent()
		d.Pass(6 * time.Hour) // the key is forgotten
		twin.Expires = d.Now().Add(time.Minute)
		session, err := d.Start(t.Context(), twin)
		if err != nil || d.there.Orders() != 2 {
			t.Fatal(err, d.there.Orders())
		}
		d.there.Approve(session.Ref)
		if got := summary(d.Fetch(t.Context(), twin, session.Ref)); got != "pending, last try failed" || d.there.Captured("USD") != 1800 {
			t.Errorf("%s, %d captured", got, d.there.Captured("USD"))
		}
	})
}

func TestTokenIsReusedUntilItExpires(t *testing.T) {
	d := newDesk(t)
	id := d.start(t)
	for _, c := range []struct {
		sentence string
		happens  func()
		tokens   int
		want     string
	}{
		{"the next question", func() {}, 1, "paid; paid of $18.00 USD"},
		{"two minutes before its end", func() { d.Pass(9*time.Hour - 2*time.Minute) }, 1, "paid; paid of $18.00 USD"},
		{"a minute before its end", func() { d.Pass(time.Minute) }, 2, "paid; paid of $18.00 USD"},
		{"ended before its time", d.there.EndTokens, 3, "paid; paid of $18.00 USD"},
		{"half of the answer that brings it", func() { d.there.EndTokens(); d.there.AddFaults("", simulators.Truncated) }, 5, "paid; paid of $18.00 USD"}, // asked for again
		{"no response with it", func() {
			d.there.EndTokens()
			d.there.AddFaults("", simulators.ErrorBefore, simulators.ErrorBefore)
		}, 5, "payment: outcome unknown"},
		{"and the question after it", func() {}, 6, "paid; paid of $18.00 USD"},
	} {
		if d.there.Captured("USD") == 0 {
			d.there.Pay(id)
		}
		c.happens()
		if got := summary(d.Fetch(t.Context(), intent(), id)); got != c.want || d.there.Tokens() != c.tokens {
			t.Errorf("%s: %s, %d tokens; want %s, %d", c.sentence, got, d.there.Tokens(), c.want, c.tokens)
		}
	}
	t.Run("an older secret is tried", func(t *testing.T) {
		d := newDesk(t)
		d.open(t, func(n *paypal.Config) { n.Secrets = []string{"not there yet", secret} })
		if _, err := d.Start(t.Context(), intent()); err != nil || d.there.Tokens() != 2 {
			t.Errorf("%v, %d tokens", err, d.there.Tokens())
		}
	})
	t.Run("wrong secrets", func(t *testing.T) {
		d := newDesk(t)
		d.open(t, func(n *paypal.Config) { n.Secrets = []string{"wrong"} })
		if got := summary(d.Fetch(t.Context(), intent(), "5O000000000000001")); got != "payment: provider refuses our credentials" || d.there.Tokens() != 1 {
			t.Errorf("%s, %d tokens", got, d.there.Tokens())
		}
	})
}

// meanwhile runs before the first capture arrives.
type meanwhile struct {
	once    sync.Once
	happens func()
}

func (m *meanwhile) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/capture") {
		m.once.Do(m.happens)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestConcurrentCapture(t *testing.T) {
	d := newDesk(t)
	id := d.start(t)
	d.there.ApproveCheque(id)
	faster := *d.Gateway
	d.open(t, func(n *paypal.Config) {
		n.Transport = &meanwhile{happens: func() {
			d.Pass(time.Second)
			d.there.ApproveCheque(id) // so that its key is another
			if got := summary(faster.Fetch(t.Context(), intent(), id)); got != "pending, at the bank" {
				t.Error(got)
			}
		}}
	})
	if got := summary(d.Fetch(t.Context(), intent(), id)); got != "pending, at the bank" { // it waits, and has not failed
		t.Error(got)
	}
}

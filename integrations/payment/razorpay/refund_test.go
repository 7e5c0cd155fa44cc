package razorpay_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/simulators"
)

const refundID = "refund-of-the-fee"

func toldRefund(r method.RefundStatus, err error) string {
	if err != nil {
		return summary(method.Status{}, err)
	}
	if !strings.HasPrefix(r.ProviderID, "rfnd_") {
		return "no id: " + r.ProviderID
	}
	return fmt.Sprintf("%s %s", paymenttest.RefundState(r), r.Amount)
}

func TestRefundIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		sentence string
		fault    simulators.Fault // of the refund call, after order, payments and refunds
		first    string
	}{
		{"success", "", "done ₹1,499.00"},
		{"no response", simulators.HangAfter, unknown},
		{"a 500 after the call succeeded", simulators.ErrorAfter, unknown},
		{"a truncated response", simulators.Truncated, unknown},
		{"a 500 before the call ran", simulators.ErrorBefore, unknown},
		{"too many calls", simulators.TooMany, unknown},
		{"our keys are rejected", simulators.Unauthorized, strange},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := started(t)
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			d.there.AddFaults("", "", "", c.fault)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if got := toldRefund(d.Refund(ctx, intent(), charge, refundID, fee)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			for range 2 {
				if got := toldRefund(d.Refund(t.Context(), intent(), charge, refundID, fee)); got != "done ₹1,499.00" {
					t.Errorf("again: %s", got)
				}
			}
			if got := d.there.Refunded("INR"); got != fee.Minor {
				t.Errorf("%d went back, want %d", got, fee.Minor)
			}
			if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00" {
				t.Error(got)
			}
		})
	}
}

// blind hides existing refunds, like a process that searched before another one posted; it records posts.
type blind struct {
	posted []string
	keys   []string
}

func (b *blind) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		b.posted, b.keys = append(b.posted, string(body)), append(b.keys, r.Header.Get("X-Refund-Idempotency"))
		r.Body = io.NopCloser(strings.NewReader(string(body)))
	}
	return rewriting{"/refunds", `"receipt":"` + refundID, `"receipt":"hidden`}.RoundTrip(r)
}

func TestConcurrentRefundsSendOne(t *testing.T) {
	d := started(t)
	charge := method.Charge{PaymentID: d.there.Pay(txn)}
	half := admission.INR(50000)
	road := &blind{}
	for range 2 {
		if got := toldRefund(d.through(t, road).Refund(t.Context(), intent(), charge, refundID, half)); got != "done ₹500.00" {
			t.Error(got)
		}
	}
	if got := d.there.Refunded("INR"); got != half.Minor {
		t.Errorf("%d went back, want %d", got, half.Minor)
	}
	if len(road.posted) != 2 || road.posted[0] != road.posted[1] || !slices.Equal(road.keys, []string{refundID, refundID}) {
		t.Errorf("posted %q with %q", road.posted, road.keys)
	}
}

func TestRefundIsLimitedToHeldAmount(t *testing.T) {
	d, posts := started(t), &paymenttest.Posts{Key: "X-Refund-Idempotency"}
	d.Gateway = d.through(t, posts)
	first := d.there.Pay(txn)
	for _, c := range []struct {
		id      string
		payment string
		amount  admission.Money
		want    string
	}{
		{"refund-number-1", first, admission.INR(50000), "done ₹500.00"},
		{"refund-number-2", first, admission.INR(99901), declined},
		{"refund-number-3", first, admission.Money{Minor: 100, Currency: "USD"}, declined},
		{"refund-number-4", first, admission.INR(0), declined},
		{"refund-number-5", "pay_another", admission.INR(100), declined},
		{"refund-number-6", d.there.PayElsewhere("another"), admission.INR(100), declined},
		{"refund-number-7", d.there.Decline(txn), admission.INR(100), declined},
		{"refund-number-8", first, admission.INR(99), declined}, // the minimum is a rupee
		{"refund-number-9", first, admission.INR(99900), "done ₹999.00"},
		{"refund-number-10", first, admission.INR(100), declined},
	} {
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: c.payment}, c.id, c.amount)); got != c.want {
			t.Errorf("%s: %s, want %s", c.id, got, c.want)
		}
	}
	if got := d.there.Refunded("INR"); got != fee.Minor {
		t.Errorf("%d went back, want %d", got, fee.Minor)
	}
	if got := posts.To("/refund"); got != "refund-number-1 refund-number-8 refund-number-9" { // others are not even posted
		t.Errorf("posted %s", got)
	}
	t.Run("an order paid twice, the named charge is refunded", func(t *testing.T) {
		d := started(t)
		d.there.Pay(txn)
		d.Pass(time.Minute)
		second := method.Charge{PaymentID: d.there.Pay(txn)}
		if got := toldRefund(d.Refund(t.Context(), intent(), second, refundID, fee)); got != "done ₹1,499.00" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != paid+"; refunded of ₹1,499.00 INR, back ₹1,499.00" {
			t.Error(got)
		}
	})
	t.Run("an unknown order is not refunded", func(t *testing.T) {
		d := newDesk(t)
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: "pay_1"}, refundID, fee)); got != noCharge {
			t.Error(got)
		}
	})
	t.Run("staff were faster in Razorpay's dashboard", func(t *testing.T) {
		d := started(t)
		id := d.there.Pay(txn)
		d.there.RefundThere(id, fee.Minor)
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: id}, refundID, fee)); got != declined || d.there.Refunded("INR") != fee.Minor {
			t.Errorf("%s, %d went back", got, d.there.Refunded("INR"))
		}
	})
}

func TestRefundStates(t *testing.T) {
	for status, want := range map[string]string{"pending": "accepted", "processed": "done", "failed": "failed (status failed)"} {
		t.Run(status, func(t *testing.T) {
			d := started(t)
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			for _, providerID := range []string{"", "rfnd_unknown"} {
				if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, providerID)); got != noCharge {
					t.Error(got)
				}
			}
			d.there.SlowRefunds()
			made, err := d.Refund(t.Context(), intent(), charge, refundID, fee)
			if got := toldRefund(made, err); got != "accepted ₹1,499.00" {
				t.Error(got)
			}
			if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != paid {
				t.Errorf("under way: %s", got)
			}
			d.there.FinishRefund(refundID, status)
			for _, providerID := range []string{"", made.ProviderID} {
				if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, providerID)); got != want+" ₹1,499.00" {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
	t.Run("a finished refund can fail", func(t *testing.T) {
		d := started(t)
		made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(txn)}, refundID, fee)
		if err != nil {
			t.Fatal(err)
		}
		d.there.FinishRefund(refundID, "failed")
		if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, made.ProviderID)); got != "failed (status failed) ₹1,499.00" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != paid {
			t.Error(got)
		}
	})
}

package stripe_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/simulators"
)

func toldRefund(r method.RefundStatus, err error) string {
	if err != nil {
		return paymenttest.Error(err)
	}
	return fmt.Sprintf("%t %s %s", strings.HasPrefix(r.ProviderID, "re_"), paymenttest.RefundState(r), r.Amount)
}

const wholeRefund = "true done ₹1,499.00"

func TestRefundIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		sentence string
		fault    simulators.Fault // of the refund, after the questions for refunds and charge
		first    string
	}{
		{"success", "", wholeRefund},
		{"no response", simulators.HangAfter, "payment: outcome unknown"},
		{"the answer is a 500, now and ever after", simulators.ErrorAfter, "payment: outcome unknown"},
		{"a truncated response", simulators.Truncated, "payment: outcome unknown"},
		{"a 500 before the call ran", simulators.ErrorBefore, "payment: outcome unknown"},
		{"too many calls", simulators.TooMany, "payment: outcome unknown"},
		{"our keys are rejected", simulators.Unauthorized, "payment: provider refuses our credentials"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			d.there.AddFaults("", "", c.fault)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if got := toldRefund(d.Refund(ctx, intent(), charge, "refund1", fee)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			for range 2 {
				if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != wholeRefund {
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

func TestRefundIsLimitedToHeldAmount(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	charge := method.Charge{PaymentID: d.there.Pay(txn)}
	for _, c := range []struct {
		id     string
		of     method.Charge
		amount admission.Money
		want   string
	}{
		{"refund1", charge, admission.INR(50000), "true done ₹500.00"},
		{"refund2", charge, admission.INR(99901), "payment: declined"},
		{"refund3", charge, admission.Money{Minor: 100, Currency: "USD"}, "payment: declined"},
		{"refund4", charge, admission.INR(0), "payment: declined"},
		{"refund5", method.Charge{PaymentID: "ch_unknown"}, admission.INR(100), "payment: declined"},
		{"refund6", method.Charge{PaymentID: d.there.Foreign()}, admission.INR(100), "payment: outcome unknown"},
		{"refund7", charge, admission.INR(99900), "true done ₹999.00"},
		{"refund8", charge, admission.INR(1), "payment: declined"},
	} {
		if got := toldRefund(d.Refund(t.Context(), intent(), c.of, c.id, c.amount)); got != c.want {
			t.Errorf("%s: %s, want %s", c.id, got, c.want)
		}
	}
	if got := d.there.Refunded("INR"); got != fee.Minor {
		t.Errorf("%d went back, want %d", got, fee.Minor)
	}
	t.Run("a disputed charge", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		charge := method.Charge{PaymentID: d.there.Pay(txn)}
		d.there.Dispute(charge.PaymentID, "needs_response")
		if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "payment: declined" || d.there.Refunded("INR") != 0 {
			t.Errorf("%s, %d went back", got, d.there.Refunded("INR"))
		}
	})
	t.Run("two paid attempts, the right one is refunded", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		first := d.ref
		d.there.Pay(txn)
		second := intent()
		second.TxnID = "1" + txn[1:]
		if _, err := d.Start(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		charge := method.Charge{PaymentID: d.there.Pay(second.TxnID)}
		if got := toldRefund(d.Refund(t.Context(), second, charge, "refund1", fee)); got != wholeRefund {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), first)); got != "paid; paid of ₹1,499.00 INR" || d.there.Refunded("INR") != fee.Minor {
			t.Errorf("the first: %s, %d went back", got, d.there.Refunded("INR"))
		}
	})
}

func TestRefundStates(t *testing.T) {
	for status, want := range map[string]string{
		"pending": "accepted", "requires_action": "accepted", "succeeded": "done", "failed": "failed (status failed, expired_or_canceled_card)", "canceled": "failed (status canceled)", "some word to come": "accepted",
	} {
		t.Run(status, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", "")); got != "payment: provider has no such transaction" {
				t.Errorf("unpaid: %s", got)
			}
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			for _, id := range []string{"", "re_unknown"} {
				if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", id)); got != "payment: provider has no such transaction" {
					t.Error(got)
				}
			}
			d.there.SlowRefunds()
			made, err := d.Refund(t.Context(), intent(), charge, "refund1", fee)
			if got := toldRefund(made, err); got != "true accepted ₹1,499.00" {
				t.Error(got)
			}
			d.there.FinishRefund("refund1", status)
			for _, providerID := range []string{"", made.ProviderID} {
				if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", providerID)); got != "true "+want+" ₹1,499.00" {
					t.Errorf("%s, want %s", got, want)
				}
			}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund2", made.ProviderID)); got != "payment: outcome unknown" {
				t.Errorf("asked about as another: %s", got)
			}
		})
	}
	t.Run("one that was done comes back", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(txn)}, "refund1", fee)
		if got := toldRefund(made, err); got != wholeRefund {
			t.Error(got)
		}
		d.there.FinishRefund("refund1", "failed")
		if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", made.ProviderID)); got != "true failed (status failed, expired_or_canceled_card) ₹1,499.00" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), d.ref)); got != "paid; paid of ₹1,499.00 INR" || d.there.Refunded("INR") != 0 {
			t.Errorf("%s, %d went back", got, d.there.Refunded("INR"))
		}
	})
}

package payu_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/simulators"
)

const (
	refundID = "r123456789abcdefghjkmnpqrs" // 26 characters, like all our ids
	token    = "r123456789abcdefghjkmnp"    // as sent to PayU
)

// toldRefund formats a refund without PayU's id, a number.
func toldRefund(r method.RefundStatus, err error) string {
	if err != nil {
		return summary(method.Status{}, err)
	}
	line := fmt.Sprintf("%s %s", paymenttest.RefundState(r), r.Amount)
	if r.ProviderID == "" {
		line += " without an id"
	}
	return line
}

func TestRefundIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		sentence string
		fault    simulators.Fault // of the refund call, after the queries for refund, transaction and other refunds
		first    string
	}{
		{"success", "", "accepted ₹1,499.00"},
		{"no response", simulators.HangAfter, "payment: outcome unknown"},
		{"a 500 after the call succeeded", simulators.ErrorAfter, "payment: outcome unknown"},
		{"a truncated response", simulators.Truncated, "payment: outcome unknown"},
		{"a 500 before the call ran", simulators.ErrorBefore, "payment: outcome unknown"},
		{"too many calls", simulators.TooMany, "payment: outcome unknown"},
		{"our salt is refused", simulators.Unauthorized, "payment: provider refuses our credentials"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			charge := method.Charge{PaymentID: d.there.Pay(ref)}
			if c.fault != "" {
				d.there.AddFaults("", "", "", c.fault)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if got := toldRefund(d.Refund(ctx, intent(), charge, refundID, fee)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			want := []string{"done ₹1,499.00"}
			if sent := d.there.Refunded("INR"); sent == 0 { // not refunded
				want = []string{"accepted ₹1,499.00"}
			}
			for _, want := range append(want, "done ₹1,499.00") {
				if got := toldRefund(d.Refund(t.Context(), intent(), charge, refundID, fee)); got != want {
					t.Errorf("again: %s, want %s", got, want)
				}
			}
			if got := d.there.Refunded("INR"); got != fee.Minor {
				t.Errorf("%d went back, want %d", got, fee.Minor)
			}
			if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00" {
				t.Error(got)
			}
		})
	}
}

func TestRefundIsLimitedToHeldAmount(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	id := d.there.Pay(ref)
	charge := method.Charge{PaymentID: id}
	d.there.SlowRefunds()
	for _, c := range []struct {
		id     string
		of     method.Charge
		amount admission.Money
		want   string
	}{
		{"a", charge, admission.INR(50000), "accepted ₹500.00"},
		{"b", charge, admission.INR(99901), "payment: declined"}, // with the pending refund, more than was paid
		{"c", charge, admission.Money{Minor: 100, Currency: "USD"}, "payment: declined"},
		{"d", charge, admission.INR(0), "payment: declined"},
		{"e", charge, admission.INR(-1), "payment: declined"},
		{"f", method.Charge{PaymentID: id + "0"}, admission.INR(100), "payment: declined"},
		{"g", charge, admission.INR(99900), "accepted ₹999.00"},
		{"h", charge, admission.INR(1), "payment: declined"},
	} {
		if got := toldRefund(d.Refund(t.Context(), intent(), c.of, c.id, c.amount)); got != c.want {
			t.Errorf("%s: %s, want %s", c.id, got, c.want)
		}
	}
	if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR" {
		t.Errorf("on its way: %s", got)
	}
	d.there.FinishRefund("a", "success")
	if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR, back ₹500.00" {
		t.Errorf("in part: %s", got)
	}
	d.there.FinishRefund("g", "success")
	if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00" {
		t.Errorf("in full: %s", got)
	}
	if got := d.there.Refunded("INR"); got != fee.Minor {
		t.Errorf("%d went back, want %d", got, fee.Minor)
	}
	t.Run("what is only authorised is not refunded, which would cancel it", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		id := d.there.Authorise(ref)
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: id}, refundID, fee)); got != "payment: declined" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR" { // not cancelled
			t.Error(got)
		}
	})
	t.Run("PayU names the reason by its code", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		other := intent()
		other.TxnID, other.MerchantRef = "z"+txn[1:], "z"+ref[1:]
		d.arrive(t, other)
		if _, err := d.Refund(t.Context(), other, method.Charge{PaymentID: d.there.Pay(other.MerchantRef)}, refundID, fee); err != nil {
			t.Fatal(err)
		}
		_, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(ref)}, refundID, fee) // the same token again
		if !errors.Is(err, method.ErrDeclined) || method.DeclineReason(err) != "error_code 106" {
			t.Error(err)
		}
	})
	t.Run("an offer's part was never paid", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		charge := method.Charge{PaymentID: d.there.PayLess(ref, 10000)}
		for sum, want := range map[int64]string{149900: "payment: declined", 139900: "accepted ₹1,399.00"} {
			if got := toldRefund(d.Refund(t.Context(), intent(), charge, refundID, admission.INR(sum))); got != want && got != "done ₹1,399.00" {
				t.Errorf("%d: %s, want %s", sum, got, want)
			}
		}
		if got := d.there.Refunded("INR"); got != 139900 {
			t.Errorf("%d went back", got)
		}
	})
	t.Run("PayU refuses it", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		id := d.there.Pay(ref)
		d.there.RefundThere(id, 149900)
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: id}, refundID, fee)); got != "payment: declined" || d.there.Refunded("INR") != fee.Minor {
			t.Errorf("%s, %d went back", got, d.there.Refunded("INR"))
		}
	})
}

func TestRefundStates(t *testing.T) {
	for status, want := range map[string]string{
		"queued": "accepted", "requested": "accepted", "in progress": "accepted", "pending": "accepted", "od_hit": "accepted", "success": "done", "SUCCESS": "done", "failure": "failed (status failure)", "FAILURE": "failed (status failure)",
	} {
		t.Run(status, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			charge := method.Charge{PaymentID: d.there.Pay(ref)}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, "")); got != "payment: provider has no such transaction" {
				t.Error(got)
			}
			d.there.SlowRefunds()
			made, err := d.Refund(t.Context(), intent(), charge, refundID, fee)
			if got := toldRefund(made, err); got != "accepted ₹1,499.00" {
				t.Fatal(got)
			}
			d.there.FinishRefund(token, status)
			for _, providerID := range []string{"", made.ProviderID} {
				found, err := d.FetchRefund(t.Context(), intent(), refundID, providerID)
				if got := toldRefund(found, err); got != want+" ₹1,499.00" || found.ProviderID != made.ProviderID {
					t.Errorf("%s with the id %s, want %s with %s", got, found.ProviderID, want, made.ProviderID)
				}
			}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, "1")); got != "payment: provider has no such transaction" {
				t.Errorf("an id that PayU does not know: %s", got)
			}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "another", made.ProviderID)); got != "payment: outcome unknown" {
				t.Errorf("PayU's id of another refund: %s", got)
			}
		})
	}
	t.Run("and may bounce", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(ref)}, refundID, fee)
		if err != nil {
			t.Fatal(err)
		}
		d.there.FinishRefund(token, "failure")
		if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, made.ProviderID)); got != "failed (status failure) ₹1,499.00" {
			t.Error(got)
		}
		if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR" {
			t.Error(got)
		}
	})
}

func TestListYieldsTransactionsOfADay(t *testing.T) {
	d := newDesk(t)
	begin := func(name string) string {
		in := intent()
		in.TxnID, in.MerchantRef = name+txn[len(name):], name+ref[len(name):]
		if status, page := d.arrive(t, in); status != 200 {
			t.Fatal(page)
		}
		return in.MerchantRef
	}
	midnight := time.Date(2026, 1, 2, 0, 0, 0, 0, admission.IST)
	at := func(when time.Time) { d.Pass(when.Sub(d.Now())) }
	first := d.there.Pay(begin("a"))
	d.there.Decline(begin("b"))
	d.there.LeavePending(begin("c"))
	d.there.Authorise(begin("d"))
	at(midnight.Add(-time.Second))
	d.there.Pay(begin("e"))
	at(midnight)
	d.there.Pay(begin("f"))
	at(midnight.Add(24*time.Hour - time.Second))
	d.there.Pay(begin("g"))
	at(midnight.Add(72 * time.Hour))
	d.there.RefundThere(first, 50000)
	foreign := intent()
	foreign.TxnID, foreign.MerchantRef = "order 17 of the bookshop", "B17"
	if status, page := d.arrive(t, foreign); status != 200 {
		t.Fatal(page)
	}
	d.there.Pay(foreign.MerchantRef)
	for _, c := range []struct {
		day  time.Time
		want string
	}{
		{midnight.Add(-24 * time.Hour), "a paid ₹1,499.00 ₹500.00, e paid ₹1,499.00 ₹0.00"},
		{midnight, "f paid ₹1,499.00 ₹0.00, g paid ₹1,499.00 ₹0.00"},
		{midnight.UTC(), "f paid ₹1,499.00 ₹0.00, g paid ₹1,499.00 ₹0.00"},
		{midnight.Add(24 * time.Hour), ""},
		{midnight.Add(72 * time.Hour), ""},
	} {
		var lines []string
		for m, err := range d.List(t.Context(), c.day) {
			if err != nil || m.Ref[1:] != ref[1:] || m.TxnID[1:] != txn[1:] {
				t.Fatal(m, err)
			}
			lines = append(lines, fmt.Sprintf("%s %s %s %s", m.TxnID[:1], m.Charge.State, m.Charge.Amount, m.Charge.Refunded))
		}
		if line := strings.Join(lines, ", "); line != c.want {
			t.Errorf("%s: %q, want %q", c.day, line, c.want)
		}
	}
	for fault, want := range map[simulators.Fault]string{simulators.Unauthorized: "payment: provider refuses our credentials", simulators.TooMany: "payment: outcome unknown", simulators.Truncated: "payment: outcome unknown"} {
		d.there.AddFaults(fault)
		times := 0
		for _, err := range d.List(t.Context(), midnight) {
			if times++; summary(method.Status{}, err) != want {
				t.Errorf("%s: %v, want %s", fault, err, want)
			}
		}
		if times != 1 {
			t.Errorf("%s: told %d times", fault, times)
		}
	}
}

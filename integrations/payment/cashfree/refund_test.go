package cashfree_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/simulators"
)

func toldRefund(r method.RefundStatus, err error) string {
	if err != nil {
		return summary(method.Status{}, err)
	}
	return fmt.Sprintf("%s %s %s", r.ProviderID, paymenttest.RefundState(r), r.Amount)
}

func TestRefundIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		sentence    string
		faultsAfter int // calls before the fault: refund query, payments, refunds, disputes, refund
		fault       simulators.Fault
		first       string
	}{
		{"success", 0, "", "refund1 done ₹1,499.00"},
		{"no response", 4, simulators.HangAfter, "payment: outcome unknown"},
		{"a 500 after the call succeeded", 4, simulators.ErrorAfter, "payment: outcome unknown"},
		{"a truncated response", 4, simulators.Truncated, "payment: outcome unknown"},
		{"a 500 before the call ran", 4, simulators.ErrorBefore, "payment: outcome unknown"},
		{"too many calls", 4, simulators.TooMany, "payment: outcome unknown"},
		{"our keys are rejected", 4, simulators.Unauthorized, "payment: provider refuses our credentials"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			if c.fault != "" {
				d.there.AddFaults(append(make([]simulators.Fault, c.faultsAfter), c.fault)...)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if got := toldRefund(d.Refund(ctx, intent(), charge, "refund1", fee)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			for range 2 {
				if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "refund1 done ₹1,499.00" {
					t.Errorf("again: %s", got)
				}
			}
			if got := d.there.Refunded("INR"); got != fee.Minor {
				t.Errorf("%d went back, want %d", got, fee.Minor)
			}
			if got := summary(d.Fetch(t.Context(), intent(), txn)); got != "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00" {
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
		amount admission.Money
		want   string
	}{
		{"refund1", admission.INR(50000), "refund1 done ₹500.00"},
		{"refund2", admission.INR(99901), "payment: declined"},
		{"refund3", admission.Money{Minor: 100, Currency: "USD"}, "payment: declined"},
		{"refund4", admission.INR(0), "payment: declined"},
		{"refund5", admission.INR(99900), "refund5 done ₹999.00"},
		{"refund6", admission.INR(1), "payment: declined"},
	} {
		if got := toldRefund(d.Refund(t.Context(), intent(), charge, c.id, c.amount)); got != c.want {
			t.Errorf("%s: %s, want %s", c.id, got, c.want)
		}
	}
	if got := d.there.Refunded("INR"); got != fee.Minor {
		t.Errorf("%d went back, want %d", got, fee.Minor)
	}
	t.Run("of an order that was paid twice a person decides", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Pay(txn)
		second := method.Charge{PaymentID: d.there.Pay(txn)}
		const want = "the order was paid twice, and Cashfree would choose which payment goes back: refund it in Cashfree's dashboard"
		_, err := d.Refund(t.Context(), intent(), second, "refund1", fee)
		if !errors.Is(err, method.ErrDeclined) || method.DeclineReason(err) != want || d.there.Refunded("INR") != 0 {
			t.Errorf("%v, %d went back", err, d.there.Refunded("INR"))
		}
	})
	t.Run("a refunded payment does not use up another one", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		first := method.Charge{PaymentID: d.there.Pay(txn)}
		d.there.RefundThere(first.PaymentID, fee.Minor)
		d.there.Pay(txn)
		if got := toldRefund(d.Refund(t.Context(), intent(), first, "refund1", fee)); got != "payment: declined" || d.there.Refunded("INR") != fee.Minor {
			t.Errorf("%s, %d went back", got, d.there.Refunded("INR"))
		}
	})
}

func TestRefundStates(t *testing.T) {
	for status, want := range map[string]string{"PENDING": "accepted", "ONHOLD": "accepted", "SUCCESS": "done", "CANCELLED": "failed (status CANCELLED)"} {
		t.Run(status, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			charge := method.Charge{PaymentID: d.there.Pay(txn)}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", "")); got != "payment: provider has no such transaction" {
				t.Error(got)
			}
			d.there.SlowRefunds()
			if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "refund1 accepted ₹1,499.00" {
				t.Error(got)
			}
			d.there.FinishRefund("refund1", status)
			for _, providerID := range []string{"", "refund1"} {
				if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", providerID)); got != "refund1 "+want+" ₹1,499.00" {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
}

func TestListYieldsMovementsOfADay(t *testing.T) {
	d := newDesk(t)
	ids := []string{txn, "1" + txn[1:], "2" + txn[1:], "3" + txn[1:]}
	for _, id := range ids {
		in := intent()
		in.TxnID = id
		if _, err := d.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	first := d.there.Pay(ids[0])
	d.there.Pay(ids[1])
	d.there.Decline(ids[2])
	d.there.Pay(ids[3])
	d.Pass(48 * time.Hour)
	d.there.Dispute(first, "CHARGEBACK_CREATED")
	for _, c := range []struct {
		day  time.Time
		want string
	}{
		{noon, ids[0] + " ₹1,499.00 true " + ids[1] + " ₹1,499.00 false " + ids[3] + " ₹1,499.00 false "},
		{noon.Add(24 * time.Hour), ""},
		{noon.Add(48 * time.Hour), ids[0] + " ₹1,499.00 true "},
	} {
		line := ""
		for m, err := range d.List(t.Context(), c.day) {
			if err != nil || m.Ref != m.TxnID {
				t.Fatal(m, err)
			}
			line += fmt.Sprintf("%s %s %t ", m.TxnID, m.Charge.Amount, m.Charge.Disputed)
		}
		if line != c.want {
			t.Errorf("%s: %q, want %q", c.day, line, c.want)
		}
	}
	d.there.AddFaults(simulators.Unauthorized)
	for _, err := range d.List(t.Context(), noon) {
		if got := summary(method.Status{}, err); got != "payment: provider refuses our credentials" {
			t.Error(got)
		}
	}
}

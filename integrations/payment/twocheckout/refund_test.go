package twocheckout_test

import (
	"context"
	"fmt"
	"net/http"
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
	return fmt.Sprintf("%s %s", paymenttest.RefundState(r), r.Amount)
}

// counting counts posts.
type counting struct{ posted int }

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		c.posted++
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestRefundIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		sentence string
		calls    int // calls before the fault: query, refund, query
		fault    simulators.Fault
		first    string
	}{
		{"success", 0, "", "done ₹1,499.00"},
		{"no response", 1, simulators.HangAfter, unknown},
		{"a 500 after the call succeeded", 1, simulators.ErrorAfter, unknown},
		{"a truncated response", 1, simulators.Truncated, unknown},
		{"a 500 before the call ran", 1, simulators.ErrorBefore, unknown},
		{"too many calls", 1, simulators.TooMany, unknown},
		{"our keys are rejected", 1, simulators.Unauthorized, strange},
		{"the question after it is refused", 2, simulators.Unauthorized, "accepted ₹1,499.00"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d, ref := charged(t, simulators.CardPaid)
			charge := method.Charge{PaymentID: ref}
			if c.fault != "" {
				d.there.AddFaults(append(make([]simulators.Fault, c.calls), c.fault)...)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if got := toldRefund(d.Refund(ctx, intent(), charge, refundID, fee)); got != c.first {
				t.Errorf("the first time: %s, want %s", got, c.first)
			}
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, "")); got != noCharge {
				t.Error(got)
			}
			for range 2 {
				if got := toldRefund(d.Refund(t.Context(), intent(), charge, refundID, fee)); got != "done ₹1,499.00" {
					t.Errorf("again: %s", got)
				}
			}
			road := &counting{}
			if got := toldRefund(d.through(t, road).Refund(t.Context(), intent(), charge, refundID, fee)); got != "done ₹1,499.00" || road.posted != 0 {
				t.Errorf("what has gone back is posted again: %s, %d times", got, road.posted)
			}
			if got := d.there.Refunded("INR"); got != fee.Minor {
				t.Errorf("%d went back, want %d", got, fee.Minor)
			}
			if got := summary(d.Fetch(t.Context(), intent(), ref)); got != back {
				t.Error(got)
			}
		})
	}
}

func TestOnlyWholeOrderIsRefunded(t *testing.T) {
	for _, c := range []struct {
		sentence string
		card     string
		change   func(d *desk, in *method.Intent, charge *method.Charge)
		sum      admission.Money
		want     string
	}{
		{"a part", simulators.CardPaid, nil, admission.INR(50000), declined},
		{"more than all", simulators.CardPaid, nil, admission.INR(149901), declined},
		{"nothing", simulators.CardPaid, nil, admission.INR(0), declined},
		{"another currency", simulators.CardPaid, nil, admission.Money{Minor: 149900, Currency: "USD"}, declined},
		{"not collected", simulators.CardReceived, nil, fee, declined},
		{"older than three months", simulators.CardPaid, func(d *desk, _ *method.Intent, _ *method.Charge) { d.Pass(100 * 24 * time.Hour) }, fee, declined},
		{"another attempt's order", simulators.CardPaid, func(_ *desk, in *method.Intent, _ *method.Charge) { in.TxnID = other().TxnID }, fee, unknown},
		{"no order", simulators.CardPaid, func(_ *desk, _ *method.Intent, charge *method.Charge) { charge.PaymentID = "1" }, fee, noCharge},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d, ref := charged(t, c.card)
			in, charge := intent(), method.Charge{PaymentID: ref}
			if c.change != nil {
				c.change(d, &in, &charge)
			}
			if got := toldRefund(d.Refund(t.Context(), in, charge, refundID, c.sum)); got != c.want || d.there.Refunded("INR") != 0 {
				t.Errorf("%s, %d went back; want %s", got, d.there.Refunded("INR"), c.want)
			}
		})
	}
	t.Run("of an order that was paid twice the second alone", func(t *testing.T) {
		d, ref := charged(t, simulators.CardPaid)
		second := d.there.Duplicate(ref)
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: second}, refundID, fee)); got != "done ₹1,499.00" || d.there.Refunded("INR") != fee.Minor {
			t.Errorf("%s, %d went back", got, d.there.Refunded("INR"))
		}
		if got := summary(d.Fetch(t.Context(), intent(), ref)); got != paid+"; refunded of ₹1,499.00 INR, back ₹1,499.00" {
			t.Error(got)
		}
	})
}

func TestRefundStates(t *testing.T) {
	for bounced, want := range map[bool]string{false: "done ₹1,499.00", true: "accepted ₹1,499.00"} {
		d, ref := charged(t, simulators.CardPaid)
		d.there.SlowRefunds()
		r, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: ref}, refundID, fee)
		if err != nil || r.ProviderID != ref || r.State != method.RefundAccepted {
			t.Fatalf("%+v, %v", r, err)
		}
		if got := summary(d.Fetch(t.Context(), intent(), ref)); got != paid {
			t.Errorf("under way: %s", got)
		}
		if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: ref}, "another", fee)); got != declined {
			t.Errorf("a second one meanwhile: %s", got)
		}
		d.there.FinishRefund(ref, bounced)
		if got := toldRefund(d.FetchRefund(t.Context(), intent(), refundID, r.ProviderID)); got != want {
			t.Errorf("bounced %t: %s, want %s", bounced, got, want)
		}
		if got := toldRefund(d.FetchRefund(t.Context(), other(), refundID, r.ProviderID)); got != unknown {
			t.Errorf("of another attempt: %s", got)
		}
	}
}

func TestListYieldsOrdersOfADay(t *testing.T) {
	d := newDesk(t)
	place := func(n int, card string) string {
		in := intent()
		in.TxnID = fmt.Sprint(n%10) + txn[1:]
		if n >= 10 {
			in.TxnID = in.TxnID[:1] + fmt.Sprintf("%03d", n) + in.TxnID[4:]
		}
		if _, err := d.Complete(t.Context(), in, "", d.pay(card)); err != nil {
			t.Fatal(err)
		}
		return in.TxnID
	}
	list := func(day time.Time) (line string) {
		for m, err := range d.List(t.Context(), day) {
			if err != nil || m.Ref != m.Charge.PaymentID {
				t.Fatal(m, err)
			}
			line += fmt.Sprintf("%s %s %s ", m.TxnID, m.Charge.State, m.Charge.Amount)
		}
		return line
	}
	first := place(1, simulators.CardPaid)
	place(2, simulators.CardDeclined)
	place(3, simulators.CardReceived)
	second := place(4, simulators.CardPaid)
	d.there.Become(d.there.Ref(3), "REFUND")
	midnight := time.Date(2026, 1, 2, 0, 0, 0, 0, admission.IST)
	d.Pass(midnight.Add(-time.Second).Sub(noon))
	third := place(5, simulators.CardPaid)
	d.Pass(time.Second)
	fourth := place(6, simulators.CardPaid)
	for _, c := range []struct {
		day  time.Time
		want string
	}{
		{midnight.AddDate(0, 0, -2), ""},
		{midnight.AddDate(0, 0, -1), first + " paid ₹1,499.00 " + second + " refunded ₹1,499.00 " + third + " paid ₹1,499.00 "},
		{midnight, fourth + " paid ₹1,499.00 "},
		{midnight.AddDate(0, 0, 1), ""},
	} {
		if got := list(c.day); got != c.want {
			t.Errorf("%s: %q, want %q", c.day, got, c.want)
		}
	}
	t.Run("over several pages", func(t *testing.T) {
		for n := 10; n < 115; n++ {
			place(n, simulators.CardPaid)
		}
		count := 0
		for _, err := range d.List(t.Context(), midnight) {
			if count++; err != nil {
				t.Fatal(err)
			}
		}
		if count != 106 {
			t.Errorf("%d orders", count)
		}
	})
	d.there.AddFaults(simulators.Unauthorized)
	for _, err := range d.List(t.Context(), noon) {
		if got := summary(method.Status{}, err); got != strange {
			t.Error(got)
		}
	}
}

package paypal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/paypal"
	"hiresure/simulators"
)

// toldRefund returns a refund as text, with whether it has an id in place of the id, which is a counter.
func toldRefund(r method.RefundStatus, err error) string {
	if err != nil {
		return summary(method.Status{}, err)
	}
	return fmt.Sprintf("%t %s %s", strings.HasPrefix(r.ProviderID, "1J"), paymenttest.RefundState(r), r.Amount)
}

func dollars(minor int64) admission.Money { return admission.Money{Minor: minor, Currency: "USD"} }

// paid pays an attempt's order.
func (d *desk) paid(t *testing.T) method.Charge {
	t.Helper()
	return method.Charge{PaymentID: d.there.Pay(d.start(t))}
}

func TestRefundIsSentOnce(t *testing.T) {
	const done = "true done $18.00"
	for _, c := range []struct {
		sentence string
		fault    simulators.Fault
		first    string
	}{
		{"success", "", done},
		{"no response", simulators.HangAfter, "payment: outcome unknown"},
		{"a 500 after the call succeeded", simulators.ErrorAfter, "payment: outcome unknown"},
		{"a truncated response", simulators.Truncated, "payment: outcome unknown"},
		{"a 500 before the call ran", simulators.ErrorBefore, "payment: outcome unknown"},
		{"too many calls", simulators.TooMany, "payment: outcome unknown"},
		{"our token is refused", simulators.Unauthorized, done},
	} {
		for name, later := range map[string]time.Duration{"at once": 0, "after its key is forgotten": 46 * 24 * time.Hour} {
			t.Run(c.sentence+", and again "+name, func(t *testing.T) {
				d := newDesk(t)
				charge := d.paid(t)
				d.there.AddFaults("", "", c.fault) // the capture, its order, the refund
				ctx := patience(t, c.fault)
				if got := toldRefund(d.Refund(ctx, intent(), charge, "refund1", fee)); got != c.first {
					t.Errorf("the first time: %s, want %s", got, c.first)
				}
				d.Pass(later)
				for range 2 {
					if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != done {
						t.Errorf("again: %s", got)
					}
				}
				if got := d.there.Refunded("USD"); got != fee.Minor {
					t.Errorf("%d went back, want %d", got, fee.Minor)
				}
			})
		}
	}
}

func TestRefundIsLimitedToHeldAmount(t *testing.T) {
	d, posts := newDesk(t), &paymenttest.Posts{Key: "Paypal-Request-Id"}
	d.open(t, func(n *paypal.Config) { n.Transport = posts })
	charge := d.paid(t)
	for _, c := range []struct {
		id     string
		amount admission.Money
		want   string
	}{
		{"refund1", dollars(500), "true done $5.00"},
		{"refund1", dollars(400), "payment: outcome unknown"}, // the same id for another sum
		{"refund2", dollars(1301), "payment: declined"},
		{"refund3", admission.Money{Minor: 100, Currency: "EUR"}, "payment: declined"},
		{"refund4", dollars(0), "payment: declined"},
		{"refund5", dollars(-1), "payment: declined"},
		{"refund6", dollars(1300), "true done $13.00"},
		{"refund7", dollars(1), "payment: declined"},
	} {
		if got := toldRefund(d.Refund(t.Context(), intent(), charge, c.id, c.amount)); got != c.want {
			t.Errorf("%s: %s, want %s", c.id, got, c.want)
		}
	}
	if got := d.there.Refunded("USD"); got != fee.Minor {
		t.Errorf("%d went back, want %d", got, fee.Minor)
	}
	if got := posts.To("/refund"); got != "refund1 refund6" { // a refund above the charge is not posted
		t.Errorf("posted %s", got)
	}
	for _, c := range []struct {
		sentence string
		refund   func(t *testing.T, d *desk) (method.RefundStatus, error)
		want     string
		back     int64
		posted   string
	}{
		{"the second of two charges alone", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			id := d.start(t)
			d.there.Pay(id)
			return d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(id)}, "refund1", fee)
		}, "true done $18.00", 1800, "refund1"},
		{"another attempt's charge", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			charge := d.paid(t)
			in := intent()
			in.TxnID = "z" + txn[1:]
			return d.Refund(t.Context(), in, charge, "refund1", fee)
		}, "payment: declined", 0, ""},
		{"a charge that is unknown there", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			d.paid(t)
			return d.Refund(t.Context(), intent(), method.Charge{PaymentID: "3C000000000000099"}, "refund1", fee)
		}, "payment: provider has no such transaction", 0, ""},
		{"a capture that waits", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			id := d.start(t)
			d.there.ApproveCheque(id)
			summary(d.Fetch(t.Context(), intent(), id))
			return d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.CaptureOf(id)}, "refund1", fee)
		}, "payment: declined", 0, ""},
		{"what is going back already", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			charge := d.paid(t)
			d.there.SlowRefunds()
			if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "true accepted $18.00" {
				t.Error(got)
			}
			return d.Refund(t.Context(), intent(), charge, "refund2", fee)
		}, "payment: declined", 0, "refund1"},
		{"with a part that is going back already, too much", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			charge := d.paid(t)
			d.there.SlowRefunds()
			if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", dollars(500))); got != "true accepted $5.00" {
				t.Error(got)
			}
			return d.Refund(t.Context(), intent(), charge, "refund2", dollars(1301))
		}, "payment: declined", 0, "refund1"},
		{"what went back in the dashboard", func(t *testing.T, d *desk) (method.RefundStatus, error) {
			charge := d.paid(t)
			d.there.RefundThere(charge.PaymentID, 1)
			return d.Refund(t.Context(), intent(), charge, "refund1", fee)
		}, "payment: declined", 1, ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d, posts := newDesk(t), &paymenttest.Posts{Key: "Paypal-Request-Id"}
			d.open(t, func(n *paypal.Config) { n.Transport = posts })
			if got := toldRefund(c.refund(t, d)); got != c.want || d.there.Refunded("USD") != c.back || posts.To("/refund") != c.posted {
				t.Errorf("%s, %d went back, posted %q; want %s, %d, %q", got, d.there.Refunded("USD"), posts.To("/refund"), c.want, c.back, c.posted)
			}
		})
	}
}

func TestRefundStates(t *testing.T) {
	for status, c := range map[string]struct{ refund, order string }{
		"PENDING":   {"accepted", "paid; paid of $18.00 USD"},
		"COMPLETED": {"done", "refunded; refunded of $18.00 USD, back $18.00"},
		"FAILED":    {"failed (status FAILED, ECHECK)", "paid; paid of $18.00 USD"},
		"CANCELLED": {"failed (status CANCELLED)", "paid; paid of $18.00 USD"},
	} {
		t.Run(status, func(t *testing.T) {
			d := newDesk(t)
			charge := d.paid(t)
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", "")); got != "payment: provider has no such transaction" {
				t.Error(got)
			}
			d.there.SlowRefunds()
			accepted, err := d.Refund(t.Context(), intent(), charge, "refund1", fee)
			if got := toldRefund(accepted, err); got != "true accepted $18.00" {
				t.Error(got)
			}
			d.there.FinishRefund("refund1", status)
			for name, providerID := range map[string]string{"by our id": "", "by PayPal's": accepted.ProviderID} {
				if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", providerID)); got != "true "+c.refund+" $18.00" {
					t.Errorf("%s: %s, want %s", name, got, c.refund)
				}
			}
			d.Pass(30 * 24 * time.Hour)
			if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", "")); got != "true "+c.refund+" $18.00" {
				t.Errorf("a month later: %s", got)
			}
			if got := summary(d.Fetch(t.Context(), intent(), "")); got != c.order {
				t.Errorf("%s, want %s", got, c.order)
			}
		})
	}
}

func TestListYieldsMovementsOfADay(t *testing.T) {
	d := newDesk(t)
	ids := []string{txn, "1" + txn[1:], "2" + txn[1:], "3" + txn[1:], "shop-42"}
	var captures []string
	for _, id := range ids {
		in := intent()
		in.TxnID = id
		session, err := d.Start(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if id == ids[2] {
			d.there.ApproveCheque(session.Ref)
			summary(d.Fetch(t.Context(), in, session.Ref))
			captures = append(captures, d.there.CaptureOf(session.Ref))
			continue
		}
		captures = append(captures, d.there.Pay(session.Ref))
	}
	d.Pass(24 * time.Hour)
	d.there.RefundThere(captures[4], 100) // another shop's
	d.there.RefundThere(captures[3], 100)
	d.there.RefundThere(captures[3], 200)
	d.Pass(24 * time.Hour)
	d.there.Dispute(captures[0])
	d.Pass(time.Hour)
	for _, c := range []struct {
		day  time.Time
		want string
	}{
		{noon.Add(-24 * time.Hour), ""},
		{noon.Add(-24*time.Hour + time.Second), ids[0] + " back $0.00 true " + ids[1] + " back $0.00 false " + ids[3] + " back $3.00 false "}, // the first is the last second of that day
		{noon, ids[0] + " back $0.00 true " + ids[1] + " back $0.00 false " + ids[3] + " back $3.00 false "},
		{noon.Add(time.Second), ids[3] + " back $3.00 false "},
		{noon.Add(24 * time.Hour), ids[3] + " back $3.00 false "},
		{noon.Add(48 * time.Hour), ids[0] + " back $0.00 true "},
		{noon.Add(72 * time.Hour), ""}, // a future day
	} {
		line := ""
		for m, err := range d.List(t.Context(), c.day) {
			if err != nil {
				t.Fatal(err)
			}
			if by := summary(d.Fetch(t.Context(), method.Intent{}, m.Ref)); !strings.Contains(by, "$18.00") {
				t.Errorf("Ref leads to %s", by)
			}
			line += fmt.Sprintf("%s back %s %t ", m.TxnID, m.Charge.Refunded, m.Charge.Disputed)
		}
		if line != c.want {
			t.Errorf("%s: %q, want %q", c.day, line, c.want)
		}
	}
	d.there.AddFaults(simulators.ErrorBefore, simulators.ErrorBefore)
	for _, err := range d.List(t.Context(), noon) {
		if got := summary(method.Status{}, err); got != "payment: outcome unknown" {
			t.Error(got)
		}
	}
}

package stripe_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/simulators"
)

func (d *desk) listed(t *testing.T, day time.Time) (line string) {
	t.Helper()
	for m, err := range d.List(t.Context(), day) {
		if err != nil || m.Ref == "" {
			t.Fatal(m, err)
		}
		line += fmt.Sprintf("%s %s back %s %t\n", m.TxnID[:1], m.Charge.Amount, m.Charge.Refunded, m.Charge.Disputed)
	}
	return line
}

func TestListYieldsMovementsOfADay(t *testing.T) {
	d := newDesk(t)
	ids := []string{txn, "1" + txn[1:], "2" + txn[1:], "3" + txn[1:], "4" + txn[1:]}
	charges := map[string]string{}
	for i, id := range ids {
		in := intent()
		in.TxnID = id
		if _, err := d.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			d.there.Decline(id)
		} else if charges[id] = d.there.Pay(id); i == 3 {
			d.there.RefundThere(charges[id], fee.Minor)
		}
	}
	d.there.Foreign()
	d.Pass(48 * time.Hour)
	d.there.RefundThere(charges[ids[1]], 50000)
	d.there.Dispute(charges[ids[4]], "warning_needs_response")
	d.Pass(24 * time.Hour)
	d.there.FinishRefund(d.there.RefundThere(charges[ids[0]], 100), "failed")
	d.there.Dispute(charges[ids[4]], "lost")
	later := "4 ₹1,499.00 back ₹1,499.00 false\n"
	for _, c := range []struct {
		sentence string
		day      time.Time
		want     string
	}{
		{"the day of the payments, with their current state", noon, "3 ₹1,499.00 back ₹1,499.00 false\n1 ₹1,499.00 back ₹500.00 false\n0 ₹1,499.00 back ₹0.00 false\n"},
		{"a day on which nothing moved", noon.Add(24 * time.Hour), ""},
		{"a refund by hand, and an inquiry", noon.Add(48 * time.Hour), "1 ₹1,499.00 back ₹500.00 false\n" + later},
		{"a refund that came back, and a dispute", noon.Add(72 * time.Hour), later + "0 ₹1,499.00 back ₹0.00 false\n"},
	} {
		want := c.want
		if c.day.Equal(noon) {
			want = later + want
		}
		if got := d.listed(t, c.day); got != want {
			t.Errorf("%s: got\n%swant\n%s", c.sentence, got, want)
		}
	}
	for fault, want := range map[simulators.Fault]string{simulators.Unauthorized: "payment: provider refuses our credentials", simulators.Truncated: "payment: outcome unknown"} {
		times := 0
		d.there.AddFaults(fault)
		for _, err := range d.List(t.Context(), noon) {
			if times++; summary(method.Status{}, err) != want {
				t.Errorf("%s: %v", fault, err)
			}
		}
		if times != 1 {
			t.Errorf("%s: yielded %d times", fault, times)
		}
	}
}

func TestListBoundsOfADay(t *testing.T) {
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("IST", 19800), time.FixedZone("west", -36000)} {
		day := noon.Add(time.Hour).In(zone)
		for _, c := range []struct {
			after time.Duration // noon
			want  string
		}{
			{time.Hour - time.Second, ""},
			{time.Hour, "0 ₹1,499.00 back ₹0.00 false\n"},
			{25*time.Hour - time.Second, "0 ₹1,499.00 back ₹0.00 false\n"},
			{25 * time.Hour, ""},
		} {
			d := newDesk(t)
			d.start(t)
			d.Pass(c.after)
			d.there.Pay(txn)
			if got := d.listed(t, day); got != c.want {
				t.Errorf("%s after noon, the day in %s: %q, want %q", c.after, zone, got, c.want)
			}
		}
	}
}

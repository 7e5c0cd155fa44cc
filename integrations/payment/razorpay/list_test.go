package razorpay_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/simulators"
)

// day formats what List yields for the 24 hours from a moment on, as sorted lines.
func (d *desk) day(ctx context.Context, from time.Time, names map[string]string) string {
	var lines []string
	for m, err := range d.List(ctx, from) {
		if err != nil {
			return summary(method.Status{}, err)
		}
		if m.TxnID != "" || m.Ref == "" {
			return fmt.Sprintf("a movement of %q, %q", m.TxnID, m.Ref)
		}
		lines = append(lines, strings.TrimPrefix(summary(method.Status{State: method.ChargeState(names[m.Charge.PaymentID]), Charges: []method.Charge{m.Charge}}, nil), "; "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestListYieldsMovementsOfADay(t *testing.T) {
	d := newDesk(t)
	midnight := time.Date(2026, 1, 2, 0, 0, 0, 0, admission.IST)
	names := map[string]string{}
	pay := func(name string, at time.Time) string {
		d.Pass(at.Sub(d.Now()))
		in := intent()
		in.TxnID = name[:1] + txn[1:]
		if _, err := d.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		id := d.there.Pay(in.TxnID)
		names[id] = name
		return id
	}
	early := pay("1 early", noon)
	pay("2 the last second before", midnight.Add(-time.Second))
	pay("3 the first second", midnight)
	sent := pay("4 sent back", midnight.Add(time.Hour))
	d.there.Decline("4" + txn[1:])
	d.there.Authorise("4" + txn[1:])
	d.there.PayLink(99900)
	pay("5 the last second", midnight.Add(24*time.Hour-time.Second))
	pay("6 the next day", midnight.Add(24*time.Hour))
	d.Pass(48 * time.Hour)
	d.there.Dispute(early, "open")
	d.there.RefundThere(sent, 50000)
	const whole = "; paid of ₹1,499.00 INR"
	back, disputed := "4 sent back"+whole+", back ₹500.00", "1 early"+whole+", disputed"
	for _, c := range []struct {
		day  time.Time
		want []string
	}{
		{midnight.Add(-24 * time.Hour), []string{disputed, "2 the last second before" + whole}},
		{midnight, []string{"3 the first second" + whole, back, "5 the last second" + whole}},
		{midnight.Add(24 * time.Hour), []string{"6 the next day" + whole}},
		{midnight.Add(48 * time.Hour), nil},
		{midnight.Add(72 * time.Hour), []string{disputed, back}},
	} {
		if got, want := d.day(t.Context(), c.day, names), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.day, got, want)
		}
	}
}

func TestListReadsAllPages(t *testing.T) {
	d := started(t)
	const many = 205
	for range many {
		d.there.Pay(txn)
	}
	seen := map[string]bool{}
	for m, err := range d.List(t.Context(), noon) {
		if err != nil {
			t.Fatal(err)
		}
		seen[m.Charge.PaymentID] = true
	}
	if len(seen) != many {
		t.Errorf("%d charges, want %d", len(seen), many)
	}
	count := 0
	for range d.List(t.Context(), noon) {
		if count++; count == 3 {
			break
		}
	}
	if count != 3 {
		t.Errorf("%d", count)
	}
}

func TestListReturnsErrors(t *testing.T) {
	for calls, name := range []string{"disputes", "payments", "refunds"} {
		d := started(t)
		d.there.Pay(txn)
		d.there.AddFaults(append(make([]simulators.Fault, calls), simulators.Unauthorized)...)
		var last error
		for _, err := range d.List(t.Context(), noon) {
			last = err
		}
		if got := summary(method.Status{}, last); got != strange {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Reconciliation of today also asks for tomorrow, because midnights differ.
func TestListOfFutureDayIsEmpty(t *testing.T) {
	d := started(t)
	d.there.Pay(txn)
	for m, err := range d.List(t.Context(), noon.AddDate(0, 0, 2)) {
		t.Errorf("%v, %v", m, err)
	}
}

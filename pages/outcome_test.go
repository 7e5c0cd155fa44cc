package pages

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
)

func TestAmountDifference(t *testing.T) {
	for _, row := range []struct {
		arrived admission.Money
		want    string
	}{
		{admission.INR(149899), "That is ₹0.01 less than the fee of ₹1,499."},
		{admission.INR(149900 + 50000), "That is ₹500 more than the fee of ₹1,499."},
		{admission.Money{Minor: 149900, Currency: "USD"}, "That is not the currency of the fee, ₹1,499."},
		{admission.Money{}, "What reached us is not what we had asked for."},
	} {
		if got := AmountDifference(payment.Transaction{Charge: admission.INR(149900), Arrived: row.arrived}); got != row.want {
			t.Errorf("%v arrived: %q, want %q", row.arrived, got, row.want)
		}
	}
}

func TestReviewDeadline(t *testing.T) {
	friday := time.Date(2026, time.November, 27, 12, 0, 0, 0, admission.IST)
	for _, row := range []struct {
		after time.Duration
		want  string
	}{
		{0, " by Monday, 30 November"},
		{3*24*time.Hour + 11*time.Hour + 59*time.Minute, " by Monday, 30 November"},
		{3*24*time.Hour + 12*time.Hour, ""},
	} {
		if got := ReviewDeadline(payment.Transaction{SettledAt: friday}, friday.Add(row.after)); got != row.want {
			t.Errorf("%v after: %q, want %q", row.after, got, row.want)
		}
	}
}

func TestFromWhenOnToAskForMoneyThatDidNotComeBack(t *testing.T) {
	friday := time.Date(2026, time.November, 27, 12, 0, 0, 0, admission.IST)
	for _, row := range []struct {
		payment, want string
	}{
		{"p", "Not back by Thursday, 3 December? Call or write to us with the payment ID."},
		{"", "Not back after 4 business days? Call or write to us."},
	} {
		if got := NotReturnedNote(payment.Transaction{ID: row.payment, CreatedAt: friday}); got != row.want {
			t.Errorf("of %q: %q, want %q", row.payment, got, row.want)
		}
	}
}

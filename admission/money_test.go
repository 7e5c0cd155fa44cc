package admission_test

import (
	"encoding/json"
	"math"
	"testing"

	"hiresure/admission"
)

func TestMoneyString(t *testing.T) {
	for _, row := range []struct {
		money        admission.Money
		full, short  string
		numberOnWire json.Number
	}{
		{admission.INR(0), "₹0.00", "₹0", "0"},
		{admission.INR(1), "₹0.01", "₹0.01", "0.01"},
		{admission.INR(50), "₹0.50", "₹0.50", "0.5"},
		{admission.INR(100), "₹1.00", "₹1", "1"},
		{admission.INR(1900), "₹19.00", "₹19", "19"},
		{admission.INR(99900), "₹999.00", "₹999", "999"},
		{admission.INR(134910), "₹1,349.10", "₹1,349.10", "1349.1"},
		{admission.INR(134950), "₹1,349.50", "₹1,349.50", "1349.5"},
		{admission.INR(149900), "₹1,499.00", "₹1,499", "1499"},
		{admission.INR(149905), "₹1,499.05", "₹1,499.05", "1499.05"},
		{admission.INR(9999900), "₹99,999.00", "₹99,999", "99999"},
		{admission.INR(10000000), "₹1,00,000.00", "₹1,00,000", "100000"},
		{admission.INR(45000000), "₹4,50,000.00", "₹4,50,000", "450000"},
		{admission.INR(999999999), "₹99,99,999.99", "₹99,99,999.99", "9999999.99"},
		{admission.INR(1000000000), "₹1,00,00,000.00", "₹1,00,00,000", "10000000"},
		{admission.INR(1234567890), "₹1,23,45,678.90", "₹1,23,45,678.90", "12345678.9"},
		{admission.INR(10000000000), "₹10,00,00,000.00", "₹10,00,00,000", "100000000"},
		{admission.INR(-50000), "−₹500.00", "−₹500", "-500"},
		{admission.INR(-5), "−₹0.05", "−₹0.05", "-0.05"},
		{admission.INR(math.MaxInt64), "₹92,23,37,20,36,85,47,758.07", "₹92,23,37,20,36,85,47,758.07", "92233720368547758.07"},
		{admission.INR(math.MinInt64), "−₹92,23,37,20,36,85,47,758.08", "−₹92,23,37,20,36,85,47,758.08", "-92233720368547758.08"},
		{admission.Money{1900, "USD"}, "$19.00", "$19", "19"},
		{admission.Money{1800, "EUR"}, "€18.00", "€18", "18"},
		{admission.Money{123456789, "USD"}, "$1,234,567.89", "$1,234,567.89", "1234567.89"},
		{admission.Money{100000000, "EUR"}, "€1,000,000.00", "€1,000,000", "1000000"},
		{admission.Money{1200, "GBP"}, "GBP 12.00", "GBP 12", "12"},
	} {
		if got := row.money.String(); got != row.full {
			t.Errorf("%+v in full: got %q, want %q", row.money, got, row.full)
		}
		if got := row.money.Short(); got != row.short {
			t.Errorf("%+v in short: got %q, want %q", row.money, got, row.short)
		}
		if got := row.money.Rupees(); got != row.numberOnWire {
			t.Errorf("%+v on the wire: got %q, want %q", row.money, got, row.numberOnWire)
		}
	}
}

func TestCount(t *testing.T) {
	for count, want := range map[uint]string{0: "0", 250: "250", 2400: "2,400", 123456: "1,23,456"} {
		if got := admission.Count(count); got != want {
			t.Errorf("%d: %s, want %s", count, got, want)
		}
	}
}

func TestMoneyRupees(t *testing.T) {
	got, err := json.Marshal(map[string]any{"final_amount": admission.INR(134910).Rupees()})
	if want := `{"final_amount":1349.1}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestParseRupees(t *testing.T) {
	for _, row := range []struct {
		amount  string
		minor   int64
		refusal string
	}{
		{"0", 0, ""},
		{"0.01", 1, ""},
		{"0.5", 50, ""},
		{"1499", 149900, ""},
		{"1349.1", 134910, ""},
		{"1349.10", 134910, ""},
		{"1349.05", 134905, ""},
		{"92233720368547758.07", math.MaxInt64, ""},
		{"92233720368547758.08", 0, `read amount "92233720368547758.08": value out of range`},
		{"", 0, `read amount "": want digits with at most two decimals`},
		{"-1", 0, `read amount "-1": want digits with at most two decimals`},
		{"+1", 0, `read amount "+1": want digits with at most two decimals`},
		{"1,499", 0, `read amount "1,499": want digits with at most two decimals`},
		{"1499.", 0, `read amount "1499.": want digits with at most two decimals`},
		{".5", 0, `read amount ".5": want digits with at most two decimals`},
		{"1499.001", 0, `read amount "1499.001": want digits with at most two decimals`},
		{"1e3", 0, `read amount "1e3": want digits with at most two decimals`},
		{"01499", 0, `read amount "01499": want digits with at most two decimals`},
		{" 1499", 0, `read amount " 1499": want digits with at most two decimals`},
		{"1499\n", 0, `read amount "1499\n": want digits with at most two decimals`},
		{"१४९९", 0, `read amount "१४९९": want digits with at most two decimals`},
		{"NaN", 0, `read amount "NaN": want digits with at most two decimals`},
	} {
		got, err := admission.ParseRupees(row.amount)
		if got != row.minor || refusal(err) != row.refusal {
			t.Errorf("%q: got %d, %q, want %d, %q", row.amount, got, refusal(err), row.minor, row.refusal)
		}
	}
}

func TestRupeesRoundTrip(t *testing.T) {
	for minor := range int64(200_000) {
		if got, err := admission.ParseRupees(admission.INR(minor).Rupees()); err != nil || got != minor {
			t.Fatalf("%d paise: got %d, %v", minor, got, err)
		}
	}
}

// refusal is an error's text, or "" for none.
func refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

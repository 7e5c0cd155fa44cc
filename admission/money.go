package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"hiresure/prose"
)

// MaxMinor is the largest amount on a paper, ₹99,99,99,999.99. Above it the wording of amounts is ambiguous (one lakh crore,
// ten kharab); below it the tax split cannot overflow an int64.
const MaxMinor = 99_99_99_999_99

// Money is an amount in hundredths (paise, cents) of an ISO 4217 currency with two decimals.
type Money struct {
	Minor    int64
	Currency string
}

// INR returns an amount in paise.
func INR(minor int64) Money { return Money{Minor: minor, Currency: "INR"} }

// With returns another amount in the same currency.
func (m Money) With(minor int64) Money { return Money{Minor: minor, Currency: m.Currency} }

var currencySigns = map[string]string{"INR": "₹", "USD": "$", "EUR": "€"}

// String formats the amount: "₹1,00,000.00", "$1,900.00", "€18.00", "GBP 12.00", "−₹500.00".
func (m Money) String() string {
	minus := ""
	if m.Minor < 0 {
		minus = "−"
	}
	sign, known := currencySigns[m.Currency]
	if !known {
		sign = m.Currency + " "
	}
	major, cents := m.parts()
	return minus + sign + prose.GroupDigits(major, m.Currency == "INR") + "." + cents
}

// Short is String without ".00": "₹1,499", "₹1,349.50".
func (m Money) Short() string { return strings.TrimSuffix(m.String(), ".00") }

// Rupees returns the amount in whole units for JSON: 1499, 1349.1.
func (m Money) Rupees() json.Number {
	major, cents := m.parts()
	number := major
	if decimals := strings.TrimRight(cents, "0"); decimals != "" {
		number += "." + decimals
	}
	if m.Minor < 0 {
		number = "-" + number
	}
	return json.Number(number)
}

// parts returns the digits before and after the decimal point, without a sign.
func (m Money) parts() (major, cents string) {
	size := uint64(m.Minor)
	if m.Minor < 0 {
		size = -size
	}
	return strconv.FormatUint(size/100, 10), fmt.Sprintf("%02d", size%100)
}

// Count formats a number in Indian grouping: "2,400", "1,00,000".
func Count(n uint) string { return prose.GroupDigits(strconv.FormatUint(uint64(n), 10), true) }

var plainAmount = regexp.MustCompile(`^(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?$`)

// ParseRupees parses whole units with at most two decimals ("1499", "1349.1", "1349.10") into paise. It rejects signs,
// exponents, commas and overflows.
func ParseRupees[T ~string](amount T) (int64, error) {
	found := plainAmount.FindStringSubmatch(string(amount))
	if found == nil {
		return 0, fmt.Errorf("read amount %q: want digits with at most two decimals", string(amount))
	}
	minor, err := strconv.ParseInt(found[1]+(found[2] + "00")[:2], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read amount %q: %w", string(amount), errors.Unwrap(err))
	}
	return minor, nil
}

// RoundHalfUp returns n/d rounded to the nearest integer, halves up, for n ≥ 0 and d > 0.
func RoundHalfUp(n, d int64) int64 { return (2*n + d) / (2 * d) }

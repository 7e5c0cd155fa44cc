package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// MaxMinor is the largest sum that is ever put on paper, ₹99,99,99,999.99: above it styles of words diverge
// (one lakh crore, ten kharab), and the products of the tax split stay far inside an int64 below it.
const MaxMinor = 99_99_99_999_99

// Money is a sum in hundredths (paise, cents) of an ISO 4217 currency that has two decimals.
type Money struct {
	Minor    int64
	Currency string
}

// INR is a sum in paise.
func INR(minor int64) Money { return Money{Minor: minor, Currency: "INR"} }

// With is another amount in the same currency.
func (m Money) With(minor int64) Money { return Money{Minor: minor, Currency: m.Currency} }

var currencySigns = map[string]string{"INR": "₹", "USD": "$", "EUR": "€"}

// String writes a sum in full, in lakh and crore for rupees: "₹1,00,000.00", "$1,900.00", "€18.00", "GBP 12.00", "−₹500.00".
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
	return minus + sign + groupDigits(major, m.Currency == "INR") + "." + cents
}

// Short is String without ".00": "₹1,499", "₹1,349.50".
func (m Money) Short() string { return strings.TrimSuffix(m.String(), ".00") }

// Rupees is the sum as JSON carries it, a number of whole units with at most two decimals: 1499, 1349.1.
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

// parts are the digits before and the two digits after the decimal point, without a sign.
func (m Money) parts() (major, cents string) {
	size := uint64(m.Minor)
	if m.Minor < 0 {
		size = -size
	}
	return strconv.FormatUint(size/100, 10), fmt.Sprintf("%02d", size%100)
}

// Count is a number as India sets it: "2,400", "1,00,000".
func Count(n uint) string { return groupDigits(strconv.FormatUint(uint64(n), 10), true) }

// groupDigits puts commas after every three digits from the right; Indian grouping goes on in pairs.
func groupDigits(digits string, indian bool) string {
	step := 3
	if indian {
		step = 2
	}
	cut := len(digits) - 3
	if cut <= 0 {
		return digits
	}
	grouped := digits[cut:]
	for ; cut > step; cut -= step {
		grouped = digits[cut-step:cut] + "," + grouped
	}
	return digits[:cut] + "," + grouped
}

var plainAmount = regexp.MustCompile(`^(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?$`)

// ParseRupees reads whole units with at most two decimals ("1499", "1349.1", "1349.10") into paise.
// A sign, an exponent, a comma, a third decimal or anything beyond int64 is an error.
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

// RoundHalfUp is n/d rounded to the nearest integer, halves up, for n ≥ 0 and d > 0.
func RoundHalfUp(n, d int64) int64 { return (2*n + d) / (2 * d) }

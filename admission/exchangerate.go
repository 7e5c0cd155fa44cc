package admission

import "fmt"

// ExchangeRate is what one unit of a foreign currency is worth in rupees. The zero value means that none is known.
type ExchangeRate struct {
	Rupees int64  // in ten-thousandths of a rupee
	Source string // as printed: "RBI reference rate, 20 Nov 2026"
}

// Value returns an amount of the foreign currency in rupees, rounded half up to the paisa.
func (r ExchangeRate) Value(m Money) Money { return INR(RoundHalfUp(m.Minor*r.Rupees, 10_000)) }

// String formats the rate: "₹88.7200".
func (r ExchangeRate) String() string {
	return fmt.Sprintf("₹%d.%04d", r.Rupees/10_000, r.Rupees%10_000)
}

package content

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Rate is what one unit of a currency is worth in rupees on the days From to Until.
type Rate struct {
	Currency string `yaml:"currency"`
	From     Date   `yaml:"from"`
	Until    Date   `yaml:"until"`
	Rupees   string `yaml:"rupees"` // 88.7200
	Source   string `yaml:"source"` // as printed on invoices
}

var rateShape = regexp.MustCompile(`^[0-9]{1,5}\.[0-9]{4}$`)

// Value returns the rate in ten-thousandths of a rupee; 0 if it is not a number with four decimals.
func (r Rate) Value() int64 {
	if !rateShape.MatchString(r.Rupees) {
		return 0
	}
	value, _ := strconv.ParseInt(strings.Replace(r.Rupees, ".", "", 1), 10, 64)
	return value
}

func (r Rate) of(at time.Time) bool {
	return !at.Before(r.From.Time) && at.Before(r.Until.AddDate(0, 0, 1))
}

// RateAt returns a currency's rate at a time, or the zero Rate if there is none.
func (l *Library) RateAt(currency string, at time.Time) Rate {
	for _, rate := range l.rates {
		if rate.Currency == currency && rate.of(at) {
			return rate
		}
	}
	return Rate{}
}

func checkRates(rates []Rate) (faults []error) {
	refuse := refuser(&faults, "")
	for i, rate := range rates {
		refuse(!twoDecimals[rate.Currency] || rate.Currency == "INR", "rates[%d].currency: %q is not a foreign currency that is known to have two decimals", i, rate.Currency)
		refuse(rate.Value() == 0, "rates[%d].rupees: %q is not a rate with four decimals", i, rate.Rupees)
		refuse(rate.Until.Before(rate.From.Time), "rates[%d].until: before from", i)
		for _, other := range rates[:i] {
			refuse(other.Currency == rate.Currency && (rate.of(other.From.Time) || other.of(rate.From.Time)), "rates[%d].from: %s has a rate for that day already", i, rate.Currency)
		}
	}
	return faults
}

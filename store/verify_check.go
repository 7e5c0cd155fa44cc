package store

import (
	"fmt"
	"strings"
	"time"

	"hiresure/admission"
)

// verifyMargin is how long an operator may take, and clocks and purges may differ; refundMargin is how long a provider may take
// for a refund.
const (
	verifyMargin = 24 * time.Hour
	refundMargin = 7 * 24 * time.Hour
)

// A bookCheck is a query that returns a row per fault. Its columns are the arguments of sentence. A column whose name ends in
// _minor is printed as money of the row's last column if that is called currency, or as rupees.
type bookCheck struct {
	sentence, query string
	args            []any
	filter          func(row []any) bool // filters rows; nil keeps all
}

// A loss is money that left a charge after all of it had left. It counts in no total.
const (
	isLoss = "reason IN ('refunded beyond the charge', 'dispute lost beyond the charge')"
	noLoss = "f.reason NOT IN ('refunded beyond the charge', 'dispute lost beyond the charge')"
)

// withMoney returns the values of a row with its minor units as money, without the column currency.
func withMoney(columns []string, values []any) []any {
	currency, last := "INR", len(columns)-1
	if columns[last] == "currency" {
		currency, values = fmt.Sprint(values[last]), values[:last]
	}
	for i := range values {
		if minor, isInt := values[i].(int64); isInt && strings.HasSuffix(columns[i], "_minor") {
			values[i] = admission.Money{Minor: minor, Currency: currency}
		}
	}
	return values
}

func (t *tx) check(c bookCheck, report func(string)) (err error) {
	rows, err := t.db.Raw(c.query, c.args...).Rows()
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := rows.Close(); err == nil {
			err = closeErr
		}
	}()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		values, err := scanAny(rows, len(columns))
		if err != nil {
			return err
		}
		if c.filter == nil || c.filter(values) {
			report(fmt.Sprintf(c.sentence, withMoney(columns, values)...))
		}
	}
	return rows.Err()
}

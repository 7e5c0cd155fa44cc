package store

import (
	"context"
	"fmt"
	"slices"
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

// Verify compares payments, registrations, tickets, refunds, invoices, credit notes, coupons, referral credits, webhooks and
// messages with each other and returns a sentence for each difference. invoiced reports whether payments at a time have
// invoices.
func (s *Store) Verify(ctx context.Context, invoiced func(at time.Time) bool) (faults []string, err error) {
	now := s.clock()
	checks := slices.Concat(paymentChecks(now), ticketChecks(now), refundChecks(now), paperChecks(invoiced), couponChecks(), deliveryChecks(now))
	err = s.patientView(ctx, func(t *tx) error {
		faults = nil
		report := func(fault string) { faults = append(faults, fault) }
		for _, c := range checks {
			if err := t.check(c, report); err != nil {
				return fmt.Errorf("verify: %w", err)
			}
		}
		if err := s.checkPhases(t, report); err != nil {
			return fmt.Errorf("verify phases: %w", err)
		}
		if err := t.checkInvoices(report); err != nil {
			return fmt.Errorf("verify invoices: %w", err)
		}
		if err := t.checkCreditNotes(report); err != nil {
			return fmt.Errorf("verify credit notes: %w", err)
		}
		return nil
	})
	return faults, err
}

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

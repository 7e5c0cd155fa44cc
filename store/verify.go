package store

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// verifyMargin is how long a person may take to look, and how far clocks and purges may be apart; refundMargin how long a
// provider may take for a refund.
const (
	verifyMargin = 24 * time.Hour
	refundMargin = 7 * 24 * time.Hour
)

// A bookCheck is a query whose every row is a fault; its columns fill the sentence.
type bookCheck struct {
	sentence, query string
	args            []any
	keep            func(row []any) bool // nil keeps every row
}

// Verify compares the books with each other and returns one sentence for each difference, which names the row: payments,
// registrations, tickets, refunds, invoices, credit notes and their series, coupons, referral credits, webhooks and messages,
// and money that somebody waits for. A receipt message that has been purged is none. invoiced reports whether an invoice was
// issued for what was paid at a moment. Rows are read as they come or in pages, so memory holds no more than the faults.
func (s *Store) Verify(ctx context.Context, invoiced func(at time.Time) bool) (faults []string, err error) {
	now := s.clock()
	checks := slices.Concat(paymentChecks(now), ticketChecks(now), refundChecks(now), paperChecks(invoiced), couponChecks(), deliveryChecks(now))
	err = s.patientView(ctx, func(t *tx) error {
		faults = nil
		tell := func(fault string) { faults = append(faults, fault) }
		for _, c := range checks {
			if err := t.check(c, tell); err != nil {
				return fmt.Errorf("verify: %w", err)
			}
		}
		if err := s.checkPhases(t, tell); err != nil {
			return fmt.Errorf("verify phases: %w", err)
		}
		if err := t.checkInvoices(tell); err != nil {
			return fmt.Errorf("verify invoices: %w", err)
		}
		if err := t.checkCreditNotes(tell); err != nil {
			return fmt.Errorf("verify credit notes: %w", err)
		}
		return nil
	})
	return faults, err
}

func (t *tx) check(c bookCheck, tell func(string)) (err error) {
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
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if c.keep == nil || c.keep(values) {
			tell(fmt.Sprintf(c.sentence, values...))
		}
	}
	return rows.Err()
}

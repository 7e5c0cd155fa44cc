package store

import (
	"context"
	"fmt"
	"time"
)

// verifyMargin is how long a refund may wait before a person must look, and how far clocks and purges may be apart.
const verifyMargin = 24 * time.Hour

// Verify compares the books with each other and answers one sentence for each difference: an invoice series with a
// gap, a paid registration without its payment, invoice or receipt message, a coupon beyond its limit, money that somebody
// waits for. A receipt message that has been purged is none.
func (s *Store) Verify(ctx context.Context) (faults []string, err error) {
	now := s.clock()
	checks := []struct {
		sentence, query string
		moments         []any // of the query, in microseconds
	}{
		{"series %s %s has %s invoices, the last is number %s, the counter stands at %s", `
			SELECT s.series, s.financial_year, COUNT(i.serial), COALESCE(MAX(i.serial), 0), s.serial
			FROM invoice_series s LEFT JOIN (SELECT series, financial_year, serial FROM invoices UNION ALL SELECT series, financial_year, serial FROM credit_notes) i
				ON i.series = s.series AND i.financial_year = s.financial_year
			GROUP BY s.series, s.financial_year, s.serial HAVING COUNT(i.serial) <> s.serial OR COALESCE(MAX(i.serial), 0) <> s.serial`, nil},
		{"registration %s names payment %s as its own, which is %s", `
			SELECT r.id, r.paid_txn_id, COALESCE(t.state, 'not there') FROM registrations r
			LEFT JOIN transactions t ON t.id = r.paid_txn_id AND t.registration_id = r.id
			WHERE r.paid_txn_id <> '' AND COALESCE(t.state, '') NOT IN ('paid', 'refund_pending', 'refunded')`, nil},
		{"payment %s is paid, but registration %s names %s as its own", `
			SELECT t.id, r.id, r.paid_txn_id FROM transactions t JOIN registrations r ON r.id = t.registration_id
			WHERE t.state = 'paid' AND r.paid_txn_id <> t.id`, nil},
		{"payment %s is paid and has %s receipt messages", `
			SELECT t.id, COUNT(m.id) FROM transactions t LEFT JOIN messages m ON m.cause = 'receipt:' || t.id
			WHERE t.state = 'paid' AND t.settled_at > ? GROUP BY t.id HAVING COUNT(m.id) <> 1`, []any{toMicros(now.Add(verifyMargin - messagesKept))}},
		{"payment %s has been %s for more than a day: site refund %s", `
			SELECT id, state, id FROM transactions WHERE state IN ('refund_due', 'review') AND settled_at < ? ORDER BY settled_at, id`,
			[]any{toMicros(now.Add(-verifyMargin))}},
		{"invoice %s of payment %s does not add up to what was charged", `
			SELECT i.number, i.txn_id FROM invoices i JOIN transactions t ON t.id = i.txn_id
			WHERE i.total_minor <> t.list_minor - t.discount_minor
			   OR i.tax_taxable + i.tax_cgst + i.tax_sgst + i.tax_utgst + i.tax_igst <> i.total_minor`, nil},
		{"coupon %s has %s uses, more than its limit of %s", `
			SELECT c.code, COUNT(u.id), c.max_uses FROM coupons c JOIN coupon_uses u ON u.coupon_id = c.id AND u.state IN ('held', 'used')
			WHERE c.max_uses > 0 GROUP BY c.code, c.max_uses HAVING COUNT(u.id) > c.max_uses`, nil},
	}
	err = s.patientView(ctx, func(t *tx) error {
		faults = nil
		for _, check := range checks {
			rows, err := t.db.Raw(check.query, check.moments...).Rows()
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
			columns, err := rows.Columns()
			for err == nil && rows.Next() {
				values, targets := make([]any, len(columns)), make([]any, len(columns))
				for i := range values {
					targets[i] = &values[i]
				}
				if err = rows.Scan(targets...); err == nil {
					for i := range values {
						values[i] = fmt.Sprint(values[i])
					}
					faults = append(faults, fmt.Sprintf(check.sentence, values...))
				}
			}
			if err == nil {
				err = rows.Err()
			}
			if closeErr := rows.Close(); err == nil {
				err = closeErr
			}
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
		}
		return nil
	})
	return faults, err
}

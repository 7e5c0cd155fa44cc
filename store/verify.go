package store

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Verify compares payments, registrations, tickets, refunds, invoices, credit notes, coupons, referral credits, webhooks and
// messages with each other and returns a sentence for each difference. invoiced reports whether payments at a time have
// invoices.
func (s *Store) Verify(ctx context.Context, invoiced func(at time.Time) bool) (faults []string, err error) {
	now := s.clock()
	checks := slices.Concat(paymentChecks(now), ticketChecks(now), refundChecks(now), paperChecks(invoiced), couponChecks(), deliveryChecks(now))
	err = s.longView(ctx, func(t *tx) error {
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
		if err := t.checkActs(report); err != nil {
			return fmt.Errorf("verify the staff log: %w", err)
		}
		return nil
	})
	return faults, err
}

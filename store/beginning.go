package store

import (
	"context"
	"fmt"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment"
)

// PaymentBeginning finds a payment by how its number begins, as admission.ReadBeginning reads it. Where none or more than one
// begins so is an error.
func (s *Store) PaymentBeginning(ctx context.Context, said string) (found *payment.Transaction, err error) {
	beginning := admission.ReadBeginning(said)
	if beginning == "" {
		return nil, fmt.Errorf("a payment is found by the first two groups of its number at least, such as 7nb1 ac9c, not by %q", strings.TrimSpace(said))
	}
	err = s.view(ctx, func(t *tx) error {
		var ids []string
		if err := t.db.Raw("SELECT id FROM transactions WHERE id LIKE ? ORDER BY id LIMIT 2", beginning+"%").Scan(&ids).Error; err != nil {
			return err
		}
		switch len(ids) {
		case 0:
			return fmt.Errorf("no payment's number begins with %s", beginning)
		case 1:
			found, err = t.Transaction(ids[0])
			return err
		}
		return fmt.Errorf("more than one payment's number begins with %s: ask for one group more", beginning)
	})
	return found, wrap("find payment", err)
}

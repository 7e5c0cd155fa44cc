package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hiresure/admission"
)

// Difference is one line of the reconciliation of a day.
type Difference struct{ TxnID, Gateway, What string }

// Reconcile compares what the gateways charged on a day (Asia/Kolkata) with our books.
func (s *Service) Reconcile(ctx context.Context, day time.Time) (differences []Difference, err error) {
	start := time.Date(day.In(admission.IST).Year(), day.In(admission.IST).Month(), day.In(admission.IST).Day(), 0, 0, 0, 0, admission.IST)
	for _, g := range s.Gateways { // one that does not answer hides nothing of the others
		found, gatewayErr := s.reconcileGateway(ctx, g, start)
		differences, err = append(differences, found...), errors.Join(err, gatewayErr)
	}
	return differences, err
}

func (s *Service) reconcileGateway(ctx context.Context, g Gateway, start time.Time) (differences []Difference, err error) {
	charged, err := chargedAround(ctx, g, start)
	if err != nil {
		return nil, err
	}
	for charge, err := range g.List(ctx, start) {
		if err != nil {
			return differences, fmt.Errorf("list charges of %s: %w", g.Name(), err)
		}
		if charge.State != ChargePaid && charge.State != ChargeRefunded {
			continue
		}
		l, err := s.load(ctx, charge.TxnID)
		switch {
		case admission.AsProblem(err) != nil:
			differences = append(differences, Difference{charge.TxnID, g.Name(), "charged, but not in our books"})
		case err != nil:
			return differences, err
		case charge.State == ChargeRefunded && l.t.State != Refunded:
			differences = append(differences, Difference{charge.TxnID, g.Name(), "refunded there, " + string(l.t.State) + " here"})
		case charge.State == ChargePaid && (l.t.Open() || l.t.State == Failed || l.t.State == Expired):
			differences = append(differences, Difference{charge.TxnID, g.Name(), "charged there, " + string(l.t.State) + " here"})
		case charge.Amount != l.t.Charge:
			differences = append(differences, Difference{charge.TxnID, g.Name(), "charged " + charge.Amount.String() + " for " + l.t.Charge.String()})
		}
	}
	var paid []string
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		paid, err = tx.PaidBetween(g.Name(), start, start.AddDate(0, 0, 1))
		return err
	}); err != nil {
		return differences, err
	}
	for _, id := range paid {
		if !charged[id] {
			differences = append(differences, Difference{id, g.Name(), "paid in our books, not charged there"})
		}
	}
	return differences, nil
}

// chargedAround answers what a gateway charged on a day and on its neighbours: one side's midnight is not the other's.
func chargedAround(ctx context.Context, g Gateway, day time.Time) (map[string]bool, error) {
	charged := map[string]bool{}
	for offset := -1; offset <= 1; offset++ {
		for charge, err := range g.List(ctx, day.AddDate(0, 0, offset)) {
			if err != nil {
				return nil, fmt.Errorf("list charges of %s: %w", g.Name(), err)
			}
			if charge.State == ChargePaid || charge.State == ChargeRefunded {
				charged[charge.TxnID] = true
			}
		}
	}
	return charged, nil
}

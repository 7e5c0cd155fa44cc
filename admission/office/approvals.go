package office

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// Approval is an order of a refund that needs a second person.
type Approval struct {
	Order        payment.RefundOrder
	Registration enrol.Registration
	Draft        payment.RefundDraft // what it would do; only of one that waits
	Why          string              // why it cannot be approved; "" if it can
}

// Approvals returns the orders of refunds that wait for a second person, the oldest first, and the latest that do not, the latest first.
func (s *Service) Approvals(ctx context.Context) (waiting, over []Approval, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		waiting, over = nil, nil
		for _, waits := range []bool{true, false} {
			orders, err := tx.RefundOrders(waits, s.Clock(), maxOrders)
			if err != nil {
				return err
			}
			for _, o := range orders {
				r, err := tx.Registration(o.RegistrationID)
				if err != nil {
					return err
				}
				if a := (Approval{Order: o, Registration: *r}); waits {
					waiting = append(waiting, a)
				} else {
					over = append(over, a)
				}
			}
		}
		return nil
	})
	for i := range waiting {
		a := &waiting[i]
		var refused error
		if a.Draft, refused = s.Payment.DraftRefund(ctx, a.Order.TxnID, a.Order.Amount.Minor); refused == nil {
			continue
		}
		problem := admission.AsProblem(refused)
		if problem == nil {
			return nil, nil, refused
		}
		a.Why = problem.Message
	}
	return waiting, over, err
}

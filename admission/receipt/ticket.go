package receipt

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// TicketByKey returns the registration whose ticket a key opens, also after a refund; NotFound for any other.
func (s *Service) TicketByKey(ctx context.Context, key string) (enrol.Registration, error) {
	var r *enrol.Registration
	if admission.IsKey(key) {
		if err := s.Store.View(ctx, func(tx payment.Tx) (err error) {
			r, err = tx.RegistrationByTicketKey(key)
			return err
		}); err != nil {
			return enrol.Registration{}, err
		}
	}
	if r == nil {
		return enrol.Registration{}, admission.NotFoundProblem("Ticket")
	}
	return *r, nil
}

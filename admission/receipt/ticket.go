package receipt

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/payment"
)

// JobTickets issues missing tickets and referral codes.
const JobTickets = "tickets"

// Limits of one run of JobTickets. The next run continues.
const (
	ticketBatch   = 100
	ticketBatches = 10
)

// IssueTickets handles JobTickets. Tickets are missing if a version without tickets has settled the payment.
func (s *Service) IssueTickets(ctx context.Context) error {
	for range ticketBatches {
		var ids []string
		if err := s.Store.View(ctx, func(tx payment.Tx) (err error) {
			ids, err = tx.RegistrationsWithoutTicket(ticketBatch)
			return err
		}); err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.issueTicket(ctx, id); err != nil {
				return err
			}
		}
		if len(ids) < ticketBatch {
			return nil
		}
	}
	return nil
}

// issueTicket issues one ticket in its own transaction. Holding the ticket series while locking a second registration
// could deadlock with the settlement of its payment.
func (s *Service) issueTicket(ctx context.Context, id string) error {
	return s.Store.Update(ctx, func(tx payment.Tx) error {
		r, err := tx.RegistrationForUpdate(id)
		if err != nil || !r.HasPerson() {
			return err
		}
		event, _ := s.Events.EventByCode(r.EventCode)
		if err := r.IssueTicket(tx, event, r.CreatedAt); err != nil {
			return err
		}
		return tx.SaveRegistration(r)
	})
}

// ReceiptOfTicket returns the receipt of a ticket's key, also after a refund; otherwise NotFound.
func (s *Service) ReceiptOfTicket(ctx context.Context, key string) (receipt Receipt, err error) {
	if !admission.IsKey(key) {
		return Receipt{}, admission.NotFoundProblem("Ticket")
	}
	err = s.Store.View(ctx, func(tx payment.Tx) error {
		r, err := tx.RegistrationByTicketKey(key)
		if err != nil {
			return err
		}
		if r == nil {
			return admission.NotFoundProblem("Ticket")
		}
		receipt, err = s.receiptOf(tx, r)
		return err
	})
	return receipt, err
}

package receipt

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/payment"
)

// JobTickets gives a ticket and a referral code to each registration that a version without them has settled.
const JobTickets = "tickets"

// What one run of JobTickets does, at the most: some seconds' work. The next run goes on.
const (
	ticketBatch   = 100
	ticketBatches = 10
)

// IssueTickets is the work of JobTickets. A paid registration has its ticket already, unless it was paid before there
// were tickets, or by a copy of the version before while this one is being deployed.
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

// issueTicket changes one registration in a transaction of its own: one that held the ticket series and then waited for a
// second registration would be in a deadlock with whoever settles that one.
func (s *Service) issueTicket(ctx context.Context, id string) error {
	return s.Store.Update(ctx, func(tx payment.Tx) error {
		r, err := tx.RegistrationForUpdate(id)
		if err != nil || !r.NamesSomebody() {
			return err
		}
		event, _ := s.Events.EventByCode(r.EventCode)
		if err := r.IssueTicket(tx, event, r.CreatedAt); err != nil {
			return err
		}
		return tx.SaveRegistration(r)
	})
}

// ReceiptOfTicket returns the receipt of the registration whose ticket a key opens, also after a refund; NotFound for any
// other.
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

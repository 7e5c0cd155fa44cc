package payment

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/staff"
)

// SendReceiptAgain mails the receipt of a paid registration again, with new links, at most once a minute. Problems: NotFound, Conflict
// where the payment does not pay for a registration.
func (s *Service) SendReceiptAgain(ctx context.Context, txnID string, by staff.Actor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		c, err := s.lockTransaction(tx, txnID)
		if err != nil {
			return err
		}
		t, r := c.t, c.r
		if !r.HasPerson() || r.PaidTxnID != t.ID || r.Refunded || t.State != Paid && t.State != Disputed {
			return admission.ConflictProblem("", "this payment has no receipt to send")
		}
		issued, err := tx.InvoiceOfTransaction(t.ID)
		if err != nil {
			return err
		}
		cause := "receipt-again:" + t.ID + ":" + c.now.UTC().Format("2006-01-02T15:04")
		if err := c.mailReceipt(cause, issued, false); err != nil {
			return err
		}
		return tx.LogAct(by.Did(c.now, "sent the receipt again", "payment "+t.ID, "", ""))
	})
}

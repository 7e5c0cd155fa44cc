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
		if err := s.MailReceiptAgain(tx, txnID); err != nil {
			return err
		}
		return tx.LogAct(by.Did(s.Clock(), "sent the receipt again", "payment "+txnID, "", ""))
	})
}

// MailReceiptAgain is SendReceiptAgain within a transaction, without a row of the log.
func (s *Service) MailReceiptAgain(tx Tx, txnID string) error {
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
	return c.mailReceipt("receipt-again:"+t.ID+":"+c.now.UTC().Format("2006-01-02T15:04"), issued, false)
}

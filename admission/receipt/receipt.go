// Package receipt reads receipts, with their invoices, and tickets.
package receipt

import (
	"context"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// Config is everything that a Service works with; all of it is required.
type Config struct {
	Store  admission.Store[payment.Tx]
	Events admission.Catalogue
	Clock  func() time.Time
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Receipt is a payment with its registration, invoice, notes and refunds.
type Receipt struct {
	Registration enrol.Registration
	Transaction  payment.Transaction
	Event        admission.Event
	Invoice      *invoice.Invoice // nil if there is none
	DebitNotes   []invoice.Invoice
	CreditNotes  []invoice.CreditNote
	Refunds      []payment.Refund // oldest first
}

// OpenReceipt returns the receipt of a mailed link's token; NotFound for an unknown, expired or revoked one.
func (s *Service) OpenReceipt(ctx context.Context, token string) (receipt Receipt, err error) {
	err = s.Store.View(ctx, func(tx payment.Tx) error {
		link, err := tx.Link(admission.HashToken(token))
		if err != nil {
			return err
		}
		if link == nil || !link.RevokedAt.IsZero() || !s.Clock().Before(link.ExpiresAt) {
			return admission.NotFoundProblem("Receipt")
		}
		r, err := tx.Registration(link.RegistrationID)
		if err != nil {
			return err
		}
		receipt, err = s.receiptOf(tx, r)
		return err
	})
	return receipt, err
}

// ReceiptOfVisitor returns the receipt of a payment that paid a registration of the visitor; otherwise NotFound.
func (s *Service) ReceiptOfVisitor(ctx context.Context, v admission.Visitor, txnID string) (Receipt, error) {
	return s.paidBy(ctx, txnID, func(tx payment.Tx, id string) (*enrol.Registration, error) { return enrol.RegistrationFor(tx, v, id) })
}

// ReceiptOfPayment returns the receipt of a payment for printing. It does not check ownership.
func (s *Service) ReceiptOfPayment(ctx context.Context, txnID string) (Receipt, error) {
	return s.paidBy(ctx, txnID, payment.Tx.Registration)
}

// paidBy returns the receipt of the registration that a payment has paid. find returns the registration by id.
func (s *Service) paidBy(ctx context.Context, txnID string, find func(tx payment.Tx, id string) (*enrol.Registration, error)) (receipt Receipt, err error) {
	err = s.Store.View(ctx, func(tx payment.Tx) error {
		t, err := tx.Transaction(txnID)
		if err != nil {
			return err
		}
		if t == nil {
			return admission.NotFoundProblem("Receipt")
		}
		r, err := find(tx, t.RegistrationID)
		if err != nil {
			return err
		}
		if r == nil || r.PaidTxnID != t.ID {
			return admission.NotFoundProblem("Receipt")
		}
		receipt, err = s.receiptOf(tx, r)
		return err
	})
	return receipt, err
}

func (s *Service) receiptOf(tx payment.Tx, r *enrol.Registration) (Receipt, error) {
	t, err := tx.Transaction(r.PaidTxnID)
	if err != nil {
		return Receipt{}, err
	}
	if t == nil {
		return Receipt{}, admission.NotFoundProblem("Receipt")
	}
	event, _ := s.Events.EventByCode(r.EventCode)
	receipt := Receipt{Registration: *r, Transaction: *t, Event: event}
	issued, err := tx.InvoicesOf(t.ID)
	if err != nil {
		return Receipt{}, err
	}
	if len(issued) > 0 {
		receipt.Invoice, receipt.DebitNotes = &issued[0], issued[1:]
	}
	if receipt.CreditNotes, err = tx.CreditNotesOf(t.ID); err != nil {
		return Receipt{}, err
	}
	receipt.Refunds, err = tx.RefundsOf(t.ID)
	return receipt, err
}

// LostInDispute reports whether the payer's bank has reclaimed the payment in a dispute.
func (r Receipt) LostInDispute() bool {
	return slices.ContainsFunc(r.Refunds, func(refund payment.Refund) bool {
		return refund.PaymentID == r.Transaction.PaymentID && refund.State == method.RefundDone && refund.Reason == payment.ReasonDispute
	})
}

// Bounced reports whether the payment's last refund bounced.
func (r Receipt) Bounced() bool {
	for _, refund := range slices.Backward(r.Refunds) {
		if refund.PaymentID == r.Transaction.PaymentID {
			return refund.State == method.RefundBounced && !refund.Reason.ByDispute()
		}
	}
	return false
}

// RefundReason returns the reason of a refund; "" for an unknown one.
func (r Receipt) RefundReason(refundID string) payment.RefundReason {
	for _, refund := range r.Refunds {
		if refund.ID == refundID {
			return refund.Reason
		}
	}
	return ""
}

// FailedRefunds returns the total of second charges whose refund failed or bounced.
func (r Receipt) FailedRefunds() admission.Money {
	last := map[string]payment.Refund{} // by charge
	for _, refund := range r.Refunds {
		last[refund.PaymentID] = refund
	}
	held := admission.Money{Currency: r.Transaction.Charge.Currency}
	for paymentID, refund := range last {
		if paymentID != r.Transaction.PaymentID && (refund.State == method.RefundFailed || refund.State == method.RefundBounced) {
			held.Minor += refund.Amount.Minor
		}
	}
	return held
}

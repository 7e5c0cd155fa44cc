// Package receipt reads receipts, with their invoices, and tickets.
package receipt

import (
	"context"
	"errors"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/status"
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
	Surplus      []Surplus        // other payments of the registration that were charged, oldest first
	Late         bool             // the bank confirmed it after we had reported a failure
}

// Surplus is a payment that does not count, with its refunds.
type Surplus struct {
	Transaction payment.Transaction
	Refunds     []payment.Refund // oldest first
}

// ErrLinkExpired is returned for a mailed link that has expired or was revoked.
var ErrLinkExpired = errors.New("link expired or revoked")

// OpenReceipt returns the receipt of a mailed link's token; NotFound for an unknown one.
func (s *Service) OpenReceipt(ctx context.Context, token string) (receipt Receipt, err error) {
	err = s.Store.View(ctx, func(tx payment.Tx) error {
		link, err := tx.Link(admission.HashToken(token))
		if err != nil {
			return err
		}
		if link == nil {
			return admission.NotFoundProblem("Receipt")
		}
		if !link.RevokedAt.IsZero() || !s.Clock().Before(link.ExpiresAt) {
			return ErrLinkExpired
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
	if receipt.Refunds, err = tx.RefundsOf(t.ID); err != nil {
		return Receipt{}, err
	}
	if receipt.Late, err = isLate(tx, t); err != nil {
		return Receipt{}, err
	}
	surplus, err := tx.SurplusOf(r.ID, t.ID)
	if err != nil {
		return Receipt{}, err
	}
	for _, other := range surplus {
		refunds, err := tx.RefundsOf(other.ID)
		if err != nil {
			return Receipt{}, err
		}
		receipt.Surplus = append(receipt.Surplus, Surplus{other, refunds})
	}
	return receipt, nil
}

// isLate reports whether a payment was confirmed after it had failed or expired.
func isLate(tx payment.Tx, t *payment.Transaction) (bool, error) {
	failed, err := tx.HasEntry(t.RegistrationID, enrol.EntryPaymentFailed, t.ID)
	if err != nil || failed || t.SettledAt.Before(t.ExpiresAt) {
		return failed, err
	}
	return tx.HasEntry(t.RegistrationID, enrol.EntryPaymentExpired, t.ID)
}

// Disputed reports whether the payer's bank is deciding a dispute of the payment.
func (r Receipt) Disputed() bool { return r.Transaction.State == payment.Disputed }

// LostInDispute reports whether the payer's bank has reclaimed the payment in a dispute.
func (r Receipt) LostInDispute() bool {
	return slices.ContainsFunc(r.Refunds, func(refund payment.Refund) bool {
		return refund.PaymentID == r.Transaction.PaymentID && refund.State == method.RefundDone && refund.Reason == payment.ReasonDispute
	})
}

// LastRefund returns the last refund of the payment's own charge, and how many there were; the zero Refund for none.
func (r Receipt) LastRefund() (last payment.Refund, times int) {
	for _, refund := range r.Refunds {
		if refund.PaymentID == r.Transaction.PaymentID && !refund.Reason.Loss() {
			last = refund
			times++
		}
	}
	return last, times
}

// RefundPhase returns the phase of the refund of the whole fee; "" for none.
func (r Receipt) RefundPhase(now time.Time) status.Phase {
	refund := status.Refund{ChargedBack: r.LostInDispute()}
	money := status.MoneyOf(&r.Transaction, now)
	last, _ := r.LastRefund()
	if last.State == method.RefundDone && money != status.MoneyReturning || last.State == method.RefundAccepted {
		refund.SentAt = last.SentAt()
	}
	return status.RefundPhase(&r.Registration, money, refund, now)
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

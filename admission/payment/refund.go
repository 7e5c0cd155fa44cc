package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// RefundState is how far one refund has come.
type RefundState string

const (
	RefundAsked  RefundState = "asked" // our row stands, the provider may or may not know
	RefundDone   RefundState = "done"
	RefundFailed RefundState = "failed"
)

// Refund is money on its way back. ID is our idempotency key at the provider.
type Refund struct {
	ID, TxnID, ProviderID string
	Amount                admission.Money
	State                 RefundState
	CreatedAt             time.Time
}

// RefundPayment is the work of JobRefund: it returns the whole of a charge that must go back, once. The refund's id
// stands in our books before the provider hears of it, so that a crash in between repeats the same refund.
func (s *Service) Refund(ctx context.Context, txnID string) (again time.Duration, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil {
		return 0, fmt.Errorf("refund: gateway %q is not configured", l.t.Gateway)
	}
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	amount := admission.Money{Minor: l.t.Charge.Minor - l.t.RefundedMinor, Currency: l.t.Charge.Currency}
	if l.t.State == Review { // it was charged something else: that goes back
		answer, err := l.gateway.Fetch(wait, s.intent(*l.t, l.r, l.event), l.t.Ref)
		if err == nil && answer.TxnID != txnID {
			err = ErrNoCharge
		}
		if err != nil {
			return 0, fmt.Errorf("refund %s: what was charged: %w", txnID, err)
		}
		l.t.PaymentID = answer.PaymentID
		amount = admission.Money{Minor: answer.Amount.Minor - answer.Refunded.Minor, Currency: answer.Amount.Currency}
	}
	var refund *Refund
	if err := s.changeTransaction(ctx, txnID, func(tx Tx, t *Transaction, _ *enrol.Registration) (err error) {
		if refund, err = tx.OpenRefund(txnID); err != nil || refund != nil {
			return err
		}
		to, allowed := move(t.State, EventRefundSent)
		if !allowed {
			return nil
		}
		refund = &Refund{ID: admission.NewID(), TxnID: txnID, Amount: amount, State: RefundAsked, CreatedAt: s.Clock()}
		t.StateBefore, t.State, t.PaymentID = t.State, to, cmp.Or(t.PaymentID, l.t.PaymentID)
		return tx.SaveRefund(refund)
	}); err != nil || refund == nil {
		return 0, err
	}
	answer, err := l.gateway.Refund(wait, s.intent(*l.t, l.r, l.event), l.t.PaymentID, refund.ID, refund.Amount)
	if errors.Is(err, ErrDeclined) { // perhaps because it has gone back already, by hand at the provider
		if now, fetchErr := l.gateway.Fetch(wait, s.intent(*l.t, l.r, l.event), l.t.Ref); fetchErr == nil && now.TxnID == txnID && now.State == ChargeRefunded {
			answer, err = Status{State: ChargeRefunded}, nil
		}
	}
	if err != nil && !errors.Is(err, ErrDeclined) {
		return 0, fmt.Errorf("refund %s: %w", refund.ID, err) // tried again with the same id
	}
	if err == nil && answer.State != ChargeRefunded {
		return time.Hour, nil // accepted, not processed yet
	}
	happened := EventRefundDone
	if err != nil {
		happened = EventRefundFailed
		s.Alert("refund failed")
	}
	return 0, s.changeTransaction(ctx, txnID, func(tx Tx, t *Transaction, r *enrol.Registration) error {
		to, allowed := move(t.State, happened)
		if !allowed {
			return nil
		}
		if happened == EventRefundFailed {
			t.State, refund.State = t.StateBefore, RefundFailed
			return tx.SaveRefund(refund)
		}
		t.State, refund.State, refund.ProviderID = to, RefundDone, answer.PaymentID
		t.RefundedMinor += refund.Amount.Minor
		if r.PaidTxnID == t.ID { // the registration's own payment: it ends; a duplicate's refund leaves it alone
			r.Refunded, r.ModifiedAt = true, s.Clock()
			if err := tx.SaveRegistration(r); err != nil {
				return err
			}
			if err := tx.CancelReferralCredit(r.ID, s.Clock()); err != nil {
				return err
			}
		}
		if err := enrol.Note(tx, r, s.Clock(), "refunded", t.ID); err != nil {
			return err
		}
		if t.StateBefore == Review {
			open, err := tx.OpenTransaction(r.ID)
			if err != nil {
				return err
			}
			if err := tx.SetCouponUse(t.ID, enrol.UseReleased); err != nil {
				return err
			}
			if open == nil && r.Step == enrol.StepPaying {
				if err := r.Move(tx, enrol.StepUnpaid, s.Clock()); err != nil {
					return err
				}
			}
		}
		return tx.SaveRefund(refund)
	})
}

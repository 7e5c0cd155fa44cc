package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// A second charge is a surplus charge of the same order. It is refunded automatically once; after a failed or bounced refund
// staff decide (OrderRefund). A disputed charge is not refunded: the payer would be paid twice.

// reconcileSecondCharge refunds a second charge and records its refunds.
func (c *change) reconcileSecondCharge(charge method.Charge, ours chargeRefunds, asked time.Time) error {
	switch {
	case charge.Disputed:
		fresh, err := c.tx.Spend("disputed:"+c.t.ID+":"+charge.PaymentID, c.now.AddDate(1, 0, 0))
		if err == nil && fresh {
			c.alertOpenDispute("charge", charge.PaymentID)
		}
		return err
	case len(ours.refunds) > 0, charge.Left().Minor < 0:
		return c.reconcileRefunds(charge, ours, asked)
	case charge.Left().Minor <= 0:
		return nil
	}
	if err := c.refundSecondCharge(charge); err != nil {
		return err
	}
	c.alertPayment("order charged twice: the second charge is refunded", c.t.ID)
	return errors.Join(c.addEntry(enrol.EntryChargedTwice), c.notifyDueRefund(charge.PaymentID, charge.Left()))
}

// refundSecondCharge queues a refund of what the provider holds of a second charge.
func (c *change) refundSecondCharge(charge method.Charge) error {
	return c.queueRefund(Refund{PaymentID: charge.PaymentID, Amount: charge.Left(), Reason: ReasonSecondCharge})
}

// queueRefund stores a new refund of a charge and queues its posting.
func (c *change) queueRefund(refund Refund) error {
	refund.ID, refund.TxnID, refund.State, refund.CreatedAt = admission.NewID(), c.t.ID, method.RefundAsked, c.now
	if err := c.tx.SaveRefund(&refund); err != nil {
		return err
	}
	return c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: refund.ID, DueAt: c.now})
}

// fetchFailedRefunds fetches and settles an order if the refund of a second charge, of an excess or of a fee that counts failed or
// bounced. Without such a refund it returns the zero Status.
func (s *Service) fetchFailedRefunds(ctx context.Context, txnID string) (held method.Status, err error) {
	failed := false
	if err := s.Store.View(ctx, func(tx Tx) error {
		t, err := tx.Transaction(txnID)
		if err != nil || t == nil {
			return err
		}
		refunds, err := tx.RefundsOf(txnID)
		failed = slices.ContainsFunc(refunds, func(r Refund) bool {
			return r.Failed() && (r.PaymentID != t.PaymentID || r.Reason == ReasonExcess || t.State == Paid && t.RefundFailed)
		})
		return err
	}); err != nil || !failed {
		return method.Status{}, err
	}
	l, err := s.load(ctx, txnID)
	if err != nil {
		return method.Status{}, err
	}
	if l.gateway == nil {
		return method.Status{}, fmt.Errorf("order refund: gateway %q is not configured", l.t.Gateway)
	}
	held, asked, err := s.fetchTimed(ctx, l)
	if err != nil {
		return method.Status{}, fmt.Errorf("order refund %s: what the provider holds: %w", txnID, err)
	}
	_, err = s.settleAsked(ctx, txnID, asked, held, false)
	return held, err
}

// retryRefunds refunds the second charges, the excess and the fee whose refund failed or bounced, and reports whether there were any.
func (c *change) retryRefunds(held method.Status) (sent bool, err error) {
	refunds, err := c.tx.RefundsOf(c.t.ID)
	if err != nil {
		return false, err
	}
	for _, charge := range held.Captured() {
		ours := refundsOfCharge(refunds, charge.PaymentID)
		if len(ours.refunds) == 0 || ours.open || charge.Disputed || charge.Left().Minor <= 0 {
			continue
		}
		if charge.PaymentID == c.t.PaymentID {
			excess, err := c.refundExcess()
			if err != nil {
				return false, err
			}
			sent = sent || excess
			if failed := ours.failed(); !excess && failed != nil && c.t.State == Paid && c.t.RefundFailed {
				if failed.Amount.Minor > min(charge.Left().Minor, c.t.Charge.Minor-c.t.RefundedMinor) {
					return false, admission.ConflictProblem("", "Less is left of this payment than the refund that failed. Order another refund.")
				}
				sent, c.t.RefundFailed = true, false
				if err := c.sendFee(failed.Amount, failed.Cause); err != nil {
					return false, err
				}
			}
			continue
		}
		if err := c.refundSecondCharge(charge); err != nil {
			return false, err
		}
		sent = true
	}
	return sent, nil
}

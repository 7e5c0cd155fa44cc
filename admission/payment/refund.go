package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
)

// RefundReason is why a refund was made.
type RefundReason string

const (
	ReasonPaidTwice     RefundReason = "paid twice"
	ReasonPersonDeleted RefundReason = "paid for a deleted registration"
	ReasonSecondCharge  RefundReason = "second charge of one order"
	ReasonReview        RefundReason = "review"
	ReasonExcess        RefundReason = "paid above the fee"
	ReasonOrdered       RefundReason = "ordered"
	ReasonAtProvider    RefundReason = "at the provider"
	ReasonDispute       RefundReason = "dispute lost"
	// Losses: money that left a charge after all of it had left. They have no credit note and count in no total.
	ReasonRefundLoss  RefundReason = "refunded beyond the charge"
	ReasonDisputeLoss RefundReason = "dispute lost beyond the charge"
)

// Words returns the reason for staff. Rows of earlier versions have other words for ReasonPersonDeleted.
func (r RefundReason) Words() string {
	if r == "paid for who was deleted" {
		r = ReasonPersonDeleted
	}
	return string(r)
}

// Loss reports whether more left than was charged.
func (r RefundReason) Loss() bool { return r == ReasonRefundLoss || r == ReasonDisputeLoss }

// ByDispute reports whether the payer's bank took the money.
func (r RefundReason) ByDispute() bool { return r == ReasonDispute || r == ReasonDisputeLoss }

// Refund is one refund of a charge. ID is our idempotency key at the provider.
type Refund struct {
	ID, TxnID, ProviderID string
	Amount                admission.Money
	State                 method.RefundState
	CreatedAt             time.Time
	PaymentID             string // the refunded charge
	Reason                RefundReason
	Cause                 Cause     // of one that staff ordered; "" for the others
	PostedAt              time.Time // when it was posted to the provider; zero: not yet
	ChangedAt             time.Time // when it was done, failed or bounced; zero: none of them, or failed in an older version
	AlertedAt             time.Time // when staff were alerted that it takes too long; zero: not yet
	FailureReason         string    // why it failed or bounced: codes and our own words; "" if the provider gave none
}

// Failed reports whether the money stayed or came back.
func (r Refund) Failed() bool {
	return r.State == method.RefundFailed || r.State == method.RefundBounced
}

// Open reports whether the money is on its way, or will be.
func (r Refund) Open() bool { return r.State == method.RefundAsked || r.State == method.RefundAccepted }

// FailureWords returns FailureReason for staff.
func (r Refund) FailureWords() string { return cmp.Or(r.FailureReason, "the provider gave none") }

const (
	refundPollInterval = time.Hour          // between polls of an accepted refund
	refundAlertAfter   = 7 * 24 * time.Hour // after which an accepted refund alerts staff
	postGrace          = time.Minute        // during which another process may still be posting a refund
)

// OrderRefund queues the refunds that staff have ordered: all of a payment in refund_due or in review, and any second
// charges and excess whose refund failed or bounced. It never refunds a payment that holds a seat.
func (s *Service) OrderRefund(ctx context.Context, txnID string, by staff.Actor) error {
	status, err := s.fetchFailedRefunds(ctx, txnID)
	if err != nil {
		return err
	}
	return s.changeTransaction(ctx, txnID, func(c *change) error {
		ordered, err := c.retryRefunds(status)
		if err != nil {
			return err
		}
		if c.t.RefundOrdered() {
			return admission.ConflictProblem("", fmt.Sprintf("the refund of payment %s is ordered already", txnID))
		}
		if c.t.State == RefundDue || c.t.State == Review {
			ordered, c.t.RefundFailed = true, false
			if c.t.State == Review {
				c.t.StateBefore = Review
			}
			if err := c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: txnID, DueAt: c.now}); err != nil {
				return err
			}
		}
		if !ordered {
			return admission.ConflictProblem("", fmt.Sprintf("payment %s is %s; only refund_due and review go back from here", txnID, c.t.State))
		}
		kind := enrol.EntryRefundOrdered
		if err := c.tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: c.r.ID, Kind: kind, Detail: txnID, Who: by.Name, At: c.now}); err != nil {
			return err
		}
		return c.tx.LogAct(by.Did(c.now, string(kind), "payment "+txnID, string(c.t.State), ""))
	})
}

// Refund handles JobRefund. ref is the id of a refund, or of a payment to refund in full. The refund is stored before it is
// posted to the provider; it is posted once and polled afterwards.
func (s *Service) Refund(ctx context.Context, ref string) (again time.Duration, err error) {
	var refund *Refund
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		refund, err = tx.Refund(ref)
		return err
	}); err != nil {
		return 0, err
	}
	if refund == nil {
		if refund, again, err = s.refundOfPayment(ctx, ref); err != nil || refund == nil {
			return again, err
		}
	}
	l, err := s.load(ctx, refund.TxnID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil {
		return s.waitForGateway(ctx, l.t.Gateway)
	}
	status, again, err := s.sendRefund(ctx, l, refund)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("refund %s: %w", refund.ID, err), s.alertRefusedCredentials(ctx, l.t.Gateway, err))
	}
	if again > 0 {
		return again, nil
	}
	if status.State != method.RefundFailed {
		return s.recordRefund(ctx, refund.ID, refund.TxnID, status, true)
	}
	held, asked, err := s.fetchTimed(ctx, l) // staff may have refunded it at the provider
	if err != nil {
		return 0, fmt.Errorf("refund %s failed: what the provider holds: %w", refund.ID, err)
	}
	if again, err = s.recordRefund(ctx, refund.ID, refund.TxnID, status, held.Charge(refund.PaymentID).Left().Minor > 0); err != nil {
		return again, err
	}
	_, err = s.settleAsked(ctx, refund.TxnID, asked, held, false)
	return again, err
}

// waitForGateway delays a refund by a day because its gateway is not configured, and alerts staff.
func (s *Service) waitForGateway(ctx context.Context, gateway string) (again time.Duration, err error) {
	return 24 * time.Hour, s.alertDaily(ctx, "refund "+gateway, func() { s.Alert("a refund waits for a gateway that is not configured: " + gateway) })
}

// refundOfPayment returns the open refund of a payment's own charge, or stores one over what the provider still holds.
// It returns nil if there is nothing to refund or, with again > 0, not yet.
func (s *Service) refundOfPayment(ctx context.Context, txnID string) (refund *Refund, again time.Duration, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return nil, 0, err
	}
	if l.gateway == nil {
		again, err = s.waitForGateway(ctx, l.t.Gateway)
		return nil, again, err
	}
	held, asked, err := s.fetchTimed(ctx, l) // staff may have refunded some of it at the provider
	if err == nil && held.TxnID != txnID {
		err = method.ErrNoCharge
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("refund %s: what was charged: %w", txnID, err), s.alertRefusedCredentials(ctx, l.t.Gateway, err))
	}
	if l.t.chargeOf(held).Disputed { // a refund would pay the payer twice
		return nil, 24 * time.Hour, s.alertDaily(ctx, "disputed "+txnID, func() {
			s.alertPayment("refund postponed: the payment is disputed", txnID)
		})
	}
	err = s.changeTransaction(ctx, txnID, func(c *change) (err error) {
		if refund, err = c.tx.OpenRefund(txnID, c.t.PaymentID); err != nil || refund != nil {
			return err
		}
		if err := c.settle(held, asked); err != nil {
			return err
		}
		refund, err = c.newRefund(held)
		return err
	})
	return refund, 0, err
}

// newRefund stores a refund of what the provider holds of the attempt's own charge. It returns nil if Moves does not allow it. It also
// returns nil for money that we could not keep and whose refund failed, until staff order another: the job that polled it may still be due.
func (c *change) newRefund(held method.Status) (*Refund, error) {
	to, allowed := move(c.t.State, EventRefundSent)
	if !allowed || c.t.RefundFailed && c.t.State != Paid {
		return nil, nil
	}
	reason := ReasonOrdered
	own := c.t.chargeOf(held)
	switch c.t.State {
	case RefundDue:
		switch {
		case !c.r.ErasedAt.IsZero():
			reason = ReasonPersonDeleted
		case own.Amount != c.t.Charge: // a bounced refund of a payment that was in review
			reason = ReasonReview
		default:
			reason = ReasonPaidTwice
		}
	case Review:
		reason = ReasonReview
		if own.PaymentID == "" {
			return nil, c.endEmptyReview(held)
		}
		c.t.PaymentID, c.t.Means = own.PaymentID, own.Means
	}
	left := own.Left()
	if left.Minor <= 0 {
		return nil, nil
	}
	refund := &Refund{ID: admission.NewID(), TxnID: c.t.ID, PaymentID: own.PaymentID, Amount: left, State: method.RefundAsked, Reason: reason, CreatedAt: c.now}
	c.t.StateBefore, c.t.State, c.t.RefundFailed = c.t.State, to, false
	return refund, c.tx.SaveRefund(refund)
}

// chargeOf returns the attempt's own charge, or, in review, the first that the provider still holds; zero if there is none.
func (t *Transaction) chargeOf(held method.Status) method.Charge {
	if t.State == Review {
		return held.Kept()
	}
	return held.Charge(t.PaymentID)
}

// endEmptyReview ends the review of a payment of which the provider holds nothing: refunded there, or never captured.
func (c *change) endEmptyReview(held method.Status) error {
	if taken := held.Captured(); len(taken) > 0 {
		own := taken[max(0, slices.IndexFunc(taken, func(charge method.Charge) bool { return charge.PaymentID == c.t.PaymentID }))]
		c.t.PaymentID, c.t.Means = own.PaymentID, own.Means
		return c.recordReturned(own)
	}
	c.t.State, _ = move(c.t.State, EventFailed)
	if err := c.addEntry(endEntries[c.t.State]); err != nil {
		return err
	}
	return c.reopenRegistration()
}

// sendRefund posts a refund to the provider, or fetches its status once it is posted. again > 0: not known yet.
func (s *Service) sendRefund(ctx context.Context, l attempt, refund *Refund) (status method.RefundStatus, again time.Duration, err error) {
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	in := s.intentOf(l)
	if refund.State != method.RefundAsked {
		if refund.State != method.RefundAccepted && refund.State != method.RefundDone {
			return method.RefundStatus{State: refund.State}, 0, nil
		}
		status, err = l.gateway.FetchRefund(wait, in, refund.ID, refund.ProviderID)
		return status, 0, err
	}
	first := false
	if err := s.Store.Update(ctx, func(tx Tx) error {
		stored, err := tx.RefundForUpdate(refund.ID)
		if err != nil {
			return err
		}
		first = stored.PostedAt.IsZero()
		*refund = *stored
		if first {
			refund.PostedAt = s.Clock()
			return tx.SaveRefund(refund)
		}
		return nil
	}); err != nil {
		return status, 0, err
	}
	if !first {
		status, err = l.gateway.FetchRefund(wait, in, refund.ID, refund.ProviderID)
		if !errors.Is(err, method.ErrNoCharge) {
			return status, 0, err
		}
		if since := s.Clock().Sub(refund.PostedAt); since >= 0 && since < postGrace {
			return status, postGrace, nil
		}
	}
	charge := method.Charge{PaymentID: refund.PaymentID, State: method.ChargePaid, Amount: refund.Amount}
	status, err = l.gateway.Refund(wait, in, charge, refund.ID, refund.Amount)
	if errors.Is(err, method.ErrDeclined) {
		return method.RefundStatus{State: method.RefundFailed, Reason: method.DeclineReason(err)}, 0, nil
	}
	return status, 0, err
}

// recordRefund records the provider's status of a refund. holds reports whether the provider still holds money of a charge
// whose refund failed.
func (s *Service) recordRefund(ctx context.Context, refundID, txnID string, status method.RefundStatus, holds bool) (again time.Duration, err error) {
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		again = 0
		refund, err := c.tx.RefundForUpdate(refundID)
		if err != nil {
			return err
		}
		open := refund.Open()
		if refund.ProviderID == "" {
			refund.ProviderID = status.ProviderID
		}
		unneeded := refund.PaymentID != c.t.PaymentID || c.t.StateBefore == RefundDue
		if unneeded && refund.State == method.RefundAsked && (status.State == method.RefundAccepted || status.State == method.RefundDone) {
			if err := c.notifyRefund(refund); err != nil {
				return err
			}
		}
		switch {
		case open && status.State == method.RefundAccepted:
			again = refundPollInterval
			refund.State = method.RefundAccepted
			if refund.AlertedAt.IsZero() && c.now.Sub(refund.CreatedAt) >= refundAlertAfter {
				refund.AlertedAt = c.now
				c.alertPayment("refund not completed seven days after it was accepted", txnID)
			}
			return c.tx.SaveRefund(refund)
		case open && status.State == method.RefundDone:
			return c.recordRefundDone(refund)
		case open && status.State == method.RefundFailed:
			refund.State, refund.FailureReason, refund.ChangedAt = method.RefundFailed, status.Reason, c.now
			c.alertPayment("refund failed", txnID, "reason", refund.FailureWords())
			if _, allowed := move(c.t.State, EventRefundFailed); allowed && refund.PaymentID == c.t.PaymentID {
				c.t.State, c.t.StateBefore = c.t.StateBefore, ""
				c.t.RefundFailed = c.t.State == RefundDue || c.t.State == Review
			}
			if holds && c.t.State == Paid && refund.PaymentID == c.t.PaymentID {
				c.t.RefundFailed = true
				if refund.Reason == ReasonOrdered {
					if err := c.addEntry(enrol.EntryRefundFailed); err != nil {
						return err
					}
				}
			}
			if holds && (unneeded || refund.Reason == ReasonExcess || c.t.State == Review) {
				if err := errors.Join(c.addEntry(enrol.EntryRefundFailed), c.notifyFailedRefund(refund)); err != nil {
					return err
				}
			}
			return c.tx.SaveRefund(refund)
		case refund.State == method.RefundDone && status.State == method.RefundFailed:
			refund.FailureReason = status.Reason
			return c.recordBounce(refund)
		}
		return nil
	})
	return again, err
}

// recordRefundDone records a processed refund.
func (c *change) recordRefundDone(refund *Refund) error {
	if refund.PaymentID == c.t.PaymentID {
		return c.completeRefund(refund, EventRefundDone, c.t.State == RefundPending)
	}
	refund.State, refund.ChangedAt = method.RefundDone, c.now
	if err := c.addEntry(enrol.EntrySecondRefunded); err != nil {
		return err
	}
	return c.tx.SaveRefund(refund)
}

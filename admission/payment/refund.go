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

// RefundReason says why money goes back.
type RefundReason string

const (
	ReasonPaidTwice    RefundReason = "paid twice"
	ReasonForNobody    RefundReason = "paid for who was deleted"
	ReasonSecondCharge RefundReason = "second charge of one order"
	ReasonReview       RefundReason = "review"
	ReasonOrdered      RefundReason = "ordered"
	ReasonAtProvider   RefundReason = "at the provider"
	ReasonDispute      RefundReason = "dispute lost"
)

// Refund is money on its way back. ID is our idempotency key at the provider.
type Refund struct {
	ID, TxnID, ProviderID string
	Amount                admission.Money
	State                 method.RefundState
	CreatedAt             time.Time
	PaymentID             string // the charge that it is of
	Reason                RefundReason
	PostedAt              time.Time // when the provider was told; zero: not yet
	ChangedAt             time.Time // when it was done, or bounced; zero: neither
	AlertedAt             time.Time // that it takes too long; zero: not yet
}

const (
	refundEvery  = time.Hour          // how often an accepted refund is asked about
	refundLong   = 7 * 24 * time.Hour // after which a person is told
	postedLately = time.Minute        // within which another process may still be posting it
)

// OrderRefund has the worker send back what staff want to go back of a payment: all of one in refund_due or in review, and
// of any other what the provider still holds of second charges whose refund failed or bounced. What paid for a seat is not
// sent back from here. who is written to the timeline.
func (s *Service) OrderRefund(ctx context.Context, txnID, who string) error {
	held, err := s.heldOfSeconds(ctx, txnID)
	if err != nil {
		return err
	}
	return s.changeTransaction(ctx, txnID, func(c *change) error {
		ordered, err := c.sendSecondsAgain(held)
		if err != nil {
			return err
		}
		if c.t.State == RefundDue || c.t.State == Review {
			ordered = true
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
		return c.tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: c.r.ID, Kind: enrol.EntryRefundOrdered, Detail: txnID, Who: who, At: c.now})
	})
}

// Refund is the work of JobRefund. ref is a refund's id, or the id of a payment that must go back whole. The refund
// stands in our books before the provider hears of it; it is posted once, and asked about from then on.
func (s *Service) Refund(ctx context.Context, ref string) (again time.Duration, err error) {
	var refund *Refund
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		refund, err = tx.Refund(ref)
		return err
	}); err != nil {
		return 0, err
	}
	if refund == nil {
		if refund, again, err = s.refundOf(ctx, ref); err != nil || refund == nil {
			return again, err
		}
	}
	l, err := s.load(ctx, refund.TxnID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil {
		return s.refundWaits(ctx, l.t.Gateway)
	}
	status, again, err := s.pushRefund(ctx, l, refund)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("refund %s: %w", refund.ID, err), s.alertOfCredentials(ctx, l.t.Gateway, err))
	}
	if again > 0 {
		return again, nil
	}
	return s.bookRefund(ctx, refund.ID, refund.TxnID, status)
}

// refundWaits has a refund wait a day for its gateway to be configured again, and a person told.
func (s *Service) refundWaits(ctx context.Context, gateway string) (again time.Duration, err error) {
	return 24 * time.Hour, s.daily(ctx, "refund "+gateway, func() { s.Alert("a refund waits for a gateway that is not configured: " + gateway) })
}

// refundOf returns the refund that is under way of a payment's own charge, or makes it, of what the provider still holds;
// nil where nothing goes back, or, with again > 0, not yet.
func (s *Service) refundOf(ctx context.Context, txnID string) (refund *Refund, again time.Duration, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return nil, 0, err
	}
	if l.gateway == nil {
		again, err = s.refundWaits(ctx, l.t.Gateway)
		return nil, again, err
	}
	held, asked, err := s.held(ctx, l) // perhaps some of it has gone back already, by hand at the provider
	if err == nil && held.TxnID != txnID {
		err = method.ErrNoCharge
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("refund %s: what was charged: %w", txnID, err), s.alertOfCredentials(ctx, l.t.Gateway, err))
	}
	if l.t.chargeOf(held).Disputed { // the payer's bank holds the money: a refund would pay it twice
		return nil, 24 * time.Hour, s.daily(ctx, "disputed "+txnID, func() { s.alertOf("a payment that must go back is disputed: it waits for the dispute's end", txnID) })
	}
	err = s.changeTransaction(ctx, txnID, func(c *change) (err error) {
		if refund, err = c.tx.OpenRefund(txnID, c.t.PaymentID); err != nil || refund != nil {
			return err
		}
		if err := c.settle(held, asked); err != nil { // books what has gone back
			return err
		}
		refund, err = c.newRefund(held)
		return err
	})
	return refund, 0, err
}

// newRefund puts what is held of the attempt's own charge on its way back; nil where Moves does not allow it.
func (c *change) newRefund(held method.Status) (*Refund, error) {
	to, allowed := move(c.t.State, EventRefundSent)
	if !allowed {
		return nil, nil
	}
	reason := ReasonOrdered
	own := c.t.chargeOf(held)
	switch c.t.State {
	case RefundDue:
		switch {
		case !c.r.ErasedAt.IsZero():
			reason = ReasonForNobody
		case own.Amount != c.t.Charge: // of a review, and has bounced
			reason = ReasonReview
		default:
			reason = ReasonPaidTwice
		}
	case Review:
		reason = ReasonReview
		if own.PaymentID == "" { // nothing is held
			return nil, c.endEmptyReview(held)
		}
		c.t.PaymentID, c.t.Means = own.PaymentID, own.Means
	}
	left := own.Left()
	if left.Minor <= 0 {
		return nil, nil
	}
	refund := &Refund{ID: admission.NewID(), TxnID: c.t.ID, PaymentID: own.PaymentID, Amount: left, State: method.RefundAsked, Reason: reason, CreatedAt: c.now}
	c.t.StateBefore, c.t.State = c.t.State, to
	return refund, c.tx.SaveRefund(refund)
}

// chargeOf returns the attempt's own charge, in review the first that the provider still holds; the zero Charge where there
// is none.
func (t *Transaction) chargeOf(held method.Status) method.Charge {
	if t.State == Review {
		return held.Kept()
	}
	return held.Charge(t.PaymentID)
}

// endEmptyReview ends the review of a payment of which the provider holds nothing: it went back there, or never came.
func (c *change) endEmptyReview(held method.Status) error {
	if taken := held.Captured(); len(taken) > 0 {
		own := taken[max(0, slices.IndexFunc(taken, func(charge method.Charge) bool { return charge.PaymentID == c.t.PaymentID }))]
		c.t.PaymentID, c.t.Means = own.PaymentID, own.Means
		there := c.byHand(own, own.Refunded.Minor, ReasonAtProvider)
		return c.goneBack(&there, EventRefundedThere, true)
	}
	c.t.State, _ = move(c.t.State, EventFailed)
	if err := c.note(endEntries[c.t.State]); err != nil {
		return err
	}
	return c.letGoOn()
}

// pushRefund tells the provider of a refund, or asks about one that it was told of. again > 0: nothing is known yet.
func (s *Service) pushRefund(ctx context.Context, l loaded, refund *Refund) (status method.RefundStatus, again time.Duration, err error) {
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
		kept, err := tx.RefundForUpdate(refund.ID)
		if err != nil {
			return err
		}
		first = kept.PostedAt.IsZero()
		*refund = *kept
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
		if since := s.Clock().Sub(refund.PostedAt); since >= 0 && since < postedLately {
			return status, postedLately, nil
		}
	}
	charge := method.Charge{PaymentID: refund.PaymentID, State: method.ChargePaid, Amount: refund.Amount}
	status, err = l.gateway.Refund(wait, in, charge, refund.ID, refund.Amount)
	if errors.Is(err, method.ErrDeclined) {
		return method.RefundStatus{State: method.RefundFailed}, 0, nil
	}
	return status, 0, err
}

// bookRefund writes down what the provider says of a refund.
func (s *Service) bookRefund(ctx context.Context, refundID, txnID string, status method.RefundStatus) (again time.Duration, err error) {
	failed := false
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		again, failed = 0, false
		refund, err := c.tx.RefundForUpdate(refundID)
		if err != nil {
			return err
		}
		under := refund.State == method.RefundAsked || refund.State == method.RefundAccepted
		if refund.ProviderID == "" {
			refund.ProviderID = status.ProviderID
		}
		switch {
		case under && status.State == method.RefundAccepted:
			again = refundEvery
			refund.State = method.RefundAccepted
			if refund.AlertedAt.IsZero() && c.now.Sub(refund.CreatedAt) >= refundLong {
				refund.AlertedAt = c.now
				c.alertOf("a refund was accepted more than seven days ago and is not done", txnID)
			}
			return c.tx.SaveRefund(refund)
		case under && status.State == method.RefundDone:
			return c.refundDone(refund)
		case under && status.State == method.RefundFailed:
			failed = true
			c.alertOf("refund failed", txnID)
			refund.State = method.RefundFailed
			if _, allowed := move(c.t.State, EventRefundFailed); allowed && refund.PaymentID == c.t.PaymentID {
				c.t.State, c.t.StateBefore = c.t.StateBefore, ""
			}
			return c.tx.SaveRefund(refund)
		case refund.State == method.RefundDone && status.State == method.RefundFailed:
			return c.bounced(refund)
		}
		return nil
	})
	if err == nil && failed { // perhaps because it has gone back already, by hand at the provider
		_, _, err = s.ask(ctx, txnID, gatewayWait, false, s.fetch)
	}
	return again, err
}

// refundDone books a refund that is processed.
func (c *change) refundDone(refund *Refund) error {
	if refund.PaymentID == c.t.PaymentID {
		return c.goneBack(refund, EventRefundDone, true) // it was of all that was left
	}
	refund.State, refund.ChangedAt = method.RefundDone, c.now
	if err := c.note(enrol.EntrySecondRefunded); err != nil {
		return err
	}
	return c.tx.SaveRefund(refund)
}

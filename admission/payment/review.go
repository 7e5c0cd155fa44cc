package payment

import (
	"context"
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
)

// A payment is in review if the provider reports it paid, but with another amount or for another attempt. Staff accept it,
// judge it again, or refund it (OrderRefund).

// AcceptReview accepts a payment in review as paid with the amount that the provider holds, and refunds what is above the
// price. It returns a Conflict if the payment is not in review, the provider holds nothing or another currency, or another
// payment has paid the registration.
func (s *Service) AcceptReview(ctx context.Context, txnID string, by staff.Actor) (after Transaction, err error) {
	return s.endReview(ctx, txnID, enrol.EntryReviewAccepted, by, func(c *change, held method.Status, asked time.Time) error {
		if c.r.Paid() {
			return admission.ConflictProblem("", fmt.Sprintf("registration %s is paid by %s: this payment can only go back", c.r.ID, c.r.PaidTxnID))
		}
		own := held.Kept()
		if held.TxnID != txnID || own.PaymentID == "" {
			return admission.ConflictProblem("", fmt.Sprintf("the provider holds nothing of payment %s", txnID))
		}
		if own.Amount.Currency != c.t.Charge.Currency {
			return admission.ConflictProblem("", fmt.Sprintf("the provider holds %s, the fee is %s: this payment can only go back", own.Amount, c.t.Charge))
		}
		c.t.AdjustmentMinor, c.t.Charge = c.t.Charge.Minor-own.Amount.Minor, own.Amount
		if err := c.apply(EventAccepted, own); err != nil {
			return err
		}
		if err := c.settle(held, asked); err != nil { // it may be partly refunded or charged twice
			return err
		}
		_, err := c.refundExcess()
		return err
	})
}

// refundExcess queues the refund of the excess that has not gone back, and reports whether there is any.
func (c *change) refundExcess() (sent bool, err error) {
	left := c.t.Excess() - c.t.RefundedMinor
	if c.t.State != Paid || left <= 0 {
		return false, nil
	}
	c.t.RefundFailed = false
	return true, c.queueRefund(Refund{PaymentID: c.t.PaymentID, Amount: c.t.Charge.With(left), Reason: ReasonExcess})
}

// IfAccepted describes for staff what accepting a payment in review does.
func (t *Transaction) IfAccepted() string {
	differs := t.Charge.With(t.Charge.Minor - t.Arrived.Minor)
	switch {
	case t.Arrived.Currency != t.Charge.Currency:
		return fmt.Sprintf("%s was paid, the fee is %s: it can only go back", t.Arrived, t.Charge)
	case differs.Minor > 0:
		return fmt.Sprintf("if accepted, the invoice is over %s, with an adjustment of %s to the fee of %s", t.Arrived, differs, t.Charge)
	}
	differs.Minor = -differs.Minor
	return fmt.Sprintf("if accepted, the invoice is over the fee of %s, and %s goes back", t.Charge, differs)
}

// JudgeAgain fetches a payment in review and judges the answer as if it were the first. An unchanged payment stays in review.
func (s *Service) JudgeAgain(ctx context.Context, txnID string, by staff.Actor) (after Transaction, err error) {
	return s.endReview(ctx, txnID, enrol.EntryReviewJudgedAgain, by, func(c *change, held method.Status, asked time.Time) error {
		switch own := held.Kept(); {
		case held.TxnID != txnID:
			return nil
		case own.PaymentID == "":
			return c.endEmptyReview(held)
		case own.Amount != c.t.Charge:
			return nil
		}
		if err := c.judge(held); err != nil {
			return err
		}
		return c.settle(held, asked)
	})
}

// endReview fetches a payment in review and calls decide, which ends the review.
func (s *Service) endReview(ctx context.Context, txnID string, kind enrol.EntryKind, by staff.Actor, decide func(c *change, held method.Status, asked time.Time) error) (after Transaction, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return after, err
	}
	if l.t.State != Review {
		return *l.t, notInReview(l.t)
	}
	if l.gateway == nil {
		return *l.t, fmt.Errorf("%s: gateway %q is not configured", kind, l.t.Gateway)
	}
	held, asked, err := s.fetchTimed(ctx, l)
	if err != nil {
		return *l.t, fmt.Errorf("%s: what the provider holds: %w", kind, err)
	}
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		if c.t.State != Review {
			return notInReview(c.t)
		}
		if c.t.StateBefore == Review {
			return admission.ConflictProblem("", fmt.Sprintf("payment %s was ordered to go back", txnID))
		}
		if err := c.tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: c.r.ID, Kind: kind, Detail: txnID, Who: by.Name, At: c.now}); err != nil {
			return err
		}
		before := c.t.State
		err := decide(c, held, asked)
		if after = *c.t; err != nil {
			return err
		}
		return c.tx.LogAct(by.Did(c.now, string(kind), "payment "+txnID, string(before), string(c.t.State)))
	})
	return after, err
}

func notInReview(t *Transaction) error {
	return admission.ConflictProblem("", fmt.Sprintf("payment %s is %s, not in review", t.ID, t.State))
}

package payment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// A second charge is one of the same order that nobody needs. It goes back by itself, once; after a refund that failed or
// bounced a person decides (OrderRefund). While the payer's bank disputes it nothing goes back: it would be paid twice.

// followSecond sends back a second charge, by itself alone, and books what has gone back of it.
func (c *change) followSecond(charge method.Charge, refunds []Refund, asked time.Time) error {
	booked := bookedOf(refunds, charge.PaymentID)
	switch {
	case charge.Disputed:
		return nil
	case len(booked.refunds) > 0:
		return c.followRefunds(charge, booked, asked, c.refundDone)
	case charge.Left().Minor <= 0:
		return nil
	}
	refund, err := c.sendSecond(charge)
	if err != nil {
		return err
	}
	c.alertOf("one order was charged twice: the second charge goes back", c.t.ID)
	if err := c.note(enrol.EntryChargedTwice); err != nil {
		return err
	}
	return c.tellOfRefund(refund.ID, charge.PaymentID, refund.Amount)
}

// sendSecond puts on its way back what the provider holds of a second charge.
func (c *change) sendSecond(charge method.Charge) (Refund, error) {
	refund := Refund{
		ID: admission.NewID(), TxnID: c.t.ID, PaymentID: charge.PaymentID, Amount: charge.Left(), State: method.RefundAsked, Reason: ReasonSecondCharge, CreatedAt: c.now,
	}
	if err := c.tx.SaveRefund(&refund); err != nil {
		return Refund{}, err
	}
	return refund, c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: refund.ID, DueAt: c.now})
}

// heldOfSeconds asks the provider what it holds of an order where a refund of a second charge has failed or bounced, and
// books what has gone back by hand. Without such a refund nothing is asked, and the zero Status returned.
func (s *Service) heldOfSeconds(ctx context.Context, txnID string) (held method.Status, err error) {
	failed := false
	if err := s.Store.View(ctx, func(tx Tx) error {
		t, err := tx.Transaction(txnID)
		if err != nil || t == nil {
			return err
		}
		refunds, err := tx.RefundsOf(txnID)
		failed = slices.ContainsFunc(refunds, func(r Refund) bool {
			return r.PaymentID != t.PaymentID && (r.State == method.RefundFailed || r.State == method.RefundBounced)
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
	held, asked, err := s.held(ctx, l)
	if err != nil {
		return method.Status{}, fmt.Errorf("order refund %s: what the provider holds: %w", txnID, err)
	}
	_, err = s.settleAsked(ctx, txnID, asked, held, false)
	return held, err
}

// sendSecondsAgain sends back what is held of second charges whose refund failed or bounced, and reports whether there was any.
func (c *change) sendSecondsAgain(held method.Status) (sent bool, err error) {
	refunds, err := c.tx.RefundsOf(c.t.ID)
	if err != nil {
		return false, err
	}
	for _, charge := range held.Captured() {
		booked := bookedOf(refunds, charge.PaymentID)
		if charge.PaymentID == c.t.PaymentID || len(booked.refunds) == 0 || booked.under || charge.Disputed || charge.Left().Minor <= 0 {
			continue
		}
		if _, err := c.sendSecond(charge); err != nil {
			return false, err
		}
		sent = true
	}
	return sent, nil
}

package payment

import (
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// A dispute is the payer's bank that takes the money back for now. Most gateways tell of it in their answers; those that do
// not, in events alone, say so by Descriptor.DisputesByEvent.

// followDispute books that a dispute was opened, and how it ended, as an answer tells it.
func (c *change) followDispute(own method.Charge, asked time.Time) error {
	if !c.t.DisputedAt.IsZero() && !asked.After(c.t.DisputedAt) { // the answer may be older than what we know
		return nil
	}
	return c.disputeStands(own)
}

// disputeTold books what an event tells of a dispute. A second event that tells the same changes nothing.
func (c *change) disputeTold(told method.Dispute, paymentID string, answer method.Status) error {
	if paymentID != "" && c.t.PaymentID != "" && paymentID != c.t.PaymentID {
		return c.secondDisputed(told, paymentID, answer)
	}
	own := method.Charge{PaymentID: c.t.PaymentID, State: method.ChargePaid, Amount: c.t.Charge, Disputed: told == method.DisputeOpened}
	if told == method.DisputeLost {
		own.State = method.ChargeRefunded
		if c.t.State == Paid { // its beginning was not heard of
			if err := c.dispute(EventDisputed, own); err != nil {
				return err
			}
		}
	}
	return c.disputeStands(own)
}

// disputeStands books how a dispute stands by the attempt's own charge, where our books say something else.
func (c *change) disputeStands(own method.Charge) error {
	switch {
	case own.Disputed && (c.t.State == Paid || c.t.DisputedAt.IsZero() && (c.t.State == Refunded || c.t.State == RefundPending)):
		return c.dispute(EventDisputed, own) // of what goes back it is told, and moves nothing: the payer would have it twice
	case !own.Disputed && c.t.State == Disputed && own.State == method.ChargeRefunded:
		return c.dispute(EventDisputeLost, own)
	case !own.Disputed && c.t.State == Disputed:
		return c.dispute(EventDisputeWon, own)
	}
	return nil
}

// dispute books what has become of a dispute of the attempt's own charge.
func (c *change) dispute(event Event, own method.Charge) error {
	c.t.DisputedAt = c.now
	var kind enrol.EntryKind
	switch event {
	case EventDisputed:
		kind = enrol.EntryDisputeOpened
		c.alertOf("a dispute was opened: answer it at the provider before its deadline", c.t.ID)
	case EventDisputeWon:
		kind = enrol.EntryDisputeWon
		c.alertOf("a dispute was won", c.t.ID)
	case EventDisputeLost:
		c.alertOf("a dispute was lost", c.t.ID)
		lost := c.byHand(own, own.Amount.Minor-c.t.RefundedMinor, ReasonDispute)
		return c.goneBack(&lost, EventDisputeLost, true)
	}
	c.t.State, _ = move(c.t.State, event)
	return c.note(kind)
}

// secondDisputed tells a person what an event tells of a dispute of another charge of the same order. One that is lost has gone
// back with it.
func (c *change) secondDisputed(told method.Dispute, paymentID string, answer method.Status) error {
	switch told {
	case method.DisputeOpened:
		c.alertOf("a dispute was opened: answer it at the provider before its deadline", c.t.ID, "charge", paymentID)
	case method.DisputeWon:
		c.alertOf("a dispute was won", c.t.ID, "charge", paymentID)
	case method.DisputeLost:
		refunds, err := c.tx.RefundsOf(c.t.ID)
		if err != nil {
			return err
		}
		booked, charge := bookedOf(refunds, paymentID), answer.Charge(paymentID)
		if left := charge.Amount.Minor - booked.done; left > 0 && !booked.under {
			c.alertOf("a dispute was lost", c.t.ID, "charge", paymentID)
			lost := c.byHand(charge, left, ReasonDispute)
			return c.refundDone(&lost)
		}
	}
	return nil
}

// disputed is a charge of a gateway's answer, with what only events have told of its disputes.
func (e Entry) disputed(charge method.Charge, t *Transaction, refunds []Refund) method.Charge {
	if !e.DisputesByEvent {
		return charge
	}
	charge.Disputed = charge.PaymentID == t.PaymentID && t.State == Disputed
	for _, refund := range refunds {
		if refund.PaymentID == charge.PaymentID && refund.Reason == ReasonDispute && refund.State == method.RefundDone {
			charge.State = method.ChargeRefunded
			charge.Refunded = charge.Amount // what is lost is all that was left
		}
	}
	return charge
}

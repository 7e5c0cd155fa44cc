package payment

import (
	"time"

	"hiresure/admission/payment/method"
)

// A dispute is the payer's bank that takes the money back for now. Most gateways tell of it in their answers; those that do
// not, in events alone, say so by Descriptor.DisputesByEvent.

// followDispute books that a dispute was opened, and how it ended, as an answer tells it.
func (c *change) followDispute(own Charge, asked time.Time) error {
	if !c.t.DisputedAt.IsZero() && !asked.After(c.t.DisputedAt) { // the answer may be older than what we know
		return nil
	}
	return c.disputeStands(own)
}

// disputeTold books what an event tells of a dispute. A second event that tells the same changes nothing.
func (c *change) disputeTold(told method.Dispute) error {
	own := Charge{PaymentID: c.t.PaymentID, State: ChargePaid, Amount: c.t.Charge, Disputed: told == method.DisputeOpened}
	if told == method.DisputeLost {
		own.State = ChargeRefunded
		if c.t.State == Paid { // its beginning was not heard of
			if err := c.dispute(EventDisputed, own); err != nil {
				return err
			}
		}
	}
	return c.disputeStands(own)
}

// disputeStands books how a dispute stands by the attempt's own charge, where our books say something else.
func (c *change) disputeStands(own Charge) error {
	switch {
	case own.Disputed && (c.t.State == Paid || c.t.DisputedAt.IsZero() && (c.t.State == Refunded || c.t.State == RefundPending)):
		return c.dispute(EventDisputed, own) // of what goes back it is told, and moves nothing: the payer would have it twice
	case !own.Disputed && c.t.State == Disputed && own.State == ChargeRefunded:
		return c.dispute(EventDisputeLost, own)
	case !own.Disputed && c.t.State == Disputed:
		return c.dispute(EventDisputeWon, own)
	}
	return nil
}

// dispute books what has become of a dispute of the attempt's own charge.
func (c *change) dispute(event Event, own Charge) error {
	c.t.DisputedAt = c.now
	switch event {
	case EventDisputed:
		c.alertOf("a dispute was opened: answer it at the provider before its deadline", c.t.ID)
	case EventDisputeWon:
		c.alertOf("a dispute was won", c.t.ID)
	case EventDisputeLost:
		c.alertOf("a dispute was lost", c.t.ID)
		lost := c.byHand(own, own.Amount.Minor-c.t.RefundedMinor, ReasonDispute)
		return c.goneBack(&lost, EventDisputeLost, true)
	}
	c.t.State, _ = move(c.t.State, event)
	return c.note(string(event))
}

// disputed is a charge of a gateway's answer, with what only events have told of its disputes.
func (e Entry) disputed(charge Charge, t *Transaction, refunds []Refund) Charge {
	if !e.DisputesByEvent || charge.PaymentID != t.PaymentID {
		return charge
	}
	charge.Disputed = t.State == Disputed
	for _, refund := range refunds {
		if refund.PaymentID == charge.PaymentID && refund.Reason == ReasonDispute && refund.State == RefundDone {
			charge.State = ChargeRefunded
			charge.Refunded = charge.Amount // what is lost is all that was left
		}
	}
	return charge
}

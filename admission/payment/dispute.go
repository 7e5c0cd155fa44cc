package payment

import (
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// In a dispute the payer's bank takes the money back until the dispute is decided. Most gateways report disputes in their
// answers. Gateways that report them only in events set Descriptor.DisputesByEvent.

// reconcileDispute records a dispute that an answer reports, unless the answer is older than our records.
func (c *change) reconcileDispute(own method.Charge, asked time.Time) error {
	if !c.t.DisputedAt.IsZero() && !asked.After(c.t.DisputedAt) {
		return nil
	}
	return c.updateDispute(own)
}

// applyDisputeEvent records a dispute that an event reports. A repeated event changes nothing.
func (c *change) applyDisputeEvent(dispute method.Dispute, paymentID string, answer method.Status) error {
	if paymentID != "" && c.t.PaymentID != "" && paymentID != c.t.PaymentID {
		return c.applySecondDispute(dispute, paymentID, answer)
	}
	own := method.Charge{PaymentID: c.t.PaymentID, State: method.ChargePaid, Amount: c.t.Charge, Disputed: dispute == method.DisputeOpened}
	if dispute == method.DisputeLost {
		own.State = method.ChargeRefunded
		if c.t.State == Paid { // the event that opened it never arrived
			if err := c.dispute(EventDisputed, own); err != nil {
				return err
			}
		}
	}
	return c.updateDispute(own)
}

// updateDispute records the dispute state of the attempt's own charge if it differs from ours.
func (c *change) updateDispute(own method.Charge) error {
	switch {
	case own.Disputed && (c.t.State == Paid || c.t.DisputedAt.IsZero() && (c.t.State == Refunded || c.t.State == RefundPending)):
		return c.dispute(EventDisputed, own) // a dispute of a refunded payment only alerts
	case !own.Disputed && c.t.State == Disputed && own.State == method.ChargeRefunded:
		return c.dispute(EventDisputeLost, own)
	case !own.Disputed && c.t.State == Disputed:
		return c.dispute(EventDisputeWon, own)
	}
	return nil
}

// dispute records a dispute event of the attempt's own charge.
func (c *change) dispute(event Event, own method.Charge) error {
	c.t.DisputedAt = c.now
	var kind enrol.EntryKind
	switch event {
	case EventDisputed:
		kind = enrol.EntryDisputeOpened
		c.alertPayment("a dispute was opened: answer it at the provider before its deadline", c.t.ID)
	case EventDisputeWon:
		kind = enrol.EntryDisputeWon
		c.alertPayment("a dispute was won", c.t.ID)
	case EventDisputeLost:
		c.alertPayment("a dispute was lost", c.t.ID)
		lost := c.providerRefund(own, own.Amount.Minor-c.t.RefundedMinor, ReasonDispute)
		return c.completeRefund(&lost, EventDisputeLost, true)
	}
	c.t.State, _ = move(c.t.State, event)
	return c.addEntry(kind)
}

// applySecondDispute alerts staff about a dispute of another charge of the same order. A lost dispute refunds that
// charge.
func (c *change) applySecondDispute(dispute method.Dispute, paymentID string, answer method.Status) error {
	switch dispute {
	case method.DisputeOpened:
		c.alertPayment("a dispute was opened: answer it at the provider before its deadline", c.t.ID, "charge", paymentID)
	case method.DisputeWon:
		c.alertPayment("a dispute was won", c.t.ID, "charge", paymentID)
	case method.DisputeLost:
		refunds, err := c.tx.RefundsOf(c.t.ID)
		if err != nil {
			return err
		}
		ours, charge := refundsOfCharge(refunds, paymentID), answer.Charge(paymentID)
		if left := charge.Amount.Minor - ours.done; left > 0 && !ours.open {
			c.alertPayment("a dispute was lost", c.t.ID, "charge", paymentID)
			lost := c.providerRefund(charge, left, ReasonDispute)
			return c.recordRefundDone(&lost)
		}
	}
	return nil
}

// withDispute returns charge with the disputes that the gateway reports only by events.
func (e Entry) withDispute(charge method.Charge, t *Transaction, refunds []Refund) method.Charge {
	if !e.DisputesByEvent {
		return charge
	}
	charge.Disputed = charge.PaymentID == t.PaymentID && t.State == Disputed
	for _, refund := range refunds {
		if refund.PaymentID == charge.PaymentID && refund.Reason == ReasonDispute && refund.State == method.RefundDone {
			charge.State = method.ChargeRefunded
			charge.Refunded = charge.Amount
		}
	}
	return charge
}

package sandbox

import (
	"context"
	"fmt"
	"time"

	"hiresure/admission/payment/method"
)

// ChargeEvent is an event at the provider after a charge was paid.
type ChargeEvent string

const (
	RefundedThere     ChargeEvent = "refunded"      // all that is left, by the provider's staff
	PartRefundedThere ChargeEvent = "part_refunded" // a tenth of the charge
	RefundBounces     ChargeEvent = "bounced"       // the latest refund is returned, of a second charge first
	SecondCharge      ChargeEvent = "second_charge"
	DisputeOpens      ChargeEvent = "dispute_opened"
	DisputeWon        ChargeEvent = "dispute_won"
	DisputeLost       ChargeEvent = "dispute_lost"
	DisputeLostInPart ChargeEvent = "dispute_lost_in_part" // a third of the charge
)

// ChargeEvents lists them for the developer's page: button and consequence.
var ChargeEvents = []struct {
	What        ChargeEvent
	Label, Note string
}{
	{RefundedThere, "Refund it at the provider", "Its staff send back all that is left. We book it as refunded: the registration ends, with a credit note and a mail."},
	{PartRefundedThere, "Refund a tenth of it at the provider", "The registration stays. A credit note for the part, and a mail."},
	{RefundBounces, "Let the latest refund bounce", "Its money is with us again: what it paid for stands again, a debit note reverses the credit note, and a person is alerted."},
	{SecondCharge, "Charge it a second time", "The second charge goes back by itself. A person is alerted."},
	{DisputeOpens, "Open a dispute", "The payer’s bank takes the money back for now. The registration stays, and a person is alerted."},
	{DisputeWon, "Win the dispute", "The bank decides for us: it is paid again, also where the dispute was lost before."},
	{DisputeLost, "Lose the dispute", "The bank decides for the payer: refunded, with a credit note and a mail. If all of it was refunded before, it went out twice: we book a loss, and a person is alerted."},
	{DisputeLostInPart, "Lose a third of the dispute", "The registration stays. A credit note for the part, and a mail."},
}

var webhookOf = map[ChargeEvent]string{
	RefundedThere: "refund.processed", PartRefundedThere: "refund.processed", RefundBounces: "refund.failed", SecondCharge: "payment.paid",
	DisputeOpens: "dispute.created", DisputeWon: "dispute.won", DisputeLost: "dispute.lost", DisputeLostInPart: "dispute.lost",
}

// Apply applies an event to a paid order and sends a webhook; ErrDeclined if it is impossible.
func (g *Gateway) Apply(ctx context.Context, txnID string, what ChargeEvent) error {
	o, err := g.change(ctx, txnID, func(o *order) error { return o.apply(what, g.Clock()) })
	if err == nil {
		g.send(ctx, o, webhookOf[what], 1)
	}
	return err
}

func (o *order) apply(what ChargeEvent, now time.Time) error {
	refuse := func() error { return fmt.Errorf("%w: %s cannot happen to this order", method.ErrDeclined, what) }
	if len(o.Charges) == 0 {
		return refuse()
	}
	c := &o.Charges[0]
	left := c.Amount.Minor - c.back(true) // the provider's staff may refund what the bank has taken or will take
	switch {
	case what == RefundedThere && left > 0:
		c.byHand(left)
	case what == PartRefundedThere && left > c.Amount.Minor/10 && c.Amount.Minor >= 10:
		c.byHand(c.Amount.Minor / 10)
	case what == RefundBounces:
		if c = o.bounce(); c == nil {
			return refuse()
		}
	case what == SecondCharge:
		o.capture(o.Asked, now)
		return nil
	case what == DisputeOpens && c.Lost == 0 && !c.Disputed:
		c.Disputed = true
	case what == DisputeWon && (c.Disputed || c.Lost > 0):
		c.Disputed, c.Lost = false, 0
	case what == DisputeLost && c.Disputed && left > 0:
		c.Disputed, c.Lost = false, left
	case what == DisputeLost && c.Disputed:
		c.Disputed, c.Lost = false, c.Amount.Minor
	case what == DisputeLostInPart && c.Disputed:
		c.Disputed, c.Lost = false, c.Amount.Minor/3
	default:
		return refuse()
	}
	c.MovedAt = now
	return nil
}

// byHand adds a refund by the provider's staff.
func (c *charge) byHand(minor int64) {
	c.ByHand, c.LastByHand = c.ByHand+minor, minor
}

// bounce returns the latest finished refund of the order to us, and returns its charge; nil if there is none.
func (o *order) bounce() *charge {
	for i := len(o.Charges) - 1; i >= 0; i-- {
		if o.Charges[i].bounce() {
			return &o.Charges[i]
		}
	}
	return nil
}

// bounce reverses the charge's latest refund, ours before one by staff, and reports whether there was one.
func (c *charge) bounce() bool {
	for i := len(c.Refunds) - 1; i >= 0; i-- {
		if c.Refunds[i].State == method.RefundDone {
			c.Refunds[i].State = method.RefundFailed
			return true
		}
	}
	came := c.LastByHand
	c.ByHand, c.LastByHand = c.ByHand-came, 0
	return came > 0
}

package payment

import (
	"cmp"
	"errors"

	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// In a dispute the payer's bank takes the money back until the dispute is decided. Most gateways report disputes in their
// answers. Gateways that report them only in events set Descriptor.DisputesByEvent.

// openDispute records an open dispute of the attempt's own charge and notifies the payer. A dispute of a refunded payment
// only alerts.
func (c *change) openDispute() error {
	holds := c.t.State == Paid
	if err := c.recordOpenDispute(); err != nil || !holds {
		return err
	}
	return c.notifyDisputed()
}

func (c *change) recordOpenDispute() error {
	if c.t.State != Paid && (!c.t.DisputedAt.IsZero() || c.t.State != Refunded && c.t.State != RefundPending) {
		return nil
	}
	c.t.DisputedAt = c.now
	c.alertOpenDispute()
	c.t.State, _ = move(c.t.State, EventDisputed)
	return c.addEntry(enrol.EntryDisputeOpened)
}

func (c *change) alertOpenDispute(attrs ...any) {
	c.alertPayment("a dispute was opened: answer it at the provider before its deadline", c.t.ID, attrs...)
}

// winDispute records that nothing of a disputed charge was lost.
func (c *change) winDispute() error {
	c.t.DisputedAt = c.now
	c.alertPayment("a dispute was won", c.t.ID)
	c.t.State, _ = move(c.t.State, EventDisputeWon)
	return errors.Join(c.addEntry(enrol.EntryDisputeWon), c.notifyKept())
}

// alertLostDispute alerts staff of minor units that a dispute took.
func (c *change) alertLostDispute(charge method.Charge, minor int64, whole bool) {
	attrs := []any{"lost", charge.Amount.With(minor)}
	if charge.PaymentID == c.t.PaymentID {
		c.t.DisputedAt = c.now
	} else {
		attrs = append(attrs, "charge", charge.PaymentID)
	}
	if whole {
		c.alertPayment("a dispute was lost", c.t.ID, attrs...)
	} else {
		c.alertPayment("a dispute was lost in part", c.t.ID, attrs...)
	}
}

// applyDisputeEvent records a dispute that an event reports. A repeated event changes nothing. wait reports that one of our
// refunds of the charge must end first.
func (c *change) applyDisputeEvent(dispute method.Dispute, paymentID string, answer method.Status) (wait bool, err error) {
	paymentID = cmp.Or(paymentID, c.t.PaymentID)
	refunds, err := c.tx.RefundsOf(c.t.ID)
	if err != nil {
		return false, err
	}
	ours, charge, own := refundsOfCharge(refunds, paymentID), answer.Charge(paymentID), c.t.PaymentID == "" || paymentID == c.t.PaymentID
	if own {
		charge = method.Charge{PaymentID: c.t.PaymentID, Amount: c.t.Charge}
	}
	switch {
	case dispute == method.DisputeOpened && own:
		return false, c.openDispute()
	case dispute == method.DisputeOpened:
		c.alertOpenDispute("charge", paymentID)
	case dispute == method.DisputeWon && ours.lost > 0:
		return false, c.returnLost(ours, ours.lost)
	case dispute == method.DisputeWon && !own:
		c.alertPayment("a dispute was won", c.t.ID, "charge", paymentID)
	case dispute == method.DisputeWon && c.t.State == Disputed:
		return false, c.winDispute()
	case dispute == method.DisputeLost && ours.lost == 0 && charge.PaymentID != "":
		if ours.open {
			return true, nil
		}
		if own && c.t.State == Paid { // the event that opened it never arrived
			if err := c.recordOpenDispute(); err != nil {
				return false, err
			}
		}
		return false, c.recordDeparted(charge, ours, cmp.Or(c.leftOf(charge, ours), charge.Amount.Minor), 0)
	}
	return false, nil
}

// withRecords returns charge with what the gateway does not report and our records know: its refunds, where it cannot list
// them, and disputes, which some report only by events. Some of those count a lost amount as refunded.
func (e Entry) withRecords(charge method.Charge, t *Transaction, ours chargeRefunds) method.Charge {
	if charge.RefundsUnknown {
		charge.Refunded.Minor = ours.done
	}
	if !e.DisputesByEvent {
		return charge
	}
	charge.Disputed = charge.PaymentID == t.PaymentID && t.State == Disputed
	charge.LostMinor = ours.lost
	if charge.Refunded.Minor < ours.done-ours.lost { // a refund bounced
		charge.Refunded.Minor += ours.lost
	} else {
		charge.Refunded.Minor = max(charge.Refunded.Minor, ours.done)
	}
	if charge.Left().Minor <= 0 {
		charge.State = method.ChargeRefunded
	}
	return charge
}

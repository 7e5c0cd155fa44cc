package payment

import (
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/paper"
	"hiresure/admission/payment/method"
)

// After payment money still moves: staff refund it at the provider, a refund bounces, a dispute opens, one order is charged
// twice. This file compares the gateway's answer with our records and records the difference.

// reconcileCharges records the money movements that an answer reports for a settled attempt. asked is the time of the
// request.
func (c *change) reconcileCharges(answer method.Status, asked time.Time) error {
	if c.t.State == Review { // staff decide, unless the provider has refunded all of it
		if taken := answer.Captured(); answer.TxnID == c.t.ID && len(taken) > 0 && answer.Kept() == (method.Charge{}) {
			return c.endEmptyReview(answer)
		}
		return nil
	}
	refunds, err := c.tx.RefundsOf(c.t.ID)
	if err != nil {
		return err
	}
	gateway, _ := c.Gateways.Find(c.t.Gateway)
	for _, charge := range answer.Captured() {
		ours := refundsOfCharge(refunds, charge.PaymentID)
		charge = gateway.withRecords(charge, c.t, ours)
		if charge.PaymentID == c.t.PaymentID {
			err = c.reconcileOwnCharge(charge, ours, asked)
		} else {
			err = c.reconcileSecondCharge(charge, ours, asked)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reconcileOwnCharge records what happened to the attempt's own charge. During a dispute nothing else is recorded.
func (c *change) reconcileOwnCharge(charge method.Charge, ours chargeRefunds, asked time.Time) error {
	if (charge.Disputed || c.t.State == Disputed) && !c.t.DisputedAt.IsZero() && !asked.After(c.t.DisputedAt) {
		return nil // the answer is older than our records
	}
	if charge.Disputed {
		return c.openDispute()
	}
	if c.t.State == Disputed && charge.LostMinor <= ours.lost {
		if err := c.winDispute(); err != nil {
			return err
		}
	}
	return c.reconcileRefunds(charge, ours, asked)
}

// chargeRefunds summarises our refunds of one charge. Amounts are minor units of those that are done.
type chargeRefunds struct {
	refunds []Refund
	done    int64
	lost    int64     // of done: taken by the payer's bank
	beyond  int64     // of done: more than was charged
	open    bool      // one is in progress: its own job polls it
	latest  time.Time // when the last one was done or bounced
}

func refundsOfCharge(refunds []Refund, paymentID string) (b chargeRefunds) {
	for _, refund := range refunds {
		if refund.PaymentID != paymentID {
			continue
		}
		b.refunds = append(b.refunds, refund)
		switch {
		case refund.Open():
			b.open = true
		case refund.State == method.RefundDone:
			b.done += refund.Amount.Minor
			if refund.Reason.ByDispute() {
				b.lost += refund.Amount.Minor
			}
			if refund.Reason.Loss() {
				b.beyond += refund.Amount.Minor
			}
		}
		if refund.State != method.RefundFailed && refund.ChangedAt.After(b.latest) {
			b.latest = refund.ChangedAt
		}
	}
	return b
}

// failed returns the latest refund that failed or bounced, without those of an excess; nil for none.
func (b chargeRefunds) failed() *Refund {
	for i := range slices.Backward(b.refunds) {
		if r := &b.refunds[i]; r.Failed() && r.Reason != ReasonExcess && !r.Reason.ByDispute() {
			return r
		}
	}
	return nil
}

// reconcileRefunds compares what left a charge, by refunds and by lost disputes, with our refunds.
func (c *change) reconcileRefunds(charge method.Charge, ours chargeRefunds, asked time.Time) error {
	if ours.open || !ours.latest.IsZero() && !asked.After(ours.latest) { // the last: the answer is older than our records
		return nil
	}
	lost := charge.LostMinor - ours.lost
	refunded := charge.Refunded.Minor - ours.done - lost
	// What left comes first: if it takes the place of what came back, nothing changes for the payer.
	if err := c.recordDeparted(charge, ours, max(lost, 0), max(refunded, 0)); err != nil {
		return err
	}
	if lost < 0 {
		if err := c.returnLost(ours, -lost); err != nil {
			return err
		}
	}
	if refunded < 0 {
		return c.findBounced(ours, -refunded)
	}
	return nil
}

// recordDeparted records what left a charge without us, in minor units: lost by a dispute, refunded at the provider. What is
// more than was left of the charge is a loss.
func (c *change) recordDeparted(charge method.Charge, ours chargeRefunds, lost, refunded int64) error {
	left := c.leftOf(charge, ours)
	for _, departed := range []struct {
		minor        int64
		reason, loss RefundReason
		event        Event
	}{{lost, ReasonDispute, ReasonDisputeLoss, EventDisputeLost}, {refunded, ReasonAtProvider, ReasonRefundLoss, EventRefundedAtProvider}} {
		within := min(departed.minor, left)
		left -= within
		if departed.reason == ReasonDispute && departed.minor > 0 {
			c.alertLostDispute(charge, departed.minor, left == 0)
		}
		if within > 0 {
			c.ends = departed.reason == ReasonDispute && left > 0 && refunded >= left
			refund := c.providerRefund(charge, within, departed.reason)
			if err := c.recordWithin(&refund, departed.event, left == 0); err != nil {
				return err
			}
		}
		if beyond := departed.minor - within; beyond > 0 {
			if err := c.recordLoss(c.providerRefund(charge, beyond, departed.loss)); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordReturned records how all of a charge left that was never counted.
func (c *change) recordReturned(charge method.Charge) error {
	return c.recordDeparted(charge, chargeRefunds{}, charge.LostMinor, charge.Refunded.Minor-charge.LostMinor)
}

// leftOf returns what our records leave of a charge, in minor units. Of the payment that counts, no more than its invoice
// is left.
func (c *change) leftOf(charge method.Charge, ours chargeRefunds) int64 {
	left := charge.Amount.Minor - ours.done + ours.beyond
	if charge.PaymentID == c.t.PaymentID && c.r.PaidTxnID == c.t.ID && charge.Amount.Currency == c.t.Charge.Currency {
		left = min(left, c.t.Charge.Minor-c.t.RefundedMinor)
	}
	return max(left, 0)
}

// recordWithin records a refund of what was left of a charge.
func (c *change) recordWithin(refund *Refund, event Event, whole bool) error {
	if refund.PaymentID == c.t.PaymentID {
		return c.completeRefund(refund, event, whole)
	}
	if event == EventRefundedAtProvider {
		if err := c.notifyRefund(refund); err != nil {
			return err
		}
	}
	return c.recordRefundDone(refund)
}

// recordLoss records money that left a charge after all of it had left.
func (c *change) recordLoss(loss Refund) error {
	loss.ChangedAt = c.now
	c.alertPayment("more money left than was paid: a loss", c.t.ID, "charge", loss.PaymentID, "lost", loss.Amount, "how", loss.Reason)
	return c.tx.SaveRefund(&loss)
}

// providerRefund returns a new record of a refund that was made at the provider.
func (c *change) providerRefund(own method.Charge, minor int64, reason RefundReason) Refund {
	return Refund{
		ID: admission.NewID(), TxnID: c.t.ID, PaymentID: own.PaymentID, Amount: admission.Money{Minor: minor, Currency: own.Amount.Currency},
		State: method.RefundDone, Reason: reason, CreatedAt: c.now, PostedAt: c.now,
	}
}

// completeRefund records a processed refund of the attempt's own charge: refund, total, credit note and message. whole
// reports that nothing of the charge is left: then event moves the attempt, and the registration that it paid ends.
func (c *change) completeRefund(refund *Refund, event Event, whole bool) error {
	t, r := c.t, c.r
	refund.State, refund.ChangedAt = method.RefundDone, c.now
	if err := c.tx.SaveRefund(refund); err != nil {
		return err
	}
	if err := c.clearFailed(refund); err != nil {
		return err
	}
	if refund.Amount.Currency == t.Charge.Currency {
		t.RefundedMinor += refund.Amount.Minor
	}
	ofReview := t.State == Review || t.State == RefundPending && t.StateBefore == Review || c.returned
	own := r.PaidTxnID == t.ID
	params, papers := map[string]string{"Amount": refund.Amount.String(), "Transaction": t.ID}, []string{}
	if own {
		note, err := c.credit(refund)
		if err != nil {
			return err
		}
		back := invoice.Refund{
			RegistrationID: r.ID, TxnID: t.ID, Ticket: r.Ticket, Charged: t.Charge, Amount: refund.Amount, RefundedMinor: t.RefundedMinor,
			PaidOn: t.SettledAt, On: c.now, BaseURL: c.BaseURL,
		}
		if params, err = back.Params(c.tx, note); err != nil {
			return err
		}
		if note != nil {
			papers = append(papers, paper.Name(paper.CreditNote, note.ID))
		}
		papers = append(papers, paper.Name(paper.Receipt, t.ID))
	}
	template := "refunded"
	params["Name"] = r.FullName
	if event == EventDisputeLost {
		params["Dispute"], template = "yes", "dispute-lost"
	} else {
		params["ArrivesBy"] = arrivesBy(refund, RefundDays)
	}
	if !whole {
		if event == EventDisputeLost {
			if to, allowed := move(t.State, EventDisputeLostInPart); allowed {
				t.State = to
			}
		}
		if err := c.addEntry(enrol.EntryPartlyRefunded); err != nil || !own {
			return err
		}
		if c.ends {
			return nil
		}
		template = "refunded-part"
		if event == EventDisputeLost {
			template = "dispute-part"
		}
		return c.notify("refunded:"+refund.ID, template, params, papers...)
	}
	if to, allowed := move(t.State, event); allowed {
		t.State = to
	}
	if err := c.addEntry(enrol.EntryRefunded); err != nil {
		return err
	}
	switch {
	case own:
		if err := c.endRegistration(); err != nil {
			return err
		}
		if err := c.mayEnrolAgain(params); err != nil {
			return err
		}
		return c.notify("refunded:"+refund.ID, template, params, papers...)
	case ofReview:
		if err := c.reopenRegistration(); err != nil {
			return err
		}
		if r.Paid() { // by another payment
			return c.notifyRefund(refund)
		}
		again := c.unpaidParams(refund.Amount)
		again["Fee"], again["RefundedOn"], again["ArrivesBy"], again["Dispute"] = t.Charge.String(), admission.Date(c.now), arrivesBy(refund, SurplusDays), params["Dispute"]
		params = again
		if c.returned {
			params["Returned"] = "yes"
		}
		return c.notify("refunded:"+refund.ID, "refunded-review", params)
	}
	if event == EventRefundedAtProvider { // else the payer was notified when our refund was accepted
		return c.notifyRefund(refund)
	}
	return nil
}

// clearFailed ends the failure of an earlier refund if refund covers it: staff may have sent it at the provider.
func (c *change) clearFailed(refund *Refund) error {
	if !c.t.RefundFailed {
		return nil
	}
	refunds, err := c.tx.RefundsOf(c.t.ID)
	if err != nil {
		return err
	}
	failed := refundsOfCharge(refunds, c.t.PaymentID).failed()
	c.t.RefundFailed = failed != nil && refund.Amount.Minor < failed.Amount.Minor
	return nil
}

// mayEnrolAgain sets the params of a refunded enrolment that may be repeated, with its coupon if that counts again.
func (c *change) mayEnrolAgain(params map[string]string) error {
	event, _ := c.Events.EventByCode(c.r.EventCode)
	if c.r.IsApplication() || event.Closed(c.now) != "" {
		return nil
	}
	params["Again"] = "yes"
	_, _, err := c.Enrol.Price(c.tx, event, c.t.CouponCode, c.r.Phone)
	if err == nil {
		params["Coupon"] = c.t.CouponCode
	} else if admission.AsProblem(err) == nil {
		return err
	}
	return nil
}

// endRegistration ends a refunded registration: its referral credit is cancelled and its coupon released.
func (c *change) endRegistration() error {
	c.r.Refunded, c.r.ModifiedAt = true, c.now
	if err := c.tx.SaveRegistration(c.r); err != nil {
		return err
	}
	if err := c.tx.CancelReferralCredit(c.r.ID, c.now); err != nil {
		return err
	}
	return c.tx.SetCouponUse(c.t.ID, enrol.UseReleased)
}

// restoreRegistration undoes endRegistration after a bounced refund.
func (c *change) restoreRegistration() error {
	c.r.Refunded, c.r.ModifiedAt = false, c.now
	if err := c.tx.SaveRegistration(c.r); err != nil {
		return err
	}
	if err := c.tx.CancelReferralCredit(c.r.ID, time.Time{}); err != nil {
		return err
	}
	return c.useCoupon()
}

// credit issues the credit note of a refund. The invoice is of the price, so that an excess goes back first and without one.
func (c *change) credit(refund *Refund) (*invoice.CreditNote, error) {
	t, excess := c.t, c.t.Excess()
	return c.Invoices.Credit(c.tx, t.ID, refund.ID, t.Charge.With(t.Charge.Minor-excess), max(0, t.RefundedMinor-excess))
}

// reopenRegistration makes the registration of a rejected payment payable again.
func (c *change) reopenRegistration() error {
	if err := c.tx.SetCouponUse(c.t.ID, enrol.UseReleased); err != nil {
		return err
	}
	open, err := c.tx.OpenTransaction(c.r.ID)
	if err != nil || open != nil && open.ID != c.t.ID || c.r.Step != enrol.StepPaying {
		return err
	}
	return c.r.Move(c.tx, enrol.StepUnpaid, c.now)
}

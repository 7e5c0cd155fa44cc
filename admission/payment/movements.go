package payment

import (
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/paper"
	"hiresure/admission/payment/method"
	"hiresure/paths"
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
		charge = gateway.withDispute(charge, c.t, refunds)
		before := c.t.State // in a dispute nothing else is recorded until it is won
		if charge.PaymentID != c.t.PaymentID {
			err = c.reconcileSecondCharge(charge, refunds, asked)
		} else if err = c.reconcileDispute(charge, asked); err == nil && !charge.Disputed && (before != Disputed || c.t.State == Paid) {
			whole := charge.State == method.ChargeRefunded
			err = c.reconcileRefunds(charge, refundsOfCharge(refunds, charge.PaymentID), asked, func(refund *Refund) error { return c.completeRefund(refund, EventRefundedAtProvider, whole) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// chargeRefunds summarises our refunds of one charge.
type chargeRefunds struct {
	refunds []Refund
	done    int64     // minor units
	open    bool      // one is in progress: its own job polls it
	latest  time.Time // when the last one was done or bounced
}

func refundsOfCharge(refunds []Refund, paymentID string) (b chargeRefunds) {
	for _, refund := range refunds {
		if refund.PaymentID != paymentID {
			continue
		}
		b.refunds = append(b.refunds, refund)
		switch refund.State {
		case method.RefundDone:
			b.done += refund.Amount.Minor
		case method.RefundAsked, method.RefundAccepted:
			b.open = true
		}
		if refund.ChangedAt.After(b.latest) {
			b.latest = refund.ChangedAt
		}
	}
	return b
}

// reconcileRefunds compares the refunded amount of a charge with our refunds. complete records a refund made at the
// provider.
func (c *change) reconcileRefunds(charge method.Charge, ours chargeRefunds, asked time.Time, complete func(*Refund) error) error {
	missing := charge.Refunded.Minor - ours.done
	switch {
	case missing == 0, ours.open, !ours.latest.IsZero() && !asked.After(ours.latest): // the last: the answer is older than our records
		return nil
	case missing < 0:
		return c.findBounced(ours, -missing)
	}
	refund := c.providerRefund(charge, missing, ReasonAtProvider)
	return complete(&refund)
}

// findBounced finds the bounced refund of a charge of which the provider holds more than our records say. Our own
// refunds are polled. Of refunds made at the provider only the amounts are known: it picks the one of this amount, or
// the latest.
func (c *change) findBounced(refunds chargeRefunds, minor int64) error {
	var ours, theirs []Refund
	for _, refund := range slices.Backward(refunds.refunds) {
		switch {
		case refund.State != method.RefundDone:
		case refund.ProviderID != "":
			ours = append(ours, refund)
		default:
			theirs = append(theirs, refund)
		}
	}
	equal := func(r Refund) bool { return r.Amount.Minor == minor }
	if i := slices.IndexFunc(theirs, equal); i >= 0 && !slices.ContainsFunc(ours, equal) {
		return c.recordBounce(&theirs[i])
	}
	for _, refund := range ours {
		if err := c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: refund.ID, DueAt: c.now}); err != nil {
			return err
		}
	}
	if len(ours) > 0 || len(theirs) == 0 {
		return nil
	}
	return c.recordBounce(&theirs[0])
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
	if refund.Amount.Currency == t.Charge.Currency {
		t.RefundedMinor += refund.Amount.Minor
	}
	ofReview := t.State == Review || t.State == RefundPending && t.StateBefore == Review
	own := r.PaidTxnID == t.ID
	params, papers := map[string]string{"Amount": refund.Amount.String(), "Transaction": t.ID}, []string{}
	if own {
		note, err := c.Invoices.Credit(c.tx, t.ID, refund.ID, t.Charge, t.RefundedMinor)
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
	if !whole {
		if err := c.addEntry(enrol.EntryPartlyRefunded); err != nil || !own {
			return err
		}
		return c.notify("refunded:"+refund.ID, "refunded-part", params, papers...)
	}
	if to, allowed := move(t.State, event); allowed {
		t.State = to
	}
	if err := c.addEntry(enrol.EntryRefunded); err != nil {
		return err
	}
	switch {
	case own:
		r.Refunded, r.ModifiedAt = true, c.now
		if err := c.tx.SaveRegistration(r); err != nil {
			return err
		}
		if err := c.tx.CancelReferralCredit(r.ID, c.now); err != nil {
			return err
		}
		if event == EventDisputeLost {
			params["Dispute"] = "yes"
		}
		return c.notify("refunded:"+refund.ID, "refunded", params, papers...)
	case ofReview:
		if err := c.reopenRegistration(); err != nil {
			return err
		}
		if r.Paid() { // by another payment
			return c.notifyRefund(refund.ID, t.ID, refund.Amount)
		}
		params["PayURL"] = c.BaseURL + r.UnpaidPath()
		return c.notify("refunded:"+refund.ID, "refunded-review", params)
	}
	return nil // a duplicate payment: the payer was notified when its refund started
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

// recordBounce records a bounced refund: the payment counts again, a new invoice reverses its credit note, and staff and
// payer are notified. If the payer has a newer registration or is deleted, the money is due for another refund.
func (c *change) recordBounce(refund *Refund) error {
	t, r := c.t, c.r
	refund.State, refund.ChangedAt = method.RefundBounced, c.now
	if err := c.tx.SaveRefund(refund); err != nil {
		return err
	}
	c.alertPayment("refund returned by the payer's bank", c.t.ID, "reason", refund.FailureWords())
	if err := c.addEntry(enrol.EntryRefundBounced); err != nil {
		return err
	}
	if refund.PaymentID != t.PaymentID {
		return c.notifyBounce(refund, false, nil)
	}
	if refund.Amount.Currency == t.Charge.Currency {
		t.RefundedMinor -= refund.Amount.Minor
	}
	again, err := c.Invoices.Reverse(c.tx, t.ID, refund.ID)
	if err != nil {
		return err
	}
	if t.State != Refunded {
		return c.notifyBounce(refund, false, again)
	}
	event := EventBouncedExtra
	if r.PaidTxnID == t.ID {
		another, err := c.tx.RegistrationOf(r.EventCode, r.Phone)
		if err != nil {
			return err
		}
		if another == nil && r.ErasedAt.IsZero() {
			event = EventBounced
		}
	}
	t.State, _ = move(t.State, event)
	if event == EventBounced {
		r.Refunded, r.ModifiedAt = false, c.now
		if err := c.tx.SaveRegistration(r); err != nil {
			return err
		}
		if err := c.tx.CancelReferralCredit(r.ID, time.Time{}); err != nil {
			return err
		}
	}
	return c.notifyBounce(refund, event == EventBounced, again)
}

// notifyBounce notifies the payer of a bounced refund. restored reports that the registration counts again; again is its
// new invoice or nil.
func (c *change) notifyBounce(refund *Refund, restored bool, again *invoice.Invoice) error {
	if !c.r.ErasedAt.IsZero() {
		return nil
	}
	params, papers := map[string]string{"Name": c.r.FullName, "Amount": refund.Amount.String(), "Transaction": c.t.ID, "Ticket": c.r.Ticket}, []string{}
	if refund.PaymentID != c.t.PaymentID { // a second charge
		params["Transaction"] = refund.PaymentID
	}
	if restored {
		params["Stands"] = "yes"
	}
	if again != nil {
		link, err := invoice.NewLink(c.tx, c.r.ID, c.now)
		if err != nil {
			return err
		}
		params["InvoiceNumber"], params["PapersURL"] = again.Number, c.BaseURL+paths.Invoice(link)
		papers = []string{paper.Name(paper.Invoice, again.ID), paper.Name(paper.Receipt, c.t.ID)}
	}
	return c.notify("bounced:"+refund.ID, "refund-bounced", params, papers...)
}

package payment

import (
	"errors"
	"slices"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/paper"
	"hiresure/admission/payment/method"
	"hiresure/paths"
)

// A refund or a lost dispute may come back: the payer's bank refuses the refund, or decides the dispute for us after all.

// returnLost records that minor units of lost disputes came back: the bank decided for us after all.
func (c *change) returnLost(ours chargeRefunds, minor int64) error {
	for _, loss := range []bool{true, false} { // the losses first
		for _, refund := range slices.Backward(ours.refunds) {
			if minor <= 0 || refund.State != method.RefundDone || !refund.Reason.ByDispute() || refund.Reason.Loss() != loss {
				continue
			}
			minor -= refund.Amount.Minor
			if err := c.recordBounce(&refund); err != nil {
				return err
			}
		}
	}
	return nil
}

// findBounced finds the bounced refund of a charge if the provider holds more of it than our records say. Our own
// refunds are polled. Of refunds made at the provider only the amounts are known: it picks the one of this amount, or
// the latest.
func (c *change) findBounced(refunds chargeRefunds, minor int64) error {
	var ours, theirs []Refund
	for _, refund := range slices.Backward(refunds.refunds) {
		switch {
		case refund.State != method.RefundDone, refund.Reason.ByDispute():
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

// recordBounce records a bounced refund: the payment counts again, a debit note reverses its credit note, and staff and
// payer are notified. If the payer has a newer registration or is deleted, the money is due for another refund. What went
// out twice and comes back once changes nothing for the payer.
func (c *change) recordBounce(refund *Refund) error {
	t, r := c.t, c.r
	refund.State, refund.ChangedAt = method.RefundBounced, c.now
	if err := c.tx.SaveRefund(refund); err != nil {
		return err
	}
	kind := enrol.EntryRefundBounced
	if refund.Reason.ByDispute() {
		kind = enrol.EntryDisputeWon
		c.alertPayment("lost dispute won after all: the bank gave the money back", c.t.ID, "won", refund.Amount)
	} else {
		c.alertPayment("refund returned by the payer's bank", c.t.ID, "reason", refund.FailureWords())
	}
	if refund.Reason.Loss() {
		return nil
	}
	own := refund.PaymentID == t.PaymentID
	var debit *invoice.Invoice
	if own {
		if refund.Amount.Currency == t.Charge.Currency {
			t.RefundedMinor -= refund.Amount.Minor
		}
		var err error
		if debit, err = c.Invoices.Debit(c.tx, t.ID, refund.ID); err != nil {
			return err
		}
	}
	counted, err := c.countLosses(refund)
	if err != nil || counted == refund.Amount.Minor {
		return err
	}
	if err := c.addEntry(kind); err != nil {
		return err
	}
	if own && t.State == Paid && !refund.Reason.ByDispute() {
		t.RefundFailed = true
	}
	if !own || t.State != Refunded {
		return c.notifyBounce(refund, false, debit)
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
	t.RefundFailed = t.State == RefundDue || !refund.Reason.ByDispute()
	if event == EventBounced {
		if err := c.restoreRegistration(); err != nil {
			return err
		}
	}
	return c.notifyBounce(refund, event == EventBounced, debit)
}

// countLosses makes the losses of a bounced refund's charge refunds of it, as far as they fill its place, and returns
// their sum.
func (c *change) countLosses(bounced *Refund) (counted int64, err error) {
	refunds, err := c.tx.RefundsOf(c.t.ID)
	if err != nil {
		return 0, err
	}
	within := map[RefundReason]RefundReason{ReasonRefundLoss: ReasonAtProvider, ReasonDisputeLoss: ReasonDispute}
	for _, loss := range refundsOfCharge(refunds, bounced.PaymentID).refunds {
		room := bounced.Amount.Minor - counted
		if loss.State != method.RefundDone || !loss.Reason.Loss() || room == 0 {
			continue
		}
		if rest := loss; loss.Amount.Minor > room {
			rest.ID, rest.Amount.Minor = admission.NewID(), loss.Amount.Minor-room
			if err := c.tx.SaveRefund(&rest); err != nil {
				return 0, err
			}
			loss.Amount.Minor = room
		}
		counted += loss.Amount.Minor
		loss.Reason = within[loss.Reason]
		if err := c.tx.SaveRefund(&loss); err != nil {
			return 0, err
		}
		if loss.PaymentID != c.t.PaymentID {
			continue
		}
		if loss.Amount.Currency == c.t.Charge.Currency {
			c.t.RefundedMinor += loss.Amount.Minor
		}
		if c.r.PaidTxnID == c.t.ID {
			if _, err := c.credit(&loss); err != nil {
				return 0, err
			}
		}
	}
	return counted, nil
}

// notifyBounce notifies the payer of a bounced refund, or of a lost dispute that was won after all. restored reports that
// the registration counts again; debit is the debit note, or nil.
func (c *change) notifyBounce(refund *Refund, restored bool, debit *invoice.Invoice) error {
	if !c.r.ErasedAt.IsZero() {
		return nil
	}
	params, papers := map[string]string{"Name": c.r.FullName, "Amount": refund.Amount.String(), "Transaction": c.t.ID, "NextBy": c.nextBy()}, []string{}
	if !c.r.Refunded {
		params["Ticket"], params["TicketURL"] = c.r.Ticket, c.ticketURL()
	}
	if restored {
		params["Stands"] = "yes"
	}
	if debit != nil {
		link, err := invoice.NewLink(c.tx, c.r.ID, c.now)
		if err != nil {
			return err
		}
		params["DebitNote"], params["PapersURL"] = debit.Number, c.BaseURL+paths.Invoice(link)
		papers = []string{paper.Name(paper.Invoice, debit.ID), paper.Name(paper.Receipt, c.t.ID)}
	}
	if !refund.Reason.ByDispute() {
		cause := "bounced:" + refund.ID
		return errors.Join(c.notify(cause, "refund-bounced", params, papers...), c.notifyOtherWay(cause, refund.Amount))
	}
	if refund.PaymentID != c.t.PaymentID || c.t.State == RefundDue { // nobody needs it: staff send it back
		params["Owed"] = "yes"
	}
	return c.notify("bounced:"+refund.ID, "dispute-back", params, papers...)
}

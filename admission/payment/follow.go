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

// After "paid" money still moves: it goes back at the provider, a refund bounces, a dispute opens, one order is charged
// twice. All of it is read from the gateway's answer, compared with our books, and booked here.

// follow books what an answer tells about the money of a settled attempt. asked is when the question was put.
func (c *change) follow(answer method.Status, asked time.Time) error {
	if c.t.State == Review { // a person decides, unless all of it has gone back there
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
		charge = gateway.disputed(charge, c.t, refunds)
		before := c.t.State // in a dispute nothing else is booked until it is won; what is lost has gone back with it
		if charge.PaymentID != c.t.PaymentID {
			err = c.followSecond(charge, refunds, asked)
		} else if err = c.followDispute(charge, asked); err == nil && !charge.Disputed && (before != Disputed || c.t.State == Paid) {
			whole := charge.State == method.ChargeRefunded
			err = c.followRefunds(charge, bookedOf(refunds, charge.PaymentID), asked, func(there *Refund) error { return c.goneBack(there, EventRefundedThere, whole) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// booked is what our books hold of the refunds of one charge.
type booked struct {
	refunds []Refund
	done    int64     // minor units
	under   bool      // one is under way: it is asked about by itself
	latest  time.Time // when one of them was done, or bounced
}

func bookedOf(refunds []Refund, paymentID string) (b booked) {
	for _, refund := range refunds {
		if refund.PaymentID != paymentID {
			continue
		}
		b.refunds = append(b.refunds, refund)
		switch refund.State {
		case method.RefundDone:
			b.done += refund.Amount.Minor
		case method.RefundAsked, method.RefundAccepted:
			b.under = true
		}
		if refund.ChangedAt.After(b.latest) {
			b.latest = refund.ChangedAt
		}
	}
	return b
}

// followRefunds compares what has gone back of a charge with our books. goneBack books what somebody has sent back at the
// provider.
func (c *change) followRefunds(charge method.Charge, booked booked, asked time.Time, goneBack func(*Refund) error) error {
	missing := charge.Refunded.Minor - booked.done
	switch {
	case missing == 0, booked.under, !booked.latest.IsZero() && !asked.After(booked.latest): // the last: an answer older than our books
		return nil
	case missing < 0:
		return c.cameBack(booked, -missing)
	}
	there := c.byHand(charge, missing, ReasonAtProvider)
	return goneBack(&there)
}

// cameBack finds out which refund has bounced where the provider holds more of a charge than our books say. One of ours is
// asked about. Of those that somebody made at the provider only the amounts are known: it was the one of this amount, or
// else the latest of them.
func (c *change) cameBack(booked booked, minor int64) error {
	var ours, there []Refund
	for _, refund := range slices.Backward(booked.refunds) {
		switch {
		case refund.State != method.RefundDone:
		case refund.ProviderID != "":
			ours = append(ours, refund)
		default:
			there = append(there, refund)
		}
	}
	equal := func(r Refund) bool { return r.Amount.Minor == minor }
	if i := slices.IndexFunc(there, equal); i >= 0 && !slices.ContainsFunc(ours, equal) {
		return c.bounced(&there[i])
	}
	for _, refund := range ours {
		if err := c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: refund.ID, DueAt: c.now}); err != nil {
			return err
		}
	}
	if len(ours) > 0 || len(there) == 0 {
		return nil
	}
	return c.bounced(&there[0])
}

// byHand is a refund that somebody made at the provider, as our books want it.
func (c *change) byHand(own method.Charge, minor int64, reason RefundReason) Refund {
	return Refund{
		ID: admission.NewID(), TxnID: c.t.ID, PaymentID: own.PaymentID, Amount: admission.Money{Minor: minor, Currency: own.Amount.Currency},
		State: method.RefundDone, Reason: reason, CreatedAt: c.now, PostedAt: c.now,
	}
}

// goneBack is everything that follows from money of the attempt's own charge that has gone back: refund, sum, credit
// note, message, and, when nothing is left of the charge, the end of the registration that it paid. whole tells that
// nothing is left, and all is the event that happens then.
func (c *change) goneBack(refund *Refund, all Event, whole bool) error {
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
		back := invoice.GoneBack{
			RegistrationID: r.ID, TxnID: t.ID, Ticket: r.Ticket, Charged: t.Charge, Amount: refund.Amount, RefundedMinor: t.RefundedMinor,
			PaidOn: t.SettledAt, On: c.now, BaseURL: c.BaseURL,
		}
		if params, err = back.Params(c.tx, note); err != nil {
			return err
		}
		if note != nil {
			papers = append(papers, paper.Name(paper.CreditNote, note.ID))
		}
		papers = append(papers, paper.Name(paper.Receipt, t.ID)) // as it says now
	}
	if !whole {
		if err := c.note(enrol.EntryPartlyRefunded); err != nil || !own {
			return err
		}
		return c.tell("refunded:"+refund.ID, "refunded-part", params, papers...)
	}
	if to, allowed := move(t.State, all); allowed {
		t.State = to
	}
	if err := c.note(enrol.EntryRefunded); err != nil {
		return err
	}
	switch {
	case own: // the registration's own payment: it ends; a duplicate's refund leaves it alone
		r.Refunded, r.ModifiedAt = true, c.now
		if err := c.tx.SaveRegistration(r); err != nil {
			return err
		}
		if err := c.tx.CancelReferralCredit(r.ID, c.now); err != nil {
			return err
		}
		if all == EventDisputeLost {
			params["Dispute"] = "yes"
		}
		return c.tell("refunded:"+refund.ID, "refunded", params, papers...)
	case ofReview:
		if err := c.letGoOn(); err != nil {
			return err
		}
		if r.Paid() { // by another: there is nothing to pay again
			return c.tellOfRefund(refund.ID, t.ID, refund.Amount)
		}
		params["PayURL"] = c.BaseURL + r.UnpaidPath()
		return c.tell("refunded:"+refund.ID, "refunded-review", params)
	}
	return nil // who paid twice was told when it set off
}

// letGoOn lets the registration of a payment that was looked at, and refused, go on.
func (c *change) letGoOn() error {
	if err := c.tx.SetCouponUse(c.t.ID, enrol.UseReleased); err != nil {
		return err
	}
	open, err := c.tx.OpenTransaction(c.r.ID)
	if err != nil || open != nil && open.ID != c.t.ID || c.r.Step != enrol.StepPaying {
		return err
	}
	return c.r.Move(c.tx, enrol.StepUnpaid, c.now)
}

// bounced books that a refund came back to us: the payment stands again, its credit note is reversed by a new invoice,
// and both a person of ours and the payer are told. Where the payer has enrolled anew meanwhile, or is deleted, the money is
// due to go back once more.
func (c *change) bounced(refund *Refund) error {
	t, r := c.t, c.r
	refund.State, refund.ChangedAt = method.RefundBounced, c.now
	if err := c.tx.SaveRefund(refund); err != nil {
		return err
	}
	c.alertOf("a refund bounced: its money is with us again", c.t.ID)
	if err := c.note(enrol.EntryRefundBounced); err != nil {
		return err
	}
	if refund.PaymentID != t.PaymentID { // an extra charge's
		return c.tellOfBounce(refund, false, nil)
	}
	if refund.Amount.Currency == t.Charge.Currency {
		t.RefundedMinor -= refund.Amount.Minor
	}
	again, err := c.Invoices.Reverse(c.tx, t.ID, refund.ID)
	if err != nil {
		return err
	}
	if t.State != Refunded {
		return c.tellOfBounce(refund, false, again)
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
	return c.tellOfBounce(refund, event == EventBounced, again)
}

// tellOfBounce writes to the payer, who was told that the money is on its way. stands tells that what had ended with it counts
// again; again is the invoice over it, nil where there is none.
func (c *change) tellOfBounce(refund *Refund, stands bool, again *invoice.Invoice) error {
	if !c.r.ErasedAt.IsZero() {
		return nil
	}
	params, papers := map[string]string{"Name": c.r.FullName, "Amount": refund.Amount.String(), "Transaction": c.t.ID, "Ticket": c.r.Ticket}, []string{}
	if refund.PaymentID != c.t.PaymentID { // as when it set off
		params["Transaction"] = refund.PaymentID
	}
	if stands {
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
	return c.tell("bounced:"+refund.ID, "refund-bounced", params, papers...)
}

package payment

import (
	"cmp"
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/paper"
	"hiresure/admission/payment/method"
	"hiresure/paths"
)

// change is one change of an attempt: the attempt and its registration, both locked, in one transaction.
type change struct {
	*Service
	tx  Tx
	t   *Transaction
	r   *enrol.Registration
	now time.Time
	// seen tells that the payer's own browser waits for what comes of it, and is answered with that.
	seen bool
}

// changeTransaction loads an attempt and its registration for change, in that order everywhere, and saves the attempt.
func (s *Service) changeTransaction(ctx context.Context, txnID string, work func(*change) error) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		t, err := tx.TransactionForUpdate(txnID)
		if err != nil {
			return err
		}
		if t == nil {
			return admission.NotFoundProblem("Payment")
		}
		r, err := tx.RegistrationForUpdate(t.RegistrationID)
		if err != nil {
			return err
		}
		freeze(t, r)
		c := &change{Service: s, tx: tx, t: t, r: r, now: s.Clock()}
		if err := work(c); err != nil {
			return err
		}
		t.ModifiedAt = c.now
		return tx.SaveTransaction(t)
	})
}

// Settle judges a gateway's answer that has just come, in any order, any number of times, each time under the lock. Return,
// verify, webhook, poller and reconciliation all end here.
func (s *Service) Settle(ctx context.Context, txnID string, answer method.Status) (Transaction, error) {
	return s.settleAsked(ctx, txnID, s.Clock(), answer, false)
}

// settleAsked is Settle for an answer to a question that was asked at a moment: what has changed in our books since, the
// answer cannot know.
func (s *Service) settleAsked(ctx context.Context, txnID string, asked time.Time, answer method.Status, seen bool) (after Transaction, err error) {
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		c.t.FetchedAt, c.seen = c.now, seen
		err := c.settle(answer, asked)
		after = *c.t
		return err
	})
	return after, err
}

func (c *change) settle(answer method.Status, asked time.Time) error {
	if answer.TxnID != c.t.ID && answer.State != method.ChargePaid {
		c.Log.Warn("gateway answered about another payment", "txn", c.t.ID, "about", answer.TxnID)
		return nil
	}
	if c.t.unsettled() {
		if err := c.judge(answer); err != nil {
			return err
		}
	}
	if c.t.unsettled() || answer.TxnID != c.t.ID {
		return nil
	}
	return c.follow(answer, asked)
}

// judge says which event a gateway's answer is for an attempt that is not settled, and lets it happen.
func (c *change) judge(answer method.Status) error {
	if answer.TxnID == c.t.ID { // an answer about another's charge leaves no trace but a payment in review
		c.t.Ref, c.t.NextURL = cmp.Or(c.t.Ref, answer.Ref), answer.Next
	}
	if answer.State == method.ChargePending && !answer.AttemptFailed { // the customer tries again: what happened before says nothing any more
		c.t.AttemptFailed = false
	}
	own := answer.Kept()
	if answer.TxnID != c.t.ID {
		own.PaymentID, own.Means = "", method.Means{} // another's
	}
	switch {
	case answer.State == method.ChargePaid && (answer.TxnID != c.t.ID || own.Amount != c.t.Charge):
		return c.happen(EventPaidWrong, own)
	case answer.State == method.ChargePaid && c.r.Paid() && c.r.PaidTxnID != c.t.ID:
		return c.happen(EventPaidTwice, own)
	case answer.State == method.ChargePaid:
		return c.happen(EventPaid, own)
	case answer.State == method.ChargeFailed, answer.State == method.ChargeRefunded: // it came and went before we heard of it
		return c.happen(EventFailed, method.Charge{})
	case answer.State == method.ChargePending && answer.AttemptFailed && !c.t.AttemptFailed:
		return c.happen(EventAttemptFailed, method.Charge{})
	}
	return nil
}

// happen moves the attempt, and does everything that follows. What Moves does not allow changes nothing.
func (c *change) happen(event Event, own method.Charge) error {
	to, allowed := move(c.t.State, event)
	if !allowed { // e.g. a failure after paid: never a downgrade
		c.Log.Info("payment event ignored", "txn", c.t.ID, "state", c.t.State, "event", event)
		return nil
	}
	if c.forNobody(event) {
		event, to = EventPaidTwice, RefundDue
		c.alertOf("money came for somebody who was deleted: it goes back", c.t.ID)
	}
	if event == EventPaidWrong {
		if other, err := c.tx.ReviewOf(c.r.ID); err != nil {
			return err
		} else if other != nil && other.ID != c.t.ID { // one at a time is looked at: this one goes back by itself
			event, to = EventPaidTwice, RefundDue
		}
	}
	from := c.t.State
	c.t.State, c.t.AttemptFailed = to, event == EventAttemptFailed
	if event != EventAttemptFailed {
		c.t.SettledAt = c.now
	}
	c.t.PaymentID, c.t.Means = own.PaymentID, own.Means
	switch event {
	case EventPaid, EventAccepted:
		return c.paid(from)
	case EventPaidTwice:
		return c.refundDue()
	case EventPaidWrong:
		c.t.Arrived = own.Amount
		c.alertOf("payment in review: amount or currency differ", c.t.ID, "asked", c.t.Charge, "said", own.Amount)
		return c.note(enrol.EntryPaymentInReview)
	case EventAttemptFailed:
		return c.note(enrol.EntryAttemptFailed)
	case EventFailed, EventTimeout:
		return c.giveUp()
	}
	return nil
}

func (c *change) note(kind enrol.EntryKind) error { return enrol.Note(c.tx, c.r, c.now, kind, c.t.ID) }

// paid is everything that follows from money that has arrived: one transaction, with the caller's.
func (c *change) paid(from State) error {
	t, r, tx := c.t, c.r, c.tx
	event, _ := c.Events.EventByCode(r.EventCode)
	over, err := enrol.UseCoupon(tx, r, t.CouponCode, t.ID, c.now) // before the ticket series, as a start with nothing to pay locks them
	if err != nil {
		return err
	}
	if over { // the person has paid, so it stands
		c.alertOf("coupon used beyond its limit by a late payment", t.ID)
	}
	if err := r.SetPaid(tx, event, t.ID, t.CouponCode, c.now); err != nil {
		return err
	}
	if t.Charge.Minor > 0 { // who paid nothing has brought nothing
		if err := enrol.CreditReferral(tx, r, c.now); err != nil {
			return err
		}
	}
	issued, err := c.Invoices.Issue(tx, c.sale())
	if err != nil {
		return err
	}
	link, err := invoice.NewLink(tx, r.ID, c.now)
	if err != nil {
		return err
	}
	template, params := r.Receipt(event, t.Charge, from == Failed || from == Expired && !c.now.Before(t.ExpiresAt), c.BaseURL, c.now)
	params["ReceiptURL"] = c.BaseURL + paths.Receipt(link)
	if issued != nil {
		params["InvoiceURL"], params["InvoiceNumber"] = c.BaseURL+paths.Invoice(link), issued.Number
	}
	if err := c.note(enrol.EntryPaid); err != nil {
		return err
	}
	if err := c.endOther(); err != nil {
		return err
	}
	return c.Messages.Send(tx, message.Message{
		Cause: "receipt:" + t.ID, Channel: message.Email, To: r.Email, Template: template, Params: params, Papers: c.papersOfPaid(issued),
	})
}

// endOther has the poller end an attempt that is open beside the one that has paid: nobody is to pay twice.
func (c *change) endOther() error {
	open, err := c.tx.OpenTransaction(c.r.ID)
	if err != nil || open == nil || open.ID == c.t.ID {
		return err
	}
	return c.tx.AddJob(admission.Job{Kind: JobPoll, Ref: open.ID, DueAt: c.now})
}

// papersOfPaid are what the mail after a payment brings along: the invoice, or the receipt where there is none, and the ticket.
func (c *change) papersOfPaid(issued *invoice.Invoice) []string {
	papers := []string{paper.Name(paper.Receipt, c.t.ID)}
	if issued != nil {
		papers[0] = paper.Name(paper.Invoice, issued.ID)
	}
	if c.r.Ticket != "" {
		papers = append(papers, paper.Name(paper.Ticket, c.t.ID))
	}
	return papers
}

// sale is what an attempt's invoice is issued for.
func (c *change) sale() invoice.Sale {
	t, r := c.t, c.r
	return invoice.Sale{
		TxnID: t.ID, RegistrationID: r.ID, Description: t.Payer.Description,
		Buyer: invoice.Party{Name: t.Payer.Name, Email: t.Payer.Email, Phone: t.Payer.Phone}, StateCode: t.Payer.StateCode,
		List: t.List, Discount: t.Discount, Charged: t.Charge, CouponCode: t.CouponCode, PaymentMethod: t.Gateway,
	}
}

// endEntries are the timeline's entries of an attempt that ends without money.
var endEntries = map[State]enrol.EntryKind{Failed: enrol.EntryPaymentFailed, Expired: enrol.EntryPaymentExpired}

// giveUp releases what an attempt held, and tells the registration where it stands.
func (c *change) giveUp() error {
	if err := c.tx.SetCouponUse(c.t.ID, enrol.UseReleased); err != nil {
		return err
	}
	if c.r.Paid() || c.r.Step != enrol.StepPaying {
		return nil
	}
	if err := c.note(endEntries[c.t.State]); err != nil {
		return err
	}
	if err := c.tellWhoLeft(); err != nil {
		return err
	}
	return c.r.Move(c.tx, enrol.StepUnpaid, c.now)
}

// tellWhoLeft writes to the payer that an attempt has ended without money, as the pages promise that wait for it. Who sees it
// end, or has begun another attempt meanwhile, knows.
func (c *change) tellWhoLeft() error {
	if c.seen {
		return nil
	}
	params := map[string]string{"Name": c.r.FullName, "Amount": c.t.Charge.String(), "PayURL": c.BaseURL + c.r.UnpaidPath()}
	return c.tell("unpaid:"+c.t.ID, "payment-missing", params)
}

// forNobody reports whether money has come for a registration whose person is deleted: it revives nothing.
func (c *change) forNobody(event Event) bool {
	return !c.r.ErasedAt.IsZero() && (event == EventPaid || event == EventPaidWrong)
}

// refundDue sends back what nobody needs: the registration is paid, another payment of it is being looked at, or its person
// is deleted.
func (c *change) refundDue() error {
	err := c.tx.SetCouponUse(c.t.ID, enrol.UseReleased)
	switch {
	case err != nil:
	case !c.r.Paid() && !c.r.ErasedAt.IsZero():
		err = c.note(enrol.EntryPaidAfterDeletion)
	default:
		err = c.note(enrol.EntryPaidTwice)
	}
	if err != nil {
		return err
	}
	if err := c.tellOfRefund(c.t.ID, c.t.ID, c.t.Charge); err != nil {
		return err
	}
	return c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: c.t.ID, DueAt: c.now})
}

// tellOfRefund writes to the payer that a payment which buys nothing goes back, once for a cause. number is the payment's: ours,
// or the provider's where it has charged one of ours twice.
func (c *change) tellOfRefund(cause, number string, amount admission.Money) error {
	params := map[string]string{"Name": c.r.FullName, "Amount": amount.String(), "Transaction": number}
	if c.r.Refunded {
		params["Ended"] = "yes"
	} else if stands, err := c.tx.Transaction(c.r.PaidTxnID); err != nil {
		return err
	} else if stands != nil && stands.Gateway == NoGateway {
		params["Free"] = "yes"
	}
	return c.tell("refund:"+cause, "refund-started", params)
}

// tell writes to the payer, once for a cause, with what the payment was for. The mail brings papers along.
func (c *change) tell(cause, template string, params map[string]string, papers ...string) error {
	event, _ := c.Events.EventByCode(c.r.EventCode)
	return c.Messages.Send(c.tx, message.Message{
		Cause: cause, Channel: message.Email, To: c.r.Email, Template: template, Params: c.r.Named(event, params), Papers: papers,
	})
}

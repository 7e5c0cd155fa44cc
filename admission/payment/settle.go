package payment

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/paper"
	"hiresure/admission/payment/method"
	"hiresure/paths"
)

// change is one change of an attempt in one store transaction. The attempt and its registration are locked.
type change struct {
	*Service
	tx  Tx
	t   *Transaction
	r   *enrol.Registration
	now time.Time
	// seen reports that the payer's browser waits for the outcome and shows it.
	seen bool
	// ends reports that the rest leaves by the same answer: the payer gets no mail of the part.
	ends bool
	// returned reports that the attempt's charge had been returned before we knew of it.
	returned bool
}

// changeTransaction locks an attempt and its registration, calls work, and saves the attempt.
func (s *Service) changeTransaction(ctx context.Context, txnID string, work func(*change) error) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		c, err := s.lockTransaction(tx, txnID)
		if err != nil {
			return err
		}
		if err := work(c); err != nil {
			return err
		}
		c.t.ModifiedAt = c.now
		return tx.SaveTransaction(c.t)
	})
}

// lockTransaction locks an attempt and its registration, in this order.
func (s *Service) lockTransaction(tx Tx, txnID string) (*change, error) {
	t, err := tx.TransactionForUpdate(txnID)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, admission.NotFoundProblem("Payment")
	}
	r, err := tx.RegistrationForUpdate(t.RegistrationID)
	if err != nil {
		return nil, err
	}
	fillLegacyFields(t, r)
	return &change{Service: s, tx: tx, t: t, r: r, now: s.Clock()}, nil
}

// Settle applies a fresh gateway answer to an attempt under its lock. Answers may come in any order, any number of times.
// Return, verify, webhook, poller and reconciliation all end here.
func (s *Service) Settle(ctx context.Context, txnID string, answer method.Status) (Transaction, error) {
	return s.settleAsked(ctx, txnID, s.Clock(), answer, false)
}

// settleAsked is Settle for an answer to a request sent at asked: the answer does not include later changes of our records.
func (s *Service) settleAsked(ctx context.Context, txnID string, asked time.Time, answer method.Status, seen bool) (after Transaction, err error) {
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		c.t.FetchedAt, c.seen = c.now, seen
		if err := c.settle(answer, asked); err != nil {
			return err
		}
		after = *c.t
		if !seen || !c.t.Open() || c.t.AttemptFailed {
			return nil
		}
		return c.tx.AddJob(admission.Job{Kind: JobWait, Ref: txnID, DueAt: c.now.Add(waitsQuietly)})
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
	return c.reconcileCharges(answer, asked)
}

// judge maps a gateway's answer about an unsettled attempt to an event and applies it.
func (c *change) judge(answer method.Status) error {
	if answer.TxnID == c.t.ID {
		c.t.Ref, c.t.NextURL, c.t.AtBank = cmp.Or(c.t.Ref, answer.Ref), answer.Next, answer.AtBank
	}
	if answer.State == method.ChargePending && !answer.AttemptFailed { // the customer tries again
		c.t.AttemptFailed = false
	}
	own := answer.Kept()
	if answer.TxnID != c.t.ID {
		own.PaymentID, own.Means = "", method.Means{} // another attempt's
	}
	switch {
	case answer.State == method.ChargePaid && (answer.TxnID != c.t.ID || own.Amount != c.t.Charge):
		return c.apply(EventPaidWrong, own)
	case answer.State == method.ChargePaid && c.r.Paid() && c.r.PaidTxnID != c.t.ID:
		return c.apply(EventPaidTwice, own)
	case answer.State == method.ChargePaid:
		return c.apply(EventPaid, own)
	case answer.State == method.ChargeRefunded && len(answer.Captured()) > 0:
		return c.apply(EventPaidAndReturned, answer.Captured()[0])
	case answer.State == method.ChargeFailed, answer.State == method.ChargeRefunded:
		return c.apply(EventFailed, method.Charge{})
	case answer.State == method.ChargePending && answer.AttemptFailed && !c.t.AttemptFailed:
		return c.apply(EventAttemptFailed, method.Charge{})
	}
	return nil
}

// apply moves the attempt and does everything that follows. An event that Moves does not allow changes nothing.
func (c *change) apply(event Event, own method.Charge) error {
	to, allowed := move(c.t.State, event)
	if !allowed { // e.g. a failure after paid: never a downgrade
		c.Log.Info("payment event ignored", "txn", c.t.ID, "state", c.t.State, "event", event)
		return nil
	}
	if !c.r.ErasedAt.IsZero() && (event == EventPaid || event == EventPaidWrong) {
		event, to = EventPaidTwice, RefundDue
		c.alertPayment("payment received after its person was deleted: it is refunded", c.t.ID)
	}
	if event == EventPaidWrong {
		if other, err := c.tx.ReviewOf(c.r.ID); err != nil {
			return err
		} else if other != nil && other.ID != c.t.ID { // only one payment may be in review: this one is refunded
			event, to = EventPaidTwice, RefundDue
		}
	}
	from := c.t.State
	c.t.State, c.t.AttemptFailed, c.t.RefundFailed = to, event == EventAttemptFailed, false
	if event != EventAttemptFailed {
		c.t.SettledAt = c.now
	}
	c.t.PaymentID, c.t.Means = own.PaymentID, own.Means
	switch event {
	case EventPaid, EventAccepted:
		return c.paid(from)
	case EventPaidTwice:
		return c.refundUnneeded(own)
	case EventPaidAndReturned:
		if own.Amount != c.t.Charge {
			c.t.Arrived = own.Amount
		}
		c.returned = true
		return c.recordReturned(own)
	case EventPaidWrong:
		c.t.Arrived = own.Amount
		c.alertPayment("payment in review: amount or currency differ", c.t.ID, "asked", c.t.Charge, "said", own.Amount)
		return errors.Join(c.addEntry(enrol.EntryPaymentInReview), c.notifyReview())
	case EventAttemptFailed:
		return c.addEntry(enrol.EntryAttemptFailed)
	case EventFailed, EventTimeout:
		return c.releaseAttempt()
	}
	return nil
}

func (c *change) addEntry(kind enrol.EntryKind) error {
	return enrol.Note(c.tx, c.r, c.now, kind, c.t.ID)
}

// paid does everything that follows from a payment: coupon, ticket, referral, invoice, timeline and receipt mail.
func (c *change) paid(from State) error {
	t, r, tx := c.t, c.r, c.tx
	event, _ := c.Events.EventByCode(r.EventCode)
	if err := c.useCoupon(); err != nil { // lock order: coupon, then ticket series, as in a start at zero price
		return err
	}
	if err := r.SetPaid(tx, event, t.ID, t.CouponCode, c.now); err != nil {
		return err
	}
	if t.Charge.Minor > 0 { // a free registration earns no referral credit
		if err := enrol.CreditReferral(tx, r, c.now); err != nil {
			return err
		}
	}
	issued, err := c.Invoices.Issue(tx, c.sale())
	if err != nil {
		return err
	}
	if err := c.addEntry(enrol.EntryPaid); err != nil {
		return err
	}
	if err := c.closeOtherAttempt(); err != nil {
		return err
	}
	return c.mailReceipt("receipt:"+t.ID, issued, from == Failed || from == Expired && !c.now.Before(t.ExpiresAt))
}

// mailReceipt mails the receipt, with the invoice that was issued, if any, and the ticket. late says that the payer was told otherwise.
func (c *change) mailReceipt(cause string, issued *invoice.Invoice, late bool) error {
	link, err := invoice.NewLink(c.tx, c.r.ID, c.now)
	if err != nil {
		return err
	}
	event, _ := c.Events.EventByCode(c.r.EventCode)
	template, params := c.r.ReceiptMail(event, c.t.Charge, late, c.BaseURL, c.now)
	params["ReceiptURL"] = c.BaseURL + paths.Receipt(link)
	if issued != nil {
		params["InvoiceURL"], params["InvoiceNumber"] = c.BaseURL+paths.Invoice(link), issued.Number
	}
	return c.Messages.Send(c.tx, message.Message{
		Cause: cause, Channel: message.Email, To: c.r.Email, Template: template, Params: params, Papers: c.receiptAttachments(issued),
	})
}

// useCoupon marks the coupon of a payment that counts as used.
func (c *change) useCoupon() error {
	over, err := enrol.UseCoupon(c.tx, c.r, c.t.CouponCode, c.t.ID, c.now)
	if over {
		c.alertPayment("coupon used beyond its limit", c.t.ID)
	}
	return err
}

// closeOtherAttempt makes the poller cancel another open attempt of a paid registration.
func (c *change) closeOtherAttempt() error {
	open, err := c.tx.OpenTransaction(c.r.ID)
	if err != nil || open == nil || open.ID == c.t.ID {
		return err
	}
	return c.tx.AddJob(admission.Job{Kind: JobPoll, Ref: open.ID, DueAt: c.now})
}

// receiptAttachments lists the receipt mail's attachments: the invoice, or else the receipt, and the ticket.
func (c *change) receiptAttachments(issued *invoice.Invoice) []string {
	papers := []string{paper.Name(paper.Receipt, c.t.ID)}
	if issued != nil {
		papers[0] = paper.Name(paper.Invoice, issued.ID)
	}
	if c.r.Ticket != "" {
		papers = append(papers, paper.Name(paper.Ticket, c.t.ID))
	}
	return papers
}

// sale returns the sale that the attempt's invoice documents.
func (c *change) sale() invoice.Sale {
	t, r := c.t, c.r
	list, discount, missing := t.InvoiceSums()
	return invoice.Sale{
		TxnID: t.ID, RegistrationID: r.ID, Application: r.IsApplication(), Description: t.Payer.Description,
		Buyer: invoice.Party{Name: t.Payer.Name, Email: t.Payer.Email, Phone: t.Payer.Phone}, StateCode: t.Payer.StateCode,
		List: list, Discount: discount, Adjustment: missing, Charged: t.Charge, Exchange: t.Exchange, CouponCode: t.CouponCode, PaymentMethod: t.Gateway,
		SoldBy: t.SoldBy,
	}
}

// endEntries maps the states of an attempt that ends unpaid to its timeline entries.
var endEntries = map[State]enrol.EntryKind{Failed: enrol.EntryPaymentFailed, Expired: enrol.EntryPaymentExpired}

// releaseAttempt releases the coupon of an attempt that ended unpaid and moves its registration to StepUnpaid. Unless
// the payer's browser shows the outcome, it notifies the payer.
func (c *change) releaseAttempt() error {
	if err := c.tx.SetCouponUse(c.t.ID, enrol.UseReleased); err != nil {
		return err
	}
	if c.r.Paid() || c.r.Step != enrol.StepPaying {
		return nil
	}
	if err := c.addEntry(endEntries[c.t.State]); err != nil {
		return err
	}
	if !c.seen {
		if err := c.notifyUnpaid(); err != nil {
			return err
		}
	}
	return c.r.Move(c.tx, enrol.StepUnpaid, c.now)
}

// refundUnneeded refunds a payment that is not needed: the registration is paid, another payment of it is in review, or
// its person is deleted.
func (c *change) refundUnneeded(own method.Charge) error {
	if err := c.tx.SetCouponUse(c.t.ID, enrol.UseReleased); err != nil {
		return err
	}
	kind := enrol.EntryPaidTwice
	if !c.r.Paid() && !c.r.ErasedAt.IsZero() {
		kind = enrol.EntryPaidAfterDeletion
	}
	if err := errors.Join(c.addEntry(kind), c.notifyDueRefund(c.t.PaymentID, own.Amount)); err != nil {
		return err
	}
	return c.tx.AddJob(admission.Job{Kind: JobRefund, Ref: c.t.ID, DueAt: c.now})
}

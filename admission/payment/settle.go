package payment

import (
	"cmp"
	"context"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
)

// changeTransaction loads an attempt and its registration for change, in that order everywhere, and saves the attempt.
func (s *Service) changeTransaction(ctx context.Context, txnID string, change func(Tx, *Transaction, *enrol.Registration) error) error {
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
		if err := change(tx, t, r); err != nil {
			return err
		}
		t.ModifiedAt = s.Clock()
		return tx.SaveTransaction(t)
	})
}

// Settle is the only way in which an attempt becomes paid. Return, verify, webhook and poller all call it, in any order,
// any number of times; each answer of a gateway is judged again under the lock.
func (s *Service) Settle(ctx context.Context, txnID string, answer Status) (Transaction, error) {
	var after Transaction
	err := s.changeTransaction(ctx, txnID, func(tx Tx, t *Transaction, r *enrol.Registration) error {
		t.FetchedAt = s.Clock()
		err := s.settle(tx, t, r, answer)
		after = *t
		return err
	})
	return after, err
}

func (s *Service) settle(tx Tx, t *Transaction, r *enrol.Registration, answer Status) error {
	if t.State == Paid && answer.State == ChargePaid { // a partial refund moves nothing else
		t.RefundedMinor = max(t.RefundedMinor, answer.Refunded.Minor)
	}
	if answer.TxnID == t.ID { // an answer about another's charge leaves no trace but a payment in review
		t.Ref, t.PaymentID = cmp.Or(answer.Ref, t.Ref), cmp.Or(answer.PaymentID, t.PaymentID)
	}
	if answer.State == ChargePending && !answer.AttemptFailed { // the customer tries again: what happened before says nothing any more
		t.AttemptFailed = false
	}
	event, final := judge(t, r, answer)
	if event == "" {
		return nil
	}
	to, allowed := move(t.State, event)
	if !allowed { // e.g. a failure after paid: never a downgrade
		s.Log.Info("payment event ignored", "txn", t.ID, "state", t.State, "event", event)
		return nil
	}
	from := t.State
	t.State = to
	t.AttemptFailed = event == EventAttemptFailed
	if final {
		t.SettledAt = s.Clock()
	}
	switch event {
	case EventPaid:
		return s.paid(tx, t, r, from)
	case EventPaidTwice:
		return s.refundDue(tx, t, r)
	case EventPaidWrong:
		s.Alert("payment in review: amount or currency differ")
		s.Log.Error("gateway answered another amount", "txn", t.ID, "asked", t.Charge, "said", answer.Amount)
		return enrol.Note(tx, r, s.Clock(), "payment in review", t.ID)
	case EventAttemptFailed:
		return enrol.Note(tx, r, s.Clock(), "payment attempt failed", t.ID)
	case EventFailed, EventTimeout:
		return s.giveUp(tx, t, r)
	}
	return nil
}

// judge says which event a gateway's answer is for an attempt; "" where there is nothing new.
func judge(t *Transaction, r *enrol.Registration, s Status) (event Event, final bool) {
	switch {
	case s.State == ChargePaid && (s.TxnID != t.ID || s.Amount != t.Charge):
		return EventPaidWrong, true
	case s.State == ChargePaid && r.Paid() && r.PaidTxnID != t.ID:
		return EventPaidTwice, true
	case s.State == ChargePaid:
		return EventPaid, true
	case s.State == ChargeFailed:
		return EventFailed, true
	case s.State == ChargePending && s.AttemptFailed && !t.AttemptFailed:
		return EventAttemptFailed, false
	}
	return "", false
}

// paid is everything that follows from money that has arrived: one transaction, with the caller's.
func (s *Service) paid(tx Tx, t *Transaction, r *enrol.Registration, from State) error {
	now := s.Clock()
	r.PaidTxnID, r.CouponCode, r.ModifiedAt = t.ID, t.CouponCode, now
	if err := r.Move(tx, enrol.StepComplete, s.Clock()); err != nil {
		return err
	}
	if err := tx.SetCouponUse(t.ID, enrol.UseTaken); err != nil {
		return err
	}
	if err := enrol.CreditReferral(tx, r, s.Clock()); err != nil {
		return err
	}
	issued, err := s.Invoices.Issue(tx, s.sale(t, r))
	if err != nil {
		return err
	}
	link := admission.NewToken()
	if err := tx.AddLink(invoice.Link{TokenHash: admission.HashToken(link), RegistrationID: r.ID, ExpiresAt: now.Add(invoice.LinkLife)}); err != nil {
		return err
	}
	event, _ := s.Events.EventByCode(r.EventCode)
	params := map[string]string{
		"Name": r.FullName, "Programme": event.Title, "Amount": t.Charge.String(), "Transaction": t.ID,
		"ReceiptURL": s.BaseURL + "/receipt/" + link, "Dates": event.DaysFrom(now),
	}
	template := "receipt"
	switch {
	case t.Charge.Minor == 0:
		template = "receipt-free"
	case from == Failed || from == Expired:
		template = "receipt-late"
	}
	if issued != nil {
		params["InvoiceURL"], params["InvoiceNumber"] = s.BaseURL+"/invoice/"+link, issued.Number
	}
	if err := enrol.Note(tx, r, s.Clock(), "paid", t.ID); err != nil {
		return err
	}
	return message.Send(tx, s.Clock(), message.Message{Cause: "receipt:" + t.ID, Channel: message.Email, To: r.Email, Template: template, Params: params})
}

// giveUp releases what an attempt held, and tells the registration where it stands.
func (s *Service) giveUp(tx Tx, t *Transaction, r *enrol.Registration) error {
	if err := tx.SetCouponUse(t.ID, enrol.UseReleased); err != nil {
		return err
	}
	if r.Paid() || r.Step != enrol.StepPaying {
		return nil
	}
	if err := enrol.Note(tx, r, s.Clock(), "payment "+string(t.State), t.ID); err != nil {
		return err
	}
	return r.Move(tx, enrol.StepUnpaid, s.Clock())
}

func (s *Service) refundDue(tx Tx, t *Transaction, r *enrol.Registration) error {
	if err := tx.SetCouponUse(t.ID, enrol.UseReleased); err != nil {
		return err
	}
	if err := enrol.Note(tx, r, s.Clock(), "paid twice, refund due", t.ID); err != nil {
		return err
	}
	event, _ := s.Events.EventByCode(r.EventCode)
	if err := message.Send(tx, s.Clock(), message.Message{
		Cause: "refund:" + t.ID, Channel: message.Email, To: r.Email, Template: "refund-started",
		Params: map[string]string{"Name": r.FullName, "Programme": event.Title, "Amount": t.Charge.String(), "Transaction": t.ID},
	}); err != nil {
		return err
	}
	return tx.AddJob(admission.Job{Kind: JobRefund, Ref: t.ID, DueAt: s.Clock()})
}

// sale is what an attempt's invoice is issued for.
func (s *Service) sale(t *Transaction, r *enrol.Registration) invoice.Sale {
	event, _ := s.Events.EventByCode(r.EventCode)
	return invoice.Sale{
		TxnID: t.ID, RegistrationID: r.ID, Description: "Registration fee – " + event.Title,
		Buyer: invoice.Party{Name: r.FullName, Email: r.Email, Phone: r.Phone}, StateCode: r.StateCode,
		List: t.List, Discount: t.Discount, Charged: t.Charge, CouponCode: t.CouponCode, PaymentMethod: t.Gateway,
	}
}

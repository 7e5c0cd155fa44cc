package receipt

import (
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// Kind is the status of money that we refund or have lost.
type Kind string

const (
	Late        Kind = "late"         // the bank confirmed it late: the payer may have paid again
	Due         Kind = "due"          // its refund is requested, and the provider has not accepted it
	Sent        Kind = "sent"         // the provider has accepted its refund
	Failed      Kind = "failed"       // the provider refused its refund: a person sends it
	Bounced     Kind = "bounced"      // the payer's bank returned its refund: a person sends it
	DisputeOpen Kind = "dispute open" // the payer's bank is deciding a dispute
	DisputeLost Kind = "dispute lost" // the payer's bank took a part of the fee
	DisputeBack Kind = "dispute back" // the payer's bank took it, and returned it
)

// Reason is why an amount is not ours.
type Reason string

const (
	PartOfFee Reason = "part of the fee"
	PaidTwice Reason = "paid twice"
	Covered   Reason = "covered by a coupon"
	TooMuch   Reason = "above the fee"
	WrongSum  Reason = "not the fee" // of a payment that was checked and not accepted
	Returned  Reason = "returned"    // before we knew of it
)

// Note describes a refund or dispute to the payer.
type Note struct {
	Kind   Kind
	Reason Reason // of Due, Sent and Failed
	Amount admission.Money
	TxnID  string    // our payment that it is about
	At     time.Time // when it happened
	By     time.Time // the day by which the money should arrive, or a person acts; zero for none
}

// keptFor is how long a note stays after the money should have arrived.
const keptFor = 30 * 24 * time.Hour

// Notes returns what the payer reads about money now, the newest first. The refund of the whole fee has no note: pages have
// titles for it.
func (r Receipt) Notes(now time.Time) (notes []Note) {
	t := r.Transaction
	last := map[string]payment.Refund{} // by charge
	lastExcess := ""
	for _, refund := range r.Refunds {
		last[refund.PaymentID] = refund
		if refund.Reason == payment.ReasonExcess {
			lastExcess = refund.ID
		}
	}
	for _, refund := range r.Refunds {
		switch {
		case refund.Reason == payment.ReasonExcess && refund.ID != lastExcess: // it was sent again
		case refund.PaymentID == t.PaymentID:
			notes = append(notes, r.ownNote(refund, refund.ID == last[refund.PaymentID].ID)...)
		case refund.ID == last[refund.PaymentID].ID:
			notes = append(notes, surplusNote(t.ID, r.paidTwice(), refund)...)
		}
	}
	for _, other := range r.Surplus {
		notes = append(notes, r.otherNote(other)...)
	}
	if r.Disputed() {
		notes = append(notes, Note{Kind: DisputeOpen, Amount: t.Charge, TxnID: t.ID, At: t.DisputedAt})
	}
	if r.Late && len(notes) == 0 && !r.Registration.Refunded {
		notes = append(notes, Note{Kind: Late, Amount: t.Charge, TxnID: t.ID, At: t.SettledAt, By: t.SettledAt})
	}
	notes = slices.DeleteFunc(notes, func(n Note) bool { return n.over(now) })
	slices.SortStableFunc(notes, func(a, b Note) int { return b.At.Compare(a.At) })
	return notes
}

// over reports whether a note has expired. Notes on money that we owe, or that a bank decides on, never expire.
func (n Note) over(now time.Time) bool {
	switch n.Kind {
	case Due, Failed, Bounced, DisputeOpen:
		return false
	}
	return !now.Before(n.By.Add(keptFor))
}

// paidTwice returns why a second charge is not ours.
func (r Receipt) paidTwice() Reason {
	if r.Transaction.Gateway == payment.NoGateway {
		return Covered
	}
	return PaidTwice
}

// ownNote returns the note on a refund of the payment that counts. latest reports whether it is the payment's last one.
func (r Receipt) ownNote(refund payment.Refund, latest bool) []Note {
	note := Note{Amount: refund.Amount, TxnID: r.Transaction.ID, At: refund.ChangedAt, By: refund.ChangedAt}
	switch {
	case r.Registration.Refunded, refund.Reason.Loss():
		return nil
	case refund.Reason == payment.ReasonExcess:
		return surplusNote(r.Transaction.ID, TooMuch, refund)
	case refund.State == method.RefundDone && refund.Reason.ByDispute():
		note.Kind = DisputeLost
	case refund.State == method.RefundDone, refund.State == method.RefundAccepted:
		note.Kind, note.Reason, note.At, note.By = Sent, PartOfFee, refund.SentAt(), refund.ArrivesBy(payment.RefundDays)
	case refund.State == method.RefundAsked:
		note.Kind, note.Reason, note.At = Due, PartOfFee, refund.CreatedAt
	case refund.State == method.RefundBounced && latest && refund.Reason.ByDispute():
		note.Kind = DisputeBack
	case refund.State == method.RefundBounced && latest:
		note.Kind, note.By = Bounced, admission.BusinessDays(refund.ChangedAt, payment.StaffDays)
	default:
		return nil
	}
	return []Note{note}
}

// surplusNote returns the note on the last refund of an amount that is not ours.
func surplusNote(txnID string, reason Reason, refund payment.Refund) []Note {
	note := Note{Kind: Due, Reason: reason, Amount: refund.Amount, TxnID: txnID, At: refund.CreatedAt}
	switch refund.State {
	case method.RefundAsked:
	case method.RefundAccepted, method.RefundDone:
		if refund.Reason.ByDispute() {
			return nil
		}
		note.Kind, note.At, note.By = Sent, refund.SentAt(), refund.ArrivesBy(payment.SurplusDays)
	case method.RefundFailed, method.RefundBounced:
		note.Kind, note.At = Failed, refund.ChangedAt
		if refund.State == method.RefundBounced {
			note.Kind = Bounced
		}
		if !refund.ChangedAt.IsZero() {
			note.By = admission.BusinessDays(refund.ChangedAt, payment.StaffDays)
		}
	}
	return []Note{note}
}

// returned reports whether the provider had returned the payment before we knew of it.
func (s Surplus) returned() bool {
	return s.Transaction.State == payment.Refunded && len(s.Refunds) > 0 && !slices.ContainsFunc(s.Refunds, func(refund payment.Refund) bool {
		return refund.Reason != payment.ReasonAtProvider || !refund.CreatedAt.Equal(s.Transaction.SettledAt)
	})
}

// otherNote returns the note on another payment of the registration.
func (r Receipt) otherNote(other Surplus) []Note {
	t, reason := other.Transaction, r.paidTwice()
	switch {
	case t.Arrived.Currency != "":
		reason = WrongSum
	case other.returned():
		reason = Returned
	}
	for _, refund := range slices.Backward(other.Refunds) {
		if !refund.Reason.Loss() {
			return surplusNote(t.ID, reason, refund)
		}
	}
	return []Note{{Kind: Due, Reason: reason, Amount: t.Charge, TxnID: t.ID, At: t.SettledAt}}
}

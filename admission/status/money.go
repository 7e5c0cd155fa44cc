package status

import (
	"time"

	"hiresure/admission/payment"
)

// Money is the state of one payment.
type Money string

const (
	MoneyNone      Money = "none"      // there is no payment
	MoneyOpen      Money = "open"      // the payer can still pay, or the provider has not answered
	MoneyFailed    Money = "failed"    // the last try failed
	MoneyExpired   Money = "expired"   // it expired unpaid
	MoneyReview    Money = "review"    // another amount or order arrived: staff check it
	MoneyPaid      Money = "paid"      // paid, also during a dispute
	MoneyDueBack   Money = "due_back"  // to be refunded; not sent yet
	MoneyHeld      Money = "held"      // to be refunded, but a refund failed or bounced: staff send it by hand
	MoneyReturning Money = "returning" // refund sent
	MoneyReturned  Money = "returned"  // refund completed
)

// MoneyOf returns the state of a payment now; nil means there is none.
func MoneyOf(t *payment.Transaction, now time.Time) Money {
	if t == nil {
		return MoneyNone
	}
	switch t.State {
	case payment.Created, payment.Pending:
		switch {
		case t.AttemptFailed:
			return MoneyFailed
		case !now.Before(t.ExpiresAt):
			return MoneyExpired
		}
		return MoneyOpen
	case payment.Failed:
		return MoneyFailed
	case payment.Expired:
		return MoneyExpired
	case payment.Review:
		return MoneyReview
	case payment.RefundDue:
		if t.RefundFailed {
			return MoneyHeld
		}
		return MoneyDueBack
	case payment.RefundPending:
		return MoneyReturning
	case payment.Refunded:
		return MoneyReturned
	}
	return MoneyPaid
}

// Kept reports whether a payment is ours: no refund is under way, no dispute is open, and none has taken a part of it.
func Kept(t *payment.Transaction) bool {
	return t.State == payment.Paid && (t.DisputedAt.IsZero() || t.RefundedMinor == 0)
}

func (f Facts) money(now time.Time) Money { return MoneyOf(f.Transaction, now) }

package status

import (
	"time"

	"hiresure/admission/payment"
)

// Money is what has become of one payment.
type Money string

const (
	MoneyNone      Money = "none"      // there is no payment
	MoneyOpen      Money = "open"      // the payer can still pay, or the provider has not answered
	MoneyFailed    Money = "failed"    // the last try failed
	MoneyExpired   Money = "expired"   // its time ran out, unpaid
	MoneyReview    Money = "review"    // it arrived otherwise than asked for, and staff check it
	MoneyPaid      Money = "paid"      // it arrived, and counts; in a dispute too
	MoneyDueBack   Money = "due_back"  // it has to go back, and is not on its way yet
	MoneyReturning Money = "returning" // it is on its way back
	MoneyReturned  Money = "returned"  // it has gone back
)

// MoneyOf returns what has become of a payment now; nil is none.
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
		return MoneyDueBack
	case payment.RefundPending:
		return MoneyReturning
	case payment.Refunded:
		return MoneyReturned
	}
	return MoneyPaid
}

func (f Facts) money(now time.Time) Money { return MoneyOf(f.Transaction, now) }

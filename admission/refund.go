package admission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// RefundState is how far one refund has come.
type RefundState string

const (
	RefundAsked  RefundState = "asked" // our row stands, the provider may or may not know
	RefundDone   RefundState = "done"
	RefundFailed RefundState = "failed"
)

// Refund is money on its way back. ID is our idempotency key at the provider.
type Refund struct {
	ID, TxnID, ProviderID string
	Amount                Money
	State                 RefundState
	CreatedAt             time.Time
}

// RefundPayment is the work of JobRefund: it returns the whole of a charge that must go back, once. The refund's id
// stands in our books before the provider hears of it, so that a crash in between repeats the same refund.
func (o *Office) RefundPayment(ctx context.Context, txnID string) (again time.Duration, err error) {
	l, err := o.load(ctx, txnID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil {
		return 0, fmt.Errorf("refund: gateway %q is not configured", l.t.Gateway)
	}
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	amount := Money{Minor: l.t.Charge.Minor - l.t.RefundedMinor, Currency: l.t.Charge.Currency}
	if l.t.State == PayReview { // it was charged something else: that goes back
		s, err := l.gateway.Fetch(wait, o.intent(*l.t, l.r, l.event), l.t.Ref)
		if err == nil && s.TxnID != txnID {
			err = ErrNoCharge
		}
		if err != nil {
			return 0, fmt.Errorf("refund %s: what was charged: %w", txnID, err)
		}
		l.t.PaymentID = s.PaymentID
		amount = Money{Minor: s.Amount.Minor - s.Refunded.Minor, Currency: s.Amount.Currency}
	}
	var refund *Refund
	if err := o.changeTransaction(ctx, txnID, func(tx Tx, t *Transaction, _ *Registration) (err error) {
		if refund, err = tx.OpenRefund(txnID); err != nil || refund != nil {
			return err
		}
		to, allowed := move(t.State, EventRefundSent)
		if !allowed {
			return nil
		}
		refund = &Refund{ID: NewID(), TxnID: txnID, Amount: amount, State: RefundAsked, CreatedAt: o.Clock()}
		t.StateBefore, t.State, t.PaymentID = t.State, to, cmp.Or(t.PaymentID, l.t.PaymentID)
		return tx.SaveRefund(refund)
	}); err != nil || refund == nil {
		return 0, err
	}
	s, err := l.gateway.Refund(wait, o.intent(*l.t, l.r, l.event), l.t.PaymentID, refund.ID, refund.Amount)
	if errors.Is(err, ErrDeclined) { // perhaps because it has gone back already, by hand at the provider
		if now, fetchErr := l.gateway.Fetch(wait, o.intent(*l.t, l.r, l.event), l.t.Ref); fetchErr == nil && now.TxnID == txnID && now.State == ChargeRefunded {
			s, err = Status{State: ChargeRefunded}, nil
		}
	}
	if err != nil && !errors.Is(err, ErrDeclined) {
		return 0, fmt.Errorf("refund %s: %w", refund.ID, err) // tried again with the same id
	}
	if err == nil && s.State != ChargeRefunded {
		return time.Hour, nil // accepted, not processed yet
	}
	happened := EventRefundDone
	if err != nil {
		happened = EventRefundFailed
		o.Alert("refund failed")
	}
	return 0, o.changeTransaction(ctx, txnID, func(tx Tx, t *Transaction, r *Registration) error {
		to, allowed := move(t.State, happened)
		if !allowed {
			return nil
		}
		if happened == EventRefundFailed {
			t.State, refund.State = t.StateBefore, RefundFailed
			return tx.SaveRefund(refund)
		}
		t.State, refund.State, refund.ProviderID = to, RefundDone, s.PaymentID
		t.RefundedMinor += refund.Amount.Minor
		if r.PaidTxnID == t.ID { // the registration's own payment: it ends; a duplicate's refund leaves it alone
			r.Refunded, r.ModifiedAt = true, o.Clock()
			if err := tx.SaveRegistration(r); err != nil {
				return err
			}
			if err := tx.CancelReferralCredit(r.ID, o.Clock()); err != nil {
				return err
			}
		}
		if err := o.note(tx, r, "refunded", t.ID); err != nil {
			return err
		}
		if t.StateBefore == PayReview {
			open, err := tx.OpenTransaction(r.ID)
			if err != nil {
				return err
			}
			if err := tx.SetCouponUse(t.ID, UseReleased); err != nil {
				return err
			}
			if open == nil && r.Step == StepPaying {
				if err := o.moveRegistration(tx, r, StepUnpaid); err != nil {
					return err
				}
			}
		}
		return tx.SaveRefund(refund)
	})
}

// Difference is one line of the reconciliation of a day.
type Difference struct{ TxnID, Gateway, What string }

// Reconcile compares what the gateways charged on a day (Asia/Kolkata) with our books.
func (o *Office) Reconcile(ctx context.Context, day time.Time) (differences []Difference, err error) {
	start := time.Date(day.In(IST).Year(), day.In(IST).Month(), day.In(IST).Day(), 0, 0, 0, 0, IST)
	for _, g := range o.Gateways { // one that does not answer hides nothing of the others
		found, gatewayErr := o.reconcileGateway(ctx, g, start)
		differences, err = append(differences, found...), errors.Join(err, gatewayErr)
	}
	return differences, err
}

func (o *Office) reconcileGateway(ctx context.Context, g Gateway, start time.Time) (differences []Difference, err error) {
	charged, err := chargedAround(ctx, g, start)
	if err != nil {
		return nil, err
	}
	for s, err := range g.List(ctx, start) {
		if err != nil {
			return differences, fmt.Errorf("list charges of %s: %w", g.Name(), err)
		}
		if s.State != ChargePaid && s.State != ChargeRefunded {
			continue
		}
		l, err := o.load(ctx, s.TxnID)
		switch {
		case AsProblem(err) != nil:
			differences = append(differences, Difference{s.TxnID, g.Name(), "charged, but not in our books"})
		case err != nil:
			return differences, err
		case s.State == ChargeRefunded && l.t.State != PayRefunded:
			differences = append(differences, Difference{s.TxnID, g.Name(), "refunded there, " + string(l.t.State) + " here"})
		case s.State == ChargePaid && (l.t.Open() || l.t.State == PayFailed || l.t.State == PayExpired):
			differences = append(differences, Difference{s.TxnID, g.Name(), "charged there, " + string(l.t.State) + " here"})
		case s.Amount != l.t.Charge:
			differences = append(differences, Difference{s.TxnID, g.Name(), "charged " + s.Amount.String() + " for " + l.t.Charge.String()})
		}
	}
	var paid []string
	if err := o.Store.View(ctx, func(tx Tx) (err error) {
		paid, err = tx.PaidBetween(g.Name(), start, start.AddDate(0, 0, 1))
		return err
	}); err != nil {
		return differences, err
	}
	for _, id := range paid {
		if !charged[id] {
			differences = append(differences, Difference{id, g.Name(), "paid in our books, not charged there"})
		}
	}
	return differences, nil
}

// chargedAround answers what a gateway charged on a day and on its neighbours: one side's midnight is not the other's.
func chargedAround(ctx context.Context, g Gateway, day time.Time) (map[string]bool, error) {
	charged := map[string]bool{}
	for offset := -1; offset <= 1; offset++ {
		for s, err := range g.List(ctx, day.AddDate(0, 0, offset)) {
			if err != nil {
				return nil, fmt.Errorf("list charges of %s: %w", g.Name(), err)
			}
			if s.State == ChargePaid || s.State == ChargeRefunded {
				charged[s.TxnID] = true
			}
		}
	}
	return charged, nil
}

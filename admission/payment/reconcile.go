package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Difference is one mismatch that a reconciliation found.
type Difference struct{ TxnID, Gateway, What string }

// Reconcile compares the gateways' movements of the days from..to (Asia/Kolkata, to excluded) with our records, in both
// directions. It settles what we missed and returns every difference found.
func (s *Service) Reconcile(ctx context.Context, from, to time.Time) (differences []Difference, err error) {
	start, end := midnight(from), midnight(to)
	for _, entry := range s.Gateways { // an error of one gateway does not stop the others
		if entry.Gateway == nil {
			continue
		}
		found, gatewayErr := s.reconcileGateway(ctx, entry, start, end)
		differences, err = append(differences, found...), errors.Join(err, gatewayErr)
	}
	return differences, err
}

func midnight(at time.Time) time.Time {
	year, month, day := at.In(admission.IST).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, admission.IST)
}

// maxReconcileErrors ends the comparison with a gateway: either it or our database is not available. A single payment that
// cannot be compared does not hide the others.
const maxReconcileErrors = 3

func (s *Service) reconcileGateway(ctx context.Context, entry Entry, start, end time.Time) (differences []Difference, err error) {
	charged := map[string]bool{}
	errs := 0
	failed := func(what string, cause error) (enough bool) {
		errs++
		err = errors.Join(err, fmt.Errorf("%s: %w", what, cause), s.alertRefusedCredentials(ctx, entry.Name, cause))
		return errs == maxReconcileErrors || errors.Is(cause, method.ErrCredentials)
	}
	listed := true
	// One day more on each side: the provider's day may have another time zone.
	for day := start.AddDate(0, 0, -1); day.Before(end.AddDate(0, 0, 1)); day = day.AddDate(0, 0, 1) {
		within := !day.Before(start) && day.Before(end)
		for moved, listErr := range entry.Gateway.List(ctx, day) {
			if listErr != nil {
				listed = false
				if failed("list charges of "+entry.Name, listErr) {
					return differences, err
				}
				break
			}
			txnID, what, compareErr := s.compare(ctx, entry, moved)
			charged[txnID] = true
			if what != "" && within {
				differences = append(differences, Difference{txnID, entry.Name, what})
			}
			if compareErr != nil && failed("compare payment "+txnID+" of "+entry.Name, compareErr) {
				return differences, err
			}
		}
	}
	if !listed { // each payment of those days would have to be asked about
		return differences, err
	}
	var unlisted []string
	if viewErr := s.Store.View(ctx, func(tx Tx) error {
		unlisted = nil
		for id, err := range tx.PaidBetween(entry.Name, start, end) {
			if err != nil {
				return err
			}
			if !charged[id] {
				unlisted = append(unlisted, id)
			}
		}
		return nil
	}); viewErr != nil {
		return differences, errors.Join(err, viewErr)
	}
	for _, id := range unlisted {
		charged, askErr := s.chargedEarlier(ctx, id)
		switch {
		case askErr != nil && failed("ask "+entry.Name+" about "+id, askErr):
			return differences, err
		case askErr == nil && !charged:
			differences = append(differences, Difference{id, entry.Name, "paid in our books, not charged there"})
		}
	}
	return differences, err
}

// chargedEarlier reports whether the gateway knows the charge of a payment that it did not list. The charge may be days
// older than its settlement here, for example if staff accepted it after a review.
func (s *Service) chargedEarlier(ctx context.Context, txnID string) (charged bool, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil || l.gateway == nil {
		return false, err
	}
	held, _, err := s.fetchTimed(ctx, l)
	if errors.Is(err, method.ErrNoCharge) {
		return false, nil
	}
	return held.Charge(l.t.PaymentID).PaymentID != "", err
}

// compare returns how a movement differs from our records ("" if it does not). On a difference, and on a dispute of a second
// charge, which no record of ours shows, it queries the gateway.
func (s *Service) compare(ctx context.Context, entry Entry, moved method.Movement) (txnID, what string, err error) {
	var t *Transaction
	var refunds []Refund
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		if t, err = tx.Transaction(moved.TxnID); err == nil && t == nil && moved.Ref != "" {
			t, err = tx.TransactionByRef(entry.Name, moved.Ref)
		}
		if err == nil && t != nil {
			refunds, err = tx.RefundsOf(t.ID)
		}
		return err
	}); err != nil {
		return moved.TxnID, "", err
	}
	if t == nil || t.Gateway != entry.Name {
		return moved.TxnID, "charged, but not in our books", nil
	}
	ours := refundsOfCharge(refunds, moved.Charge.PaymentID)
	if what = difference(t, ours, entry.withRecords(moved.Charge, t, ours)); what == "" && !(moved.Charge.Disputed && moved.Charge.PaymentID != t.PaymentID) {
		return t.ID, "", nil
	}
	_, _, err = s.query(ctx, t.ID, gatewayWait, false, s.fetch)
	return t.ID, what, err
}

// alertedOfDispute reports whether staff know of a dispute that no state shows: of a second charge, or of a refunded payment.
func (t *Transaction) alertedOfDispute(paymentID string) bool {
	return paymentID != t.PaymentID || !t.DisputedAt.IsZero() && (t.State == Refunded || t.State == RefundPending)
}

// difference returns how a charge differs from our records; "" if it does not.
func difference(t *Transaction, ours chargeRefunds, charge method.Charge) string {
	known := charge.PaymentID == t.PaymentID || t.unsettled() || len(ours.refunds) > 0
	switch {
	case !charge.Captured():
		return ""
	case !known && charge.State == method.ChargeRefunded:
		return ""
	case !known:
		return "charged a second time"
	case t.unsettled() && charge.State == method.ChargePaid:
		return "charged there, " + string(t.State) + " here"
	case t.unsettled():
		return ""
	case charge.Disputed && t.alertedOfDispute(charge.PaymentID):
		return ""
	case charge.Disputed && t.State != Disputed:
		return "disputed there, " + string(t.State) + " here"
	case !charge.Disputed && t.State == Disputed && charge.PaymentID == t.PaymentID:
		return "no longer disputed there"
	case !charge.Disputed && charge.State == method.ChargeRefunded && charge.Refunded.Minor != ours.done:
		return "refunded there, " + string(t.State) + " here"
	case !charge.Disputed && charge.Refunded.Minor != ours.done:
		return fmt.Sprintf("%s refunded there, %s here", charge.Refunded, charge.Amount.With(ours.done))
	case charge.PaymentID == t.PaymentID && charge.Amount != t.Charge && charge.State != method.ChargeRefunded:
		return "charged " + charge.Amount.String() + " for " + t.Charge.String()
	}
	if ours.beyond > 0 {
		return charge.Amount.With(ours.beyond).String() + " more than was paid has left"
	}
	return ""
}

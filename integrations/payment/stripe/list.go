package stripe

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/stripe/stripe-go/v85"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// List yields charges that moved the account's balance in the 24 hours from day on (payments, refunds, returned refunds,
// disputes), and charges with a dispute opened then that has not moved money yet.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		seen := map[string]bool{}
		for intentID, err := range g.moved(ctx, day) {
			if err == nil && (intentID == "" || seen[intentID]) {
				continue
			}
			seen[intentID] = true
			var moved []method.Movement
			if err == nil {
				moved, err = g.movements(ctx, intentID)
			}
			if err != nil {
				yield(method.Movement{}, fmt.Errorf("stripe: list: %w", err))
				return
			}
			for _, m := range moved {
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// moved yields the ids of intents whose money moved; "" for movements without an intent.
func (g *Gateway) moved(ctx context.Context, day time.Time) iter.Seq2[string, error] {
	within := &stripe.RangeQueryParams{GreaterThanOrEqual: day.Unix(), LesserThan: day.Add(24 * time.Hour).Unix()}
	return func(yield func(string, error) bool) {
		for there, err := range each(func(at stripe.ListParams) *stripe.V1List[*stripe.BalanceTransaction] {
			return g.api.V1BalanceTransactions.List(ctx, &stripe.BalanceTransactionListParams{ListParams: at, CreatedRange: within, Expand: stripe.StringSlice([]string{"data.source"})})
		}, func(b *stripe.BalanceTransaction) string { return b.ID }) {
			if !yield(intentOf(there), err) || err != nil {
				return
			}
		}
		for there, err := range each(func(at stripe.ListParams) *stripe.V1List[*stripe.Dispute] {
			return g.api.V1Disputes.List(ctx, &stripe.DisputeListParams{ListParams: at, CreatedRange: within})
		}, func(d *stripe.Dispute) string { return d.ID }) {
			intentID := ""
			if err == nil {
				intentID = idOf(there.PaymentIntent)
			}
			if !yield(intentID, err) || err != nil {
				return
			}
		}
	}
}

func intentOf(b *stripe.BalanceTransaction) string {
	if b == nil || b.Source == nil {
		return ""
	}
	switch {
	case b.Source.Charge != nil:
		return idOf(b.Source.Charge.PaymentIntent)
	case b.Source.Refund != nil:
		return idOf(b.Source.Refund.PaymentIntent)
	case b.Source.Dispute != nil:
		return idOf(b.Source.Dispute.PaymentIntent)
	}
	return ""
}

func idOf(p *stripe.PaymentIntent) string {
	if p == nil {
		return ""
	}
	return p.ID
}

// movements returns the current charge of an intent; none for another shop of the account.
func (g *Gateway) movements(ctx context.Context, intentID string) (moved []method.Movement, err error) {
	there, err := g.retrieve(ctx, intentID)
	if errors.Is(err, method.ErrNoCharge) || err == nil && !isOurs(there) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	status, err := g.status(ctx, there)
	for _, c := range status.Charges {
		moved = append(moved, method.Movement{TxnID: status.TxnID, Ref: intentID, Charge: c})
	}
	return moved, err
}

// isOurs reports whether an intent belongs to a payment attempt of ours.
func isOurs(there *stripe.PaymentIntent) bool { return admission.IsID(there.Metadata[txnKey]) }

package razorpay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"hiresure/admission/payment/method"
)

// List yields charges that were paid, refunded or disputed in the 24 hours from day on. Razorpay lists payments, refunds and
// disputes by creation: a payment authorised days later is listed on its first day.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if err := g.list(ctx, day, func(m method.Movement) bool { return yield(m, nil) }); err != nil {
			yield(method.Movement{}, fmt.Errorf("razorpay: list: %w", err))
		}
	}
}

func (g *Gateway) list(ctx context.Context, day time.Time, yield func(method.Movement) bool) error {
	from, to := day.Unix(), day.Add(24*time.Hour).Unix()-1 // both inclusive
	query := url.Values{"from": {strconv.FormatInt(from, 10)}, "to": {strconv.FormatInt(to, 10)}}
	disputes, err := g.disputesSince(ctx, from)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for t, err := range each[try](ctx, g, "/payments", query) {
		if err != nil {
			return err
		}
		if goOn, err := g.listPayment(ctx, t, disputes, seen, yield); err != nil || !goOn {
			return err
		}
	}
	moved := map[string]bool{} // payments of other days
	for r, err := range each[refund](ctx, g, "/refunds", query) {
		if err != nil {
			return err
		}
		moved[r.PaymentID] = true
	}
	for id, opened := range disputes {
		if slices.ContainsFunc(opened, func(d dispute) bool { return from <= d.CreatedAt && d.CreatedAt <= to }) {
			moved[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(moved)) {
		if seen[id] {
			continue
		}
		if goOn, err := g.listPaymentByID(ctx, id, seen, yield); err != nil || !goOn {
			return err
		}
	}
	return nil
}

// listPaymentByID yields a payment of another day.
func (g *Gateway) listPaymentByID(ctx context.Context, paymentID string, seen map[string]bool, yield func(method.Movement) bool) (goOn bool, err error) {
	var t try
	err = g.get(ctx, "/payments/"+url.PathEscape(paymentID), nil, &t)
	if errors.Is(err, method.ErrNoCharge) {
		return true, nil
	}
	if err == nil && t.ID != paymentID {
		err = fmt.Errorf("%w: response has another payment", method.ErrUnknown)
	}
	if err != nil {
		return false, err
	}
	disputes, err := g.disputesSince(ctx, t.CreatedAt)
	if err != nil {
		return false, err
	}
	return g.listPayment(ctx, t, disputes, seen, yield)
}

// listPayment yields a payment's current state, once, if it was captured. It skips payments without an order, which are not ours.
func (g *Gateway) listPayment(ctx context.Context, t try, disputes map[string][]dispute, seen map[string]bool, yield func(method.Movement) bool) (goOn bool, err error) {
	if seen[t.ID] || t.OrderID == "" || !t.taken() {
		return true, nil
	}
	seen[t.ID] = true
	charge, err := g.charge(ctx, t, disputes)
	if err != nil {
		return false, err
	}
	return yield(method.Movement{Ref: t.OrderID, Charge: charge}), nil
}

package twocheckout

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"time"

	"hiresure/admission/payment/method"
)

// List yields the current charges of orders placed in the 24 hours from day on. 2Checkout finds orders only by the day they were
// placed, so later refunds appear on that day. Its clock is assumed to be UTC, and an order is listed on one day only.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if err := g.list(ctx, day.UTC(), func(m method.Movement) bool { return yield(m, nil) }); err != nil {
			yield(method.Movement{}, fmt.Errorf("twocheckout: list: %w", err))
		}
	}
}

func (g *Gateway) list(ctx context.Context, day time.Time, yield func(method.Movement) bool) error {
	end := day.Add(24 * time.Hour)
	// 2Checkout's days differ from ours, so it is queried for whole days with one more on each side.
	query := url.Values{"StartDate": {day.AddDate(0, 0, -1).Format(time.DateOnly)}, "EndDate": {end.AddDate(0, 0, 1).Format(time.DateOnly)}}
	for found, err := range g.search(ctx, query) {
		if err != nil {
			return err
		}
		placed, err := time.Parse(time.DateTime, found.PlacedAt)
		if err != nil {
			return fmt.Errorf("%w: order without date", method.ErrUnknown)
		}
		if placed.Before(day) || !placed.Before(end) || found.RefNo == "" {
			continue
		}
		there, err := g.order(ctx, found.RefNo, found.TxnID)
		if err != nil {
			return err
		}
		c, taken, err := g.charge(there)
		if err != nil {
			return err
		}
		if taken && !yield(method.Movement{TxnID: there.TxnID, Ref: there.RefNo, Charge: c}) {
			return nil
		}
	}
	return nil
}

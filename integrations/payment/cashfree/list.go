package cashfree

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	pageOfList = 100
	mostPages  = 1000 // per day; stops a cursor that never ends
)

// moved is an account event: a payment, a refund, a dispute, or a settlement, which is ignored.
type moved struct {
	Type      string `json:"event_type"`
	OrderID   string `json:"order_id"`
	PaymentID id     `json:"cf_payment_id"`
}

// List yields charges of orders with a payment, refund or dispute in the 24 hours from day on.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if err := g.list(ctx, day, func(m method.Movement) bool { return yield(m, nil) }); err != nil {
			yield(method.Movement{}, fmt.Errorf("cashfree: list: %w", err))
		}
	}
}

func (g *Gateway) list(ctx context.Context, day time.Time, yield func(method.Movement) bool) error {
	asked, cursor := map[string]bool{}, ""
	for range mostPages {
		page := map[string]any{"limit": pageOfList}
		if cursor != "" {
			page["cursor"] = cursor
		}
		var answer struct {
			Cursor *string
			Data   []moved
		}
		// This POST is a query, so it has no idempotency key.
		err := g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: "/recon"}, map[string]any{"pagination": page, "filters": map[string]any{
			"start_date": day.UTC().Format(time.RFC3339), "end_date": day.Add(24*time.Hour - time.Second).UTC().Format(time.RFC3339), // both inclusive
		}}, &answer)
		if err != nil {
			return call.Unrefused(err)
		}
		for _, m := range answer.Data {
			if m.OrderID == "" || asked[m.OrderID] || m.Type == "SETTLEMENT" {
				continue
			}
			asked[m.OrderID] = true
			if goOn, err := g.listOrder(ctx, m.OrderID, yield); err != nil || !goOn {
				return err
			}
		}
		if answer.Cursor == nil || *answer.Cursor == "" {
			return nil
		}
		if *answer.Cursor == cursor {
			return fmt.Errorf("%w: the list's cursor repeats", method.ErrUnknown)
		}
		cursor = *answer.Cursor
	}
	return fmt.Errorf("%w: the list does not end", method.ErrUnknown)
}

// listOrder yields an order's current charges.
func (g *Gateway) listOrder(ctx context.Context, orderID string, yield func(method.Movement) bool) (goOn bool, err error) {
	tries, err := g.triesOf(ctx, orderID)
	if errors.Is(err, method.ErrNoCharge) { // for instance a payment link, which has no order
		return true, nil
	}
	if err != nil {
		return false, err
	}
	charges, err := g.charges(ctx, orderID, tries)
	if err != nil {
		return false, err
	}
	for _, c := range charges {
		if !yield(method.Movement{TxnID: orderID, Ref: orderID, Charge: c}) {
			return false, nil
		}
	}
	return true, nil
}

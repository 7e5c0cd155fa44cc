package cashfree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// refund is a Cashfree refund. Its refund_id is ours.
type refund struct {
	ID        string      `json:"refund_id"`
	OrderID   string      `json:"order_id"`
	PaymentID id          `json:"cf_payment_id"`
	Amount    call.Digits `json:"refund_amount"`
	Currency  string      `json:"refund_currency"`
	Status    string      `json:"refund_status"` // SUCCESS, PENDING, ONHOLD, CANCELLED
}

// Refund refunds an order. Cashfree refunds orders, not payments, and picks the payment of an order that was paid twice. Such a
// refund is declined; staff make it in Cashfree's dashboard.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, sum admission.Money) (method.RefundStatus, error) {
	status, err := g.FetchRefund(ctx, in, refundID, "")
	if !errors.Is(err, method.ErrNoCharge) {
		return status, err
	}
	if status, err = g.refund(ctx, in, of, refundID, sum); err != nil {
		return method.RefundStatus{}, fmt.Errorf("cashfree: refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, sum admission.Money) (method.RefundStatus, error) {
	tries, err := g.triesOf(ctx, in.TxnID)
	if err != nil {
		return method.RefundStatus{}, err
	}
	charges, err := g.charges(ctx, in.TxnID, tries)
	if err != nil {
		return method.RefundStatus{}, err
	}
	held := slices.DeleteFunc(charges, func(c method.Charge) bool { return c.State != method.ChargePaid })
	if len(held) > 1 {
		return method.RefundStatus{}, fmt.Errorf("%w: the order was paid twice, and Cashfree would choose which payment goes back: refund it in Cashfree's dashboard", method.ErrDeclined)
	}
	if len(held) == 0 || held[0].PaymentID != of.PaymentID || sum.Currency != held[0].Amount.Currency || sum.Minor <= 0 || sum.Minor > held[0].Amount.Minor-held[0].Refunded.Minor {
		return method.RefundStatus{}, fmt.Errorf("%w: amount exceeds what is left of the payment", method.ErrDeclined)
	}
	var made refund
	err = g.post(ctx, orderPath(in.TxnID)+"/refunds", refundID, map[string]any{
		"refund_id": refundID, "refund_amount": rupees(sum.Minor), "refund_note": "Refund of " + in.TxnID, "refund_speed": "STANDARD",
	}, &made)
	if errors.Is(err, method.ErrDeclined) { // another process may have posted it
		switch there, askErr := g.askRefund(ctx, in, refundID); {
		case askErr == nil:
			made, err = there, nil
		case !errors.Is(askErr, method.ErrNoCharge):
			err = askErr
		}
	}
	if err != nil {
		return method.RefundStatus{}, err
	}
	status, err := made.status(in, refundID)
	if err == nil && (string(made.PaymentID) != of.PaymentID || status.Amount != sum) {
		err = fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	return status, err
}

func (r refund) status(in method.Intent, refundID string) (method.RefundStatus, error) {
	sum, err := r.Amount.In(r.Currency)
	if err != nil {
		return method.RefundStatus{}, err
	}
	if r.ID != refundID || r.OrderID != in.TxnID {
		return method.RefundStatus{}, fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	s := method.RefundStatus{ProviderID: r.ID, State: method.RefundAccepted, Amount: sum}
	switch r.Status {
	case "SUCCESS":
		s.State = method.RefundDone
	case "CANCELLED":
		s.State, s.Reason = method.RefundFailed, "status CANCELLED"
	}
	return s, nil
}

// FetchRefund returns a refund's state, by our id.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	there, err := g.askRefund(ctx, in, cmp.Or(providerID, refundID))
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("cashfree: fetch refund: %w", err)
	}
	return there.status(in, cmp.Or(providerID, refundID))
}

func (g *Gateway) askRefund(ctx context.Context, in method.Intent, refundID string) (there refund, err error) {
	err = g.get(ctx, orderPath(in.TxnID)+"/refunds/"+url.PathEscape(refundID), &there)
	return there, err
}

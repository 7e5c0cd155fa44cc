package twocheckout

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// refundStatus returns the state of an order's refund. Orders are refunded whole and therefore once, so it is this refund,
// whoever requested it.
func (o order) refundStatus() (method.RefundStatus, error) {
	back, err := o.sum()
	if err != nil {
		return method.RefundStatus{}, err
	}
	s := method.RefundStatus{ProviderID: o.RefNo, State: method.RefundAccepted, Amount: back}
	if o.Status == refunded || o.Status == reversed && o.DoneAt != "" {
		s.State = method.RefundDone
	}
	return s, nil
}

// Refund refunds an order. 2Checkout has no idempotency key for refunds and does not report partial ones, so only a whole order is
// refunded, which cannot happen twice. Staff make partial refunds.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, back admission.Money) (method.RefundStatus, error) {
	status, err := g.refund(ctx, in, of.PaymentID, refundID, back)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("twocheckout: refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) refund(ctx context.Context, in method.Intent, refNo, refundID string, back admission.Money) (method.RefundStatus, error) {
	there, err := g.order(ctx, refNo, in.TxnID)
	if err != nil {
		return method.RefundStatus{}, err
	}
	status, err := there.refundStatus()
	if err != nil {
		return method.RefundStatus{}, err
	}
	if status.Amount != back || there.Status != complete && status.State != method.RefundDone {
		return method.RefundStatus{}, fmt.Errorf("%w: not a whole unrefunded order of this attempt", method.ErrDeclined)
	}
	if status.State == method.RefundDone {
		return status, nil
	}
	taken := false
	err = g.do(ctx, http.MethodPost, orderPath(refNo)+"refund/", map[string]any{"amount": call.Decimal(back.Minor), "comment": refundID, "reason": "Other"}, &taken)
	if err == nil && !taken {
		err = fmt.Errorf("%w: 2Checkout has not taken it", method.ErrDeclined)
	}
	if err != nil && !errors.Is(err, method.ErrDeclined) {
		return method.RefundStatus{}, err
	}
	now, askErr := g.order(ctx, refNo, in.TxnID)
	if askErr == nil {
		if status, askErr = now.refundStatus(); askErr == nil && (err == nil || status.State == method.RefundDone) { // another process may have posted it
			return status, nil
		}
	}
	if err == nil { // accepted, even though the query failed
		return status, nil
	}
	return method.RefundStatus{}, err
}

// FetchRefund returns the state of an order's refund. 2Checkout has no query by our refund id; then the refund may be posted again,
// because Refund checks the order first.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, _, providerID string) (method.RefundStatus, error) {
	if providerID == "" {
		return method.RefundStatus{}, method.ErrNoCharge
	}
	there, err := g.order(ctx, providerID, in.TxnID)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("twocheckout: fetch refund: %w", err)
	}
	return there.refundStatus()
}

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

// refundStatus is what has become of the refund of an order. An order goes back whole and therefore once, so that it is
// this one, whoever has ordered it.
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

// Refund sends an order back. 2Checkout has no key for that, and does not tell what has gone back of an order in part: so
// only a whole order is sent back, which cannot happen twice, and a person sends back a part.
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
		return method.RefundStatus{}, fmt.Errorf("%w: not all of it is held of an order of this attempt", method.ErrDeclined)
	}
	if status.State == method.RefundDone {
		return status, nil
	}
	taken := false
	err = g.do(ctx, http.MethodPost, orderPath(refNo)+"refund/", map[string]any{"amount": call.Decimal(back.Minor), "comment": refundID, "reason": "Other"}, &taken)
	if err == nil && !taken {
		err = method.ErrDeclined
	}
	if err != nil && !errors.Is(err, method.ErrDeclined) {
		return method.RefundStatus{}, err
	}
	now, askErr := g.order(ctx, refNo, in.TxnID)
	if askErr == nil {
		if status, askErr = now.refundStatus(); askErr == nil && (err == nil || status.State == method.RefundDone) { // perhaps another process was faster
			return status, nil
		}
	}
	if err == nil { // it is accepted, whatever became of the question
		return status, nil
	}
	return method.RefundStatus{}, err
}

// FetchRefund asks about the order that is sent back. By our own id nothing can be asked, so it may be posted: Refund looks at
// the order before.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, _, providerID string) (method.RefundStatus, error) {
	if providerID == "" {
		return method.RefundStatus{}, method.ErrNoCharge
	}
	there, err := g.order(ctx, providerID, in.TxnID)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("twocheckout: ask about refund: %w", err)
	}
	return there.refundStatus()
}

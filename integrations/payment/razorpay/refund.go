package razorpay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const refundProcessed = "processed"

// refund is a Razorpay refund. Its receipt is our refund id.
type refund struct {
	ID        string `json:"id"`
	PaymentID string `json:"payment_id"`
	Receipt   string `json:"receipt"`
	Amount    int64  `json:"amount"`
	Currency  string `json:"currency"`
	Status    string `json:"status"` // pending, processed, failed
}

func (r refund) status() (method.RefundStatus, error) {
	back, err := sum(r.Amount, r.Currency)
	if err != nil {
		return method.RefundStatus{}, err
	}
	s := method.RefundStatus{ProviderID: r.ID, State: method.RefundAccepted, Amount: back}
	switch r.Status {
	case refundProcessed:
		s.State = method.RefundDone
	case "failed":
		s.State, s.Reason = method.RefundFailed, "status failed"
	}
	return s, nil
}

// refundsOf yields the refunds of a payment.
func (g *Gateway) refundsOf(ctx context.Context, t try) iter.Seq2[refund, error] {
	return func(yield func(refund, error) bool) {
		for r, err := range each[refund](ctx, g, "/payments/"+url.PathEscape(t.ID)+"/refunds", url.Values{}) {
			if err == nil && (r.PaymentID != t.ID || r.Currency != t.Currency || r.Amount <= 0) {
				r, err = refund{}, fmt.Errorf("%w: response has a refund of another payment", method.ErrUnknown)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Refund refunds a payment once per refundID: it searches before it posts, and Razorpay honours the idempotency key.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, back admission.Money) (method.RefundStatus, error) {
	status, err := g.refund(ctx, in, of.PaymentID, refundID, back)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("razorpay: refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) refund(ctx context.Context, in method.Intent, paymentID, refundID string, back admission.Money) (method.RefundStatus, error) {
	tries, err := g.triesOfIntent(ctx, in)
	if err != nil {
		return method.RefundStatus{}, err
	}
	status, err := g.search(ctx, tries, refundID)
	if !errors.Is(err, method.ErrNoCharge) {
		return status, err
	}
	i := slices.IndexFunc(tries, func(t try) bool { return t.ID == paymentID && t.taken() })
	if i < 0 || back.Currency != tries[i].Currency || back.Minor <= 0 || back.Minor > tries[i].Amount-tries[i].Back {
		return method.RefundStatus{}, fmt.Errorf("%w: amount exceeds what is left of the order's payment", method.ErrDeclined)
	}
	var made refund
	err = g.post(ctx, "/payments/"+url.PathEscape(paymentID)+"/refund", http.Header{"X-Refund-Idempotency": {refundID}}, map[string]any{
		"amount": back.Minor, "speed": "normal", "receipt": refundID, "notes": map[string]string{noteOfTxn: in.TxnID},
	}, &made)
	if errors.Is(err, method.ErrDeclined) { // another process may have posted it
		if status, askErr := g.search(ctx, tries, refundID); !errors.Is(askErr, method.ErrNoCharge) {
			return status, askErr
		}
	}
	if err != nil {
		return method.RefundStatus{}, err
	}
	status, err = made.status()
	if err == nil && (made.ID == "" || made.Receipt != refundID || made.PaymentID != paymentID || status.Amount != back) {
		return method.RefundStatus{}, fmt.Errorf("%w: the answer is another refund", method.ErrUnknown)
	}
	return status, err
}

// FetchRefund returns a refund by its Razorpay id or, if providerID is "", searches the order's refunds for ours.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	status, err := g.fetchRefund(ctx, in, refundID, providerID)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("razorpay: fetch refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	if providerID == "" {
		tries, err := g.triesOfIntent(ctx, in)
		if err != nil {
			return method.RefundStatus{}, err
		}
		return g.search(ctx, tries, refundID)
	}
	var there refund
	if err := g.get(ctx, "/refunds/"+url.PathEscape(providerID), nil, &there); err != nil {
		return method.RefundStatus{}, err
	}
	if there.ID != providerID || there.Receipt != refundID {
		return method.RefundStatus{}, fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	return there.status()
}

func (g *Gateway) triesOfIntent(ctx context.Context, in method.Intent) ([]try, error) {
	there, err := g.find(ctx, in, "")
	if err != nil {
		return nil, err
	}
	return g.triesOf(ctx, there.ID)
}

// search returns our refund among those of the payments; ErrNoCharge if there is none.
func (g *Gateway) search(ctx context.Context, tries []try, refundID string) (method.RefundStatus, error) {
	for _, t := range tries {
		if !t.taken() {
			continue
		}
		for r, err := range g.refundsOf(ctx, t) {
			if err != nil {
				return method.RefundStatus{}, err
			}
			if r.Receipt == refundID {
				return r.status()
			}
		}
	}
	return method.RefundStatus{}, method.ErrNoCharge
}

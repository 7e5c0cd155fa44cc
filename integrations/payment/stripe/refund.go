package stripe

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/stripe/stripe-go/v85"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

func (g *Gateway) refundsOf(ctx context.Context, chargeID string) iter.Seq2[*stripe.Refund, error] {
	return func(yield func(*stripe.Refund, error) bool) {
		for there, err := range each(func(at stripe.ListParams) *stripe.V1List[*stripe.Refund] {
			return g.api.V1Refunds.List(ctx, &stripe.RefundListParams{ListParams: at, Charge: &chargeID})
		}, func(r *stripe.Refund) string { return r.ID }) {
			if err == nil && (there.Charge == nil || there.Charge.ID != chargeID) {
				err = fmt.Errorf("%w: response has a refund of another charge", method.ErrUnknown)
			}
			if !yield(there, err) || err != nil {
				return
			}
		}
	}
}

// Refund refunds a charge. It searches first, because Stripe forgets idempotency keys after a day.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, amount admission.Money) (method.RefundStatus, error) {
	status, err := g.refund(ctx, in, of.PaymentID, refundID, amount)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("stripe: refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) refund(ctx context.Context, in method.Intent, chargeID, refundID string, amount admission.Money) (method.RefundStatus, error) {
	found, err := g.findRefund(ctx, chargeID, refundID)
	if err == nil {
		return refundStatus(found, in, refundID)
	}
	if !errors.Is(err, method.ErrNoCharge) {
		return method.RefundStatus{}, err
	}
	if err := g.checkRefund(ctx, in, chargeID, amount); err != nil {
		return method.RefundStatus{}, err
	}
	made, err := g.api.V1Refunds.Create(ctx, &stripe.RefundCreateParams{
		Params: once(refundID), Charge: &chargeID, Amount: &amount.Minor, Metadata: map[string]string{txnKey: in.TxnID, refundKey: refundID},
	})
	if err = asGateway(err); errors.Is(err, method.ErrDeclined) { // another process may have posted it
		switch there, askErr := g.findRefund(ctx, chargeID, refundID); {
		case askErr == nil:
			made, err = there, nil
		case !errors.Is(askErr, method.ErrNoCharge):
			err = askErr
		}
	}
	if err != nil {
		return method.RefundStatus{}, err
	}
	status, err := refundStatus(made, in, refundID)
	if err == nil && (made.Charge == nil || made.Charge.ID != chargeID || status.Amount != amount) {
		err = fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	return status, err
}

// checkRefund declines a refund above what is left of the attempt's charge. Stripe refunds have no currency, so we compare it
// here.
func (g *Gateway) checkRefund(ctx context.Context, in method.Intent, chargeID string, amount admission.Money) error {
	there, err := g.api.V1Charges.Retrieve(ctx, chargeID, &stripe.ChargeRetrieveParams{Expand: stripe.StringSlice([]string{"payment_intent"})})
	if err = asGateway(err); errors.Is(err, method.ErrNoCharge) {
		return fmt.Errorf("%w: no such charge", method.ErrDeclined)
	}
	if err = call.Unrefused(err); err != nil {
		return err
	}
	if there.ID != chargeID || there.PaymentIntent == nil || there.PaymentIntent.Metadata[txnKey] != in.TxnID {
		return fmt.Errorf("%w: response has another charge", method.ErrUnknown)
	}
	left := sum(there.AmountCaptured-there.AmountRefunded, there.Currency)
	if amount.Currency != left.Currency || amount.Minor <= 0 || amount.Minor > left.Minor {
		return fmt.Errorf("%w: amount exceeds what is left", method.ErrDeclined)
	}
	return nil
}

// FetchRefund returns a refund's state.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	there, err := g.askRefund(ctx, in, refundID, providerID)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("stripe: fetch refund: %w", err)
	}
	return refundStatus(there, in, refundID)
}

func (g *Gateway) askRefund(ctx context.Context, in method.Intent, refundID, providerID string) (*stripe.Refund, error) {
	if providerID != "" {
		there, err := g.api.V1Refunds.Retrieve(ctx, providerID, nil)
		if err = call.Unrefused(asGateway(err)); err == nil && there.ID != providerID {
			err = fmt.Errorf("%w: response has another refund", method.ErrUnknown)
		}
		return there, err
	}
	of, err := g.find(ctx, in)
	if err != nil {
		return nil, err
	}
	if of.LatestCharge == nil {
		return nil, method.ErrNoCharge
	}
	return g.findRefund(ctx, of.LatestCharge.ID, refundID)
}

// findRefund searches a charge's refunds for ours.
func (g *Gateway) findRefund(ctx context.Context, chargeID, refundID string) (*stripe.Refund, error) {
	for there, err := range g.refundsOf(ctx, chargeID) {
		if err != nil || there.Metadata[refundKey] == refundID {
			return there, err
		}
	}
	return nil, method.ErrNoCharge
}

func refundStatus(there *stripe.Refund, in method.Intent, refundID string) (method.RefundStatus, error) {
	if there.ID == "" || there.Metadata[refundKey] != refundID || there.Metadata[txnKey] != in.TxnID {
		return method.RefundStatus{}, fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	s := method.RefundStatus{ProviderID: there.ID, State: method.RefundAccepted, Amount: sum(there.Amount, there.Currency)}
	switch there.Status {
	case stripe.RefundStatusSucceeded:
		s.State = method.RefundDone
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
		s.State, s.Reason = method.RefundFailed, call.Reason("status "+string(there.Status), string(there.FailureReason))
	}
	return s, nil
}

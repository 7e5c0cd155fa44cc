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
				err = fmt.Errorf("%w: the answer has a refund of another charge", method.ErrUnknown)
			}
			if !yield(there, err) || err != nil {
				return
			}
		}
	}
}

// Refund sends money of a charge back. Stripe keeps a key for a day, so the refund is looked for first.
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
	if err = asGateway(err); errors.Is(err, method.ErrDeclined) { // perhaps because another process has posted it meanwhile
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
		err = fmt.Errorf("%w: the answer is another refund", method.ErrUnknown)
	}
	return status, err
}

// checkRefund refuses what is not held of a charge of this attempt. A refund has no currency of its own there, so that
// nobody but us would notice a wrong one.
func (g *Gateway) checkRefund(ctx context.Context, in method.Intent, chargeID string, amount admission.Money) error {
	there, err := g.api.V1Charges.Retrieve(ctx, chargeID, &stripe.ChargeRetrieveParams{Expand: stripe.StringSlice([]string{"payment_intent"})})
	if err = asGateway(err); errors.Is(err, method.ErrNoCharge) {
		return fmt.Errorf("%w: no such charge", method.ErrDeclined)
	}
	if err = call.Unrefused(err); err != nil {
		return err
	}
	if there.ID != chargeID || there.PaymentIntent == nil || there.PaymentIntent.Metadata[txnKey] != in.TxnID {
		return fmt.Errorf("%w: the answer is another charge", method.ErrUnknown)
	}
	left := sum(there.AmountCaptured-there.AmountRefunded, there.Currency)
	if amount.Currency != left.Currency || amount.Minor <= 0 || amount.Minor > left.Minor {
		return fmt.Errorf("%w: not all of it is held", method.ErrDeclined)
	}
	return nil
}

// FetchRefund asks about a refund.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	there, err := g.askRefund(ctx, in, refundID, providerID)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("stripe: ask about refund: %w", err)
	}
	return refundStatus(there, in, refundID)
}

func (g *Gateway) askRefund(ctx context.Context, in method.Intent, refundID, providerID string) (*stripe.Refund, error) {
	if providerID != "" {
		there, err := g.api.V1Refunds.Retrieve(ctx, providerID, nil)
		if err = call.Unrefused(asGateway(err)); err == nil && there.ID != providerID {
			err = fmt.Errorf("%w: the answer is another refund", method.ErrUnknown)
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

// findRefund looks for a refund of ours among those of a charge.
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
		return method.RefundStatus{}, fmt.Errorf("%w: the answer is another refund", method.ErrUnknown)
	}
	s := method.RefundStatus{ProviderID: there.ID, State: method.RefundAccepted, Amount: sum(there.Amount, there.Currency)}
	switch there.Status {
	case stripe.RefundStatusSucceeded:
		s.State = method.RefundDone
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
		s.State = method.RefundFailed
	}
	return s, nil
}

package stripe

import (
	"context"
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v85"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// status returns an intent's status. At most one of its charges succeeds, the latest.
func (g *Gateway) status(ctx context.Context, there *stripe.PaymentIntent) (method.Status, error) {
	s := method.Status{TxnID: there.Metadata[txnKey], Ref: there.ID, Raw: string(there.Status), State: method.ChargePending}
	switch there.Status {
	case stripe.PaymentIntentStatusSucceeded:
		charge, err := g.charge(ctx, there)
		if err != nil {
			return method.Status{}, err
		}
		s.State, s.Charges = charge.State, []method.Charge{charge}
	case stripe.PaymentIntentStatusCanceled:
		s.State = method.ChargeFailed
	case stripe.PaymentIntentStatusRequiresPaymentMethod:
		s.AttemptFailed = there.LastPaymentError != nil // the intent stays payable
	case stripe.PaymentIntentStatusProcessing:
		s.AtBank = true
	}
	// For requires_action Stripe's script runs the authentication itself.
	return s, nil
}

var meansByType = map[stripe.ChargePaymentMethodDetailsType]string{"card": method.Card, "paypal": "PayPal", "upi": method.UPI}

// charge returns the charge of a succeeded intent with what was returned.
func (g *Gateway) charge(ctx context.Context, of *stripe.PaymentIntent) (method.Charge, error) {
	there, received := of.LatestCharge, sum(of.AmountReceived, of.Currency)
	if there == nil || there.ID == "" || !there.Captured || received.Minor <= 0 || sum(there.AmountCaptured, there.Currency) != received {
		return method.Charge{}, fmt.Errorf("%w: charge does not match the succeeded intent", method.ErrUnknown)
	}
	c := method.Charge{
		PaymentID: there.ID, State: method.ChargePaid, Amount: received, Refunded: admission.Money{Currency: received.Currency}, At: time.Unix(there.Created, 0).UTC(),
	}
	if how := there.PaymentMethodDetails; how != nil {
		c.Means.Name = meansByType[how.Type]
	}
	if there.AmountRefunded != 0 {
		if err := g.addRefunds(ctx, &c); err != nil {
			return method.Charge{}, err
		}
	}
	if there.Disputed { // stays true after the dispute ends
		if err := g.addDisputes(ctx, &c); err != nil {
			return method.Charge{}, err
		}
	}
	if c.Refunded.Minor >= c.Amount.Minor {
		c.State = method.ChargeRefunded
	}
	return c, nil
}

// addRefunds adds finished refunds; Stripe's total includes pending ones.
func (g *Gateway) addRefunds(ctx context.Context, of *method.Charge) error {
	for there, err := range g.refundsOf(ctx, of.PaymentID) {
		if err != nil {
			return err
		}
		if there.Status == stripe.RefundStatusSucceeded {
			if err := back(of, there.Amount, there.Currency); err != nil {
				return err
			}
		}
	}
	return nil
}

// back adds a returned amount to a charge.
func back(of *method.Charge, minor int64, currency stripe.Currency) error {
	gone := sum(minor, currency)
	if gone.Currency != of.Amount.Currency || gone.Minor <= 0 {
		return fmt.Errorf("%w: returned in another currency", method.ErrUnknown)
	}
	of.Refunded.Minor += gone.Minor
	return nil
}

// addDisputes marks a charge with an open dispute and adds lost amounts. An inquiry (warning_…) has taken no money yet but
// needs a reply too.
func (g *Gateway) addDisputes(ctx context.Context, of *method.Charge) error {
	for there, err := range each(func(at stripe.ListParams) *stripe.V1List[*stripe.Dispute] {
		return g.api.V1Disputes.List(ctx, &stripe.DisputeListParams{ListParams: at, Charge: &of.PaymentID})
	}, func(d *stripe.Dispute) string { return d.ID }) {
		if err != nil {
			return err
		}
		if there.Charge == nil || there.Charge.ID != of.PaymentID {
			return fmt.Errorf("%w: response has a dispute of another charge", method.ErrUnknown)
		}
		switch there.Status {
		case stripe.DisputeStatusWon, stripe.DisputeStatusWarningClosed:
			continue
		case stripe.DisputeStatusPrevented: // with or without a refund
			if !withdrawn(there) {
				continue
			}
			fallthrough
		case stripe.DisputeStatusLost:
			if err := back(of, there.Amount, there.Currency); err != nil {
				return err
			}
			of.LostMinor += there.Amount
		default:
			of.Disputed = true
		}
	}
	return nil
}

// withdrawn reports whether a dispute holds money.
func withdrawn(d *stripe.Dispute) bool {
	net := int64(0)
	for _, t := range d.BalanceTransactions {
		net += t.Amount
	}
	return net < 0
}

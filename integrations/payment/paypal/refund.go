package paypal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// refund is a PayPal refund. Its invoice_id is our refund id and its custom_id our TxnID, unless it was made in PayPal's
// dashboard.
type refund struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // CANCELLED, FAILED, PENDING, COMPLETED
	Details struct {
		Reason string `json:"reason"`
	} `json:"status_details"`
	Amount    money  `json:"amount"`
	InvoiceID string `json:"invoice_id"`
	CustomID  string `json:"custom_id"`
	Links     []link `json:"links"`
}

// captureID returns the refunded capture; "" if unknown.
func (r refund) captureID() string { return up(r.Links) }

// Refund refunds a capture. It sends nothing if the order lists the refund already, however old.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, sum admission.Money) (method.RefundStatus, error) {
	status, err := g.refund(ctx, in, of, refundID, sum)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("paypal: refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, sum admission.Money) (method.RefundStatus, error) {
	there, err := g.refundsOf(ctx, in, of.PaymentID)
	if err != nil {
		return method.RefundStatus{}, err
	}
	if listed, err := there.refund(refundID); !errors.Is(err, method.ErrNoCharge) {
		return listed.status(in, refundID, sum, err)
	}
	held, err := there.held(of.PaymentID)
	if err != nil {
		return method.RefundStatus{}, err
	}
	if sum.Currency != held.Currency || sum.Minor <= 0 || sum.Minor > held.Minor {
		return method.RefundStatus{}, fmt.Errorf("%w: amount exceeds what is left of the payment", method.ErrDeclined)
	}
	var made refund
	err = g.post(ctx, "/v2/payments/captures/"+url.PathEscape(of.PaymentID)+"/refund", refundID, map[string]any{
		"amount": moneyOf(sum), "invoice_id": refundID, "custom_id": in.TxnID, "note_to_payer": "Refund of " + in.TxnID,
	}, &made)
	if errors.Is(err, method.ErrDeclined) { // another process may have posted it
		if there, askErr := g.refundsOf(ctx, in, of.PaymentID); askErr != nil {
			err = askErr
		} else if listed, askErr := there.refund(refundID); askErr == nil {
			made, err = listed, nil
		}
	}
	return made.status(in, refundID, sum, err)
}

// refundsOf returns the order of an attempt's capture, which lists the refunds.
func (g *Gateway) refundsOf(ctx context.Context, in method.Intent, captureID string) (order, error) {
	c, err := g.findCapture(ctx, captureID)
	if err != nil {
		return order{}, err
	}
	if c.CustomID != in.TxnID {
		return order{}, fmt.Errorf("%w: capture of another attempt", method.ErrDeclined)
	}
	return g.orderOfCapture(ctx, c)
}

// refund returns the order's refund with our id; ErrNoCharge if there is none.
func (o order) refund(refundID string) (refund, error) {
	for _, u := range o.Units {
		for _, r := range u.Payments.Refunds {
			if r.InvoiceID == refundID {
				return r, nil
			}
		}
	}
	return refund{}, method.ErrNoCharge
}

// held returns what is left of a capture after finished and pending refunds.
func (o order) held(captureID string) (admission.Money, error) {
	u, err := o.unit()
	if err != nil {
		return admission.Money{}, err
	}
	i := slices.IndexFunc(u.Payments.Captures, func(c capture) bool { return c.ID == captureID })
	if i < 0 || !u.Payments.Captures[i].taken() || u.Payments.Captures[i].Status == "REFUNDED" {
		return admission.Money{}, nil
	}
	left, err := u.Payments.Captures[i].Amount.in()
	for _, r := range u.Payments.Refunds {
		if of := r.captureID(); of != "" && of != captureID || r.Status != "COMPLETED" && r.Status != "PENDING" {
			continue
		}
		sum, sumErr := r.Amount.in()
		err = errors.Join(err, sumErr)
		left.Minor -= sum.Minor
	}
	return left, err
}

// status converts a refund; err is the error of the query for it.
func (r refund) status(in method.Intent, refundID string, asked admission.Money, err error) (method.RefundStatus, error) {
	if err != nil {
		return method.RefundStatus{}, err
	}
	sum, err := r.Amount.in()
	if err != nil {
		return method.RefundStatus{}, err
	}
	if r.ID == "" || r.InvoiceID != refundID || r.CustomID != in.TxnID || asked != (admission.Money{}) && asked != sum {
		return method.RefundStatus{}, fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	s := method.RefundStatus{ProviderID: r.ID, State: method.RefundAccepted, Amount: sum}
	switch r.Status {
	case "COMPLETED":
		s.State = method.RefundDone
	case "FAILED", "CANCELLED":
		s.State, s.Reason = method.RefundFailed, call.Reason("status "+r.Status, r.Details.Reason)
	}
	return s, nil
}

// FetchRefund returns a refund's state. PayPal cannot query by our id, but the attempt's order lists its refunds.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	found, err := g.findRefund(ctx, in, refundID, providerID)
	status, err := found.status(in, refundID, admission.Money{}, err)
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("paypal: fetch refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) findRefund(ctx context.Context, in method.Intent, refundID, providerID string) (found refund, err error) {
	if providerID != "" {
		if err = g.get(ctx, "/v2/payments/refunds/"+url.PathEscape(providerID), &found); err == nil && found.ID != providerID {
			err = fmt.Errorf("%w: response has another refund", method.ErrUnknown)
		}
		return found, err
	}
	made, err := g.orderOf(ctx, in)
	if err != nil {
		return refund{}, err
	}
	there, err := g.find(ctx, made.ID)
	if err != nil {
		return refund{}, err
	}
	return there.refund(refundID)
}

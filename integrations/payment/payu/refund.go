package payu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// refund is a PayU refund. Its token is ours.
type refund struct {
	PaymentID text   `json:"PayuID"`
	RequestID text   `json:"RequestID"`
	Token     text   `json:"RefundToken"`
	Amount    text   `json:"Amount"`
	Status    string `json:"Status"` // queued, requested, in progress, pending, od_hit, success, failure
}

func (r refund) state() method.RefundState {
	switch strings.ToLower(r.Status) {
	case "success":
		return method.RefundDone
	case "failure", "failed":
		return method.RefundFailed
	}
	return method.RefundAccepted
}

func (r refund) toStatus() (method.RefundStatus, error) {
	sum, err := call.Digits(r.Amount).In(currency)
	if err != nil {
		return method.RefundStatus{}, err
	}
	status := method.RefundStatus{ProviderID: string(r.RequestID), State: r.state(), Amount: sum}
	if status.State == method.RefundFailed {
		status.Reason = "status " + strings.ToLower(r.Status)
	}
	return status, nil
}

// action is an action on a payment in check_action_status's response.
type action struct {
	RequestID text   `json:"request_id"`
	Amount    text   `json:"amt"`
	Action    string `json:"action"` // refund, capture, cancel
	Token     text   `json:"token"`
	Status    string `json:"status"`
}

// token returns a refund's idempotency key for PayU: at most 23 characters, accepted once.
func token(refundID string) string { return refundID[:min(len(refundID), 23)] }

// Refund refunds a captured transaction. It checks first, because the same command would cancel an authorised one.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, sum admission.Money) (method.RefundStatus, error) {
	status, err := g.byToken(ctx, in, refundID)
	if errors.Is(err, method.ErrNoCharge) {
		status, err = g.refund(ctx, in, of, refundID, sum)
	}
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("payu: refund: %w", err)
	}
	return status, nil
}

func (g *Gateway) refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, sum admission.Money) (method.RefundStatus, error) {
	there, err := g.find(ctx, in.MerchantRef)
	if err != nil {
		return method.RefundStatus{}, err
	}
	var held method.Charge
	var pending int64
	if there.taken() {
		if held, err = there.charge(); err != nil {
			return method.RefundStatus{}, err
		}
		if pending, err = g.addRefunds(ctx, there, &held); err != nil {
			return method.RefundStatus{}, err
		}
	}
	if held.PaymentID != of.PaymentID || sum.Currency != held.Amount.Currency || sum.Minor <= 0 || sum.Minor > held.Amount.Minor-held.Refunded.Minor-pending {
		return method.RefundStatus{}, fmt.Errorf("%w: amount exceeds what is left of the payment", method.ErrDeclined)
	}
	answer, err := g.command(ctx, "cancel_refund_transaction", of.PaymentID, token(refundID), call.Decimal(sum.Minor))
	if err != nil {
		return method.RefundStatus{}, err
	}
	if !answer.ok() {
		status, err := g.byToken(ctx, in, refundID) // another process may have posted it
		if errors.Is(err, method.ErrNoCharge) {
			return method.RefundStatus{}, fmt.Errorf("%w: %s", method.ErrDeclined, answer.reason())
		}
		return status, err
	}
	if answer.RequestID == "" || answer.PaymentID != "" && string(answer.PaymentID) != of.PaymentID {
		return method.RefundStatus{}, fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	return method.RefundStatus{ProviderID: string(answer.RequestID), State: method.RefundAccepted, Amount: sum}, nil
}

// FetchRefund returns a refund's state, by PayU's id or by our token.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (status method.RefundStatus, err error) {
	if providerID == "" {
		status, err = g.byToken(ctx, in, refundID)
	} else {
		status, err = g.byRequest(ctx, refundID, providerID)
	}
	if err != nil {
		return method.RefundStatus{}, fmt.Errorf("payu: fetch refund: %w", err)
	}
	return status, nil
}

// byToken searches a transaction's refunds for ours.
func (g *Gateway) byToken(ctx context.Context, in method.Intent, refundID string) (method.RefundStatus, error) {
	refunds, err := g.refundsOf(ctx, in.MerchantRef)
	if err != nil {
		return method.RefundStatus{}, err
	}
	for _, r := range refunds {
		if string(r.Token) == token(refundID) {
			return r.toStatus()
		}
	}
	return method.RefundStatus{}, method.ErrNoCharge
}

func (g *Gateway) byRequest(ctx context.Context, refundID, requestID string) (method.RefundStatus, error) {
	answer, err := g.command(ctx, "check_action_status", requestID)
	if err != nil {
		return method.RefundStatus{}, err
	}
	var all map[string]json.RawMessage // a string, "No action status found", if there is none
	if err := read(answer.Details, &all); err != nil {
		return method.RefundStatus{}, err
	}
	if !answer.ok() && len(all[requestID]) > 0 && all[requestID][0] == '"' {
		return method.RefundStatus{}, method.ErrNoCharge
	}
	var actions map[string]action
	if err := read(all[requestID], &actions); err != nil {
		return method.RefundStatus{}, err
	}
	found := actions[requestID]
	if !answer.ok() || string(found.RequestID) != requestID || string(found.Token) != token(refundID) || !strings.EqualFold(found.Action, "refund") {
		return method.RefundStatus{}, fmt.Errorf("%w: response has another refund", method.ErrUnknown)
	}
	return refund{RequestID: found.RequestID, Amount: found.Amount, Status: found.Status}.toStatus()
}

// Package meter measures the calls of a payment gateway.
package meter

import (
	"context"
	"errors"
	"iter"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Observe receives the name, result and duration of a call.
type Observe func(call, result string, took time.Duration)

type meter struct {
	method.Gateway
	observe Observe
}

// New wraps a gateway whose calls observe receives, except Webhook, which asks no provider.
func New(gateway method.Gateway, observe Observe) method.Gateway { return meter{gateway, observe} }

func measured[Answer any](ctx context.Context, m meter, name string, call func() (Answer, error)) (Answer, error) {
	began := time.Now()
	answer, err := call()
	m.observe(name, result(ctx, err), time.Since(began))
	return answer, err
}

func result(ctx context.Context, err error) string {
	switch {
	case err == nil, errors.Is(err, method.ErrNoCharge):
		return "answer"
	case errors.Is(ctx.Err(), context.Canceled):
		return "cancelled"
	case errors.Is(err, method.ErrCredentials):
		return "credentials"
	case errors.Is(err, method.ErrDeclined), errors.Is(err, method.ErrCurrency), errors.Is(err, method.ErrSignature):
		return "refused"
	}
	return "unknown"
}

func (m meter) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	return measured(ctx, m, "start", func() (method.ChargeSession, error) { return m.Gateway.Start(ctx, in) })
}

func (m meter) Complete(ctx context.Context, in method.Intent, ref string, back method.Return) (method.Status, error) {
	return measured(ctx, m, "complete", func() (method.Status, error) { return m.Gateway.Complete(ctx, in, ref, back) })
}

func (m meter) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	return measured(ctx, m, "fetch", func() (method.Status, error) { return m.Gateway.Fetch(ctx, in, ref) })
}

func (m meter) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	return measured(ctx, m, "cancel", func() (method.Status, error) { return m.Gateway.Cancel(ctx, in, ref) })
}

// List is measured up to its end: the consumer's time counts too.
func (m meter) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		_, _ = measured(ctx, m, "list", func() (_ struct{}, last error) {
			for movement, err := range m.Gateway.List(ctx, day) {
				last = err
				if !yield(movement, err) {
					break
				}
			}
			return struct{}{}, last
		})
	}
}

func (m meter) Refund(ctx context.Context, in method.Intent, charge method.Charge, refundID string, amount admission.Money) (method.RefundStatus, error) {
	return measured(ctx, m, "refund", func() (method.RefundStatus, error) { return m.Gateway.Refund(ctx, in, charge, refundID, amount) })
}

func (m meter) FetchRefund(ctx context.Context, in method.Intent, refundID, providerID string) (method.RefundStatus, error) {
	return measured(ctx, m, "fetch_refund", func() (method.RefundStatus, error) { return m.Gateway.FetchRefund(ctx, in, refundID, providerID) })
}

package meter_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/meter"
)

// provider takes a second for each call and fails with err.
type provider struct {
	method.Gateway
	err error
}

func (p *provider) wait() error { time.Sleep(time.Second); return p.err }

func (p *provider) Start(context.Context, method.Intent) (method.ChargeSession, error) {
	return method.ChargeSession{Ref: "r"}, p.wait()
}

func (p *provider) Complete(context.Context, method.Intent, string, method.Return) (method.Status, error) {
	return method.Status{Ref: "completed"}, p.wait()
}

func (p *provider) Fetch(context.Context, method.Intent, string) (method.Status, error) {
	return method.Status{Ref: "fetched"}, p.wait()
}

func (p *provider) Cancel(context.Context, method.Intent, string) (method.Status, error) {
	return method.Status{Ref: "cancelled"}, p.wait()
}

func (p *provider) List(context.Context, time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if yield(method.Movement{Ref: "first"}, nil) {
			yield(method.Movement{Ref: "last"}, p.wait())
		}
	}
}

func (p *provider) Refund(context.Context, method.Intent, method.Charge, string, admission.Money) (method.RefundStatus, error) {
	return method.RefundStatus{ProviderID: "refunded"}, p.wait()
}

func (p *provider) FetchRefund(context.Context, method.Intent, string, string) (method.RefundStatus, error) {
	return method.RefundStatus{ProviderID: "fetched"}, p.wait()
}

func TestCallsAreMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			err    error
			result string
		}{
			{nil, "answer"}, {method.ErrNoCharge, "answer"}, {method.ErrDeclined, "refused"}, {method.ErrCurrency, "refused"}, {method.ErrSignature, "refused"},
			{method.ErrCredentials, "credentials"}, {method.ErrUnknown, "unknown"}, {context.DeadlineExceeded, "unknown"},
		} {
			var seen, want []string
			m := meter.New(&provider{err: c.err}, func(call, result string, took time.Duration) {
				seen = append(seen, fmt.Sprint(call, " ", result, " ", took))
			})
			ctx, in := t.Context(), method.Intent{}
			for _, call := range []struct {
				name, answer string
				made         func() (string, error)
			}{
				{"start", "r", func() (string, error) { s, err := m.Start(ctx, in); return s.Ref, err }},
				{"complete", "completed", func() (string, error) { s, err := m.Complete(ctx, in, "", method.Return{}); return s.Ref, err }},
				{"fetch", "fetched", func() (string, error) { s, err := m.Fetch(ctx, in, ""); return s.Ref, err }},
				{"cancel", "cancelled", func() (string, error) { s, err := m.Cancel(ctx, in, ""); return s.Ref, err }},
				{"list", "firstlast", func() (all string, last error) {
					for movement, err := range m.List(ctx, time.Time{}) {
						all, last = all+movement.Ref, err
					}
					return all, last
				}},
				{"refund", "refunded", func() (string, error) {
					s, err := m.Refund(ctx, in, method.Charge{}, "", admission.Money{})
					return s.ProviderID, err
				}},
				{"fetch_refund", "fetched", func() (string, error) { s, err := m.FetchRefund(ctx, in, "", ""); return s.ProviderID, err }},
			} {
				if got, err := call.made(); got != call.answer || err != c.err {
					t.Errorf("%s gives %s, %v, want %s, %v", call.name, got, err, call.answer, c.err)
				}
				want = append(want, call.name+" "+c.result+" 1s")
			}
			if !slices.Equal(seen, want) {
				t.Errorf("%v: measured %q, want %q", c.err, seen, want)
			}
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		m := meter.New(&provider{err: method.ErrUnknown}, func(_, result string, _ time.Duration) {
			if result != "cancelled" {
				t.Errorf("a call that its caller left is %s", result)
			}
		})
		_, _ = m.Fetch(left, method.Intent{}, "")
	})
}

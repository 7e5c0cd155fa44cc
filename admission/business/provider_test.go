package business_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// A provider is the sandbox gateway with hooks for tests.
type provider struct {
	*sandbox.Gateway
	bank  *sandbox.Gateway // the same books, reached by the customer, and by no fault
	world *world

	mutex  sync.Mutex
	calls  []string
	before map[string]func(context.Context) error
	after  map[string]func(*method.Status) error
	deaf   bool                                        // its webhooks do not reach us
	refund map[string]func(*method.RefundStatus) error // as after, for the answers about refunds
	down   error
}

func (w *world) provider(name string) *provider {
	w.t.Helper()
	p := &provider{world: w, before: map[string]func(context.Context) error{}, after: map[string]func(*method.Status) error{}, refund: map[string]func(*method.RefundStatus) error{}}
	needs := sandbox.Config{Orders: w.database, Clock: w.clock.Now, Name: name, HangFor: time.Millisecond, Client: &http.Client{Transport: p}}
	p.bank = businesstest.Sandbox(w.t, needs)
	needs.Faults = sandbox.Faults{Before: p.onCall, After: p.onAnswer, AfterRefund: p.onRefund}
	p.Gateway = businesstest.Sandbox(w.t, needs)
	return p
}

// RoundTrip delivers a webhook to the office.
func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	if p.deaf {
		return nil, errNoWebhook
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	ack, _, err := p.world.Payment.ReceiveWebhook(r.Context(), p.Name, payment.Webhook{Header: r.Header, Body: raw})
	answer := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Body: io.NopCloser(bytes.NewReader(ack)), Request: r}
	if err != nil {
		answer.StatusCode, answer.Status = http.StatusServiceUnavailable, err.Error()
	}
	return answer, nil
}

// beforeNext runs do before the next call of a kind. Its error is the response, and the call does nothing.
func (p *provider) beforeNext(call string, do func(context.Context) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.before[call] = do
}

// afterNext changes or loses the response to the next call of a kind, which takes effect.
func (p *provider) afterNext(call string, do func(*method.Status) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.after[call] = do
}

// setDown makes every call fail.
func (p *provider) setDown(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down = err
}

// asked returns the calls since the last asked.
func (p *provider) asked() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

func (p *provider) onCall(ctx context.Context, call, _ string) error {
	p.mutex.Lock()
	p.calls = append(p.calls, call)
	do, err := p.before[call], p.down
	delete(p.before, call)
	p.mutex.Unlock()
	if do != nil {
		err = errors.Join(err, do(ctx))
	}
	return err
}

func (p *provider) onAnswer(call string, s *method.Status) error {
	p.mutex.Lock()
	do := p.after[call]
	delete(p.after, call)
	p.mutex.Unlock()
	if do != nil {
		return do(s)
	}
	return nil
}

// afterRefund is afterNext for the answers about refunds.
func (p *provider) afterRefund(call string, do func(*method.RefundStatus) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.refund[call] = do
}

func (p *provider) onRefund(call string, s *method.RefundStatus) error {
	p.mutex.Lock()
	do := p.refund[call]
	delete(p.refund, call)
	p.mutex.Unlock()
	if do != nil {
		return do(s)
	}
	return nil
}

// eventAfterPayment lets something happen to a paid order at the provider, which sends a webhook.
func (p *provider) eventAfterPayment(txn string, what sandbox.Afterwards) {
	p.world.t.Helper()
	p.world.must(p.bank.Happen(p.world.ctx, txn, what))
}

// press presses a button on the provider's page; the browser's return is lost.
func (p *provider) press(txn string, outcome sandbox.Outcome) {
	p.world.t.Helper()
	_, err := p.bank.Complete(p.world.ctx, method.Intent{TxnID: txn, Wanted: true}, "", method.Return{Form: p.bank.Press(txn, outcome)})
	if err != nil && !errors.Is(err, method.ErrUnknown) {
		p.world.t.Fatal(err)
	}
}

// captureLate captures the payment of a cancelled order.
func (p *provider) captureLate(txn string) {
	p.world.t.Helper()
	p.world.must(p.world.database.ChangeSandboxOrder(p.world.ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		order["State"] = method.ChargePaid
		order["Charges"] = []any{map[string]any{"PaymentID": "sbxpay_" + txn, "Amount": order["Asked"], "At": p.world.clock.Now(), "MovedAt": p.world.clock.Now()}}
		return json.Marshal(order)
	}))
}

// webhook sends an event of a payment.
func (p *provider) webhook(txn, eventType string) error {
	header, body := p.bank.SignedWebhook(txn, eventType)
	_, _, err := p.world.Payment.ReceiveWebhook(p.world.ctx, p.Name, payment.Webhook{Header: header, Body: body})
	return err
}

// setChargeField sets a field of an order's first charge at the provider.
func (p *provider) setChargeField(txn, field string, value any) error {
	return p.world.database.ChangeSandboxOrder(p.world.ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		charge := order["Charges"].([]any)[0].(map[string]any)
		charge[field], charge["MovedAt"] = value, p.world.clock.Now()
		return json.Marshal(order)
	})
}

// setRefunded sets the refunded amount of an order's charge at the provider.
func (p *provider) setRefunded(txn string, minor int64) error {
	return p.setChargeField(txn, "ByHand", minor)
}

// setCharge sets the charged amount of an order at the provider.
func (p *provider) setCharge(txn string, amount admission.Money) error {
	return p.setChargeField(txn, "Amount", amount)
}

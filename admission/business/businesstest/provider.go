package businesstest

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
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// A Provider is the sandbox gateway with hooks for tests.
type Provider struct {
	*sandbox.Gateway
	Bank  *sandbox.Gateway // the same books, reached by the customer, and by no fault
	world *World

	mutex  sync.Mutex
	calls  []string
	before map[string]func(context.Context) error
	after  map[string]func(*method.Status) error
	Deaf   bool                                        // its webhooks do not reach us
	refund map[string]func(*method.RefundStatus) error // as after, for the answers about refunds
	down   error
}

func (w *World) provider(name string) *Provider {
	w.T.Helper()
	p := &Provider{world: w, before: map[string]func(context.Context) error{}, after: map[string]func(*method.Status) error{}, refund: map[string]func(*method.RefundStatus) error{}}
	config := sandbox.Config{Orders: w.Database, Clock: w.Clock.Now, Name: name, HangFor: time.Millisecond, Client: &http.Client{Transport: p}}
	p.Bank = Sandbox(w.T, config)
	config.Faults = sandbox.Faults{Before: p.onCall, After: p.onAnswer, AfterRefund: p.onRefund}
	p.Gateway = Sandbox(w.T, config)
	return p
}

// RoundTrip delivers a webhook to the office.
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	if p.Deaf {
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

// BeforeNext runs do before the next call of a kind. Its error is the response, and the call does nothing.
func (p *Provider) BeforeNext(call string, do func(context.Context) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.before[call] = do
}

// AfterNext changes or loses the response to the next call of a kind, which takes effect.
func (p *Provider) AfterNext(call string, do func(*method.Status) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.after[call] = do
}

// ClearHooks removes the hooks that BeforeNext, AfterNext and AfterRefund have set.
func (p *Provider) ClearHooks() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	clear(p.before)
	clear(p.after)
	clear(p.refund)
}

// SetDown makes every call fail.
func (p *Provider) SetDown(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down = err
}

// Calls returns the names of the calls since it was last called.
func (p *Provider) Calls() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

func (p *Provider) onCall(ctx context.Context, call, _ string) error {
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

func (p *Provider) onAnswer(call string, s *method.Status) error {
	p.mutex.Lock()
	do := p.after[call]
	delete(p.after, call)
	p.mutex.Unlock()
	if do != nil {
		return do(s)
	}
	return nil
}

// AfterRefund is AfterNext for the answers about refunds.
func (p *Provider) AfterRefund(call string, do func(*method.RefundStatus) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.refund[call] = do
}

func (p *Provider) onRefund(call string, s *method.RefundStatus) error {
	p.mutex.Lock()
	do := p.refund[call]
	delete(p.refund, call)
	p.mutex.Unlock()
	if do != nil {
		return do(s)
	}
	return nil
}

// EventAfterPayment lets something happen to a paid order at the provider, which sends a webhook.
func (p *Provider) EventAfterPayment(txn string, what sandbox.ChargeEvent) {
	p.world.T.Helper()
	p.world.Must(p.Bank.Apply(p.world.Ctx, txn, what))
}

// PressWithoutReturn presses a button on the provider's page; the browser's return is lost.
func (p *Provider) PressWithoutReturn(txn string, outcome sandbox.Outcome) {
	p.world.T.Helper()
	_, err := p.Bank.Complete(p.world.Ctx, method.Intent{TxnID: txn, Wanted: true}, "", method.Return{Form: p.Bank.Press(txn, outcome)})
	if err != nil && !errors.Is(err, method.ErrUnknown) {
		p.world.T.Fatal(err)
	}
}

// CaptureLate captures the payment of a cancelled order.
func (p *Provider) CaptureLate(txn string) {
	p.world.T.Helper()
	p.world.Must(p.world.Database.ChangeSandboxOrder(p.world.Ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		order["State"] = method.ChargePaid
		order["Charges"] = []any{map[string]any{"PaymentID": "sbxpay_" + txn, "Amount": order["Asked"], "At": p.world.Clock.Now(), "MovedAt": p.world.Clock.Now()}}
		return json.Marshal(order)
	}))
}

// SendWebhook sends an event of a payment.
func (p *Provider) SendWebhook(txn, eventType string) error {
	header, body := p.Bank.SignedWebhook(txn, eventType)
	_, _, err := p.world.Payment.ReceiveWebhook(p.world.Ctx, p.Name, payment.Webhook{Header: header, Body: body})
	return err
}

// SetDisputed marks a charge of an order as disputed or not at the provider, without an event.
func (p *Provider) SetDisputed(txn string, charge int, disputed bool) {
	p.world.T.Helper()
	p.world.Must(p.world.Database.ChangeSandboxOrder(p.world.Ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		order["Charges"].([]any)[charge].(map[string]any)["Disputed"] = disputed
		return json.Marshal(order)
	}))
}

// setChargeField sets a field of an order's first charge at the provider.
func (p *Provider) setChargeField(txn, field string, value any) error {
	return p.world.Database.ChangeSandboxOrder(p.world.Ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		charge := order["Charges"].([]any)[0].(map[string]any)
		charge[field], charge["MovedAt"] = value, p.world.Clock.Now()
		return json.Marshal(order)
	})
}

// SetRefunded sets the refunded amount of an order's charge at the provider.
func (p *Provider) SetRefunded(txn string, minor int64) error {
	return p.setChargeField(txn, "ByHand", minor)
}

// SetLost records a lost dispute of an order's charge at the provider, without an event. minor is the lost amount.
func (p *Provider) SetLost(txn string, minor int64) error {
	return errors.Join(p.setChargeField(txn, "Disputed", false), p.setChargeField(txn, "Lost", minor))
}

// SetCharge sets the charged amount of an order at the provider.
func (p *Provider) SetCharge(txn string, amount admission.Money) error {
	return p.setChargeField(txn, "Amount", amount)
}

// AfterPayment runs events of an order at the provider, one per second.
func (w *World) AfterPayment(txn string, what ...sandbox.ChargeEvent) {
	w.T.Helper()
	for _, each := range what {
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(txn, each)
		w.RunJobs()
	}
}

var errNoWebhook = errors.New("nobody hears of it")

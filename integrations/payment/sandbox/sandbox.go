// Package sandbox is a payment provider for development and tests. Nobody is charged: a page of signed buttons replaces customer,
// bank and network. Like a real provider it has separate records.
package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Orders stores the provider's orders, a JSON document each, by transaction id.
type Orders interface {
	// SaveSandboxOrder inserts an order; it leaves an existing one unchanged.
	SaveSandboxOrder(ctx context.Context, id string, body []byte) error
	// SandboxOrder returns nil for an unknown id.
	SandboxOrder(ctx context.Context, id string) ([]byte, error)
	// ChangeSandboxOrder replaces an order by change's result, under a lock. change may run more than once.
	ChangeSandboxOrder(ctx context.Context, id string, change func([]byte) ([]byte, error)) error
	// SandboxOrdersOf yields the orders added in [from, to) and ends with the first error.
	SandboxOrdersOf(ctx context.Context, from, to time.Time) iter.Seq2[[]byte, error]
}

// Faults let a test fail calls. Each may be nil, and may run concurrently.
type Faults struct {
	// Before runs before a call ("start", "complete", "fetch", "cancel", "list", "refund", "fetch refund"). If it returns an error,
	// the call fails without effect; waiting for ctx makes the provider hang.
	Before func(ctx context.Context, call, txnID string) error
	// After may change a status. If it returns an error, the response is lost after the call took effect.
	After func(call string, s *method.Status) error
	// AfterRefund is After for refund statuses ("refund", "fetch refund").
	AfterRefund func(call string, s *method.RefundStatus) error
}

// Config configures a Gateway.
type Config struct {
	Orders     Orders
	Key        []byte // 32 bytes, the same in all processes
	OldKey     []byte // also accepted for webhook signatures; nil for none
	Clock      func() time.Time
	Log        *slog.Logger  // nil means slog.Default
	Production bool          // New returns an error if set
	Name       string        // "" means "sandbox"; tests have a second one
	Currencies []string      // nil means INR, USD, EUR
	LateAfter  time.Duration // delay of a late payment; 0 means 5 s
	HangFor    time.Duration // delay of a response that times out; 0 means a minute
	Client     *http.Client  // sends webhooks; nil means a client without redirects
	Faults     Faults
}

// Gateway implements method.Gateway.
type Gateway struct{ Config }

var _ method.Gateway = (*Gateway)(nil)

// New returns a Gateway, or an error in production or for a missing field.
func New(n Config) (*Gateway, error) {
	if n.Production {
		return nil, errors.New("sandbox gateway: not allowed with APP_ENV=production, because it takes no real money")
	}
	if n.Orders == nil || n.Clock == nil || len(n.Key) != 32 {
		return nil, errors.New("sandbox gateway needs Orders, Clock and a Key of 32 bytes")
	}
	if n.Log == nil {
		n.Log = slog.Default()
	}
	if n.Name == "" {
		n.Name = "sandbox"
	}
	if n.Currencies == nil {
		n.Currencies = []string{"INR", "USD", "EUR"}
	}
	if n.LateAfter == 0 {
		n.LateAfter = 5 * time.Second
	}
	if n.HangFor == 0 {
		n.HangFor = time.Minute
	}
	if n.Client == nil {
		n.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	if n.Faults.Before == nil {
		n.Faults.Before = func(context.Context, string, string) error { return nil }
	}
	if n.Faults.After == nil {
		n.Faults.After = func(string, *method.Status) error { return nil }
	}
	if n.Faults.AfterRefund == nil {
		n.Faults.AfterRefund = func(string, *method.RefundStatus) error { return nil }
	}
	return &Gateway{n}, nil
}

// derive returns a key for one purpose.
func (g *Gateway) derive(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(g.Name + "/" + purpose))
	return mac.Sum(nil)
}

// signature returns a button's signature over transaction and outcome.
func (g *Gateway) signature(txnID string, outcome Outcome) []byte {
	mac := hmac.New(sha256.New, g.derive(g.Key, "button"))
	mac.Write([]byte(txnID + "\n" + string(outcome)))
	return mac.Sum(nil)
}

// Press returns the form that a button posts to the return address: fields "outcome" and "signature".
func (g *Gateway) Press(txnID string, outcome Outcome) url.Values {
	return url.Values{"outcome": {string(outcome)}, "signature": {hex.EncodeToString(g.signature(txnID, outcome))}}
}

const refPrefix = "sbx_"

func refOf(txnID string) string { return refPrefix + txnID }

// Start creates the order once per transaction. Checkout has "buttons", a list of {outcome, label, signature, more}.
func (g *Gateway) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	if err := g.Faults.Before(ctx, "start", in.TxnID); err != nil {
		return method.ChargeSession{}, err
	}
	if !slices.Contains(g.Currencies, in.Amount.Currency) {
		return method.ChargeSession{}, method.ErrCurrency
	}
	if in.TxnID == "" || in.Amount.Minor <= 0 {
		return method.ChargeSession{}, fmt.Errorf("%w: nothing to charge", method.ErrDeclined)
	}
	o, err := g.find(ctx, in.TxnID)
	if errors.Is(err, method.ErrNoCharge) {
		o, err = g.add(ctx, in)
	}
	if err != nil {
		return method.ChargeSession{}, err
	}
	if o.Asked != in.Amount {
		return method.ChargeSession{}, fmt.Errorf("%w: the order exists with another amount", method.ErrDeclined)
	}
	s := o.status()
	if err := g.Faults.After("start", &s); err != nil {
		return method.ChargeSession{}, err
	}
	return method.ChargeSession{Ref: s.Ref, Checkout: g.checkout(in)}, nil
}

func (g *Gateway) add(ctx context.Context, in method.Intent) (*order, error) {
	o := &order{
		TxnID: in.TxnID, Gateway: g.Name, Ref: refOf(in.TxnID), Asked: in.Amount, State: method.ChargePending,
		WebhookURL: in.WebhookURL, CreatedAt: g.Clock(),
	}
	body, err := o.bytes()
	if err != nil {
		return nil, err
	}
	if err := g.Orders.SaveSandboxOrder(ctx, in.TxnID, body); err != nil {
		return nil, unknown("save order", err)
	}
	return g.find(ctx, in.TxnID) // another process may have inserted it
}

func unknown(what string, err error) error {
	return fmt.Errorf("%w: sandbox: %s: %w", method.ErrUnknown, what, err)
}

// find returns an order, or ErrNoCharge.
func (g *Gateway) find(ctx context.Context, txnID string) (*order, error) {
	body, err := g.Orders.SandboxOrder(ctx, txnID)
	if err != nil {
		return nil, unknown("read order", err)
	}
	if body == nil {
		return nil, method.ErrNoCharge
	}
	return readOrder(body)
}

// change loads an order, applies change, and saves it.
func (g *Gateway) change(ctx context.Context, txnID string, change func(*order) error) (*order, error) {
	if _, err := g.find(ctx, txnID); err != nil {
		return nil, err
	}
	var after *order
	var refused error
	err := g.Orders.ChangeSandboxOrder(ctx, txnID, func(body []byte) ([]byte, error) {
		o, err := readOrder(body)
		if err != nil {
			return nil, err
		}
		if refused = change(o); refused != nil {
			return body, nil
		}
		after = o
		return o.bytes()
	})
	if err != nil {
		return nil, unknown("change order", err)
	}
	return after, refused
}

// call runs one API call: the test's fault, then the order's, then act.
func (g *Gateway) call(ctx context.Context, name string, txnID string, act func() (*order, fault, error)) (method.Status, error) {
	if err := g.Faults.Before(ctx, name, txnID); err != nil {
		return method.Status{}, err
	}
	o, suffers, err := act()
	if err != nil {
		return method.Status{}, err
	}
	switch suffers {
	case hang:
		limit := time.NewTimer(g.HangFor)
		defer limit.Stop()
		select {
		case <-ctx.Done():
		case <-limit.C:
		}
		return method.Status{}, fmt.Errorf("%w: sandbox: no answer in time", method.ErrUnknown)
	case broken:
		return method.Status{}, fmt.Errorf("%w: sandbox: 500", method.ErrUnknown)
	}
	s := o.status()
	if err := g.Faults.After(name, &s); err != nil {
		return method.Status{}, err
	}
	return s, nil
}

// Complete applies a pressed button; ErrSignature for one not signed for this transaction. An unwanted payment is authorised but
// not captured.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, _ string, back method.Return) (method.Status, error) {
	outcome := Outcome(back.Form.Get("outcome"))
	given, err := hex.DecodeString(back.Form.Get("signature"))
	_, offered := buttonOf(outcome)
	if err != nil || !hmac.Equal(given, g.signature(in.TxnID, outcome)) || !offered {
		return method.Status{}, method.ErrSignature
	}
	return g.call(ctx, "complete", in.TxnID, func() (*order, fault, error) {
		var suffers fault
		pressed := false
		o, err := g.change(ctx, in.TxnID, func(o *order) error {
			pressed = o.State == method.ChargePending && !o.Cancelled && in.Wanted
			if in.Wanted {
				o.press(outcome, g.Clock(), g.LateAfter)
			} else {
				o.authorise(outcome)
			}
			suffers = o.pass(g.Clock())
			return nil
		})
		if err != nil {
			return nil, none, err
		}
		if pressed {
			switch outcome {
			case WebhookFirst:
				g.deliver(ctx, o, 1)
			case WebhookTwice:
				g.deliver(ctx, o, 2)
			case WebhookOnly:
				g.deliver(ctx, o, 1)
				suffers = broken
			}
		}
		return o, suffers, nil
	})
}

// Fetch returns an order's status by ref or, if ref is "", by TxnID. It captures an authorised payment that is wanted.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	return g.do(ctx, "fetch", in, ref, nil)
}

// Cancel ends an unpaid order and returns its status.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	return g.do(ctx, "cancel", in, ref, func(o *order) { o.cancel(g.Clock(), g.LateAfter) })
}

func (g *Gateway) do(ctx context.Context, name string, in method.Intent, ref string, act func(*order)) (method.Status, error) {
	txnID := in.TxnID
	if ref != "" {
		known := false
		if txnID, known = strings.CutPrefix(ref, refPrefix); !known {
			return method.Status{}, method.ErrNoCharge
		}
	}
	return g.call(ctx, name, txnID, func() (*order, fault, error) {
		o, err := g.find(ctx, txnID)
		if err != nil || act == nil && !o.due(g.Clock()) && !(o.Authorised && in.Wanted) {
			return o, none, err
		}
		var suffers fault
		o, err = g.change(ctx, txnID, func(o *order) error {
			suffers = o.pass(g.Clock())
			if o.Authorised && in.Wanted {
				o.press(o.Outcome, g.Clock(), g.LateAfter)
			}
			if act != nil {
				act(o)
			}
			return nil
		})
		return o, suffers, err
	})
}

// latest is how long after its start an order may change: List searches that far back.
const latest = 400 * 24 * time.Hour

// List yields charges that were captured, refunded, returned or disputed in the 24 hours from day on.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if err := g.Faults.Before(ctx, "list", ""); err != nil {
			yield(method.Movement{}, err)
			return
		}
		end := day.AddDate(0, 0, 1)
		within := func(at time.Time) bool { return !at.Before(day) && at.Before(end) }
		for body, err := range g.Orders.SandboxOrdersOf(ctx, day.Add(-latest), end) {
			if err != nil {
				yield(method.Movement{}, unknown("list orders", err))
				return
			}
			o, err := readOrder(body)
			if err != nil {
				yield(method.Movement{}, err)
				return
			}
			for i := range o.Charges {
				o.Charges[i].pass(g.Clock()) // what has happened without being asked about
				if c := &o.Charges[i]; o.Gateway == g.Name && (within(c.At) || within(c.MovedAt)) {
					if !yield(method.Movement{TxnID: o.TxnID, Ref: o.Ref, Charge: c.status()}, nil) {
						return
					}
				}
			}
		}
	}
}

// Refund refunds a captured charge once per refundID; ErrDeclined for more than what is left.
func (g *Gateway) Refund(ctx context.Context, in method.Intent, of method.Charge, refundID string, amount admission.Money) (method.RefundStatus, error) {
	return g.askRefund(ctx, "refund", in.TxnID, refundID, func(o *order) error {
		return o.refund(of.PaymentID, refundID, amount, g.Clock(), g.LateAfter)
	})
}

// FetchRefund returns a refund's state, by our id.
func (g *Gateway) FetchRefund(ctx context.Context, in method.Intent, refundID, _ string) (method.RefundStatus, error) {
	return g.askRefund(ctx, "fetch refund", in.TxnID, refundID, func(o *order) error {
		o.pass(g.Clock())
		return nil
	})
}

func (g *Gateway) askRefund(ctx context.Context, call, txnID, refundID string, act func(*order) error) (method.RefundStatus, error) {
	if err := g.Faults.Before(ctx, call, txnID); err != nil {
		return method.RefundStatus{}, err
	}
	o, err := g.change(ctx, txnID, act)
	if err != nil {
		return method.RefundStatus{}, err
	}
	of, found := o.findRefund(refundID)
	if found == nil {
		return method.RefundStatus{}, method.ErrNoCharge
	}
	s := method.RefundStatus{ProviderID: "sbxref_" + refundID, State: found.State, Amount: admission.Money{Minor: found.Minor, Currency: of.Amount.Currency}}
	if s.State == method.RefundFailed {
		s.Reason = "status failed, account_closed"
	}
	return s, g.Faults.AfterRefund(call, &s)
}

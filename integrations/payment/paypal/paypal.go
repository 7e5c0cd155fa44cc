// Package paypal implements the PayPal gateway: https://developer.paypal.com/api/rest. A PayPal order has our TxnID as custom_id
// and invoice_id. The payer approves it in PayPal's window, and only this server captures it. Amounts are strings with two
// decimals, parsed without floats.
package paypal

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// keyLife is how long after an attempt's end PayPal certainly knows the idempotency key of its order: PayPal stores keys for
// six hours, and attempts last less than an hour.
const keyLife = 5 * time.Hour

// Config configures a Gateway.
type Config struct {
	ClientID   string
	Secrets    []string       // current one first; the next is tried when one is rejected
	WebhookIDs []string       // PayPal's ids of our webhook; two during a replacement
	BaseURL    string         // "" means defaultBase
	ScriptURL  string         // of the buttons; "" means defaultScript
	Roots      *x509.CertPool // trusted roots for webhook certificates; nil means the system's
	Clock      func() time.Time
	Transport  http.RoundTripper // nil means http.DefaultTransport
}

// Gateway implements method.Gateway.
type Gateway struct {
	Config
	api          call.Client
	tokens       *tokens
	certificates *certificates
}

var _ method.Gateway = (*Gateway)(nil)

// New returns a Gateway, or an error for a missing field.
func New(n Config) (*Gateway, error) {
	if n.ClientID == "" || len(n.Secrets) == 0 || len(n.WebhookIDs) == 0 || n.Clock == nil {
		return nil, errors.New("paypal gateway needs ClientID, Secrets, WebhookIDs and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	g := &Gateway{Config: n, tokens: newTokens(n), certificates: newCertificates(n)}
	g.api = call.Client{Base: n.BaseURL, Transport: n.Transport, Sign: g.tokens.sign}
	return g, nil
}

// do makes a call, and retries it with a new token if the cached one was rejected.
func (g *Gateway) do(ctx context.Context, r call.Request, in, out any) error {
	err := g.api.JSON(ctx, r, in, out)
	if errors.Is(err, method.ErrCredentials) && g.tokens.drop() {
		err = g.api.JSON(ctx, r, in, out)
	}
	return err
}

// get makes a query. It returns ErrUnknown for a refused query.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return call.Unrefused(g.do(ctx, call.Request{Method: http.MethodGet, Path: path}, nil, out))
}

// post makes an idempotent call.
func (g *Gateway) post(ctx context.Context, path, key string, in, out any) error {
	header := http.Header{"Paypal-Request-Id": {key}, "Prefer": {"return=representation"}}
	return g.do(ctx, call.Request{Method: http.MethodPost, Path: path, Header: header}, in, out)
}

// issue returns PayPal's name for the reason of a refusal; "" for other errors.
func issue(err error) string {
	var refused *call.Refused
	var body struct {
		Details []struct {
			Issue string `json:"issue"`
		} `json:"details"`
	}
	if !errors.As(err, &refused) || json.Unmarshal(refused.Body, &body) != nil || len(body.Details) == 0 {
		return ""
	}
	return body.Details[0].Issue
}

func orderPath(orderID string) string { return "/v2/checkout/orders/" + url.PathEscape(orderID) }

// Start creates the order once per TxnID.
func (g *Gateway) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	if !slices.Contains(currencies, in.Amount.Currency) {
		return method.ChargeSession{}, method.ErrCurrency
	}
	made, err := g.orderOf(ctx, in)
	if errors.Is(err, method.ErrNoCharge) {
		made, err = g.create(ctx, in)
	}
	if err != nil {
		return method.ChargeSession{}, fmt.Errorf("paypal: create order: %w", err)
	}
	if unit, err := made.unit(); err != nil || unit.CustomID != in.TxnID || unit.amount() != in.Amount {
		return method.ChargeSession{}, errors.New("paypal: create order: response has another order")
	}
	return method.ChargeSession{Ref: made.ID, Checkout: g.checkout(made, in.Amount.Currency)}, nil
}

// orderOf returns an attempt's order by our id; ErrNoCharge if there is none. PayPal has no such look-up, but while it knows the
// idempotency key, creating the order again returns it. (A new order created this way is harmless: no browser has its id.)
// Later orderOf searches the captures; an order without one has expired by then.
func (g *Gateway) orderOf(ctx context.Context, in method.Intent) (order, error) {
	if g.Clock().Before(in.Expires.Add(keyLife)) {
		return g.create(ctx, in)
	}
	return g.search(ctx, in)
}

// create creates the order, or returns the one created with the same key. It retries if no response came.
func (g *Gateway) create(ctx context.Context, in method.Intent) (made order, err error) {
	for range 2 {
		err = g.post(ctx, "/v2/checkout/orders", in.TxnID, newOrder(in), &made)
		if !errors.Is(err, method.ErrUnknown) || ctx.Err() != nil {
			break
		}
	}
	if err == nil && made.ID == "" {
		err = fmt.Errorf("%w: order without id", method.ErrUnknown)
	}
	return made, err
}

// newOrder returns the body that creates an order. It has no personal data: PayPal asks the payer itself.
func newOrder(in method.Intent) map[string]any {
	unit := map[string]any{"custom_id": in.TxnID, "invoice_id": in.TxnID, "amount": moneyOf(in.Amount)}
	if what := []rune(in.Description); len(what) > 0 {
		unit["description"] = string(what[:min(len(what), 127)])
	}
	return map[string]any{
		"intent": "CAPTURE", "purchase_units": []any{unit},
		"application_context": map[string]any{"shipping_preference": "NO_SHIPPING", "user_action": "PAY_NOW", "return_url": in.ReturnURL, "cancel_url": in.ReturnURL},
	}
}

// find returns an order; ErrNoCharge for an unknown one. PayPal deletes unapproved orders after some hours.
func (g *Gateway) find(ctx context.Context, orderID string) (found order, err error) {
	if err = g.get(ctx, orderPath(orderID), &found); err == nil && found.ID != orderID {
		err = fmt.Errorf("%w: response has another order", method.ErrUnknown)
	}
	return found, err
}

// Complete fetches and captures: a browser's return proves nothing.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return g.Fetch(ctx, in, ref)
}

// Fetch returns an order's status. It captures an approved order of ours of the whole amount if the payment is wanted.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	status, err := g.fetch(ctx, in, ref)
	if err != nil {
		return method.Status{}, fmt.Errorf("paypal: fetch: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	if ref == "" {
		made, err := g.orderOf(ctx, in)
		if err != nil {
			return method.Status{}, err
		}
		ref = made.ID
	}
	there, err := g.find(ctx, ref)
	if err != nil {
		return method.Status{}, err
	}
	declined := false
	if in.Wanted && there.approved(in.TxnID, in.Amount) {
		if declined, err = g.capture(ctx, in, there); err != nil {
			return method.Status{}, err
		}
		if there, err = g.find(ctx, ref); err != nil {
			return method.Status{}, err
		}
	}
	status, err := g.status(ctx, there)
	if status.State == method.ChargePending {
		status.AttemptFailed, status.AtBank = declined, status.AtBank && !declined
	}
	return status, err
}

// capture captures an approved order. declined means that the payer's bank or PayPal refused; the payer may then choose other
// means in PayPal's window and approve again. Each call has its own key, because PayPal repeats its response to a key, even a
// refusal. PayPal captures an order once, whatever the key.
func (g *Gateway) capture(ctx context.Context, in method.Intent, there order) (declined bool, err error) {
	err = g.post(ctx, orderPath(there.ID)+"/capture", admission.NewID(), map[string]any{}, nil)
	switch issue(err) {
	case "ORDER_ALREADY_CAPTURED", "ORDER_NOT_APPROVED": // a concurrent capture, or PayPal is late; the caller fetches the order
		return false, nil
	}
	if errors.Is(err, method.ErrDeclined) {
		return true, nil
	}
	return false, err
}

// Cancel returns the status. PayPal has no call to cancel an order; an unwanted one is never captured, and PayPal deletes it.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}

// moneyOf formats an amount for PayPal.
func moneyOf(sum admission.Money) money {
	return money{Currency: sum.Currency, Value: call.Decimal(sum.Minor)}
}

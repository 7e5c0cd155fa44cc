// Package paypal takes payments with PayPal: https://developer.paypal.com/api/rest. An order there has our TxnID as its
// custom_id and invoice_id; the payer approves it in PayPal's window, and only this server captures it. Amounts are text with
// two decimals there, and never pass through a float here.
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

// keyLife is how long after an attempt's end PayPal surely still knows the key that its order was made with: it keeps keys
// for six hours, and no attempt lasts an hour.
const keyLife = 5 * time.Hour

// Needs is everything that a Gateway works with.
type Needs struct {
	ClientID   string
	Secrets    []string       // the current one first; an older one is tried where it is refused
	WebhookIDs []string       // what PayPal calls our webhook; two while another takes its place
	BaseURL    string         // "" is defaultBase
	ScriptURL  string         // of the buttons; "" is defaultScript
	Roots      *x509.CertPool // who may vouch for the certificates of webhooks; nil is whoever the system trusts
	Clock      func() time.Time
	Transport  http.RoundTripper // nil is http.DefaultTransport
}

// Gateway is PayPal as admission sees it.
type Gateway struct {
	Needs
	api          call.Client
	tokens       *tokens
	certificates *certificates
}

var _ method.Gateway = (*Gateway)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Gateway, error) {
	if n.ClientID == "" || len(n.Secrets) == 0 || len(n.WebhookIDs) == 0 || n.Clock == nil {
		return nil, errors.New("paypal gateway needs ClientID, Secrets, WebhookIDs and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	g := &Gateway{Needs: n, tokens: newTokens(n), certificates: newCertificates(n)}
	g.api = call.Client{Base: n.BaseURL, Transport: n.Transport, Sign: g.tokens.sign}
	return g, nil
}

// ask makes a call, and makes it again with a new token where the one that is kept was refused: then nothing has happened.
func (g *Gateway) ask(ctx context.Context, r call.Request, in, out any) error {
	err := g.api.JSON(ctx, r, in, out)
	if errors.Is(err, method.ErrCredentials) && g.tokens.drop() {
		err = g.api.JSON(ctx, r, in, out)
	}
	return err
}

// get asks a question. It is never declined: what is refused is ErrUnknown.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return call.Unrefused(g.ask(ctx, call.Request{Method: http.MethodGet, Path: path}, nil, out))
}

// post makes a call that happens once for a key.
func (g *Gateway) post(ctx context.Context, path, key string, in, out any) error {
	header := http.Header{"Paypal-Request-Id": {key}, "Prefer": {"return=representation"}}
	return g.ask(ctx, call.Request{Method: http.MethodPost, Path: path, Header: header}, in, out)
}

// issue is PayPal's name for why it refuses a call; "" where it does not.
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

// Start creates the order, once for a TxnID.
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
	if unit, err := made.unit(); err != nil || unit.CustomID != in.TxnID || unit.asks() != in.Amount {
		return method.ChargeSession{}, errors.New("paypal: create order: the answer is another order than was asked for")
	}
	return method.ChargeSession{Ref: made.ID, Checkout: g.checkout(made, in.Amount.Currency)}, nil
}

// orderOf returns the order of an attempt by our id, ErrNoCharge where there is none. PayPal looks up no order by our id; but
// while it knows the key, creating the order again returns it. An order that is new then harms nobody: no browser has its
// id. Later the order is searched for among what was captured; one that was not is over by then.
func (g *Gateway) orderOf(ctx context.Context, in method.Intent) (order, error) {
	if g.Clock().Before(in.Expires.Add(keyLife)) {
		return g.create(ctx, in)
	}
	return g.search(ctx, in)
}

// create makes the order, or returns the one that was made with the same key. It is repeated where no answer comes.
func (g *Gateway) create(ctx context.Context, in method.Intent) (made order, err error) {
	for range 2 {
		err = g.post(ctx, "/v2/checkout/orders", in.TxnID, newOrder(in), &made)
		if !errors.Is(err, method.ErrUnknown) || ctx.Err() != nil {
			break
		}
	}
	if err == nil && made.ID == "" {
		err = fmt.Errorf("%w: an order without an id", method.ErrUnknown)
	}
	return made, err
}

// newOrder is the body that creates an order. Of the payer it says nothing: PayPal asks whoever pays.
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

// find returns an order, ErrNoCharge for one that is unknown there: one that nobody has approved is forgotten after hours.
func (g *Gateway) find(ctx context.Context, orderID string) (found order, err error) {
	if err = g.get(ctx, orderPath(orderID), &found); err == nil && found.ID != orderID {
		err = fmt.Errorf("%w: the answer is another order", method.ErrUnknown)
	}
	return found, err
}

// Complete asks PayPal, and captures: what the browser brings proves nothing, and says no more than the order's id.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return g.Fetch(ctx, in, ref)
}

// Fetch returns the state of an order, and captures what is approved where it is wanted, ours and the whole amount.
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
		status.AttemptFailed = declined
	}
	return status, err
}

// capture takes what the payer has approved. declined says that the payer's bank, or PayPal, refuses: the payer may choose
// another way to pay in PayPal's window, and approve once more. Each call has a key of its own, since PayPal repeats what it
// said to a key, a refusal too; it captures an order once, whatever the key.
func (g *Gateway) capture(ctx context.Context, in method.Intent, there order) (declined bool, err error) {
	err = g.post(ctx, orderPath(there.ID)+"/capture", admission.NewID(), map[string]any{}, nil)
	switch issue(err) {
	case "ORDER_ALREADY_CAPTURED", "ORDER_NOT_APPROVED": // another road was faster, or PayPal slower: the order says how it stands
		return false, nil
	}
	if errors.Is(err, method.ErrDeclined) {
		return true, nil
	}
	return false, err
}

// Cancel returns the last state. PayPal ends no order by request: one that is no longer wanted is never captured, so that
// nobody pays it, and PayPal forgets it.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}

// moneyOf writes a sum as PayPal wants it.
func moneyOf(sum admission.Money) money {
	return money{Currency: sum.Currency, Value: call.Decimal(sum.Minor)}
}

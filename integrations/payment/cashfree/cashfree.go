// Package cashfree takes payments with Cashfree: https://www.cashfree.com/docs/api-reference/payments. An order there has our
// TxnID as its order_id. Amounts are rupees with two decimals there, and never pass through a float here.
package cashfree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// apiVersion is the first with ids as text and with disputes, and the last whose reconciliation is flat.
const apiVersion = "2023-08-01"

// Needs is everything that a Gateway works with.
type Needs struct {
	AppID     string
	Secrets   []string // the current one first; webhooks that an older one has signed are still good
	BaseURL   string   // "" is defaultBase
	ScriptURL string   // of the checkout; "" is defaultScript
	Clock     func() time.Time
	Transport http.RoundTripper // nil is http.DefaultTransport
}

// Gateway is Cashfree as admission sees it.
type Gateway struct {
	Needs
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Gateway, error) {
	if n.AppID == "" || len(n.Secrets) == 0 || n.Clock == nil {
		return nil, errors.New("cashfree gateway needs AppID, Secrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	return &Gateway{n, call.Client{Base: n.BaseURL, Transport: n.Transport, Sign: func(r *http.Request) error {
		r.Header.Set("x-client-id", n.AppID)
		r.Header.Set("x-client-secret", n.Secrets[0])
		r.Header.Set("x-api-version", apiVersion)
		return nil
	}}}, nil
}

// get asks a question. It is never declined: what is refused is ErrUnknown.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return call.Unrefused(g.api.JSON(ctx, call.Request{Method: http.MethodGet, Path: path}, nil, out))
}

// post makes a call that happens once for a key.
func (g *Gateway) post(ctx context.Context, path, key string, in, out any) error {
	return g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: path, Header: http.Header{"X-Idempotency-Key": {key}}}, in, out)
}

func orderPath(orderID string) string { return "/orders/" + url.PathEscape(orderID) }

// Start creates the order, once for a TxnID. Where its answer is lost, or says that the order is there already, the order is
// asked for.
func (g *Gateway) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	if in.Amount.Currency != currency {
		return method.ChargeSession{}, method.ErrCurrency
	}
	var made order
	err := g.post(ctx, "/orders", in.TxnID, newOrder(in), &made)
	if (errors.Is(err, method.ErrUnknown) || errors.Is(err, method.ErrDeclined)) && ctx.Err() == nil {
		switch there, findErr := g.find(ctx, in.TxnID); {
		case findErr == nil:
			made, err = there, nil
		case !errors.Is(findErr, method.ErrNoCharge):
			err = findErr
		}
	}
	if err != nil {
		return method.ChargeSession{}, fmt.Errorf("cashfree: create order: %w", err)
	}
	asked, err := made.Amount.In(made.Currency)
	if err != nil || made.ID != in.TxnID || asked != in.Amount {
		return method.ChargeSession{}, errors.New("cashfree: create order: the answer is another order than was asked for")
	}
	if made.Session == "" {
		return method.ChargeSession{}, fmt.Errorf("%w: cashfree: create order: no session", method.ErrUnknown)
	}
	return method.ChargeSession{Ref: made.ID, Checkout: g.checkout(made)}, nil
}

// newOrder is the body that creates an order. What Cashfree refuses for its length is left out or cut.
func newOrder(in method.Intent) map[string]any {
	customer := map[string]any{"customer_id": in.MerchantRef, "customer_phone": strings.TrimPrefix(in.Phone, "+91")}
	fits := func(text string, most int) (string, bool) {
		runes := []rune(text)
		return string(runes[:min(len(runes), most)]), len(runes) >= 3
	}
	if email, ok := fits(in.Email, 100); ok && email == in.Email {
		customer["customer_email"] = email
	}
	if name, ok := fits(in.Name, 100); ok {
		customer["customer_name"] = name
	}
	body := map[string]any{
		"order_id": in.TxnID, "order_amount": rupees(in.Amount.Minor), "order_currency": in.Amount.Currency, "customer_details": customer,
		"order_meta":        map[string]any{"return_url": in.ReturnURL, "notify_url": in.WebhookURL},
		"order_expiry_time": in.Expires.In(admission.IST).Format(time.RFC3339),
	}
	if note, ok := fits(in.Description, 200); ok {
		body["order_note"] = note
	}
	return body
}

// find returns an order, ErrNoCharge for one that is unknown there.
func (g *Gateway) find(ctx context.Context, orderID string) (found order, err error) {
	if err = g.get(ctx, orderPath(orderID), &found); err == nil && found.ID != orderID {
		err = fmt.Errorf("%w: the answer is another order", method.ErrUnknown)
	}
	return found, err
}

// Complete asks Cashfree: what the browser brings proves nothing, and says no more than the order's id.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return g.Fetch(ctx, in, ref)
}

// Fetch returns the state of an order, and captures what is authorised where it is wanted and is the whole amount.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	status, err := g.fetch(ctx, in, ref)
	if err != nil {
		return method.Status{}, fmt.Errorf("cashfree: fetch: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	there, err := g.find(ctx, cmp.Or(ref, in.TxnID))
	if err != nil {
		return method.Status{}, err
	}
	tries, err := g.triesOf(ctx, there.ID)
	if err != nil {
		return method.Status{}, err
	}
	if in.Wanted && there.ID == in.TxnID && !slices.ContainsFunc(tries, try.taken) && slices.ContainsFunc(tries, func(t try) bool { return t.authorised(in.Amount) }) {
		body := map[string]any{"action": "CAPTURE", "amount": rupees(in.Amount.Minor)}
		if err := g.post(ctx, orderPath(there.ID)+"/authorization", in.TxnID+"-capture", body, nil); err != nil && !errors.Is(err, method.ErrDeclined) { // refused: somebody was faster
			return method.Status{}, err
		}
		if tries, err = g.triesOf(ctx, there.ID); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, there, tries)
}

// Cancel terminates an order. One that is paid or over can not be, so its state counts and not the answer; while Cashfree only
// asks the bank to stop (TERMINATION_REQUESTED) it stays pending.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	orderID := cmp.Or(ref, in.TxnID)
	err := g.api.JSON(ctx, call.Request{Method: http.MethodPatch, Path: orderPath(orderID)}, map[string]any{"order_status": "TERMINATED"}, nil)
	if err != nil && !errors.Is(err, method.ErrDeclined) && !errors.Is(err, method.ErrUnknown) {
		return method.Status{}, fmt.Errorf("cashfree: cancel: %w", err)
	}
	status, fetchErr := g.Fetch(ctx, in, orderID)
	if fetchErr != nil {
		return method.Status{}, fetchErr
	}
	if status.Raw == "ACTIVE" && errors.Is(err, method.ErrUnknown) { // nobody knows whether it will be terminated
		return method.Status{}, fmt.Errorf("cashfree: cancel: %w", err)
	}
	return status, nil
}

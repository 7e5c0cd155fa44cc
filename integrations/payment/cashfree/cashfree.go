// Package cashfree implements the Cashfree gateway: https://www.cashfree.com/docs/api-reference/payments. Our TxnID is the
// order_id. Amounts are rupees with two decimals, parsed without floats.
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

// apiVersion is the first version with ids as strings and with disputes, and the last with flat reconciliation rows.
const apiVersion = "2023-08-01"

// Config configures a Gateway.
type Config struct {
	AppID     string
	Secrets   []string // current one first; webhook signatures of any are accepted
	BaseURL   string   // "" means defaultBase
	ScriptURL string   // of the checkout; "" means defaultScript
	Clock     func() time.Time
	Transport http.RoundTripper // nil means http.DefaultTransport
}

// Gateway implements method.Gateway.
type Gateway struct {
	Config
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New returns a Gateway, or an error for a missing field.
func New(n Config) (*Gateway, error) {
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

// get makes a query. It returns ErrUnknown for a refused query.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return call.Unrefused(g.api.JSON(ctx, call.Request{Method: http.MethodGet, Path: path}, nil, out))
}

// post makes an idempotent call.
func (g *Gateway) post(ctx context.Context, path, key string, in, out any) error {
	return g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: path, Header: http.Header{"X-Idempotency-Key": {key}}}, in, out)
}

func orderPath(orderID string) string { return "/orders/" + url.PathEscape(orderID) }

// Start creates the order once per TxnID. If the response is lost or says that the order exists, Start looks the order up.
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
		return method.ChargeSession{}, errors.New("cashfree: create order: response has another order")
	}
	if made.Session == "" {
		return method.ChargeSession{}, fmt.Errorf("%w: cashfree: create order: no session", method.ErrUnknown)
	}
	return method.ChargeSession{Ref: made.ID, Checkout: g.checkout(made)}, nil
}

// newOrder returns the body that creates an order. Text above Cashfree's lengths is omitted or truncated.
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

// find returns an order; ErrNoCharge for an unknown one.
func (g *Gateway) find(ctx context.Context, orderID string) (found order, err error) {
	if err = g.get(ctx, orderPath(orderID), &found); err == nil && found.ID != orderID {
		err = fmt.Errorf("%w: response has another order", method.ErrUnknown)
	}
	return found, err
}

// Complete fetches the status: a browser's return proves nothing.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return g.Fetch(ctx, in, ref)
}

// Fetch returns an order's status. It captures an authorised payment of the whole amount if the payment is wanted.
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
		if err := g.post(ctx, orderPath(there.ID)+"/authorization", in.TxnID+"-capture", body, nil); err != nil && !errors.Is(err, method.ErrDeclined) { // declined: captured concurrently
			return method.Status{}, err
		}
		if tries, err = g.triesOf(ctx, there.ID); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, there, tries)
}

// Cancel terminates an order and returns the fetched status, because a paid or ended order cannot be terminated. The order stays
// pending while the bank has not confirmed (TERMINATION_REQUESTED).
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
	if status.Raw == "ACTIVE" && errors.Is(err, method.ErrUnknown) { // may still be terminated
		return method.Status{}, fmt.Errorf("cashfree: cancel: %w", err)
	}
	return status, nil
}

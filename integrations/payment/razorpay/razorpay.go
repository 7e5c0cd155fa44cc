// Package razorpay takes payments with Razorpay: https://razorpay.com/docs/api. An order there has our TxnID as its receipt.
// Amounts are whole paise there and here.
package razorpay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// Needs is everything that a Gateway works with.
type Needs struct {
	KeyID          string
	KeySecrets     []string // the current one first; what a browser brings back that an older one has signed is still good
	WebhookSecrets []string // the same of webhooks
	BaseURL        string   // "" is defaultBase
	ScriptURL      string   // of the checkout; "" is defaultScript
	Clock          func() time.Time
	Transport      http.RoundTripper // nil is http.DefaultTransport
}

// Gateway is Razorpay as admission sees it.
type Gateway struct {
	Needs
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Gateway, error) {
	if n.KeyID == "" || len(n.KeySecrets) == 0 || len(n.WebhookSecrets) == 0 || n.Clock == nil {
		return nil, errors.New("razorpay gateway needs KeyID, KeySecrets, WebhookSecrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	return &Gateway{n, call.Client{Base: n.BaseURL + "/v1", Transport: n.Transport, Sign: func(r *http.Request) error {
		r.SetBasicAuth(n.KeyID, n.KeySecrets[0])
		return nil
	}}}, nil
}

// notThere is how Razorpay says, with status 400, that it has nothing of an id.
const notThere = "The id provided does not exist"

// get asks a question. It is never declined: what is refused is ErrUnknown, and what is not there ErrNoCharge.
func (g *Gateway) get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	err := g.api.JSON(ctx, call.Request{Method: http.MethodGet, Path: path}, nil, out)
	var refused *call.Refused
	if errors.As(err, &refused) {
		var told struct{ Error struct{ Description string } }
		if json.Unmarshal(refused.Body, &told) == nil && told.Error.Description == notThere {
			return method.ErrNoCharge
		}
	}
	return call.Unrefused(err)
}

func (g *Gateway) post(ctx context.Context, path string, header http.Header, in, out any) error {
	return g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: path, Header: header}, in, out)
}

// Start creates the order, once for a TxnID: with unique_receipt the same receipt gives the same order. Where its answer is
// lost, the order is asked for.
func (g *Gateway) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	if in.Amount.Currency != currency {
		return method.ChargeSession{}, method.ErrCurrency
	}
	var made order
	err := g.post(ctx, "/orders", nil, map[string]any{
		"amount": in.Amount.Minor, "currency": in.Amount.Currency, "receipt": in.TxnID, "unique_receipt": true,
		"partial_payment": false, "notes": map[string]string{noteOfTxn: in.TxnID},
	}, &made)
	if (errors.Is(err, method.ErrUnknown) || errors.Is(err, method.ErrDeclined)) && ctx.Err() == nil {
		switch there, findErr := g.find(ctx, in, ""); {
		case findErr == nil:
			made, err = there, nil
		case !errors.Is(findErr, method.ErrNoCharge):
			err = findErr
		}
	}
	if err != nil {
		return method.ChargeSession{}, fmt.Errorf("razorpay: create order: %w", err)
	}
	asked, err := sum(made.Amount, made.Currency)
	if err != nil || made.ID == "" || made.Receipt != in.TxnID || asked != in.Amount {
		return method.ChargeSession{}, errors.New("razorpay: create order: the answer is another order than was asked for")
	}
	return method.ChargeSession{Ref: made.ID, Checkout: g.checkout(in, made)}, nil
}

// find returns an order by its id or, where ref is "", by our receipt; ErrNoCharge for one that is unknown there.
func (g *Gateway) find(ctx context.Context, in method.Intent, ref string) (order, error) {
	if ref == "" {
		var there collection[order]
		if err := g.get(ctx, "/orders", url.Values{"receipt": {in.TxnID}, "count": {"100"}}, &there); err != nil {
			return order{}, err
		}
		i := slices.IndexFunc(there.Items, func(o order) bool { return o.Receipt == in.TxnID && o.ID != "" })
		if i < 0 {
			return order{}, method.ErrNoCharge
		}
		return there.Items[i], nil
	}
	var there order
	if err := g.get(ctx, "/orders/"+url.PathEscape(ref), nil, &there); err != nil {
		return order{}, err
	}
	if there.ID != ref {
		return order{}, fmt.Errorf("%w: the answer is another order", method.ErrUnknown)
	}
	return there, nil
}

// Complete verifies what the checkout signs, where the browser brings any of it, over the order that we have, and asks
// Razorpay. A browser that brings nothing, or an error, only makes us ask.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, back method.Return) (method.Status, error) {
	paymentID, signature := back.Form.Get("razorpay_payment_id"), back.Form.Get("razorpay_signature")
	if paymentID != "" || signature != "" {
		if ref == "" {
			there, err := g.find(ctx, in, "")
			if err != nil {
				return method.Status{}, fmt.Errorf("razorpay: complete: %w", err)
			}
			ref = there.ID
		}
		if !signed(g.KeySecrets, []byte(ref+"|"+paymentID), signature) {
			return method.Status{}, method.ErrSignature
		}
	}
	return g.Fetch(ctx, in, ref)
}

// Fetch returns the state of an order, and captures what is authorised where it is wanted and is the whole amount.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	status, err := g.fetch(ctx, in, ref)
	if err != nil {
		return method.Status{}, fmt.Errorf("razorpay: fetch: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	there, err := g.find(ctx, in, ref)
	if err != nil {
		return method.Status{}, err
	}
	tries, err := g.triesOf(ctx, there.ID)
	if err != nil {
		return method.Status{}, err
	}
	i := slices.IndexFunc(tries, func(t try) bool { return t.authorised(in.Amount) })
	if in.Wanted && there.Receipt == in.TxnID && i >= 0 && !slices.ContainsFunc(tries, try.taken) {
		body := map[string]any{"amount": in.Amount.Minor, "currency": in.Amount.Currency}
		err := g.post(ctx, "/payments/"+url.PathEscape(tries[i].ID)+"/capture", nil, body, nil) // once: a second is refused
		if err != nil && !errors.Is(err, method.ErrDeclined) {                                  // refused: somebody was faster
			return method.Status{}, err
		}
		if tries, err = g.triesOf(ctx, there.ID); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, there, tries, in.Wanted)
}

// Cancel returns the last state: an order can not be ended there, and never ends by itself.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}

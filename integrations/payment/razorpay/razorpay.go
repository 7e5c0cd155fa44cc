// Package razorpay implements the Razorpay gateway: https://razorpay.com/docs/api. Our TxnID is the receipt of a Razorpay
// order. Amounts are in paise.
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

// Config configures a Gateway.
type Config struct {
	KeyID          string
	KeySecrets     []string // current one first; checkout signatures of any are accepted
	WebhookSecrets []string // any is accepted
	BaseURL        string   // "" means defaultBase
	ScriptURL      string   // of the checkout; "" means defaultScript
	Clock          func() time.Time
	Transport      http.RoundTripper // nil means http.DefaultTransport
}

// Gateway implements method.Gateway.
type Gateway struct {
	Config
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New returns a Gateway, or an error for a missing field.
func New(n Config) (*Gateway, error) {
	if n.KeyID == "" || len(n.KeySecrets) == 0 || len(n.WebhookSecrets) == 0 || n.Clock == nil {
		return nil, errors.New("razorpay gateway needs KeyID, KeySecrets, WebhookSecrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	return &Gateway{n, call.Client{Base: n.BaseURL + "/v1", Transport: n.Transport, Sign: func(r *http.Request) error {
		r.SetBasicAuth(n.KeyID, n.KeySecrets[0])
		return nil
	}}}, nil
}

// notThere is the description of Razorpay's 400 error for an unknown id.
const notThere = "The id provided does not exist"

// get makes a query. It returns ErrNoCharge for an unknown id and ErrUnknown for a refused query.
func (g *Gateway) get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	err := g.api.JSON(ctx, call.Request{Method: http.MethodGet, Path: path}, nil, out)
	var refused *call.Refused
	if errors.As(err, &refused) {
		var answer struct{ Error struct{ Description string } }
		if json.Unmarshal(refused.Body, &answer) == nil && answer.Error.Description == notThere {
			return method.ErrNoCharge
		}
	}
	return call.Unrefused(err)
}

func (g *Gateway) post(ctx context.Context, path string, header http.Header, in, out any) error {
	return g.api.JSON(ctx, call.Request{Method: http.MethodPost, Path: path, Header: header}, in, out)
}

// Start creates the order once per TxnID: with unique_receipt, the same receipt returns the same order. After a lost response
// it looks the order up.
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
		return method.ChargeSession{}, errors.New("razorpay: create order: response has another order")
	}
	return method.ChargeSession{Ref: made.ID, Checkout: g.checkout(in, made)}, nil
}

// find returns an order by its id or, if ref is "", by our receipt; ErrNoCharge for an unknown one.
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
		return order{}, fmt.Errorf("%w: response has another order", method.ErrUnknown)
	}
	return there, nil
}

// Complete verifies the checkout's signature, if the browser returned one, over our order id, and fetches the status. A return
// without a signature only triggers the fetch.
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

// Fetch returns an order's status. It captures an authorised payment of the whole amount if the payment is wanted.
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
		err := g.post(ctx, "/payments/"+url.PathEscape(tries[i].ID)+"/capture", nil, body, nil) // Razorpay refuses a second capture
		if err != nil && !errors.Is(err, method.ErrDeclined) {                                  // declined: captured concurrently
			return method.Status{}, err
		}
		if tries, err = g.triesOf(ctx, there.ID); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, there, tries, in.Wanted)
}

// Cancel returns the status: Razorpay orders cannot be cancelled and never expire.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}

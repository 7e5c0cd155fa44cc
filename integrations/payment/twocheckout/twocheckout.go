// Package twocheckout takes cards with 2Checkout: https://docs.2checkout.com, API 6.0. The card fields are 2Checkout's own, in
// a frame, and give a token, which is charged here by placing an order. An order there has our TxnID as its
// ExternalReference, which nothing there keeps unique: who places an order looks for it first. Amounts are decimals there,
// and never pass through a float here.
package twocheckout

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"net/http"
	"slices"
	"strconv"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// Needs is everything that a Gateway works with.
type Needs struct {
	MerchantCode   string
	Secrets        []string // the current one first; notifications that an older one has signed are still good
	PublishableKey string
	BaseURL        string // "" is defaultBase
	ScriptURL      string // of the card fields; "" is defaultScript
	Clock          func() time.Time
	Transport      http.RoundTripper // nil is http.DefaultTransport
}

// Gateway is 2Checkout as admission sees it.
type Gateway struct {
	Needs
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Gateway, error) {
	if n.MerchantCode == "" || len(n.Secrets) == 0 || n.Clock == nil {
		return nil, errors.New("twocheckout gateway needs MerchantCode, Secrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	g := &Gateway{Needs: n}
	g.api = call.Client{Base: n.BaseURL, Transport: n.Transport, Sign: func(r *http.Request) error {
		r.Header.Set("X-Avangate-Authentication", g.authentication(n.Clock()))
		return nil
	}}
	return g, nil
}

// authentication is the header that proves a call to be ours, at a moment.
func (g *Gateway) authentication(at time.Time) string {
	date := at.UTC().Format(time.DateTime)
	return fmt.Sprintf(`code=%q date=%q hash=%q algo=%q`, g.MerchantCode, date, sha3Signature.of(g.Secrets[0], g.MerchantCode, date), sha3Signature.name)
}

// signature is a way to sign values.
type signature struct {
	name string // as 2Checkout writes it
	hash func() hash.Hash
}

var (
	sha3Signature = signature{"sha3-256", func() hash.Hash { return sha3.New256() }}
	sha2Signature = signature{"sha256", sha256.New}
)

// of signs values, each with its length in bytes before it, and returns that in hexadecimal.
func (s signature) of(secret string, values ...string) string {
	mac := hmac.New(s.hash, []byte(secret))
	for _, value := range values {
		mac.Write([]byte(strconv.Itoa(len(value)) + value))
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// do makes a call. 2Checkout may also refuse one within a good status.
func (g *Gateway) do(ctx context.Context, verb, path string, in, out any) error {
	var answer json.RawMessage
	err := g.api.JSON(ctx, call.Request{Method: verb, Path: path}, in, &answer)
	var refused *call.Refused
	if errors.As(err, &refused) {
		answer = refused.Body
	} else if err != nil {
		return err
	}
	var refusal struct {
		Code string `json:"error_code"`
	}
	if json.Unmarshal(answer, &refusal) == nil && refusal.Code == "AUTHENTICATION_ERROR" {
		return method.ErrCredentials
	}
	if err != nil {
		return err
	}
	if refusal.Code != "" {
		return &call.Refused{Status: http.StatusOK, Body: answer}
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%w: answer: %w", method.ErrUnknown, err)
	}
	return nil
}

// get asks a question. It is never declined: what is refused is ErrUnknown.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return call.Unrefused(g.do(ctx, http.MethodGet, path, nil, out))
}

// Start asks nobody: the order is placed when there is a token.
func (g *Gateway) Start(_ context.Context, in method.Intent) (method.ChargeSession, error) {
	if !slices.Contains(Descriptor().Currencies, in.Amount.Currency) {
		return method.ChargeSession{}, method.ErrCurrency
	}
	return method.ChargeSession{Checkout: g.checkout(in)}, nil
}

// Complete charges the token that the browser brings, while it is wanted and where no order of the attempt may still be paid
// or is. A token proves nothing, and a return without one only asks. Next leads to the payer's bank.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, back method.Return) (method.Status, error) {
	orders, err := g.ordersOf(ctx, in, ref)
	if err != nil && !errors.Is(err, method.ErrNoCharge) {
		return method.Status{}, fmt.Errorf("twocheckout: complete: %w", err)
	}
	token := ""
	if back.Method == http.MethodPost {
		token = back.Form.Get("token")
	}
	if token != "" && in.Wanted && !slices.ContainsFunc(orders, func(o order) bool { return !o.over() }) {
		made, err := g.place(ctx, in, token)
		if err != nil {
			return method.Status{}, fmt.Errorf("twocheckout: place order: %w", err)
		}
		orders = append(orders, made)
	}
	if len(orders) == 0 {
		return method.Status{}, method.ErrNoCharge
	}
	s, err := g.status(in, orders)
	if err != nil {
		return method.Status{}, fmt.Errorf("twocheckout: complete: %w", err)
	}
	if token != "" && in.Wanted && s.State == method.ChargePending {
		s.Next = next(orders)
	}
	return s, nil
}

// Fetch returns the state of the attempt's orders. It charges nothing: that takes a token.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	orders, err := g.ordersOf(ctx, in, ref)
	if err == nil {
		var s method.Status
		if s, err = g.status(in, orders); err == nil {
			return s, nil
		}
	}
	return method.Status{}, fmt.Errorf("twocheckout: fetch: %w", err)
}

// Cancel only asks: 2Checkout lets nobody take an order back that is placed, and none is placed any more without Wanted.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}

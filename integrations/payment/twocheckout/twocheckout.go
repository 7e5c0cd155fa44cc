// Package twocheckout implements the 2Checkout gateway for cards: https://docs.2checkout.com, API 6.0. 2Checkout's card fields, in
// a frame, return a token; this server charges it by placing an order. An order has our TxnID as ExternalReference, which
// 2Checkout does not keep unique, so the gateway searches before it places an order. Amounts are decimals, parsed without
// floats.
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

// Config configures a Gateway.
type Config struct {
	MerchantCode   string
	Secrets        []string // current one first; notifications signed with any are accepted
	PublishableKey string
	BaseURL        string // "" means defaultBase
	ScriptURL      string // of the card fields; "" means defaultScript
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
	if n.MerchantCode == "" || len(n.Secrets) == 0 || n.Clock == nil {
		return nil, errors.New("twocheckout gateway needs MerchantCode, Secrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	g := &Gateway{Config: n}
	g.api = call.Client{Base: n.BaseURL, Transport: n.Transport, Sign: func(r *http.Request) error {
		r.Header.Set("X-Avangate-Authentication", g.authentication(n.Clock()))
		return nil
	}}
	return g, nil
}

// authentication returns the header that authenticates a call.
func (g *Gateway) authentication(at time.Time) string {
	date := at.UTC().Format(time.DateTime)
	return fmt.Sprintf(`code=%q date=%q hash=%q algo=%q`, g.MerchantCode, date, sha3Signature.of(g.Secrets[0], g.MerchantCode, date), sha3Signature.name)
}

// signature is a signature scheme.
type signature struct {
	name string // 2Checkout's name
	hash func() hash.Hash
}

var (
	sha3Signature = signature{"sha3-256", func() hash.Hash { return sha3.New256() }}
	sha2Signature = signature{"sha256", sha256.New}
)

// of signs values, each prefixed by its length in bytes, and returns the signature in hex.
func (s signature) of(secret string, values ...string) string {
	mac := hmac.New(s.hash, []byte(secret))
	for _, value := range values {
		mac.Write([]byte(strconv.Itoa(len(value)) + value))
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// do makes a call. 2Checkout may report a refusal with status 200.
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
		return fmt.Errorf("%w: response: %w", method.ErrUnknown, err)
	}
	return nil
}

// get makes a query. It returns ErrUnknown for a refused query.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return call.Unrefused(g.do(ctx, http.MethodGet, path, nil, out))
}

// Start makes no call: the order is placed once there is a token.
func (g *Gateway) Start(_ context.Context, in method.Intent) (method.ChargeSession, error) {
	if !slices.Contains(Descriptor().Currencies, in.Amount.Currency) {
		return method.ChargeSession{}, method.ErrCurrency
	}
	return method.ChargeSession{Checkout: g.checkout(in)}, nil
}

// Complete charges the browser's token, if the payment is wanted and no order of the attempt is paid or pending. Without a token it
// only fetches. Status.Next is the bank's authentication page.
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

// Fetch returns the status of the attempt's orders. It never charges: that needs a token.
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

// Cancel returns the status: a placed order cannot be withdrawn, and without Wanted no further one is placed.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}

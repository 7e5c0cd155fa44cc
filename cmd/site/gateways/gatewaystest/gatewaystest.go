// Package gatewaystest has a gateway for tests.
package gatewaystest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/cmd/site/gateways"
)

// Bank is the provider of Goldbars: a signed form sends the payer's browser to its page, which sends it back with a POST.
type Bank struct {
	mutex  sync.Mutex
	Orders map[string]method.Status
}

func (b *Bank) order(txnID string) (method.Status, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	order, known := b.Orders[txnID]
	if !known {
		return order, method.ErrNoCharge
	}
	return order, nil
}

var chargedAt = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// Charge marks an order as paid with an amount in rupees' minor units.
func (b *Bank) Charge(txnID string, minor int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	amount := admission.INR(minor)
	b.Orders[txnID] = method.Status{TxnID: txnID, Ref: "gold-" + txnID, State: method.ChargePaid, Charges: []method.Charge{
		{PaymentID: "bar-" + txnID, State: method.ChargePaid, Amount: amount, Refunded: admission.INR(0), At: chargedAt},
	}}
}

// Goldbars is a gateway that only tests have.
type Goldbars struct {
	*Bank
	shop, secret string
}

// Secret is the secret of shop 79.
const Secret = "9f86d081884c7d659a2feaa0c55ad015"

// Open returns the gateway of shop 79.
func (b *Bank) Open() *Goldbars { return &Goldbars{b, "79", Secret} }

// Origin is the origin of the bank's page.
const Origin = "https://pay.goldbars.example"

// Kind returns the gateway, whose provider is b.
func Kind(b *Bank) gateways.Kind {
	return gateways.Kind{
		Descriptor: method.Descriptor{
			Name: "goldbars", Label: "Gold bars", Provider: "Gold bars", Icon: method.IconWallet, Note: "Weighed while you wait.", Notice: "Your bars are weighed on the next page.", Currencies: []string{"INR"},
			Settings: []method.Setting{
				{Name: "GOLDBARS_SHOP", Meaning: "number of the shop", Check: func(value string) error {
					if strings.Trim(value, "0123456789") != "" {
						return fmt.Errorf("must be a number, not %q", value)
					}
					return nil
				}, Test: func(shop string) bool { return shop == "0" }},
				{Name: "GOLDBARS_SECRET", Meaning: "signs what is posted, there and back", Secret: true},
				{Name: "GOLDBARS_PURITY", Meaning: "in carats", Default: "24"},
				{Name: "GOLDBARS_SCRIPT_URL", Meaning: "where its script is", Default: "https://gold.example/v1.js", Script: true},
			},
			Checkout: method.Origins{Forms: []string{Origin}}, Payload: []string{"shop", "token"}, Carries: method.CarriesID,
			Forms: func(checkout map[string]any) ([]method.Form, error) {
				token, _ := checkout["token"].(string)
				shop, _ := checkout["shop"].(string)
				return []method.Form{{Action: Origin + "/weigh", Label: "Pay with gold", Look: method.FormFirst, Fields: []method.FormField{{Name: "shop", Value: shop}, {Name: "token", Value: token}}}}, nil
			},
		},
		Open: func(_ gateways.Options, with method.Settings) (method.Gateway, error) {
			if with["GOLDBARS_PURITY"] != "24" {
				return nil, errors.New("that is no gold")
			}
			return &Goldbars{b, with["GOLDBARS_SHOP"], with["GOLDBARS_SECRET"]}, nil
		},
	}
}

// Sign returns the bank's signature of a text.
func (g *Goldbars) Sign(text string) string {
	mac := hmac.New(sha256.New, []byte(g.secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

func (g *Goldbars) Start(_ context.Context, in method.Intent) (method.ChargeSession, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if _, known := g.Orders[in.TxnID]; !known {
		g.Orders[in.TxnID] = method.Status{TxnID: in.TxnID, Ref: "gold-" + in.TxnID, State: method.ChargePending}
	}
	return method.ChargeSession{Ref: "gold-" + in.TxnID, Checkout: map[string]any{"shop": g.shop, "token": g.Sign(in.TxnID), "vault": "not for browsers"}}, nil
}

func (g *Goldbars) Complete(_ context.Context, in method.Intent, _ string, back method.Return) (method.Status, error) {
	if back.Method != http.MethodPost || !hmac.Equal([]byte(back.Form.Get("proof")), []byte(g.Sign("weighed "+in.TxnID))) {
		return method.Status{}, method.ErrSignature
	}
	return g.order(in.TxnID)
}

func (g *Goldbars) Fetch(_ context.Context, in method.Intent, _ string) (method.Status, error) {
	return g.order(in.TxnID)
}

func (g *Goldbars) Cancel(_ context.Context, in method.Intent, _ string) (method.Status, error) {
	return g.order(in.TxnID)
}

func (g *Goldbars) List(context.Context, time.Time) iter.Seq2[method.Movement, error] {
	return func(func(method.Movement, error) bool) {}
}

func (g *Goldbars) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if !hmac.Equal([]byte(h.Get("X-Gold")), []byte(g.Sign(string(raw)))) {
		return method.Event{}, method.ErrSignature
	}
	return method.Event{Type: "weighed", Kind: method.EventOfCharge, TxnID: string(raw), Ack: []byte("<heard/>"), AckType: "application/xml"}, nil
}

func (g *Goldbars) Refund(context.Context, method.Intent, method.Charge, string, admission.Money) (method.RefundStatus, error) {
	return method.RefundStatus{}, method.ErrDeclined
}

func (g *Goldbars) FetchRefund(context.Context, method.Intent, string, string) (method.RefundStatus, error) {
	return method.RefundStatus{}, method.ErrNoCharge
}

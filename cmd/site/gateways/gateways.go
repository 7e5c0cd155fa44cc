// Package gateways opens the configured gateways of this program.
package gateways

import (
	"fmt"
	"log/slog"
	"time"

	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/breaker"
	"hiresure/integrations/payment/cashfree"
	"hiresure/integrations/payment/meter"
	"hiresure/integrations/payment/paypal"
	"hiresure/integrations/payment/payu"
	"hiresure/integrations/payment/razorpay"
	"hiresure/integrations/payment/sandbox"
	"hiresure/integrations/payment/stripe"
	"hiresure/integrations/payment/twocheckout"
)

// Options contains what gateways need of the site.
type Options struct {
	Orders     sandbox.Orders
	Key        func(use string) []byte
	Clock      func() time.Time
	Production bool
	Alert      func(string) // called when a gateway stops responding
	EndAlert   func(string) // called with the same text at each of its responses
	Observe    func(gateway, call, result string, took time.Duration)
	Log        *slog.Logger
}

// Kind is a gateway that this program supports.
type Kind struct {
	method.Descriptor
	Open func(o Options, with method.Settings) (method.Gateway, error)
}

// Kinds lists every gateway that this program supports.
var Kinds = []Kind{
	{sandbox.Descriptor("", nil), func(o Options, _ method.Settings) (method.Gateway, error) {
		return sandbox.New(sandbox.Config{Orders: o.Orders, Key: o.Key("sandbox gateway"), Clock: o.Clock, Production: o.Production})
	}},
	{cashfree.Descriptor(), func(o Options, with method.Settings) (method.Gateway, error) { return cashfree.Open(with, o.Clock) }},
	{razorpay.Descriptor(), func(o Options, with method.Settings) (method.Gateway, error) { return razorpay.Open(with, o.Clock) }},
	{paypal.Descriptor(), func(o Options, with method.Settings) (method.Gateway, error) { return paypal.Open(with, o.Clock) }},
	{stripe.Descriptor(), func(o Options, with method.Settings) (method.Gateway, error) { return stripe.Open(with, o.Clock) }},
	{payu.Descriptor(), func(_ Options, with method.Settings) (method.Gateway, error) { return payu.Open(with) }},
	{twocheckout.Descriptor(), func(o Options, with method.Settings) (method.Gateway, error) { return twocheckout.Open(with, o.Clock) }},
}

// Gateway is a kind with its configuration.
type Gateway struct {
	Kind
	Values     method.Settings
	Configured bool // otherwise its old attempts cannot be polled
	Offered    bool
}

// Open opens the chosen gateways.
func Open(chosen []Gateway, o Options) (catalogue payment.Catalogue, err error) {
	offered := 0
	for _, g := range chosen {
		entry := payment.Entry{Descriptor: g.Descriptor, Offered: g.Offered}
		if g.SoldByProvider != nil && g.SoldByProvider(g.Values) {
			entry.SoldBy = g.Provider
		}
		if g.Configured {
			if entry.Gateway, err = g.Kind.Open(o, g.Values); err != nil {
				return nil, fmt.Errorf("gateway %s: %w", g.Name, err)
			}
			if !g.PlayMoney {
				measured := meter.New(entry.Gateway, func(call, result string, took time.Duration) { o.Observe(g.Name, call, result, took) })
				watched := breaker.New(measured, o.Clock, func() { o.Alert("a gateway does not answer and is hidden from payers: " + g.Name) },
					func() { o.EndAlert("a gateway does not answer and is hidden from payers: " + g.Name) })
				entry.Gateway, entry.Available = watched, watched.Answers
			}
		}
		if g.Offered {
			offered++
		}
		catalogue = append(catalogue, entry)
	}
	if offered == 0 {
		o.Log.Warn("no gateway is configured, so nobody can pay: set GATEWAYS")
	}
	return catalogue, nil
}

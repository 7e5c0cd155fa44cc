package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/breaker"
	"hiresure/integrations/payment/cashfree"
	"hiresure/integrations/payment/paypal"
	"hiresure/integrations/payment/payu"
	"hiresure/integrations/payment/razorpay"
	"hiresure/integrations/payment/sandbox"
	"hiresure/integrations/payment/stripe"
	"hiresure/integrations/payment/twocheckout"
	"hiresure/pages/dev"
)

// gatewayKind is a gateway that this program supports.
type gatewayKind struct {
	method.Descriptor
	open func(s *site, with method.Settings) (method.Gateway, error)
}

var gatewayKinds = []gatewayKind{
	{sandbox.Descriptor("", nil), func(s *site, _ method.Settings) (method.Gateway, error) {
		return sandbox.New(sandbox.Config{Orders: s.store, Key: s.key("sandbox gateway"), Clock: s.clock, Production: s.config.Production()})
	}},
	{cashfree.Descriptor(), func(s *site, with method.Settings) (method.Gateway, error) { return cashfree.Open(with, s.clock) }},
	{razorpay.Descriptor(), func(s *site, with method.Settings) (method.Gateway, error) { return razorpay.Open(with, s.clock) }},
	{paypal.Descriptor(), func(s *site, with method.Settings) (method.Gateway, error) { return paypal.Open(with, s.clock) }},
	{stripe.Descriptor(), func(s *site, with method.Settings) (method.Gateway, error) { return stripe.Open(with, s.clock) }},
	{payu.Descriptor(), func(_ *site, with method.Settings) (method.Gateway, error) { return payu.Open(with) }},
	{twocheckout.Descriptor(), func(s *site, with method.Settings) (method.Gateway, error) { return twocheckout.Open(with, s.clock) }},
}

// gatewayConfig is a gateway with its configuration.
type gatewayConfig struct {
	gatewayKind
	settings   method.Settings
	configured bool // otherwise its old attempts cannot be polled
	offered    bool
}

// readGateways parses GATEWAYS, GATEWAYS_KNOWN and the variables of the gateways named there. An offered gateway needs all
// its variables; a known one may have none.
func (c *Config) readGateways(environ map[string]string, kinds []gatewayKind, f *faults) {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.Name)
		if kind.PlayMoney && !c.Production() && len(c.Gateways) == 0 && !slices.Contains(c.GatewaysKnown, kind.Name) {
			c.Gateways = []string{kind.Name}
		}
	}
	seen := map[string]bool{}
	read := func(variable, name string, offered bool) {
		i := slices.Index(names, name)
		if i < 0 {
			f.oneOf(variable, name, names...)
			return
		}
		f.refuse(seen[name], "%s: %s is named twice", variable, name)
		f.refuse(kinds[i].PlayMoney && c.Production(), "%s: %s takes no real money and is refused in production", variable, name)
		if seen[name] {
			return
		}
		seen[name] = true
		settings, given, faults := kinds[i].Configure(environ)
		if offered || given {
			*f = append(*f, faults...)
		}
		c.gateways = append(c.gateways, gatewayConfig{kinds[i], settings, offered || given, offered})
	}
	for _, name := range c.Gateways {
		read("GATEWAYS", name, true)
	}
	for _, name := range c.GatewaysKnown {
		read("GATEWAYS_KNOWN", name, false)
	}
}

// openGateways opens the configured gateways.
func (s *site) openGateways() (catalogue payment.Catalogue, err error) {
	offered := 0
	for _, chosen := range s.config.gateways {
		entry := payment.Entry{Descriptor: s.config.withOrigins(chosen), Offered: chosen.offered}
		if chosen.SoldByProvider != nil && chosen.SoldByProvider(chosen.settings) {
			entry.SoldBy = chosen.Provider
		}
		if chosen.configured {
			if entry.Gateway, err = chosen.open(s, chosen.settings); err != nil {
				return nil, fmt.Errorf("gateway %s: %w", chosen.Name, err)
			}
			if !chosen.PlayMoney {
				watched := breaker.New(entry.Gateway, s.clock, func() { s.alert("a gateway does not answer and is hidden from payers: " + chosen.Name) })
				entry.Gateway, entry.Available = watched, watched.Answers
			}
		}
		if chosen.offered {
			offered++
		}
		catalogue = append(catalogue, entry)
	}
	if offered == 0 {
		s.log.Warn("no gateway is configured, so nobody can pay: set GATEWAYS")
	}
	return catalogue, nil
}

// withOrigins returns a gateway's descriptor, with the origins of replaced addresses added to its content security policy, so
// that a checkout can use a simulator. With real money only the provider's origins are allowed.
func (c *Config) withOrigins(gateway gatewayConfig) method.Descriptor {
	d := gateway.Descriptor
	if c.Production() && !c.PaymentsTest {
		return d
	}
	for _, s := range d.Settings {
		at, err := url.Parse(gateway.settings[s.Name])
		if err != nil || at.Host == "" || gateway.settings[s.Name] == s.Default {
			continue
		}
		origin := at.Scheme + "://" + at.Host
		for _, way := range []*[]string{&d.Checkout.Scripts, &d.Checkout.Frames, &d.Checkout.Connect, &d.Checkout.Images, &d.Checkout.Forms} {
			if len(*way) > 0 && !slices.Contains(*way, origin) {
				*way = append(slices.Clone(*way), origin)
			}
		}
	}
	return d
}

// sandboxDays is how many days of sandbox charges the developers' page shows.
const sandboxDays = 7

// sandboxProvider returns the sandbox for the developers' page; nil if it is not configured.
func (s *site) sandboxProvider() *dev.Provider {
	i := slices.IndexFunc(s.business.Payment.Gateways, func(e payment.Entry) bool { _, plays := e.Gateway.(*sandbox.Gateway); return plays })
	if i < 0 {
		return nil
	}
	gateway := s.business.Payment.Gateways[i].Gateway.(*sandbox.Gateway)
	provider := &dev.Provider{
		Charges: func(ctx context.Context) (charges []dev.Charge, err error) {
			seen := map[string]bool{} // a charge is listed on every day on which it changed
			for day := range sandboxDays {
				for moved, err := range gateway.List(ctx, s.clock().AddDate(0, 0, -day-1).Add(time.Second)) {
					if err != nil {
						return nil, err
					}
					if c := moved.Charge; !seen[c.PaymentID] {
						seen[c.PaymentID] = true
						charges = append(charges, dev.Charge{TxnID: moved.TxnID, Amount: c.Amount, Refunded: c.Refunded, Disputed: c.Disputed, At: c.At})
					}
				}
			}
			slices.SortStableFunc(charges, func(a, b dev.Charge) int { return b.At.Compare(a.At) })
			return charges, nil
		},
		Apply: func(ctx context.Context, txnID, what string) error {
			return gateway.Apply(ctx, txnID, sandbox.ChargeEvent(what))
		},
	}
	for _, h := range sandbox.ChargeEvents {
		provider.Events = append(provider.Events, dev.ChargeEvent{What: string(h.What), Label: h.Label, Note: h.Note})
	}
	return provider
}

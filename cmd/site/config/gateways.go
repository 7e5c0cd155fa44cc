package config

import (
	"net/url"
	"slices"

	"hiresure/admission/payment/method"
	"hiresure/cmd/site/gateways"
)

// readGateways parses GATEWAYS, GATEWAYS_KNOWN and the variables of the gateways named there. An offered gateway needs all
// its variables; a known one may have none.
func (c *Config) readGateways(environ map[string]string, kinds []gateways.Kind, f *faults) {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.Name)
		if kind.PlayMoney && !c.Production() && len(c.Gateways) == 0 && !slices.Contains(c.GatewaysKnown, kind.Name) {
			c.Gateways = []string{kind.Name}
		}
	}
	f.refuse(c.Production() && len(c.Gateways) == 0, "GATEWAYS is required in production: nobody could pay; set GATEWAYS=none if you mean it")
	if slices.Equal(c.Gateways, []string{"none"}) {
		c.Gateways = nil
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
		values, given, faults := kinds[i].Configure(environ)
		if offered || given {
			*f = append(*f, faults...)
		}
		gateway := gateways.Gateway{Kind: kinds[i], Values: values, Configured: offered || given, Offered: offered}
		gateway.Descriptor = c.withOrigins(gateway)
		c.Chosen = append(c.Chosen, gateway)
	}
	for _, name := range c.Gateways {
		read("GATEWAYS", name, true)
	}
	for _, name := range c.GatewaysKnown {
		read("GATEWAYS_KNOWN", name, false)
	}
}

// withOrigins returns a gateway's descriptor, with the origins of replaced addresses added to its content security policy, so
// that a checkout can use a simulator. With real money only the provider's origins are allowed.
func (c *Config) withOrigins(gateway gateways.Gateway) method.Descriptor {
	d := gateway.Descriptor
	if c.Production() && !c.PaymentsTest {
		return d
	}
	for _, s := range d.Settings {
		at, err := url.Parse(gateway.Values[s.Name])
		if err != nil || at.Host == "" || gateway.Values[s.Name] == s.Default {
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

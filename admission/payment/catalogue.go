package payment

import (
	"slices"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Entry is a gateway as this site has configured it.
type Entry struct {
	method.Descriptor
	Gateway method.Gateway // nil if not configured: its old attempts end in an alert
	SoldBy  string         // who sells in its own name: the merchant of record; "" if we sell
	Offered bool           // to new payers; otherwise it only serves existing payments
	// Available reports whether the provider is answering; nil means always. Until it does, no new attempt starts there.
	Available func() bool
}

func (e Entry) unavailable() bool { return e.Available != nil && !e.Available() }

// Accepts reports whether the gateway can charge a currency.
func (e Entry) Accepts(currency string) bool { return slices.Contains(e.Currencies, currency) }

// price returns the event's price in a currency that the gateway takes and that has a rate.
func (e Entry) price(event admission.Event) (admission.Money, bool) {
	if e.Accepts(event.Fee.Currency) {
		return event.Fee, true
	}
	for _, currency := range []string{"USD", "EUR"} {
		if price, ok := event.Prices[currency]; ok && e.Accepts(currency) && price.Rate.Rupees > 0 {
			return price.Money, true
		}
	}
	return admission.Money{}, false
}

// Catalogue lists the site's gateways in the order offered.
type Catalogue []Entry

// Find returns a gateway by name.
func (c Catalogue) Find(name string) (Entry, bool) {
	if i := slices.IndexFunc(c, func(e Entry) bool { return e.Name == name }); i >= 0 {
		return c[i], true
	}
	return Entry{}, false
}

// For returns the gateways offered to new payers of an event, in order.
func (c Catalogue) For(event admission.Event) []Entry {
	return slices.DeleteFunc(c.chargeable(event), Entry.unavailable)
}

// Choice reports whether payers of an event choose a gateway. Gateways that do not answer at the moment count too.
func (c Catalogue) Choice(event admission.Event) bool { return len(c.chargeable(event)) > 1 }

// chargeable returns the offered gateways that can charge for an event, including those that do not answer.
func (c Catalogue) chargeable(event admission.Event) (offered []Entry) {
	for _, e := range c {
		if _, charges := e.price(event); charges && e.Offered && e.Gateway != nil {
			offered = append(offered, e)
		}
	}
	return offered
}

package payment

import (
	"slices"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Entry is a gateway as a site has it.
type Entry struct {
	method.Descriptor
	Gateway method.Gateway // nil where it is known and not configured: its old attempts end in an alert
	Offered bool           // to new payers; else it is only polled, refunded and heard
	// Answers reports whether the provider answers as far as is known; nil: it always does. While it does not, nobody new is sent there.
	Answers func() bool
}

func (e Entry) silent() bool { return e.Answers != nil && !e.Answers() }

// Takes reports whether the gateway can charge a currency.
func (e Entry) Takes(currency string) bool { return slices.Contains(e.Currencies, currency) }

// price returns the event's price in a currency that the gateway takes.
func (e Entry) price(event admission.Event) (admission.Money, bool) {
	if e.Takes(event.Fee.Currency) {
		return event.Fee, true
	}
	for _, currency := range []string{"USD", "EUR"} {
		if price, ok := event.Prices[currency]; ok && e.Takes(currency) {
			return price, true
		}
	}
	return admission.Money{}, false
}

// Catalogue are the gateways that a site knows, in the order offered.
type Catalogue []Entry

// Find returns a gateway by name.
func (c Catalogue) Find(name string) (Entry, bool) {
	if i := slices.IndexFunc(c, func(e Entry) bool { return e.Name == name }); i >= 0 {
		return c[i], true
	}
	return Entry{}, false
}

// For returns the gateways that new payers of an event are offered, in order.
func (c Catalogue) For(event admission.Event) []Entry {
	return slices.DeleteFunc(c.chargeable(event), Entry.silent)
}

// Choice reports whether payers of an event are asked how they pay, also where only one way answers at the moment.
func (c Catalogue) Choice(event admission.Event) bool { return len(c.chargeable(event)) > 1 }

// chargeable are those of For, and those that would be if they answered.
func (c Catalogue) chargeable(event admission.Event) (offered []Entry) {
	for _, e := range c {
		if _, charges := e.price(event); charges && e.Offered && e.Gateway != nil {
			offered = append(offered, e)
		}
	}
	return offered
}

package payment

import (
	"slices"

	"hiresure/admission"
)

// Descriptor tells all about a gateway that is no behaviour.
type Descriptor struct {
	Name       string   // in GATEWAYS, in our books, and on the wire
	Label      string   // for visitors: what one pays with
	Note       string   // for visitors: what to expect; may be ""
	Currencies []string // ISO 4217, all with two decimals
	Checkout   Origins  // what its checkout page may reach besides our own origin
	Payload    []string // the fields of ChargeSession.Checkout that reach the browser
	Carries    Carries  // what a finished payment's return address carries
}

// Origins are the other origins that a page may reach, by kind, for its Content-Security-Policy.
type Origins struct{ Scripts, Frames, Connect, Images, Forms []string }

// Carries says what a return address carries beside our id (spec §4).
type Carries string

const (
	CarriesStatus Carries = "status" // kspay_id, payment_status and provider_payment_id
	CarriesID     Carries = "id"     // kspay_id alone
	CarriesTxID   Carries = "txid"   // txId alone
)

// Entry is a gateway as a site has it.
type Entry struct {
	Descriptor
	Gateway Gateway // nil where it is known and not configured: its old attempts end in an alert
	Offered bool    // to new payers; else it is only polled, refunded and heard
}

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
func (c Catalogue) For(event admission.Event) (offered []Entry) {
	for _, e := range c {
		if _, charges := e.price(event); charges && e.Offered && e.Gateway != nil {
			offered = append(offered, e)
		}
	}
	return offered
}

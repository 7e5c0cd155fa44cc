// Package method tells what a way to pay is: a Descriptor, with its words, its variables and what its checkout may reach, and a Gateway,
// with what its calls are asked and answer.
package method

import (
	"fmt"
	"net/url"
	"slices"
)

// Descriptor tells all about a gateway that is no behaviour. Configuration, pay page, checkout, policy and return follow
// from it, and no other code names a gateway.
type Descriptor struct {
	Name       string    // in GATEWAYS, in our books, in its webhook's address, and on the wire
	Label      string    // for visitors: what one pays with
	Provider   string    // for visitors, at its checkout: who gets card and UPI details
	Note       string    // for visitors, where they choose: what to expect; may be ""
	Icon       Icon      // beside Label; may be ""
	Notice     string    // for visitors, at its checkout; may be ""
	Currencies []string  // ISO 4217, all with two decimals
	UPI        bool      // also by UPI: it stands first for Indian phones
	Settings   []Setting // what the environment configures it by
	PlayMoney  bool      // it takes no real money: the default in development, refused in production
	Checkout   Origins   // what its checkout page may reach besides our own origin
	Payload    []string  // the fields of ChargeSession.Checkout that reach the browser
	Carries    Carries   // what a finished payment's return address carries
	// DisputesByEvent tells that only its webhooks tell of disputes, and its answers nothing.
	DisputesByEvent bool
	// SoldByProvider reports whether the provider sells in its own name, as merchant of record: then it invoices and we give a
	// receipt. nil: we sell.
	SoldByProvider func(Settings) bool
	// Forms returns the ways on that its checkout page offers without scripts, from ChargeSession.Checkout; nil where it
	// needs a widget of islands/checkout.
	Forms func(checkout map[string]any) ([]Form, error)
}

// Icon is a sign of static/images/icons.svg.
type Icon string

const (
	IconUPI    Icon = "upi"
	IconCard   Icon = "card"
	IconWallet Icon = "wallet"
)

// Form is a plain form of a checkout page: one button, and what it posts.
type Form struct {
	Action string // "" is the attempt's return address; any other lies at one of Descriptor.Checkout.Forms
	Label  string // of the button
	Look   FormLook
	Fields []FormField // in order
}

// FormField is what a Form posts, unseen.
type FormField struct{ Name, Value string }

// FormLook is the place of a form among those of its page.
type FormLook string

const (
	FormFirst  FormLook = "first" // the way to payment
	FormBeside FormLook = "beside"
	FormMore   FormLook = "more" // folded away
)

// PayloadOf returns those checkout fields of an attempt that reach the browser.
func (d Descriptor) PayloadOf(checkout map[string]any) map[string]any {
	payload := map[string]any{}
	for _, name := range d.Payload {
		if value, there := checkout[name]; there {
			payload[name] = value
		}
	}
	return payload
}

// FormsOf returns the forms of an attempt's checkout page. One that posts to an origin which the descriptor does not name
// is an error: its page would not be let do so, and money would not leave for where nobody has said that it may.
func (d Descriptor) FormsOf(checkout map[string]any) ([]Form, error) {
	if d.Forms == nil {
		return nil, nil
	}
	forms, err := d.Forms(checkout)
	if err != nil {
		return nil, fmt.Errorf("checkout forms of %s: %w", d.Name, err)
	}
	for _, form := range forms {
		if form.Action == "" {
			continue
		}
		to, err := url.Parse(form.Action)
		if err != nil || !slices.Contains(d.Checkout.Forms, to.Scheme+"://"+to.Host) {
			return nil, fmt.Errorf("checkout forms of %s: %q is none of its origins", d.Name, form.Action)
		}
	}
	return forms, nil
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

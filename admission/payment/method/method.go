// Package method defines a payment gateway: a Descriptor with its texts, settings and allowed origins, and the Gateway interface with the
// types of its calls.
package method

import (
	"fmt"
	"net/url"
	"slices"
)

// Descriptor describes a gateway as data. Configuration, pay page, checkout, content security policy and return address are
// derived from it, and no other code names a gateway.
type Descriptor struct {
	Name       string    // in GATEWAYS, the database, the webhook's address and the API
	Label      string    // shown to visitors: the way to pay
	Provider   string    // shown at the checkout: who receives card and UPI details
	Note       string    // shown on the pay page: what to expect; may be ""
	Icon       Icon      // next to Label; may be ""
	Notice     string    // shown at the checkout; may be ""
	Currencies []string  // ISO 4217, all with two decimals
	UPI        bool      // takes UPI, so it is the first choice for Indian phones
	Settings   []Setting // variables of the environment
	PlayMoney  bool      // takes no real money: the default in development, rejected in production
	Checkout   Origins   // that the checkout page may load from or post to
	Payload    []string  // fields of ChargeSession.Checkout that are sent to the browser
	Carries    Carries   // parameters of a finished payment's return address
	// DisputesByEvent reports whether disputes are known from webhooks only, not from Fetch.
	DisputesByEvent bool
	// SoldByProvider reports whether the provider sells in its own name, as merchant of record: then it invoices and we give a
	// receipt. nil: we sell.
	SoldByProvider func(Settings) bool
	// Forms returns the forms of the checkout page that work without scripts, from ChargeSession.Checkout; nil if the gateway
	// needs a widget of islands/checkout.
	Forms func(checkout map[string]any) ([]Form, error)
}

// Icon is an icon of static/images/icons.svg.
type Icon string

const (
	IconUPI    Icon = "upi"
	IconCard   Icon = "card"
	IconWallet Icon = "wallet"
)

// Form is a form of a checkout page: one button with hidden fields.
type Form struct {
	Action string // "": the attempt's return address; otherwise at an origin in Descriptor.Checkout.Forms
	Label  string // of the button
	Look   FormLook
	Fields []FormField // in order
}

// FormField is a hidden field.
type FormField struct{ Name, Value string }

// FormLook is the place of a form on its page.
type FormLook string

const (
	FormFirst  FormLook = "first" // the main button
	FormBeside FormLook = "beside"
	FormMore   FormLook = "more" // folded
)

// PayloadOf returns an attempt's checkout fields that are sent to the browser.
func (d Descriptor) PayloadOf(checkout map[string]any) map[string]any {
	payload := map[string]any{}
	for _, name := range d.Payload {
		if value, there := checkout[name]; there {
			payload[name] = value
		}
	}
	return payload
}

// FormsOf returns the forms of an attempt's checkout page. It rejects a form that posts to an undeclared origin, which the
// page's content security policy would block.
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

// Origins are other origins in a page's content security policy, by directive.
type Origins struct{ Scripts, Frames, Connect, Images, Forms []string }

// Carries names the parameters of a return address (spec §4).
type Carries string

const (
	CarriesStatus Carries = "status" // kspay_id, payment_status and provider_payment_id
	CarriesID     Carries = "id"     // kspay_id only
	CarriesTxID   Carries = "txid"   // txId only
)

package paypal

import (
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	defaultBase   = "https://api-m.paypal.com"
	sandboxBase   = "https://api-m.sandbox.paypal.com"
	defaultScript = "https://www.paypal.com/sdk/js"
)

// currencies are PayPal's currencies in which a site may have prices; PayPal does not support INR.
var currencies = []string{"USD", "EUR"}

// Descriptor returns PayPal's entry for the catalogue. PayPal documents the origins of its script at
// https://developer.paypal.com/sdk/js/best-practices; Venmo's are left out, because it is disabled.
func Descriptor() method.Descriptor {
	hosts := []string{"https://*.paypal.com", "https://*.paypalobjects.com"}
	return method.Descriptor{
		Name: "paypal", Label: "PayPal", Provider: "PayPal", Icon: method.IconWallet, Note: "For payers outside India, in PayPal’s window.", Currencies: currencies,
		Settings: []method.Setting{
			{Name: "PAYPAL_CLIENT_ID", Meaning: "names the app there, which has the features Transaction search and Disputes"},
			{Name: "PAYPAL_SECRET", Meaning: "belongs to the client id; two with a comma while it is changed, the new one first", Secret: true, Check: call.CheckSecrets},
			{Name: "PAYPAL_WEBHOOK_ID", Meaning: "what its dashboard calls our webhook; two with a comma while another takes its place", Check: call.CheckSecrets},
			{Name: "PAYPAL_BASE_URL", Meaning: "where its API is; " + sandboxBase + " takes no real money", Default: defaultBase, Check: call.CheckBase(defaultBase), Test: func(base string) bool { return base != defaultBase }},
			{Name: "PAYPAL_SCRIPT_URL", Meaning: "where the script of its buttons is", Default: defaultScript, Script: true, Check: call.CheckURL(defaultScript)},
		},
		Checkout: method.Origins{Scripts: hosts, Frames: hosts, Connect: hosts, Images: hosts},
		Payload:  []string{"script", "clientId", "currency", "providerOrderId"},
		Carries:  method.CarriesStatus,
	}
}

// Open returns a gateway configured by a site's settings.
func Open(with method.Settings, clock func() time.Time) (*Gateway, error) {
	return New(Config{
		ClientID: with["PAYPAL_CLIENT_ID"], Secrets: call.Secrets(with["PAYPAL_SECRET"]), WebhookIDs: call.Secrets(with["PAYPAL_WEBHOOK_ID"]),
		BaseURL: with["PAYPAL_BASE_URL"], ScriptURL: with["PAYPAL_SCRIPT_URL"], Clock: clock,
	})
}

// checkout returns the data of the checkout page.
func (g *Gateway) checkout(made order, currency string) map[string]any {
	return map[string]any{"script": g.ScriptURL, "clientId": g.ClientID, "currency": currency, "providerOrderId": made.ID}
}

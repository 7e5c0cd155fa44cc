package cashfree

import (
	"strings"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	currency      = "INR" // others need Cashfree's consent for each account
	defaultBase   = "https://api.cashfree.com/pg"
	defaultScript = "https://sdk.cashfree.com/js/v3/cashfree.js"
)

// Descriptor returns Cashfree's entry for the catalogue. The origins are those in the README of @cashfreepayments/cashfree-js,
// and of its test environment.
func Descriptor() method.Descriptor {
	hosts := []string{"https://api.cashfree.com", "https://sandbox.cashfree.com"}
	pages := []string{"https://payments.cashfree.com", "https://payments-test.cashfree.com"}
	return method.Descriptor{
		Name: "cashfree", Label: "UPI or net banking", Provider: "Cashfree", Icon: method.IconUPI, Note: "Any UPI app, Indian cards and wallets, on Cashfree’s page.", Currencies: []string{currency}, UPI: true,
		Settings: []method.Setting{
			{Name: "CASHFREE_APP_ID", Meaning: "names the account: the x-client-id of its API keys", Test: isTest},
			{Name: "CASHFREE_SECRET_KEY", Meaning: "belongs to the app id, and signs webhooks; two with a comma while it is changed, the new one first", Secret: true, Check: call.CheckSecrets, Test: isTest},
			{Name: "CASHFREE_BASE_URL", Meaning: "where its API is; https://sandbox.cashfree.com/pg takes test keys", Default: defaultBase, Check: call.CheckBase(defaultBase), Test: func(base string) bool { return base != defaultBase }},
			{Name: "CASHFREE_SCRIPT_URL", Meaning: "where its checkout's script is", Default: defaultScript, Script: true, Check: call.CheckURL(defaultScript)},
		},
		Checkout: method.Origins{
			Scripts: []string{"https://sdk.cashfree.com"},
			Frames:  append(append([]string{"https://sdk.cashfree.com"}, hosts...), pages...),
			Connect: hosts,
			Forms:   append(append([]string{}, hosts...), pages...),
		},
		Payload: []string{"script", "sessionId", "mode"},
		Carries: method.CarriesTxID,
	}
}

// Open returns a gateway configured by a site's settings.
func Open(with method.Settings, clock func() time.Time) (*Gateway, error) {
	return New(Config{
		AppID: with["CASHFREE_APP_ID"], Secrets: call.Secrets(with["CASHFREE_SECRET_KEY"]),
		BaseURL: with["CASHFREE_BASE_URL"], ScriptURL: with["CASHFREE_SCRIPT_URL"], Clock: clock,
	})
}

// checkout returns the data of the checkout page. Every host but Cashfree's production one is in test mode.
func (g *Gateway) checkout(made order) map[string]any {
	mode := "sandbox"
	if g.BaseURL == defaultBase {
		mode = "production"
	}
	return map[string]any{"script": g.ScriptURL, "sessionId": made.Session, "mode": mode}
}

// isTest reports whether an app id or a secret is a test key.
func isTest(key string) bool {
	return strings.HasPrefix(key, "TEST") || strings.Contains(key, "_test_")
}

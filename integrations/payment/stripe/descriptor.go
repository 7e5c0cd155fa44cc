package stripe

import (
	"errors"
	"slices"
	"strings"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	defaultBase   = "https://api.stripe.com"
	defaultScript = "https://js.stripe.com/dahlia/stripe.js" // same API version as the library
)

var currencies = []string{"INR", "USD", "EUR"}

func takes(currency string) bool { return slices.Contains(currencies, currency) }

// Descriptor returns Stripe's entry for the catalogue. Stripe documents the origins of its script at
// https://docs.stripe.com/security/guide#content-security-policy.
func Descriptor() method.Descriptor {
	scripts := []string{"https://js.stripe.com", "https://*.js.stripe.com"}
	return method.Descriptor{
		Name: "stripe", Label: "Card, any country", Provider: "Stripe", Icon: method.IconCard, Note: "Typed on this page, in Stripe’s fields.", Currencies: currencies,
		Settings: []method.Setting{
			{Name: "STRIPE_PUBLISHABLE_KEY", Meaning: "names the account to browsers: pk_live_…", Check: checkKey("pk_"), Test: isTest},
			{Name: "STRIPE_SECRET_KEY", Meaning: "of the same account: sk_live_…, or a restricted one, rk_live_…", Secret: true, Check: checkKey("sk_", "rk_"), Test: isTest},
			{Name: "STRIPE_WEBHOOK_SECRET", Meaning: "signs the webhooks of our endpoint there: whsec_…; two with a comma while it is changed, the new one first", Secret: true, Check: call.CheckSecrets},
			{Name: "STRIPE_BASE_URL", Meaning: "where its API is", Default: defaultBase, Check: call.CheckBase(defaultBase), Test: func(base string) bool { return base != defaultBase }},
			{Name: "STRIPE_SCRIPT_URL", Meaning: "where its checkout's script is", Default: defaultScript, Script: true, Check: call.CheckURL(defaultScript)},
		},
		Checkout: method.Origins{
			Scripts: scripts,
			Frames:  append(slices.Clone(scripts), "https://hooks.stripe.com"),
			Connect: []string{"https://api.stripe.com"},
			Images:  []string{"https://*.stripe.com"},
		},
		Payload: []string{"script", "publishableKey", "clientSecret"},
		Carries: method.CarriesStatus,
	}
}

// Open returns a gateway configured by a site's settings.
func Open(with method.Settings, clock func() time.Time) (*Gateway, error) {
	return New(Config{
		PublishableKey: with["STRIPE_PUBLISHABLE_KEY"], SecretKey: with["STRIPE_SECRET_KEY"], WebhookSecrets: call.Secrets(with["STRIPE_WEBHOOK_SECRET"]),
		BaseURL: with["STRIPE_BASE_URL"], ScriptURL: with["STRIPE_SCRIPT_URL"], Clock: clock,
	})
}

// checkKey returns a method.Setting's Check for the prefix of a key: a secret key must never reach a browser.
func checkKey(kinds ...string) func(string) error {
	return func(key string) error {
		begins := func(kind string) bool { return strings.HasPrefix(key, kind) && len(key) > len(kind) }
		if !slices.ContainsFunc(kinds, begins) || strings.ContainsAny(key, ", ") {
			return errors.New("must be one key that begins with " + strings.Join(kinds, " or "))
		}
		return nil
	}
}

// isTest reports whether a key is a test key.
func isTest(key string) bool { return strings.Contains(key, "_test_") }

package simulators

import (
	_ "embed"
	"net/http"
	"regexp"
	"slices"
	"time"
)

// What a payer's browser meets of Stripe: the script of the merchant's checkout, and the calls that it makes with the
// publishable key and an intent's secret.

//go:embed stripe.js
var stripeScript []byte

func openStripe(at string, clock func() time.Time) (Account, map[string]string) {
	keys := KeysStripe{PublishableKey: "pk_test_simulated", SecretKey: "sk_test_simulated", WebhookSecret: "whsec_simulated", Clock: clock}
	return NewStripe(keys), map[string]string{
		"STRIPE_PUBLISHABLE_KEY": keys.PublishableKey, "STRIPE_SECRET_KEY": keys.SecretKey, "STRIPE_WEBHOOK_SECRET": keys.WebhookSecret,
		"STRIPE_BASE_URL": at, "STRIPE_SCRIPT_URL": at + "/checkout.js",
	}
}

var stripeBrowsers = regexp.MustCompile(`^/v1/payment_intents/[^/]+(/confirm|/proof)?$`)

// serveBrowser lets pages of any origin call, and serves the script.
func (s *Stripe) serveBrowser(w http.ResponseWriter, r *http.Request) (served bool) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	if r.URL.Path == "/checkout.js" {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(stripeScript)
		return true
	}
	return r.Method == http.MethodOptions
}

// Cards that Stripe gives to those who try it out: https://docs.stripe.com/testing.
const (
	stripeCardDeclined = "4000000000000002"
	stripeCardAsks     = "4000002500003155"
	stripeCardPays     = "4242424242424242"
)

// confirmIntent is what a payer's browser does with what was typed.
func (s *Stripe) confirmIntent(p *stripeIntent, asked *stripeAsked) (any, error) {
	if !slices.Contains([]string{"requires_payment_method", "requires_confirmation", "requires_action"}, p.status) {
		return nil, stripeState(p)
	}
	switch asked.form.Get("payment_method_data[card][number]") {
	case stripeCardPays:
		s.capture(s.charged(p), p.minor)
	case stripeCardAsks:
		s.becomes(p, "requires_action")
	case stripeCardDeclined:
		s.failed(p, "card_declined", "Your card was declined.")
		return nil, stripeRefusal{http.StatusPaymentRequired, "card_error", "card_declined", "Your card was declined.", p.json(false)}
	case "": // a bank account, whose bank takes its time
		s.becomes(p, "processing")
	default:
		return nil, stripeRefusal{http.StatusPaymentRequired, "card_error", "incorrect_number", "Your card number is incorrect.", p.json(false)}
	}
	return p.json(false), nil
}

func (s *Stripe) takeProof(p *stripeIntent, asked *stripeAsked) (any, error) {
	if p.status != "requires_action" {
		return nil, stripeState(p)
	}
	s.proves(p, asked.form.Get("good") == "true")
	return p.json(false), nil
}

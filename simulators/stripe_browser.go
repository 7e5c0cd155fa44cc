package simulators

import (
	_ "embed"
	"net/http"
	"regexp"
	"slices"
	"time"
)

// The payer's side of Stripe: the merchant's checkout script and its calls with the publishable key and an intent's secret.

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

// serveBrowser serves the script and handles CORS.
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

// Stripe's test cards: https://docs.stripe.com/testing.
const (
	stripeCardDeclined = "4000000000000002"
	stripeCardAsks     = "4000002500003155"
	stripeCardPays     = "4242424242424242"
)

// confirmIntent pays an intent with the card that the payer typed.
func (s *Stripe) confirmIntent(p *stripeIntent, asked *stripeRequest) (any, error) {
	if !slices.Contains([]string{"requires_payment_method", "requires_confirmation", "requires_action"}, p.status) {
		return nil, stripeState(p)
	}
	switch asked.form.Get("payment_method_data[card][number]") {
	case stripeCardPays:
		s.capture(s.charged(p), p.minor)
	case stripeCardAsks:
		s.setStatus(p, "requires_action")
	case stripeCardDeclined:
		s.failed(p, "card_declined", "Your card was declined.")
		return nil, stripeRefusal{http.StatusPaymentRequired, "card_error", "card_declined", "Your card was declined.", p.json(false)}
	case "": // a bank account, which takes time
		s.setStatus(p, "processing")
	default:
		return nil, stripeRefusal{http.StatusPaymentRequired, "card_error", "incorrect_number", "Your card number is incorrect.", p.json(false)}
	}
	return p.json(false), nil
}

func (s *Stripe) confirmProof(p *stripeIntent, asked *stripeRequest) (any, error) {
	if p.status != "requires_action" {
		return nil, stripeState(p)
	}
	s.prove(p, asked.form.Get("good") == "true")
	return p.json(false), nil
}

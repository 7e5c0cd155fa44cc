package stripe_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"hiresure/integrations/payment/stripe"
)

func TestDescriptorChecksSettings(t *testing.T) {
	whole := map[string]string{"STRIPE_PUBLISHABLE_KEY": "pk_live_1", "STRIPE_SECRET_KEY": "sk_live_1", "STRIPE_WEBHOOK_SECRET": "whsec_1"}
	for _, c := range []struct{ sentence, name, value, want string }{
		{"all required settings", "", "", ""},
		{"a restricted key", "STRIPE_SECRET_KEY", "rk_live_1", ""},
		{"two secrets of webhooks", "STRIPE_WEBHOOK_SECRET", "whsec_2,whsec_1", ""},
		{"three secrets of webhooks", "STRIPE_WEBHOOK_SECRET", "a,b,c", "STRIPE_WEBHOOK_SECRET must be one secret, or two separated by a comma"},
		{"no publishable key", "STRIPE_PUBLISHABLE_KEY", "", "gateway stripe needs STRIPE_PUBLISHABLE_KEY"},
		{"the secret key where browsers read it", "STRIPE_PUBLISHABLE_KEY", "sk_live_1", "STRIPE_PUBLISHABLE_KEY must be one key that begins with pk_"},
		{"the publishable key as the secret one", "STRIPE_SECRET_KEY", "pk_live_1", "STRIPE_SECRET_KEY must be one key that begins with sk_ or rk_"},
		{"two secret keys", "STRIPE_SECRET_KEY", "sk_live_1,sk_live_2", "STRIPE_SECRET_KEY must be one key that begins with sk_ or rk_"},
		{"a base with a trailing slash", "STRIPE_BASE_URL", "https://api.stripe.com/", "STRIPE_BASE_URL must be an address such as https://api.stripe.com, without a trailing slash"},
		{"an invalid script address", "STRIPE_SCRIPT_URL", "stripe.js", "STRIPE_SCRIPT_URL must be an address such as https://js.stripe.com/dahlia/stripe.js"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			environ := maps.Clone(whole)
			if c.name != "" {
				environ[c.name] = c.value
			}
			values, given, faults := stripe.Descriptor().Configure(environ)
			if got := strings.Trim(fmt.Sprint(faults), "[]"); got != c.want || !given {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.want != "" {
				return
			}
			g, err := stripe.Open(values, time.Now)
			if err != nil || g.BaseURL != "https://api.stripe.com" || g.ScriptURL != "https://js.stripe.com/dahlia/stripe.js" || g.PublishableKey != "pk_live_1" {
				t.Errorf("%+v, %v", g, err)
			}
		})
	}
	if _, given, _ := stripe.Descriptor().Configure(nil); given {
		t.Error("nothing configures it, and it is configured")
	}
	if _, err := stripe.Open(nil, time.Now); err == nil {
		t.Error("it opens with nothing")
	}
}

func TestDescriptorRecognizesTestSettings(t *testing.T) {
	for _, s := range stripe.Descriptor().Settings {
		for value, want := range map[string]map[string]bool{
			"pk_live_1":                     {},
			"pk_test_1":                     {"STRIPE_PUBLISHABLE_KEY": true, "STRIPE_SECRET_KEY": true},
			"https://api.stripe.com":        {},
			"http://127.0.0.1:9000":         {"STRIPE_PUBLISHABLE_KEY": true, "STRIPE_SECRET_KEY": true, "STRIPE_WEBHOOK_SECRET": true, "STRIPE_BASE_URL": true, "STRIPE_SCRIPT_URL": true},
			"https://stripe.example.com/v1": {},
		} {
			plays := want[s.Name] || s.Name == "STRIPE_BASE_URL" && value != "https://api.stripe.com"
			if got := s.Plays(value); got != plays {
				t.Errorf("%s=%s: %t, want %t", s.Name, value, got, plays)
			}
		}
	}
}

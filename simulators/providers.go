package simulators

import (
	"net/http"
	"time"
)

// Provider is a simulated payment provider.
type Provider struct {
	Name string // of the gateway
	// Open creates an account served at an address such as http://127.0.0.1:8091, with a clock, nil for time.Now. It returns the
	// environment variables that configure a site to use it.
	Open func(at string, clock func() time.Time) (Account, map[string]string)
}

// Account is a simulator: the provider's HTTP server and its webhooks so far.
type Account interface {
	http.Handler
	Events() []Event
}

// Providers are all simulators, in the order in which a site offers them.
var Providers = []Provider{
	{"razorpay", openRazorpay},
	{"paypal", openPayPal},
	{"cashfree", openCashfree},
	{"payu", openPayU},
	{"stripe", openStripe},
	{"twocheckout", openTwocheckout},
}

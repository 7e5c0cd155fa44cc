package simulators

import (
	"net/http"
	"time"
)

// Provider is one that a site can be configured with.
type Provider struct {
	Name string // of the gateway
	// Open opens an account that is reached at an address such as http://127.0.0.1:8091 and goes by a clock, nil for time.Now. It
	// returns the variables that configure a site to use it.
	Open func(at string, clock func() time.Time) (Account, map[string]string)
}

// Account is what all simulators are: the provider's addresses, and the webhooks that it has written so far.
type Account interface {
	http.Handler
	Events() []Event
}

// Providers are all of them, in the order in which a site offers them.
var Providers = []Provider{
	{"razorpay", openRazorpay},
	{"paypal", openPayPal},
	{"cashfree", openCashfree},
	{"payu", openPayU},
	{"stripe", openStripe},
	{"twocheckout", openTwocheckout},
}

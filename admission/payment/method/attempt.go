package method

import (
	"net/url"
	"time"

	"hiresure/admission"
)

// Intent is what an attempt is made for. It is frozen in our database when the attempt starts; a later change of the
// registration does not touch it.
type Intent struct {
	TxnID                           string // kspay_id, ours: 26 characters
	MerchantRef                     string // what the provider calls us by: 20 characters of a-z and 0-9, unique
	Amount                          admission.Money
	Description, Name, Email, Phone string
	StateCode                       string // GST code of the payer's State
	CustomerIP                      string // of the request at hand; "" where a worker asks
	ReturnURL, WebhookURL           string
	Expires                         time.Time
	// Wanted is true while the attempt is open and not expired, and its registration unpaid. Only then may Complete or
	// Fetch capture or charge anything.
	Wanted bool
	// SentBack is what our refunds send back of each charge, by its PaymentID: those that are asked for, accepted or done.
	SentBack map[string]admission.Money
}

// ChargeSession is the result of Start: the provider's id and the fields for the checkout page, which its payer may know and nobody else.
type ChargeSession struct {
	Ref      string
	Checkout map[string]any
}

// Return is what a browser brought back from a provider. Nothing of it is trusted.
type Return struct {
	Method   string
	Form     url.Values // of the body and the query; the body goes first
	Raw      []byte     // the body as it came
	RemoteIP string
}

package method

import (
	"net/url"
	"time"

	"hiresure/admission"
)

// Intent is the payment that an attempt asks for. It is stored when the attempt starts, and later changes of the
// registration do not affect it.
type Intent struct {
	TxnID                           string // kspay_id, ours: 26 characters
	MerchantRef                     string // our id at the provider: 20 characters of a-z and 0-9, unique
	Amount                          admission.Money
	Description, Name, Email, Phone string
	StateCode                       string // GST code of the payer's State
	CustomerIP                      string // of the current request; "" in a job
	ReturnURL, WebhookURL           string
	Expires                         time.Time
	// Wanted is true while the attempt is open and not expired, and its registration unpaid. Only then may Complete or
	// Fetch capture or charge anything.
	Wanted bool
	// SentBack has the amount that our refunds return of each charge, by PaymentID. Failed refunds do not count.
	SentBack map[string]admission.Money
}

// ChargeSession is the result of Start: the provider's id and the fields for the checkout page, which only the payer may see.
type ChargeSession struct {
	Ref      string
	Checkout map[string]any
}

// Return is the request of a browser that returns from the provider. It is not trusted.
type Return struct {
	Method   string
	Form     url.Values // body and query; the body takes precedence
	Raw      []byte     // unparsed body
	RemoteIP string
}

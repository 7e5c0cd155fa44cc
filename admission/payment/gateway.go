package payment

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"time"

	"hiresure/admission"
)

// ChargeState is the provider's view of one transaction. Whatever is not provably final is ChargePending.
type ChargeState string

const (
	ChargePending  ChargeState = "pending"
	ChargePaid     ChargeState = "paid"     // captured, not merely authorised
	ChargeFailed   ChargeState = "failed"   // can no longer become paid by the customer
	ChargeRefunded ChargeState = "refunded" // fully; partial refunds stay paid with Refunded > 0
)

// Intent is committed to our database before any provider call. TxnID is our kspay_id.
type Intent struct {
	TxnID                           string
	Amount                          admission.Money
	Description, Name, Email, Phone string
	ReturnURL, WebhookURL           string
	Expires                         time.Time
}

// ChargeSession is the result of Start: the provider's id and the non-secret fields for the checkout page.
type ChargeSession struct {
	Ref      string
	Checkout map[string]any
}

// Status is what the provider said over an authenticated server call; the only input that may move a payment to paid.
type Status struct {
	TxnID, Ref, PaymentID, Raw string
	State                      ChargeState
	AttemptFailed              bool   // pending, but the last try of the customer failed
	Next                       string // a URL that the browser must visit, 3-D Secure; "" for none
	Amount, Refunded           admission.Money
}

// GatewayEvent is a webhook whose signature has been verified. It says what to Fetch; it never marks anything paid.
type GatewayEvent struct {
	ID, Type, TxnID, Ref string
	Ack                  []byte // the response body that the provider insists on; nil for none
}

// Gateway is one way to pay. It is safe for concurrent use, and every call honours ctx. Start, Complete and Refund are
// idempotent per TxnID and refundID: after ErrUnknown the caller calls Fetch, then may repeat.
type Gateway interface {
	Name() string
	// Takes tells whether the gateway can charge a currency.
	Takes(currency string) bool
	// Start creates the provider's order, session or intent.
	Start(ctx context.Context, in Intent) (ChargeSession, error)
	// Complete runs when the browser returns. form is untrusted.
	Complete(ctx context.Context, in Intent, ref string, form url.Values) (Status, error)
	// Fetch asks the provider for the current state, by ref or, when ref is "", by TxnID.
	Fetch(ctx context.Context, in Intent, ref string) (Status, error)
	// Cancel ends an open transaction at the provider and answers its last state.
	Cancel(ctx context.Context, in Intent, ref string) (Status, error)
	// List walks over a day's charges, for reconciliation.
	List(ctx context.Context, day time.Time) iter.Seq2[Status, error]
	// Webhook verifies the signature over the raw body and identifies the transaction.
	Webhook(ctx context.Context, h http.Header, raw []byte) (GatewayEvent, error)
	// Refund returns amount of a captured charge; refundID is the idempotency key.
	Refund(ctx context.Context, in Intent, paymentID, refundID string, amount admission.Money) (Status, error)
}

// The errors that every gateway maps its failures to.
var (
	ErrSignature = errors.New("payment: bad signature")
	ErrUnknown   = errors.New("payment: outcome unknown") // time-out, 5xx, torn response
	ErrDeclined  = errors.New("payment: declined")
	ErrNoCharge  = errors.New("payment: provider has no such transaction")
	ErrCurrency  = errors.New("payment: currency not supported by provider")
)

package method

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
)

// ChargeState is the provider's state of an order or of one of its charges. A state that is not certainly final is ChargePending.
type ChargeState string

const (
	ChargePending  ChargeState = "pending"
	ChargePaid     ChargeState = "paid"     // captured, not only authorised; also after a partial refund
	ChargeFailed   ChargeState = "failed"   // the payer can no longer pay it
	ChargeRefunded ChargeState = "refunded" // in full
)

// Charge is one charge at the provider; an order may have several.
type Charge struct {
	PaymentID        string
	State            ChargeState
	Amount, Refunded admission.Money // Refunded is in the currency of Amount; with a lost dispute it may be more
	LostMinor        int64           // the part of Refunded that lost disputes took, in minor units
	RefundsUnknown   bool            // the provider did not say what was refunded: Refunded is 0
	Disputed         bool            // a dispute is open; LostMinor has the lost ones
	At               time.Time       // of the capture
	Means            Means
}

// Captured reports whether money was taken, even if it was refunded since.
func (c Charge) Captured() bool { return c.State == ChargePaid || c.State == ChargeRefunded }

// Left returns the part of the charge that was not refunded.
func (c Charge) Left() admission.Money {
	return admission.Money{Minor: c.Amount.Minor - c.Refunded.Minor, Currency: c.Amount.Currency}
}

// Status is the provider's response to an authenticated server call. Nothing else may change an attempt to paid.
type Status struct {
	TxnID, Ref, Raw string
	State           ChargeState // of the order: paid as soon as one charge is captured
	AttemptFailed   bool        // pending, but the payer's last try failed
	AtBank          bool        // pending, and the payer's last try waits for the bank
	Next            string      // address that the browser must visit, such as for 3-D Secure; "" for none
	Charges         []Charge
}

// Captured returns the charges that took money, oldest first.
func (s Status) Captured() []Charge {
	taken := slices.DeleteFunc(slices.Clone(s.Charges), func(c Charge) bool { return !c.Captured() })
	slices.SortStableFunc(taken, func(a, b Charge) int { return a.At.Compare(b.At) })
	return taken
}

// Charge returns the captured charge with a payment id, or the zero Charge.
func (s Status) Charge(paymentID string) Charge {
	for _, charge := range s.Captured() {
		if charge.PaymentID == paymentID {
			return charge
		}
	}
	return Charge{}
}

// Kept returns the first charge that was not refunded in full, or the zero Charge.
func (s Status) Kept() Charge {
	for _, charge := range s.Captured() {
		if charge.State == ChargePaid {
			return charge
		}
	}
	return Charge{}
}

// RefundState is the state of a refund.
type RefundState string

const (
	RefundAsked    RefundState = "asked"    // stored; the provider may or may not have received it
	RefundAccepted RefundState = "accepted" // the provider has accepted it, and the money is on its way
	RefundDone     RefundState = "done"
	RefundFailed   RefundState = "failed"
	RefundBounced  RefundState = "bounced" // done, but the money came back to us
)

// RefundStatus is the provider's state of a refund. An accepted refund is not done: it is polled by its ProviderID with
// FetchRefund, and never posted again.
type RefundStatus struct {
	ProviderID string
	State      RefundState // RefundAccepted, RefundDone or RefundFailed
	Amount     admission.Money
	Reason     string // why it failed: codes and our own words, as in ErrDeclined; "" if unknown
}

// Movement is a charge that was captured, refunded or disputed on one day.
type Movement struct {
	TxnID, Ref string // as far as the provider knows them
	Charge     Charge
}

// Gateway is one way to pay. It is safe for concurrent use, and every call obeys ctx. Start, Complete and Refund are
// idempotent per TxnID and refundID: after ErrUnknown the caller fetches the state, and may then call again.
type Gateway interface {
	// Start creates the provider's order, session or intent.
	Start(ctx context.Context, in Intent) (ChargeSession, error)
	// Complete runs when the browser returns. It captures only if in.Wanted, and returns ErrSignature for a forged return.
	Complete(ctx context.Context, in Intent, ref string, back Return) (Status, error)
	// Fetch fetches the current state by ref, or by our own ids if ref is "". If in.Wanted, it captures an authorised charge.
	// It returns ErrNoCharge if the provider knows no such order.
	Fetch(ctx context.Context, in Intent, ref string) (Status, error)
	// Cancel ends an open transaction at the provider and returns its last state.
	Cancel(ctx context.Context, in Intent, ref string) (Status, error)
	// List yields the charges that were captured, refunded or disputed in the 24 hours from day on.
	List(ctx context.Context, day time.Time) iter.Seq2[Movement, error]
	// Webhook verifies the signature over the raw body and identifies the transaction.
	Webhook(ctx context.Context, header http.Header, raw []byte, query url.Values) (Event, error)
	// Refund returns amount of a captured charge; refundID is the idempotency key. It returns ErrDeclined if the provider rejects the refund.
	Refund(ctx context.Context, in Intent, charge Charge, refundID string, amount admission.Money) (RefundStatus, error)
	// FetchRefund fetches a refund by the provider's id, or by ours if that is "". It returns ErrNoCharge if the provider does not
	// know it, so that it may be posted.
	FetchRefund(ctx context.Context, in Intent, refundID, providerID string) (RefundStatus, error)
}

// Errors of gateways. The text after ErrDeclined is stored and shown to staff: the provider's codes and our own words, never
// its message, which may contain personal data.
var (
	ErrSignature   = errors.New("payment: bad signature")
	ErrUnknown     = errors.New("payment: outcome unknown") // timeout, 5xx, truncated response
	ErrDeclined    = errors.New("payment: declined")
	ErrNoCharge    = errors.New("payment: provider has no such transaction")
	ErrCurrency    = errors.New("payment: currency not supported by provider")
	ErrCredentials = errors.New("payment: provider refuses our credentials") // 401, 403: staff must correct the configuration
)

// DeclineReason returns why a gateway declined: what follows the words of ErrDeclined; "" for nothing.
func DeclineReason(err error) string {
	_, reason, _ := strings.Cut(err.Error(), ErrDeclined.Error()+": ")
	return reason
}

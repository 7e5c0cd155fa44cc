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

// ChargeState is the provider's view of an order, or of one charge of it. Whatever is not provably final is ChargePending.
type ChargeState string

const (
	ChargePending  ChargeState = "pending"
	ChargePaid     ChargeState = "paid"     // captured, not merely authorised; also where a part of it has gone back
	ChargeFailed   ChargeState = "failed"   // can no longer become paid by the customer
	ChargeRefunded ChargeState = "refunded" // all of it has gone back
)

// Charge is one movement of money at the provider; an order may hold several.
type Charge struct {
	PaymentID        string
	State            ChargeState
	Amount, Refunded admission.Money // Refunded is in the currency of Amount; with a lost dispute it may be more
	LostMinor        int64           // the part of Refunded that lost disputes took, in minor units
	RefundsUnknown   bool            // the provider did not say what went back: Refunded is 0
	Disputed         bool            // now; a dispute that is over is told by what was refunded
	At               time.Time       // of the capture
	Means            Means
}

// Captured reports whether money was taken, whatever became of it since.
func (c Charge) Captured() bool { return c.State == ChargePaid || c.State == ChargeRefunded }

// Left is what the provider still holds of the charge.
func (c Charge) Left() admission.Money {
	return admission.Money{Minor: c.Amount.Minor - c.Refunded.Minor, Currency: c.Amount.Currency}
}

// Status is what the provider said over an authenticated server call; the only input that may move an attempt to paid.
type Status struct {
	TxnID, Ref, Raw string
	State           ChargeState // of the order: paid as soon as one charge is captured
	AttemptFailed   bool        // pending, but the last try of the customer failed
	Next            string      // a URL that the browser must visit, such as for 3-D Secure; "" for none
	Charges         []Charge
}

// Captured returns the charges that took money, in the order of their time.
func (s Status) Captured() []Charge {
	taken := slices.DeleteFunc(slices.Clone(s.Charges), func(c Charge) bool { return !c.Captured() })
	slices.SortStableFunc(taken, func(a, b Charge) int { return a.At.Compare(b.At) })
	return taken
}

// Charge returns the charge of a payment id that took money; the zero Charge where there is none.
func (s Status) Charge(paymentID string) Charge {
	for _, charge := range s.Captured() {
		if charge.PaymentID == paymentID {
			return charge
		}
	}
	return Charge{}
}

// Kept returns the first charge that the provider still holds, or the zero Charge.
func (s Status) Kept() Charge {
	for _, charge := range s.Captured() {
		if charge.State == ChargePaid {
			return charge
		}
	}
	return Charge{}
}

// RefundState is how far one refund has come.
type RefundState string

const (
	RefundAsked    RefundState = "asked"    // our row stands, the provider may or may not know
	RefundAccepted RefundState = "accepted" // the provider has taken it on; that is not done
	RefundDone     RefundState = "done"
	RefundFailed   RefundState = "failed"
	RefundBounced  RefundState = "bounced" // it was done, and came back
)

// RefundStatus is what the provider says of one refund. Accepted is not done: ProviderID is kept on acceptance, and asked
// about by FetchRefund, never posted again.
type RefundStatus struct {
	ProviderID string
	State      RefundState // RefundAccepted, RefundDone or RefundFailed
	Amount     admission.Money
	Reason     string // why it failed: codes and our own words, as in ErrDeclined; "" if unknown
}

// Movement is one line of a provider's day: a charge that was captured, or of which something went back or was disputed.
type Movement struct {
	TxnID, Ref string // as far as the provider knows them
	Charge     Charge
}

// Gateway is one way to pay. It is safe for concurrent use, and every call honours ctx. Start, Complete and Refund are
// idempotent per TxnID and refundID: after ErrUnknown the caller asks, then may repeat.
type Gateway interface {
	// Start creates the provider's order, session or intent.
	Start(ctx context.Context, in Intent) (ChargeSession, error)
	// Complete runs when the browser returns. It captures only while in.Wanted; ErrSignature for a return that is forged.
	Complete(ctx context.Context, in Intent, ref string, back Return) (Status, error)
	// Fetch asks the provider for the current state, by ref or, when ref is "", by our own ids. It captures what is
	// authorised, only while in.Wanted. ErrNoCharge where the provider knows of nothing.
	Fetch(ctx context.Context, in Intent, ref string) (Status, error)
	// Cancel ends an open transaction at the provider and returns its last state.
	Cancel(ctx context.Context, in Intent, ref string) (Status, error)
	// List walks over the charges that were captured, refunded or disputed in the 24 hours from day on.
	List(ctx context.Context, day time.Time) iter.Seq2[Movement, error]
	// Webhook verifies the signature over the raw body and identifies the transaction.
	Webhook(ctx context.Context, header http.Header, raw []byte, query url.Values) (Event, error)
	// Refund returns amount of a captured charge; refundID is the idempotency key. ErrDeclined where it can not go back.
	Refund(ctx context.Context, in Intent, charge Charge, refundID string, amount admission.Money) (RefundStatus, error)
	// FetchRefund asks about a refund, by the provider's id or, when that is "", by ours. ErrNoCharge where the provider
	// has never heard of it, so that it may be posted.
	FetchRefund(ctx context.Context, in Intent, refundID, providerID string) (RefundStatus, error)
}

// The errors that every gateway maps its failures to. What follows the words of ErrDeclined is stored and shown to staff:
// the provider's codes and our own words, never its message, which may contain personal data.
var (
	ErrSignature   = errors.New("payment: bad signature")
	ErrUnknown     = errors.New("payment: outcome unknown") // time-out, 5xx, torn response
	ErrDeclined    = errors.New("payment: declined")
	ErrNoCharge    = errors.New("payment: provider has no such transaction")
	ErrCurrency    = errors.New("payment: currency not supported by provider")
	ErrCredentials = errors.New("payment: provider refuses our credentials") // 401, 403: nothing works until a person acts
)

// DeclineReason returns why a gateway declined: what follows the words of ErrDeclined; "" for nothing.
func DeclineReason(err error) string {
	_, reason, _ := strings.Cut(err.Error(), ErrDeclined.Error()+": ")
	return reason
}

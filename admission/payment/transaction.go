package payment

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// Transaction is one attempt to pay for a registration. Its amounts are frozen when it starts.
type Transaction struct {
	ID             string // kspay_id, payment_transaction_id, txId: 128 random bits
	RegistrationID string
	Gateway        string // "none" where there was nothing to pay
	Ref            string // the provider's id
	PaymentID      string // the provider's id of the charge
	List           admission.Money
	Discount       admission.Money
	Charge         admission.Money
	RefundedMinor  int64
	CouponCode     string
	State          State
	StateBefore    State // of a refund that is under way
	AttemptFailed  bool  // the customer's last try failed; another may follow
	ReturnURL      string
	Checkout       map[string]any // the provider's non-secret fields
	CreatedAt      time.Time
	ExpiresAt      time.Time
	FetchedAt      time.Time // the provider was last asked
	SettledAt      time.Time
	ModifiedAt     time.Time
}

// Open tells whether the customer may still pay this attempt.
func (t *Transaction) Open() bool { return t.State == Created || t.State == Pending }

// price is what the attempt was made for, in the event's own currency.
func (t *Transaction) price() enrol.Price {
	return enrol.Price{List: t.List, Discount: t.Discount, Final: admission.Money{Minor: t.List.Minor - t.Discount.Minor, Currency: t.List.Currency}}
}

// Outcome is what a visitor is told.
type Outcome string

const (
	OutcomePaid    Outcome = "PAYMENT_PAID"
	OutcomeFailed  Outcome = "FAILED"
	OutcomePending Outcome = "PAYMENT_PENDING"
)

// Outcome maps the state to the three words of the wire: whatever is not known is pending.
func (t *Transaction) Outcome() Outcome {
	switch {
	case t.State == Paid, t.State == RefundPending && t.StateBefore == Paid:
		return OutcomePaid
	case t.State == Failed, t.State == Expired, t.State == Pending && t.AttemptFailed:
		return OutcomeFailed
	}
	return OutcomePending
}

const (
	attemptLife   = 30 * time.Minute
	pollLife      = 7 * 24 * time.Hour
	gatewayWait   = 4 * time.Second // for one question; a visitor's press asks two at most
	chargeWait    = 8 * time.Second // for Complete, which may capture
	fetchInterval = 2 * time.Second
	returnPath    = "/success"
	// NoGateway settles what costs nothing.
	NoGateway = "none"
)

// pollAfter are the ages at which the poller asks; then hourly to the first day, then daily to the seventh.
var pollAfter = []time.Duration{30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, attemptLife, time.Hour}

// PaymentAsk is somebody who wants to pay. ReturnURL has been judged by SafeRedirect; "" is /success.
type Ask struct{ RegistrationID, Gateway, ReturnURL string }

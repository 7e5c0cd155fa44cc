package payment

import (
	"cmp"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// Transaction is one attempt to pay for a registration. Its amounts and its Payer are frozen when it starts; Ref, PaymentID
// and Means when it is settled.
type Transaction struct {
	ID             string // kspay_id, payment_transaction_id, txId: 128 random bits
	RegistrationID string
	Gateway        string // "none" where there was nothing to pay
	Ref            string // the provider's id
	PaymentID      string // the provider's id of the charge
	Means          method.Means
	List, Discount admission.Money
	Charge         admission.Money
	Arrived        admission.Money // what came instead of Charge, of one that was in review; zero: nothing did
	RefundedMinor  int64           // of Charge, as far as it is done
	CouponCode     string
	State          State
	StateBefore    State // of a refund that is under way; in review also of one that is ordered
	AttemptFailed  bool  // the customer's last try failed; another may follow
	ReturnURL      string
	Checkout       map[string]any // what the provider gives the browser; kept sealed
	CreatedAt      time.Time
	ExpiresAt      time.Time
	FetchedAt      time.Time // the provider last answered
	SettledAt      time.Time
	ModifiedAt     time.Time
	MerchantRef    string // what the provider calls us by: 20 characters of a-z and 0-9
	Payer          Payer
	NextURL        string    // where the provider wants the browser to go; "" for nowhere
	DisputedAt     time.Time // when a dispute last opened or ended; zero: never
}

// Payer is who pays, as it stood when the attempt started.
type Payer struct{ Description, Name, Email, Phone, StateCode string }

func payerOf(r *enrol.Registration, description string) Payer {
	return Payer{Description: description, Name: r.FullName, Email: r.Email, Phone: r.Phone, StateCode: r.StateCode}
}

// Of reports whether a payer is still who the registration names, and what an invoice would say now.
func (p Payer) Of(r *enrol.Registration) bool { return p == payerOf(r, p.Description) }

// freeze fills what an attempt lacks that an older version of the program has started.
func freeze(t *Transaction, r *enrol.Registration) {
	if t.MerchantRef == "" && len(t.ID) > 20 {
		t.MerchantRef = t.ID[:20]
	}
	if t.Payer.Name == "" {
		t.Payer = payerOf(r, cmp.Or(t.Payer.Description, "Registration fee"))
	}
}

// Open reports whether the customer may still pay this attempt.
func (t *Transaction) Open() bool { return t.State == Created || t.State == Pending }

// unsettled reports whether nobody knows of a charge yet.
func (t *Transaction) unsettled() bool { return t.Open() || t.State == Failed || t.State == Expired }

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

// Outcome maps the state to the three words of the wire: whatever is not known is pending. Who is in a dispute keeps
// what was paid for.
func (t *Transaction) Outcome() Outcome {
	switch {
	case t.State == Paid, t.State == Disputed, t.State == RefundPending && t.StateBefore == Paid:
		return OutcomePaid
	case t.State == Failed, t.State == Expired, t.State == Pending && t.AttemptFailed:
		return OutcomeFailed
	}
	return OutcomePending
}

const (
	attemptLife    = 30 * time.Minute
	pollLife       = 7 * 24 * time.Hour
	gatewayWait    = 4 * time.Second // for one question; a visitor's press asks two at most
	chargeWait     = 8 * time.Second // for Complete, which may capture
	fetchInterval  = 2 * time.Second
	attemptsHourly = 10 // of one registration
	// NoGateway settles what costs nothing.
	NoGateway = "none"
)

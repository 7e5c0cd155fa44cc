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
	ID              string // kspay_id, payment_transaction_id, txId: 128 random bits
	RegistrationID  string
	Gateway         string // NoGateway if there was nothing to pay
	Ref             string // the provider's id
	PaymentID       string // the provider's id of the charge
	Means           method.Means
	List, Discount  admission.Money
	Charge          admission.Money
	ForeignList     int64                  // the list price in Charge's currency, in minor units; 0 for INR
	Exchange        admission.ExchangeRate // of Charge's currency when the attempt started; zero for INR
	Arrived         admission.Money        // what was paid instead of Charge, if it was ever in review
	AdjustmentMinor int64                  // price less Charge if staff accepted another amount: above 0 was missing, below 0 is an excess that goes back
	RefundedMinor   int64                  // of Charge, by processed refunds
	CouponCode      string
	State           State
	StateBefore     State // before the open refund; Review also for an ordered one
	RefundFailed    bool  // it is in RefundDue, Review or Paid, a refund failed or bounced, and staff have neither ordered another nor kept it
	AttemptFailed   bool  // the customer's last try failed; another may follow
	AtBank          bool  // the provider said last that the customer's try waits for the bank
	ReturnURL       string
	Checkout        map[string]any // the provider's data for the browser; stored sealed
	CreatedAt       time.Time
	ExpiresAt       time.Time
	FetchedAt       time.Time // last answer of the provider
	SettledAt       time.Time
	ModifiedAt      time.Time
	MerchantRef     string // our reference at the provider: 20 characters of a-z and 0-9
	Payer           Payer
	NextURL         string    // where the provider redirects the browser; "" for nowhere
	DisputedAt      time.Time // when a dispute last opened or ended; zero: never
	SoldBy          string    // Entry.SoldBy when it started
}

// Payer holds the payer's details at the start of the attempt.
type Payer struct{ Description, Name, Email, Phone, StateCode string }

func payerOf(r *enrol.Registration, description string) Payer {
	return Payer{Description: description, Name: r.FullName, Email: r.Email, Phone: r.Phone, StateCode: r.StateCode}
}

// Excess returns how much more than the price was paid, in minor units of Charge.
func (t *Transaction) Excess() int64 { return max(0, -t.AdjustmentMinor) }

// Matches reports whether p equals the registration's current details.
func (p Payer) Matches(r *enrol.Registration) bool { return p == payerOf(r, p.Description) }

// fillLegacyFields fills the fields that older versions of the program did not store.
func fillLegacyFields(t *Transaction, r *enrol.Registration) {
	if t.MerchantRef == "" && len(t.ID) > 20 {
		t.MerchantRef = t.ID[:20]
	}
	if t.Payer.Name == "" {
		t.Payer = payerOf(r, cmp.Or(t.Payer.Description, "Registration fee"))
	}
}

// Open reports whether the customer may still pay this attempt.
func (t *Transaction) Open() bool { return t.State == Created || t.State == Pending }

// RefundOrdered reports whether staff have ordered the refund of a payment in review, which a worker sends.
func (t *Transaction) RefundOrdered() bool {
	return t.State == Review && t.StateBefore == Review && !t.RefundFailed
}

// unsettled reports whether no charge is known yet.
func (t *Transaction) unsettled() bool { return t.Open() || t.State == Failed || t.State == Expired }

// price returns the attempt's price in the event's own currency.
func (t *Transaction) price() enrol.Price {
	return enrol.Price{List: t.List, Discount: t.Discount, Final: admission.Money{Minor: t.List.Minor - t.Discount.Minor, Currency: t.List.Currency}}
}

// InvoiceSums returns the list price, discount and adjustment of the attempt's invoice, in paise. A payment in another
// currency is invoiced at its value in rupees.
func (t *Transaction) InvoiceSums() (list, discount, missing int64) {
	price := t.price()
	asked := t.Charge.With(t.Charge.Minor + t.AdjustmentMinor)
	if t.Exchange.Rupees == 0 {
		if t.AdjustmentMinor > 0 {
			missing = admission.RoundHalfUp(price.Final.Minor*t.AdjustmentMinor, asked.Minor)
		}
		return price.List.Minor, price.Discount.Minor, missing
	}
	final := t.Exchange.Value(asked).Minor
	if t.AdjustmentMinor > 0 {
		missing = final - t.Exchange.Value(t.Charge).Minor
	}
	list = t.Exchange.Value(t.Charge.With(t.ForeignList)).Minor
	return list, list - final, missing
}

// Outcome is an attempt's result on the wire.
type Outcome string

const (
	OutcomePaid    Outcome = "PAYMENT_PAID"
	OutcomeFailed  Outcome = "FAILED"
	OutcomePending Outcome = "PAYMENT_PENDING"
)

// Outcome maps the state to an Outcome. Anything unknown is pending; a disputed payment still counts as paid.
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
	gatewayWait    = 4 * time.Second // per request; a visitor waits for two at most
	chargeWait     = 8 * time.Second // for Complete, which may capture
	fetchInterval  = 2 * time.Second
	attemptsHourly = 10 // per registration
	// NoGateway is the gateway of a zero price.
	NoGateway = "none"
)

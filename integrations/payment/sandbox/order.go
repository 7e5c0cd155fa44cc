package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
)

// Outcome is a button of the checkout page: what the pretended customer, bank and network do next.
type Outcome string

const (
	Paid          Outcome = "paid"
	Failed        Outcome = "failed"
	Pending       Outcome = "pending"
	DeclinedTry   Outcome = "declined_try"
	WrongAmount   Outcome = "wrong_amount"
	WrongCurrency Outcome = "wrong_currency"
	Late          Outcome = "late"
	LateExpired   Outcome = "late_expired"
	Timeout       Outcome = "timeout"
	Error500      Outcome = "error500"
	WebhookFirst  Outcome = "webhook_first"
	WebhookTwice  Outcome = "webhook_twice"
	WebhookOnly   Outcome = "webhook_only"
)

// Button is one outcome as the checkout page offers it.
type Button struct {
	Outcome Outcome
	Label   string
	More    bool // for developers, behind "more outcomes"
}

// Buttons are all outcomes, in the order offered.
var Buttons = []Button{
	{Paid, "Pay", false},
	{Failed, "Fail", false},
	{Pending, "Leave pending", false},
	{DeclinedTry, "Decline this try, allow another", true},
	{WrongAmount, "Charge one paisa less", true},
	{WrongCurrency, "Charge in another currency", true},
	{Late, "Fail now, be paid a little later", true},
	{LateExpired, "Leave pending, be paid after it has been cancelled", true},
	{Timeout, "Charge, then let two answers time out", true},
	{Error500, "Charge, then answer 500 three times", true},
	{WebhookFirst, "Pay, webhook before the return", true},
	{WebhookTwice, "Pay, webhook twice before the return", true},
	{WebhookOnly, "Pay, webhook only: the return is lost", true},
}

// order is one row of the provider's books.
type order struct {
	TxnID      string
	Ref        string
	PaymentID  string `json:",omitempty"`
	Asked      admission.Money
	Captured   admission.Money
	Refunds    map[string]int64 `json:",omitempty"` // refund id → minor units of Captured
	State      payment.ChargeState
	TryFailed  bool
	Outcome    Outcome `json:",omitempty"` // the last one pressed
	Cancelled  bool
	Hangs      int // answers that still time out
	Errors     int // answers that are still a 500
	WebhookURL string
	CreatedAt  time.Time
	LateAt     time.Time // an authorisation arrives then; zero for none
	PaidAt     time.Time
}

// press moves an order as a button says. What is captured, or has failed for good, no button moves.
func (o *order) press(outcome Outcome, now time.Time, late time.Duration) {
	if o.State != payment.ChargePending || o.Cancelled {
		return
	}
	o.Outcome, o.TryFailed = outcome, false
	switch outcome {
	case Failed:
		o.State, o.TryFailed = payment.ChargeFailed, true
	case Late:
		o.State, o.TryFailed, o.LateAt = payment.ChargeFailed, true, now.Add(late)
	case Pending, LateExpired:
	case DeclinedTry:
		o.TryFailed = true
	case WrongAmount:
		o.capture(admission.Money{Minor: o.Asked.Minor - 1, Currency: o.Asked.Currency}, now)
	case WrongCurrency:
		other := "USD"
		if o.Asked.Currency == other {
			other = "INR"
		}
		o.capture(admission.Money{Minor: o.Asked.Minor, Currency: other}, now)
	case Timeout:
		o.capture(o.Asked, now)
		o.Hangs = 2
	case Error500:
		o.capture(o.Asked, now)
		o.Errors = 3
	default:
		o.capture(o.Asked, now)
	}
}

func (o *order) capture(amount admission.Money, at time.Time) {
	o.State, o.TryFailed, o.LateAt = payment.ChargePaid, false, time.Time{}
	o.Captured, o.PaymentID, o.PaidAt = amount, "sbxpay_"+o.TxnID, at
}

// due tells whether time or a counted fault changes the order at the next question.
func (o *order) due(now time.Time) bool {
	return o.Hangs > 0 || o.Errors > 0 || !o.LateAt.IsZero() && !now.Before(o.LateAt)
}

// pass lets time pass: a late authorisation arrives. It answers the fault that the next answer suffers.
func (o *order) pass(now time.Time) fault {
	if !o.LateAt.IsZero() && !now.Before(o.LateAt) {
		o.capture(o.Asked, o.LateAt)
	}
	switch {
	case o.Hangs > 0:
		o.Hangs--
		return hang
	case o.Errors > 0:
		o.Errors--
		return broken
	}
	return none
}

// cancel ends an order that nobody has paid.
func (o *order) cancel(now time.Time, late time.Duration) {
	if o.State != payment.ChargePending || o.Cancelled {
		return
	}
	o.Cancelled = true
	if o.Outcome == LateExpired { // the bank is still at work: not provably final
		o.LateAt = now.Add(late)
		return
	}
	o.State = payment.ChargeFailed
}

// refund books a refund once for its id.
func (o *order) refund(paymentID, refundID string, amount admission.Money) error {
	if o.PaymentID == "" || o.PaymentID != paymentID {
		return fmt.Errorf("%w: no payment %q", payment.ErrNoCharge, paymentID)
	}
	if before, known := o.Refunds[refundID]; known {
		if before != amount.Minor {
			return fmt.Errorf("%w: refund %s stands with another amount", payment.ErrDeclined, refundID)
		}
		return nil
	}
	if amount.Currency != o.Captured.Currency || amount.Minor <= 0 || amount.Minor > o.Captured.Minor-o.refunded() {
		return fmt.Errorf("%w: %s cannot go back of %s", payment.ErrDeclined, amount, o.Captured)
	}
	if o.Refunds == nil {
		o.Refunds = map[string]int64{}
	}
	o.Refunds[refundID] = amount.Minor
	if o.refunded() == o.Captured.Minor {
		o.State = payment.ChargeRefunded
	}
	return nil
}

func (o *order) refunded() (minor int64) {
	for amount := range maps.Values(o.Refunds) {
		minor += amount
	}
	return minor
}

func (o *order) status() payment.Status {
	s := payment.Status{
		TxnID: o.TxnID, Ref: o.Ref, PaymentID: o.PaymentID, Raw: string(o.Outcome), State: o.State, Amount: o.Asked,
		AttemptFailed: o.TryFailed,
	}
	if o.PaymentID != "" {
		s.Amount = o.Captured
		s.Refunded = admission.Money{Minor: o.refunded(), Currency: o.Captured.Currency}
	}
	return s
}

func (o *order) bytes() ([]byte, error) { return json.Marshal(o) }

func readOrder(body []byte) (*order, error) {
	o := &order{}
	if err := json.Unmarshal(body, o); err != nil {
		return nil, fmt.Errorf("read sandbox order: %w", err)
	}
	return o, nil
}

func buttonOf(outcome Outcome) (Button, bool) {
	at := slices.IndexFunc(Buttons, func(b Button) bool { return b.Outcome == outcome })
	if at < 0 {
		return Button{}, false
	}
	return Buttons[at], true
}

// fault is what happens to an answer on its way to us.
type fault int

const (
	none fault = iota
	hang
	broken
)

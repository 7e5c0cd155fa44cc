package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Outcome is a button of the checkout page: what customer, bank and network do next.
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

	ChargedTwice   Outcome = "charged_twice"
	SlowRefund     Outcome = "slow_refund"
	BouncingRefund Outcome = "bouncing_refund"
)

// Button is an outcome on the checkout page.
type Button struct {
	Outcome Outcome
	Label   string
	More    bool // for developers, behind "more outcomes"
}

// Buttons lists all outcomes in display order.
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
	{ChargedTwice, "Pay, and be charged a second time", true},
	{SlowRefund, "Pay; a refund is accepted first, and done later", true},
	{BouncingRefund, "Pay; the first refund is done, and bounces later", true},
}

// order is an order in the provider's database.
type order struct {
	TxnID      string
	Gateway    string // its name: tests use two with one store
	Ref        string
	Asked      admission.Money
	Charges    []charge `json:",omitempty"`
	State      method.ChargeState
	TryFailed  bool
	Outcome    Outcome `json:",omitempty"` // the last pressed
	Authorised bool    // authorised, not captured
	Cancelled  bool
	Hangs      int // remaining time-outs
	Errors     int // remaining 500s
	WebhookURL string
	CreatedAt  time.Time
	LateAt     time.Time // time of a late authorisation; zero for none
}

// charge is a captured payment of an order.
type charge struct {
	PaymentID  string
	Amount     admission.Money
	Refunds    []refund `json:",omitempty"`
	ByHand     int64    // refunded by the provider's staff, in minor units
	LastByHand int64    // the latest of these refunds
	Lost       int64    // taken by the payer's bank in a lost dispute, in minor units
	Disputed   bool
	At         time.Time
	MovedAt    time.Time // time of the last refund, return or dispute
}

// refund is a refund of a charge.
type refund struct {
	ID      string // ours
	Minor   int64
	State   method.RefundState
	DoneAt  time.Time // when an accepted refund is processed
	Bounces time.Time // when it is returned; zero for never
}

// press applies a button to an order. It does nothing to a captured or finally failed order.
func (o *order) press(outcome Outcome, now time.Time, late time.Duration) {
	if o.State != method.ChargePending || o.Cancelled {
		return
	}
	o.Outcome, o.TryFailed = outcome, false
	switch outcome {
	case Failed:
		o.State, o.TryFailed = method.ChargeFailed, true
	case Late:
		o.State, o.TryFailed, o.LateAt = method.ChargeFailed, true, now.Add(late)
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
	case ChargedTwice:
		o.capture(o.Asked, now)
		o.capture(o.Asked, now.Add(time.Second))
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

// authorise reserves the money; capturing takes it.
func (o *order) authorise(outcome Outcome) {
	if o.State != method.ChargePending || o.Cancelled {
		return
	}
	switch outcome {
	case Failed, Late, Pending, LateExpired, DeclinedTry:
	default:
		o.Outcome, o.Authorised = outcome, true
	}
}

func (o *order) capture(amount admission.Money, at time.Time) {
	o.State, o.TryFailed, o.Authorised, o.LateAt = method.ChargePaid, false, false, time.Time{}
	id := "sbxpay_" + o.TxnID
	if len(o.Charges) > 0 {
		id += "_" + strconv.Itoa(len(o.Charges)+1)
	}
	o.Charges = append(o.Charges, charge{PaymentID: id, Amount: amount, At: at, MovedAt: at})
}

// due reports whether time or a remaining fault changes the order at the next query.
func (o *order) due(now time.Time) bool {
	for i := range o.Charges {
		if o.Charges[i].due(now) {
			return true
		}
	}
	return o.Hangs > 0 || o.Errors > 0 || !o.LateAt.IsZero() && !now.Before(o.LateAt)
}

// pass applies a late authorisation that is due and returns the fault of the next response.
func (o *order) pass(now time.Time) fault {
	if !o.LateAt.IsZero() && !now.Before(o.LateAt) {
		o.capture(o.Asked, o.LateAt)
	}
	for i := range o.Charges {
		o.Charges[i].pass(now)
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

// cancel ends an unpaid order.
func (o *order) cancel(now time.Time, late time.Duration) {
	if o.State != method.ChargePending || o.Cancelled {
		return
	}
	o.Cancelled, o.Authorised = true, false
	if o.Outcome == LateExpired { // a late authorisation may still arrive
		o.LateAt = now.Add(late)
		return
	}
	o.State = method.ChargeFailed
}

// status returns the order's status.
func (o *order) status() method.Status {
	s := method.Status{TxnID: o.TxnID, Ref: o.Ref, Raw: string(o.Outcome), State: o.State, AttemptFailed: o.TryFailed}
	kept := false
	for i := range o.Charges {
		held := o.Charges[i].status()
		s.Charges = append(s.Charges, held)
		kept = kept || held.State == method.ChargePaid
	}
	if len(s.Charges) > 0 {
		s.State = method.ChargeRefunded
		if kept {
			s.State = method.ChargePaid
		}
	}
	s.AtBank = s.State == method.ChargePending && o.Outcome != "" && !o.TryFailed
	return s
}

// charge returns a charge of the order, or nil.
func (o *order) charge(paymentID string) *charge {
	for i := range o.Charges {
		if o.Charges[i].PaymentID == paymentID {
			return &o.Charges[i]
		}
	}
	return nil
}

// findRefund returns the refund with our id and its charge, or nil.
func (o *order) findRefund(id string) (*charge, *refund) {
	for i := range o.Charges {
		for j := range o.Charges[i].Refunds {
			if o.Charges[i].Refunds[j].ID == id {
				return &o.Charges[i], &o.Charges[i].Refunds[j]
			}
		}
	}
	return nil, nil
}

// refund adds a refund once per id.
func (o *order) refund(paymentID, refundID string, amount admission.Money, now time.Time, late time.Duration) error {
	if of, known := o.findRefund(refundID); known != nil {
		if known.Minor != amount.Minor || of.PaymentID != paymentID {
			return fmt.Errorf("%w: refund %s exists with another amount", method.ErrDeclined, refundID)
		}
		return nil
	}
	of := o.charge(paymentID)
	if of == nil {
		return fmt.Errorf("%w: no payment %q", method.ErrNoCharge, paymentID)
	}
	if amount.Currency != of.Amount.Currency || amount.Minor <= 0 || amount.Minor > of.left() {
		return fmt.Errorf("%w: cannot refund %s of %s", method.ErrDeclined, amount, of.Amount)
	}
	made := refund{ID: refundID, Minor: amount.Minor, State: method.RefundDone}
	switch o.Outcome {
	case SlowRefund:
		made.State, made.DoneAt = method.RefundAccepted, now.Add(late)
	case BouncingRefund:
		if len(of.Refunds) == 0 { // the payer names another account afterwards
			made.Bounces = now.Add(late)
		}
	}
	of.Refunds, of.MovedAt = append(of.Refunds, made), now
	return nil
}

// due reports whether time changes a refund of the charge.
func (c *charge) due(now time.Time) bool {
	for _, r := range c.Refunds {
		if r.State == method.RefundAccepted && !now.Before(r.DoneAt) || r.State == method.RefundDone && !r.Bounces.IsZero() && !now.Before(r.Bounces) {
			return true
		}
	}
	return false
}

// pass processes accepted refunds and returns those that bounce.
func (c *charge) pass(now time.Time) {
	for i := range c.Refunds {
		r := &c.Refunds[i]
		switch {
		case r.State == method.RefundAccepted && !now.Before(r.DoneAt):
			r.State, c.MovedAt = method.RefundDone, r.DoneAt
		case r.State == method.RefundDone && !r.Bounces.IsZero() && !now.Before(r.Bounces):
			r.State, c.MovedAt = method.RefundFailed, r.Bounces
		}
	}
}

// back returns the refunded amount in minor units, optionally including pending refunds.
func (c *charge) back(underWay bool) (minor int64) {
	for _, r := range c.Refunds {
		if r.State == method.RefundDone || underWay && r.State == method.RefundAccepted {
			minor += r.Minor
		}
	}
	return minor + c.ByHand
}

// left returns what is neither refunded nor lost.
func (c *charge) left() int64 { return c.Amount.Minor - c.back(true) - c.Lost }

func (c *charge) status() method.Charge {
	back := c.back(false) + c.Lost
	status := method.Charge{
		PaymentID: c.PaymentID, State: method.ChargePaid, Amount: c.Amount, Refunded: admission.Money{Minor: back, Currency: c.Amount.Currency}, LostMinor: c.Lost, Disputed: c.Disputed, At: c.At,
		Means: method.MeansOf("Test money", fmt.Sprintf("%012d", c.At.UnixMilli()%1e12)),
	}
	if back >= c.Amount.Minor {
		status.State = method.ChargeRefunded
	}
	return status
}

// Held returns what the provider holds of a stored order, in minor units by currency: captured minus refunded and
// lost. Disputed money is still held.
func Held(body []byte) (txn string, held map[string]int64, err error) {
	o, err := readOrder(body)
	if err != nil {
		return "", nil, err
	}
	held = map[string]int64{}
	for i := range o.Charges {
		held[o.Charges[i].Amount.Currency] += o.Charges[i].Amount.Minor - o.Charges[i].back(false) - o.Charges[i].Lost
	}
	return o.TxnID, held, nil
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

// fault is a failure of a response.
type fault int

const (
	none fault = iota
	hang
	broken
)

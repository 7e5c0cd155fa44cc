package payment

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
)

// Staff refund a fee that counts, whole or in part. Some refunds need a second person: the order then waits for approval.

// Cause is why staff refund a fee.
type Cause string

// CauseOther gives no reason: the credit note then says only that a part or all of the fee was returned.
const CauseOther Cause = "other"

// Causes are the causes, with their words on pages and on the credit note.
var Causes = []struct {
	Cause Cause
	Words string
}{
	{"cancelled", "Cancelled before the last day of a full refund"}, {"paid twice", "Paid twice"}, {"we cancelled", "We cancelled"},
	{"complaint", "Agreed in a complaint"}, {CauseOther, "Other"},
}

// Words returns the cause for people; "" for an unknown one.
func (c Cause) Words() string {
	for _, cause := range Causes {
		if cause.Cause == c {
			return cause.Words
		}
	}
	return ""
}

// Decision is how a RefundOrder ended.
type Decision string

const (
	Waiting   Decision = "" // a second person has to approve it, until ExpiresAt
	NotNeeded Decision = "not needed"
	Approved  Decision = "approved"
	Declined  Decision = "declined"
	Withdrawn Decision = "withdrawn"
	Kept      Decision = "kept"    // its refund failed, and staff ordered no other
	Lapsed    Decision = "expired" // nobody decided in time
)

// RefundOrder is a refund of a fee as somebody ordered it.
type RefundOrder struct {
	ID, TxnID, RegistrationID string
	Amount                    admission.Money
	LeftMinor                 int64 // what could be refunded then, in minor units of Amount's currency
	Cause                     Cause
	Words                     string // what happened, for colleagues
	Second                    string // why it needs a second person; "" if it does not
	AccountID, Who            string // who ordered it
	At, ExpiresAt             time.Time
	Decision                  Decision
	DeciderID, Decider        string
	DecidedAt                 time.Time
	Answer                    string // of who declined it
}

// orderLife is how long an order waits for a second person.
const orderLife = 3 * 24 * time.Hour

// maxOrderWords limits Words and Answer, in characters.
const maxOrderWords = 500

// WaitsAt reports whether a second person can approve the order.
func (o *RefundOrder) WaitsAt(now time.Time) bool {
	return o.Decision == Waiting && now.Before(o.ExpiresAt)
}

// FeeLeft returns how much of a fee staff can refund, in minor units of its charge; or why they cannot, a Conflict. open is a refund of
// it that has not ended, or nil.
func FeeLeft(t *Transaction, r *enrol.Registration, open *Refund) (left int64, err error) {
	left = t.Charge.Minor - t.RefundedMinor
	why := ""
	switch {
	case t.State == RefundPending:
		why = "The whole fee is being refunded already."
	case t.State == Refunded:
		why = "The whole fee was refunded."
	case t.State == Disputed:
		why = "The payer’s bank decides a dispute about this payment. A refund now could pay the payer twice."
	case r.PaidTxnID != t.ID || t.State != Paid:
		why = "This payment does not pay for the registration."
	case left <= 0:
		why = "There is nothing to refund."
	case open != nil:
		why = "A refund of " + open.Amount.String() + " is being sent. Wait until it is done."
	default:
		return left, nil
	}
	return 0, admission.ConflictProblem("", why)
}

func (c *change) feeLeft() (int64, error) {
	open, err := c.tx.OpenRefund(c.t.ID, c.t.PaymentID)
	if err != nil {
		return 0, err
	}
	return FeeLeft(c.t, c.r, open)
}

// RefundDraft is what a refund of a fee would do.
type RefundDraft struct {
	Transaction  Transaction
	Registration enrol.Registration
	Left         admission.Money
	Amount       admission.Money
	Note         *invoice.CreditNote // without a number; nil without an invoice
	Second       string              // why it needs a second person; "" if it does not
	Order        *RefundOrder        // one that waits for approval; nil for none
}

// Whole reports whether nothing of the fee is left, which ends the registration.
func (d *RefundDraft) Whole() bool { return d.Amount == d.Left }

// DraftRefund returns what a refund of a payment would do; minor 0 means all that is left. Problems: NotFound, Conflict where nothing can
// be refunded, Invalid for field amount.
func (s *Service) DraftRefund(ctx context.Context, txnID string, minor int64) (draft RefundDraft, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		draft = RefundDraft{}
		t, err := tx.Transaction(txnID)
		if err != nil {
			return err
		}
		if t == nil {
			return admission.NotFoundProblem("Payment")
		}
		r, err := tx.Registration(t.RegistrationID)
		if err != nil {
			return err
		}
		draft.Transaction, draft.Registration = *t, *r
		if draft.Order, err = tx.OpenRefundOrder(t.ID); err != nil {
			return err
		}
		if draft.Order != nil && !draft.Order.WaitsAt(s.Clock()) {
			draft.Order = nil
		}
		open, err := tx.OpenRefund(t.ID, t.PaymentID)
		if err != nil {
			return err
		}
		left, err := FeeLeft(t, r, open)
		if err != nil {
			return err
		}
		draft.Left = t.Charge.With(left)
		draft.Amount = draft.Left
		if minor > 0 {
			draft.Amount.Minor = minor
		}
		if err := checkAmount(draft.Amount, left); err != nil {
			return err
		}
		if draft.Second, err = s.second(tx, t, r, draft.Amount); err != nil {
			return err
		}
		excess := t.Excess()
		draft.Note, err = s.Invoices.DraftCredit(tx, t.ID, t.Charge.With(t.Charge.Minor-excess), max(0, t.RefundedMinor+draft.Amount.Minor-excess))
		return err
	})
	return draft, err
}

func checkAmount(amount admission.Money, left int64) error {
	switch {
	case amount.Minor <= 0:
		return admission.FieldProblem("amount", "Enter an amount above 0.")
	case amount.Minor > left:
		return admission.FieldProblem("amount", "At most "+amount.With(left).String()+" can be refunded.")
	}
	return nil
}

// second returns why a refund needs a second person; "" if it does not.
func (s *Service) second(tx Tx, t *Transaction, r *enrol.Registration, amount admission.Money) (string, error) {
	rupees := amount
	if t.Exchange.Rupees != 0 {
		rupees = t.Exchange.Value(amount)
	}
	if rupees.Minor > s.RefundLimit {
		return "It is above " + admission.INR(s.RefundLimit).String() + ".", nil
	}
	before, err := tx.RefundedBefore(r.Phone)
	if err == nil && before {
		return "This payer got a refund before.", nil
	}
	return "", err
}

// FeeRefund is what somebody orders.
type FeeRefund struct {
	TxnID     string
	Minor     int64 // to refund, in minor units of the payment's charge
	LeftMinor int64 // what the page said can be refunded
	Cause     Cause
	Words     string // what happened, for colleagues
}

// Check returns a Problem, Invalid for the fields cause or words, or nil.
func (f FeeRefund) Check() error {
	words := strings.TrimSpace(f.Words)
	switch {
	case f.Cause.Words() == "":
		return admission.FieldProblem("cause", "Choose a reason.")
	case words == "":
		return admission.FieldProblem("words", "Write what happened.")
	case len([]rune(words)) > maxOrderWords:
		return admission.FieldProblem("words", fmt.Sprintf("Write at most %d characters.", maxOrderWords))
	}
	return nil
}

// RefundFee refunds a fee, or stores an order that waits for a second person. Problems: NotFound; Invalid for the fields amount, cause and
// words; Conflict where it cannot be refunded, or something changed since the page was shown; Unavailable.
func (s *Service) RefundFee(ctx context.Context, f FeeRefund, by staff.Actor) (order RefundOrder, err error) {
	if err := f.Check(); err != nil {
		return order, err
	}
	held, err := s.fetchFee(ctx, f.TxnID)
	if err != nil {
		return order, err
	}
	err = s.changeTransaction(ctx, f.TxnID, func(c *change) error {
		waits, err := c.tx.OpenRefundOrder(c.t.ID)
		if err != nil {
			return err
		}
		if waits != nil {
			if waits.WaitsAt(c.now) {
				return admission.ConflictProblem("", waits.Who+" has already requested a refund. It waits for approval.")
			}
			waits.Decision, waits.DecidedAt = Lapsed, waits.ExpiresAt
			if err := c.tx.SaveRefundOrder(waits); err != nil {
				return err
			}
		}
		if err := c.checkFee(f, held); err != nil {
			return err
		}
		amount := c.t.Charge.With(f.Minor)
		second, err := s.second(c.tx, c.t, c.r, amount)
		if err != nil {
			return err
		}
		order = RefundOrder{
			ID: admission.NewID(), TxnID: c.t.ID, RegistrationID: c.r.ID, Amount: amount, LeftMinor: f.LeftMinor, Cause: f.Cause, Words: strings.TrimSpace(f.Words), Second: second,
			AccountID: by.Account, Who: by.Name, At: c.now, ExpiresAt: c.now.Add(orderLife), Decision: NotNeeded,
		}
		if second != "" {
			order.Decision = Waiting
		}
		if err := c.tx.AddRefundOrder(&order); err != nil {
			return err
		}
		if order.Decision == Waiting {
			return c.logRefund(by, "asked for a refund", &order)
		}
		return c.refundFee(&order, by)
	})
	return order, err
}

// fetchFee fetches what the provider holds of a payment and records what moved there.
func (s *Service) fetchFee(ctx context.Context, txnID string) (held method.Status, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return held, err
	}
	silent := &admission.Problem{Kind: admission.Unavailable, Message: "The gateway does not answer. Nothing was refunded. Try again in a few minutes."}
	if l.gateway == nil {
		return held, silent
	}
	held, asked, err := s.fetchTimed(ctx, l)
	if err != nil {
		s.Log.Warn("fetch before a refund", "txn", txnID, "err", err)
		return held, silent
	}
	_, err = s.settleAsked(ctx, txnID, asked, held, false)
	return held, err
}

// checkFee checks that a refund is possible and that nothing has changed since its page was shown.
func (c *change) checkFee(f FeeRefund, held method.Status) error {
	left, err := c.feeLeft()
	if err != nil {
		return err
	}
	if left != f.LeftMinor {
		return admission.ConflictProblem("", "The payment has changed in the meantime: now "+c.t.Charge.With(left).String()+" can be refunded. Nothing was done.")
	}
	if err := checkAmount(c.t.Charge.With(f.Minor), left); err != nil {
		return err
	}
	if there := held.Charge(c.t.PaymentID).Left(); there.Minor < f.Minor {
		return admission.ConflictProblem("", "The gateway holds only "+there.String()+" of this payment. Nothing was done.")
	}
	return nil
}

// refundFee queues the refund of an order and records who ordered it.
func (c *change) refundFee(order *RefundOrder, by staff.Actor) error {
	if err := c.sendFee(order.Amount, order.Cause); err != nil {
		return err
	}
	kind := enrol.EntryRefundOrdered
	if err := c.tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: c.r.ID, Kind: kind, Detail: c.t.ID, Who: by.Name, At: c.now}); err != nil {
		return err
	}
	return c.logRefund(by, string(kind), order)
}

// sendFee queues a refund of the fee. One of all that is left moves the payment.
func (c *change) sendFee(amount admission.Money, cause Cause) error {
	if amount.Minor == c.t.Charge.Minor-c.t.RefundedMinor {
		c.t.StateBefore = c.t.State
		c.t.State, _ = move(c.t.State, EventRefundSent)
		c.t.RefundFailed = false
	}
	return c.queueRefund(Refund{PaymentID: c.t.PaymentID, Amount: amount, Reason: ReasonOrdered, Cause: cause})
}

func (c *change) logRefund(by staff.Actor, what string, order *RefundOrder) error {
	act := by.Did(c.now, what, "payment "+c.t.ID, "", order.Amount.String())
	act.Reason = order.Cause.Words()
	return c.tx.LogAct(act)
}

// ApproveRefund sends the refund of an order that waits for a second person. Problems: NotFound; Conflict where it does not wait any more,
// was ordered by the same person, or cannot be sent; Unavailable.
func (s *Service) ApproveRefund(ctx context.Context, orderID string, by staff.Actor) (order RefundOrder, err error) {
	if order, err = s.order(ctx, orderID); err != nil {
		return order, err
	}
	held, err := s.fetchFee(ctx, order.TxnID)
	if err != nil {
		return order, err
	}
	err = s.decideOrder(ctx, &order, func(c *change, o *RefundOrder) error {
		if o.AccountID == by.Account {
			return admission.ConflictProblem("", "Nobody can approve their own request.")
		}
		if err := c.checkFee(FeeRefund{Minor: o.Amount.Minor, LeftMinor: o.LeftMinor}, held); err != nil {
			return err
		}
		o.Decision = Approved
		return c.refundFee(o, by)
	}, by)
	return order, err
}

// DeclineRefund declines an order that waits for a second person, or withdraws it if by ordered it. Problems: NotFound; Conflict where it
// does not wait any more; Invalid for field answer.
func (s *Service) DeclineRefund(ctx context.Context, orderID, answer string, by staff.Actor) (order RefundOrder, err error) {
	if order, err = s.order(ctx, orderID); err != nil {
		return order, err
	}
	answer = strings.TrimSpace(answer)
	own := order.AccountID == by.Account
	switch {
	case !own && answer == "":
		return order, admission.FieldProblem("answer", "Write why you decline it.")
	case len([]rune(answer)) > maxOrderWords:
		return order, admission.FieldProblem("answer", fmt.Sprintf("Write at most %d characters.", maxOrderWords))
	}
	err = s.decideOrder(ctx, &order, func(c *change, o *RefundOrder) error {
		what := "declined a refund"
		if o.Decision, o.Answer = Declined, answer; own {
			o.Decision, what = Withdrawn, "withdrew a request for a refund"
		}
		return c.logRefund(by, what, o)
	}, by)
	return order, err
}

func (s *Service) order(ctx context.Context, id string) (order RefundOrder, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		o, err := tx.RefundOrder(id)
		if err == nil && o == nil {
			err = admission.NotFoundProblem("Request")
		}
		if err == nil {
			order = *o
		}
		return err
	})
	return order, err
}

// decideOrder ends an order that waits, in one transaction with what decide does.
func (s *Service) decideOrder(ctx context.Context, order *RefundOrder, decide func(*change, *RefundOrder) error, by staff.Actor) error {
	return s.changeTransaction(ctx, order.TxnID, func(c *change) error {
		o, err := c.tx.RefundOrder(order.ID) // its payment is locked
		if err != nil {
			return err
		}
		if o == nil || !o.WaitsAt(c.now) {
			return admission.ConflictProblem("", "This request has ended. Nothing was done.")
		}
		o.DeciderID, o.Decider, o.DecidedAt = by.Account, by.Name, c.now
		if err := decide(c, o); err != nil {
			return err
		}
		*order = *o
		return c.tx.SaveRefundOrder(o)
	})
}

// KeepFee ends the case of a fee whose refund failed: the money stays with us, or went back another way. Problems: NotFound, Conflict,
// Invalid for field words.
func (s *Service) KeepFee(ctx context.Context, txnID, words string, by staff.Actor) error {
	switch words = strings.TrimSpace(words); {
	case words == "":
		return admission.FieldProblem("words", "Write what happens with the money.")
	case len([]rune(words)) > maxOrderWords:
		return admission.FieldProblem("words", fmt.Sprintf("Write at most %d characters.", maxOrderWords))
	}
	return s.changeTransaction(ctx, txnID, func(c *change) error {
		if c.t.State != Paid || !c.t.RefundFailed {
			return admission.ConflictProblem("", "This refund does not wait any more. Nothing was done.")
		}
		c.t.RefundFailed = false
		order := RefundOrder{
			ID: admission.NewID(), TxnID: c.t.ID, RegistrationID: c.r.ID, Amount: c.t.Charge.With(0), Words: words, AccountID: by.Account, Who: by.Name,
			At: c.now, ExpiresAt: c.now, Decision: Kept, DeciderID: by.Account, Decider: by.Name, DecidedAt: c.now,
		}
		if err := c.tx.AddRefundOrder(&order); err != nil {
			return err
		}
		return c.tx.LogAct(by.Did(c.now, "closed a failed refund", "payment "+c.t.ID, "", ""))
	})
}

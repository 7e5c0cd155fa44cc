package admission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// PayState is how far one attempt to pay has come.
type PayState string

const (
	PayCreated       PayState = "created" // our row stands, the provider has not answered yet
	PayPending       PayState = "pending"
	PayPaid          PayState = "paid"
	PayFailed        PayState = "failed"
	PayExpired       PayState = "expired"
	PayReview        PayState = "review"     // the provider says paid, but not what we asked for
	PayRefundDue     PayState = "refund_due" // paid, but the registration is paid already
	PayRefundPending PayState = "refund_pending"
	PayRefunded      PayState = "refunded"
)

// PayEvent is what happens to an attempt; always from a gateway's answer to the server, never from a query string.
type PayEvent string

const (
	EventStarted       PayEvent = "start ok or unknown"
	EventStartRefused  PayEvent = "start refused"
	EventPaid          PayEvent = "paid, and all is equal"
	EventPaidTwice     PayEvent = "paid, but the registration is paid already"
	EventPaidWrong     PayEvent = "paid, but amount or currency differ"
	EventAttemptFailed PayEvent = "attempt failed"
	EventFailed        PayEvent = "terminal failure"
	EventTimeout       PayEvent = "older than its life and not paid"
	EventRefundSent    PayEvent = "refund accepted"
	EventRefundDone    PayEvent = "refund processed"
	EventRefundFailed  PayEvent = "refund failed"
)

// PayMove is one allowed move of an attempt.
type PayMove struct {
	From  PayState // "" before there is one
	Event PayEvent
	To    PayState // "" for RefundFailed: the state before the refund
}

// Moves is the whole state machine of an attempt, row by row; what is absent is refused and changes nothing.
var Moves = []PayMove{
	{"", "initiate", PayCreated},
	{PayCreated, EventStarted, PayPending},
	{PayCreated, EventStartRefused, PayFailed},
	{PayCreated, EventPaid, PayPaid}, // the poller was faster than Start's answer, or there was nothing to pay
	{PayCreated, EventPaidTwice, PayRefundDue},
	{PayCreated, EventPaidWrong, PayReview},
	{PayCreated, EventFailed, PayFailed},
	{PayCreated, EventTimeout, PayExpired},
	{PayPending, EventPaid, PayPaid},
	{PayPending, EventPaidWrong, PayReview},
	{PayPending, EventAttemptFailed, PayPending},
	{PayPending, EventFailed, PayFailed},
	{PayPending, EventTimeout, PayExpired},
	{PayFailed, EventPaid, PayPaid}, // late success
	{PayFailed, EventPaidTwice, PayRefundDue},
	{PayFailed, EventPaidWrong, PayReview},
	{PayExpired, EventPaid, PayPaid},
	{PayExpired, EventPaidTwice, PayRefundDue},
	{PayExpired, EventPaidWrong, PayReview},
	{PayPending, EventPaidTwice, PayRefundDue},
	{PayPaid, EventRefundSent, PayRefundPending},
	{PayRefundDue, EventRefundSent, PayRefundPending},
	{PayReview, EventRefundSent, PayRefundPending},
	{PayRefundPending, EventRefundDone, PayRefunded},
	{PayRefundPending, EventRefundFailed, ""},
}

func move(from PayState, event PayEvent) (to PayState, allowed bool) {
	for _, m := range Moves {
		if m.From == from && m.Event == event {
			return m.To, true
		}
	}
	return from, false
}

// Transaction is one attempt to pay for a registration. Its amounts are frozen when it starts.
type Transaction struct {
	ID             string // kspay_id, payment_transaction_id, txId: 128 random bits
	RegistrationID string
	Gateway        string // "none" where there was nothing to pay
	Ref            string // the provider's id
	PaymentID      string // the provider's id of the charge
	List           Money
	Discount       Money
	Charge         Money
	RefundedMinor  int64
	CouponCode     string
	State          PayState
	StateBefore    PayState // of a refund that is under way
	AttemptFailed  bool     // the customer's last try failed; another may follow
	ReturnURL      string
	Checkout       map[string]any // the provider's non-secret fields
	CreatedAt      time.Time
	ExpiresAt      time.Time
	FetchedAt      time.Time // the provider was last asked
	SettledAt      time.Time
	ModifiedAt     time.Time
}

// Open tells whether the customer may still pay this attempt.
func (t *Transaction) Open() bool { return t.State == PayCreated || t.State == PayPending }

// price is what the attempt was made for, in the event's own currency.
func (t *Transaction) price() Price {
	return Price{List: t.List, Discount: t.Discount, Final: Money{Minor: t.List.Minor - t.Discount.Minor, Currency: t.List.Currency}}
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
	case t.State == PayPaid, t.State == PayRefundPending && t.StateBefore == PayPaid:
		return OutcomePaid
	case t.State == PayFailed, t.State == PayExpired, t.State == PayPending && t.AttemptFailed:
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
type PaymentAsk struct{ RegistrationID, Gateway, ReturnURL string }

// GatewaysFor answers the names of the gateways that can charge an event, in the order offered.
func (o *Office) GatewaysFor(event Event) []string {
	var names []string
	for _, g := range o.Gateways {
		if _, ok := chargeable(g, event); ok {
			names = append(names, g.Name())
		}
	}
	return names
}

// chargeable answers the event's price in a currency that the gateway takes.
func chargeable(g Gateway, event Event) (Money, bool) {
	if g.Takes(event.Fee.Currency) {
		return event.Fee, true
	}
	for _, currency := range []string{"USD", "EUR"} {
		if price, ok := event.Prices[currency]; ok && g.Takes(currency) {
			return price, true
		}
	}
	return Money{}, false
}

// charge is what a gateway takes for a price. A coupon reduces the INR price; the foreign price follows in proportion.
func charge(gateway Gateway, event Event, price Price) Money {
	if price.Final.Minor == 0 || gateway.Takes(price.Final.Currency) {
		return price.Final
	}
	foreign, _ := chargeable(gateway, event)
	return Money{Minor: max(1, halfUp(foreign.Minor*price.Final.Minor, price.List.Minor)), Currency: foreign.Currency} // only what costs nothing is free
}

// StartPayment opens an attempt, or answers the one that is open with the same gateway. What costs nothing is settled at once.
func (o *Office) StartPayment(ctx context.Context, v Visitor, ask PaymentAsk) (Transaction, error) {
	r, err := o.RegistrationOfVisitor(ctx, v, ask.RegistrationID)
	if err != nil {
		return Transaction{}, err
	}
	if r.Paid() {
		return Transaction{}, conflict("", alreadyPaid)
	}
	event, known := o.Events.EventByCode(r.EventCode)
	if !known {
		return Transaction{}, fmt.Errorf("start payment: registration %s has no event %q", r.ID, r.EventCode)
	}
	gateway, none := o.chosenGateway(event, ask.Gateway)
	t, reused, err := o.openAttempt(ctx, &r, event, gateway, none, ask.ReturnURL)
	started := reused && t.State == PayPending && t.Checkout != nil // without: Start's answer was lost, and is asked for again
	if err != nil || started || t.State == PayPaid {
		return t, err
	}
	return o.startAtGateway(ctx, t, &r, event)
}

func (o *Office) chosenGateway(event Event, name string) (Gateway, error) {
	offered := o.GatewaysFor(event)
	if len(offered) == 0 {
		return nil, &Problem{Kind: Unavailable, Message: "Payment is not possible at the moment."}
	}
	if name == "" {
		name = offered[0]
	}
	for _, known := range offered {
		if known == name {
			gateway, _ := o.gateway(name)
			return gateway, nil
		}
	}
	return nil, invalid("gateway", "Unsupported gateway")
}

// openAttempt finds the open attempt of the same gateway, or makes a new one with its coupon held. An open attempt of
// another gateway is cancelled there first; it stays polled, in case that it was paid after all. none says why gateway is
// nil, which matters only where something is left to pay.
func (o *Office) openAttempt(ctx context.Context, r *Registration, event Event, gateway Gateway, none error, returnURL string) (Transaction, bool, error) {
	open, err := o.openTransaction(ctx, r.ID)
	if err != nil {
		return Transaction{}, false, err
	}
	if open != nil && open.State != PayReview {
		if gateway == nil {
			return Transaction{}, false, none
		}
		if open.Gateway == gateway.Name() && o.Clock().Before(open.ExpiresAt) {
			fresh, err := o.refresh(ctx, *open) // a paid answer may exist
			if err != nil || fresh.Open() || fresh.State == PayPaid {
				return fresh, true, err
			}
		} else if _, err := o.end(ctx, *open, true); err != nil {
			return Transaction{}, false, err
		}
	}
	var t Transaction
	var refusal error
	reused := false
	err = o.Store.Update(ctx, func(tx Tx) error {
		refusal, reused = nil, false
		locked, err := tx.RegistrationForUpdate(r.ID)
		if err != nil {
			return err
		}
		if *r = *locked; r.Paid() {
			return conflict("", alreadyPaid)
		}
		twin, err := tx.OpenTransaction(r.ID) // a second tab was faster
		if err != nil {
			return err
		}
		if twin != nil && twin.State == PayReview {
			return conflict("", beingChecked)
		}
		if twin != nil {
			t, reused = *twin, true
			return nil
		}
		if why := event.Closed(o.Clock()); why != "" {
			return conflict("", why)
		}
		price, coupon, err := o.priceWith(tx, event, r.CouponCode, r.Phone)
		if problem := AsProblem(err); problem != nil {
			r.CouponCode = "" // the next try pays the full price, knowingly
			refusal = conflict(couponField, couponGone)
			if problem.Kind == Invalid {
				refusal = problem
			}
			return tx.SaveRegistration(r)
		}
		if err != nil {
			return err
		}
		if price.Final.Minor > 0 && gateway == nil {
			return none
		}
		now := o.Clock()
		t = Transaction{
			ID: NewID(), RegistrationID: r.ID, Gateway: NoGateway, List: price.List, Discount: price.Discount, Charge: price.Final,
			CouponCode: r.CouponCode, State: PayCreated, ReturnURL: returnURL, CreatedAt: now, ExpiresAt: now.Add(attemptLife), ModifiedAt: now,
		}
		if t.ReturnURL == "" {
			t.ReturnURL = returnPath
		}
		if price.Final.Minor > 0 {
			t.Gateway, t.Charge = gateway.Name(), charge(gateway, event, price)
		}
		if err := tx.AddTransaction(&t); err != nil {
			return err
		}
		if coupon != nil {
			if err := tx.SaveCouponUse(CouponUse{ID: NewID(), CouponID: coupon.ID, TxnID: t.ID, Phone: r.Phone, DiscountMinor: price.Discount.Minor, State: UseHeld}); err != nil {
				return err
			}
		}
		if t.Gateway == NoGateway {
			if err := o.settle(tx, &t, r, Status{TxnID: t.ID, State: ChargePaid, Amount: t.Charge}); err != nil {
				return err
			}
			return tx.SaveTransaction(&t)
		}
		if err := o.moveRegistration(tx, r, StepPaying); err != nil {
			return err
		}
		return tx.AddJob(Job{Kind: JobPoll, Ref: t.ID, DueAt: now.Add(pollAfter[0])})
	})
	if err == nil {
		err = refusal
	}
	return t, reused, err
}

func (o *Office) openTransaction(ctx context.Context, registrationID string) (open *Transaction, err error) {
	err = o.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenTransaction(registrationID)
		return err
	})
	return open, err
}

// startAtGateway makes the provider's order for an attempt, at the attempt's own gateway: a second tab that was faster may
// have chosen another than the caller.
func (o *Office) startAtGateway(ctx context.Context, t Transaction, r *Registration, event Event) (Transaction, error) {
	gateway, known := o.gateway(t.Gateway)
	if !known {
		return Transaction{}, fmt.Errorf("start payment: gateway %q is not configured", t.Gateway)
	}
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	session, err := gateway.Start(wait, o.intent(t, r, event))
	happened := EventStarted
	if err != nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		happened = EventStartRefused
		o.Log.ErrorContext(ctx, "gateway refused to start", "gateway", t.Gateway, "txn", t.ID, "error", err)
	}
	var after Transaction
	saveErr := o.changeTransaction(context.WithoutCancel(ctx), t.ID, func(tx Tx, t *Transaction, r *Registration) error {
		if to, allowed := move(t.State, happened); allowed {
			t.State = to
		}
		if err == nil {
			t.Ref, t.Checkout = session.Ref, session.Checkout
		}
		if t.State == PayFailed {
			if err := o.giveUp(tx, t, r); err != nil {
				return err
			}
		}
		after = *t
		return nil
	})
	if saveErr == nil && happened == EventStartRefused {
		return after, &Problem{Kind: Unavailable, Message: "The payment window failed to load. Are you online?"}
	}
	return after, saveErr
}

func (o *Office) intent(t Transaction, r *Registration, event Event) Intent {
	return Intent{
		TxnID: t.ID, Amount: t.Charge, Description: "Registration fee – " + event.Title, Name: r.FullName, Email: r.Email, Phone: r.Phone,
		ReturnURL: o.BaseURL + "/checkout/" + t.ID + "/return", WebhookURL: o.BaseURL + "/payments/webhook/" + t.Gateway, Expires: t.ExpiresAt,
	}
}

// changeTransaction loads an attempt and its registration for change, in that order everywhere, and saves the attempt.
func (o *Office) changeTransaction(ctx context.Context, txnID string, change func(Tx, *Transaction, *Registration) error) error {
	return o.Store.Update(ctx, func(tx Tx) error {
		t, err := tx.TransactionForUpdate(txnID)
		if err != nil {
			return err
		}
		if t == nil {
			return notFound("Payment")
		}
		r, err := tx.RegistrationForUpdate(t.RegistrationID)
		if err != nil {
			return err
		}
		if err := change(tx, t, r); err != nil {
			return err
		}
		t.ModifiedAt = o.Clock()
		return tx.SaveTransaction(t)
	})
}

// Settle is the only way in which an attempt becomes paid. Return, verify, webhook and poller all call it, in any order,
// any number of times; each answer of a gateway is judged again under the lock.
func (o *Office) Settle(ctx context.Context, txnID string, s Status) (Transaction, error) {
	var after Transaction
	err := o.changeTransaction(ctx, txnID, func(tx Tx, t *Transaction, r *Registration) error {
		t.FetchedAt = o.Clock()
		err := o.settle(tx, t, r, s)
		after = *t
		return err
	})
	return after, err
}

func (o *Office) settle(tx Tx, t *Transaction, r *Registration, s Status) error {
	if t.State == PayPaid && s.State == ChargePaid { // a partial refund moves nothing else
		t.RefundedMinor = max(t.RefundedMinor, s.Refunded.Minor)
	}
	if s.TxnID == t.ID { // an answer about another's charge leaves no trace but a payment in review
		t.Ref, t.PaymentID = cmp.Or(s.Ref, t.Ref), cmp.Or(s.PaymentID, t.PaymentID)
	}
	if s.State == ChargePending && !s.AttemptFailed { // the customer tries again: what happened before says nothing any more
		t.AttemptFailed = false
	}
	event, final := judge(t, r, s)
	if event == "" {
		return nil
	}
	to, allowed := move(t.State, event)
	if !allowed { // e.g. a failure after paid: never a downgrade
		o.Log.Info("payment event ignored", "txn", t.ID, "state", t.State, "event", event)
		return nil
	}
	from := t.State
	t.State = to
	t.AttemptFailed = event == EventAttemptFailed
	if final {
		t.SettledAt = o.Clock()
	}
	switch event {
	case EventPaid:
		return o.paid(tx, t, r, from)
	case EventPaidTwice:
		return o.refundDue(tx, t, r)
	case EventPaidWrong:
		o.Alert("payment in review: amount or currency differ")
		o.Log.Error("gateway answered another amount", "txn", t.ID, "asked", t.Charge, "said", s.Amount)
		return o.note(tx, r, "payment in review", t.ID)
	case EventAttemptFailed:
		return o.note(tx, r, "payment attempt failed", t.ID)
	case EventFailed, EventTimeout:
		return o.giveUp(tx, t, r)
	}
	return nil
}

// judge says which event a gateway's answer is for an attempt; "" where there is nothing new.
func judge(t *Transaction, r *Registration, s Status) (event PayEvent, final bool) {
	switch {
	case s.State == ChargePaid && (s.TxnID != t.ID || s.Amount != t.Charge):
		return EventPaidWrong, true
	case s.State == ChargePaid && r.Paid() && r.PaidTxnID != t.ID:
		return EventPaidTwice, true
	case s.State == ChargePaid:
		return EventPaid, true
	case s.State == ChargeFailed:
		return EventFailed, true
	case s.State == ChargePending && s.AttemptFailed && !t.AttemptFailed:
		return EventAttemptFailed, false
	}
	return "", false
}

// paid is everything that follows from money that has arrived: one transaction, with the caller's.
func (o *Office) paid(tx Tx, t *Transaction, r *Registration, from PayState) error {
	now := o.Clock()
	r.PaidTxnID, r.CouponCode, r.ModifiedAt = t.ID, t.CouponCode, now
	if err := o.moveRegistration(tx, r, StepComplete); err != nil {
		return err
	}
	if err := tx.SetCouponUse(t.ID, UseTaken); err != nil {
		return err
	}
	if err := o.creditReferral(tx, r); err != nil {
		return err
	}
	invoice, err := o.issueInvoice(tx, t, r)
	if err != nil {
		return err
	}
	link := NewToken()
	if err := tx.AddLink(Link{TokenHash: HashToken(link), RegistrationID: r.ID, ExpiresAt: now.Add(linkLife)}); err != nil {
		return err
	}
	event, _ := o.Events.EventByCode(r.EventCode)
	params := map[string]string{
		"Name": r.FullName, "Programme": event.Title, "Amount": t.Charge.String(), "Transaction": t.ID,
		"ReceiptURL": o.BaseURL + "/receipt/" + link, "Dates": event.daysFrom(now),
	}
	template := "receipt"
	switch {
	case t.Charge.Minor == 0:
		template = "receipt-free"
	case from == PayFailed || from == PayExpired:
		template = "receipt-late"
	}
	if invoice != nil {
		params["InvoiceURL"], params["InvoiceNumber"] = o.BaseURL+"/invoice/"+link, invoice.Number
	}
	if err := o.note(tx, r, "paid", t.ID); err != nil {
		return err
	}
	return o.send(tx, Message{Cause: "receipt:" + t.ID, Channel: Email, To: r.Email, Template: template, Params: params})
}

func (o *Office) creditReferral(tx Tx, r *Registration) error {
	if r.ReferralCode == "" {
		return nil
	}
	referral, err := tx.Referral(r.ReferralCode)
	if err != nil || referral == nil {
		return err
	}
	return tx.AddReferralCredit(ReferralCredit{ID: NewID(), Code: referral.Code, RegistrationID: r.ID, AmountMinor: referral.CreditMinor, CreatedAt: o.Clock()})
}

// giveUp releases what an attempt held, and tells the registration where it stands.
func (o *Office) giveUp(tx Tx, t *Transaction, r *Registration) error {
	if err := tx.SetCouponUse(t.ID, UseReleased); err != nil {
		return err
	}
	if r.Paid() || r.Step != StepPaying {
		return nil
	}
	if err := o.note(tx, r, "payment "+string(t.State), t.ID); err != nil {
		return err
	}
	return o.moveRegistration(tx, r, StepUnpaid)
}

func (o *Office) refundDue(tx Tx, t *Transaction, r *Registration) error {
	if err := tx.SetCouponUse(t.ID, UseReleased); err != nil {
		return err
	}
	if err := o.note(tx, r, "paid twice, refund due", t.ID); err != nil {
		return err
	}
	event, _ := o.Events.EventByCode(r.EventCode)
	if err := o.send(tx, Message{
		Cause: "refund:" + t.ID, Channel: Email, To: r.Email, Template: "refund-started",
		Params: map[string]string{"Name": r.FullName, "Programme": event.Title, "Amount": t.Charge.String(), "Transaction": t.ID},
	}); err != nil {
		return err
	}
	return tx.AddJob(Job{Kind: JobRefund, Ref: t.ID, DueAt: o.Clock()})
}

func (o *Office) moveRegistration(tx Tx, r *Registration, to Step) error {
	if !CanMove(r.Step, to) {
		return fmt.Errorf("registration %s cannot move from step %d to %d", r.ID, r.Step, to)
	}
	r.Step, r.ModifiedAt = to, o.Clock()
	return tx.SaveRegistration(r)
}

// loaded is an attempt with what belongs to it.
type loaded struct {
	t       *Transaction
	r       *Registration
	event   Event
	gateway Gateway // nil for NoGateway
}

func (o *Office) load(ctx context.Context, txnID string) (l loaded, err error) {
	if err = o.Store.View(ctx, func(tx Tx) error {
		if l.t, err = tx.Transaction(txnID); err != nil || l.t == nil {
			return err
		}
		l.r, err = tx.Registration(l.t.RegistrationID)
		return err
	}); err != nil {
		return l, err
	}
	if l.t == nil {
		return l, notFound("Payment")
	}
	l.event, _ = o.Events.EventByCode(l.r.EventCode)
	l.gateway, _ = o.gateway(l.t.Gateway)
	return l, nil
}

// Payment is an attempt with its registration and event, for pages.
type Payment struct {
	Transaction  Transaction
	Registration Registration
	Event        Event
}

// FindPayment answers an attempt as it stands in our books; NotFound for an unknown id. The id is unguessable.
func (o *Office) FindPayment(ctx context.Context, txnID string) (Payment, error) {
	l, err := o.load(ctx, txnID)
	if err != nil {
		return Payment{}, err
	}
	return Payment{*l.t, *l.r, l.event}, nil
}

// CompletePayment runs when a browser returns from a gateway; form is untrusted, the gateway's own answer counts.
func (o *Office) CompletePayment(ctx context.Context, txnID string, form url.Values) (Transaction, error) {
	t, _, err := o.ask(ctx, txnID, chargeWait, func(ctx context.Context, l loaded) (Status, error) {
		return l.gateway.Complete(ctx, o.intent(*l.t, l.r, l.event), l.t.Ref, form)
	})
	return t, err
}

// VerifyPayment asks the gateway, unless it was asked within two seconds, and answers the attempt. While the gateway
// does not answer, the attempt stays as it is: unknown is pending.
func (o *Office) VerifyPayment(ctx context.Context, txnID string) (Transaction, error) {
	payment, err := o.FindPayment(ctx, txnID)
	if err != nil {
		return Transaction{}, err
	}
	return o.refresh(ctx, payment.Transaction)
}

func (o *Office) refresh(ctx context.Context, t Transaction) (Transaction, error) {
	settled := t.State == PayPaid || t.State == PayRefundDue || t.State == PayRefundPending || t.State == PayRefunded || t.State == PayReview
	if settled || o.Clock().Sub(t.FetchedAt) < fetchInterval {
		return t, nil
	}
	fresh, _, err := o.ask(ctx, t.ID, gatewayWait, func(ctx context.Context, l loaded) (Status, error) {
		return l.gateway.Fetch(ctx, o.intent(*l.t, l.r, l.event), l.t.Ref)
	})
	return fresh, err
}

// ask puts one question to the gateway of an attempt and settles its answer. No answer changes nothing, but that other
// pages of the visitor wait a little before they ask again. answered is false where nothing is known.
func (o *Office) ask(ctx context.Context, txnID string, most time.Duration, question func(context.Context, loaded) (Status, error)) (t Transaction, answered bool, err error) {
	l, err := o.load(ctx, txnID)
	if err != nil {
		return Transaction{}, false, err
	}
	if l.gateway == nil {
		return *l.t, false, nil
	}
	asked := func() error {
		return o.changeTransaction(context.WithoutCancel(ctx), txnID, func(_ Tx, now *Transaction, _ *Registration) error {
			now.FetchedAt = o.Clock()
			t = *now
			return nil
		})
	}
	if err := asked(); err != nil {
		return Transaction{}, false, err
	}
	wait, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	s, err := question(wait, l)
	switch {
	case errors.Is(err, ErrSignature):
		return t, false, &Problem{Kind: Invalid, Message: somethingElse}
	case errors.Is(err, ErrDeclined):
		s = Status{TxnID: txnID, State: ChargePending, AttemptFailed: true}
	case errors.Is(err, ErrNoCharge): // the provider knows of nothing: nobody has paid
		s = Status{TxnID: txnID, State: ChargePending, AttemptFailed: l.t.AttemptFailed}
	case err != nil:
		o.Log.WarnContext(ctx, "gateway does not answer", "gateway", l.t.Gateway, "txn", txnID, "error", err)
		return t, false, asked()
	}
	t, err = o.Settle(context.WithoutCancel(ctx), txnID, s)
	return t, true, err
}

// end cancels an attempt at its provider, asks once more, and expires it unless it was paid after all. While the provider
// does not answer, the attempt stays open, for it may have been paid; forced expires it all the same, for a visitor who
// wants another way to pay, and the poller goes on asking.
func (o *Office) end(ctx context.Context, t Transaction, forced bool) (Transaction, error) {
	answered := false
	for _, question := range []func(Gateway, context.Context, Intent, string) (Status, error){Gateway.Cancel, Gateway.Fetch} {
		var err error
		t, answered, err = o.ask(ctx, t.ID, gatewayWait, func(ctx context.Context, l loaded) (Status, error) {
			s, err := question(l.gateway, ctx, o.intent(*l.t, l.r, l.event), l.t.Ref)
			if s.State == ChargeFailed { // because we have cancelled it: that is no failure of the customer's
				s.State = ChargePending
			}
			return s, err
		})
		if err != nil || !t.Open() {
			return t, err
		}
		if forced && !answered { // a second question would only make the visitor wait
			break
		}
	}
	if !answered && !forced {
		return t, nil
	}
	err := o.changeTransaction(ctx, t.ID, func(tx Tx, open *Transaction, r *Registration) error {
		if to, allowed := move(open.State, EventTimeout); allowed {
			open.State = to
			if err := o.giveUp(tx, open, r); err != nil {
				return err
			}
		}
		t = *open
		return nil
	})
	return t, err
}

// PollPayment is the work of JobPoll: ask, expire what is over its life, and say when to ask again (0: never).
func (o *Office) PollPayment(ctx context.Context, txnID string) (again time.Duration, err error) {
	payment, err := o.FindPayment(ctx, txnID)
	if err != nil {
		return 0, err
	}
	t := payment.Transaction
	t.FetchedAt = time.Time{}
	if t, err = o.refresh(ctx, t); err != nil {
		return 0, err
	}
	now := o.Clock()
	age := now.Sub(t.CreatedAt)
	if t.Open() && age >= attemptLife {
		if t, err = o.end(ctx, t, false); err != nil {
			return 0, err
		}
	}
	unsettled := t.Open() || t.State == PayFailed || t.State == PayExpired
	switch {
	case t.Open() && age >= attemptLife: // the provider is silent, so nobody knows whether it was paid
		return 2 * time.Minute, nil
	case !unsettled || age >= pollLife:
		return 0, nil
	}
	return nextPoll(age), nil
}

// nextPoll answers the wait until the next question, for an attempt of this age.
func nextPoll(age time.Duration) time.Duration {
	for _, at := range pollAfter {
		if age < at {
			return at - age
		}
	}
	if age < 24*time.Hour {
		return time.Hour
	}
	return 24 * time.Hour
}

// InboxEvent is a webhook as it came, kept before it is acknowledged.
type InboxEvent struct {
	ID         string // ours
	Gateway    string
	EventID    string // the provider's, or the SHA-256 of the body; unique with Gateway
	Type       string
	TxnID, Ref string
	Body       []byte
	ReceivedAt time.Time
}

// TakeWebhook verifies and keeps a webhook, and answers the body that the provider insists on. The same event again
// changes nothing. ErrSignature: nothing was kept.
func (o *Office) TakeWebhook(ctx context.Context, gatewayName string, h http.Header, raw []byte) (ack []byte, err error) {
	gateway, known := o.gateway(gatewayName)
	if !known {
		return nil, notFound("Gateway")
	}
	e, err := gateway.Webhook(ctx, h, raw)
	if err != nil {
		return nil, err
	}
	if e.ID == "" {
		e.ID = HashToken(string(raw))
	}
	in := InboxEvent{ID: NewID(), Gateway: gatewayName, EventID: e.ID, Type: e.Type, TxnID: e.TxnID, Ref: e.Ref, Body: raw, ReceivedAt: o.Clock()}
	err = o.Store.Update(ctx, func(tx Tx) error {
		fresh, err := tx.AddInboxEvent(&in)
		if err != nil || !fresh {
			return err
		}
		return tx.AddJob(Job{Kind: JobEvent, Ref: in.ID, DueAt: in.ReceivedAt})
	})
	return e.Ack, err
}

// HandleEvent is the work of JobEvent: ask the gateway about the event's attempt, and settle. An event of an attempt
// that we do not know is tried for an hour, then a person must look.
func (o *Office) HandleEvent(ctx context.Context, inboxID string) (again time.Duration, err error) {
	var e *InboxEvent
	var t *Transaction
	if err := o.Store.View(ctx, func(tx Tx) (err error) {
		if e, err = tx.InboxEvent(inboxID); err != nil || e == nil {
			return err
		}
		if e.TxnID != "" {
			t, err = tx.Transaction(e.TxnID)
		} else {
			t, err = tx.TransactionByRef(e.Gateway, e.Ref)
		}
		return err
	}); err != nil || e == nil {
		return 0, err
	}
	if t == nil || t.Gateway != e.Gateway {
		if o.Clock().Sub(e.ReceivedAt) < time.Hour {
			return time.Minute, nil
		}
		o.Alert("webhook of an unknown payment")
		return 0, o.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(e.ID, "unknown payment", o.Clock()) })
	}
	l, err := o.load(ctx, t.ID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil {
		return 0, fmt.Errorf("handle event: gateway %q is not configured", t.Gateway)
	}
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	s, err := l.gateway.Fetch(wait, o.intent(*l.t, l.r, l.event), l.t.Ref)
	if errors.Is(err, ErrNoCharge) && o.Clock().Sub(e.ReceivedAt) >= time.Hour {
		o.Alert("webhook of a payment that its provider does not know")
		return 0, o.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(e.ID, "unknown to the provider", o.Clock()) })
	}
	if err != nil {
		return 0, fmt.Errorf("fetch after event: %w", err)
	}
	if _, err := o.Settle(ctx, t.ID, s); err != nil {
		return 0, err
	}
	return 0, o.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(e.ID, "", o.Clock()) })
}

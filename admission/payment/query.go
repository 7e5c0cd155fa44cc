package payment

import (
	"context"
	"errors"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

const unknownError = "Something went wrong."

// attempt is a transaction with its registration, event and gateway.
type attempt struct {
	t       *Transaction
	r       *enrol.Registration
	event   admission.Event
	refunds []Refund       // loaded only by load, for a settled transaction
	gateway method.Gateway // nil for NoGateway and for an unconfigured gateway
}

// load returns an attempt with its refunds, which the gateway needs in an Intent.
func (s *Service) load(ctx context.Context, txnID string) (l attempt, err error) {
	if l, err = s.findAttempt(ctx, txnID); err == nil && !l.t.unsettled() {
		err = s.Store.View(ctx, func(tx Tx) error {
			l.refunds, err = tx.RefundsOf(txnID)
			return err
		})
	}
	return l, err
}

func (s *Service) findAttempt(ctx context.Context, txnID string) (l attempt, err error) {
	if !admission.IsID(txnID) {
		return l, admission.NotFoundProblem("Payment")
	}
	if err = s.Store.View(ctx, func(tx Tx) error {
		if l.t, err = tx.Transaction(txnID); err != nil || l.t == nil {
			return err
		}
		l.r, err = tx.Registration(l.t.RegistrationID)
		return err
	}); err != nil {
		return l, err
	}
	if l.t == nil {
		return l, admission.NotFoundProblem("Payment")
	}
	fillLegacyFields(l.t, l.r)
	l.event, _ = s.Events.EventByCode(l.r.EventCode)
	entry, _ := s.Gateways.Find(l.t.Gateway)
	l.gateway = entry.Gateway
	return l, nil
}

// intentOf returns the gateway's view of an attempt, refunds included.
func (s *Service) intentOf(l attempt) method.Intent {
	in := s.intent(l.t, !l.r.Paid())
	in.SentBack = map[string]admission.Money{}
	for _, refund := range l.refunds {
		if !refund.Failed() && !refund.Reason.Loss() {
			in.SentBack[refund.PaymentID] = admission.Money{Minor: in.SentBack[refund.PaymentID].Minor + refund.Amount.Minor, Currency: refund.Amount.Currency}
		}
	}
	return in
}

// Details holds an attempt with its registration and event.
type Details struct {
	Transaction  Transaction
	Registration enrol.Registration
	Event        admission.Event
}

// Find returns a stored attempt, or NotFound for an unknown id. The id is unguessable.
func (s *Service) Find(ctx context.Context, txnID string) (Details, error) {
	l, err := s.findAttempt(ctx, txnID)
	if err != nil {
		return Details{}, err
	}
	return Details{*l.t, *l.r, l.event}, nil
}

// Complete handles a browser's return from a gateway. The return's parameters are untrusted: only the gateway's answer counts.
func (s *Service) Complete(ctx context.Context, txnID string, back method.Return) (Transaction, error) {
	t, _, err := s.query(ctx, txnID, chargeWait, true, func(ctx context.Context, l attempt) (method.Status, error) {
		in := s.intentOf(l)
		in.CustomerIP = back.RemoteIP
		return l.gateway.Complete(ctx, in, l.t.Ref, back)
	})
	return t, err
}

// Verify queries the gateway, unless it answered within the last two seconds, and returns the attempt. If the gateway
// does not answer, the attempt stays unchanged.
func (s *Service) Verify(ctx context.Context, txnID string) (Transaction, error) {
	payment, err := s.Find(ctx, txnID)
	if err != nil {
		return Transaction{}, err
	}
	return s.refresh(ctx, payment.Transaction, false)
}

func (s *Service) refresh(ctx context.Context, t Transaction, seen bool) (Transaction, error) {
	since := s.Clock().Sub(t.FetchedAt)
	if !t.unsettled() || since >= 0 && since < fetchInterval { // below 0: the clock was set back
		return t, nil
	}
	fresh, _, err := s.query(ctx, t.ID, gatewayWait, seen, s.fetch)
	return fresh, err
}

func (s *Service) fetch(ctx context.Context, l attempt) (method.Status, error) {
	status, err := l.gateway.Fetch(ctx, s.intentOf(l), l.t.Ref)
	if err == nil && slices.ContainsFunc(status.Charges, func(c method.Charge) bool { return c.RefundsUnknown }) {
		err = s.alertDaily(ctx, "refunds unknown "+l.t.Gateway, func() { s.Alert("a gateway does not report refunds: " + l.t.Gateway) })
	}
	return status, err
}

// fetchTimed fetches an attempt's status from the provider without settling it. asked is the time of the request.
func (s *Service) fetchTimed(ctx context.Context, l attempt) (held method.Status, asked time.Time, err error) {
	asked = s.Clock()
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	held, err = s.fetch(wait, l)
	return held, asked, err
}

// query sends one request to an attempt's gateway and settles the answer; answered reports whether one came. seen is
// change.seen.
func (s *Service) query(ctx context.Context, txnID string, timeout time.Duration, seen bool, request func(context.Context, attempt) (method.Status, error)) (t Transaction, answered bool, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return Transaction{}, false, err
	}
	if l.gateway == nil {
		return *l.t, false, nil
	}
	asked := s.Clock()
	wait, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := request(wait, l)
	switch {
	case errors.Is(err, method.ErrSignature):
		return *l.t, false, &admission.Problem{Kind: admission.Invalid, Message: unknownError}
	case errors.Is(err, method.ErrDeclined):
		answer = method.Status{TxnID: txnID, State: method.ChargePending, AttemptFailed: true}
	case errors.Is(err, method.ErrNoCharge):
		answer = method.Status{TxnID: txnID, State: method.ChargePending, AttemptFailed: l.t.AttemptFailed}
	case err != nil:
		s.Log.WarnContext(ctx, "gateway does not answer", "gateway", l.t.Gateway, "txn", txnID, "error", err)
		if err := s.alertRefusedCredentials(context.WithoutCancel(ctx), l.t.Gateway, err); err != nil {
			return *l.t, false, err
		}
		now, err := s.Find(context.WithoutCancel(ctx), txnID) // a webhook or the poller may have settled it meanwhile
		return now.Transaction, false, err
	}
	t, err = s.settleAsked(context.WithoutCancel(ctx), txnID, asked, answer, seen)
	return t, true, err
}

// alertRefusedCredentials alerts once a day if a gateway refuses our credentials.
func (s *Service) alertRefusedCredentials(ctx context.Context, gateway string, err error) error {
	if !errors.Is(err, method.ErrCredentials) {
		return nil
	}
	return s.alertDaily(ctx, "credentials "+gateway, func() { s.Alert("gateway refuses our credentials: " + gateway) })
}

// alertPayment raises an alert and logs it with the payment's id.
func (s *Service) alertPayment(what, txnID string, attrs ...any) {
	s.Alert(what)
	s.Log.Error(what, append([]any{"txn", txnID}, attrs...)...)
}

// alertDaily alerts at most once a day (Asia/Kolkata) for a cause, across all processes.
func (s *Service) alertDaily(ctx context.Context, cause string, alert func()) error {
	now, fresh := s.Clock(), false
	if err := s.Store.Update(ctx, func(tx Tx) (err error) {
		fresh, err = tx.Spend("alert:"+now.In(admission.IST).Format(time.DateOnly)+":"+cause, now.Add(48*time.Hour))
		return err
	}); err != nil {
		return err
	}
	if fresh {
		alert()
	}
	return nil
}

// cancelAttempt cancels an attempt at its provider, fetches its status again, and expires it unless it was paid. If the
// provider does not answer, the attempt stays open because it may have been paid. forced expires it anyway, so that the
// visitor can pay another way; the poller keeps querying it.
func (s *Service) cancelAttempt(ctx context.Context, t Transaction, forced bool) (Transaction, error) {
	answered := false
	for _, request := range []func(method.Gateway, context.Context, method.Intent, string) (method.Status, error){method.Gateway.Cancel, method.Gateway.Fetch} {
		var err error
		t, answered, err = s.query(ctx, t.ID, gatewayWait, false, func(ctx context.Context, l attempt) (method.Status, error) {
			in := s.intentOf(l)
			in.Wanted = false
			answer, err := request(l.gateway, ctx, in, l.t.Ref)
			if answer.State == method.ChargeFailed { // we cancelled it: the customer's payment did not fail
				answer.State = method.ChargePending
			}
			return answer, err
		})
		if err != nil || !t.Open() {
			return t, err
		}
		if forced && !answered { // a second request would only make the visitor wait
			break
		}
	}
	if !answered && !forced {
		return t, nil
	}
	return s.expire(ctx, t.ID, forced)
}

func (s *Service) expire(ctx context.Context, txnID string, seen bool) (t Transaction, err error) {
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		c.seen = seen
		err := c.apply(EventTimeout, method.Charge{})
		t = *c.t
		return err
	})
	return t, err
}

// pollAfter lists the ages at which the poller queries an attempt. Then it polls hourly for a day, and daily for a week.
var pollAfter = []time.Duration{30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, attemptLife, time.Hour}

// Poll handles JobPoll: it queries the attempt, expires it if it is too old or no longer needed, and returns the delay
// before the next poll (0: none).
func (s *Service) Poll(ctx context.Context, txnID string) (again time.Duration, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return 0, err
	}
	t, now := *l.t, s.Clock()
	age := now.Sub(t.CreatedAt)
	if l.gateway == nil && t.Gateway != NoGateway {
		return s.pollUnconfigured(ctx, t, age)
	}
	t.FetchedAt = time.Time{}
	if t, err = s.refresh(ctx, t, false); err != nil {
		return 0, err
	}
	if t.Open() && (age >= attemptLife || l.r.Paid()) {
		if t, err = s.cancelAttempt(ctx, t, false); err != nil {
			return 0, err
		}
	}
	switch {
	case t.Open() && age >= attemptLife: // the provider does not answer: it may have been paid
		return 2 * time.Minute, nil
	case !t.unsettled() || age >= pollLife:
		return 0, nil
	}
	return nextPoll(age), nil
}

// pollUnconfigured handles an attempt whose gateway is no longer configured: after attemptLife it alerts staff and expires
// the attempt.
func (s *Service) pollUnconfigured(ctx context.Context, t Transaction, age time.Duration) (again time.Duration, err error) {
	if t.Open() && age >= attemptLife {
		s.alertPayment("payment expired at a gateway that is not configured: check whether it was paid", t.ID, "gateway", t.Gateway)
		if t, err = s.expire(ctx, t.ID, false); err != nil {
			return 0, err
		}
	}
	if !t.unsettled() || age >= pollLife {
		return 0, nil
	}
	return nextPoll(age), nil // it may be configured again
}

// waitsQuietly is how long a payer waits for the bank before we write.
const waitsQuietly = 10 * time.Minute

// Wait handles JobWait: it notifies a payer whose payment waits for the bank.
func (s *Service) Wait(ctx context.Context, txnID string) error {
	return s.changeTransaction(ctx, txnID, func(c *change) error {
		if !c.t.Open() || !c.t.AtBank || c.r.Paid() {
			return nil
		}
		return c.notifyPending()
	})
}

// nextPoll returns the delay before the next poll of an attempt of this age.
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

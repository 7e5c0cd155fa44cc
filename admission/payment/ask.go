package payment

import (
	"context"
	"errors"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

const somethingElse = "Something went wrong."

// loaded is an attempt with what belongs to it.
type loaded struct {
	t       *Transaction
	r       *enrol.Registration
	event   admission.Event
	refunds []Refund       // by load alone, of what is settled
	gateway method.Gateway // nil for NoGateway, and for one that is not configured
}

// load finds an attempt for who asks its gateway, which is told what we send back.
func (s *Service) load(ctx context.Context, txnID string) (l loaded, err error) {
	if l, err = s.find(ctx, txnID); err == nil && !l.t.unsettled() {
		err = s.Store.View(ctx, func(tx Tx) error {
			l.refunds, err = tx.RefundsOf(txnID)
			return err
		})
	}
	return l, err
}

func (s *Service) find(ctx context.Context, txnID string) (l loaded, err error) {
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
	freeze(l.t, l.r)
	l.event, _ = s.Events.EventByCode(l.r.EventCode)
	entry, _ := s.Gateways.Find(l.t.Gateway)
	l.gateway = entry.Gateway
	return l, nil
}

// intentOf is an attempt as its gateway sees it.
func (s *Service) intentOf(l loaded) method.Intent {
	in := s.intent(l.t, !l.r.Paid())
	in.SentBack = map[string]admission.Money{}
	for _, refund := range l.refunds {
		if refund.State != method.RefundFailed && refund.State != method.RefundBounced {
			in.SentBack[refund.PaymentID] = admission.Money{Minor: in.SentBack[refund.PaymentID].Minor + refund.Amount.Minor, Currency: refund.Amount.Currency}
		}
	}
	return in
}

// Details is an attempt with its registration and event, for pages.
type Details struct {
	Transaction  Transaction
	Registration enrol.Registration
	Event        admission.Event
}

// Find returns an attempt as it stands in our books; NotFound for an unknown id. The id is unguessable.
func (s *Service) Find(ctx context.Context, txnID string) (Details, error) {
	l, err := s.find(ctx, txnID)
	if err != nil {
		return Details{}, err
	}
	return Details{*l.t, *l.r, l.event}, nil
}

// Complete runs when a browser returns from a gateway; what it brings is untrusted, the gateway's own answer counts.
func (s *Service) Complete(ctx context.Context, txnID string, back method.Return) (Transaction, error) {
	t, _, err := s.ask(ctx, txnID, chargeWait, true, func(ctx context.Context, l loaded) (method.Status, error) {
		in := s.intentOf(l)
		in.CustomerIP = back.RemoteIP
		return l.gateway.Complete(ctx, in, l.t.Ref, back)
	})
	return t, err
}

// Verify asks the gateway, unless it answered within two seconds, and returns the attempt. While the gateway does not
// answer, the attempt stays as it is: unknown is pending.
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
	fresh, _, err := s.ask(ctx, t.ID, gatewayWait, seen, s.fetch)
	return fresh, err
}

func (s *Service) fetch(ctx context.Context, l loaded) (method.Status, error) {
	return l.gateway.Fetch(ctx, s.intentOf(l), l.t.Ref)
}

// held asks the provider what it holds of an attempt, for who decides by the answer before it is settled. asked is when the
// question was put.
func (s *Service) held(ctx context.Context, l loaded) (held method.Status, asked time.Time, err error) {
	asked = s.Clock()
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	held, err = s.fetch(wait, l)
	return held, asked, err
}

// ask puts one question to the gateway of an attempt and settles its answer, if one came (answered); seen as in change.
func (s *Service) ask(ctx context.Context, txnID string, most time.Duration, seen bool, question func(context.Context, loaded) (method.Status, error)) (t Transaction, answered bool, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return Transaction{}, false, err
	}
	if l.gateway == nil {
		return *l.t, false, nil
	}
	asked := s.Clock()
	wait, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	answer, err := question(wait, l)
	switch {
	case errors.Is(err, method.ErrSignature):
		return *l.t, false, &admission.Problem{Kind: admission.Invalid, Message: somethingElse}
	case errors.Is(err, method.ErrDeclined):
		answer = method.Status{TxnID: txnID, State: method.ChargePending, AttemptFailed: true}
	case errors.Is(err, method.ErrNoCharge): // the provider knows of nothing: nobody has paid
		answer = method.Status{TxnID: txnID, State: method.ChargePending, AttemptFailed: l.t.AttemptFailed}
	case err != nil:
		s.Log.WarnContext(ctx, "gateway does not answer", "gateway", l.t.Gateway, "txn", txnID, "error", err)
		if err := s.alertOfCredentials(context.WithoutCancel(ctx), l.t.Gateway, err); err != nil {
			return *l.t, false, err
		}
		now, err := s.Find(context.WithoutCancel(ctx), txnID) // another road may have settled it meanwhile
		return now.Transaction, false, err
	}
	t, err = s.settleAsked(context.WithoutCancel(ctx), txnID, asked, answer, seen)
	return t, true, err
}

// alertOfCredentials tells a person, once a day, of a gateway that refuses our credentials: nothing works until somebody acts.
func (s *Service) alertOfCredentials(ctx context.Context, gateway string, err error) error {
	if !errors.Is(err, method.ErrCredentials) {
		return nil
	}
	return s.daily(ctx, "credentials "+gateway, func() { s.Alert("gateway refuses our credentials: " + gateway) })
}

// alertOf alerts of a payment, and writes to the log which it is, with what else is known.
func (s *Service) alertOf(what, txnID string, known ...any) {
	s.Alert(what)
	s.Log.Error(what, append([]any{"txn", txnID}, known...)...)
}

// daily alerts at most once a day in Asia/Kolkata for a cause, in whatever process.
func (s *Service) daily(ctx context.Context, cause string, alert func()) error {
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

// end cancels an attempt at its provider, asks once more, and expires it unless it was paid after all. While the provider
// does not answer, the attempt stays open, for it may have been paid; forced expires it all the same, for a visitor who
// wants another way to pay, and the poller goes on asking.
func (s *Service) end(ctx context.Context, t Transaction, forced bool) (Transaction, error) {
	answered := false
	for _, question := range []func(method.Gateway, context.Context, method.Intent, string) (method.Status, error){method.Gateway.Cancel, method.Gateway.Fetch} {
		var err error
		t, answered, err = s.ask(ctx, t.ID, gatewayWait, false, func(ctx context.Context, l loaded) (method.Status, error) {
			in := s.intentOf(l)
			in.Wanted = false // it is on its way out
			answer, err := question(l.gateway, ctx, in, l.t.Ref)
			if answer.State == method.ChargeFailed { // because we have cancelled it: that is no failure of the customer's
				answer.State = method.ChargePending
			}
			return answer, err
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
	return s.expire(ctx, t.ID, forced)
}

func (s *Service) expire(ctx context.Context, txnID string, seen bool) (t Transaction, err error) {
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		c.seen = seen
		err := c.happen(EventTimeout, method.Charge{})
		t = *c.t
		return err
	})
	return t, err
}

// pollAfter are the ages at which the poller asks; then hourly to the first day, then daily to the seventh.
var pollAfter = []time.Duration{30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, attemptLife, time.Hour}

// Poll is the work of JobPoll: ask, expire what is over its life or of no use any more, and say when to ask again (0: never).
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
		if t, err = s.end(ctx, t, false); err != nil {
			return 0, err
		}
	}
	switch {
	case t.Open() && age >= attemptLife: // the provider is silent, so nobody knows whether it was paid
		return 2 * time.Minute, nil
	case !t.unsettled() || age >= pollLife:
		return 0, nil
	}
	return nextPoll(age), nil
}

// pollUnconfigured sees to an attempt of a gateway that the site no longer has: nobody can be asked, so a person is told,
// and after the attempt's life what it holds is free again.
func (s *Service) pollUnconfigured(ctx context.Context, t Transaction, age time.Duration) (again time.Duration, err error) {
	if t.Open() && age >= attemptLife {
		s.alertOf("an attempt of a gateway that is not configured has ended: was it paid?", t.ID, "gateway", t.Gateway)
		if t, err = s.expire(ctx, t.ID, false); err != nil {
			return 0, err
		}
	}
	if !t.unsettled() || age >= pollLife {
		return 0, nil
	}
	return nextPoll(age), nil // it may be configured again
}

// nextPoll returns the wait until the next question, for an attempt of this age.
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

package payment

import (
	"context"
	"errors"
	"net/url"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

const somethingElse = "Something went wrong."

// loaded is an attempt with what belongs to it.
type loaded struct {
	t       *Transaction
	r       *enrol.Registration
	event   admission.Event
	gateway Gateway // nil for NoGateway
}

func (s *Service) load(ctx context.Context, txnID string) (l loaded, err error) {
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
	l.event, _ = s.Events.EventByCode(l.r.EventCode)
	l.gateway, _ = s.gateway(l.t.Gateway)
	return l, nil
}

// Payment is an attempt with its registration and event, for pages.
type Details struct {
	Transaction  Transaction
	Registration enrol.Registration
	Event        admission.Event
}

// FindPayment answers an attempt as it stands in our books; NotFound for an unknown id. The id is unguessable.
func (s *Service) Find(ctx context.Context, txnID string) (Details, error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return Details{}, err
	}
	return Details{*l.t, *l.r, l.event}, nil
}

// CompletePayment runs when a browser returns from a gateway; form is untrusted, the gateway's own answer counts.
func (s *Service) Complete(ctx context.Context, txnID string, form url.Values) (Transaction, error) {
	t, _, err := s.ask(ctx, txnID, chargeWait, func(ctx context.Context, l loaded) (Status, error) {
		return l.gateway.Complete(ctx, s.intent(*l.t, l.r, l.event), l.t.Ref, form)
	})
	return t, err
}

// VerifyPayment asks the gateway, unless it was asked within two seconds, and answers the attempt. While the gateway
// does not answer, the attempt stays as it is: unknown is pending.
func (s *Service) Verify(ctx context.Context, txnID string) (Transaction, error) {
	payment, err := s.Find(ctx, txnID)
	if err != nil {
		return Transaction{}, err
	}
	return s.refresh(ctx, payment.Transaction)
}

func (s *Service) refresh(ctx context.Context, t Transaction) (Transaction, error) {
	settled := t.State == Paid || t.State == RefundDue || t.State == RefundPending || t.State == Refunded || t.State == Review
	if settled || s.Clock().Sub(t.FetchedAt) < fetchInterval {
		return t, nil
	}
	fresh, _, err := s.ask(ctx, t.ID, gatewayWait, func(ctx context.Context, l loaded) (Status, error) {
		return l.gateway.Fetch(ctx, s.intent(*l.t, l.r, l.event), l.t.Ref)
	})
	return fresh, err
}

// ask puts one question to the gateway of an attempt and settles its answer. No answer changes nothing, but that other
// pages of the visitor wait a little before they ask again. answered is false where nothing is known.
func (s *Service) ask(ctx context.Context, txnID string, most time.Duration, question func(context.Context, loaded) (Status, error)) (t Transaction, answered bool, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return Transaction{}, false, err
	}
	if l.gateway == nil {
		return *l.t, false, nil
	}
	asked := func() error {
		return s.changeTransaction(context.WithoutCancel(ctx), txnID, func(_ Tx, now *Transaction, _ *enrol.Registration) error {
			now.FetchedAt = s.Clock()
			t = *now
			return nil
		})
	}
	if err := asked(); err != nil {
		return Transaction{}, false, err
	}
	wait, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	answer, err := question(wait, l)
	switch {
	case errors.Is(err, ErrSignature):
		return t, false, &admission.Problem{Kind: admission.Invalid, Message: somethingElse}
	case errors.Is(err, ErrDeclined):
		answer = Status{TxnID: txnID, State: ChargePending, AttemptFailed: true}
	case errors.Is(err, ErrNoCharge): // the provider knows of nothing: nobody has paid
		answer = Status{TxnID: txnID, State: ChargePending, AttemptFailed: l.t.AttemptFailed}
	case err != nil:
		s.Log.WarnContext(ctx, "gateway does not answer", "gateway", l.t.Gateway, "txn", txnID, "error", err)
		return t, false, asked()
	}
	t, err = s.Settle(context.WithoutCancel(ctx), txnID, answer)
	return t, true, err
}

// end cancels an attempt at its provider, asks once more, and expires it unless it was paid after all. While the provider
// does not answer, the attempt stays open, for it may have been paid; forced expires it all the same, for a visitor who
// wants another way to pay, and the poller goes on asking.
func (s *Service) end(ctx context.Context, t Transaction, forced bool) (Transaction, error) {
	answered := false
	for _, question := range []func(Gateway, context.Context, Intent, string) (Status, error){Gateway.Cancel, Gateway.Fetch} {
		var err error
		t, answered, err = s.ask(ctx, t.ID, gatewayWait, func(ctx context.Context, l loaded) (Status, error) {
			answer, err := question(l.gateway, ctx, s.intent(*l.t, l.r, l.event), l.t.Ref)
			if answer.State == ChargeFailed { // because we have cancelled it: that is no failure of the customer's
				answer.State = ChargePending
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
	err := s.changeTransaction(ctx, t.ID, func(tx Tx, open *Transaction, r *enrol.Registration) error {
		if to, allowed := move(open.State, EventTimeout); allowed {
			open.State = to
			if err := s.giveUp(tx, open, r); err != nil {
				return err
			}
		}
		t = *open
		return nil
	})
	return t, err
}

// PollPayment is the work of JobPoll: ask, expire what is over its life, and say when to ask again (0: never).
func (s *Service) Poll(ctx context.Context, txnID string) (again time.Duration, err error) {
	payment, err := s.Find(ctx, txnID)
	if err != nil {
		return 0, err
	}
	t := payment.Transaction
	t.FetchedAt = time.Time{}
	if t, err = s.refresh(ctx, t); err != nil {
		return 0, err
	}
	now := s.Clock()
	age := now.Sub(t.CreatedAt)
	if t.Open() && age >= attemptLife {
		if t, err = s.end(ctx, t, false); err != nil {
			return 0, err
		}
	}
	unsettled := t.Open() || t.State == Failed || t.State == Expired
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

package payment

import (
	"context"
	"errors"
	"fmt"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// GatewaysFor answers the names of the gateways that can charge an event, in the order offered.
func (s *Service) GatewaysFor(event admission.Event) []string {
	var names []string
	for _, g := range s.Gateways {
		if _, ok := chargeable(g, event); ok {
			names = append(names, g.Name())
		}
	}
	return names
}

// chargeable answers the event's price in a currency that the gateway takes.
func chargeable(g Gateway, event admission.Event) (admission.Money, bool) {
	if g.Takes(event.Fee.Currency) {
		return event.Fee, true
	}
	for _, currency := range []string{"USD", "EUR"} {
		if price, ok := event.Prices[currency]; ok && g.Takes(currency) {
			return price, true
		}
	}
	return admission.Money{}, false
}

// charge is what a gateway takes for a price. A coupon reduces the INR price; the foreign price follows in proportion.
func charge(gateway Gateway, event admission.Event, price enrol.Price) admission.Money {
	if price.Final.Minor == 0 || gateway.Takes(price.Final.Currency) {
		return price.Final
	}
	foreign, _ := chargeable(gateway, event)
	return admission.Money{Minor: max(1, admission.RoundHalfUp(foreign.Minor*price.Final.Minor, price.List.Minor)), Currency: foreign.Currency} // only what costs nothing is free
}

// StartPayment opens an attempt, or answers the one that is open with the same gateway. What costs nothing is settled at once.
func (s *Service) Start(ctx context.Context, v admission.Visitor, ask Ask) (Transaction, error) {
	r, err := s.Enrol.RegistrationOfVisitor(ctx, v, ask.RegistrationID)
	if err != nil {
		return Transaction{}, err
	}
	if r.Paid() {
		return Transaction{}, admission.ConflictProblem("", enrol.AlreadyPaid)
	}
	event, known := s.Events.EventByCode(r.EventCode)
	if !known {
		return Transaction{}, fmt.Errorf("start payment: registration %s has no event %q", r.ID, r.EventCode)
	}
	gateway, none := s.chosenGateway(event, ask.Gateway)
	t, reused, err := s.openAttempt(ctx, &r, event, gateway, none, ask.ReturnURL)
	started := reused && t.State == Pending && t.Checkout != nil // without: Start's answer was lost, and is asked for again
	if err != nil || started || t.State == Paid {
		return t, err
	}
	return s.startAtGateway(ctx, t, &r, event)
}

func (s *Service) chosenGateway(event admission.Event, name string) (Gateway, error) {
	offered := s.GatewaysFor(event)
	if len(offered) == 0 {
		return nil, &admission.Problem{Kind: admission.Unavailable, Message: "Payment is not possible at the moment."}
	}
	if name == "" {
		name = offered[0]
	}
	for _, known := range offered {
		if known == name {
			gateway, _ := s.gateway(name)
			return gateway, nil
		}
	}
	return nil, admission.FieldProblem("gateway", "Unsupported gateway")
}

// openAttempt finds the open attempt of the same gateway, or makes a new one with its coupon held. An open attempt of
// another gateway is cancelled there first; it stays polled, in case that it was paid after all. none says why gateway is
// nil, which matters only where something is left to pay.
func (s *Service) openAttempt(ctx context.Context, r *enrol.Registration, event admission.Event, gateway Gateway, none error, returnURL string) (Transaction, bool, error) {
	open, err := s.openTransaction(ctx, r.ID)
	if err != nil {
		return Transaction{}, false, err
	}
	if open != nil && open.State != Review {
		if gateway == nil {
			return Transaction{}, false, none
		}
		if open.Gateway == gateway.Name() && s.Clock().Before(open.ExpiresAt) {
			fresh, err := s.refresh(ctx, *open) // a paid answer may exist
			if err != nil || fresh.Open() || fresh.State == Paid {
				return fresh, true, err
			}
		} else if _, err := s.end(ctx, *open, true); err != nil {
			return Transaction{}, false, err
		}
	}
	var t Transaction
	var refusal error
	reused := false
	err = s.Store.Update(ctx, func(tx Tx) error {
		refusal, reused = nil, false
		locked, err := tx.RegistrationForUpdate(r.ID)
		if err != nil {
			return err
		}
		if *r = *locked; r.Paid() {
			return admission.ConflictProblem("", enrol.AlreadyPaid)
		}
		twin, err := tx.OpenTransaction(r.ID) // a second tab was faster
		if err != nil {
			return err
		}
		if twin != nil && twin.State == Review {
			return admission.ConflictProblem("", enrol.BeingChecked)
		}
		if twin != nil {
			t, reused = *twin, true
			return nil
		}
		if why := event.Closed(s.Clock()); why != "" {
			return admission.ConflictProblem("", why)
		}
		price, coupon, err := s.Enrol.Price(tx, event, r.CouponCode, r.Phone)
		if problem := admission.AsProblem(err); problem != nil {
			r.CouponCode = "" // the next try pays the full price, knowingly
			refusal = admission.ConflictProblem(enrol.CouponField, enrol.CouponGone)
			if problem.Kind == admission.Invalid {
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
		now := s.Clock()
		t = Transaction{
			ID: admission.NewID(), RegistrationID: r.ID, Gateway: NoGateway, List: price.List, Discount: price.Discount, Charge: price.Final,
			CouponCode: r.CouponCode, State: Created, ReturnURL: returnURL, CreatedAt: now, ExpiresAt: now.Add(attemptLife), ModifiedAt: now,
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
			if err := tx.SaveCouponUse(enrol.CouponUse{ID: admission.NewID(), CouponID: coupon.ID, TxnID: t.ID, Phone: r.Phone, DiscountMinor: price.Discount.Minor, State: enrol.UseHeld}); err != nil {
				return err
			}
		}
		if t.Gateway == NoGateway {
			if err := s.settle(tx, &t, r, Status{TxnID: t.ID, State: ChargePaid, Amount: t.Charge}); err != nil {
				return err
			}
			return tx.SaveTransaction(&t)
		}
		if err := r.Move(tx, enrol.StepPaying, s.Clock()); err != nil {
			return err
		}
		return tx.AddJob(admission.Job{Kind: JobPoll, Ref: t.ID, DueAt: now.Add(pollAfter[0])})
	})
	if err == nil {
		err = refusal
	}
	return t, reused, err
}

func (s *Service) openTransaction(ctx context.Context, registrationID string) (open *Transaction, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenTransaction(registrationID)
		return err
	})
	return open, err
}

// startAtGateway makes the provider's order for an attempt, at the attempt's own gateway: a second tab that was faster may
// have chosen another than the caller.
func (s *Service) startAtGateway(ctx context.Context, t Transaction, r *enrol.Registration, event admission.Event) (Transaction, error) {
	gateway, known := s.gateway(t.Gateway)
	if !known {
		return Transaction{}, fmt.Errorf("start payment: gateway %q is not configured", t.Gateway)
	}
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	session, err := gateway.Start(wait, s.intent(t, r, event))
	happened := EventStarted
	if err != nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		happened = EventStartRefused
		s.Log.ErrorContext(ctx, "gateway refused to start", "gateway", t.Gateway, "txn", t.ID, "error", err)
	}
	var after Transaction
	saveErr := s.changeTransaction(context.WithoutCancel(ctx), t.ID, func(tx Tx, t *Transaction, r *enrol.Registration) error {
		if to, allowed := move(t.State, happened); allowed {
			t.State = to
		}
		if err == nil {
			t.Ref, t.Checkout = session.Ref, session.Checkout
		}
		if t.State == Failed {
			if err := s.giveUp(tx, t, r); err != nil {
				return err
			}
		}
		after = *t
		return nil
	})
	if saveErr == nil && happened == EventStartRefused {
		return after, &admission.Problem{Kind: admission.Unavailable, Message: "The payment window failed to load. Are you online?"}
	}
	return after, saveErr
}

func (s *Service) intent(t Transaction, r *enrol.Registration, event admission.Event) Intent {
	return Intent{
		TxnID: t.ID, Amount: t.Charge, Description: "Registration fee – " + event.Title, Name: r.FullName, Email: r.Email, Phone: r.Phone,
		ReturnURL: s.BaseURL + "/checkout/" + t.ID + "/return", WebhookURL: s.BaseURL + "/payments/webhook/" + t.Gateway, Expires: t.ExpiresAt,
	}
}

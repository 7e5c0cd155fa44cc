package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
	"hiresure/paths"
)

// charge returns the amount that a gateway charges for a price. A coupon reduces a foreign price in proportion to the INR price.
func charge(gateway Entry, event admission.Event, price enrol.Price) admission.Money {
	if price.Final.Minor == 0 || gateway.Accepts(price.Final.Currency) {
		return price.Final
	}
	foreign, _ := gateway.price(event)
	return admission.Money{Minor: max(1, admission.RoundHalfUp(foreign.Minor*price.Final.Minor, price.List.Minor)), Currency: foreign.Currency} // at least 1: only a zero price is free
}

// StartRequest is a request to start a payment. ReturnURL has passed admission.SafeRedirect; "" means the registration's result page.
type StartRequest struct{ RegistrationID, Gateway, ReturnURL string }

// Start starts an attempt, or returns the open one of the same gateway. A zero price is settled at once.
func (s *Service) Start(ctx context.Context, v admission.Visitor, ask StartRequest) (Transaction, error) {
	r, err := s.Enrol.RegistrationOfVisitor(ctx, v, ask.RegistrationID)
	if err != nil {
		return Transaction{}, err
	}
	if err := r.Payable(); err != nil {
		return Transaction{}, err
	}
	event, known := s.Events.EventByCode(r.EventCode)
	if !known {
		return Transaction{}, fmt.Errorf("start payment: registration %s has no event %q", r.ID, r.EventCode)
	}
	for currency, price := range event.Prices {
		if price.Rate.Rupees == 0 {
			if err := s.alertDaily(ctx, "rate "+currency, func() { s.Alert("no exchange rate for " + currency + ": nobody can pay in it") }); err != nil {
				return Transaction{}, err
			}
		}
	}
	gateway, gatewayErr := s.chosenGateway(event, ask.Gateway)
	n := &newAttempt{s: s, v: v, event: event, gateway: gateway, gatewayErr: gatewayErr, anyGateway: ask.Gateway == "", returnURL: cmp.Or(ask.ReturnURL, r.ResultPath())}
	t, found, err := n.closeOpenAttempt(ctx, &r)
	if err == nil && !found {
		t, found, err = n.open(ctx, r.ID)
	}
	started := found && t.State == Pending && t.Checkout != nil // without Checkout the gateway's answer was lost: start again
	if err != nil || started || t.State == Paid {
		return t, err
	}
	return s.startAtGateway(ctx, t, v.IP)
}

// chosenGateway returns the named gateway, or the first that answers if name is "". It returns a gateway that does not answer
// together with an error: an open attempt there continues, but no new one starts.
func (s *Service) chosenGateway(event admission.Event, name string) (Entry, error) {
	for _, gateway := range s.Gateways.chargeable(event) {
		switch {
		case gateway.unavailable() && gateway.Name == name:
			return gateway, &admission.Problem{Kind: admission.Unavailable, Message: NoAnswer, RetryAfter: time.Minute}
		case !gateway.unavailable() && (gateway.Name == name || name == ""):
			return gateway, nil
		}
	}
	if name == "" || len(s.Gateways.For(event)) == 0 {
		return Entry{}, &admission.Problem{Kind: admission.Unavailable, Message: "Payment is not possible at the moment."}
	}
	return Entry{}, admission.FieldProblem("gateway", "Unsupported gateway")
}

// NoAnswer is the visitor's message for a gateway that does not answer.
const NoAnswer = "This way to pay does not answer at the moment. Choose another, or try again in a few minutes."

// newAttempt holds what Start needs. gatewayErr is why the gateway cannot start an attempt; a zero price ignores it.
type newAttempt struct {
	s          *Service
	v          admission.Visitor
	event      admission.Event
	gateway    Entry
	gatewayErr error
	anyGateway bool // the visitor chose none
	returnURL  string
}

// closeOpenAttempt returns the open attempt if it is of the same gateway. It cancels one of another gateway, if a new
// attempt may start; the poller keeps querying the cancelled one in case it was paid.
func (n *newAttempt) closeOpenAttempt(ctx context.Context, r *enrol.Registration) (t Transaction, found bool, err error) {
	var open *Transaction
	if err := n.s.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenTransaction(r.ID)
		return err
	}); err != nil || open == nil {
		return Transaction{}, false, err
	}
	over := !n.s.Clock().Before(open.ExpiresAt)
	if open.Gateway != n.gateway.Name && n.anyGateway && !over {
		if entry, known := n.s.Gateways.Find(open.Gateway); known && entry.Gateway != nil && entry.Offered {
			n.gateway, n.gatewayErr = entry, nil
		}
	}
	if n.gatewayErr != nil && open.Gateway != n.gateway.Name {
		return Transaction{}, false, n.gatewayErr
	}
	if open.Gateway == n.gateway.Name && !over {
		fresh, err := n.s.refresh(ctx, *open, true) // it may be paid by now
		return fresh, err != nil || fresh.Open() || fresh.State == Paid, err
	}
	if !over {
		if err := n.s.Store.View(ctx, func(tx Tx) error {
			_, err := n.checkNewAttempt(tx, r)
			return cmp.Or(rejectInReview(tx, r), err)
		}); err != nil {
			return Transaction{}, false, err
		}
	}
	_, err = n.s.cancelAttempt(ctx, *open, true)
	return Transaction{}, false, err
}

// open stores a new attempt and holds its coupon, or returns the open one that another tab has just stored.
func (n *newAttempt) open(ctx context.Context, registrationID string) (t Transaction, found bool, err error) {
	var refusal error
	err = n.s.Store.Update(ctx, func(tx Tx) error {
		refusal, found = nil, false
		r, err := tx.RegistrationForUpdate(registrationID)
		if err != nil {
			return err
		}
		twin, err := n.checkPayable(tx, r)
		if err != nil {
			return err
		}
		if twin != nil {
			t, found = *twin, true
			return nil
		}
		price, coupon, err := n.s.Enrol.Price(tx, n.event, r.CouponCode, r.Phone)
		if problem := admission.AsProblem(err); problem != nil {
			r.CouponCode = "" // the visitor reads the refusal, and the next try pays the full price
			refusal = admission.ConflictProblem(enrol.CouponField, enrol.CouponGone)
			if problem.Kind == admission.Invalid {
				refusal = problem
			}
			return tx.SaveRegistration(r)
		}
		if err != nil {
			return err
		}
		holds, err := n.s.Enrol.Access.Within(tx, n.v, coupon.HoldLimits(r.Phone)...)
		if admission.AsProblem(err) != nil {
			r.CouponCode, refusal = "", admission.ConflictProblem(enrol.CouponField, enrol.CouponHeldOften)
			return tx.SaveRegistration(r)
		}
		if err != nil {
			return err
		}
		if price.Final.Minor > 0 && n.gatewayErr != nil {
			return n.gatewayErr
		}
		if err := access.Count(tx, n.s.Clock(), holds...); err != nil {
			return err
		}
		t, err = n.add(tx, r, price, coupon)
		return err
	})
	if err == nil {
		err = refusal
	}
	return t, found, err
}

// checkPayable rejects a registration that cannot be paid now, and counts the new attempt. twin is an already open
// attempt.
func (n *newAttempt) checkPayable(tx Tx, r *enrol.Registration) (twin *Transaction, err error) {
	if err := r.Payable(); err != nil {
		return nil, err
	}
	if err := rejectInReview(tx, r); err != nil {
		return nil, err
	}
	if twin, err = tx.OpenTransaction(r.ID); err != nil || twin != nil {
		return twin, err
	}
	hourly, err := n.checkNewAttempt(tx, r)
	if err != nil {
		return nil, err
	}
	return nil, access.Count(tx, n.s.Clock(), hourly...)
}

// checkNewAttempt rejects a new attempt if the event is closed or the hourly limit is reached. hourly are the limits to
// count.
func (n *newAttempt) checkNewAttempt(tx Tx, r *enrol.Registration) (hourly []access.Limit, err error) {
	if why := n.event.Closed(n.s.Clock()); why != "" {
		return nil, admission.ConflictProblem("", why)
	}
	return n.s.Enrol.Access.Within(tx, n.v, access.Limit{Bucket: "attempts:" + r.ID, Max: attemptsHourly, Per: time.Hour, Lifted: true})
}

// rejectInReview rejects a registration with a payment in review.
func rejectInReview(tx Tx, r *enrol.Registration) error {
	inReview, err := tx.ReviewOf(r.ID)
	if err != nil || inReview == nil {
		return err
	}
	return admission.ConflictProblem("", enrol.BeingChecked)
}

// add stores the attempt, holds its coupon and queues its poll job. It settles an attempt at zero price.
func (n *newAttempt) add(tx Tx, r *enrol.Registration, price enrol.Price, coupon *enrol.Coupon) (Transaction, error) {
	s, now := n.s, n.s.Clock()
	t := Transaction{
		ID: admission.NewID(), MerchantRef: admission.NewID()[:20], RegistrationID: r.ID, Gateway: NoGateway, List: price.List, Discount: price.Discount, Charge: price.Final,
		CouponCode: r.CouponCode, State: Created, ReturnURL: n.returnURL, CreatedAt: now, ExpiresAt: now.Add(attemptLife), ModifiedAt: now,
		Payer: payerOf(r, enrol.FeeName(n.event)),
	}
	if price.Final.Minor > 0 {
		t.Gateway, t.SoldBy, t.Charge = n.gateway.Name, n.gateway.SoldBy, charge(n.gateway, n.event, price)
		if t.Charge.Currency != price.Final.Currency {
			foreign := n.event.Prices[t.Charge.Currency]
			t.ForeignList, t.Exchange = foreign.Minor, foreign.Rate
		}
	}
	if err := tx.AddTransaction(&t); err != nil {
		return t, err
	}
	if coupon != nil {
		if err := tx.SaveCouponUse(enrol.CouponUse{ID: admission.NewID(), CouponID: coupon.ID, TxnID: t.ID, Phone: r.Phone, DiscountMinor: price.Discount.Minor, State: enrol.UseHeld}); err != nil {
			return t, err
		}
	}
	if t.Gateway == NoGateway {
		c := &change{Service: s, tx: tx, t: &t, r: r, now: now}
		if err := c.apply(EventPaid, method.Charge{}); err != nil {
			return t, err
		}
		return t, tx.SaveTransaction(&t)
	}
	if err := r.Move(tx, enrol.StepPaying, now); err != nil {
		return t, err
	}
	return t, tx.AddJob(admission.Job{Kind: JobPoll, Ref: t.ID, DueAt: now.Add(pollAfter[0])})
}

// startAtGateway creates the provider's order at the attempt's own gateway, which may differ from the caller's choice if
// another tab was faster.
func (s *Service) startAtGateway(ctx context.Context, t Transaction, customerIP string) (Transaction, error) {
	entry, known := s.Gateways.Find(t.Gateway)
	if !known || entry.Gateway == nil {
		return Transaction{}, fmt.Errorf("start payment: gateway %q is not configured", t.Gateway)
	}
	in := s.intent(&t, true)
	in.CustomerIP = customerIP
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	session, err := entry.Gateway.Start(wait, in)
	happened := EventStarted
	if err != nil && !errors.Is(err, method.ErrUnknown) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		happened = EventStartRefused
		s.Log.ErrorContext(ctx, "gateway refused to start", "gateway", t.Gateway, "txn", t.ID, "error", err)
		if err := s.alertRefusedCredentials(context.WithoutCancel(ctx), t.Gateway, err); err != nil {
			return t, err
		}
	}
	var after Transaction
	saveErr := s.changeTransaction(context.WithoutCancel(ctx), t.ID, func(c *change) error {
		if to, allowed := move(c.t.State, happened); allowed {
			c.t.State = to
		}
		if err == nil {
			c.t.Ref, c.t.Checkout = cmp.Or(c.t.Ref, session.Ref), session.Checkout
		}
		if c.t.State == Failed {
			c.seen = true
			if err := c.releaseAttempt(); err != nil {
				return err
			}
		}
		after = *c.t
		return nil
	})
	if saveErr == nil && happened == EventStartRefused {
		return after, &admission.Problem{Kind: admission.Unavailable, Message: "The payment window failed to load. Are you online?"}
	}
	return after, saveErr
}

// intent returns the gateway's view of an attempt. unpaid reports whether the registration is still unpaid.
func (s *Service) intent(t *Transaction, unpaid bool) method.Intent {
	return method.Intent{
		TxnID: t.ID, MerchantRef: t.MerchantRef, Amount: t.Charge, Description: t.Payer.Description, Name: t.Payer.Name, Email: t.Payer.Email, Phone: t.Payer.Phone,
		StateCode: t.Payer.StateCode, ReturnURL: s.BaseURL + paths.CheckoutReturn(t.ID), WebhookURL: s.BaseURL + paths.Webhook(t.Gateway),
		Expires: t.ExpiresAt, Wanted: unpaid && t.Open() && s.Clock().Before(t.ExpiresAt),
	}
}

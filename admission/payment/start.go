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

// charge is what a gateway takes for a price. A coupon reduces the INR price; the foreign price follows in proportion.
func charge(gateway Entry, event admission.Event, price enrol.Price) admission.Money {
	if price.Final.Minor == 0 || gateway.Takes(price.Final.Currency) {
		return price.Final
	}
	foreign, _ := gateway.price(event)
	return admission.Money{Minor: max(1, admission.RoundHalfUp(foreign.Minor*price.Final.Minor, price.List.Minor)), Currency: foreign.Currency} // only what costs nothing is free
}

// Ask is somebody who wants to pay. ReturnURL has been judged by admission.SafeRedirect; "" is where the registration's results stand.
type Ask struct{ RegistrationID, Gateway, ReturnURL string }

// Start opens an attempt, or returns the one that is open with the same gateway. What costs nothing is settled at once.
func (s *Service) Start(ctx context.Context, v admission.Visitor, ask Ask) (Transaction, error) {
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
	gateway, none := s.chosenGateway(event, ask.Gateway)
	n := &newAttempt{s: s, v: v, event: event, gateway: gateway, none: none, unnamed: ask.Gateway == "", returnURL: cmp.Or(ask.ReturnURL, r.ResultPath())}
	t, goesOn, err := n.closeOpen(ctx, &r)
	if err == nil && !goesOn {
		t, goesOn, err = n.open(ctx, r.ID)
	}
	started := goesOn && t.State == Pending && t.Checkout != nil // without: Start's answer was lost, and is asked for again
	if err != nil || started || t.State == Paid {
		return t, err
	}
	return s.startAtGateway(ctx, t, v.IP)
}

// chosenGateway returns the gateway of a name, or the first that answers. One that does not answer comes with an error: an
// attempt that is open there goes on, and no other begins.
func (s *Service) chosenGateway(event admission.Event, name string) (Entry, error) {
	for _, gateway := range s.Gateways.chargeable(event) {
		switch {
		case gateway.silent() && gateway.Name == name:
			return gateway, &admission.Problem{Kind: admission.Unavailable, Message: NoAnswer, RetryAfter: time.Minute}
		case !gateway.silent() && (gateway.Name == name || name == ""):
			return gateway, nil
		}
	}
	if name == "" || len(s.Gateways.For(event)) == 0 {
		return Entry{}, &admission.Problem{Kind: admission.Unavailable, Message: "Payment is not possible at the moment."}
	}
	return Entry{}, admission.FieldProblem("gateway", "Unsupported gateway")
}

// NoAnswer is what a visitor reads of a way to pay that is not offered for a while.
const NoAnswer = "This way to pay does not answer at the moment. Choose another, or try again in a few minutes."

// newAttempt is an attempt in the making. none says why the gateway starts nothing, which matters only where something is left to pay.
type newAttempt struct {
	s         *Service
	v         admission.Visitor
	event     admission.Event
	gateway   Entry
	none      error
	unnamed   bool // the visitor has chosen no gateway
	returnURL string
}

// closeOpen sees to the attempt that is open. One of the same gateway goes on. One of another is cancelled there first, if
// a new one may begin, and stays polled, in case that it was paid after all.
func (n *newAttempt) closeOpen(ctx context.Context, r *enrol.Registration) (t Transaction, goesOn bool, err error) {
	var open *Transaction
	if err := n.s.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenTransaction(r.ID)
		return err
	}); err != nil || open == nil {
		return Transaction{}, false, err
	}
	over := !n.s.Clock().Before(open.ExpiresAt)
	if open.Gateway != n.gateway.Name && n.unnamed && !over { // to go on
		if there, known := n.s.Gateways.Find(open.Gateway); known && there.Gateway != nil && there.Offered {
			n.gateway, n.none = there, nil
		}
	}
	if n.none != nil && open.Gateway != n.gateway.Name {
		return Transaction{}, false, n.none
	}
	if open.Gateway == n.gateway.Name && !over {
		fresh, err := n.s.refresh(ctx, *open, true) // a paid answer may exist
		return fresh, err != nil || fresh.Open() || fresh.State == Paid, err
	}
	if !over {
		if err := n.s.Store.View(ctx, func(tx Tx) error {
			_, err := n.mayBegin(tx, r)
			return cmp.Or(notReviewed(tx, r), err)
		}); err != nil {
			return Transaction{}, false, err
		}
	}
	_, err = n.s.end(ctx, *open, true)
	return Transaction{}, false, err
}

// open makes the attempt, with its coupon held, or finds the one that a second tab was faster to make.
func (n *newAttempt) open(ctx context.Context, registrationID string) (t Transaction, found bool, err error) {
	var refusal error
	err = n.s.Store.Update(ctx, func(tx Tx) error {
		refusal, found = nil, false
		r, err := tx.RegistrationForUpdate(registrationID)
		if err != nil {
			return err
		}
		twin, err := n.mayOpen(tx, r)
		if err != nil {
			return err
		}
		if twin != nil {
			t, found = *twin, true
			return nil
		}
		price, coupon, err := n.s.Enrol.Price(tx, n.event, r.CouponCode, r.Phone)
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
		if price.Final.Minor > 0 && n.none != nil {
			return n.none
		}
		t, err = n.add(tx, r, price, coupon)
		return err
	})
	if err == nil {
		err = refusal
	}
	return t, found, err
}

// mayOpen refuses a registration that may not be paid now, and counts the attempt that begins. twin is the one that is open
// already.
func (n *newAttempt) mayOpen(tx Tx, r *enrol.Registration) (twin *Transaction, err error) {
	if err := r.Payable(); err != nil {
		return nil, err
	}
	if err := notReviewed(tx, r); err != nil {
		return nil, err
	}
	if twin, err = tx.OpenTransaction(r.ID); err != nil || twin != nil {
		return twin, err
	}
	hourly, err := n.mayBegin(tx, r)
	if err != nil {
		return nil, err
	}
	return nil, access.Count(tx, n.s.Clock(), hourly...)
}

// mayBegin refuses where no attempt begins any more, or for a while. hourly is what its beginning counts for.
func (n *newAttempt) mayBegin(tx Tx, r *enrol.Registration) (hourly []access.Limit, err error) {
	if why := n.event.Closed(n.s.Clock()); why != "" {
		return nil, admission.ConflictProblem("", why)
	}
	return n.s.Enrol.Access.Within(tx, n.v, access.Limit{Bucket: "attempts:" + r.ID, Most: attemptsHourly, Per: time.Hour, Lifted: true})
}

// notReviewed refuses while a person looks at a payment.
func notReviewed(tx Tx, r *enrol.Registration) error {
	looked, err := tx.ReviewOf(r.ID)
	if err != nil || looked == nil {
		return err
	}
	return admission.ConflictProblem("", enrol.BeingChecked)
}

// add writes the attempt, its hold on the coupon, and the job that asks about it; one that costs nothing is settled.
func (n *newAttempt) add(tx Tx, r *enrol.Registration, price enrol.Price, coupon *enrol.Coupon) (Transaction, error) {
	s, now := n.s, n.s.Clock()
	t := Transaction{
		ID: admission.NewID(), MerchantRef: admission.NewID()[:20], RegistrationID: r.ID, Gateway: NoGateway, List: price.List, Discount: price.Discount, Charge: price.Final,
		CouponCode: r.CouponCode, State: Created, ReturnURL: n.returnURL, CreatedAt: now, ExpiresAt: now.Add(attemptLife), ModifiedAt: now,
		Payer: payerOf(r, enrol.FeeOf(n.event)),
	}
	if price.Final.Minor > 0 {
		t.Gateway, t.Charge = n.gateway.Name, charge(n.gateway, n.event, price)
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
		if err := c.happen(EventPaid, method.Charge{}); err != nil {
			return t, err
		}
		return t, tx.SaveTransaction(&t)
	}
	if err := r.Move(tx, enrol.StepPaying, now); err != nil {
		return t, err
	}
	return t, tx.AddJob(admission.Job{Kind: JobPoll, Ref: t.ID, DueAt: now.Add(pollAfter[0])})
}

// startAtGateway makes the provider's order for an attempt, at the attempt's own gateway: a second tab that was faster may
// have chosen another than the caller.
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
		if err := s.alertOfCredentials(context.WithoutCancel(ctx), t.Gateway, err); err != nil {
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
			if err := c.giveUp(); err != nil {
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

// intent is an attempt as its gateway sees it. unpaid tells whether its registration still is.
func (s *Service) intent(t *Transaction, unpaid bool) method.Intent {
	return method.Intent{
		TxnID: t.ID, MerchantRef: t.MerchantRef, Amount: t.Charge, Description: t.Payer.Description, Name: t.Payer.Name, Email: t.Payer.Email, Phone: t.Payer.Phone,
		StateCode: t.Payer.StateCode, ReturnURL: s.BaseURL + paths.CheckoutReturn(t.ID), WebhookURL: s.BaseURL + paths.Webhook(t.Gateway),
		Expires: t.ExpiresAt, Wanted: unpaid && t.Open() && s.Clock().Before(t.ExpiresAt),
	}
}

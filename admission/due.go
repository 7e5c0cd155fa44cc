package admission

import (
	"context"
	"fmt"
)

// Due is what a registration owes, for the page to come back to.
type Due struct {
	Registration Registration
	Event        Event
	Price        Price // frozen by the attempt that is open or has paid, else with the coupon as it stands now
	Methods      []Method
	Open         *Transaction // nil where no attempt is open
	CouponGone   string       // why the coupon no longer counts; "" where it does, or there is none
	Refusal      string       // why nothing can be paid now: closed, or a payment is being checked; "" where it can
}

// Method is a gateway that is offered, and what it would charge.
type Method struct {
	Gateway string
	Charge  Money
}

// PaymentDue answers what a registration of the visitor owes; it starts and holds nothing.
func (o *Office) PaymentDue(ctx context.Context, v Visitor, registrationID string) (due Due, err error) {
	err = o.Store.View(ctx, func(tx Tx) error {
		r, err := heldBy(tx, v, registrationID)
		if err != nil {
			return err
		}
		event, known := o.Events.EventByCode(r.EventCode)
		if !known {
			return fmt.Errorf("payment due: registration %s has no event %q", r.ID, r.EventCode)
		}
		due = Due{Registration: *r, Event: event}
		if r.Paid() { // nothing: what it used, and what has closed since, is no matter any more
			t, err := tx.Transaction(r.PaidTxnID)
			if err == nil {
				due.Price = t.price()
			}
			return err
		}
		if due.Open, err = tx.OpenTransaction(r.ID); err != nil {
			return err
		}
		switch {
		case due.Open != nil && due.Open.State == PayReview:
			due.Refusal = beingChecked
		case due.Open == nil:
			due.Refusal = event.Closed(o.Clock())
		}
		if due.Open != nil && (due.Open.State == PayReview || o.Clock().Before(due.Open.ExpiresAt)) {
			due.Price = due.Open.price()
		} else {
			due.Open = nil
			due.Price, _, err = o.priceWith(tx, event, r.CouponCode, r.Phone)
			if problem := AsProblem(err); problem != nil {
				due.CouponGone = problem.Message
				due.Price, _, err = o.priceWith(tx, event, "", r.Phone)
			}
			if err != nil {
				return err
			}
		}
		for _, name := range o.GatewaysFor(event) {
			gateway, _ := o.gateway(name)
			due.Methods = append(due.Methods, Method{name, charge(gateway, event, due.Price)})
		}
		return nil
	})
	return due, err
}

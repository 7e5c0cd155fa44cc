package payment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// Due is what a registration owes, for the page to come back to.
type Due struct {
	Registration enrol.Registration
	Event        admission.Event
	Price        enrol.Price // frozen by the attempt that is open or has paid, else with the coupon as it stands now
	Methods      []Method
	Silent       []Method     // would be offered, and do not answer at the moment
	Failed       Transaction  // the last attempt, where that did not go through; else the zero value
	Open         *Transaction // nil where no attempt is open
	Payment      *Transaction // that counts: which has paid, else the one in review, else the last; nil: none
	CouponGone   string       // why the coupon no longer counts; "" where it does, or there is none
	Refusal      string       // why nothing can be paid now: closed, or a payment is being checked; "" where it can
}

// Method is a gateway that is offered, and what it would charge.
type Method struct {
	method.Descriptor
	Charge admission.Money
}

// Choice reports whether the visitor is to say how to pay before an attempt begins: there is more than one way to.
func (d Due) Choice() bool {
	return d.Open == nil && d.Refusal == "" && d.CouponGone == "" && d.Price.Final.Minor > 0 && len(d.Methods) > 1
}

// Chosen returns the method that is chosen until the visitor chooses: one that takes nothing, where an open attempt would take
// something; that of the attempt that is open; else the first, but for one that has just failed, where there is another.
func (d Due) Chosen(methods []Method) string {
	free := slices.IndexFunc(methods, func(m Method) bool { return m.Charge.Minor == 0 })
	switch i := slices.IndexFunc(methods, func(m Method) bool { return m.Name != d.Failed.Gateway }); {
	case d.Open != nil && d.Refusal == "" && free >= 0:
		return methods[free].Name
	case d.Open != nil && (d.Open.Gateway != d.Failed.Gateway || i < 0):
		return d.Open.Gateway
	case i >= 0:
		return methods[i].Name
	}
	return d.Failed.Gateway
}

// Due returns what a registration of the visitor owes; it starts and holds nothing.
func (s *Service) Due(ctx context.Context, v admission.Visitor, registrationID string) (due Due, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		r, err := enrol.HeldBy(tx, v, registrationID)
		if err != nil {
			return err
		}
		event, known := s.Events.EventByCode(r.EventCode)
		if !known {
			return fmt.Errorf("payment due: registration %s has no event %q", r.ID, r.EventCode)
		}
		due = Due{Registration: *r, Event: event}
		if r.Paid() { // nothing: what it used, and what has closed since, is no matter any more
			if due.Payment, err = tx.Transaction(r.PaidTxnID); err == nil {
				due.Price = due.Payment.price()
			}
			return err
		}
		if due.Open, err = tx.OpenTransaction(r.ID); err != nil {
			return err
		}
		looked, err := tx.ReviewOf(r.ID)
		if err != nil {
			return err
		}
		switch {
		case looked != nil:
			due.Open, due.Refusal = looked, enrol.BeingChecked
		case due.Open == nil:
			due.Refusal = event.Closed(s.Clock())
		case !s.Clock().Before(due.Open.ExpiresAt):
			due.Open = nil
		}
		next, gone, err := s.nextPrice(tx, event, r, due.Open)
		if err != nil {
			return err
		}
		due.Price, due.CouponGone = next, gone
		if due.Open != nil {
			due.Price, due.CouponGone = due.Open.price(), ""
		}
		for _, entry := range s.Gateways.chargeable(event) {
			way := Method{entry.Descriptor, charge(entry, event, next)}
			goesOn := due.Open != nil && due.Open.Gateway == entry.Name
			if goesOn {
				way.Charge = due.Open.Charge
			}
			if entry.silent() && !goesOn {
				due.Silent = append(due.Silent, way)
			} else {
				due.Methods = append(due.Methods, way)
			}
		}
		last, err := tx.LastTransaction(r.ID)
		if err != nil || last == nil {
			return err
		}
		if last.Outcome() == OutcomeFailed {
			due.Failed = *last
		}
		due.Payment = cmp.Or(looked, last)
		return nil
	})
	return due, err
}

// nextPrice is what the next attempt would be for, and why the registration's coupon does not count in it. One that the open
// attempt holds counts on.
func (s *Service) nextPrice(tx Tx, event admission.Event, r *enrol.Registration, open *Transaction) (price enrol.Price, gone string, err error) {
	if open != nil && open.CouponCode == r.CouponCode {
		return open.price(), "", nil
	}
	price, _, err = s.Enrol.Price(tx, event, r.CouponCode, r.Phone)
	if problem := admission.AsProblem(err); problem != nil {
		gone = problem.Message
		price, _, err = s.Enrol.Price(tx, event, "", r.Phone)
	}
	return price, gone, err
}

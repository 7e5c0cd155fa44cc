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

// Due describes what a registration owes and how it can be paid.
type Due struct {
	Registration enrol.Registration
	Event        admission.Event
	Price        enrol.Price // of the open or paid attempt, otherwise with the coupon's current discount
	Methods      []Method
	Unavailable  []Method     // offered, but not answering at the moment
	Failed       Transaction  // the last attempt if it failed, otherwise the zero value
	Open         *Transaction // the open attempt or nil
	Payment      *Transaction // the paid attempt, else the one in review, else the last; nil: none
	Refund       Refund       // the last one of Payment; the zero Refund for none
	CouponGone   string       // why the coupon no longer counts; "" if it does, or if there is none
	Refusal      string       // why nothing can be paid now: closed, or a payment is in review; "" if it can
}

// Method is an offered gateway with the amount that it would charge.
type Method struct {
	method.Descriptor
	Charge admission.Money
}

// Choice reports whether the visitor must choose a method before an attempt starts.
func (d Due) Choice() bool {
	return d.Open == nil && d.Refusal == "" && d.CouponGone == "" && d.Price.Final.Minor > 0 && len(d.Methods) > 1
}

// Chosen returns the preselected method: with an open attempt, one that is free of charge or the attempt's own; otherwise
// the first, skipping the one that has just failed if there is another.
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

// Due returns what a registration of the visitor owes. It changes nothing.
func (s *Service) Due(ctx context.Context, v admission.Visitor, registrationID string) (due Due, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		r, err := enrol.RegistrationFor(tx, v, registrationID)
		if err != nil {
			return err
		}
		event, known := s.Events.EventByCode(r.EventCode)
		if !known {
			return fmt.Errorf("payment due: registration %s has no event %q", r.ID, r.EventCode)
		}
		due = Due{Registration: *r, Event: event}
		if r.Paid() {
			if due.Payment, err = tx.Transaction(r.PaidTxnID); err == nil {
				due.Price = due.Payment.price()
			}
			return err
		}
		if due.Open, err = tx.OpenTransaction(r.ID); err != nil {
			return err
		}
		inReview, err := tx.ReviewOf(r.ID)
		if err != nil {
			return err
		}
		switch {
		case inReview != nil:
			due.Open, due.Refusal = inReview, enrol.BeingChecked
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
			offered := Method{entry.Descriptor, charge(entry, event, next)}
			isOpen := due.Open != nil && due.Open.Gateway == entry.Name
			if isOpen {
				offered.Charge = due.Open.Charge
			}
			if entry.unavailable() && !isOpen {
				due.Unavailable = append(due.Unavailable, offered)
			} else {
				due.Methods = append(due.Methods, offered)
			}
		}
		last, err := tx.LastTransaction(r.ID)
		if err != nil || last == nil {
			return err
		}
		if last.Outcome() == OutcomeFailed {
			due.Failed = *last
		}
		due.Payment = cmp.Or(inReview, last)
		refunds, err := tx.RefundsOf(due.Payment.ID)
		if len(refunds) > 0 {
			due.Refund = refunds[len(refunds)-1]
		}
		return err
	})
	return due, err
}

// nextPrice returns the price of the next attempt and why the registration's coupon does not count in it ("" if it does).
// A coupon held by the open attempt still counts.
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

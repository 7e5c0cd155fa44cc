// Package status decides the status of a registration. Pages, API and timeline read it.
package status

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// Phase is the stage of a registration, stored in the column registrations.phase.
type Phase string

// The phases, in the usual order.
const (
	Form               Phase = "form"                // the application lacks an answer or the agreement to its terms
	FeeDue             Phase = "fee_due"             // the fee can be paid; no attempt yet
	PaymentOpen        Phase = "payment_open"        // an attempt can still be paid
	PaymentFailed      Phase = "payment_failed"      // the last attempt failed
	PaymentExpired     Phase = "payment_expired"     // the last attempt expired unpaid
	PaymentReturned    Phase = "payment_returned"    // the last attempt paid a wrong amount, which is refunded
	PaymentReview      Phase = "payment_review"      // staff check a payment
	Closed             Phase = "closed"              // not paid, and the event is closed
	Enrolled           Phase = "enrolled"            // paid; the event has days ahead
	EventOver          Phase = "event_over"          // paid; the event has no day ahead
	DocumentsDue       Phase = "documents_due"       // paid; documents are missing
	DocumentsSubmitted Phase = "documents_submitted" // staff read the documents
	RefundPending      Phase = "refund_pending"      // the whole fee is to be refunded; the provider has not accepted it
	RefundSent         Phase = "refund_sent"         // the provider has accepted it; the money should arrive
	Refunded           Phase = "refunded"            // the whole fee was refunded
	ChargedBack        Phase = "charged_back"        // the payer's bank took the fee back in a dispute
	Erased             Phase = "erased"              // the person was deleted
)

// Phases lists every phase.
var Phases = []Phase{
	Form, FeeDue, PaymentOpen, PaymentFailed, PaymentExpired, PaymentReturned, PaymentReview, Closed,
	Enrolled, EventOver, DocumentsDue, DocumentsSubmitted, RefundPending, RefundSent, Refunded, ChargedBack, Erased,
}

// The jobs that keep registrations.phase up to date.
const (
	JobRenew    = "phases"     // registrations whose phase has ended by time
	JobRenewAll = "phases-all" // all registrations: the content may have changed an event's days
)

// Action is what the person can do next.
type Action string

const (
	NoAction        Action = ""
	CompleteForm    Action = enrol.ActionForm
	PayNow          Action = enrol.ActionPay
	UploadDocuments Action = enrol.ActionUpload
	DownloadInvoice Action = enrol.ActionInvoice
)

// Assignee is who must act next.
type Assignee string

const (
	Person Assignee = "person" // the registration's owner
	Staff  Assignee = "staff"
	Nobody Assignee = "nobody"
)

// Fee is what has become of the fee in a phase.
type Fee string

const (
	NoFee      Fee = ""        // the phase hides it
	FeeUnpaid  Fee = "unpaid"  // nothing was tried yet
	FeeWaiting Fee = "waiting" // the bank or staff decide
	FeeMissing Fee = "missing" // what was tried did not pay it
	FeePaid    Fee = "paid"
	FeeBack    Fee = "back" // refunded, or on its way back
)

// Facts are the input of a registration's status.
type Facts struct {
	Registration enrol.Registration
	Event        admission.Event // without Code if the content no longer has the event
	Payment
}

// Payment holds the facts outside the registration's row.
type Payment struct {
	Transaction *payment.Transaction // the one that paid the registration, else the one in review, else the last; nil for none
	Invoiced    bool                 // an invoice was issued for Transaction
	Refund      Refund
}

// Refund is what is known of the refunds of a payment.
type Refund struct {
	SentAt      time.Time // when the last one was sent that the provider accepted; zero: none, or another one is to follow
	ChargedBack bool      // the payer's bank took the payment back in a dispute
}

// Status is the status of a registration at one moment.
type Status struct {
	Product     enrol.Product
	Phase       Phase
	PhaseIfOpen Phase // the phase if the event were open; equals Phase unless that is Closed
	Money       Money // of Facts.Payment
	Action      Action
	Assignee    Assignee
	Deadline    time.Time // of the assignee; zero for none
	Until       time.Time // when time alone changes the phase; zero for never
}

// rule is a row of the table below.
type rule struct {
	action   Action
	assignee Assignee
	fee      Fee
}

// rules holds action, assignee and fee of each phase of each product. A phase that a product lacks has no row.
var rules = map[enrol.Product]map[Phase]rule{
	enrol.ProductEnrolment: {
		FeeDue:          {CompleteForm, Person, FeeUnpaid},
		PaymentOpen:     {PayNow, Staff, FeeWaiting},
		PaymentFailed:   {PayNow, Person, FeeMissing},
		PaymentExpired:  {PayNow, Person, FeeMissing},
		PaymentReturned: {PayNow, Person, FeeMissing},
		PaymentReview:   {NoAction, Staff, FeeWaiting},
		Closed:          {NoAction, Nobody, NoFee},
		Enrolled:        {DownloadInvoice, Staff, FeePaid},
		EventOver:       {DownloadInvoice, Nobody, FeePaid},
		RefundPending:   {DownloadInvoice, Staff, FeeBack},
		RefundSent:      {DownloadInvoice, Staff, FeeBack},
		Refunded:        {DownloadInvoice, Nobody, FeeBack},
		ChargedBack:     {DownloadInvoice, Nobody, FeeBack},
		Erased:          {NoAction, Nobody, NoFee},
	},
	enrol.ProductApplication: {
		Form:               {CompleteForm, Person, FeeUnpaid},
		FeeDue:             {PayNow, Person, FeeUnpaid}, // the form is final: only the fee is missing
		PaymentOpen:        {PayNow, Staff, FeeWaiting},
		PaymentFailed:      {PayNow, Person, FeeMissing},
		PaymentExpired:     {PayNow, Person, FeeMissing},
		PaymentReturned:    {PayNow, Person, FeeMissing},
		PaymentReview:      {NoAction, Staff, FeeWaiting},
		Closed:             {NoAction, Nobody, NoFee},
		DocumentsDue:       {UploadDocuments, Person, FeePaid},
		DocumentsSubmitted: {DownloadInvoice, Staff, FeePaid},
		RefundPending:      {DownloadInvoice, Staff, FeeBack},
		RefundSent:         {DownloadInvoice, Staff, FeeBack},
		Refunded:           {DownloadInvoice, Nobody, FeeBack},
		ChargedBack:        {DownloadInvoice, Nobody, FeeBack},
		Erased:             {NoAction, Nobody, NoFee},
	},
}

// Has reports whether registrations of a product can be in a phase.
func Has(product enrol.Product, phase Phase) bool {
	_, has := rules[product][phase]
	return has
}

// AssigneeOf returns who acts in a phase of a product; Nobody for a phase that the product lacks.
func AssigneeOf(product enrol.Product, phase Phase) Assignee {
	if rule, has := rules[product][phase]; has {
		return rule.assignee
	}
	return Nobody
}

// FeeOf returns what has become of the fee in a phase of a product; NoFee for a phase that the product lacks.
func FeeOf(product enrol.Product, phase Phase) Fee { return rules[product][phase].fee }

// readingDays is the deadline for reading submitted documents, in business days.
const readingDays = 7

// Of returns the status of the facts now.
func Of(f Facts, now time.Time) Status {
	r := &f.Registration
	s := Status{Product: r.Product(), Money: f.money(now)}
	s.PhaseIfOpen = f.phase(s.Money, now)
	s.Phase = s.PhaseIfOpen
	if f.closable(s.Phase) && f.Event.Closed(now) != "" {
		s.Phase = Closed
	}
	rule := rules[s.Product][s.Phase]
	s.Action, s.Assignee = rule.action, rule.assignee
	if s.Action == DownloadInvoice && !f.Invoiced {
		s.Action = NoAction
	}
	s.Deadline, s.Until = f.deadline(s.Phase), f.until(s, now)
	return s
}

// refundOver returns the end of the day by which a refund should arrive.
func refundOver(sent time.Time) time.Time {
	return admission.Midnight(admission.BusinessDays(sent, payment.RefundDays)).AddDate(0, 0, 1)
}

// phase returns the phase of a registration whose event is open.
func (f Facts) phase(money Money, now time.Time) Phase {
	r := &f.Registration
	back := RefundPhase(r, money, f.Refund, now)
	switch {
	case !r.HasPerson():
		return Erased
	case back != "":
		return back
	case money == MoneyReview:
		return PaymentReview
	}
	switch r.Step {
	case enrol.StepComplete:
		switch {
		case r.IsApplication():
			return DocumentsSubmitted
		case !now.Before(f.lastDay()):
			return EventOver
		}
		return Enrolled
	case enrol.StepPaid:
		return DocumentsDue
	case enrol.StepPaying, enrol.StepUnpaid:
		return unpaid[money]
	case enrol.StepAgreed:
		return FeeDue
	}
	if r.IsApplication() {
		return Form
	}
	return FeeDue
}

// RefundPhase returns the phase of the refund of a registration's whole fee; "" for none. money is that of its payment.
func RefundPhase(r *enrol.Registration, money Money, refund Refund, now time.Time) Phase {
	switch {
	case !r.Refunded && !(r.Paid() && money == MoneyReturning):
		return ""
	case r.Refunded && refund.ChargedBack:
		return ChargedBack
	case money == MoneyDueBack, money == MoneyHeld, money == MoneyReturning && refund.SentAt.IsZero():
		return RefundPending
	case money != MoneyNone && now.Before(refundOver(refund.SentAt)):
		return RefundSent
	}
	return Refunded
}

// unpaid maps the outcome of the last attempt to the phase of an unpaid registration.
var unpaid = map[Money]Phase{
	MoneyNone:      PaymentFailed,
	MoneyOpen:      PaymentOpen,
	MoneyFailed:    PaymentFailed,
	MoneyExpired:   PaymentExpired,
	MoneyPaid:      PaymentFailed,
	MoneyDueBack:   PaymentReturned,
	MoneyHeld:      PaymentReturned,
	MoneyReturning: PaymentReturned,
	MoneyReturned:  PaymentReturned,
}

// closable reports whether a phase ends when the event closes. An open attempt can still be paid.
func (f Facts) closable(phase Phase) bool {
	switch phase {
	case Form, FeeDue:
		return f.Event.Code != ""
	case PaymentFailed, PaymentExpired, PaymentReturned:
		return f.Event.Code != "" && f.Registration.Step == enrol.StepUnpaid
	}
	return false
}

// lastDay returns the end of the event's last day; zero for none.
func (f Facts) lastDay() (end time.Time) {
	for _, day := range f.Event.Days {
		if next := day.On.AddDate(0, 0, 1); next.After(end) {
			end = next
		}
	}
	return end
}

// deadline returns the assignee's deadline in a phase.
func (f Facts) deadline(phase Phase) time.Time {
	r, t := &f.Registration, f.Transaction
	switch phase {
	case FeeDue, PaymentFailed, PaymentExpired, PaymentReturned:
		return f.Event.ClosesAt
	case PaymentOpen:
		return t.ExpiresAt
	case PaymentReview:
		return admission.BusinessDays(t.SettledAt, payment.StaffDays)
	case DocumentsSubmitted:
		return admission.BusinessDays(r.ModifiedAt, readingDays)
	case RefundSent:
		return admission.BusinessDays(f.Refund.SentAt, payment.RefundDays)
	}
	return time.Time{}
}

// until returns when time alone changes the phase of s; zero for never.
func (f Facts) until(s Status, now time.Time) time.Time {
	switch s.Phase {
	case PaymentOpen:
		return f.Transaction.ExpiresAt
	case Enrolled:
		return f.lastDay()
	case RefundSent:
		return refundOver(f.Refund.SentAt)
	case Closed:
		if now.Before(f.Event.OpensAt) {
			return f.Event.OpensAt
		}
	}
	if f.closable(s.Phase) {
		return f.Event.ClosesAt
	}
	return time.Time{}
}

// NeedsPayment reports whether a registration's status depends on its payments, which it does once it can be paid.
func NeedsPayment(r *enrol.Registration) bool {
	return r.Step >= enrol.StepPaying
}

// Package status decides how a registration stands. Pages, API, timeline and staff lists all read its answer.
package status

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// Phase is where a registration is on its way from the first verified phone to its end. The column registrations.phase holds it.
type Phase string

// The phases, in the order in which a registration can come to them.
const (
	Form               Phase = "form"                // an answer of the application, or the agreement to its terms, is missing
	FeeDue             Phase = "fee_due"             // the fee can be paid, and nobody has tried
	PaymentOpen        Phase = "payment_open"        // an attempt can still be paid
	PaymentFailed      Phase = "payment_failed"      // the last attempt did not go through
	PaymentExpired     Phase = "payment_expired"     // the time of the last attempt ran out, unpaid
	PaymentReturned    Phase = "payment_returned"    // the last attempt brought another sum than asked for, which goes back
	PaymentReview      Phase = "payment_review"      // staff check a payment
	Closed             Phase = "closed"              // not paid, and the event takes nobody at the moment
	Enrolled           Phase = "enrolled"            // paid; days of the event are ahead
	EventOver          Phase = "event_over"          // paid; the event has no day ahead
	DocumentsDue       Phase = "documents_due"       // paid; documents are missing
	DocumentsSubmitted Phase = "documents_submitted" // staff read the documents
	RefundPending      Phase = "refund_pending"      // the whole fee is on its way back
	Refunded           Phase = "refunded"            // the whole fee has gone back
	ChargedBack        Phase = "charged_back"        // the payer's bank took the fee back in a dispute
	Erased             Phase = "erased"              // the person was deleted
)

// Phases lists every phase.
var Phases = []Phase{
	Form, FeeDue, PaymentOpen, PaymentFailed, PaymentExpired, PaymentReturned, PaymentReview, Closed,
	Enrolled, EventOver, DocumentsDue, DocumentsSubmitted, RefundPending, Refunded, ChargedBack, Erased,
}

// The jobs that keep registrations.phase true.
const (
	JobRenew    = "phases"     // of registrations whose phase time has ended
	JobRenewAll = "phases-all" // of all registrations: the content may have moved the days of an event
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

// Assignee is who has to do something before a registration moves on.
type Assignee string

const (
	Person Assignee = "person" // whose registration it is
	Staff  Assignee = "staff"
	Nobody Assignee = "nobody"
)

// Facts are what the status of one registration is decided from.
type Facts struct {
	Registration enrol.Registration
	Event        admission.Event // without a Code where the content no longer has the event
	Payment
}

// Payment is the part of Facts that lies beside the registration's own row.
type Payment struct {
	Transaction *payment.Transaction // which paid the registration, else which is in review, else the last; nil: none
	Invoiced    bool                 // an invoice was issued for Transaction
	ChargedBack bool                 // the payer's bank took Transaction back in a dispute
}

// Status is how a registration stands at one moment.
type Status struct {
	Product  enrol.Product
	Phase    Phase
	Unclosed Phase // the phase that the registration would be in if its event were open; equal to Phase unless that is Closed
	Money    Money // of the payment that counts
	Action   Action
	Assignee Assignee
	Deadline time.Time // by when the assignee acts; zero: there is none
	Until    time.Time // when time alone ends the phase; zero: never
}

// rule is a row of the table below.
type rule struct {
	action   Action
	assignee Assignee
}

// rules hold what each phase of each product asks for. A phase that a product lacks has no row.
var rules = map[enrol.Product]map[Phase]rule{
	enrol.ProductEnrolment: {
		FeeDue:          {CompleteForm, Person},
		PaymentOpen:     {PayNow, Person},
		PaymentFailed:   {PayNow, Person},
		PaymentExpired:  {PayNow, Person},
		PaymentReturned: {PayNow, Person},
		PaymentReview:   {NoAction, Staff},
		Closed:          {NoAction, Nobody},
		Enrolled:        {DownloadInvoice, Staff},
		EventOver:       {DownloadInvoice, Nobody},
		RefundPending:   {DownloadInvoice, Staff},
		Refunded:        {DownloadInvoice, Nobody},
		ChargedBack:     {DownloadInvoice, Nobody},
		Erased:          {NoAction, Nobody},
	},
	enrol.ProductApplication: {
		Form:               {CompleteForm, Person},
		FeeDue:             {CompleteForm, Person}, // spec §4: the list shows Complete Form until somebody tries to pay
		PaymentOpen:        {PayNow, Person},
		PaymentFailed:      {PayNow, Person},
		PaymentExpired:     {PayNow, Person},
		PaymentReturned:    {PayNow, Person},
		PaymentReview:      {NoAction, Staff},
		Closed:             {NoAction, Nobody},
		DocumentsDue:       {UploadDocuments, Person},
		DocumentsSubmitted: {DownloadInvoice, Staff},
		RefundPending:      {DownloadInvoice, Staff},
		Refunded:           {DownloadInvoice, Nobody},
		ChargedBack:        {DownloadInvoice, Nobody},
		Erased:             {NoAction, Nobody},
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

const (
	// RefundArrives is how long a refund takes: 7 business days, with the weekends and holidays between them.
	RefundArrives = 14 * 24 * time.Hour
	// readingDays is within how many business days submitted documents are read.
	readingDays = 7
	// reviewDays is within how many business days staff look at a payment (decisions §8).
	reviewDays = 1
)

// Of returns the status that the facts amount to now.
func Of(f Facts, now time.Time) Status {
	r := &f.Registration
	s := Status{Product: r.Product(), Money: f.money(now)}
	s.Unclosed = f.phase(s.Money, now)
	s.Phase = s.Unclosed
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

// phase returns the phase of a registration whose event is open.
func (f Facts) phase(money Money, now time.Time) Phase {
	r := &f.Registration
	switch {
	case !r.HasPerson():
		return Erased
	case r.Refunded && f.ChargedBack:
		return ChargedBack
	case r.Refunded && f.Transaction != nil && now.Before(r.ModifiedAt.Add(RefundArrives)), r.Paid() && money == MoneyReturning:
		return RefundPending
	case r.Refunded:
		return Refunded
	case money == MoneyReview:
		return PaymentReview
	}
	switch r.Step {
	case enrol.StepComplete:
		switch {
		case r.IsApplication():
			return DocumentsSubmitted
		case f.lastDay().IsZero() || !now.Before(f.lastDay()):
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

// unpaid holds the phase of a registration that was tried to pay, by what came of the last attempt.
var unpaid = map[Money]Phase{
	MoneyNone:      PaymentFailed,
	MoneyOpen:      PaymentOpen,
	MoneyFailed:    PaymentFailed,
	MoneyExpired:   PaymentExpired,
	MoneyPaid:      PaymentFailed,
	MoneyDueBack:   PaymentReturned,
	MoneyReturning: PaymentReturned,
	MoneyReturned:  PaymentReturned,
}

// closable reports whether a phase ends when the event takes nobody any more. An attempt that is open can still be paid.
func (f Facts) closable(phase Phase) bool {
	switch phase {
	case Form, FeeDue:
		return f.Event.Code != ""
	case PaymentFailed, PaymentExpired, PaymentReturned:
		return f.Event.Code != "" && f.Registration.Step == enrol.StepUnpaid
	}
	return false
}

// lastDay returns the end of the event's last day; zero where it has none.
func (f Facts) lastDay() (end time.Time) {
	for _, day := range f.Event.Days {
		if next := day.On.AddDate(0, 0, 1); next.After(end) {
			end = next
		}
	}
	return end
}

// deadline returns by when the assignee of a phase acts.
func (f Facts) deadline(phase Phase) time.Time {
	r, t := &f.Registration, f.Transaction
	switch phase {
	case FeeDue, PaymentFailed, PaymentExpired, PaymentReturned:
		return f.Event.ClosesAt
	case PaymentOpen:
		return t.ExpiresAt
	case PaymentReview:
		return admission.BusinessDays(t.SettledAt, reviewDays)
	case DocumentsSubmitted:
		return admission.BusinessDays(r.ModifiedAt, readingDays)
	case RefundPending:
		return r.ModifiedAt.Add(RefundArrives)
	}
	return time.Time{}
}

// until returns when time alone ends the phase of a status.
func (f Facts) until(s Status, now time.Time) time.Time {
	switch s.Phase {
	case PaymentOpen:
		return f.Transaction.ExpiresAt
	case Enrolled:
		return f.lastDay()
	case RefundPending:
		if f.Registration.Refunded {
			return f.Registration.ModifiedAt.Add(RefundArrives)
		}
	case Closed:
		if now.Before(f.Event.OpensAt) {
			return f.Event.OpensAt
		}
	}
	if f.closable(s.Phase) && now.Before(f.Event.ClosesAt) {
		return f.Event.ClosesAt
	}
	return time.Time{}
}

// NeedsPayment reports whether the status of a registration depends on its payments: before anybody can pay, it does not.
func NeedsPayment(r *enrol.Registration) bool {
	return r.Step >= enrol.StepPaying
}

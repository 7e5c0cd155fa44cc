package pages

import (
	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/content"
)

// RefundUntil returns until when a fee for an event is refunded, and what is offered afterwards.
func (k *Kit) RefundUntil(event content.Event) string {
	return admission.RefundTerms(event.RefundUntil().Time, event.Exam.Time, k.Clock())
}

// What happens to the fee if the rank has no scholarship, told to the student and to a guardian.
const (
	noScholarship         = "No refund if you do not win a scholarship. You owe nothing unless you join."
	noScholarshipGuardian = "No refund if the student does not win a scholarship."
)

// RefundTime is the time a refund takes, from the Refund Policy.
const RefundTime = "7 business days"

// SurplusTime is the time in which a payment that was not accepted goes back. It ends with payment.SurplusDays.
const SurplusTime = "3-4 business days"

// Refund returns RefundUntil, and that a result is no reason for a refund where some ranks get nothing.
func (k *Kit) Refund(event content.Event) string { return k.refund(event, noScholarship) }

// RefundForGuardian returns the same for a guardian.
func (k *Kit) RefundForGuardian(event content.Event) string {
	return k.refund(event, noScholarshipGuardian)
}

func (k *Kit) refund(event content.Event, noScholarship string) string {
	if len(event.Seats) == 0 {
		return k.RefundUntil(event)
	}
	return k.RefundUntil(event) + " " + noScholarship
}

// Taxes returns which taxes a price includes, as on today's invoice.
func (k *Kit) Taxes() string {
	if supplier := k.Invoices.Supplier(k.Clock()); supplier != nil {
		return india.Percent(supplier.RateBP) + " GST included"
	}
	return "All taxes included"
}

// Payee returns the company that receives payments today.
func (k *Kit) Payee() string {
	if supplier := k.Invoices.Supplier(k.Clock()); supplier != nil {
		return supplier.Name
	}
	return k.Content.Current().Site().LegalName
}

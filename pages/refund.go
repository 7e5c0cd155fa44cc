package pages

import (
	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/content"
)

// RefundUntil says until when a fee for an event is returned, and what there is instead.
func (k *Kit) RefundUntil(event content.Event) string {
	return admission.RefundTerms(event.RefundUntil().Time, event.Exam.Time, k.Clock())
}

// withoutScholarship is what becomes of the fee of whom the rank gives nothing, in words that a parent reads too.
const withoutScholarship = "If the rank has no scholarship, the fee is not returned, and nothing more is owed."

// BackWithin is how long a fee takes that was sent back, as the Refund Policy says it.
const BackWithin = "7 business days"

// Refund says it whole: also that a result is no reason, where some ranks get nothing.
func (k *Kit) Refund(event content.Event) string {
	if len(event.Seats) == 0 {
		return k.RefundUntil(event)
	}
	return k.RefundUntil(event) + " " + withoutScholarship
}

// Taxes says what a price has in it, as the invoice of today would: its tax at its rate, where one is issued.
func (k *Kit) Taxes() string {
	if supplier := k.Invoices.Supplier(k.Clock()); supplier != nil {
		return india.Percent(supplier.RateBP) + " GST included"
	}
	return "All taxes included"
}

// Payee is who takes the money today.
func (k *Kit) Payee() string {
	if supplier := k.Invoices.Supplier(k.Clock()); supplier != nil {
		return supplier.Name
	}
	return k.Content.Current().Site().LegalName
}

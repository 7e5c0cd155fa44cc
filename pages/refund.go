package pages

import (
	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/content"
)

// Refund says until when a fee for an event is returned, what there is instead, and, where some ranks get nothing, that a result
// is no reason.
func (k *Kit) Refund(event content.Event) string {
	terms := admission.RefundTerms(event.RefundUntil().Time, event.Exam.Time, k.Clock())
	if len(event.Seats) == 0 {
		return terms
	}
	return terms + " A rank without a scholarship is no reason for a refund, and you owe nothing more."
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

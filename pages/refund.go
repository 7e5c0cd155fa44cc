package pages

import (
	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/content"
)

// Refund says until when a fee for an event is returned, and what there is instead.
func (k *Kit) Refund(event content.Event) string {
	return admission.RefundTerms(event.RefundUntil().Time, event.Exam.Time, k.Clock())
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

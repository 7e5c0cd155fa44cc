package pages

import (
	"hiresure/admission"
	"hiresure/content"
)

// Refund says until when a fee for an event is returned.
func (k *Kit) Refund(event content.Event) string {
	return admission.RefundTerms(event.RefundUntil().Time, k.Clock())
}

// Payee is who takes the money today.
func (k *Kit) Payee() string {
	if supplier := k.Invoices.Supplier(k.Clock()); supplier != nil {
		return supplier.Name
	}
	return k.Content.Current().Site().LegalName
}

package pages

import (
	"hiresure/admission"
	"hiresure/content"
)

// Refund says until when a fee for an event is returned.
func (k *Kit) Refund(event content.Event) string {
	return admission.RefundTerms(event.RefundUntil().Time, k.Clock())
}

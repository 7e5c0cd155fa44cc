package pages

import (
	"hiresure/admission"
	"hiresure/content"
)

// Refund says until when a fee that is paid now comes back.
func (k *Kit) Refund(event content.Event) string {
	last := event.RefundUntil()
	if last.Over(k.Clock()) {
		return "The fee was returned in full until " + admission.Date(last.Time) + ". It is not returned any more."
	}
	return "The fee is returned in full until " + admission.Date(last.Time) + ". After that it is not returned."
}

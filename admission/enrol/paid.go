package enrol

import (
	"time"

	"hiresure/admission"
)

// SetPaid ends an enrolment, or brings an application to its documents: it is paid by a payment, with a coupon or none. Who
// is enrolled owns a ticket and a referral code.
func (r *Registration) SetPaid(tx Tx, event admission.Event, txnID, couponCode string, at time.Time) error {
	r.PaidTxnID, r.CouponCode = txnID, couponCode
	if r.IsApplication() {
		return r.Move(tx, StepPaid, at)
	}
	if err := r.IssueTicket(tx, event, at); err != nil {
		return err
	}
	return r.Move(tx, StepComplete, at)
}

// FeeOf is what a payment's description and its invoice call the fee.
func FeeOf(event admission.Event) string {
	if event.Code == ApplicationCode {
		return "Application fee – " + event.Title
	}
	return "Registration fee – " + event.Title
}

// Named returns what a mail says of a payment, with what it was for.
func (r *Registration) Named(event admission.Event, params map[string]string) map[string]string {
	params["Programme"] = event.Title
	if r.IsApplication() {
		params["Application"] = "yes"
	}
	return params
}

// Receipt is the mail that confirms a payment: its template, and all that it says beside the links to receipt and invoice.
// late: we had said before that the payment did not go through.
func (r *Registration) Receipt(event admission.Event, charge admission.Money, late bool, baseURL string, now time.Time) (template string, params map[string]string) {
	free := ""
	if charge.Minor == 0 {
		free = "yes"
	}
	if r.IsApplication() {
		return "receipt-application", map[string]string{
			"Name": r.FullName, "Programme": event.Title, "For": event.FeeFor, "Amount": charge.String(), "Free": free,
		}
	}
	params = r.TicketParams(event, baseURL, now)
	params["Amount"] = charge.String()
	if charge.Minor > 0 && !event.RefundUntil.IsZero() {
		params["Refund"] = admission.RefundTerms(event.RefundUntil, now)
	}
	switch {
	case charge.Minor == 0:
		template = "receipt-free"
	case late:
		template = "receipt-late"
	default:
		template = "receipt"
	}
	return template, params
}

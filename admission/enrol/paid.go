package enrol

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
	"hiresure/paths"
)

// SetPaid ends an enrolment, or brings an application to its documents: it is paid by a payment, with a coupon or none. Who
// is enrolled owns a ticket and a referral code.
func (r *Registration) SetPaid(tx Tx, event admission.Event, txnID, couponCode string, at time.Time) error {
	r.PaidTxnID, r.CouponCode = txnID, couponCode
	if err := paper.Queue(tx, paper.Receipt, txnID, r.ID, txnID, at); err != nil {
		return err
	}
	if r.IsApplication() {
		return r.Move(tx, StepPaid, at)
	}
	if err := r.IssueTicket(tx, event, at); err != nil {
		return err
	}
	if err := paper.Queue(tx, paper.Ticket, txnID, r.ID, txnID, at); err != nil {
		return err
	}
	return r.Move(tx, StepComplete, at)
}

// ResultPath is the page that tells how a payment has ended, where an attempt names no other.
func (r *Registration) ResultPath() string {
	if r.IsApplication() {
		return paths.Fee
	}
	return paths.Result
}

// UnpaidPath is the page from which what is not paid can be paid, on any device: it asks for a sign-in.
func (r *Registration) UnpaidPath() string {
	if r.IsApplication() {
		return paths.Fee
	}
	return paths.Registration(r.ID)
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

// told is a condition as a message's template asks for it.
func told(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

// Receipt is the mail that confirms a payment: its template, and all that it says beside the links to receipt and invoice.
// late: we had said before that the payment did not go through.
func (r *Registration) Receipt(event admission.Event, charge admission.Money, late bool, baseURL string, now time.Time) (template string, params map[string]string) {
	free := told(charge.Minor == 0)
	if r.IsApplication() {
		return "receipt-application", map[string]string{
			"Name": r.FullName, "Programme": event.Title, "For": event.FeeFor, "Amount": charge.String(), "Free": free,
			"Late": told(late), "UploadURL": baseURL + paths.Upload,
		}
	}
	params = r.TicketParams(event, baseURL, now)
	params["Amount"] = charge.String()
	if charge.Minor > 0 && !event.RefundUntil.IsZero() {
		params["Refund"] = admission.RefundTerms(event.RefundUntil, event.Exam, now)
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

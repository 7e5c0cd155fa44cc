package enrol

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/paper"
	"hiresure/paths"
)

// SetPaid records the payment of a registration. It completes an enrolment, with ticket and referral code, or moves an
// application to its documents.
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

// ResultPath returns the default page for a payment's result.
func (r *Registration) ResultPath() string {
	if r.IsApplication() {
		return paths.Fee
	}
	return paths.Result
}

// UnpaidPath returns the page for paying later on any device. It may require a code or a sign-in.
func (r *Registration) UnpaidPath() string {
	if r.IsApplication() {
		return paths.Fee
	}
	return paths.PayFor(r.ID)
}

// FeeName returns the fee's name for payments and invoices.
func FeeName(event admission.Event) string {
	if event.Code == ApplicationCode {
		return "Application fee – " + event.Title
	}
	return "Registration fee – " + event.Title
}

// PaymentParams adds the programme to the params of a payment mail.
func (r *Registration) PaymentParams(event admission.Event, params map[string]string) map[string]string {
	params["Programme"] = event.Title
	if r.IsApplication() {
		params["Application"] = "yes"
	}
	return params
}

// yesIf returns a condition as message templates expect it.
func yesIf(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

// ReceiptMail returns the template and params of the mail that confirms a payment, without the links to receipt and invoice.
// late reports that we had notified the payer of a failure.
func (r *Registration) ReceiptMail(event admission.Event, charge admission.Money, late bool, baseURL string, now time.Time) (template string, params map[string]string) {
	free := yesIf(charge.Minor == 0)
	if r.IsApplication() {
		return "receipt-application", map[string]string{
			"Name": r.FullName, "Programme": event.Title, "For": event.FeeFor, "Amount": charge.String(), "Free": free,
			"Late": yesIf(late), "UploadURL": baseURL + paths.Upload,
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

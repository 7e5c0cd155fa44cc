package enrol

import (
	"time"

	"hiresure/admission"
)

// longFrom is how many numbers of a prefix have four characters. About every fifth draw meets one of them in the end;
// those that follow have five.
const longFrom = 200_000

// SetPaid ends an enrolment: it is paid by a payment, with a coupon or none, and owns a ticket.
func (r *Registration) SetPaid(tx Tx, event admission.Event, txnID, couponCode string, at time.Time) error {
	r.PaidTxnID, r.CouponCode = txnID, couponCode
	if err := r.IssueTicket(tx, event, at); err != nil {
		return err
	}
	return r.Move(tx, StepComplete, at)
}

// IssueTicket gives a registration its ticket, unless it has one: that stays whatever happens, a refund included. The
// caller holds the registration's lock, and saves it. The year in the number is that in which enrolment for the event
// opens, or that of a moment where the event is known no more.
func (r *Registration) IssueTicket(tx Tx, event admission.Event, at time.Time) error {
	if r.Ticket != "" {
		return nil
	}
	if !event.OpensAt.IsZero() {
		at = event.OpensAt
	}
	prefix := "HS" + at.In(admission.IST).Format("06")
	issued, err := tx.CountTicket(prefix)
	if err != nil {
		return err
	}
	length := 4
	if issued > longFrom {
		length = 5
	}
	for taken := true; taken; {
		r.Ticket = ticketNumber(prefix, admission.Letters(length))
		if taken, err = tx.TicketTaken(r.Ticket); err != nil {
			return err
		}
	}
	r.TicketKey = admission.NewKey()
	return nil
}

// ticketNumber is a number to show and to say: HS26-4K7M-K. It ends with a check of all that stands before. It is never
// an address and never a secret.
func ticketNumber(prefix, drawn string) string {
	return prefix + "-" + drawn + "-" + admission.CheckLetter(prefix+drawn)
}

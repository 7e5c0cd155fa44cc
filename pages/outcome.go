package pages

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
)

// Texts about payments that several pages share.
const (
	OnlyUnpaid   = "Your details are saved. Only the payment is missing."
	BeingChecked = "Your payment is being checked"
	NotAsked     = "What reached us is not what we had asked for"   // incomplete sentence
	NeverAsked   = "We never ask for a code or for money by phone." // warns of fraud
	TakenByBank  = "Taken back by your bank"                        // dispute

	// Before paying again after a failed payment: first this, then OrPayAgain.
	LookInBank = "Check your bank or UPI app first."
	OrPayAgain = "If money was taken, you can wait until it is back, or pay again. If both payments arrive, we refund one."
)

// NotReturnedNote returns when to ask for the money of a failed payment. Without a payment ID it names no date.
func NotReturnedNote(failed payment.Transaction) string {
	if failed.ID == "" {
		return "Not back after 4 business days? Call or write to us."
	}
	by := admission.BusinessDays(failed.CreatedAt, payment.SurplusDays)
	return "Not back by " + admission.DayMonthAndWeekday(by) + "? Call or write to us with the payment ID."
}

// AmountDifference returns how the received amount differs from the requested one.
func AmountDifference(t payment.Transaction) string {
	differs, than := t.Charge.With(t.Charge.Minor-t.Arrived.Minor), " less than the fee of "
	if differs.Minor < 0 {
		differs.Minor, than = -differs.Minor, " more than the fee of "
	}
	switch {
	case t.Arrived.Currency == "": // received by an older version
		return NotAsked + "."
	case t.Arrived.Currency != t.Charge.Currency:
		return "That is not the currency of the fee, " + t.Charge.Short() + "."
	}
	return "That is " + differs.Short() + than + t.Charge.Short() + "."
}

// ReviewDeadline returns the deadline of a payment's review: " by Monday, 30 November"; "" once it has passed.
func ReviewDeadline(t payment.Transaction, now time.Time) string {
	by := admission.BusinessDays(t.SettledAt, payment.StaffDays)
	if admission.ISODate(now) > admission.ISODate(by) {
		return ""
	}
	return " by " + admission.DayMonthAndWeekday(by)
}

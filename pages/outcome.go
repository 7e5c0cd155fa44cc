package pages

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// Texts about payments that several pages share.
const (
	OnlyUnpaid   = "Everything you typed is kept. Only the payment is missing."
	BeingChecked = "Your payment is being checked"
	NotAsked     = "What reached us is not what we had asked for"   // incomplete sentence
	NeverAsked   = "We never ask for a code or for money by phone." // warns of fraud
	TakenByBank  = "Taken back by your bank"                        // dispute

	// Before paying again after a failed payment: first this, then OrPayAgain.
	LookInBank = enrol.CheckBankFirst + " in 3-4 business days."
	OrPayAgain = "You may wait for it, or pay again: if you pay twice, we return one."
)

// NotBack returns from when to ask for the money of a failed payment: after the four business days in which it returns by
// itself. Without a payment number it names no date.
func NotReturnedNote(failed payment.Transaction, now time.Time) string {
	by := admission.BusinessDays(failed.CreatedAt, 4)
	switch {
	case failed.ID == "":
		return "If it is not back after 4 business days, write to us."
	case admission.ISODate(now) > admission.ISODate(by):
		return "It was to be back by " + admission.DayMonthAndWeekday(by) + ". If it is not, write to us with the payment number."
	}
	return "If it is not back by " + admission.DayMonthAndWeekday(by) + ", write to us with the payment number."
}

// Arrived returns how the received amount differs from the requested one.
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

// ReviewDeadline returns the deadline of a payment's review in business days: " by Monday, 30 November"; "" once it has passed.
func ReviewDeadline(t payment.Transaction, days int, now time.Time) string {
	by := admission.BusinessDays(t.SettledAt, days)
	if admission.ISODate(now) > admission.ISODate(by) {
		return ""
	}
	return " by " + admission.DayMonthAndWeekday(by)
}

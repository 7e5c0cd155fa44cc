package pages

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// What several pages say of a payment, in one wording.
const (
	OnlyUnpaid   = "Everything you typed is kept. Only the payment is missing."
	BeingChecked = "Your payment is being checked"
	NotAsked     = "What reached us is not what we had asked for"   // the sentence goes on
	NeverAsked   = "We never ask for a code or for money by phone." // how a fraud is known
	TakenByBank  = "Taken back by your bank"                        // in a dispute

	// Who may pay again after a payment that did not go through knows this first, and then this.
	LookInBank = enrol.CheckBankFirst + " in 3-4 business days."
	OrPayAgain = "You may wait for it, or pay again: if you pay twice, we return one."
)

// NotBack says from when on to ask for money that a payment took which did not go through: after the four business days in
// which it comes back by itself. Of one whose number is not known it names no day.
func NotBack(failed payment.Transaction, now time.Time) string {
	by := admission.BusinessDays(failed.CreatedAt, 4)
	switch {
	case failed.ID == "":
		return "If it is not back after 4 business days, write to us."
	case admission.ISODate(now) > admission.ISODate(by):
		return "It was to be back by " + admission.DayMonthAndWeekday(by) + ". If it is not, write to us with the payment number."
	}
	return "If it is not back by " + admission.DayMonthAndWeekday(by) + ", write to us with the payment number."
}

// Arrived says what came of a payment that is being checked, beside what was asked for.
func Arrived(t payment.Transaction) string {
	differs, than := t.Charge.With(t.Charge.Minor-t.Arrived.Minor), " less than the fee of "
	if differs.Minor < 0 {
		differs.Minor, than = -differs.Minor, " more than the fee of "
	}
	switch {
	case t.Arrived.Currency == "": // came to an older version of the program
		return NotAsked + "."
	case t.Arrived.Currency != t.Charge.Currency:
		return "That is not the currency of the fee, " + t.Charge.Short() + "."
	}
	return "That is " + differs.Short() + than + t.Charge.Short() + "."
}

// CheckedBy is by when a person has looked at a payment that is being checked, within that many business days:
// " by Monday, 30 November"; "" once that is over.
func CheckedBy(t payment.Transaction, days int, now time.Time) string {
	by := admission.BusinessDays(t.SettledAt, days)
	if admission.ISODate(now) > admission.ISODate(by) {
		return ""
	}
	return " by " + admission.DayMonthAndWeekday(by)
}

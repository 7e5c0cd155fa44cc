package enrol

import (
	"time"

	"hiresure/admission"
	"hiresure/paths"
)

// Lengths of a payer's referral code, now and at first. The longer ones cannot be guessed, even if there are a million.
const (
	ownReferralLength   = 10
	firstReferralLength = 8
)

// IsOwnReferral reports whether text has the format of a payer's referral code.
func IsOwnReferral(text string) bool {
	return admission.IsLetters(text, ownReferralLength) || admission.IsLetters(text, firstReferralLength)
}

// fiveCharactersFrom is the number of four-character tickets of a prefix. Up to it about every fifth draw meets a used
// number; later tickets have five characters.
const fiveCharactersFrom = 200_000

// IssueTicket assigns a ticket and a referral code unless the registration has them. They never change, not even after a
// refund. The caller has locked the registration and saves it. The number's year is that of the event's opening, or of
// at for an unknown event.
func (r *Registration) IssueTicket(tx Tx, event admission.Event, at time.Time) error {
	if r.Ticket == "" {
		if err := r.assignTicketNumber(tx, event, at); err != nil {
			return err
		}
	}
	if r.OwnReferral == "" {
		return r.assignReferralCode(tx, event)
	}
	return nil
}

func (r *Registration) assignTicketNumber(tx Tx, event admission.Event, at time.Time) error {
	if !event.OpensAt.IsZero() {
		at = event.OpensAt
	}
	prefix := "HS" + at.In(admission.IST).Format("06")
	issued, err := tx.CountTicket(prefix)
	if err != nil {
		return err
	}
	length := 4
	if issued > fiveCharactersFrom {
		length = 5
	}
	for taken := true; taken; {
		r.Ticket = ticketNumber(prefix, admission.RandomLetters(length))
		if taken, err = tx.TicketTaken(r.Ticket); err != nil {
			return err
		}
	}
	r.TicketKey = admission.NewKey()
	return nil
}

// assignReferralCode assigns a random referral code.
func (r *Registration) assignReferralCode(tx Tx, event admission.Event) error {
	referral := Referral{OwnerName: r.FullName, OwnerPhone: r.Phone, CreditMinor: event.Referral.Minor}
	for taken := true; taken; {
		referral.Code = admission.RandomLetters(ownReferralLength)
		other, err := tx.Referral(referral.Code)
		if err != nil {
			return err
		}
		taken = other != nil
	}
	r.OwnReferral = referral.Code
	return tx.AddReferral(referral)
}

// ticketNumber returns a ticket number such as HS26-4K7M-K. The last character is a check letter. The number is never an
// address or a secret.
func ticketNumber(prefix, drawn string) string {
	return prefix + "-" + drawn + "-" + admission.CheckLetter(prefix+drawn)
}

// TicketParams returns the ticket's params for a mail.
func (r *Registration) TicketParams(event admission.Event, baseURL string, now time.Time) map[string]string {
	params := map[string]string{
		"Name": r.FullName, "Programme": event.Title, "Course": CourseLabel(r.Course), "Where": event.Where, "Bring": event.Bring, "Days": event.DaysFrom(now),
		"Ticket": r.Ticket, "TicketURL": baseURL + paths.Ticket(r.TicketKey),
	}
	if r.OwnReferral != "" && event.Referral.Minor > 0 {
		params["ReferralCode"] = r.OwnReferral
	}
	if !event.Exam.IsZero() {
		params["Exam"] = event.Exam.In(admission.IST).Format(time.DateOnly)
		params["Hour"] = event.Hour
		if event.Hour == "" && !event.HourBy.IsZero() {
			params["Hour"] = admission.PlannedHour(event.HourPlanned, event.HourBy, now)
		}
		if now.Before(event.Exam.AddDate(0, 0, 1)) {
			params["CalendarURL"] = baseURL + paths.TicketCalendar(r.TicketKey)
		}
	}
	return params
}

package enrol

import (
	"time"

	"hiresure/admission"
	"hiresure/paths"
)

// ownReferralLength is how many letters and figures a payer's own referral code has.
const ownReferralLength = 8

// IsOwnReferral reports whether a text has the shape of a payer's own referral code. What has not is not looked up.
func IsOwnReferral(text string) bool { return admission.IsLetters(text, ownReferralLength) }

// longFrom is how many numbers of a prefix have four characters. About every fifth draw meets one of them in the end;
// those that follow have five.
const longFrom = 200_000

// IssueTicket gives a registration its ticket and its referral code, unless it has them: they stay whatever happens, a
// refund included. The caller holds the registration's lock, and saves it. The year in the number is that in which
// enrolment for the event opens, or that of a moment where the event is known no more.
func (r *Registration) IssueTicket(tx Tx, event admission.Event, at time.Time) error {
	if r.Ticket == "" {
		if err := r.numberTicket(tx, event, at); err != nil {
			return err
		}
	}
	if r.OwnReferral == "" {
		return r.ownReferral(tx, event)
	}
	return nil
}

func (r *Registration) numberTicket(tx Tx, event admission.Event, at time.Time) error {
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

// ownReferral draws a code that says nothing of the person or the ticket.
func (r *Registration) ownReferral(tx Tx, event admission.Event) error {
	referral := Referral{OwnerName: r.FullName, OwnerPhone: r.Phone, CreditMinor: event.Referral.Minor}
	for taken := true; taken; {
		referral.Code = admission.Letters(ownReferralLength)
		other, err := tx.Referral(referral.Code)
		if err != nil {
			return err
		}
		taken = other != nil
	}
	r.OwnReferral = referral.Code
	return tx.AddReferral(referral)
}

// ticketNumber is a number to show and to say: HS26-4K7M-K. It ends with a check of all that stands before. It is never
// an address and never a secret.
func ticketNumber(prefix, drawn string) string {
	return prefix + "-" + drawn + "-" + admission.CheckLetter(prefix+drawn)
}

// TicketParams is what a mail says of the ticket; it goes with the programme, the name and the amount.
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
			params["Hour"] = admission.HourFollows(event.HourPlanned, event.HourBy, now)
		}
		if now.Before(event.Exam.AddDate(0, 0, 1)) {
			params["CalendarURL"] = baseURL + paths.TicketCalendar(r.TicketKey)
		}
	}
	return params
}

package admission

import (
	"strings"
	"time"
)

// Event is a programme event; its texts are in content.
type Event struct {
	Slug         string // in the address /scholarship/{slug}
	Code         string // scholarship_code on the wire, unique
	SubeventCode string
	Title        string
	Subtitle     string
	Courses      []string // codes; the label has spaces for underscores
	Partners     []Partner
	CompanyName  string
	CompanyLogo  string
	CouponCode   string    // the event's own coupon; "" for none
	CouponFrom   time.Time // zero: from the beginning
	CouponUntil  time.Time // zero: without an end
	Referral     Money     // a payer's credit for each friend who pays
	Fee          Money
	ListFee      Money                   // amount_before_discount on the wire
	Prices       map[string]ForeignPrice // by currency, for gateways that do not take Fee's
	Published    bool
	OpensAt      time.Time
	ClosesAt     time.Time
	SoldOut      bool
	Days         []Day // the dates of an enrolled person, in order
	Exam         time.Time
	Where, Bring string    // of the exam, for the ticket
	Hour         string    // of the exam: 10:00; "" until confirmed
	HourPlanned  string    // the same, confirmed or not
	HourBy       time.Time // the day by which Hour is announced
	RefundUntil  time.Time // the last day for a refund
	Terms        Terms
	FeeFor       string // what the application fee pays for
	AnswerBy     string // when an applicant gets an answer after submission, within a sentence
	AnswerDays   int    // the same, counted from submission
}

// ForeignPrice is a price in a foreign currency. Without a Rate nobody can pay it.
type ForeignPrice struct {
	Money
	Rate ExchangeRate // of today
}

// ApplicationCode is the scholarship_code of the application.
const ApplicationCode = "hiresure"

// Day is a date of the event in Asia/Kolkata, at midnight.
type Day struct {
	What  string
	On    time.Time
	Brief string // a sentence about it
	Late  string // follows "on any day" for enrolments after On; "" if there is none
}

// OpenTo reports whether a past day is still available to somebody who enrolled at a time.
func (e Event) OpenTo(day Day, enrolled, now time.Time) bool {
	return day.Late != "" && dayOver(day.On, enrolled) && now.Before(e.Exam)
}

// DaysFrom lists the future days for an enrolment now, one per line, as mails expect: date, tab, what, tab, sentence; or
// a sentence.
func (e Event) DaysFrom(now time.Time) string {
	var lines []string
	for _, day := range e.Days {
		switch {
		case e.OpenTo(day, now, now):
			lines = append(lines, day.What+" on any day "+day.Late)
		case !dayOver(day.On, now):
			lines = append(lines, day.On.In(IST).Format(time.DateOnly)+"\t"+day.What+"\t"+day.Brief)
		}
	}
	return strings.Join(lines, "\n")
}

// RefundTerms returns the refund terms: until is the last day for a refund, and a free move replaces it until the exam.
func RefundTerms(until, exam, now time.Time) string {
	switch {
	case dayOver(exam, now):
		return "The full refund ended on " + Date(until) + "."
	case dayOver(until, now):
		return "The full refund ended on " + Date(until) + ". Now you have one free move to the next exam."
	}
	return "Full refund until " + Date(until) + ". After that, one free move to the next exam."
}

func dayOver(day, now time.Time) bool { return !now.Before(day.AddDate(0, 0, 1)) }

// Partner is a party shown in the header of the enrolment form.
type Partner struct {
	Name string `json:"name"`
	Logo string `json:"logo"`
}

// Terms identifies the terms that a payer agrees to: version and SHA-256 of the text.
type Terms struct{ Version, Hash string }

// AnswerOn returns by when an application submitted at a time is answered.
func (e Event) AnswerOn(submitted time.Time) time.Time { return submitted.AddDate(0, 0, e.AnswerDays) }

// LastDay returns the last day of enrolment: "10 Mar 2027".
func (e Event) LastDay() string { return Date(e.ClosesAt.Add(-time.Second)) }

// Closed returns why enrolment is closed, as a sentence for visitors; "" if it is open.
func (e Event) Closed(now time.Time) string {
	switch {
	case e.Code == ApplicationCode && !e.Published:
		return "Applications are closed at the moment."
	case e.Code == ApplicationCode:
		return ""
	case !e.Published:
		return "Enrolment for this programme is closed."
	case now.Before(e.OpensAt):
		return "Enrolment opens on " + Date(e.OpensAt) + "."
	case !now.Before(e.ClosesAt):
		return "Enrolment for this programme closed on " + e.LastDay() + "."
	case e.SoldOut:
		return "All seats of this programme are taken."
	}
	return ""
}

// OfferedCoupon returns the event's own coupon while it is valid, and "" at other times.
func (e Event) OfferedCoupon(now time.Time) string {
	if now.Before(e.CouponFrom) || !e.CouponUntil.IsZero() && !now.Before(e.CouponUntil) {
		return ""
	}
	return e.CouponCode
}

// Catalogue finds programme events.
type Catalogue interface {
	EventBySlug(slug string) (Event, bool)
	EventByCode(code string) (Event, bool)
}

// KnownEvent returns the event of a code, open or closed.
func KnownEvent(events Catalogue, code string) (Event, error) {
	if code == "" {
		return Event{}, FieldProblem("scholarship_code", "Programme is required.")
	}
	event, known := events.EventByCode(code)
	if !known {
		return Event{}, NotFoundProblem("Programme")
	}
	return event, nil
}

// OpenEvent returns the event of a code (and subevent code, if given), or a Problem if enrolment is closed.
func OpenEvent(events Catalogue, now time.Time, code, subevent string) (Event, error) {
	event, err := KnownEvent(events, code)
	if err != nil {
		return Event{}, err
	}
	if subevent != "" && subevent != event.SubeventCode {
		return Event{}, NotFoundProblem("Programme")
	}
	if why := event.Closed(now); why != "" {
		return Event{}, ConflictProblem("", why)
	}
	return event, nil
}

package admission

import (
	"strings"
	"time"
)

// Event is one programme event as the business needs it; its words live in content.
type Event struct {
	Slug         string // the address: /scholarship/{slug}
	Code         string // scholarship_code on the wire, unique
	SubeventCode string
	Title        string
	Subtitle     string
	Courses      []string // codes; a label is the code with underscores as spaces
	Partners     []Partner
	CompanyName  string
	CompanyLogo  string
	CouponCode   string // offered by the event itself; "" for none
	Referral     Money  // what who has paid is due for each friend who pays
	Fee          Money
	ListFee      Money            // amount_before_discount on the wire
	Prices       map[string]Money // by currency, for gateways that cannot take Fee's
	Published    bool
	OpensAt      time.Time
	ClosesAt     time.Time
	SoldOut      bool
	Days         []Day // what a person who is enrolled keeps free, in order
	Exam         time.Time
	Where, Bring string    // of the exam, as the ticket says it
	Hour         string    // of the exam: 10:00; "" where nobody has confirmed it
	HourPlanned  string    // of the exam: 10:00, confirmed or not
	HourBy       time.Time // the day by which who is enrolled is told Hour
	RefundUntil  time.Time // the last day on which the fee is returned
	Terms        Terms
	FeeFor       string // of the application: what its fee pays for
	AnswerBy     string // of the application: when who has sent all documents hears from us, in the middle of a sentence
}

// ApplicationCode is the scholarship_code of the application, which is nobody's enrolment and has no exam of its own.
const ApplicationCode = "hiresure"

// Day is a date of the event in Asia/Kolkata, at its first moment.
type Day struct {
	What  string
	On    time.Time
	Brief string // a sentence about it
	Late  string // follows "on any day" for who enrols after On; "" where nobody has it then
}

// OpenTo reports whether a day that is over is still to come for who enrolled at a moment.
func (e Event) OpenTo(day Day, enrolled, now time.Time) bool {
	return day.Late != "" && over(day.On, enrolled) && now.Before(e.Exam)
}

// DaysFrom lists the days that are to come for who enrols at a moment, a line each, as mails take them: date, tab, what, tab,
// sentence; or a sentence.
func (e Event) DaysFrom(now time.Time) string {
	var lines []string
	for _, day := range e.Days {
		switch {
		case e.OpenTo(day, now, now):
			lines = append(lines, day.What+" on any day "+day.Late)
		case !over(day.On, now):
			lines = append(lines, day.On.In(IST).Format(time.DateOnly)+"\t"+day.What+"\t"+day.Brief)
		}
	}
	return strings.Join(lines, "\n")
}

// HourFollows says on a ticket for when an exam is planned whose hour nobody has confirmed; by is the day by which it is.
func HourFollows(planned string, by, now time.Time) string {
	if over(by, now) {
		return "Planned for " + planned + ", not confirmed yet"
	}
	return "Planned for " + planned + ", confirmed by " + Date(by)
}

// RefundTerms says whether a fee is returned, and what there is instead until the exam is over; until is the last day on which
// it is returned.
func RefundTerms(until, exam, now time.Time) string {
	switch {
	case over(exam, now):
		return "The fee was returned in full until " + Date(until) + "."
	case over(until, now):
		return "The fee was returned in full until " + Date(until) + ". Now you have one free move to the next exam."
	}
	return "The fee is returned in full until " + Date(until) + ". After that, one free move to the next exam."
}

// over reports whether a day is.
func over(day, now time.Time) bool { return !now.Before(day.AddDate(0, 0, 1)) }

// Partner is a party shown in the header of the enrolment form.
type Partner struct {
	Name string `json:"name"`
	Logo string `json:"logo"`
}

// Terms is the text that a payer agrees to: its version, and the SHA-256 of its words.
type Terms struct{ Version, Hash string }

// Closed says why nobody can enrol now, in a sentence for visitors; "" when enrolment is open.
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
		return "Enrolment for this programme closed on " + Date(e.ClosesAt) + "."
	case e.SoldOut:
		return "All seats of this programme are taken."
	}
	return ""
}

// Catalogue knows the programme events.
type Catalogue interface {
	EventBySlug(slug string) (Event, bool)
	EventByCode(code string) (Event, bool)
}

// KnownEvent is the event of a code, open or not.
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

// OpenEvent returns the event of a code (and of its subevent code, where one is given), or a Problem that says why nobody
// can enrol in it now.
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

package content

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"hiresure/prose"
)

// Event is the record of a programme event, the only source of its figures, dates, codes and prices.
type Event struct {
	Slug                    string           `yaml:"slug"`
	ScholarshipCode         string           `yaml:"scholarship_code"` // unique per event
	ScholarshipSubeventCode string           `yaml:"scholarship_subevent_code"`
	Title                   string           `yaml:"title"`
	Subtitle                string           `yaml:"subtitle"`
	Courses                 []string         `yaml:"courses"` // codes; each has a programme
	CompanyName             string           `yaml:"company_name"`
	CompanyLogo             string           `yaml:"company_logo"` // file in content/logos
	Partners                []Partner        `yaml:"partners"`
	PartnerCollege          *Partner         `yaml:"partner_college" words:"optional"`
	CouponCode              string           `yaml:"coupon_code" words:"optional"`           // offered in the form while it is valid
	Currency                string           `yaml:"currency"`                               // of the fee
	FeeMinor                int64            `yaml:"fee_minor"`                              // paise, all taxes included
	ReferralCreditMinor     int64            `yaml:"referral_credit_minor" words:"optional"` // a payer's credit in paise for each friend who pays
	ReferralTerms           SampleText       `yaml:"referral_terms" words:"optional"`        // how and when the credit is paid
	FeeBeforeDiscountMinor  int64            `yaml:"fee_before_discount_minor"`              // paise
	CurrencyPrices          map[string]int64 `yaml:"currency_prices" words:"optional"`       // by currency, in hundredths
	State                   PublishState     `yaml:"state"`
	Updated                 Date             `yaml:"updated"` // when the content of its pages last changed
	SoldOut                 bool             `yaml:"sold_out"`
	EnrolmentOpens          time.Time        `yaml:"enrolment_opens"`
	EnrolmentCloses         time.Time        `yaml:"enrolment_closes"` // closed from then on
	Exam                    Date             `yaml:"exam"`
	Results                 Date             `yaml:"results"`
	ClassesBegin            Date             `yaml:"classes_begin"`
	Schedule                []Milestone      `yaml:"schedule"` // in order of date
	Ticket                  TicketInfo       `yaml:"ticket"`
	Months                  int              `yaml:"months"`
	TrainingMonths          int              `yaml:"training_months"`
	InternshipMonths        int              `yaml:"internship_months"`
	HoursPerWeek            int              `yaml:"hours_per_week"`
	Classes                 SampleText       `yaml:"classes"`
	CohortWeeks             int              `yaml:"cohort_weeks"`
	Seats                   []SeatBand       `yaml:"seats"` // by rank in the exam, best first
	Candidates              Candidates       `yaml:"candidates"`
	TuitionMinor            int64            `yaml:"tuition_minor"`
	StipendFromMinor        int64            `yaml:"stipend_from_minor"` // per month
	StipendToMinor          int64            `yaml:"stipend_to_minor"`   // per month
	StudioCreditsMinor      int64            `yaml:"studio_credits_minor"`
	TermsVersion            string           `yaml:"terms_version"` // version of the legal page "terms"
}

// twoDecimals lists the accepted currencies. Amounts are in hundredths everywhere, including calls to providers. A currency
// without decimals (JPY) or with three (KWD) would be charged wrongly. HUF, IDR and TWD have two decimals in ISO 4217, but
// none at some providers.
var twoDecimals = map[string]bool{
	"AED": true, "AUD": true, "BDT": true, "BRL": true, "CAD": true, "CHF": true, "CNY": true, "CZK": true, "DKK": true, "EUR": true, "GBP": true,
	"HKD": true, "ILS": true, "INR": true, "LKR": true, "MXN": true, "MYR": true, "NOK": true, "NPR": true, "NZD": true, "PHP": true, "PLN": true,
	"QAR": true, "SAR": true, "SEK": true, "SGD": true, "THB": true, "USD": true, "ZAR": true,
}

// PublishState is an event's visibility.
type PublishState string

// The publish states.
const (
	Draft     PublishState = "draft"
	Published PublishState = "published"
	Closed    PublishState = "closed"
)

// Partner is an organisation that works with the academy.
type Partner struct {
	Name   string `yaml:"name"`
	Role   string `yaml:"role"`
	Number string `yaml:"number" words:"optional"` // of its agreement: CDT/2026/041
	Logo   string `yaml:"logo"`                    // file in content/logos
	Sample bool   `yaml:"sample"`                  // fictitious; the strip above public pages then says so
}

// Mentor is a teacher from a company.
type Mentor struct {
	Name    string `yaml:"name"`
	Role    string `yaml:"role"`
	Company string `yaml:"company"`
	Sample  bool   `yaml:"sample"` // fictitious; the strip above public pages then says so
}

// SeatBand is a number of seats with their tuition discount.
type SeatBand struct {
	Count   int `yaml:"count"`
	Percent int `yaml:"percent"`
}

// Candidates is the expected number of candidates for the seats.
type Candidates struct {
	Expected uint `yaml:"expected"` // 0: unknown
	Sample   bool `yaml:"sample"`   // not confirmed; the strip above public pages then says so
}

// SampleText is a text that must be confirmed.
type SampleText struct {
	Text   string `yaml:"text"`
	Sample bool   `yaml:"sample"` // not confirmed; the strip above public pages then says so
}

// Milestone is a date of the event.
type Milestone struct {
	ID    string `yaml:"id"`
	Date  Date   `yaml:"date"`
	Title string `yaml:"title"`
	Text  string `yaml:"text"`
	Name  string `yaml:"name" words:"optional"`  // in an enrolled person's dates; "" to leave it out
	Brief string `yaml:"brief" words:"optional"` // below Name, after the date
	Late  string `yaml:"late" words:"optional"`  // follows "on any day" for enrolments after Date; "" if there is none
	Open  bool   `yaml:"-"`                      // Date has passed, and enrolments now take it later
}

// AnyDay returns the date for enrolments after Date: "any day before the exam".
func (m Milestone) AnyDay() string { return "any day " + m.Late }

// OpenTo reports whether a past day is still available to somebody who enrolled at a time.
func (e Event) OpenTo(day Milestone, enrolled, now time.Time) bool {
	return day.Late != "" && day.Date.Over(enrolled) && now.Before(e.Exam.Time)
}

// scheduleAt returns the schedule for an enrolment at a time.
func (e Event) scheduleAt(at time.Time) []Milestone {
	schedule := clone(e.Schedule)
	for i, day := range schedule {
		schedule[i].Open = e.OpenTo(day, at, at)
	}
	return schedule
}

// TicketInfo is the ticket's text besides the schedule.
type TicketInfo struct {
	Where     string     `yaml:"where"`
	WhereMore string     `yaml:"where_more" words:"optional"` // follows Where
	Bring     string     `yaml:"bring"`
	LinkBy    Date       `yaml:"link_by"`  // the day by which the exam link is sent
	HourBy    Date       `yaml:"hour_by"`  // the day by which the exam's hour is sent, if it is a sample
	Enrolled  SampleText `yaml:"enrolled"` // what happens right after enrolling
}

// EnrolmentState is whether, or why not, the event accepts enrolments.
type EnrolmentState string

// The states of enrolment.
const (
	EnrolmentOpen        EnrolmentState = "open"
	EnrolmentNotYetOpen  EnrolmentState = "not_yet_open"
	EnrolmentOver        EnrolmentState = "over"
	EnrolmentSoldOut     EnrolmentState = "sold_out"
	EnrolmentUnpublished EnrolmentState = "unpublished"
)

// Enrolment returns the state of enrolment at a time.
func (e Event) Enrolment(at time.Time) EnrolmentState {
	switch {
	case e.State == Draft:
		return EnrolmentUnpublished
	case e.State == Closed || !at.Before(e.EnrolmentCloses):
		return EnrolmentOver
	case at.Before(e.EnrolmentOpens):
		return EnrolmentNotYetOpen
	case e.SoldOut:
		return EnrolmentSoldOut
	}
	return EnrolmentOpen
}

// refundDays is how many days before the exam full refunds end (legal/refund-policy.yaml).
const refundDays = 7

// refundEndsID is the id of the milestone that must equal RefundUntil.
const refundEndsID = "refund-ends"

// RefundTerm returns refundDays in words: seven days.
func RefundTerm() string { return prose.Number(refundDays) + " days" }

// RefundUntil returns the last day for a full refund.
func (e Event) RefundUntil() Date { return Date{e.Exam.AddDate(0, 0, -refundDays)} }

// Claim is a promise of an event with its evidence.
type Claim struct {
	ID            string `yaml:"id"`
	Place         string `yaml:"place"` // stat, badge, or text (only quoted by other texts)
	Figure        string `yaml:"figure" words:"optional"`
	Text          string `yaml:"text"`
	Answer        string `yaml:"answer" words:"optional"` // id of the FAQ question with the conditions
	QualifiedText string `yaml:"qualified_text" words:"optional"`
	Qualified     bool   `yaml:"qualified"` // true: show qualified_text instead of text
	Evidence      string `yaml:"evidence"`
	ValidUntil    Date   `yaml:"valid_until"` // last day; qualified_text (if any) replaces it
}

// Statement is a claim as shown on a day.
type Statement struct {
	ID, Place, Figure, Text string
	Answer                  string // as in Claim
	Whole                   bool   // Text is the claim's text, not its qualified_text
}

func (c Claim) qualifiedAt(day time.Time) bool { return c.Qualified || c.ValidUntil.Over(day) }

// tuitionClaim is the claim for the tuition by rank.
const tuitionClaim = "tuition-by-rank"

func (c Claim) at(day time.Time) (Statement, bool) {
	if c.qualifiedAt(day) {
		return Statement{ID: c.ID, Place: c.Place, Figure: c.Figure, Text: c.QualifiedText, Answer: c.Answer}, c.QualifiedText != ""
	}
	return Statement{c.ID, c.Place, c.Figure, c.Text, c.Answer, true}, true
}

// eventFile is events/{slug}.yaml.
type eventFile struct {
	Event  Event      `yaml:"event"`
	Exam   Exam       `yaml:"exam"`
	Claims []Claim    `yaml:"claims"`
	Words  eventWords `yaml:"words"`
}

type eventWords struct {
	PageTitle   string      `yaml:"page_title"`
	Description string      `yaml:"description"`
	Headline    string      `yaml:"headline"`
	Braid       string      `yaml:"braid"` // the part of the headline with the braid below it
	Lede        string      `yaml:"lede" words:"bold"`
	Inclusions  []Inclusion `yaml:"inclusions"`
}

// addressFrom is the fee in paise from which an invoice to a buyer without a GSTIN must have an address, with a margin: rule
// 46(e) of the CGST Rules refers to the value without tax.
const addressFrom = 50_000_00

var (
	slugShape = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	codeShape = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
)

func (f eventFile) check() (faults []error) {
	refuse := refuser(&faults, "")
	e := f.Event
	refuse(!slugShape.MatchString(e.Slug), "event.slug: %q is not lower case with hyphens", e.Slug)
	refuse(!slices.Contains([]PublishState{Draft, Published, Closed}, e.State), "event.state: %q is not draft, published or closed", e.State)
	refuse(e.FeeMinor < 0, "event.fee_minor: %d is negative", e.FeeMinor)
	refuse(e.FeeMinor >= addressFrom, "event.fee_minor: %d: from ₹50,000 on an invoice names the buyer's address, for which the enrolment does not ask", e.FeeMinor)
	refuse(e.ReferralCreditMinor < 0 || e.ReferralCreditMinor >= e.FeeMinor, "event.referral_credit_minor: %d is not between nothing and the fee", e.ReferralCreditMinor)
	refuse(e.FeeBeforeDiscountMinor < e.FeeMinor, "event.fee_before_discount_minor: %d is less than the fee", e.FeeBeforeDiscountMinor)
	refuse(e.Months != e.TrainingMonths+e.InternshipMonths, "event.months: %d is not %d of training and %d of internship", e.Months, e.TrainingMonths, e.InternshipMonths)
	refuse(e.StipendFromMinor > e.StipendToMinor, "event.stipend_from_minor: more than stipend_to_minor")
	refuse(!e.EnrolmentOpens.Before(e.EnrolmentCloses), "event.enrolment_closes: not after enrolment_opens")
	refuse(e.EnrolmentCloses.After(e.Exam.Time), "event.enrolment_closes: after the exam")
	refuse(e.Ticket.HourBy.After(e.RefundUntil().Time), "event.ticket.hour_by: after the last day on which the fee is returned")
	refuse(!e.Ticket.LinkBy.Before(e.Exam.Time), "event.ticket.link_by: not before the exam")
	refuse(!e.Exam.Before(e.Results.Time) || !e.Results.Before(e.ClassesBegin.Time), "event.results: not between exam and classes_begin")
	for _, code := range e.Courses {
		refuse(!codeShape.MatchString(code), "event.courses: %q is not a code of letters, digits and underscores", code)
	}
	refuse(!twoDecimals[e.Currency], "event.currency: %q is not a currency that is known to have two decimals", e.Currency)
	for _, currency := range slices.Sorted(maps.Keys(e.CurrencyPrices)) {
		minor := e.CurrencyPrices[currency]
		refuse(!twoDecimals[currency], "event.currency_prices.%s: not a currency that is known to have two decimals", currency)
		refuse(minor <= 0, "event.currency_prices.%s: %d is not a price", currency, minor)
	}
	for i, band := range e.Seats {
		refuse(band.Percent > 100, "event.seats[%d]: %d per cent", i, band.Percent)
		refuse(band.Count < 0, "event.seats[%d]: %d seats", i, band.Count)
		refuse(i > 0 && band.Percent >= e.Seats[max(i, 1)-1].Percent, "event.seats[%d]: free of no smaller part than the better ranks", i)
	}
	refuse(!slices.IsSortedFunc(e.Schedule, func(a, b Milestone) int { return a.Date.Compare(b.Date.Time) }), "event.schedule: not in order of date")
	refuse(e.ReferralCreditMinor > 0 && e.ReferralTerms.Text == "", "event.referral_terms: missing, and there is a bonus")
	for i, day := range e.Schedule {
		refuse(day.Late != "" && !day.Date.Before(e.Exam.Time), "event.schedule[%d].late: not before the exam", i)
		refuse(day.ID == refundEndsID && !day.Date.Equal(e.RefundUntil().Time), "event.schedule[%d].date: the fee is returned until %s", i, e.RefundUntil().Format(time.DateOnly))
		refuse((day.Name == "") != (day.Brief == ""), "event.schedule[%d]: name and brief go together", i)
	}
	known := map[string]bool{}
	for i, claim := range f.Claims {
		refuse(known[claim.ID], "claims[%d]: %q appears twice", i, claim.ID)
		refuse(!slices.Contains([]string{"stat", "badge", "text"}, claim.Place), "claims[%d].place: %q is not stat, badge or text", i, claim.Place)
		refuse(claim.Qualified && claim.QualifiedText == "", "claims[%d].qualified_text: missing, but the claim is switched to it", i)
		known[claim.ID] = true
	}
	faults = append(faults, f.Exam.check()...)
	refuse(!strings.Contains(f.Words.Headline, f.Words.Braid), "words.braid: %q is not in the headline", f.Words.Braid)
	return faults
}

// facts are the placeholders of an event's texts. A text that quotes a claim changes with it.
type facts struct {
	at           time.Time
	Site         Site
	event        Event
	exam         Exam
	course       Programme // of the page of a course
	courses      []string  // names of the programmes
	shortCourses []string
	claims       map[string]Statement // nil while the claims are filled in
}

var errClaimless = errors.New("a claim cannot quote a claim")

// Claim returns a claim's current text.
func (f facts) Claim(id string) (string, error) {
	if f.claims == nil {
		return "", errClaimless
	}
	claim, known := f.claims[id]
	if !known {
		return "", fmt.Errorf("no claim %q that could be shown on this day; a quoted claim needs a qualified_text", id)
	}
	return claim.Text, nil
}

// Partner returns the name of the partner with a role.
func (f facts) Partner(role string) (string, error) {
	for _, partner := range f.event.Partners {
		if partner.Role == role {
			return partner.Name, nil
		}
	}
	return "", fmt.Errorf("no partner has the role %q", role)
}

// Shown returns a claim's text; "" once it may not be shown.
func (f facts) Shown(id string) string { return f.claims[id].Text }

func (f facts) Title() string            { return f.event.Title }
func (f facts) Company() string          { return f.event.CompanyName }
func (f facts) Fee() string              { return rupees(f.event.FeeMinor) }
func (f facts) Tuition() string          { return rupees(f.event.TuitionMinor) }
func (f facts) Stipend() string          { return rupees(f.event.StipendFromMinor) + " per month" }
func (f facts) StipendLeast() string     { return rupees(f.event.StipendFromMinor) }
func (f facts) StipendMost() string      { return rupees(f.event.StipendToMinor) }
func (f facts) StudioCredits() string    { return rupees(f.event.StudioCreditsMinor) }
func (f facts) Months() int              { return f.event.Months }
func (f facts) TrainingMonths() int      { return f.event.TrainingMonths }
func (f facts) InternshipMonths() int    { return f.event.InternshipMonths }
func (f facts) HoursPerWeek() int        { return f.event.HoursPerWeek }
func (f facts) CohortWeeks() int         { return f.event.CohortWeeks }
func (f facts) ExamDay() string          { return f.event.Exam.Short() }
func (f facts) ExamDayAndMonth() string  { return f.event.Exam.DayAndMonth() }
func (f facts) Exam() string             { return f.event.Exam.Long() }
func (f facts) Results() string          { return f.event.Results.Long() }
func (f facts) ClassesBegin() string     { return f.event.ClassesBegin.Long() }
func (f facts) RefundUntil() string      { return f.event.RefundUntil().Short() }
func (f facts) RefundOver() bool         { return f.event.RefundUntil().Over(f.at) }
func (f facts) NoRefundFrom() string     { return Date{f.event.RefundUntil().AddDate(0, 0, 1)}.Short() }
func (f facts) ClassHours() string       { return f.event.Classes.Text }
func (f facts) ClassTimes() string       { return strings.TrimPrefix(f.event.Classes.Text, "live ") }
func (f facts) RefundDay() string        { return f.event.RefundUntil().DayAndMonth() }
func (f facts) EnrolmentOpens() string   { return Date{f.event.EnrolmentOpens}.Long() }
func (f facts) EnrolmentLastDay() string { return Date{f.event.EnrolmentCloses.Add(-1)}.Long() }

// EitherField returns the courses as alternatives: Blockchain, Artificial Intelligence or Data Analytics.
func (f facts) EitherField() string { return prose.Either(f.courses) }

// ShortFields is EitherField with short names: Blockchain, AI or Data Analytics.
func (f facts) ShortFields() string { return prose.Either(f.shortCourses) }

// Fields returns the courses as a list in a sentence.
func (f facts) Fields() string {
	return prose.List(f.courses)
}

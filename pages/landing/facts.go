package landing

import (
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/prose"
)

// factRow is a main fact of an event.
type factRow struct {
	Name  string
	Value []content.Span
	Call  string // phone number before the value
}

// mainFacts returns the facts of an event: first those needed to decide, then the rest. Other terms of the tuition are in the
// ranks.
func mainFacts(page *content.Landing, coupon string, enrolled bool) (first, rest []factRow) {
	event, exam, support := page.Event, page.Exam, page.Site.Support
	plain := func(text string) []content.Span { return []content.Span{{Text: text}} }
	closes := content.Date{Time: event.EnrolmentCloses.Add(-time.Minute)}
	fee := ", all taxes included"
	if coupon != "" {
		fee = " with " + coupon + fee
	}
	first = []factRow{
		{Name: "Exam date", Value: []content.Span{bold(event.Exam.Long())}},
		{Name: "Fee", Value: []content.Span{bold(feeOf(event).Short()), {Text: fee}}},
	}
	if len(page.Ranks) > 0 {
		first = append(first, factRow{Name: "Tuition", Value: page.Tuition()})
	}
	first = append(first, factRow{Name: "Refund", Value: refund(page)})
	if !enrolled {
		first = append(first, factRow{Name: "Last day to enrol", Value: plain(closes.DayAndMonth() + ", until " + admission.TimeOfDay(closes.Time) + withoutRefund(event))})
	}
	onDay := ""
	if support.ExamDay.Text != "" {
		onDay = ". " + support.ExamDay.Text
	}
	first = append(first,
		factRow{Name: "Classes", Value: plain(event.Classes.Text)},
		factRow{Name: "What you need", Value: plain(event.Requirements.Text)},
		factRow{Name: "Who can apply", Value: plain(page.Words.Prerequisites + " " + page.ExamWords.Guardian)},
		factRow{Name: "At the end", Value: plain(page.ExamWords.Ends)},
	)
	return first, []factRow{
		{Name: "Who runs it", Value: plain(runBy(page))},
		{Name: "Whom to call", Value: plain(", " + support.Hours + onDay), Call: support.Phone},
		{Name: "Mode", Value: plain(exam.Mode)},
		{Name: "Time of day", Value: plain(hours(page))},
		{Name: "Languages", Value: plain(exam.InLanguages() + "; negative marks: " + prose.Lower(exam.Negative))},
		{Name: "Internship", Value: plain(event.Internship.Text)},
	}
}

// runBy returns the organiser.
func runBy(page *content.Landing) string {
	return page.Site.Academy + ", with " + page.Event.CompanyName
}

// hours returns the exam's hours; unconfirmed ones with the date of their confirmation.
func hours(page *content.Landing) string {
	if page.Exam.Hour() == "" {
		return page.Exam.Hours() + ", confirmed by " + page.Event.Ticket.HourBy.Short()
	}
	return page.Exam.Hours()
}

// refund returns the deadline of a refund, and what is offered afterwards.
func refund(page *content.Landing) []content.Span {
	event := page.Event
	more := ", " + content.RefundTerm() + " before the exam."
	if withoutRefund(event) != "" {
		more = ". After that, one free move to the next exam."
	}
	return []content.Span{{Text: "In full, within " + pages.RefundTime + ", if you write to us by "}, bold(event.RefundUntil().DayAndMonth()), {Text: more}}
}

// withoutRefund returns from when an enrolment has no refund; "" if all have one.
func withoutRefund(event content.Event) string {
	from := content.Date{Time: event.RefundUntil().AddDate(0, 0, 1)}
	if !event.EnrolmentCloses.After(from.Time) {
		return ""
	}
	return "; from " + from.DayAndMonth() + " on without a refund"
}

// tuitionNote returns the course's price by rank.
func tuitionNote(page *content.Landing) string {
	var costs []string
	for _, band := range page.Ranks {
		if band.Percent == 100 {
			continue
		}
		from := "from rank " + strconv.Itoa(band.From) + " on "
		if len(costs) == 0 {
			from += "the course costs "
		}
		costs = append(costs, from+shortSum(page.Event, band.TuitionMinor))
	}
	if len(costs) == 0 {
		return "Nobody has to start the course or pay tuition."
	}
	return prose.Capital(strings.Join(costs, ", ")) + ". Whether to take it is decided after the result."
}

// shortSum formats an amount in the event's currency: ₹4,50,000.
func shortSum(event content.Event, minor int64) string {
	return admission.Money{Minor: minor, Currency: event.Currency}.Short()
}

func bold(text string) content.Span { return content.Span{Text: text, Bold: true} }

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

// glanceRow is a fact of the event that a person looks for first.
type glanceRow struct {
	Name   string
	Value  []content.Run
	Sample bool
	Call   string // a number, before the value
}

// glance is the facts, the first of them those without which nobody decides: when exam and classes are, what it costs, what one
// needs, who may come and what one has at the end. The rest says who holds it and who answers, how the exam goes, and what
// follows the classes. What else holds for the tuition stands with the ranks, right below.
func glance(page *content.Landing, coupon string, enrolled bool) (first, rest []glanceRow) {
	event, exam, support := page.Event, page.Exam, page.Site.Support
	plain := func(text string) []content.Run { return []content.Run{{Text: text}} }
	closes := content.Date{Time: event.EnrolmentCloses.Add(-time.Minute)}
	fee := ", all taxes included"
	if coupon != "" {
		fee = " with " + coupon + fee
	}
	first = []glanceRow{
		{Name: "Exam date", Value: []content.Run{bold(event.Exam.Long())}},
		{Name: "Fee", Value: []content.Run{bold(feeOf(event).Short()), {Text: fee}}},
	}
	if len(page.Ranks) > 0 {
		first = append(first, glanceRow{Name: "Tuition", Value: page.Tuition()})
	}
	first = append(first, glanceRow{Name: "Refund", Value: refund(page)})
	if !enrolled {
		first = append(first, glanceRow{Name: "Last day to enrol", Value: plain(closes.DayAndMonth() + ", until " + admission.TimeOfDay(closes.Time) + withoutRefund(event))})
	}
	onDay := ""
	if support.ExamDay.Text != "" {
		onDay = ". " + support.ExamDay.Text
	}
	first = append(first,
		glanceRow{Name: "Classes", Value: plain(event.Classes.Text), Sample: event.Classes.Sample},
		glanceRow{Name: "What you need", Value: plain(event.Requirements.Text), Sample: event.Requirements.Sample},
		glanceRow{Name: "Who can apply", Value: plain(page.Words.Prerequisites + " " + page.ExamWords.Guardian)},
		glanceRow{Name: "At the end", Value: plain(page.ExamWords.Ends)},
	)
	return first, []glanceRow{
		{Name: "Who runs it", Value: plain(runBy(page))},
		{Name: "Whom to call", Value: plain(", " + support.Hours + onDay), Sample: support.ExamDay.Sample, Call: support.Phone},
		{Name: "Mode", Value: plain(exam.Mode)},
		{Name: "Time of day", Value: plain(hours(page)), Sample: exam.Sample(content.ExamTime, content.ExamLength)},
		{Name: "Languages", Value: plain(exam.InLanguages() + "; negative marks: " + content.Lower(exam.Negative)), Sample: exam.Sample(content.ExamLanguages, content.ExamNegative)},
		{Name: "Internship", Value: plain(event.Internship.Text), Sample: event.Internship.Sample},
	}
}

// runBy is who holds the programme.
func runBy(page *content.Landing) string {
	return page.Site.Academy + ", with " + page.Event.CompanyName
}

// hours is from when to when the exam is, and by which day that is confirmed where nobody has.
func hours(page *content.Landing) string {
	if page.Exam.Hour() == "" {
		return page.Exam.Hours() + ", confirmed by " + page.Event.Ticket.HourBy.Short()
	}
	return page.Exam.Hours()
}

// refund is until when the fee is returned, and what there is after that.
func refund(page *content.Landing) []content.Run {
	event := page.Event
	more := ", " + content.RefundTerm() + " before the exam."
	if withoutRefund(event) != "" {
		more = ". After that, one free move to the next exam."
	}
	return []content.Run{{Text: "In full, within " + pages.RefundTime + ", if you write to us by "}, bold(event.RefundUntil().DayAndMonth()), {Text: more}}
}

// withoutRefund says from when on whoever enrols has no refund; "" where everybody has one.
func withoutRefund(event content.Event) string {
	from := content.Date{Time: event.RefundUntil().AddDate(0, 0, 1)}
	if !event.EnrolmentCloses.After(from.Time) {
		return ""
	}
	return "; from " + from.DayAndMonth() + " on without a refund"
}

// unfunded is what the course costs whom, in a sentence to a parent.
func unfunded(page *content.Landing) string {
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

// shortSum is an amount in the currency of an event's fee: ₹4,50,000.
func shortSum(event content.Event, minor int64) string {
	return admission.Money{Minor: minor, Currency: event.Currency}.Short()
}

func bold(text string) content.Run { return content.Run{Text: text, Bold: true} }

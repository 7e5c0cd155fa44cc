package landing

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
)

// glanceRow is a fact of the event that a person looks for first.
type glanceRow struct {
	Name   string
	Value  []content.Run
	Sample bool
	Long   bool          // stands below its name where there is little room
	Call   templ.SafeURL // the value is a number to call
}

// glance is the facts in two columns: when the exam is and what all of it costs, and how it goes and who may come.
func glance(page *content.Landing, coupon string, enrolled bool) (columns [2][]glanceRow) {
	event, exam := page.Event, page.Exam
	plain := func(text string) []content.Run { return []content.Run{{Text: text}} }
	closes := content.Date{Time: event.EnrolmentCloses.Add(-time.Minute)}
	fee := ", all taxes included"
	if coupon != "" {
		fee = " with " + coupon + fee
	}
	columns[0] = []glanceRow{
		{Name: "Exam date", Value: []content.Run{bold(event.Exam.Long())}},
		{Name: "Fee", Value: []content.Run{bold(feeOf(event).Short()), {Text: fee}}},
	}
	if len(page.Ranks) > 0 {
		columns[0] = append(columns[0], glanceRow{Name: "Tuition", Value: tuition(page), Sample: event.TuitionTerms.Sample, Long: true})
	}
	columns[0] = append(columns[0],
		glanceRow{Name: "Refund", Value: refund(page), Long: true},
	)
	if !enrolled {
		columns[0] = append(columns[0], glanceRow{Name: "Last day to enrol", Value: plain(closes.DayAndMonth() + ", until " + admission.TimeOfDay(closes.Time))})
	}
	columns[0] = append(columns[0], glanceRow{Name: "Who runs it", Value: plain(page.Site.Academy + ", with " + event.CompanyName)})
	columns[1] = []glanceRow{
		{Name: "Mode", Value: plain(exam.Mode)},
		{Name: "Time of day", Value: plain(hours(page)), Sample: exam.Sample(content.ExamTime, content.ExamLength)},
		{Name: "Languages", Value: plain(exam.InLanguages()), Sample: exam.Sample(content.ExamLanguages)},
		{Name: "Negative marks", Value: plain(exam.Negative), Sample: exam.Sample(content.ExamNegative)},
		{Name: "Who can apply", Value: plain(page.Words.Prerequisites + " " + page.ExamWords.Guardian), Long: true},
		{Name: "Whom to call", Value: plain(page.Site.Support.Phone), Call: components.Tel(page.Site.Support.Phone)},
	}
	return columns
}

// hours is from when to when the exam is, and by which day that is confirmed where nobody has.
func hours(page *content.Landing) string {
	if page.Exam.Hour() == "" {
		return page.Exam.Hours() + ", confirmed by " + page.Event.Ticket.HourBy.Short()
	}
	return page.Exam.Hours()
}

// tuition is what each rank pays of it, and what holds for all of them.
func tuition(page *content.Landing) (runs []content.Run) {
	for _, band := range page.Ranks {
		ranks := " up to rank " + strconv.Itoa(band.To) + ", "
		if band.To == 0 {
			ranks = " from rank " + strconv.Itoa(band.From) + " on, "
		}
		runs = append(runs, bold(shortSum(page.Event, band.TuitionMinor)), content.Run{Text: ranks})
	}
	return append(runs, content.Run{Text: page.Event.TuitionTerms.Text})
}

// refund is until when the fee is returned, what that means for who enrols after it, and how to ask for it.
func refund(page *content.Landing) []content.Run {
	event, support := page.Event, page.Site.Support
	more := ", " + content.RefundTerm() + " before the exam"
	if event.EnrolmentCloses.After(event.RefundUntil().AddDate(0, 0, 1)) {
		more = ", none if you enrol later"
	}
	return []content.Run{{Text: "Fee in full until "}, bold(event.RefundUntil().DayAndMonth()), {Text: more + ". Ask at " + support.Email + " or " + strings.ReplaceAll(support.Phone, " ", "\u00a0") + "."}}
}

// shortSum is an amount in the currency of an event's fee: ₹4,50,000.
func shortSum(event content.Event, minor int64) string {
	return admission.Money{Minor: minor, Currency: event.Currency}.Short()
}

func bold(text string) content.Run { return content.Run{Text: text, Bold: true} }

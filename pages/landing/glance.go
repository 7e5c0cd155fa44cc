package landing

import (
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

// glance is the facts in two columns: of the exam, and of who may come, what it costs and who answers.
func glance(page *content.Landing) [2][]glanceRow {
	event, exam := page.Event, page.Exam
	plain := func(text string) []content.Run { return []content.Run{{Text: text}} }
	bold := func(text string) content.Run { return content.Run{Text: text, Bold: true} }
	closes := content.Date{Time: event.EnrolmentCloses.Add(-time.Minute)}
	return [2][]glanceRow{
		{
			{Name: "Exam date", Value: []content.Run{bold(event.Exam.Long())}},
			{Name: "Mode", Value: plain(exam.Mode)},
			{Name: "Time of day", Value: plain(exam.Hours()), Sample: exam.Sample(content.ExamTime)},
			{Name: "Length", Value: plain(exam.Length()), Sample: exam.Sample(content.ExamLength)},
			{Name: "Languages", Value: plain(exam.InLanguages()), Sample: exam.Sample(content.ExamLanguages)},
			{Name: "Negative marks", Value: plain(exam.Negative), Sample: exam.Sample(content.ExamNegative)},
		},
		{
			{Name: "Who can apply", Value: plain(page.Words.Prerequisites + " " + page.ExamWords.Guardian), Long: true},
			{Name: "Fee", Value: []content.Run{bold(feeOf(event).Short()), {Text: ", all taxes included"}}},
			{Name: "Refund", Value: []content.Run{{Text: "In full until "}, bold(event.RefundUntil().DayAndMonth()), {Text: ", " + content.RefundTerm() + " before the exam"}}},
			{Name: "Last day to enrol", Value: plain(closes.DayAndMonth() + ", until " + admission.TimeOfDay(closes.Time))},
			{Name: "Who runs it", Value: plain(page.Site.Academy + ", with " + event.CompanyName)},
			{Name: "Whom to call", Value: plain(page.Site.Support.Phone), Call: components.Tel(page.Site.Support.Phone)},
		},
	}
}

package pages

import (
	"cmp"
	"maps"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/prose"
)

// Standing is the status of a registration with its words.
type Standing struct {
	status.Facts
	status.Status
	Words     content.PhaseWords  // texts of Phase
	Unpaid    content.PhaseWords  // texts of PhaseIfOpen, for pages that say elsewhere that enrolment is closed
	Documents []document.Document // empty unless documents are due
	library   *content.Library
	now       time.Time
}

// StandingOf adds the words of a library to a status.
func StandingOf(library *content.Library, f status.Facts, s status.Status, documents []document.Document, now time.Time) Standing {
	standing := Standing{Facts: f, Status: s, Words: library.Status(string(s.Product), string(s.Phase)), Documents: documents, library: library, now: now}
	if t := f.Transaction; s.Phase == status.PaymentOpen && t != nil && t.AtBank && standing.Words.AtBank.Home.Title != "" {
		at := standing.Words.AtBank
		standing.Words.Home, standing.Words.List, standing.Words.Next = at.Home, at.List, at.Next
	}
	standing.Unpaid = standing.Words
	if s.PhaseIfOpen != s.Phase {
		standing.Unpaid = library.Status(string(s.Product), string(s.PhaseIfOpen))
	}
	return standing
}

// DueStanding returns the status of a registration that can be paid on the pages.
func DueStanding(library *content.Library, due payment.Due, now time.Time) Standing {
	facts := status.Facts{Registration: due.Registration, Event: due.Event, Payment: status.Payment{Transaction: due.Payment}}
	return StandingOf(library, facts, status.Of(facts, now), nil, now)
}

// Another returns the words for another person who typed the number of this enrolment. priced reports whether values hold
// the amount to pay.
func (s Standing) Another(values map[string]string, priced bool) content.StatusText {
	words := s.Unpaid.Another
	if !priced {
		values = maps.Clone(values)
		delete(values, "amount")
	}
	words.Title, words.Lead, words.First = Fill(words.Title, values), Fill(words.Lead, values), Fill(words.First, values)
	words.Text = FillKnown(words.Lines, values)
	words.Button = cmp.Or(FillKnown([]string{words.Button}, values), Fill(words.Otherwise, values))
	return words
}

// Failed reports whether the last payment failed, expired or was returned.
func (s Standing) Failed() bool { return s.Fee() == status.FeeMissing }

// home returns the words of the home page.
func (s Standing) home() content.StatusText {
	if s.Words.Begun.Title != "" && s.Registration.Step == enrol.StepVerified {
		return s.Words.Begun
	}
	return s.Words.Home
}

// Title returns the heading of the home page, before the person's name.
func (s Standing) Title() string { return Fill(s.home().Title, s.Values()) }

// Line returns the text below that heading.
func (s Standing) Line() string {
	lines := s.home().Lines
	if len(s.Words.Home.Free) > 0 && s.Transaction != nil && s.Transaction.Charge.Minor == 0 {
		lines = s.Words.Home.Free
	}
	return FillKnown(lines, s.Values())
}

// Heading returns the heading of the registration's page.
func (s Standing) Heading() string {
	return Fill(cmp.Or(s.Words.List.Title, s.Words.Home.Title), s.Values())
}

// Beside returns what the badge means, next to it.
func (s Standing) Beside() string { return Fill(s.Words.List.Brief, s.Values()) }

// ListLine returns the text below the programme's name in the list.
func (s Standing) ListLine() string {
	if len(s.Words.List.Lines) == 0 || s.home().Title != s.Words.Home.Title {
		return s.Line()
	}
	return FillKnown(s.Words.List.Lines, s.Values())
}

// Next returns the next steps with their values. It omits a row that needs an unknown value.
func (s Standing) Next() (rows []content.NextRow) {
	values := s.Values()
	for i, row := range s.Words.Next {
		title, text := row.Title, row.Text
		if s.Phase == status.DocumentsDue && i == 0 {
			left := s.documentsLeft()
			title, text = left.Next, left.Text
		}
		row.Title, row.Text, row.When = FillKnown([]string{title}, values), FillKnown([]string{text}, values), FillKnown([]string{row.When}, values)
		if i == 0 {
			row.Assignee = string(s.Assignee)
		}
		if row.Title != "" && (text == "" || row.Text != "") {
			rows = append(rows, row)
		}
	}
	return rows
}

// documentsLeft returns the words for the number of required documents that are stored.
func (s Standing) documentsLeft() content.DocumentWords {
	needed, missing := s.NeededDocuments()
	progress := "some_missing"
	switch {
	case len(s.Documents) == 0:
		progress = "none"
	case len(missing) == len(needed):
		progress = "only_optional"
	case len(missing) == 0:
		progress = "all"
	case len(missing) == 1:
		progress = "one_missing"
	}
	return s.library.DocumentsLeft(progress)
}

// NeededDocuments returns the required kinds, and the missing ones.
func (s Standing) NeededDocuments() (needed, missing []document.KindFact) {
	for _, fact := range document.Kinds {
		if fact.Required == "" {
			continue
		}
		needed = append(needed, fact)
		if _, there := document.OfKind(s.Documents, fact.Kind); !there {
			missing = append(missing, fact)
		}
	}
	return needed, missing
}

// Values returns the known placeholders of sentences, by name.
func (s Standing) Values() map[string]string {
	event, t := s.Event, s.Transaction
	values := map[string]string{}
	set := func(name, value string, known bool) {
		if known && value != "" {
			values[name] = value
		}
	}
	set("fee", event.Fee.String(), event.Fee.Minor > 0)
	set("answer", prose.Capital(event.AnswerBy), true)
	set("answer_by", admission.LongDate(event.AnswerOn(s.Registration.ModifiedAt)), event.AnswerDays > 0)
	set("deadline", admission.LongDate(s.Deadline), !s.Deadline.IsZero())
	set("arrives", admission.DayMonthAndWeekday(s.Deadline), s.Phase == status.RefundSent && !s.Deadline.IsZero())
	set("step", strconv.Itoa(int(s.Registration.Step)+1), s.Phase == status.Form)
	set("next_day", s.nextDay(), true)
	set("closed", event.Closed(s.now), event.Code != "")
	set("closes", event.LastDay(), !event.ClosesAt.IsZero())
	exam := event.Exam.In(admission.IST).Format("Monday, 2 January 2006")
	over := !s.now.Before(event.Exam.AddDate(0, 0, 1))
	set("exam", exam, !event.Exam.IsZero() && !over)
	set("exam_over", exam, !event.Exam.IsZero() && over)
	set("hour_by", admission.Date(event.HourBy), event.Hour == "" && !event.HourBy.IsZero() && s.now.Before(event.HourBy.AddDate(0, 0, 1)))
	set("ticket", s.Registration.Ticket, true)
	if t != nil {
		amount := t.Charge
		if t.RefundedMinor > 0 { // the received amount may differ from the requested one
			amount = amount.With(t.RefundedMinor)
		}
		set("amount", amount.String(), true)
		set("until", admission.TimeOfDay(t.ExpiresAt), true)
	}
	if s.Product == enrol.ProductApplication {
		s.setDocuments(set)
	}
	return values
}

func (s Standing) setDocuments(set func(name, value string, known bool)) {
	needed, missing := s.NeededDocuments()
	var words, labels []string
	for _, fact := range needed {
		words = append(words, fact.Word)
	}
	for _, fact := range missing {
		labels = append(labels, fact.Label)
	}
	set("documents", prose.Capital(strings.Join(words, ", ")), true)
	set("missing", prose.List(labels), true)
	count := len(missing)
	if count == 0 {
		count = len(needed)
	}
	left := s.documentsLeft()
	numbers := map[string]string{"count": content.InWords(count), "missing_count": strconv.Itoa(len(missing)), "needed": content.InWords(len(needed))}
	for name, text := range map[string]string{"documents_left": left.Title, "documents_heading": left.Heading, "documents_brief": left.Brief, "documents_line": left.Line} {
		set(name, prose.Capital(Fill(text, numbers)), true)
	}
}

// nextDay returns the enrolled person's next date: "mock test on Sunday, 28 February"; "" without one.
func (s Standing) nextDay() string {
	if s.Product != enrol.ProductEnrolment || s.Transaction == nil || !s.Registration.Paid() {
		return ""
	}
	page, known := s.library.Landing(s.Registration.EventSlug, s.now)
	if !known {
		return ""
	}
	for _, day := range page.Event.Schedule {
		switch {
		case day.Name == "":
		case page.Event.OpenTo(day, s.Transaction.SettledAt, s.now):
			return prose.Lower(day.Name) + " on " + day.AnyDay()
		case !day.Date.Over(s.now):
			return prose.Lower(day.Name) + " on " + day.Date.DayMonthAndWeekday()
		}
	}
	return ""
}

// Fill replaces the placeholders of a sentence.
func Fill(sentence string, values map[string]string) string {
	for name, value := range values {
		sentence = strings.ReplaceAll(sentence, "{"+name+"}", value)
	}
	return sentence
}

// FillKnown fills sentences and omits each with an unknown placeholder.
func FillKnown(sentences []string, values map[string]string) string {
	var known []string
	for _, sentence := range sentences {
		if sentence = Fill(sentence, values); sentence != "" && !strings.Contains(sentence, "{") {
			known = append(known, sentence)
		}
	}
	return strings.Join(known, " ")
}

// paymentStates maps the fee to the payment's step on the line of steps.
var paymentStates = map[status.Fee]components.StepState{
	status.FeeUnpaid:  components.StepCurrent,
	status.FeeWaiting: components.StepWaiting,
	status.FeeMissing: components.StepFailed,
	status.FeePaid:    components.StepDone,
	status.FeeBack:    components.StepFailed,
}

// PaymentStep returns the state and the words of the payment on the line of steps.
func (s Standing) PaymentStep() (components.StepState, string) {
	return paymentStates[s.Fee()], s.Unpaid.Step
}

// Fee returns what has become of the fee, whether or not the event is closed.
func (s Standing) Fee() status.Fee { return status.FeeOf(s.Product, s.PhaseIfOpen) }

// BadgeLook returns the colour and sign of a status badge.
func BadgeLook(badge enrol.Badge) string { return badgeLooks[badge] }

var badgeLooks = map[enrol.Badge]string{
	enrol.BadgeForm:      "open",     // a dashed ring
	enrol.BadgePayment:   "waiting",  // half a disc, gold
	enrol.BadgeFailed:    "failed",   // a cross
	enrol.BadgeDocuments: "info",     // an arrow up
	enrol.BadgeComplete:  "done",     // a tick
	enrol.BadgeRefunded:  "refunded", // an arrow that returns
}

// AssigneeClass returns the CSS name of an assignee.
func AssigneeClass(assignee status.Assignee) string {
	return map[status.Assignee]string{status.Person: "you", status.Staff: "us", status.Nobody: "nobody"}[assignee]
}

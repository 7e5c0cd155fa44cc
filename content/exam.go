package content

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hiresure/calendar"
	"hiresure/prose"
)

// Exam is an event's exam, except for its day, which is in Event.
type Exam struct {
	Samples   []ExamPart        `yaml:"samples" words:"optional"` // fictitious parts; the strip above public pages then says so
	Starts    string            `yaml:"starts"`                   // 10:00, IST
	Minutes   int               `yaml:"minutes"`
	Mode      string            `yaml:"mode"`
	Languages []string          `yaml:"languages"`
	Negative  string            `yaml:"negative_marks"` // cost of a wrong answer
	Sections  []ExamSection     `yaml:"sections"`       // in exam order
	Questions []ExamQuestion    `yaml:"questions"`
	Bring     []ExamRequirement `yaml:"bring"`
}

// ExamPart is a part of Exam that may be a sample.
type ExamPart string

// The exam parts.
const (
	ExamTime      ExamPart = "time"
	ExamLength    ExamPart = "length"
	ExamLanguages ExamPart = "languages"
	ExamNegative  ExamPart = "negative_marks"
	ExamPattern   ExamPart = "pattern" // sections and syllabus
	ExamBring     ExamPart = "bring"
)

var examParts = []ExamPart{ExamTime, ExamLength, ExamLanguages, ExamNegative, ExamPattern, ExamBring}

// ExamSection is a section of the exam.
type ExamSection struct {
	Name    string   `yaml:"name"`
	Minutes int      `yaml:"minutes"`
	Marks   int      `yaml:"marks"`
	Topics  []string `yaml:"topics"`
}

// ExamQuestion is a practice question.
type ExamQuestion struct {
	Section  string   `yaml:"section"` // name of an exam section
	Marks    int      `yaml:"marks"`
	Question string   `yaml:"question"`
	Options  []string `yaml:"options"`
	Answer   string   `yaml:"answer"` // the correct option
	Why      string   `yaml:"why"`    // a sentence
}

// ExamRequirement is a thing to bring to the exam, or a rule.
type ExamRequirement struct {
	Sign  ExamSign `yaml:"sign"`
	Title string   `yaml:"title"`
	Text  string   `yaml:"text"`
}

// ExamSign is the icon of an ExamRequirement.
type ExamSign string

// The icons, each a kolam.
const (
	SignDevice     ExamSign = "device"
	SignConnection ExamSign = "connection"
	SignMail       ExamSign = "mail"
	SignAlone      ExamSign = "alone"
)

// ExamWords is exam.yaml: the exam texts shared by all events.
type ExamWords struct {
	More      string     `yaml:"more"` // link to the exam's page
	Fair      []ExamRule `yaml:"fair"`
	Judged    []ExamRule `yaml:"judged"`  // of the results
	Section   Section    `yaml:"section"` // on the event's page
	PageTitle string     `yaml:"page_title"`
	About     string     `yaml:"description"` // for search engines
	Top       Section    `yaml:"top"`
	Syllabus  Section    `yaml:"syllabus"`
	Questions Section    `yaml:"questions"`
	Bring     Section    `yaml:"bring"`
	Results   Section    `yaml:"results"`
}

// ExamRule is a question about a rule of the exam, with its answer.
type ExamRule struct {
	Question string `yaml:"question"`
	Answer   string `yaml:"answer"`
}

// Sample reports whether any of the parts is a sample.
func (e Exam) Sample(parts ...ExamPart) bool {
	return slices.ContainsFunc(parts, func(part ExamPart) bool { return slices.Contains(e.Samples, part) })
}

// Marks returns the total marks.
func (e Exam) Marks() (sum int) {
	for _, section := range e.Sections {
		sum += section.Marks
	}
	return sum
}

// Begins returns when the exam on a day begins.
func (e Exam) Begins(day Date) time.Time {
	starts, _ := time.Parse(clockLayout, e.Starts) // validated by check
	return day.Add(time.Duration(starts.Hour())*time.Hour + time.Duration(starts.Minute())*time.Minute)
}

// Hour returns the hour for a ticket; "" if it is not confirmed.
func (e Exam) Hour() string {
	if e.Sample(ExamTime, ExamLength) {
		return ""
	}
	return e.Starts
}

// Hours returns the times of the exam: 10:00 to 11:00.
func (e Exam) Hours() string {
	begins := e.Begins(Date{})
	return e.Starts + " to " + begins.Add(time.Duration(e.Minutes)*time.Minute).Format(clockLayout)
}

// Announced returns the times of the exam; unconfirmed ones as on a ticket, with the day of their confirmation.
func (e Exam) Announced(by Date, now time.Time) string {
	if e.Hour() != "" || by.IsZero() {
		return e.Hours()
	}
	return calendar.PlannedHour(e.Hours(), by.Time, now)
}

// NegativeRule returns what a wrong answer costs.
func (e Exam) NegativeRule() string {
	if e.Negative == "None" {
		return "No negative marks"
	}
	return "Negative marks: " + prose.Lower(e.Negative)
}

// Length returns the duration: One hour, Two hours, 90 minutes.
func (e Exam) Length() string {
	switch hours := e.Minutes / 60; {
	case e.Minutes == 60:
		return "One hour"
	case e.Minutes%60 == 0:
		return prose.Capital(prose.Number(hours)) + " hours"
	}
	return fmt.Sprintf("%d minutes", e.Minutes)
}

// InLanguages returns the languages as a list: English and Hindi.
func (e Exam) InLanguages() string { return prose.List(e.Languages) }

// OptionLetter returns the letter of an option, from index 0.
func OptionLetter(at int) string { return string(rune('A' + at)) }

// Worth returns the marks of a question in words: one mark.
func (q ExamQuestion) Worth() string {
	if q.Marks == 1 {
		return "one mark"
	}
	return prose.Number(q.Marks) + " marks"
}

const clockLayout = "15:04"

// Minimum width of the exam's ruler and width of a letter, in pixels: a section's name must fit into its part of the ruler.
const (
	rulerWidth  = 700
	nameLetter  = 11
	nameMargins = 16
)

func (e Exam) check() (faults []error) {
	refuse := refuser(&faults, "exam.")
	for i, part := range e.Samples {
		refuse(!slices.Contains(examParts, part), "samples[%d]: %q is not one of %v", i, part, examParts)
	}
	_, err := time.Parse(clockLayout, e.Starts)
	refuse(err != nil || len(e.Starts) != len(clockLayout), "starts: %q is not a time like 10:00", e.Starts)
	minutes := 0
	names := map[string]bool{}
	for i, section := range e.Sections {
		refuse(section.Minutes < 0, "sections[%d].minutes: %d is negative", i, section.Minutes)
		room := nameMargins + nameLetter*utf8.RuneCountInString(section.Name)
		refuse(section.Minutes >= 0 && section.Minutes*rulerWidth < e.Minutes*room, "sections[%d].name: %s has no room on the ruler above %d of %d minutes", i, section.Name, section.Minutes, e.Minutes)
		refuse(section.Marks < 0, "sections[%d].marks: %d is negative", i, section.Marks)
		refuse(names[section.Name], "sections[%d].name: %q appears twice", i, section.Name)
		names[section.Name] = true
		minutes += section.Minutes
	}
	refuse(minutes != e.Minutes, "minutes: %d, but the sections take %d", e.Minutes, minutes)
	for i, question := range e.Questions {
		refuse(!names[question.Section], "questions[%d].section: %q is not a section of the exam", i, question.Section)
		refuse(question.Marks < 0, "questions[%d].marks: %d is negative", i, question.Marks)
		refuse(len(question.Options) < 2, "questions[%d].options: %d, at least two are needed", i, len(question.Options))
		refuse(!slices.Contains(question.Options, question.Answer), "questions[%d].answer: %q is not an option", i, question.Answer)
		for j, option := range question.Options {
			refuse(slices.Index(question.Options, option) != j, "questions[%d].options[%d]: %q appears twice", i, j, option)
		}
	}
	for i, need := range e.Bring {
		refuse(!slices.Contains([]ExamSign{SignDevice, SignConnection, SignMail, SignAlone}, need.Sign), "bring[%d].sign: %q is not device, connection, mail or alone", i, need.Sign)
	}
	return faults
}

// maxTitleLength is the longest title that search engines show in full.
const maxTitleLength = 59

// titleEnd ends the titles of pages that do not name the site.
const titleEnd = " | HireSure"

// Placeholders about the exam.

func (f facts) ExamLength() string  { return f.exam.Length() }
func (f facts) ExamMinutes() string { return prose.Capital(prose.Number(f.exam.Minutes)) }
func (f facts) ExamMarks() string   { return prose.Number(f.exam.Marks()) }
func (f facts) ExamYear() string    { return f.event.Exam.Format("2006") }

func (f facts) ExamMarkCount() int { return f.exam.Marks() }
func (f facts) ExamHours() string  { return f.exam.Announced(f.event.Ticket.HourBy, f.at) }

// ExamPlan returns the hours in brief: 10:00 to 11:00 (planned).
func (f facts) ExamPlan() string {
	if f.exam.Hour() == "" {
		return f.exam.Hours() + " (planned)"
	}
	return f.exam.Hours()
}

func (f facts) ExamInFull() string { return f.event.Exam.Format("Monday, 2 January 2006") }
func (f facts) ExamWhere() string  { return f.event.Ticket.WhereMore }

// TieBreak returns how equal marks are ranked: Reasoning marks decide, then Numbers.
func (f facts) TieBreak() string {
	var rest string
	if len(f.exam.Sections) > 2 {
		rest = ", then " + f.exam.Sections[1].Name
	}
	return f.exam.Sections[0].Name + " marks decide" + rest + "."
}

func (f facts) NegativeMarks() string { return f.exam.NegativeRule() }

// LastRank returns the last rank with a scholarship.
func (f facts) LastRank() int { return f.NextRank() - 1 }

// Coverage returns how much of the tuition scholarships cover. It mentions partial scholarships only if the event has some.
func (f facts) Coverage() string {
	if slices.ContainsFunc(f.event.Seats, func(band SeatBand) bool { return band.Percent < 100 }) {
		return "covered in whole or in part"
	}
	return "covered"
}

// ExamSections returns the sections as a list in a sentence: reasoning, numbers and reading.
func (f facts) ExamSections() string {
	var names []string
	for _, section := range f.exam.Sections {
		names = append(names, strings.ToLower(section.Name))
	}
	return prose.List(names)
}

// ExamSubjects is ExamSections as a heading.
func (f facts) ExamSubjects() string { return prose.Capital(f.ExamSections()) }

// ExamQuestions returns the number of practice questions: Three.
func (f facts) ExamQuestions() string { return prose.Capital(prose.Number(len(f.exam.Questions))) }

// mockTest returns the mock test's milestone.
func (f facts) mockTest() (Milestone, error) {
	i := slices.IndexFunc(f.event.Schedule, func(day Milestone) bool { return day.ID == "mock-test" })
	if i < 0 {
		return Milestone{}, fmt.Errorf("the schedule has no day with the id mock-test")
	}
	return f.event.Schedule[i], nil
}

// MockTest returns the day of the mock test: 7 March.
func (f facts) MockTest() (string, error) {
	day, err := f.mockTest()
	if err != nil {
		return "", err
	}
	return day.Date.DayAndMonth(), nil
}

// MockTestAhead is MockTest, or "any day before the exam" once that day has passed.
func (f facts) MockTestAhead() (string, error) {
	if day, err := f.mockTest(); err == nil && f.event.OpenTo(day, f.at, f.at) {
		return day.AnyDay(), nil
	}
	return f.MockTest()
}

// DaysToResults returns the number of days from exam to results: Eight.
func (f facts) DaysToResults() string {
	return prose.Capital(prose.Number(int(f.event.Results.Sub(f.event.Exam.Time) / (24 * time.Hour))))
}

// Classes returns the first day of classes: 5 April.
func (f facts) Classes() string { return f.event.ClassesBegin.DayAndMonth() }

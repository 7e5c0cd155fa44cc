package content

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/calendar"
)

func TestInvalidExamIsRejected(t *testing.T) {
	const mgrow = "events/hiresure-mgrow-2025.yaml"
	for _, row := range []struct{ sentence, file, old, replacement, want string }{
		{"no time", mgrow, `starts: "10:00"`, `starts: "10.00"`, `exam.starts: "10.00" is not a time like 10:00`},
		{"a time of one figure", mgrow, `starts: "10:00"`, `starts: "9:00"`, `exam.starts: "9:00" is not a time like 10:00`},
		{"a time that no day has", mgrow, `starts: "10:00"`, `starts: "25:00"`, `exam.starts: "25:00" is not a time like 10:00`},
		{"sections that do not add up", mgrow, "minutes: 25, marks: 25", "minutes: 30, marks: 25", "exam.minutes: 60, but the sections take 65"},
		{"a section of less than nothing", mgrow, "minutes: 25, marks: 25", "minutes: -25, marks: 25", "exam.sections[0].minutes: -25 is negative"},
		{"a section without room", mgrow, "minutes: 25, marks: 25", "minutes: 5, marks: 25", "exam.sections[0].name: Reasoning has no room on the ruler above 5 of 60 minutes"},
		{"a long name for little time", mgrow, "name: Reading, minutes", "name: Reading a short text, minutes", "exam.sections[2].name: Reading a short text has no room on the ruler above 15 of 60 minutes"},
		{"marks that are taken away", mgrow, "minutes: 25, marks: 25", "minutes: 25, marks: -25", "exam.sections[0].marks: -25 is negative"},
		{"a section without marks", mgrow, "minutes: 25, marks: 25", "minutes: 25, marks: 0", "exam.sections[0].marks: missing"},
		{"a section without syllabus", mgrow, "topics: [Order and direction, Groups and exceptions, Figures that continue, Statements and conclusions]", "topics: []", "exam.sections[0].topics: missing"},
		{"a section twice", mgrow, "name: Numbers", "name: Reasoning", `exam.sections[1].name: "Reasoning" appears twice`},
		{"a question of no section", mgrow, "section: Numbers", "section: Chemistry", `exam.questions[1].section: "Chemistry" is not a section of the exam`},
		{"a question without its answer", mgrow, "      answer: \"6\"\n", "", "exam.questions[1].answer: missing"},
		{"an answer that is no option", mgrow, `answer: "6"`, `answer: "7"`, `exam.questions[1].answer: "7" is not an option`},
		{"an option twice", mgrow, `["4", "6", "9", "12"]`, `["4", "6", "4", "12"]`, `exam.questions[1].options[2]: "4" appears twice`},
		{"no choice", mgrow, `["4", "6", "9", "12"]`, `["6"]`, "exam.questions[1].options: 1, at least two are needed"},
		{"an answer without its reason", mgrow, "      why: 12 students are left; half of them cycle, that is 6.\n", "", "exam.questions[1].why: missing"},
		{"a drawing that is not there", mgrow, "sign: alone", "sign: moon", `exam.bring[3].sign: "moon" is not device, connection, mail or alone`},
		{"a sample of nothing", mgrow, "samples: [time,", "samples: [hour,", `exam.samples[0]: "hour" is not one of [time length languages negative_marks pattern bring]`},
		{"a start that is told when the fee is no longer returned", mgrow, "hour_by: 2027-02-28", "hour_by: 2027-03-08", "event.ticket.hour_by: after the last day on which the fee is returned"},
		{"a link that comes on the day of the exam", mgrow, "link_by: 2027-03-12", "link_by: 2027-03-14", "event.ticket.link_by: not before the exam"},
		{"a start that is told some day", mgrow, "    hour_by: 2027-02-28\n", "", "event.ticket.hour_by: missing"},
		{"a title that is cut off", "exam.yaml", "pattern and syllabus", "its pattern and the syllabus", "content/exam.yaml, for hiresure-mgrow-2025: page_title: 66 characters, and 59 are shown"},
		{"markup", "exam.yaml", "the syllabus, questions", "the <b>syllabus</b>, questions", "content/exam.yaml, for hiresure-mgrow-2025: description: markup is not allowed here"},
	} {
		if _, err := load(changed(t, row.file, row.old, row.replacement), ""); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", row.sentence, err, row.want)
		}
	}
}

func TestExamLength(t *testing.T) {
	for _, row := range []struct {
		starts        string
		minutes       int
		hours, length string
	}{
		{"10:00", 60, "10:00 to 11:00", "One hour"},
		{"09:30", 90, "09:30 to 11:00", "90 minutes"},
		{"14:00", 120, "14:00 to 16:00", "Two hours"},
		{"11:15", 50, "11:15 to 12:05", "50 minutes"},
	} {
		exam := Exam{Starts: row.starts, Minutes: row.minutes}
		if exam.Hours() != row.hours || exam.Length() != row.length {
			t.Errorf("%s, %d minutes: %q, %q; want %q, %q", row.starts, row.minutes, exam.Hours(), exam.Length(), row.hours, row.length)
		}
	}
	day := Date{time.Date(2027, 3, 14, 0, 0, 0, 0, calendar.IST)}
	planned := Exam{Starts: "10:00", Minutes: 60, Samples: []ExamPart{ExamTime}}
	for _, row := range []struct {
		exam Exam
		by   Date
		want string
	}{
		{planned, day, "Planned for 10:00 to 11:00, confirmed by 14 Mar 2027"},
		{planned, Date{}, "10:00 to 11:00"},
		{Exam{Starts: "10:00", Minutes: 60}, day, "10:00 to 11:00"},
	} {
		if got := row.exam.Announced(row.by, day.Time); got != row.want {
			t.Errorf("announced %q, want %q", got, row.want)
		}
	}
	if got := (Exam{Starts: "09:30"}).Begins(day).Format(time.RFC3339); got != "2027-03-14T09:30:00+05:30" {
		t.Errorf("it begins at %s", got)
	}
}

func TestExamSamples(t *testing.T) {
	exam := Exam{Samples: []ExamPart{ExamTime}}
	if !exam.Sample(ExamTime) || !exam.Sample(ExamLength, ExamTime) || exam.Sample(ExamLength) || exam.Sample() || (Exam{}).Sample(ExamTime) {
		t.Error("another part is a sample")
	}
	for _, event := range library(t).Events() {
		page := landing(t, library(t), event.Slug, november)
		for _, part := range examParts {
			if !page.Exam.Sample(part) {
				t.Errorf("%s: %s is no sample, and nobody has confirmed it", event.Slug, part)
			}
		}
	}
}

func TestExamFigures(t *testing.T) {
	l := library(t)
	for slug, want := range map[string][]string{
		"hiresure-mgrow-2025": {
			"HireSure mGrow Scholarship exam 2027: pattern and syllabus", "The exam: one hour, 60 marks, no programming", "Equal marks?\nReasoning marks decide, then Numbers.",
			"Sixty minutes, sixty marks, no programming", "The mock test on 28 February has the same kinds of questions.", "Three to try, a minute each",
			"Reasoning, numbers and reading", "You get your rank eight days later", "Classes begin on 5 April.",
		},
		"hiresure-campus-2026": {
			"HireSure Campus Scholarship exam 2027: pattern and syllabus", "The mock test on 14 March has the same kinds of questions.", "You get your rank eight days later", "Classes begin on 19 April.",
		},
	} {
		page := landing(t, l, slug, november)
		examText := textOf(page.ExamWords)
		for _, text := range want {
			if !strings.Contains(examText, text) {
				t.Errorf("%s does not say %q:\n%s", slug, text, examText)
			}
		}
		if n := len([]rune(page.ExamWords.About)); n > 160 {
			t.Errorf("%s: %d characters of description", slug, n)
		}
		for _, question := range page.Exam.Questions {
			at := slices.Index(question.Options, question.Answer)
			if OptionLetter(at) != string("ABCD"[at]) || question.Worth() != "one mark" {
				t.Errorf("%s: %q: answer %s, worth %s", slug, question.Question, OptionLetter(at), question.Worth())
			}
		}
	}
}

func TestMockTestAfterItsDay(t *testing.T) {
	l := library(t)
	for _, row := range []struct {
		day, want string
		open      bool
	}{
		{"2027-02-28", "The mock test on 28 February has the same kinds of questions.", false},
		{"2027-03-01", "The mock test on any day before the exam has the same kinds of questions.", true},
		{"2027-03-13", "The mock test on any day before the exam has the same kinds of questions.", true},
		{"2027-03-14", "The mock test on 28 February has the same kinds of questions.", false},
	} {
		at, _ := time.ParseInLocation(time.DateOnly, row.day, calendar.IST)
		page := landing(t, l, "hiresure-mgrow-2025", at)
		if sectionText, day := page.ExamWords.Questions.Text, page.Event.Schedule[0]; sectionText != row.want || day.Open != row.open {
			t.Errorf("on %s: %q, open %v", row.day, sectionText, day.Open)
		}
	}
}

package landing

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// examView is the exam on the event's page and on its own page.
type examView struct {
	content.Exam
	Words     content.ExamWords
	Ruler     components.RulerProps
	Sampled   bool                  // its pattern is unconfirmed
	FullRuler components.RulerProps // with marks
	Address   string                // of the exam's page
}

// questionView is a sample question.
type questionView struct {
	Head    string // "Numbers, one mark"
	Text    string
	Options []optionView
	Why     string
}

type optionView struct {
	Letter, Text string
	Right        bool
}

func examOf(page *content.Landing) examView {
	exam := page.Exam
	view := examView{
		Exam: exam, Words: page.ExamWords, Sampled: exam.Sample(content.ExamPattern, content.ExamLength),
		Address: web.ExamPath(page.Event.Slug),
	}
	for _, section := range exam.Sections {
		view.FullRuler.Sections = append(view.FullRuler.Sections, components.RulerSection{
			Name: section.Name, Length: section.Minutes, Worth: section.Marks, Of: marks(section.Marks),
			Spoken: fmt.Sprintf("%s: %d minutes, %d %s", section.Name, section.Minutes, section.Marks, marks(section.Marks)),
		})
	}
	view.FullRuler.Unit = "min"
	view.Ruler = components.RulerProps{Unit: "min", Brief: true, Sections: view.FullRuler.Sections}
	return view
}

func marks(n int) string {
	if n == 1 {
		return "mark"
	}
	return "marks"
}

func questionOf(q content.ExamQuestion) questionView {
	view := questionView{Head: q.Section + ", " + q.Worth(), Text: q.Question, Why: q.Why}
	for i, option := range q.Options {
		view.Options = append(view.Options, optionView{content.OptionLetter(i), option, option == q.Answer})
	}
	return view
}

// examPageView is the exam's page.
type examPageView struct {
	Hours string // on the exam day
	examView
	Page           components.Page
	Navbar, Footer templ.Component
	Event          content.Event
	Landing        string // address of the event's page
	Closed         bool
	Questions      []questionView
}

// exam serves the exam's page, equal for all visitors.
func (l *Landing) exam(c *echo.Context) error {
	words, slug, now := l.Content.Current(), c.Param("slug"), l.Clock()
	state, known := words.Enrolment(slug, now)
	if !known {
		return l.unknown(c, words)
	}
	return l.ShowCached(c, words, c.Request().URL.Path, string(state), func() templ.Component {
		page, _ := words.Landing(slug, now)
		return examPage(l.examView(page))
	})
}

func (l *Landing) examView(page *content.Landing) examPageView {
	event := page.Event
	landing, frame := web.ScholarshipPath(event.Slug), l.FrameOf(page.Site)
	v := examPageView{
		examView: examOf(page), Event: event, Hours: page.Exam.Announced(event.Ticket.HourBy, l.Clock()) + ". In " + page.Exam.InLanguages() + ".", Landing: landing, Closed: page.Notice.Title != "",
		Navbar: frame.Navbar(landing, partnerOf(page)), Footer: frame.Footer(),
		Page: components.Page{
			Title: page.ExamWords.PageTitle, Description: page.ExamWords.About, Canonical: l.Absolute(web.ExamPath(event.Slug)), Main: "exam-page",
			Image: l.Absolute(pages.PreviewOf(page).Path()), ImageAlt: pages.PreviewOf(page).Alt(),
			Data: []json.RawMessage{block(l.breadcrumb(
				components.Link{Text: event.Title, Href: landing}, components.Link{Text: page.ExamWords.Top.Eyebrow, Href: web.ExamPath(event.Slug)},
			))},
		},
	}
	for _, question := range page.Exam.Questions {
		v.Questions = append(v.Questions, questionOf(question))
	}
	return v
}

// mode returns the first words of the exam's mode, in lower case: online.
func (v examPageView) mode() string {
	mode, _, _ := strings.Cut(v.Mode, ",")
	return strings.ToLower(mode)
}

// when returns the weekday, the hour if it is confirmed, and the mode.
func (v examPageView) when() string {
	weekday := v.Event.Exam.Format("Monday")
	if !v.Sample(content.ExamTime) {
		weekday += ", " + v.Starts
	}
	return weekday + ", " + v.mode()
}

// rules returns the rules that the ruler does not show.
func (v examPageView) rules() []string {
	ties := v.Words.Fair[0]
	return []string{v.Hours, v.Exam.NegativeRule() + ".", ties.Question + " " + ties.Answer}
}

// syllabus returns marks and minutes of a section.
func syllabus(section content.ExamSection) []content.Span {
	return []content.Span{{Text: fmt.Sprint(section.Marks), Bold: true}, {Text: fmt.Sprintf(" %s in %d minutes", marks(section.Marks), section.Minutes)}}
}

// unbroken adds a word joiner to e-mail, so that no line ends at its hyphen.
func unbroken(text string) string { return strings.ReplaceAll(text, "e-mail", "e-\u2060mail") }

// share returns the CSS class for a section's part of the exam, in twelfths.
func (v examPageView) share(section content.ExamSection) string {
	twelfths := (12*section.Minutes + v.Minutes/2) / v.Minutes
	return fmt.Sprintf("share-%d", min(max(twelfths, 2), 6))
}

// signs are the drawings of what to bring.
var signs = map[content.ExamSign]components.FigureProps{
	content.SignDevice:     {Columns: 2, Rows: 3},
	content.SignConnection: {Columns: 4, Rows: 1},
	content.SignMail:       {},
	content.SignAlone:      {Columns: 1, Rows: 1},
}

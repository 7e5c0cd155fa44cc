package content

import (
	"fmt"
	"strings"
)

// Question is an FAQ item.
type Question struct {
	ID       string     `yaml:"id"`
	Group    string     `yaml:"group"` // heading on the page of all questions
	Question string     `yaml:"question"`
	Answer   string     `yaml:"answer" words:"bold"`   // one paragraph per line
	More     SampleText `yaml:"more" words:"optional"` // follows the answer
}

// Paragraphs returns the answer's paragraphs as spans.
func (q Question) Paragraphs() (all [][]Span) {
	for line := range strings.Lines(q.Answer) {
		all = append(all, Bold(strings.TrimSpace(line)))
	}
	return all
}

// Plain returns the answer as one line without markup.
func (q Question) Plain() string {
	var text strings.Builder
	for i, paragraph := range q.Paragraphs() {
		if i > 0 {
			text.WriteString(" ")
		}
		for _, run := range paragraph {
			text.WriteString(run.Text)
		}
	}
	return text.String()
}

// ShortAnswer is a short answer with a link to the full one: ₹1,499 to sit the exam.
type ShortAnswer struct {
	Figure   string `yaml:"figure"`
	Word     string `yaml:"word"`
	Question string `yaml:"question"` // id
}

// Question returns an FAQ question by id.
func (l *Landing) Question(id string) (Question, bool) {
	for _, item := range l.FAQ {
		if item.ID == id {
			return item, true
		}
	}
	return Question{}, false
}

// QuestionCount returns the number of FAQ questions, in words.
func (l *Landing) QuestionCount() string { return InWords(len(l.FAQ)) }

func checkAsked(words Words, faq []Question) (faults []error) {
	known := map[string]bool{}
	for _, item := range faq {
		known[item.ID] = true
	}
	for i, id := range words.AskedFirst {
		if !known[id] {
			faults = append(faults, fmt.Errorf("asked_first[%d]: no question %q", i, id))
		}
	}
	for i, asked := range words.MostAsked {
		if !known[asked.Question] {
			faults = append(faults, fmt.Errorf("most_asked[%d].question: no question %q", i, asked.Question))
		}
	}
	return faults
}

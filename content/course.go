package content

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// CourseWords is courses.yaml: the words around programmes, on their pages and in the list of them.
type CourseWords struct {
	Apply CourseApply `yaml:"apply"`
	List  CourseList  `yaml:"list"`
	Page  CoursePage  `yaml:"page"`
}

// CourseApply is the invitation to enrol.
type CourseApply struct {
	Exam string `yaml:"exam"` // above the exam's date
	Then string `yaml:"then"` // what each rank pays
}

// CourseList is the page of all courses of an event.
type CourseList struct {
	PageTitle   string  `yaml:"page_title"`
	Description string  `yaml:"description"` // for search engines
	Top         Section `yaml:"top"`
	See         string  `yaml:"see"` // link to a course's page
}

// CoursePage is the page of a course.
type CoursePage struct {
	PageTitle   string           `yaml:"page_title"`
	Description string           `yaml:"description"` // for search engines
	Top         Section          `yaml:"top"`
	Classes     string           `yaml:"classes"`    // below the weeks of training
	Internship  string           `yaml:"internship"` // below the months of internship
	Time        string           `yaml:"time"`
	Weeks       Section          `yaml:"weeks"`
	Working     Section          `yaml:"working"` // the months of internship
	Tools       Section          `yaml:"tools"`
	Mentor      Section          `yaml:"mentor"`
	Project     Section          `yaml:"project"`
	Pay         Section          `yaml:"pay"`
	Stipend     string           `yaml:"stipend" words:"bold"`
	Suits       Section          `yaml:"suits"`
	Questions   Section          `yaml:"questions"`
	More        string           `yaml:"more"` // link to all questions about the event
	Asked       []CourseQuestion `yaml:"asked"`
}

// CourseQuestion is a question about a course. Without a text each course has its answer.
type CourseQuestion struct {
	ID       string `yaml:"id"`
	Question string `yaml:"question"`
	Text     string `yaml:"text" words:"optional"`
}

// Programme returns the event's course with a slug; false for an unknown one.
func (l *Landing) Programme(slug string) (Programme, bool) {
	i := slices.IndexFunc(l.Programmes, func(p Programme) bool { return p.Slug() == slug })
	if i < 0 {
		return Programme{}, false
	}
	return l.Programmes[i], true
}

// Course returns the event's course with a code.
func (l *Landing) Course(code string) Programme {
	return l.Programmes[slices.IndexFunc(l.Programmes, func(p Programme) bool { return p.Code == code })]
}

// MentorOf returns a course's mentor.
func (l *Landing) MentorOf(p Programme) Mentor {
	return l.Mentors[slices.IndexFunc(l.Mentors, func(m Mentor) bool { return m.Name == p.Mentor.Name })]
}

// composeCourses fills in the programmes of an event's page and the words around them, and leaves out what may not be shown
// any more.
func (l *Library) composeCourses(landing *Landing, known facts, at time.Time) (faults []error) {
	const programmesFile, wordsFile = "programmes.yaml", "courses.yaml"
	fill := func(file, path string, pointer any, known facts) {
		for _, fault := range expand(reflect.ValueOf(pointer).Elem(), path, "", known) {
			faults = append(faults, fmt.Errorf("content/%s, for %s: %w", file, known.event.Slug, fault))
		}
	}
	checkTitle := func(path, title string) {
		if length := utf8.RuneCountInString(title + titleEnd); length > maxTitleLength {
			faults = append(faults, fmt.Errorf("content/%s, for %s: %s: %d characters with %q, and %d are shown: %q", wordsFile, known.event.Slug, path, length, titleEnd, maxTitleLength, title))
		}
	}
	words := clone(l.shared.courses)
	fill(programmesFile, "", &landing.Programmes, known)
	for i := range landing.Programmes {
		p := &landing.Programmes[i]
		if p.Project != nil && p.Project.ValidUntil.Over(at) {
			p.Project = nil
		}
		if p.Graduates != nil && p.Graduates.ValidUntil.Over(at) {
			p.Graduates = nil
		}
		p.SuitsNot.See = slices.DeleteFunc(p.SuitsNot.See, func(code string) bool { return !slices.Contains(landing.Event.Courses, code) })
		p.Page = clone(words.Page)
		for j, question := range p.Page.Asked {
			if question.Text == "" {
				p.Page.Asked[j].Text = p.answer(question.ID)
			}
		}
		known.course = *p
		fill(wordsFile, "page", &p.Page, known)
		checkTitle("page.page_title", p.Page.PageTitle)
	}
	landing.CourseApply, landing.CourseList = words.Apply, words.List
	fill(wordsFile, "apply", &landing.CourseApply, known)
	fill(wordsFile, "list", &landing.CourseList, known)
	checkTitle("list.page_title", landing.CourseList.PageTitle)
	return faults
}

// Course returns the course of the page.
func (f facts) Course() Programme { return f.course }

// Weeks returns the weeks of training.
func (f facts) Weeks() int { return weeksInMonth * f.event.TrainingMonths }

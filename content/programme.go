package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hiresure/prose"
)

// Programme is a course of study. Code is the course code.
type Programme struct {
	Code      string         `yaml:"code"`
	Name      string         `yaml:"name"`
	Short     string         `yaml:"short" words:"optional"` // of the name
	Summary   string         `yaml:"summary"`                // one line
	Lede      string         `yaml:"lede"`                   // the summary on its own page
	Learn     string         `yaml:"learn"`                  // follows "Learn", for search engines
	Months    []Month        `yaml:"months"`                 // of the training
	Tools     []string       `yaml:"tools"`
	Mentor    CourseMentor   `yaml:"mentor"`
	Project   *Project       `yaml:"project"`   // nil after its last day
	Graduates *Graduates     `yaml:"graduates"` // nil after its last day
	Roles     []string       `yaml:"roles"`     // occupations of its graduates
	Suits     []string       `yaml:"suits"`     // sentences about the reader
	SuitsNot  Unsuited       `yaml:"suits_not"`
	Answers   []CourseAnswer `yaml:"answers"`
	Sample    bool           `yaml:"sample"` // its words are fictitious; the strip above public pages then says so
	Page      CoursePage     `yaml:"-" words:"optional"`
}

// Month is a month of the training.
type Month struct {
	Title  string   `yaml:"title"`
	Weeks  []string `yaml:"weeks"`                   // what each week teaches
	Builds string   `yaml:"builds" words:"optional"` // the project that ends the month; follows "You build"
}

// weeksInMonth is how many weeks a month of the training has.
const weeksInMonth = 4

// CourseMentor is the mentor of a course. Name is one of mentors.yaml.
type CourseMentor struct {
	Name string `yaml:"name"`
	Text string `yaml:"text"`
}

// Project is a graduate's project, with the consent to show it.
type Project struct {
	Title       string   `yaml:"title"`
	Text        string   `yaml:"text"`
	User        string   `yaml:"user"`
	Designation string   `yaml:"designation"`
	ConsentID   string   `yaml:"consent_id"`
	Chart       DotChart `yaml:"chart"`
	Evidence    string   `yaml:"evidence"`
	ValidUntil  Date     `yaml:"valid_until"` // last day
}

// DotChart shows numbers as columns of dots, one column for each number from First.
type DotChart struct {
	Caption string `yaml:"caption"`
	Spoken  string `yaml:"spoken"` // for people who do not see it
	First   int    `yaml:"first"`
	Counts  []int  `yaml:"counts"` // dots of each column
	Marked  []int  `yaml:"marked"` // numbers of the columns that the text is about
}

// Graduates says where graduates of a year found work. Amounts are pay per year, in paise.
type Graduates struct {
	FromMinor  int64    `yaml:"from_minor"`
	ToMinor    int64    `yaml:"to_minor"`
	HalfMinor  int64    `yaml:"half_minor"` // half of them got it, or more
	Year       int      `yaml:"year"`
	Employers  []string `yaml:"employers"` // each a hiring partner
	Cities     string   `yaml:"cities"`
	Evidence   string   `yaml:"evidence"`
	ValidUntil Date     `yaml:"valid_until"` // last day
}

// Pay returns the range of pay: ₹3,20,000 to ₹5,60,000.
func (g Graduates) Pay() string { return rupees(g.FromMinor) + " to " + rupees(g.ToMinor) }

// Half returns what half of the graduates got, or more.
func (g Graduates) Half() string { return rupees(g.HalfMinor) }

// Unsuited is a question to readers whom other courses suit better.
type Unsuited struct {
	Text string   `yaml:"text"`
	See  []string `yaml:"see"` // codes of these courses; on an event's page those of the event
}

// CourseAnswer is a course's answer to a question that the pages of all courses ask.
type CourseAnswer struct {
	ID   string `yaml:"id"`
	Text string `yaml:"text"`
}

// Stage is a week that ends a month with a project.
type Stage struct {
	Week int
	What string
}

// Slug returns the last part of the address of the course's page.
func (p Programme) Slug() string { return CourseSlug(p.Code) }

// CourseSlug returns the slug of the course with a code.
func CourseSlug(code string) string { return strings.ToLower(strings.ReplaceAll(code, "_", "-")) }

// ShortName returns the name, shortened if it has a short form.
func (p Programme) ShortName() string { return cmp.Or(p.Short, p.Name) }

// Weeks returns the number of weeks of training.
func (p Programme) Weeks() int { return weeksInMonth * len(p.Months) }

// Stages returns the months with a project, by their last week: the last one by its project, the others by their title.
func (p Programme) Stages() (stages []Stage) {
	for i, month := range p.Months {
		switch {
		case i == len(p.Months)-1:
			stages = append(stages, Stage{p.Weeks(), prose.Capital(month.Builds)})
		case month.Builds != "":
			stages = append(stages, Stage{(i + 1) * weeksInMonth, month.Title})
		}
	}
	return stages
}

// Lessons returns what each week teaches.
func (p Programme) Lessons() (all []string) {
	for _, month := range p.Months {
		all = append(all, month.Weeks...)
	}
	return all
}

// programmes returns the programmes of codes, in order.
func (l *Library) programmes(codes []string) (all []Programme) {
	for _, code := range codes {
		all = append(all, l.programme(code))
	}
	return all
}

func (l *Library) programme(code string) Programme {
	for _, programme := range l.shared.programmes {
		if programme.Code == code {
			return clone(programme)
		}
	}
	return Programme{}
}

// checkProgrammes rejects programmes that lack a part of their page.
func (s shared) checkProgrammes() (faults []error) {
	slugs := map[string]bool{}
	for i, p := range s.programmes {
		refuse := refuser(&faults, fmt.Sprintf("[%d].", i))
		refuse(slugs[p.Slug()], "code: %q appears twice", p.Code)
		slugs[p.Slug()] = true
		for j, month := range p.Months {
			refuse(len(month.Weeks) != weeksInMonth, "months[%d].weeks: %d, not %d", j, len(month.Weeks), weeksInMonth)
			refuse(j == len(p.Months)-1 && month.Builds == "", "months[%d].builds: missing at the end of the training", j)
		}
		refuse(!slices.ContainsFunc(s.mentors, func(m Mentor) bool { return m.Name == p.Mentor.Name }), "mentor.name: no mentor %q", p.Mentor.Name)
		for j, code := range p.SuitsNot.See {
			known := slices.ContainsFunc(s.programmes, func(other Programme) bool { return other.Code == code })
			refuse(!known, "suits_not.see[%d]: no programme %q", j, code)
		}
		for _, question := range s.courses.Page.Asked {
			refuse(question.Text == "" && p.answer(question.ID) == "", "answers: none to %q", question.ID)
		}
		for j, answer := range p.Answers {
			asked := slices.ContainsFunc(s.courses.Page.Asked, func(q CourseQuestion) bool { return q.ID == answer.ID && q.Text == "" })
			refuse(!asked, "answers[%d].id: no course answers %q", j, answer.ID)
		}
		if g := p.Graduates; g != nil {
			refuse(g.FromMinor > g.HalfMinor || g.HalfMinor > g.ToMinor, "graduates.half_minor: %d is not between from_minor and to_minor", g.HalfMinor)
			for j, name := range g.Employers {
				refuse(!slices.ContainsFunc(s.hiringPartners, func(partner Partner) bool { return partner.Name == name }), "graduates.employers[%d]: no hiring partner %q", j, name)
			}
		}
		if p.Project != nil {
			chart := p.Project.Chart
			for j, number := range chart.Marked {
				refuse(number < chart.First || number >= chart.First+len(chart.Counts), "project.chart.marked[%d]: no column %d", j, number)
			}
		}
	}
	return faults
}

func (p Programme) answer(id string) string {
	for _, answer := range p.Answers {
		if answer.ID == id {
			return answer.Text
		}
	}
	return ""
}

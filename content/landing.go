package content

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"hiresure/calendar"
)

// Landing holds the texts of an event's page on a day, with figures filled in and claims as valid on that day.
type Landing struct {
	Site           Site
	Event          Event
	Exam           Exam
	ExamWords      ExamWords
	PageTitle      string
	Description    string // for search engines
	Headline       Headline
	Lede           []Span
	Stats          []Statement // each with a figure
	Badges         []Statement
	Ranks          []RankBand // empty if the tuition by rank may not be shown
	Inclusions     []Inclusion
	Words          Words
	Programmes     []Programme // in the order of Event.Courses
	CourseList     CourseList
	CourseApply    CourseApply
	FAQ            []Question
	Testimonials   []Testimonial
	Press          Press
	HiringPartners []Partner
	Mentors        []Mentor
	Enrolment      EnrolmentState
	Notice         Notice // why enrolment is not open; empty if it is
	claims         map[string]Statement
	logos          map[string]string
}

// Headline is the hero's sentence, split around the part with the braid below it.
type Headline struct{ Before, Braid, After string }

// Claim returns a claim as valid on the day; false if it is unknown or expired.
func (l Landing) Claim(id string) (Statement, bool) {
	claim, shown := l.claims[id]
	return claim, shown
}

// Logo is Library.Logo.
func (l *Landing) Logo(file string) string { return l.logos[file] }

// Words is landing.yaml: the texts shared by all event pages.
type Words struct {
	Eyebrow       string        `yaml:"eyebrow"`
	HeroExam      string        `yaml:"hero_exam"`       // below the exam's date
	HeroFee       string        `yaml:"hero_fee"`        // below the fee
	HeroFeeCoupon string        `yaml:"hero_fee_coupon"` // below the fee after a coupon
	FeeLabel      string        `yaml:"fee_label"`
	OncePaid      string        `yaml:"once_paid"` // what happens after payment
	StepDone      string        `yaml:"step_done"` // replaces the first step's text after enrolment
	Prerequisites string        `yaml:"prerequisites"`
	Sources       Link          `yaml:"sources"` // legal page section with the sources of figures
	Sections      Sections      `yaml:"sections"`
	Steps         []Step        `yaml:"steps"` // how the scholarship works
	Answers       []Answer      `yaml:"answers"`
	SecondWay     SecondWay     `yaml:"second_way"`
	Training      string        `yaml:"training"`
	Internship    string        `yaml:"internship"`
	Video         Video         `yaml:"video"`
	AskedFirst    []string      `yaml:"asked_first"` // ids of the questions on the landing page, in order
	MostAsked     []ShortAnswer `yaml:"most_asked"`
	Notices       []Notice      `yaml:"notices"`
	Consents      []Consent     `yaml:"consents"`

	GuardianFacts []GuardianFact `yaml:"guardian_facts"` // what a guardian of a minor agrees to
}

// GuardianFact is a row of what a guardian agrees to. The enrolment form fills in {fee}, {refund} and {tuition}.
type GuardianFact struct {
	Term string `yaml:"term" json:"term"`
	Fact string `yaml:"fact" json:"fact"`
	Text string `yaml:"text" json:"text"`
	Link string `yaml:"link" json:"link,omitempty" words:"optional"` // label of a legal page, linked after the text
}

// Sections holds the headings of the page's blocks.
type Sections struct {
	Enrolment      Section `yaml:"enrolment"`
	Answers        Section `yaml:"answers"`
	HowItWorks     Section `yaml:"how_it_works"`
	Courses        Section `yaml:"courses"`
	Proof          Section `yaml:"proof"`
	Partners       Section `yaml:"partners"`
	HiringPartners Section `yaml:"hiring_partners"`
	Mentors        Section `yaml:"mentors"`
	Program        Section `yaml:"program"`
	Testimonial    Section `yaml:"testimonial"`
	Press          Section `yaml:"press"`
	Contact        Section `yaml:"contact"`
	FAQ            Section `yaml:"faq"`
	Questions      Section `yaml:"questions"` // the page of all questions
	Schedule       Section `yaml:"schedule"`
}

// Section is a heading with optional text around it.
type Section struct {
	Eyebrow string `yaml:"eyebrow" words:"optional"`
	Title   string `yaml:"title"`
	Text    string `yaml:"text" words:"optional"`
}

// Step is a step of the scholarship: title and text are read as one sentence.
type Step struct {
	Title string `yaml:"title"`
	Text  string `yaml:"text"`
}

// Answer is a short answer: who we are, what it costs.
type Answer struct {
	ID   string `yaml:"id" words:"optional"` // its anchor
	Name string `yaml:"name"`
	Text string `yaml:"text" words:"bold"`
}

// Spans returns the answer's text as spans.
func (a Answer) Spans() []Span { return Bold(a.Text) }

// SecondWay leads to the scholarship that does not depend on the exam.
type SecondWay struct {
	Question string `yaml:"question"`
	Link     string `yaml:"link"`
	Text     string `yaml:"text"` // follows the link
}

// Inclusion is an item of "Program Inclusion".
type Inclusion struct {
	ID     string `yaml:"id"`
	Text   string `yaml:"text" words:"bold"`
	Answer string `yaml:"answer" words:"optional"` // id of the FAQ question with its conditions
}

// Spans returns the item's text as spans.
func (i Inclusion) Spans() []Span { return Bold(i.Text) }

// Video is the explainer video. Files are names under static.
type Video struct {
	Title    string `yaml:"title"`
	Source   string `yaml:"source"`
	Poster   string `yaml:"poster"`
	Captions string `yaml:"captions"`
	Seconds  int    `yaml:"seconds"`
	Cues     []Cue  `yaml:"cues"` // the transcript, by time
}

// Length formats the duration: 1:05.
func (v Video) Length() string { return fmt.Sprintf("%d:%02d", v.Seconds/60, v.Seconds%60) }

// Cue is a sentence of the video, shown until the next one.
type Cue struct {
	At   int    `yaml:"at" words:"optional"` // seconds from the start
	Text string `yaml:"text"`
}

// WebVTT returns the captions file of the cues.
func (v Video) WebVTT() string {
	var file strings.Builder
	file.WriteString("WEBVTT\n")
	for i, cue := range v.Cues {
		end := v.Seconds
		if i+1 < len(v.Cues) {
			end = v.Cues[i+1].At
		}
		fmt.Fprintf(&file, "\n%02d:%02d.000 --> %02d:%02d.000\n%s\n", cue.At/60, cue.At%60, end/60, end%60, cue.Text)
	}
	return file.String()
}

// Notice explains why enrolment is not open and what to do instead.
type Notice struct {
	State EnrolmentState `yaml:"state"`
	Title string         `yaml:"title"`
	Text  string         `yaml:"text"`
}

// Consent explains the checkbox of a purpose, whose label is in the form. Purpose is its wire name.
type Consent struct {
	Purpose string `yaml:"purpose"`
	Text    string `yaml:"text"` // its effect, and how to withdraw it
}

// Testimonial is a person's quote, with the consent to show it.
type Testimonial struct {
	ID          string `yaml:"id"`
	Text        string `yaml:"text"`
	User        string `yaml:"user"`
	Designation string `yaml:"designation"`
	ConsentID   string `yaml:"consent_id"`
	Sample      bool   `yaml:"sample"` // fictitious; the strip above public pages then says so
}

// Press is the press release with its media coverage.
type Press struct {
	Headline string      `yaml:"headline"`
	ReadMore Link        `yaml:"read_more"`
	Rows     []MediaLine `yaml:"rows"`
	Sample   bool        `yaml:"sample"` // fictitious; the strip above public pages then says so
}

// MediaLine is a row of media outlets.
type MediaLine struct {
	Outlets []Link `yaml:"outlets"`
}

// Link is a label with an address.
type Link struct {
	Label string `yaml:"label"`
	Href  string `yaml:"href"`
}

// shared is the content shared by all landing pages.
type shared struct {
	words          Words
	exam           ExamWords
	programmes     []Programme
	courses        CourseWords
	faq            []Question
	testimonials   []Testimonial
	press          Press
	hiringPartners []Partner
	mentors        []Mentor
}

// Landing returns an event's page on the day of at (Asia/Kolkata); false for an unknown slug.
func (l *Library) Landing(slug string, at time.Time) (*Landing, bool) {
	return l.LandingAtFee(slug, at, l.events[slug].Event.FeeMinor)
}

// LandingAtFee is Landing with another fee in all texts.
func (l *Library) LandingAtFee(slug string, at time.Time, minor int64) (*Landing, bool) {
	file, known := l.events[slug]
	if !known {
		return nil, false
	}
	file.Event.FeeMinor = minor
	l.mutex.Lock()
	defer l.mutex.Unlock()
	page, key := pricedPage{slug, minor}, landingKey{calendar.ISODate(at), file.Event.Enrolment(at)}
	if kept, found := l.landings[page]; found && kept.key == key {
		return clone(kept.landing), true
	}
	landing, faults := l.compose(file, at)
	if len(faults) > 0 {
		// Load has composed every event before and after its claims expire, so this is a bug.
		panic(fmt.Sprint("content: ", faults))
	}
	l.landings[page] = cachedLanding{key, landing}
	return clone(landing), true
}

// pricedPage is an event's page at a fee: one per coupon.
type pricedPage struct {
	slug     string
	feeMinor int64
}

type landingKey struct {
	day       string
	enrolment EnrolmentState
}

type cachedLanding struct {
	key     landingKey
	landing *Landing
}

// compose fills in all texts of an event's page. Faults name file and field.
func (l *Library) compose(file eventFile, at time.Time) (*Landing, []error) {
	var faults []error
	fillIn := func(name, path string, pointer any, facts facts) {
		for _, fault := range expand(reflect.ValueOf(pointer).Elem(), path, "", facts) {
			faults = append(faults, fmt.Errorf("content/%s, for %s: %w", name, file.Event.Slug, fault))
		}
	}
	eventName := "events/" + file.Event.Slug + ".yaml"
	known := facts{at: at, Site: l.site, event: file.Event, exam: file.Exam}
	programmes := l.programmes(file.Event.Courses)
	for _, programme := range programmes {
		known.courses = append(known.courses, programme.Name)
		known.shortCourses = append(known.shortCourses, programme.ShortName())
	}
	claims := clone(file.Claims)
	fillIn(eventName, "claims", &claims, known)
	known.claims = map[string]Statement{}
	landing := &Landing{Site: l.site, Event: file.Event, Enrolment: file.Event.Enrolment(at), claims: known.claims, logos: l.logos}
	for _, claim := range claims {
		statement, shown := claim.at(at)
		if !shown {
			continue
		}
		known.claims[claim.ID] = statement
		switch claim.Place {
		case "stat":
			landing.Stats = append(landing.Stats, statement)
		case "badge":
			landing.Badges = append(landing.Badges, statement)
		}
		if claim.ID == tuitionClaim && statement.Whole {
			landing.Ranks = file.Event.Ranks()
		}
	}

	words := clone(file.Words)
	fillIn(eventName, "words", &words, known)
	landing.PageTitle, landing.Description, landing.Inclusions = words.PageTitle, words.Description, words.Inclusions
	landing.Lede = Bold(words.Lede)
	before, after, _ := strings.Cut(words.Headline, words.Braid)
	landing.Headline = Headline{before, words.Braid, after}
	landing.Event.Schedule = file.Event.scheduleAt(at)
	fillIn(eventName, "event.schedule", &landing.Event.Schedule, known)

	landing.Exam, landing.ExamWords = clone(file.Exam), clone(l.shared.exam)
	fillIn(eventName, "exam", &landing.Exam, known)
	fillIn("exam.yaml", "", &landing.ExamWords, known)
	if title := landing.ExamWords.PageTitle; utf8.RuneCountInString(title) > maxTitleLength {
		faults = append(faults, fmt.Errorf("content/exam.yaml, for %s: page_title: %d characters, and %d are shown: %q", file.Event.Slug, utf8.RuneCountInString(title), maxTitleLength, title))
	}

	landing.Words = clone(l.shared.words)
	fillIn("landing.yaml", "", &landing.Words, known)
	landing.FAQ = clone(l.shared.faq)
	fillIn("faq.yaml", "", &landing.FAQ, known)
	landing.Testimonials = clone(l.shared.testimonials)
	fillIn("testimonials.yaml", "", &landing.Testimonials, known)
	landing.Press = clone(l.shared.press)
	fillIn("press.yaml", "", &landing.Press, known)
	landing.HiringPartners, landing.Mentors = l.shared.hiringPartners, l.shared.mentors
	landing.Programmes = programmes
	faults = append(faults, l.composeCourses(landing, known, at)...)
	for _, notice := range landing.Words.Notices {
		if notice.State == landing.Enrolment {
			landing.Notice = notice
		}
	}
	return landing, faults
}

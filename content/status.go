package content

import (
	"fmt"
	"maps"
	"slices"
)

// statusWords are the words for how a registration stands; status.yaml says where each is read.
type statusWords struct {
	Documents   map[string]DocumentWords `yaml:"documents"` // by how many of the needed ones are there
	Entries     map[string]EntryWords    `yaml:"entries"`   // by kind
	Enrolment   map[string]PhaseWords    `yaml:"enrolment"` // by phase
	Application map[string]PhaseWords    `yaml:"application"`
}

// DocumentWords are the title of an application that waits for documents, and the row of its timeline that asks for them.
type DocumentWords struct {
	Title string `yaml:"title"`
	Next  string `yaml:"next"`
	Text  string `yaml:"text" words:"optional"`
}

// EntryWords are what a person reads of an entry of the timeline.
type EntryWords struct {
	Title string `yaml:"title"`
	Text  string `yaml:"text"`
}

// PhaseWords are the words of one phase of one product.
type PhaseWords struct {
	Step    string     `yaml:"step"`
	Home    StatusText `yaml:"home"`
	Next    []NextRow  `yaml:"next"`
	Pay     StatusText `yaml:"pay"`
	Landing StatusText `yaml:"landing"`
	Another StatusText `yaml:"another"`
	SignUp  StatusText `yaml:"sign_up"`
}

// StatusText is what one surface says. A surface uses the slots that it needs.
type StatusText struct {
	Title     string   `yaml:"title"`
	Lead      string   `yaml:"lead"` // what matters most, below the title
	Text      string   `yaml:"text"`
	Lines     []string `yaml:"lines"`     // sentences, of which those with unknown values are left out
	Free      []string `yaml:"free"`      // in the place of Lines where nothing was charged
	Brief     string   `yaml:"brief"`     // the title where there is little room
	First     string   `yaml:"first"`     // what to do first
	Button    string   `yaml:"button"`    // {amount} is cut off where each way to pay names its own
	Otherwise string   `yaml:"otherwise"` // the button where the amount in Button is not known
	Step      string   `yaml:"step"`      // of the payment on the line of steps, where this surface says it in other words
}

// NextRow is a row of what follows on a timeline.
type NextRow struct {
	When     string `yaml:"when"`
	Title    string `yaml:"title"`
	Text     string `yaml:"text"`
	Assignee string `yaml:"assignee"` // person or staff; "" in the first row, which belongs to whom the phase waits for
}

// Status returns the words of a phase of a product, enrolment or application; none for an unknown one.
func (l *Library) Status(product, phase string) PhaseWords { return clone(l.status.of(product)[phase]) }

// Entry returns the words of a kind of entry; none for one that is not shown.
func (l *Library) Entry(kind string) EntryWords { return l.status.Entries[kind] }

// DocumentsLeft returns the words for how many of the needed documents are there: none, only_optional,
// one_missing, some_missing or all.
func (l *Library) DocumentsLeft(progress string) DocumentWords { return l.status.Documents[progress] }

func (w statusWords) of(product string) map[string]PhaseWords {
	return map[string]map[string]PhaseWords{"enrolment": w.Enrolment, "application": w.Application}[product]
}

// check refuses a phase without the words that every page of My Registrations needs, and a row that nobody could act on.
func (w statusWords) check() (faults []error) {
	for _, product := range []string{"enrolment", "application"} {
		phases := w.of(product)
		for _, phase := range slices.Sorted(maps.Keys(phases)) {
			words := phases[phase]
			if words.Home.Title == "" || len(words.Home.Lines) == 0 {
				faults = append(faults, fmt.Errorf("%s.%s.home: missing", product, phase))
			}
			for i, row := range words.Next {
				if row.When == "" || row.Title == "" || (i > 0) != slices.Contains([]string{"person", "staff"}, row.Assignee) {
					faults = append(faults, fmt.Errorf("%s.%s.next[%d]: when, title, or assignee is wrong", product, phase, i))
				}
			}
		}
	}
	for _, progress := range []string{"none", "only_optional", "one_missing", "some_missing", "all"} {
		if w.Documents[progress].Title == "" || w.Documents[progress].Next == "" {
			faults = append(faults, fmt.Errorf("documents.%s: missing", progress))
		}
	}
	return faults
}

package content

import (
	"fmt"
	"maps"
	"slices"
)

// statusWords is status.yaml, the texts for a registration's status.
type statusWords struct {
	Documents   map[string]DocumentWords `yaml:"documents"` // by progress
	Entries     map[string]EntryWords    `yaml:"entries"`   // by kind
	Enrolment   map[string]PhaseWords    `yaml:"enrolment"` // by phase
	Application map[string]PhaseWords    `yaml:"application"`
}

// DocumentWords are the texts of an application that waits for documents: home, list and timeline row.
type DocumentWords struct {
	Title   string `yaml:"title"`
	Heading string `yaml:"heading"` // of the detail
	Brief   string `yaml:"brief"`   // beside the badge
	Line    string `yaml:"line"`
	Next    string `yaml:"next"`
	Text    string `yaml:"text" words:"optional"`
}

// EntryWords are the texts of a timeline entry.
type EntryWords struct {
	Title string `yaml:"title"`
	Text  string `yaml:"text"`
}

// PhaseWords are the texts of one phase of a product.
type PhaseWords struct {
	Step    string     `yaml:"step"`
	Home    StatusText `yaml:"home"`
	Begun   StatusText `yaml:"begun"` // replaces Home and the lines of List before the first answer is saved
	List    StatusText `yaml:"list"`
	Next    []NextRow  `yaml:"next"`
	Pay     StatusText `yaml:"pay"`
	Landing StatusText `yaml:"landing"`
	Another StatusText `yaml:"another"`
	SignUp  StatusText `yaml:"sign_up"`
	AtBank  BankWords  `yaml:"at_bank"` // replaces the same texts once the payer's bank has the payment
}

// BankWords are the texts of a payment that waits for the payer's bank.
type BankWords struct {
	Home StatusText `yaml:"home"`
	List StatusText `yaml:"list"`
	Next []NextRow  `yaml:"next"`
}

// StatusText holds the texts of one surface. Each surface uses the fields that it needs.
type StatusText struct {
	Title     string   `yaml:"title"`
	Lead      string   `yaml:"lead"` // key message below the title
	Text      string   `yaml:"text"`
	Lines     []string `yaml:"lines"`     // sentences; those with unknown values are left out
	Free      []string `yaml:"free"`      // replaces Lines if nothing was charged
	Brief     string   `yaml:"brief"`     // short title
	First     string   `yaml:"first"`     // what to do first
	Button    string   `yaml:"button"`    // {amount} is dropped if each payment method shows its own
	Otherwise string   `yaml:"otherwise"` // replaces Button if the amount is unknown
	Step      string   `yaml:"step"`      // replaces the payment's label in the steps
}

// NextRow is a future row of a timeline.
type NextRow struct {
	When     string `yaml:"when"`
	Title    string `yaml:"title"`
	Text     string `yaml:"text"`
	Assignee string `yaml:"assignee"` // person or staff; "" in the first row, which is the phase's assignee's
}

// Status returns the texts of a phase of a product (enrolment or application); empty for an unknown one.
func (l *Library) Status(product, phase string) PhaseWords {
	return clone(l.status.ofProduct(product)[phase])
}

// Entry returns the texts of a kind of entry; empty for one that is not shown.
func (l *Library) Entry(kind string) EntryWords { return l.status.Entries[kind] }

// DocumentsLeft returns the texts for a progress of the documents: none, only_optional, one_missing, some_missing or
// all.
func (l *Library) DocumentsLeft(progress string) DocumentWords { return l.status.Documents[progress] }

func (w statusWords) ofProduct(product string) map[string]PhaseWords {
	return map[string]map[string]PhaseWords{"enrolment": w.Enrolment, "application": w.Application}[product]
}

// check rejects a phase without the texts that every page needs, and a row without an assignee.
func (w statusWords) check() (faults []error) {
	for _, product := range []string{"enrolment", "application"} {
		phases := w.ofProduct(product)
		for _, phase := range slices.Sorted(maps.Keys(phases)) {
			words := phases[phase]
			if words.Home.Title == "" || len(words.Home.Lines) == 0 {
				faults = append(faults, fmt.Errorf("%s.%s.home: missing", product, phase))
			}
			if words.List.Brief == "" {
				faults = append(faults, fmt.Errorf("%s.%s.list.brief: missing", product, phase))
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

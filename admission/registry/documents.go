package registry

import (
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/prose"
)

// withDocuments is how an application that waits for its documents stands by those that are there. It reads them: a list,
// which shows no title, does without.
func (s *Service) withDocuments(tx Tx, item *Item) (err error) {
	if s.factsOf(*item).phase() != phaseUpload {
		return nil
	}
	item.documents, err = tx.Documents(item.Registration.ID)
	item.Standing = s.factsOf(*item).standing()
	return err
}

// toGo is the title of an application of whose documents one is there.
func (f facts) toGo() string {
	needed, missing := f.needed()
	switch n := len(missing); n {
	case 0:
		return "All " + prose.Number(len(needed)) + " documents are in"
	case 1:
		return "One document to go"
	default:
		return prose.Capital(prose.Number(n)) + " documents to go"
	}
}

// asked are the needed kinds in a sentence of their own.
func (f facts) asked() string {
	needed, _ := f.needed()
	var words []string
	for _, fact := range needed {
		words = append(words, fact.Word)
	}
	return prose.Capital(strings.Join(words, ", "))
}

// needed are the kinds that must be there, and missing those of them that are not.
func (f facts) needed() (needed, missing []document.KindFact) {
	for _, fact := range document.Kinds {
		if fact.Required == "" {
			continue
		}
		needed = append(needed, fact)
		if _, there := document.OfKind(f.documents, fact.Kind); !there {
			missing = append(missing, fact)
		}
	}
	return needed, missing
}

// uploads say what is next where documents are missing, and after that. Only what is missing is asked for.
func (f facts) uploads() []following {
	needed, missing := f.needed()
	rows := slices.Clone(applicationFollows[phaseUpload])
	switch {
	case len(missing) == 0:
		rows[0] = following{rows[0].when, "Submit your documents", "", ""}
	case len(missing) < len(needed):
		var labels []string
		for _, fact := range missing {
			labels = append(labels, fact.Label)
		}
		rows[0] = following{rows[0].when, prose.List(labels), "", ""}
	}
	return rows
}

// arrived tells of the documents that are there, at the time of the latest.
func (f facts) arrived() (moments []Moment) {
	var latest time.Time
	var words []string
	for _, d := range f.documents {
		fact, _ := d.Kind.Fact()
		words = append(words, fact.Word)
		if d.StoredAt.After(latest) {
			latest = d.StoredAt
		}
	}
	if len(words) == 0 {
		return nil
	}
	return []Moment{{State: Happened, At: latest, Title: prose.Capital(prose.List(words)) + " in", Text: admission.TimeOfDay(latest)}}
}

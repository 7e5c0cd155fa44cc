package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

// Holding is what a holding says of its table.
type Holding struct {
	Table, Why string
	Own        bool // it has rows of persons
	Exported   bool
	Answers    bool // its rows answer a form
	Hidden     []string
	Keeps      []string
	SealedAs   map[string]string
}

// Holdings returns what is said of each table, in the order in which rows are erased.
func Holdings() (all []Holding) {
	for _, h := range holdings {
		all = append(all, Holding{
			Table: h.table, Why: h.notExported, Own: h.where != "", Exported: h.kind != "", Answers: h.forms != nil, SealedAs: h.seals,
			Hidden: slices.Sorted(maps.Keys(h.hide)), Keeps: slices.Sorted(maps.Keys(h.retained)),
		})
	}
	return all
}

// ErasedJobs are the kinds of jobs that go with the rows of a table; StayingJobs the others, with the reason.
func ErasedJobs() map[string]string {
	tables := map[string]string{}
	for _, of := range jobsOf {
		for _, kind := range of.kinds {
			tables[kind] = of.table
		}
	}
	return tables
}

func StayingJobs() map[string]string { return keptJobs }

// Belongings are the tables whose keys a purge asks for.
func Belongings() []string { return slices.Sorted(maps.Keys(belongings)) }

// Seal seals a text for a place, and Unseal opens one; "" for what is not sealed for it.
func (s *Store) Seal(table, id, text string) string { return s.sealer.seal(table, id, []byte(text)) }

func (s *Store) Unseal(table, id, sealed string) string {
	text, _ := s.sealer.open(table, id, sealed)
	return string(text)
}

// EraseAll finds the traces of a person and erases them.
func (s *Store) EraseAll(ctx context.Context, a *account.Account, at time.Time) error {
	var found mydata.Traces
	if err := s.view(ctx, func(t *tx) (err error) {
		found, err = t.Traces(a)
		return err
	}); err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error { return t.Erase(a, found, at) })
}

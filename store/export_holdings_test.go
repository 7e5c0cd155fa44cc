package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

// Holding is an exported holding.
type Holding struct {
	Table, Why string
	Personal   bool // it has personal rows
	Exported   bool
	Answers    bool // its rows answer a form
	Hidden     []string
	Keeps      []string
	SealedAs   map[string]string
}

// Holdings returns the holdings in the order of erasure.
func Holdings() (all []Holding) {
	for _, h := range holdings {
		all = append(all, Holding{
			Table: h.table, Why: h.notExported, Personal: h.where != "", Exported: h.kind != "", Answers: h.forms != nil, SealedAs: h.seals,
			Hidden: slices.Sorted(maps.Keys(h.hide)), Keeps: slices.Sorted(maps.Keys(h.retained)),
		})
	}
	return all
}

// ErasedJobs returns the kinds of jobs erased with the rows of a table.
func ErasedJobs() map[string]string {
	tables := map[string]string{}
	for _, of := range jobsOf {
		for _, kind := range of.kinds {
			tables[kind] = of.table
		}
	}
	return tables
}

func KeptJobs() map[string]string { return keptJobs }

// Belongings returns the tables whose keys a purge of registrations selects.
func Belongings() []string { return slices.Sorted(maps.Keys(belongings)) }

// Seal seals a text for a table and id.
func (s *Store) Seal(table, id, text string) string { return s.sealer.seal(table, id, []byte(text)) }

func (s *Store) Unseal(table, id, sealed string) string {
	text, _ := s.sealer.open(table, id, sealed)
	return string(text)
}

// EraseAll erases the traces of a person.
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

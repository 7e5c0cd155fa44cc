package office

import (
	"context"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
)

// Export is what the log says of a file that leaves the site. Filter has no words that name a person, since the log forgets nothing.
type Export struct {
	Filter, Format, Reason string
}

// maxReason limits a reason, in characters.
const maxReason = 200

// CheckReason returns Invalid for field reason unless it has one.
func (e Export) CheckReason() error { return checkReason(e.Reason, "Write what the file is for") }

// checkReason returns Invalid for field reason, with a message where it is missing.
func checkReason(reason, missing string) error {
	switch n := len([]rune(strings.TrimSpace(reason))); {
	case n == 0:
		return &admission.Problem{Kind: admission.Invalid, Field: "reason", Message: missing}
	case n > maxReason:
		return &admission.Problem{Kind: admission.Invalid, Field: "reason", Message: "Use at most 200 characters"}
	}
	return nil
}

// act returns the row of the log.
func (e Export) act(by staff.Actor, at time.Time, what string, rows int) staff.Act {
	counted := " rows"
	if rows == 1 {
		counted = " row"
	}
	act := by.Did(at, what, e.Filter, "", e.Format+", "+strconv.Itoa(rows)+counted)
	act.Reason = strings.TrimSpace(e.Reason)
	return act
}

// ExportRegistrations logs an export of the registrations of a query and returns their rows, by id. Rows are read in batches, each as it is
// then, and end with the first error. Problem: Invalid for field reason.
func (s *Service) ExportRegistrations(ctx context.Context, q Query, e Export, by staff.Actor) (iter.Seq2[registry.Item, error], error) {
	if err := e.CheckReason(); err != nil {
		return nil, err
	}
	err := s.Store.Update(ctx, func(tx Tx) error {
		counts, err := tx.CountRegistrations(q, math.MaxInt32)
		if err != nil {
			return err
		}
		return tx.LogAct(e.act(by, s.Clock(), "exported registrations", counts.All))
	})
	if err != nil {
		return nil, err
	}
	return func(yield func(registry.Item, error) bool) {
		for registrations, err := range s.Books.FoundRegistrations(ctx, q) {
			var items []registry.Item
			if err == nil {
				err = s.Store.View(ctx, func(tx Tx) (err error) {
					items, err = s.Registry.Items(tx, registrations)
					return err
				})
			}
			if err != nil {
				yield(registry.Item{}, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}, nil
}

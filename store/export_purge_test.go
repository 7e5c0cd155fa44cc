package store

import (
	"context"
	"errors"
	"fmt"
)

// NextPurge is how many rows go in the next transaction.
var NextPurge = nextPurge

// PurgePlans returns how the database finds what is over, by table.
func (s *Store) PurgePlans(ctx context.Context) (map[string]string, error) {
	plans := map[string]string{}
	return plans, s.update(ctx, func(t *tx) error {
		for _, p := range purges {
			explain, columns := "EXPLAIN ", 1
			if t.db.Name() == "sqlite" {
				explain, columns = "EXPLAIN QUERY PLAN ", 4
			}
			rows, err := t.db.Raw(explain+purgeStatement(t.db.Name(), p), 1, firstPurge).Rows()
			if err != nil {
				return err
			}
			for rows.Next() {
				line := make([]any, columns)
				into := make([]any, columns)
				for i := range line {
					into[i] = &line[i]
				}
				if err := rows.Scan(into...); err != nil {
					return err
				}
				plans[p.table] += fmt.Sprintln(line[columns-1])
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				return err
			}
		}
		return nil
	})
}

package store

import (
	"context"
	"errors"
	"fmt"
)

// NextPurge returns the size of the next batch.
var NextPurge = nextBatch

// PurgePlans returns the query plans of the purges, by table.
func (s *Store) PurgePlans(ctx context.Context) (map[string]string, error) {
	plans := map[string]string{}
	return plans, s.update(ctx, func(t *tx) error {
		for _, p := range purges {
			plan, err := t.plan(purgeStatement(t.db.Name(), p), 1, firstPurge)
			if err != nil {
				return err
			}
			plans[p.table] = plan
		}
		return nil
	})
}

// TicketPlans returns the query plans of ticket queries, by the index that they should use.
func (s *Store) TicketPlans(ctx context.Context) (map[string]string, error) {
	plans := map[string]string{}
	return plans, s.update(ctx, func(t *tx) (err error) {
		for index, q := range map[string]struct {
			query string
			args  []any
		}{
			"registrations_ticket":                    {"SELECT id FROM registrations WHERE " + ofTicket + " LIMIT 1", []any{"1"}},
			"registrations_ticket_key":                {"SELECT * FROM registrations WHERE " + ofTicketKey + " LIMIT 1", []any{"1"}},
			"registrations_enrolled_without_referral": {"SELECT id FROM registrations WHERE " + withoutReferral + " ORDER BY id LIMIT 100", nil},
		} {
			if plans[index], err = t.plan(q.query, q.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// plan returns the query plan of a statement.
func (t *tx) plan(statement string, args ...any) (plan string, err error) {
	explain, columns := "EXPLAIN ", 1
	if t.db.Name() == "sqlite" {
		explain, columns = "EXPLAIN QUERY PLAN ", 4
	}
	rows, err := t.db.Raw(explain+statement, args...).Rows()
	if err != nil {
		return "", err
	}
	for rows.Next() {
		line := make([]any, columns)
		into := make([]any, columns)
		for i := range line {
			into[i] = &line[i]
		}
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		plan += fmt.Sprintln(line[columns-1])
	}
	return plan, errors.Join(rows.Err(), rows.Close())
}

package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"gorm.io/gorm"

	"hiresure/admission"
)

// listBatch limits the rows of a list in memory; maxPage limits the rows of a page.
const (
	listBatch = 500
	maxPage   = 200
)

// A list is a unique order of a table's rows, for keyset pagination: the database skips earlier rows by an index instead of
// counting them.
type list[Row any] struct {
	name     string           // a cursor is valid for one name
	columns  []string         // the sort keys; the last ones make the order unique
	down     bool             // descending
	position func(*Row) []any // the values of columns as stored: int64 or string
}

// A scope adds the condition that selects rows of a list. It is called for each batch.
type scope func(*gorm.DB) *gorm.DB

func allRows(db *gorm.DB) *gorm.DB { return db }

// after returns at most limit rows after a position, nil for the beginning.
func (l list[Row]) after(db *gorm.DB, where scope, place []any, limit int) (rows []Row, err error) {
	query, direction, sign := where(db), "", ">"
	if l.down {
		direction, sign = " DESC", "<"
	}
	if place != nil {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(place)), ", ")
		query = query.Where("("+strings.Join(l.columns, ", ")+") "+sign+" ("+marks+")", place...)
	}
	err = query.Order(strings.Join(l.columns, direction+", ") + direction).Limit(limit).Find(&rows).Error
	return rows, err
}

// batches returns all rows of a scope in batches, in transaction t. It ends with the first error.
func (l list[Row]) batches(t *tx, of scope) iter.Seq2[[]Row, error] {
	return l.read(func(place []any) ([]Row, error) { return l.after(t.db, of, place, listBatch) })
}

// rows returns all rows of a scope, in transaction t.
func (l list[Row]) rows(t *tx, of scope) iter.Seq2[Row, error] { return flatten(l.batches(t, of)) }

// all returns all rows of a scope, each batch from its own View, so that a slow caller holds neither a connection nor a
// snapshot. A row whose position does not change is returned once, a new row if its position is still ahead. It ends with
// the first error.
func (l list[Row]) all(ctx context.Context, s *Store, of scope) iter.Seq2[Row, error] {
	return flatten(l.read(func(place []any) (rows []Row, err error) {
		err = s.view(ctx, func(t *tx) (err error) {
			rows, err = l.after(t.db, of, place, listBatch)
			return err
		})
		return rows, wrap("list "+l.name, err)
	}))
}

func (l list[Row]) read(behind func(place []any) ([]Row, error)) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		for place := []any(nil); ; {
			rows, err := behind(place)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(rows) > 0 && !yield(rows, nil) || len(rows) < listBatch {
				return
			}
			place = l.position(&rows[len(rows)-1])
		}
	}
}

// page returns a page of at most limit rows, 1 to maxPage, and the cursor of the next page, "" after the last. cursor is ""
// for the first page, or a cursor of this list for the same scope, which of names: any other is a NotFound for the visitor.
func (l list[Row]) page(t *tx, of string, rowsOf scope, cursor string, limit int) (rows []Row, next string, err error) {
	var place []any
	if cursor != "" {
		if place, err = l.decodeCursor(t.sealer, of, cursor); err != nil {
			return nil, "", err
		}
	}
	limit = min(max(limit, 1), maxPage)
	if rows, err = l.after(t.db, rowsOf, place, limit+1); err != nil { // one more row means that there is a next page
		return nil, "", wrap("list "+l.name, err)
	}
	if len(rows) > limit {
		rows = rows[:limit]
		next, err = l.cursor(t.sealer, of, &rows[limit-1])
	}
	return rows, next, err
}

// eitherWay returns a page, the newest row first, of a list that can be read towards newer and older rows, with the cursors of both
// neighbours. cursor is "" for the first page, or one of this list for the scope that of names. read returns at most limit rows behind a
// place, nil for the beginning; newer ones oldest first.
func (l list[Row]) eitherWay(s sealer, of, cursor string, newer bool, limit int, read func(place []any, limit int) ([]Row, error)) (rows []Row, newerPage, olderPage string, err error) {
	var place []any
	if cursor != "" {
		if place, err = l.decodeCursor(s, of, cursor); err != nil {
			return nil, "", "", err
		}
	}
	limit = min(max(limit, 1), maxPage)
	if rows, err = read(place, limit+1); err != nil || len(rows) == 0 { // one more row means that there is a further page
		return nil, "", "", err
	}
	more := len(rows) > limit
	rows = rows[:min(len(rows), limit)]
	if newer {
		slices.Reverse(rows)
	}
	if newer || more {
		if olderPage, err = l.cursor(s, of, &rows[len(rows)-1]); err != nil {
			return nil, "", "", err
		}
	}
	if newer && more || !newer && place != nil {
		newerPage, err = l.cursor(s, of, &rows[0])
	}
	return rows, newerPage, olderPage, err
}

// cursor seals the position of a row: a URL with it reveals nothing, and it cannot be forged.
func (l list[Row]) cursor(s sealer, of string, row *Row) (string, error) {
	place, err := json.Marshal(l.position(row))
	if err != nil {
		return "", fmt.Errorf("cursor of %s: %w", l.name, err)
	}
	return s.seal("cursor of "+l.name, of, place), nil
}

func (l list[Row]) decodeCursor(s sealer, of, cursor string) (place []any, err error) {
	clear, err := s.open("cursor of "+l.name, of, cursor)
	if err != nil {
		return nil, errNoSuchPage
	}
	numbers := json.NewDecoder(bytes.NewReader(clear))
	numbers.UseNumber() // a float64 does not hold every int64
	if err := numbers.Decode(&place); err != nil || len(place) != len(l.columns) {
		return nil, errNoSuchPage // of a version with another order
	}
	for i, value := range place {
		if number, is := value.(json.Number); is {
			if place[i], err = number.Int64(); err != nil {
				return nil, errNoSuchPage
			}
		}
	}
	return place, nil
}

var errNoSuchPage = &admission.Problem{Kind: admission.NotFound, Message: "This page of the list does not exist."}

// flatten flattens batches.
func flatten[Row any](batches iter.Seq2[[]Row, error]) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for rows, err := range batches {
			if err != nil {
				var none Row
				yield(none, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// mapRows converts the rows of a list.
func mapRows[Row, T any](rows iter.Seq2[Row, error], of func(Row) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			var value T
			if err == nil {
				value, err = of(row)
			}
			if !yield(value, err) || err != nil {
				return
			}
		}
	}
}

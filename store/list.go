package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"gorm.io/gorm"

	"hiresure/admission"
)

// listBatch is how many rows of a list are in memory at a time; mostPage how many one page has at most.
const (
	listBatch = 500
	mostPage  = 200
)

// A list is an order of a table's rows in which no two rows stand at the same place, so that reading can go on behind any
// of them: the database skips what comes before by its index, instead of counting it.
type list[Row any] struct {
	name    string           // what a cursor belongs to: that of one list opens no other
	columns []string         // whose values order the rows; the last ones make a place unique
	down    bool             // the largest first
	place   func(*Row) []any // the values of the columns, as the database keeps them: int64 or string
}

// A scope chooses rows of a list. It is called for each batch, with a query that has no condition yet.
type scope func(*gorm.DB) *gorm.DB

func allRows(db *gorm.DB) *gorm.DB { return db }

// behind reads at most so many rows behind a place, nil for the beginning.
func (l list[Row]) behind(db *gorm.DB, of scope, place []any, most int) (rows []Row, err error) {
	query, direction, sign := of(db), "", ">"
	if l.down {
		direction, sign = " DESC", "<"
	}
	if place != nil {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(place)), ", ")
		query = query.Where("("+strings.Join(l.columns, ", ")+") "+sign+" ("+marks+")", place...)
	}
	err = query.Order(strings.Join(l.columns, direction+", ") + direction).Limit(most).Find(&rows).Error
	return rows, err
}

// batches reads all rows of a scope in the transaction at hand, some at a time. It ends with the first error.
func (l list[Row]) batches(t *tx, of scope) iter.Seq2[[]Row, error] {
	return l.read(func(place []any) ([]Row, error) { return l.behind(t.db, of, place, listBatch) })
}

// rows is batches, row by row.
func (l list[Row]) rows(t *tx, of scope) iter.Seq2[Row, error] { return single(l.batches(t, of)) }

// all reads all rows of a scope, each batch in a view of its own: whoever takes them slowly keeps neither a connection nor
// a snapshot. A row whose place stays the same meanwhile comes once; one that is added comes if its place is still ahead.
// It ends with the first error.
func (l list[Row]) all(ctx context.Context, s *Store, of scope) iter.Seq2[Row, error] {
	return single(l.read(func(place []any) (rows []Row, err error) {
		err = s.view(ctx, func(t *tx) (err error) {
			rows, err = l.behind(t.db, of, place, listBatch)
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
			place = l.place(&rows[len(rows)-1])
		}
	}
}

// page reads a page of at most so many rows, 1 to mostPage, and returns the cursor of the next one, "" behind the last.
// cursor is "" for the first page. Others must be cursors of this list for the same scope, whose name `of` tells them
// apart: any other is a NotFound, in words for the visitor who sent it.
func (l list[Row]) page(t *tx, of string, rowsOf scope, cursor string, most int) (rows []Row, next string, err error) {
	var place []any
	if cursor != "" {
		if place, err = l.opened(t.sealer, of, cursor); err != nil {
			return nil, "", err
		}
	}
	most = min(max(most, 1), mostPage)
	if rows, err = l.behind(t.db, rowsOf, place, most+1); err != nil { // one more tells whether there is a next page
		return nil, "", wrap("list "+l.name, err)
	}
	if len(rows) > most {
		rows = rows[:most]
		next, err = l.cursor(t.sealer, of, &rows[most-1])
	}
	return rows, next, err
}

// cursor seals the place of a row: an address that it stands in tells nothing of the row, and nobody makes one up.
func (l list[Row]) cursor(s sealer, of string, row *Row) (string, error) {
	place, err := json.Marshal(l.place(row))
	if err != nil {
		return "", fmt.Errorf("cursor of %s: %w", l.name, err)
	}
	return s.seal("cursor of "+l.name, of, place), nil
}

func (l list[Row]) opened(s sealer, of, cursor string) (place []any, err error) {
	clear, err := s.open("cursor of "+l.name, of, cursor)
	if err != nil {
		return nil, noSuchPage
	}
	numbers := json.NewDecoder(bytes.NewReader(clear))
	numbers.UseNumber() // a float64 does not hold every int64
	if err := numbers.Decode(&place); err != nil || len(place) != len(l.columns) {
		return nil, noSuchPage // of a version that ordered the list otherwise
	}
	for i, value := range place {
		if number, is := value.(json.Number); is {
			if place[i], err = number.Int64(); err != nil {
				return nil, noSuchPage
			}
		}
	}
	return place, nil
}

var noSuchPage = &admission.Problem{Kind: admission.NotFound, Message: "This page of the list does not exist."}

// single turns batches into rows.
func single[Row any](batches iter.Seq2[[]Row, error]) iter.Seq2[Row, error] {
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

// each turns the rows of a list into what the caller knows of them.
func each[Row, T any](rows iter.Seq2[Row, error], of func(Row) (T, error)) iter.Seq2[T, error] {
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

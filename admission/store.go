package admission

import (
	"context"
	"errors"
)

// ErrUnavailable means that the database cannot be reached or written.
var ErrUnavailable = errors.New("the database is unavailable")

// Store stores the data of one area; Tx is the area's view of a transaction. Update runs work in one transaction. Work may
// run again after a serialisation failure, so it must reset its results. View reads from one snapshot; LongView is View
// without a time limit of its own, and Read is View for a single query, in one round trip instead of three.
//
// A write may be sent with the next read or the commit, which then returns its error.
//
// In every Tx a look-up that finds nothing returns nil without an error. A method that ends in ForUpdate locks the row
// until the transaction ends. An Add that returns fresh = false met an equal row, and changed nothing.
type Store[Tx any] interface {
	Update(ctx context.Context, work func(Tx) error) error
	View(ctx context.Context, work func(Tx) error) error
	LongView(ctx context.Context, work func(Tx) error) error
	Read(ctx context.Context, work func(Tx) error) error
}

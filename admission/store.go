package admission

import (
	"context"
	"errors"
)

// ErrUnavailable is an answer of a store that cannot be reached or written at the moment.
var ErrUnavailable = errors.New("the database is unavailable")

// Store keeps everything of one area; Tx is the area's own view of a transaction. Update runs work in one transaction:
// all of it stands, or nothing. Work may run more than once (a serialisation failure is tried again), so it must set what
// it returns anew each time. View only reads, on one snapshot; PatientView is View for what may take as long as ctx allows,
// and Read is View for one question alone, which is one round trip in place of three.
//
// A method that only writes may wait for the next that reads, or for the commit, and what is wrong with it comes up then.
//
// In every Tx a look-up that finds nothing returns nil without an error. A method that ends in ForUpdate locks the row
// until the transaction ends. An Add that returns fresh = false met an equal row, and changed nothing.
type Store[Tx any] interface {
	Update(ctx context.Context, work func(Tx) error) error
	View(ctx context.Context, work func(Tx) error) error
	PatientView(ctx context.Context, work func(Tx) error) error
	Read(ctx context.Context, work func(Tx) error) error
}

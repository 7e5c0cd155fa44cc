package store

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/contact"
	"hiresure/admission/correct"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
)

// Areas returns the store of each area of the business. They share one database, and a transaction of one area may change
// the others' rows: payment's also enrols and invoices.
func (s *Store) Areas() business.Stores { return Areas(s) }

// Areas returns the stores of the areas on any store, such as one that a test observes.
func Areas(s admission.Store[Tx]) business.Stores {
	return business.Stores{
		Access:   area[access.Tx]{s, func(tx Tx) access.Tx { return tx }},
		Account:  area[account.Tx]{s, func(tx Tx) account.Tx { return tx }},
		Apply:    area[apply.Tx]{s, func(tx Tx) apply.Tx { return tx }},
		Contact:  area[contact.Tx]{s, func(tx Tx) contact.Tx { return tx }},
		Correct:  area[correct.Tx]{s, func(tx Tx) correct.Tx { return tx }},
		Document: area[document.Tx]{s, func(tx Tx) document.Tx { return tx }},
		Enrol:    area[enrol.Tx]{s, func(tx Tx) enrol.Tx { return tx }},
		Message:  area[message.Tx]{s, func(tx Tx) message.Tx { return tx }},
		MyData:   area[mydata.Tx]{s, func(tx Tx) mydata.Tx { return tx }},
		Paper:    area[paper.Tx]{s, func(tx Tx) paper.Tx { return tx }},
		Payment:  area[payment.Tx]{s, func(tx Tx) payment.Tx { return tx }},
		Registry: area[registry.Tx]{s, func(tx Tx) registry.Tx { return tx }},
		Staff:    area[staff.Tx]{s, func(tx Tx) staff.Tx { return tx }},
	}
}

// Tx is a transaction of all areas.
type Tx interface {
	contact.Tx
	correct.Tx
	document.Tx
	message.Tx
	mydata.Tx
	office.Tx
	paper.Tx
	registry.Tx
	staff.Tx
}

// Office returns the store of staff and of the shell's commands.
func (s *Store) Office() admission.Store[office.Tx] {
	return area[office.Tx]{s, func(tx Tx) office.Tx { return tx }}
}

// Update runs work in one transaction. It retries work after a conflict with another transaction: a serialisation failure,
// a deadlock, or a duplicate key, whose row the next try finds.
func (s *Store) Update(ctx context.Context, work func(Tx) error) error {
	return s.update(ctx, func(t *tx) error { return work(t) })
}

// View runs work on one read-only snapshot.
func (s *Store) View(ctx context.Context, work func(Tx) error) error {
	return s.view(ctx, func(t *tx) error { return work(t) })
}

// LongView is View without a timeout but ctx's.
func (s *Store) LongView(ctx context.Context, work func(Tx) error) error {
	return s.longView(ctx, func(t *tx) error { return work(t) })
}

// Read is View for a single statement, without a transaction. Only SQLite rejects changes.
func (s *Store) Read(ctx context.Context, work func(Tx) error) error {
	return s.read(ctx, func(t *tx) error { return work(t) })
}

// area is the store of one area.
type area[AreaTx any] struct {
	store   admission.Store[Tx]
	convert func(Tx) AreaTx
}

func (a area[AreaTx]) Update(ctx context.Context, work func(AreaTx) error) error {
	return a.store.Update(ctx, func(tx Tx) error { return work(a.convert(tx)) })
}

func (a area[AreaTx]) View(ctx context.Context, work func(AreaTx) error) error {
	return a.store.View(ctx, func(tx Tx) error { return work(a.convert(tx)) })
}

func (a area[AreaTx]) LongView(ctx context.Context, work func(AreaTx) error) error {
	return a.store.LongView(ctx, func(tx Tx) error { return work(a.convert(tx)) })
}

func (a area[AreaTx]) Read(ctx context.Context, work func(AreaTx) error) error {
	return a.store.Read(ctx, func(tx Tx) error { return work(a.convert(tx)) })
}

// Wake sets the function that is called with the kind of each committed job, to wake an idle worker. Call it before the
// first transaction.
func (s *Store) Wake(wake func(kind string)) { s.wake = wake }

// Package registry is what people who are signed in see of their own registrations: how each stands, what has happened, what
// comes next, and whose turn it is.
package registry

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
)

// Tx is what this area needs of a transaction. It only reads.
type Tx interface {
	payment.Tx

	// Documents returns the documents of a registration that have a kind, in the order of document.Kinds.
	Documents(registrationID string) ([]document.Document, error)
	// RegistrationsBehind returns a page of an account's registrations, the latest change first, and the cursor of the next
	// page, "" behind the last. cursor is "" for the first page; one that is of no page of this account is NotFound.
	RegistrationsBehind(accountID, cursor string, most int) (page []enrol.Registration, next string, err error)
	// RegistrationsFrom returns an account's registrations in the same order, from one of them on: 0 is the first.
	RegistrationsFrom(accountID string, first, most int) ([]enrol.Registration, error)
	// CountRegistrations counts an account's registrations by what says how they stand.
	CountRegistrations(accountID string) ([]Count, error)
	// PaymentsFor returns of each registration the payment that has paid it, or else the one in review, or else the latest,
	// without its checkout.
	PaymentsFor(registrationIDs []string) (map[string]payment.Transaction, error)
	// InvoicesFor returns the first invoice of each payment that has one.
	InvoicesFor(txnIDs []string) (map[string]invoice.Invoice, error)
	// EntriesOf returns the latest entries of a registration's timeline, oldest first.
	EntriesOf(registrationID string, most int) ([]enrol.Entry, error)
}

// Count is how many registrations of an account stand alike.
type Count struct {
	EventCode string
	Step      enrol.Step
	Refunded  bool
	Reviewed  bool // a payment is being looked at
	N         int
}

// Needs is everything that a Service works with; all of it is required.
type Needs struct {
	Store  admission.Store[Tx]
	Events admission.Catalogue
	Clock  func() time.Time
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Needs }

// Item is a registration of the person's, and how it stands.
type Item struct {
	Standing
	Registration enrol.Registration
	Event        admission.Event // without a title where the content no longer has it
	Payment      *payment.Transaction
	Invoice      *invoice.Invoice    // the first; nil where there is none
	TakenByBank  bool                // the payer's bank has taken the payment back in a dispute
	documents    []document.Document // see withDocuments
}

// List is a page of a person's registrations.
type List struct {
	Items   []Item
	Next    string // cursor of the next page; "" behind the last
	All     int    // on all pages
	Waiting int    // of all: for how many it is the person's turn
}

// List returns a page of the registrations of the visitor's account, the latest change first.
func (s *Service) List(ctx context.Context, v admission.Visitor, cursor string, most int) (list List, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		list = List{}
		counts, err := tx.CountRegistrations(v.AccountID)
		if err != nil {
			return err
		}
		for _, count := range counts {
			list.All += count.N
			if s.turn(count) == Yours {
				list.Waiting += count.N
			}
		}
		page, next, err := tx.RegistrationsBehind(v.AccountID, cursor, most)
		if err != nil {
			return err
		}
		list.Next = next
		list.Items, err = s.items(tx, page)
		return err
	})
	return list, err
}

// Page returns a page by its number, from 1 on, as the JSON API asks for it.
func (s *Service) Page(ctx context.Context, v admission.Visitor, limit, page int) (items []Item, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		registrations, err := tx.RegistrationsFrom(v.AccountID, (page-1)*limit, limit)
		if err != nil {
			return err
		}
		items, err = s.items(tx, registrations)
		return err
	})
	return items, err
}

// turn is whose it is for registrations that stand alike.
func (s *Service) turn(count Count) Turn {
	f := facts{registration: enrol.Registration{EventCode: count.EventCode, Step: count.Step, Refunded: count.Refunded}, now: s.Clock()}
	f.event, f.known = s.Events.EventByCode(count.EventCode)
	if count.Reviewed {
		f.payment = &payment.Transaction{State: payment.Review}
	}
	return f.standing().Turn
}

func (s *Service) items(tx Tx, registrations []enrol.Registration) (items []Item, err error) {
	var ids, txns []string
	for _, r := range registrations {
		ids = append(ids, r.ID)
	}
	payments, err := tx.PaymentsFor(ids)
	if err != nil {
		return nil, err
	}
	for _, t := range payments {
		txns = append(txns, t.ID)
	}
	invoices, err := tx.InvoicesFor(txns)
	if err != nil {
		return nil, err
	}
	for _, r := range registrations {
		f := facts{registration: r, now: s.Clock()}
		f.event, f.known = s.Events.EventByCode(r.EventCode)
		item := Item{Registration: r, Event: f.event}
		if t, tried := payments[r.ID]; tried {
			f.payment = &t
		}
		if f.payment != nil {
			if issued, is := invoices[f.payment.ID]; is {
				f.invoiced, item.Invoice = true, &issued
			}
			if r.Refunded {
				refunds, err := tx.RefundsOf(f.payment.ID)
				if err != nil {
					return nil, err
				}
				f.takenByBank = receipt.Receipt{Transaction: *f.payment, Refunds: refunds}.TakenByBank()
			}
		}
		item.TakenByBank = f.takenByBank
		item.Payment, item.Standing = f.payment, f.standing()
		items = append(items, item)
	}
	return items, nil
}

// Detail is all that the person sees of one registration.
type Detail struct {
	Item
	Later       []invoice.Invoice // those that reverse a credit note
	CreditNotes []invoice.CreditNote
	Timeline    []Moment
}

// Detail returns a registration of the visitor's account; NotFound for any other.
func (s *Service) Detail(ctx context.Context, v admission.Visitor, id string) (detail Detail, err error) {
	if !admission.IsID(id) {
		return Detail{}, admission.NotFoundProblem("Registration")
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		detail = Detail{}
		r, err := tx.Registration(id)
		if err != nil {
			return err
		}
		if r == nil || v.AccountID == "" || r.AccountID != v.AccountID {
			v.Deny(id)
			return admission.NotFoundProblem("Registration")
		}
		items, err := s.items(tx, []enrol.Registration{*r})
		if err != nil {
			return err
		}
		detail.Item = items[0]
		if err := s.withDocuments(tx, &detail.Item); err != nil {
			return err
		}
		if t := detail.Payment; t != nil {
			issued, err := tx.InvoicesOf(t.ID)
			if err != nil {
				return err
			}
			if len(issued) > 1 {
				detail.Later = issued[1:]
			}
			if detail.CreditNotes, err = tx.CreditNotesOf(t.ID); err != nil {
				return err
			}
		}
		detail.Timeline, err = s.timeline(tx, detail.Item)
		return err
	})
	return detail, err
}

// Package registry reads the registrations of a signed-in person: the list, one in detail, and what the home page shows.
package registry

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/status"
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
	// CountPhases counts an account's registrations by product and phase.
	CountPhases(accountID string) ([]PhaseCount, error)
	// PaymentFacts returns, by registration, the payment that paid it, else the one in review, else the last, without its
	// checkout. A registration that nobody has tried to pay is not in it.
	PaymentFacts(registrationIDs []string) (map[string]status.Payment, error)
	// RegistrationsInPhase returns a page of all registrations in a phase, the latest change first, and the cursor of the next
	// page, "" behind the last.
	RegistrationsInPhase(phase status.Phase, cursor string, most int) (page []enrol.Registration, next string, err error)
	// InvoicesFor returns the first invoice of each payment that has one.
	InvoicesFor(txnIDs []string) (map[string]invoice.Invoice, error)
	// EntriesOf returns the latest entries of a registration's timeline, oldest first.
	EntriesOf(registrationID string, most int) ([]enrol.Entry, error)
}

// PhaseCount is how many registrations of a product are in a phase.
type PhaseCount struct {
	Product enrol.Product
	Phase   status.Phase
	N       int
}

// Config is everything that a Service works with; all of it is required.
type Config struct {
	Store  admission.Store[Tx]
	Events admission.Catalogue
	Clock  func() time.Time
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Item is one of the person's registrations.
type Item struct {
	status.Facts
	status.Status
	Invoice   *invoice.Invoice    // the first; nil: none
	Documents []document.Document // in detail and on the home page, while documents are due
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
		counts, err := tx.CountPhases(v.AccountID)
		if err != nil {
			return err
		}
		for _, count := range counts {
			list.All += count.N
			if status.AssigneeOf(count.Product, count.Phase) == status.Person {
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

func (s *Service) items(tx Tx, registrations []enrol.Registration) (items []Item, err error) {
	var ids, txns []string
	for _, r := range registrations {
		ids = append(ids, r.ID)
	}
	payments, err := tx.PaymentFacts(ids)
	if err != nil {
		return nil, err
	}
	for _, p := range payments {
		if p.Invoiced {
			txns = append(txns, p.Transaction.ID)
		}
	}
	invoices, err := tx.InvoicesFor(txns)
	if err != nil {
		return nil, err
	}
	now := s.Clock()
	for _, r := range registrations {
		item := Item{Facts: status.Facts{Registration: r, Payment: payments[r.ID]}}
		item.Event, _ = s.Events.EventByCode(r.EventCode)
		item.Status = status.Of(item.Facts, now)
		if item.Invoiced {
			issued := invoices[item.Transaction.ID]
			item.Invoice = &issued
		}
		items = append(items, item)
	}
	return items, nil
}

// withDocuments reads the documents of an application that waits for them.
func withDocuments(tx Tx, item *Item) (err error) {
	if item.Phase == status.DocumentsDue {
		item.Documents, err = tx.Documents(item.Registration.ID)
	}
	return err
}

// Detail is all that the person sees of one registration.
type Detail struct {
	Item
	Later       []invoice.Invoice // those that reverse a credit note
	CreditNotes []invoice.CreditNote
	Entries     []enrol.Entry                   // the latest, oldest first
	Payments    map[string]*payment.Transaction // that Entries name, by id
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
		if err := withDocuments(tx, &detail.Item); err != nil {
			return err
		}
		if t := detail.Transaction; t != nil {
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
		if detail.Entries, err = tx.EntriesOf(r.ID, mostEntries); err != nil {
			return err
		}
		detail.Payments, err = paymentsOf(tx, detail.Entries, detail.Transaction)
		return err
	})
	return detail, err
}

// mostEntries limits a timeline. A person with more entries has tried to pay dozens of times.
const mostEntries = 60

// paymentsOf returns the payments that entries name, by id. known is read already; nil: none is.
func paymentsOf(tx Tx, entries []enrol.Entry, known *payment.Transaction) (map[string]*payment.Transaction, error) {
	payments := map[string]*payment.Transaction{}
	if known != nil {
		payments[known.ID] = known
	}
	for _, entry := range entries {
		if _, read := payments[entry.Detail]; read || !admission.IsID(entry.Detail) {
			continue
		}
		t, err := tx.Transaction(entry.Detail)
		if err != nil {
			return nil, err
		}
		payments[entry.Detail] = t
	}
	return payments, nil
}

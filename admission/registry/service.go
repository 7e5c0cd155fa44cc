// Package registry reads the registrations of a signed-in person: list, detail and home page.
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

// Tx is the part of a store transaction that this area uses. It only reads.
type Tx interface {
	payment.Tx

	// Documents returns the documents of a registration that have a kind, in the order of document.Kinds.
	Documents(registrationID string) ([]document.Document, error)
	// RegistrationsPage returns a page of an account's registrations, the latest change first, and the cursor of the next
	// page ("" after the last). cursor is "" for the first page; an invalid cursor is NotFound.
	RegistrationsPage(accountID, cursor string, limit int) (page []enrol.Registration, next string, err error)
	// RegistrationsFrom returns an account's registrations in the same order, starting at index first.
	RegistrationsFrom(accountID string, first, limit int) ([]enrol.Registration, error)
	// CountPhases counts an account's registrations by product and phase.
	CountPhases(accountID string) ([]PhaseCount, error)
	// PaymentFacts returns, by registration, the payment that paid it, else the one in review, else the last, without its
	// checkout. A registration without a payment attempt is left out.
	PaymentFacts(registrationIDs []string) (map[string]status.Payment, error)
	// RegistrationsInPhase returns a page of all registrations in a phase, the latest change first, and the cursor of the next
	// page ("" after the last).
	RegistrationsInPhase(phase status.Phase, cursor string, limit int) (page []enrol.Registration, next string, err error)
	// InvoicesFor returns the first invoice of each payment that has one.
	InvoicesFor(txnIDs []string) (map[string]invoice.Invoice, error)
	// EntriesOf returns the latest entries of a registration's timeline, oldest first.
	EntriesOf(registrationID string, limit int) ([]enrol.Entry, error)
}

// PhaseCount is the number of a product's registrations in a phase.
type PhaseCount struct {
	Product enrol.Product
	Phase   status.Phase
	N       int
}

// Config holds a Service's dependencies. All are required.
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
	Documents []document.Document // only in Detail and Home, while documents are due or submitted
}

// List is a page of a person's registrations.
type List struct {
	Items   []Item
	Next    string // cursor of the next page; "" after the last
	All     int    // on all pages
	Waiting int    // of all, those that need the person's action
}

// List returns a page of the visitor's registrations, the latest change first.
func (s *Service) List(ctx context.Context, v admission.Visitor, cursor string, limit int) (list List, err error) {
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
		page, next, err := tx.RegistrationsPage(v.AccountID, cursor, limit)
		if err != nil {
			return err
		}
		list.Next = next
		list.Items, err = s.Items(tx, page)
		return err
	})
	return list, err
}

// Page returns a page by number, starting at 1, for the JSON API.
func (s *Service) Page(ctx context.Context, v admission.Visitor, limit, page int) (items []Item, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		registrations, err := tx.RegistrationsFrom(v.AccountID, (page-1)*limit, limit)
		if err != nil {
			return err
		}
		items, err = s.Items(tx, registrations)
		return err
	})
	return items, err
}

// Items returns registrations with their status and first invoice, in the same order.
func (s *Service) Items(tx Tx, registrations []enrol.Registration) (items []Item, err error) {
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

// withDocuments adds the documents of an application that are due or submitted.
func withDocuments(tx Tx, item *Item) (err error) {
	if item.Phase == status.DocumentsDue || item.Phase == status.DocumentsSubmitted {
		item.Documents, err = tx.Documents(item.Registration.ID)
	}
	return err
}

// Detail is one registration with its papers and timeline.
type Detail struct {
	Item
	DebitNotes  []invoice.Invoice
	CreditNotes []invoice.CreditNote
	Entries     []enrol.Entry                   // the latest, oldest first
	Payments    map[string]*payment.Transaction // named by Entries, by id
}

// Detail returns a registration of the visitor's account; otherwise NotFound.
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
		detail, err = s.DetailOf(tx, r)
		return err
	})
	return detail, err
}

// DetailOf returns a registration with its papers and timeline, whoever owns it.
func (s *Service) DetailOf(tx Tx, r *enrol.Registration) (detail Detail, err error) {
	items, err := s.Items(tx, []enrol.Registration{*r})
	if err != nil {
		return Detail{}, err
	}
	detail.Item = items[0]
	if err := withDocuments(tx, &detail.Item); err != nil {
		return Detail{}, err
	}
	if t := detail.Transaction; t != nil {
		issued, err := tx.InvoicesOf(t.ID)
		if err != nil {
			return Detail{}, err
		}
		if len(issued) > 1 {
			detail.DebitNotes = issued[1:]
		}
		if detail.CreditNotes, err = tx.CreditNotesOf(t.ID); err != nil {
			return Detail{}, err
		}
	}
	if detail.Entries, err = tx.EntriesOf(r.ID, maxEntries); err != nil {
		return Detail{}, err
	}
	detail.Payments, err = paymentsOf(tx, detail.Entries, detail.Transaction)
	return detail, err
}

// maxEntries limits a timeline. Only dozens of payment attempts exceed it.
const maxEntries = 60

// paymentsOf returns the payments named by entries, by id. known is already loaded, or nil.
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

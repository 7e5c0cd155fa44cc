// Package payment handles attempts, gateways, settlement, webhooks, refunds and reconciliation.
package payment

import (
	"iter"
	"log/slog"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/staff"
)

// Tx is the part of a store transaction that this area uses.
type Tx interface {
	enrol.Tx
	invoice.Tx
	staff.Log

	AddTransaction(*Transaction) error
	SaveTransaction(*Transaction) error
	Transaction(id string) (*Transaction, error)
	TransactionForUpdate(id string) (*Transaction, error)
	TransactionByRef(gateway, ref string) (*Transaction, error)
	// TransactionByPayment returns the settled attempt of a gateway's payment id.
	TransactionByPayment(gateway, paymentID string) (*Transaction, error)
	// OpenTransaction returns the attempt of a registration that is created or pending. There is one at most.
	OpenTransaction(registrationID string) (*Transaction, error)
	// LastTransaction returns the latest attempt of a registration.
	LastTransaction(registrationID string) (*Transaction, error)
	// ReviewOf returns the attempt of a registration that is in review. There is one at most.
	ReviewOf(registrationID string) (*Transaction, error)
	// SurplusOf returns the payments of a registration that were charged but do not count, oldest first. paidTxnID is the one
	// that counts.
	SurplusOf(registrationID, paidTxnID string) ([]Transaction, error)
	// HasEntry reports whether a registration's timeline has an entry.
	HasEntry(registrationID string, kind enrol.EntryKind, detail string) (bool, error)
	// PaidBetween yields the ids of the payments charged in [from, to), refunded or not, oldest first. It reads in batches
	// while the transaction is open and ends with the first error.
	PaidBetween(gateway string, from, to time.Time) iter.Seq2[string, error]
	SaveRefund(*Refund) error // adds or changes
	// RefundedBefore reports whether staff have refunded a fee of this phone, here or at a provider.
	RefundedBefore(phone string) (bool, error)
	AddRefundOrder(*RefundOrder) error
	SaveRefundOrder(*RefundOrder) error
	RefundOrder(id string) (*RefundOrder, error)
	// OpenRefundOrder returns the order of a payment that has no decision, also after it has expired.
	OpenRefundOrder(txnID string) (*RefundOrder, error)
	Refund(id string) (*Refund, error)
	RefundForUpdate(id string) (*Refund, error)
	// OpenRefund returns the requested or accepted refund of a charge.
	OpenRefund(txnID, paymentID string) (*Refund, error)
	// RefundsOf returns all refunds of a payment, oldest first.
	RefundsOf(txnID string) ([]Refund, error)

	AddInboxEvent(*InboxEvent) (fresh bool, err error)
	InboxEvent(id string) (*InboxEvent, error)
	MarkHandled(inboxID, problem string, at time.Time) error
}

// Config holds a Service's dependencies. All are required.
type Config struct {
	Store       admission.Store[Tx]
	Messages    *message.Service
	Events      admission.Catalogue
	Enrol       *enrol.Service
	Invoices    *invoice.Service
	Gateways    Catalogue // the first that is offered is the default
	Clock       func() time.Time
	RefundLimit int64  // in paise; a larger refund of a fee needs a second person
	BaseURL     string // the site's origin, without a trailing slash
	Log         *slog.Logger
	Alert       func(what string) // counts something that a person must look at
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Job kinds.
const (
	JobPoll   = "poll"   // a payment whose outcome is not known
	JobEvent  = "event"  // a webhook in the inbox
	JobRefund = "refund" // a charge that must go back
	// JobWait reminds the payer of a payment that is still pending.
	JobWait = "wait"
)

// Package payment takes money and gives it back: attempts, gateways, settlement, webhooks, refunds and reconciliation.
package payment

import (
	"iter"
	"log/slog"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
)

// Tx is what this area needs of a transaction.
type Tx interface {
	enrol.Tx
	invoice.Tx

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
	// PaidBetween reads the ids of what was charged from one moment until before another, refunded since or not: oldest
	// first, in batches, for as long as the transaction lasts. It ends with the first error.
	PaidBetween(gateway string, from, to time.Time) iter.Seq2[string, error]
	SaveRefund(*Refund) error // adds or changes
	Refund(id string) (*Refund, error)
	RefundForUpdate(id string) (*Refund, error)
	// OpenRefund returns the refund of one charge of a payment that is asked for or accepted.
	OpenRefund(txnID, paymentID string) (*Refund, error)
	// RefundsOf returns all refunds of a payment, oldest first.
	RefundsOf(txnID string) ([]Refund, error)

	AddInboxEvent(*InboxEvent) (fresh bool, err error)
	InboxEvent(id string) (*InboxEvent, error)
	MarkHandled(inboxID, problem string, at time.Time) error
}

// Config is everything that a Service works with; all of it is required.
type Config struct {
	Store    admission.Store[Tx]
	Messages *message.Service
	Events   admission.Catalogue
	Enrol    *enrol.Service
	Invoices *invoice.Service
	Gateways Catalogue // the first that is offered is the default
	Clock    func() time.Time
	BaseURL  string // own origin, without a trailing slash
	Log      *slog.Logger
	Alert    func(what string) // counts something that a person must look at
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// The kinds of this area's jobs.
const (
	JobPoll   = "poll"   // a payment whose outcome is not known
	JobEvent  = "event"  // a webhook in the inbox
	JobRefund = "refund" // a charge that must go back
)

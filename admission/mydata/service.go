// Package mydata is what a person may do with the data that we hold: see and change consents, take everything along as one
// file, and have everything deleted but what the law keeps.
package mydata

import (
	"maps"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/consent"
	"hiresure/admission/document"
	"hiresure/admission/message"
	"hiresure/forms"
	"hiresure/paths"
)

// Kind is one of the five parts of what we hold, in the order in which an export collects them.
type Kind string

// The kinds, as people read them.
const (
	You      Kind = "You"
	Answers  Kind = "Answers"
	Money    Kind = "Money"
	Messages Kind = "Messages"
	Choices  Kind = "Yes, no"
)

// Kinds are all of them, in their order.
var Kinds = []Kind{You, Answers, Money, Messages, Choices}

// Table is what one table holds on a person.
type Table struct {
	Name  string // in the database
	Title string // for people
	Rows  []Row

	Forms map[string]string // the form that a row answers, by event_code; "" for those of any other; nil: none
}

// Row is what one row holds: its columns in the table's order, but for those that are not told.
type Row []Cell

// Cell is a column's value: text, a number, true or false, a moment, or what a JSON column holds; nil for none.
type Cell struct {
	Column string
	Value  any
}

// Tx is what this area needs of a transaction.
type Tx interface {
	account.Tx
	consent.Tx
	admission.Jobs

	// AddExport adds one that was asked for, in place of those of before.
	AddExport(*Export) error
	SaveExport(*Export) error
	Export(id string) (*Export, error)
	ExportForUpdate(id string) (*Export, error)
	// LatestExport returns the one that an account has asked for last.
	LatestExport(accountID string) (*Export, error)
	DeleteExport(id string) error
	// AddExportPart keeps a part of an export's file, sealed.
	AddExportPart(e *Export, part int, piece []byte) error
	// ExportPart returns a part of an export's file; nil where it is gone.
	ExportPart(exportID string, part int) ([]byte, error)
	// Held returns what the tables of one kind hold on the person of an account; an error for more rows than most.
	Held(a *account.Account, kind Kind, most int) ([]Table, error)
	// HeldDocuments returns the documents of a person's applications, the oldest first; an error for more than most.
	HeldDocuments(a *account.Account, most int) ([]document.Document, error)
	// ViewsOf returns when the documents of a person's applications were opened, by others or by the person, the latest first,
	// at most so many.
	ViewsOf(a *account.Account, byOthers bool, most int) ([]document.View, error)
	// ViewsByOthers counts how often anybody but the person has opened them.
	ViewsByOthers(a *account.Account) (int, error)

	// UnderEighteen reports whether the last registration of an account that tells an age is of somebody under 18.
	UnderEighteen(accountID string) (bool, error)

	// OpenDeletion returns the deletion that an account has asked for, neither taken back nor done, locked.
	OpenDeletion(accountID string) (*Deletion, error)
	DeletionForUpdate(id string) (*Deletion, error)
	SaveDeletion(*Deletion) error // adds or changes
	// Unsettled reports whether money of an account still moves: a payment that is open, or might still succeed after it was
	// given up since a moment, or is looked at; a refund that is due or under way; a dispute.
	Unsettled(accountID string, since time.Time) (bool, error)
	// Traces finds the rows that hold anything on the person of an account.
	Traces(*account.Account) (Traces, error)
	// TracesSince adds what was written since a moment, as far as that is quickly found.
	TracesSince(a *account.Account, found Traces, since time.Time) error
	// Erase deletes those rows, and makes nameless those that the law keeps.
	Erase(a *account.Account, found Traces, at time.Time) error
	// ForgetMessage deletes the message of a cause, and the job that delivers it.
	ForgetMessage(cause string) error
	// MessageOf returns the message of a cause.
	MessageOf(cause string) (*message.Message, error)
}

// Traces are the keys of rows, by table.
type Traces map[string][]string

// Needs is everything that a Service works with; all of it is required but Forms.
type Needs struct {
	Store    admission.Store[Tx]
	Account  *account.Service
	Files    admission.Files
	Messages *message.Service
	Consents consent.Ledger
	Clock    func() time.Time
	Alert    func(what string)
	BaseURL  string     // own origin, without a trailing slash
	Forms    *forms.Set // nil: those that ship
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Needs }

// asksDaily is how often a day an account may ask for a file, and for its deletion.
const asksDaily = 3

// The kinds of this area's jobs.
const (
	JobExport = "export" // collects a person's data into a file
	JobDelete = "delete" // deletes a person
)

// notFound is the answer for what is another person's, or not there.
func notFound() error { return admission.NotFoundProblem("Your data") }

// own returns the visitor's account, locked.
func own(tx Tx, v admission.Visitor) (a *account.Account, err error) {
	if v.AccountID != "" {
		a, err = tx.AccountForUpdate(v.AccountID)
	}
	if err == nil && a == nil {
		err = notFound()
	}
	return a, err
}

// proven are the addresses by which records without an account belong to a person.
func proven(a *account.Account) (addresses []string) {
	if a.PhoneProven() {
		addresses = append(addresses, a.Phone)
	}
	if a.EmailProven() {
		addresses = append(addresses, a.Email)
	}
	return addresses
}

// take refuses what an account asks for again and again: each time something is collected, or written to the person.
func (s *Service) take(tx Tx, v admission.Visitor, what string, a *account.Account) error {
	return s.Account.Access.Take(tx, v, access.Limit{Bucket: what + ":" + a.ID, Most: asksDaily, Per: 24 * time.Hour, Lifted: true})
}

// tell writes to the person's proven e-mail, or else to the phone. template names the mail; its SMS ends in "-sms", and has
// no params but inSMS. The mail's link, called so, leads to a page of ours.
func (s *Service) tell(tx message.Writer, a *account.Account, cause, template string, inSMS map[string]string, link, page string) error {
	m := message.Message{Cause: cause, Channel: message.SMS, To: a.Phone, Template: template + "-sms", Params: inSMS}
	if a.EmailProven() {
		m.Channel, m.To, m.Template, m.Params = message.Email, a.Email, template, map[string]string{"Name": a.FullName, link: s.BaseURL + page}
		maps.Copy(m.Params, inSMS)
	}
	return s.Messages.Send(tx, m)
}

// Where the links of messages lead.
const (
	dataLink, dataPage       = "DataURL", paths.Data
	leavingPage              = paths.Leaving
	privacyLink, privacyPage = "PrivacyURL", paths.Privacy
)

// Package mydata implements a person's rights over the data we hold: consents, export as one file, and deletion of all that the law does not
// require us to keep.
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

// Kind is one of five parts of a person's data, in the order of an export.
type Kind string

// The kinds, with their titles.
const (
	You      Kind = "You"
	Answers  Kind = "Answers"
	Money    Kind = "Money"
	Messages Kind = "Messages"
	Choices  Kind = "Yes, no"
)

// Kinds lists all kinds in order.
var Kinds = []Kind{You, Answers, Money, Messages, Choices}

// Table is a person's data in one table.
type Table struct {
	Name  string // in the database
	Title string // for display
	Rows  []Row

	Forms map[string]string // name of a row's form by event_code, "" for all others; nil: no form
}

// Row is a row's exported columns, in the table's order.
type Row []Cell

// Cell is a column's value: string, number, bool, time, or decoded JSON; nil for none.
type Cell struct {
	Column string
	Value  any
}

// Tx is the part of a transaction that this package uses.
type Tx interface {
	account.Tx
	consent.Tx
	admission.Jobs

	// AddExport inserts an export and deletes earlier ones of the account.
	AddExport(*Export) error
	SaveExport(*Export) error
	Export(id string) (*Export, error)
	ExportForUpdate(id string) (*Export, error)
	// LatestExport returns an account's latest export.
	LatestExport(accountID string) (*Export, error)
	DeleteExport(id string) error
	// AddExportPart stores an encrypted part of an export's file.
	AddExportPart(e *Export, part int, piece []byte) error
	// ExportPart returns a part of an export's file; nil if it was deleted.
	ExportPart(exportID string, part int) ([]byte, error)
	// PersonRows returns a person's rows in the tables of one kind; an error for more than most rows.
	PersonRows(a *account.Account, kind Kind, most int) ([]Table, error)
	// PersonDocuments returns the documents of a person's applications, oldest first; an error for more than most.
	PersonDocuments(a *account.Account, most int) ([]document.Document, error)
	// ViewsOf returns at most `most` views of a person's documents, by others or by the person, latest first.
	ViewsOf(a *account.Account, byOthers bool, most int) ([]document.View, error)
	// ViewsByOthers counts the views by others.
	ViewsByOthers(a *account.Account) (int, error)
	// StaffViewsOf returns at most `most` times that staff looked at a person's pages, latest first.
	StaffViewsOf(a *account.Account, most int) ([]StaffView, error)

	// UnderEighteen reports whether the latest registration of an account with a known age is of a minor.
	UnderEighteen(accountID string) (bool, error)

	// OpenDeletion returns the account's open deletion request, locked.
	OpenDeletion(accountID string) (*Deletion, error)
	DeletionForUpdate(id string) (*Deletion, error)
	SaveDeletion(*Deletion) error // inserts or updates
	// Unsettled returns an account's unsettled money. A failed or expired payment counts if it was created after since.
	Unsettled(accountID string, since time.Time) (Unsettled, error)
	// Traces returns the keys of all rows with data of the account's person.
	Traces(*account.Account) (Traces, error)
	// TracesSince adds rows written since a moment, as far as indexes find them.
	TracesSince(a *account.Account, found Traces, since time.Time) error
	// Erase deletes those rows, and anonymizes those that the law requires.
	Erase(a *account.Account, found Traces, at time.Time) error
	// DeleteMessage deletes the message of a cause and its delivery job.
	DeleteMessage(cause string) error
	// MessageOf returns the message of a cause.
	MessageOf(cause string) (*message.Message, error)
}

// Traces are keys of rows, by table.
type Traces map[string][]string

// Config configures a Service. All fields are required except Forms.
type Config struct {
	Store    admission.Store[Tx]
	Account  *account.Service
	Files    admission.Files
	Messages *message.Service
	Consents consent.Ledger
	Clock    func() time.Time
	Alert    func(what string)
	BaseURL  string     // own origin, without a trailing slash
	Forms    *forms.Set // nil: the built-in forms
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// requestsDaily limits an account's requests for exports and deletion, per day.
const requestsDaily = 3

// The job kinds of this package.
const (
	JobExport = "export" // builds an export
	JobDelete = "delete" // deletes a person
)

// notFound returns the Problem for another person's or missing data.
func notFound() error { return admission.NotFoundProblem("Your data") }

// visitorAccount returns the visitor's account, locked.
func visitorAccount(tx Tx, v admission.Visitor) (a *account.Account, err error) {
	if v.AccountID != "" {
		a, err = tx.AccountForUpdate(v.AccountID)
	}
	if err == nil && a == nil {
		err = notFound()
	}
	return a, err
}

// verifiedAddresses returns the verified addresses by which records without an account belong to a person.
func verifiedAddresses(a *account.Account) (addresses []string) {
	if a.PhoneVerified() {
		addresses = append(addresses, a.Phone)
	}
	if a.EmailVerified() {
		addresses = append(addresses, a.Email)
	}
	return addresses
}

// limitRequests applies the daily limit on a request, which collects data or sends a message.
func (s *Service) limitRequests(tx Tx, v admission.Visitor, what string, a *account.Account) error {
	return s.Account.Access.Take(tx, v, access.Limit{Bucket: what + ":" + a.ID, Max: requestsDaily, Per: 24 * time.Hour, Lifted: true})
}

// notify writes to the person's verified e-mail, else to the phone. template names the mail; the SMS template has the suffix "-sms" and only
// the params in inSMS. link names the mail's param for the address of page.
func (s *Service) notify(tx message.Writer, a *account.Account, cause, template string, inSMS map[string]string, link, page string) error {
	m := message.Message{Cause: cause, Channel: message.SMS, To: a.Phone, Template: template + "-sms", Params: inSMS}
	if a.EmailVerified() {
		m.Channel, m.To, m.Template, m.Params = message.Email, a.Email, template, map[string]string{"Name": a.FullName, link: s.BaseURL + page}
		maps.Copy(m.Params, inSMS)
	}
	return s.Messages.Send(tx, m)
}

// Targets of the links in messages.
const (
	dataLink, dataPage       = "DataURL", paths.Data
	leavingPage              = paths.Leaving
	privacyLink, privacyPage = "PrivacyURL", paths.Privacy
)

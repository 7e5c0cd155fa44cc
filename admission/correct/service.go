// Package correct is what staff correct in a registration: e-mail, phone and name, and the step to which an application returns. A new
// e-mail or phone counts once its owner has confirmed it.
package correct

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/forms"
)

// Field is what is corrected.
type Field string

// The fields. The owner confirms an e-mail or a phone; a name is corrected at once.
const (
	Email Field = "email"
	Phone Field = "phone"
	Name  Field = "name"
)

// State is the state of a Request.
type State string

// The states. Only one request of a field waits for a registration.
const (
	Waits     State = "waits"
	Confirmed State = "confirmed"
	Withdrawn State = "withdrawn"
	Replaced  State = "replaced" // by a newer one
)

// Request is a correction that its owner must confirm.
type Request struct {
	ID, RegistrationID string

	Field      Field
	TokenHash  string // of the address that the message names
	State      State
	Was, Value string
	Receipt    bool   // the receipt is sent again afterwards
	How        string // how the colleague confirmed who asked
	Who        string // the colleague
	AccountID  string // the colleague's
	CodeMAC    string // of the code of a phone, like the next four
	CodeEndsAt time.Time
	Tries      int // wrong codes entered
	Sends      int
	SentAt     time.Time
	CreatedAt  time.Time
	ExpiresAt  time.Time
	EndedAt    time.Time
}

// Expired reports whether a request that still waits can no longer be confirmed.
func (c *Request) Expired(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// Tx is what this area needs of a transaction.
type Tx interface {
	apply.Tx
	payment.Tx
	staff.Log

	AddCorrection(*Request) error
	SaveCorrection(*Request) error
	// CorrectionByToken returns a request without locking it.
	CorrectionByToken(tokenHash string) (*Request, error)
	CorrectionForUpdate(id string) (*Request, error)
	// WaitingCorrections returns the requests of a registration in the state Waits, and locks them.
	WaitingCorrections(registrationID string) ([]Request, error)
	// RegistrationsOfPhone returns the registrations of a phone, the last change first.
	RegistrationsOfPhone(phone string, limit int) ([]enrol.Registration, error)
	// RevokeLinks revokes the mailed links of a registration that open its papers at now, and returns how many.
	RevokeLinks(registrationID string, now time.Time) (int64, error)
	// EntriesOf returns the latest entries of a timeline, oldest first.
	EntriesOf(registrationID string, limit int) ([]enrol.Entry, error)
	AddNote(office.Note) error
	// RenameReferral changes the owner's name of a referral code; "" is none.
	RenameReferral(code, ownerName string) error
}

// Config holds a Service's dependencies. All but Forms are required.
type Config struct {
	Store    admission.Store[Tx]
	Messages *message.Service
	Account  *account.Service
	Payment  *payment.Service
	Events   admission.Catalogue
	Forms    *forms.Set // nil: the built-in forms
	Clock    func() time.Time
	Pepper   []byte // 32 bytes, kept outside of the database
	BaseURL  string // the site's origin, without a trailing slash
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

func note(tx Tx, r *enrol.Registration, kind enrol.EntryKind, detail, who string, at time.Time) error {
	return tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: r.ID, Kind: kind, Detail: detail, Who: who, At: at})
}

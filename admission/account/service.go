// Package account is who signs in: accounts with their proven addresses, and the sessions that are signed in. There are no
// passwords; a code to a phone or an e-mail opens the account that has proven it.
package account

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Account is a person who signs in. An address is nobody else's once a code has proven it; one that is not proven opens
// nothing.
type Account struct {
	ID            string
	FullName      string
	Email         string
	EmailProvenAt time.Time
	Phone         string // E.164
	PhoneProvenAt time.Time
	CreatedAt     time.Time
	ModifiedAt    time.Time
}

// addressBeside returns the proven address that is not the one given, or else that one: who has got hold of one of them
// shall not be the only one who reads what happens.
func (a *Account) addressBeside(to string) string {
	switch {
	case to == a.Phone && a.EmailProven():
		return a.Email
	case to != a.Phone && a.PhoneProven():
		return a.Phone
	}
	return to
}

// PhoneProven reports whether the account's phone has been proven.
func (a *Account) PhoneProven() bool { return !a.PhoneProvenAt.IsZero() }

// EmailProven reports whether the account's e-mail has been proven.
func (a *Account) EmailProven() bool { return !a.EmailProvenAt.IsZero() }

// Tx is what this area needs of a transaction.
type Tx interface {
	access.Tx

	AddAccount(*Account) error
	SaveAccount(*Account) error
	Account(id string) (*Account, error)
	AccountForUpdate(id string) (*Account, error)
	// AccountOf returns the account that has proven an address: a phone (E.164) or an e-mail, whatever its case. Until the
	// transaction ends, no other asks for the same.
	AccountOf(address string) (*Account, error)
	// AddFormerAddress notes an address that was an account's until now; again moves the time.
	AddFormerAddress(accountID, address string, until time.Time) error
	// ClaimRegistrations gives an account the registrations of a phone that are nobody's.
	ClaimRegistrations(accountID, phone string) error
	// MoveRegistrations writes another phone into an account's registrations of one, which sessions that are not the account's
	// hold no longer; it moves none where both phones have a registration, not a refunded one, in the same event.
	MoveRegistrations(accountID, from, to string, at time.Time) (moved bool, err error)
	// SessionsOf returns the sessions that are signed in to an account, the latest first.
	SessionsOf(accountID string) ([]access.Session, error)
	// DeleteSessionsOf ends all sessions of an account.
	DeleteSessionsOf(accountID string) error
}

// Needs is everything that a Service works with; all of it is required but Forms.
type Needs struct {
	Store    admission.Store[Tx]
	Messages *message.Service
	Forms    *forms.Set // nil: those that ship
	Access   *access.Service
	Clock    func() time.Time
	BaseURL  string // own origin, without a trailing slash
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Needs }

// The forms of this area.
const (
	signInForm = "sign-in"
	signUpForm = "sign-up"
	verifyForm = "verify" // a phone of one's own
)

// CheckForms refuses forms with a field that is kept where an account has no place for it.
func CheckForms(set *forms.Set) error {
	if err := set.Get(signInForm).CheckKeep("to"); err != nil {
		return err
	}
	if err := set.Get(verifyForm).CheckKeep("phone"); err != nil {
		return err
	}
	return set.Get(signUpForm).CheckKeep("full_name", "email", "phone")
}

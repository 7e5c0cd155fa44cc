// Package account handles accounts, their verified addresses, and signed-in sessions. There are no passwords: a code to a phone or e-mail
// opens the account that has verified it.
package account

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Account is a person who can sign in. A verified address belongs to one account; an unverified one opens nothing.
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

// otherAddress returns the account's other verified address if it has one, else to. Notices go there, so that they reach the owner even if
// the given address was taken over.
func (a *Account) otherAddress(to string) string {
	switch {
	case to == a.Phone && a.EmailVerified():
		return a.Email
	case to != a.Phone && a.PhoneVerified():
		return a.Phone
	}
	return to
}

// PhoneVerified reports whether the account's phone is verified.
func (a *Account) PhoneVerified() bool { return !a.PhoneProvenAt.IsZero() }

// EmailVerified reports whether the account's e-mail is verified.
func (a *Account) EmailVerified() bool { return !a.EmailProvenAt.IsZero() }

// Tx is the part of a transaction that this package uses.
type Tx interface {
	access.Tx

	AddAccount(*Account) error
	SaveAccount(*Account) error
	Account(id string) (*Account, error)
	AccountForUpdate(id string) (*Account, error)
	// AccountOf returns the account that has verified an address, a phone (E.164) or an e-mail in any case, and locks the address
	// until the transaction ends.
	AccountOf(address string) (*Account, error)
	// AddFormerAddress records a former address of an account, or its new time.
	AddFormerAddress(accountID, address string, until time.Time) error
	// ClaimRegistrations assigns a phone's registrations without an account to an account.
	ClaimRegistrations(accountID, phone string) error
	// MoveRegistrations changes the phone of an account's registrations, or with "" of those without an account, and removes them from
	// sessions of others. It moves none if both phones have a registration for the same event that is not refunded.
	MoveRegistrations(accountID, from, to string, at time.Time) (moved bool, err error)
	// SessionsOf returns the signed-in sessions of an account, latest first.
	SessionsOf(accountID string) ([]access.Session, error)
	// DeleteSessionsOf ends all sessions of an account.
	DeleteSessionsOf(accountID string) error
	// RevokeAccess ends all sessions of an account, and takes its addresses and registrations from every other session.
	RevokeAccess(a *Account) error
}

// Config configures a Service. All fields are required except Forms.
type Config struct {
	Store    admission.Store[Tx]
	Messages *message.Service
	Forms    *forms.Set // nil: the built-in forms
	Access   *access.Service
	Clock    func() time.Time
	BaseURL  string // own origin, without a trailing slash
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// The forms of this package.
const (
	signInForm = "sign-in"
	signUpForm = "sign-up"
	verifyForm = "verify" // verifies the own phone
)

// CheckForms returns an error for a field that an account cannot store.
func CheckForms(set *forms.Set) error {
	if err := set.Get(signInForm).CheckKeep("to"); err != nil {
		return err
	}
	if err := set.Get(verifyForm).CheckKeep("phone"); err != nil {
		return err
	}
	return set.Get(signUpForm).CheckKeep("full_name", "email", "phone")
}

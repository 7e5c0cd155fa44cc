// Package access says who may come in: sessions, one-time codes, the human check, and the limits of what may be asked how
// often.
package access

import (
	"log/slog"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Tx is what this area needs of a transaction.
type Tx interface {
	message.Writer

	AddSession(*Session) error
	Session(id string) (*Session, error)
	SessionForUpdate(id string) (*Session, error)
	SessionByToken(tokenHash string) (*Session, error)
	SaveSession(*Session) error
	DeleteSession(id string) error

	// Hits counts the hits of a bucket after since. Until the transaction ends, no other counts the same bucket.
	Hits(bucket string, since time.Time) (n int, oldest time.Time, err error)
	AddHit(bucket string, at, until time.Time) error
	// Spend marks a key as used; fresh is false where it was.
	Spend(key string, until time.Time) (fresh bool, err error)

	SaveCodeRequest(*CodeRequest) error // adds or changes
	CodeRequest(id string) (*CodeRequest, error)
	CodeRequestForUpdate(id string) (*CodeRequest, error)
	// LatestCodeRequest returns the one sent last. Until the transaction ends, no other asks for the same.
	LatestCodeRequest(to string, purpose Purpose, eventCode string) (*CodeRequest, error)
	// RegistrationIDOf returns the registration of a phone in an event, not a refunded one; "" for none.
	RegistrationIDOf(eventCode, phone string) (id string, err error)
	// OpenRegistrations returns the registrations of a phone that are no account's, not refunded ones, the latest last.
	OpenRegistrations(phone string) (ids []string, err error)
}

// Needs is everything that a Service works with; all of it is required but RateLimitsOff and SMSPerHour.
type Needs struct {
	Store         admission.Store[Tx]
	Messages      *message.Service
	Events        admission.Catalogue
	Forms         *forms.Set // nil: those that ship
	Human         HumanCheck
	Clock         func() time.Time
	Pepper        []byte // 32 bytes, kept outside of the database
	RateLimitsOff bool
	SMSPerHour    int // of all codes together; 0 is 2,000
	Log           *slog.Logger
	Alert         func(what string) // counts something that a person must look at
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Needs }

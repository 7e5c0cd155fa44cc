// Package access authenticates visitors: sessions, one-time codes, the human check, and rate limits.
package access

import (
	"log/slog"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Tx is the part of a transaction that this package uses. Look-ups return nil for an unknown id; ForUpdate locks the row
// until the transaction ends.
type Tx interface {
	message.Writer

	AddSession(*Session) error
	Session(id string) (*Session, error)
	SessionForUpdate(id string) (*Session, error)
	SessionByToken(tokenHash string) (*Session, error)
	SaveSession(*Session) error
	DeleteSession(id string) error

	// Hits counts the hits of a bucket after since and locks the bucket until the transaction ends.
	Hits(bucket string, since time.Time) (n int, oldest time.Time, err error)
	// HitAt returns the time of the nth hit after since, from 0; the zero time for none.
	HitAt(bucket string, since time.Time, n int) (time.Time, error)
	// BusiestBucket returns the bucket below a prefix with the most hits after since, and their number; "" for none.
	BusiestBucket(prefix string, since time.Time) (bucket string, hits int, err error)
	AddHit(bucket string, at, until time.Time) error
	// Spend marks a key as used and reports whether it was unused.
	Spend(key string, until time.Time) (fresh bool, err error)

	SaveCodeRequest(*CodeRequest) error // inserts or updates
	CodeRequest(id string) (*CodeRequest, error)
	CodeRequestForUpdate(id string) (*CodeRequest, error)
	// LatestCodeRequest returns the request sent last, and locks that combination until the transaction ends.
	LatestCodeRequest(to string, purpose Purpose, eventCode string) (*CodeRequest, error)
	// RegistrationIDOf returns the phone's registration for an event that is not refunded; "" for none.
	RegistrationIDOf(eventCode, phone string) (id string, err error)
	// RegistrationsWithoutAccount returns the phone's registrations without an account, the refunded ones first, then oldest
	// first.
	RegistrationsWithoutAccount(phone string) (ids []string, err error)
}

// Config configures a Service. All fields are required except Forms, RateLimitsOff and SMSPerHour.
type Config struct {
	Store         admission.Store[Tx]
	Messages      *message.Service
	Events        admission.Catalogue
	Forms         *forms.Set // nil: the built-in forms
	Human         HumanCheck
	Clock         func() time.Time
	Pepper        []byte // 32 bytes, kept outside of the database
	RateLimitsOff bool
	SMSPerHour    int // limit on codes by SMS; 0 means 2,000
	Log           *slog.Logger
	Alert         func(what string) // raises an alert for operators
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

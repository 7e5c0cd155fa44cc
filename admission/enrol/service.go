package enrol

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/message"
	"hiresure/admission/paper"
	"hiresure/forms"
)

// Tx is the part of a store transaction that this area uses.
type Tx interface {
	access.Tx
	consent.Tx
	paper.Tx
	admission.Jobs

	AddRegistration(*Registration) error
	SaveRegistration(*Registration) error
	Registration(id string) (*Registration, error)
	RegistrationForUpdate(id string) (*Registration, error)
	// RegistrationOf locks and returns the registration of a phone for an event, ignoring refunded ones.
	RegistrationOf(eventCode, phone string) (*Registration, error)
	// PhoneOfEmail returns the phone that holds an e-mail (in any case) for an event, by a payment or because its account has
	// verified it; "" for none. It locks the pair.
	PhoneOfEmail(eventCode, email string) (phone string, err error)
	PhoneKnown(phone string) (bool, error)
	// CountTicket increments and returns the number of tickets with a prefix. It locks the prefix.
	CountTicket(prefix string) (issued int, err error)
	TicketTaken(number string) (bool, error)
	// AccountIDOf returns the account with a verified phone; "" for none.
	AccountIDOf(phone string) (id string, err error)
	// RegistrationOfAccount returns an account's last changed registration for one event or, with "", for any enrolment.
	RegistrationOfAccount(accountID, eventCode string) (*Registration, error)
	RegistrationByTicketKey(key string) (*Registration, error)
	// RegistrationByOwnReferral returns the registration that owns a referral code.
	RegistrationByOwnReferral(code string) (*Registration, error)
	// RegistrationsWithoutTicket returns up to limit ids of paid enrolments that lack a ticket or a referral code.
	RegistrationsWithoutTicket(limit int) (ids []string, err error)
	AddEntry(Entry) error

	CouponForUpdate(eventCode, code string) (*Coupon, error)
	// CouponSpent ignores uses held by the phone itself, which has one open attempt at most.
	CouponSpent(couponID, phone string) (CouponSpent, error)
	SaveCouponUse(CouponUse) error
	SetCouponUse(txnID string, state UseState) error
	CouponUse(txnID string) (*CouponUse, error)
	Referral(code string) (*Referral, error)
	// AddReferral fails if the code exists.
	AddReferral(Referral) error
	// AddReferralCredit adds a registration's credit unless it exists.
	AddReferralCredit(ReferralCredit) error
	// CancelReferralCredit with the zero time restores a cancelled credit.
	CancelReferralCredit(registrationID string, at time.Time) error

	// AddLead stores a lead unless its e-mail and event have one.
	AddLead(*Lead) (fresh bool, err error)
	Lead(id string) (*Lead, error)
	DeleteLead(eventCode, email string) error
}

// Config holds a Service's dependencies. All but Forms and LeadWebhook are required.
type Config struct {
	Store       admission.Store[Tx]
	Messages    *message.Service
	Events      admission.Catalogue
	Forms       *forms.Set // nil: the embedded forms
	Access      *access.Service
	Consents    consent.Ledger
	Clock       func() time.Time
	BaseURL     string // the site's origin, without a trailing slash
	LeadWebhook bool   // forward abandoned enrolments
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// FormName is the enrolment form's name.
const FormName = "enrolment"

func (s *Service) form() *forms.Form { return s.Forms.Get(FormName) }

// Job kinds.
const (
	JobLead   = "lead"   // forwards an abandoned enrolment to the lead webhook
	JobRemind = "remind" // mails a reminder of an abandoned enrolment
)

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

// Tx is what this area needs of a transaction.
type Tx interface {
	access.Tx
	consent.Tx
	paper.Tx
	admission.Jobs

	AddRegistration(*Registration) error
	SaveRegistration(*Registration) error
	Registration(id string) (*Registration, error)
	RegistrationForUpdate(id string) (*Registration, error)
	// RegistrationOf returns the registration of a phone in an event, locked; not a refunded one.
	RegistrationOf(eventCode, phone string) (*Registration, error)
	// PhoneOfEmail returns whose e-mail it is in an event, whatever its case; "" for nobody's. Until the transaction ends,
	// no other asks for the same.
	PhoneOfEmail(eventCode, email string) (phone string, err error)
	PhoneKnown(phone string) (bool, error)
	// CountTicket counts one more number of a prefix, and returns how many there are with it. Until the transaction ends,
	// no other counts the same prefix.
	CountTicket(prefix string) (issued int, err error)
	TicketTaken(number string) (bool, error)
	// AccountIDOf returns the account that has proven a phone; "" for none.
	AccountIDOf(phone string) (id string, err error)
	// RegistrationOfAccount returns the registration of an account that was changed last, of one event or, with "", of any
	// but the application.
	RegistrationOfAccount(accountID, eventCode string) (*Registration, error)
	RegistrationByTicketKey(key string) (*Registration, error)
	// RegistrationByOwnReferral returns whose own referral code it is.
	RegistrationByOwnReferral(code string) (*Registration, error)
	// RegistrationsWithoutTicket returns the ids of paid enrolments that lack a ticket or a referral code, at most so many.
	RegistrationsWithoutTicket(most int) (ids []string, err error)
	AddEntry(Entry) error

	CouponForUpdate(eventCode, code string) (*Coupon, error)
	// CouponSpent leaves out what the phone itself holds: it has one open attempt.
	CouponSpent(couponID, phone string) (CouponSpent, error)
	SaveCouponUse(CouponUse) error
	SetCouponUse(txnID string, state UseState) error
	CouponUse(txnID string) (*CouponUse, error)
	Referral(code string) (*Referral, error)
	// AddReferral fails where there is one of that code.
	AddReferral(Referral) error
	// AddReferralCredit adds one for a registration; again changes nothing.
	AddReferralCredit(ReferralCredit) error
	// CancelReferralCredit with the zero time lets a cancelled credit stand again.
	CancelReferralCredit(registrationID string, at time.Time) error

	// AddLead adds one for an e-mail and event.
	AddLead(*Lead) (fresh bool, err error)
	Lead(id string) (*Lead, error)
	ForgetLead(eventCode, email string) error
}

// Config is everything that a Service works with; all of it is required but Forms and LeadWebhook.
type Config struct {
	Store       admission.Store[Tx]
	Messages    *message.Service
	Events      admission.Catalogue
	Forms       *forms.Set // nil: those that ship
	Access      *access.Service
	Consents    consent.Ledger
	Clock       func() time.Time
	BaseURL     string // own origin, without a trailing slash
	LeadWebhook bool   // abandoned enrolments are forwarded
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// FormName is the form of an enrolment.
const FormName = "enrolment"

func (s *Service) form() *forms.Form { return s.Forms.Get(FormName) }

// The kinds of this area's jobs.
const (
	JobLead   = "lead"   // an abandoned enrolment to the lead webhook
	JobRemind = "remind" // a mail to somebody who left an enrolment and agreed to be reminded
)

package admission

import (
	"context"
	"time"
)

// Store keeps everything. Update runs work in one transaction: all of it stands, or nothing. Work may run more than
// once (a serialisation failure is tried again), so it must set what it answers anew each time. View only reads.
type Store interface {
	Update(ctx context.Context, work func(Tx) error) error
	View(ctx context.Context, work func(Tx) error) error
}

// Tx is the store inside one transaction. A look-up that finds nothing answers nil without an error. A method that
// ends in ForUpdate locks the row until the transaction ends. An Add that answers fresh = false met an equal row.
type Tx interface {
	AddSession(*Session) error
	Session(id string) (*Session, error)
	SessionForUpdate(id string) (*Session, error)
	SessionByToken(tokenHash string) (*Session, error)
	SaveSession(*Session) error
	DeleteSession(id string) error

	Hits(bucket string, since time.Time) (n int, oldest time.Time, err error)
	AddHit(bucket string, at, until time.Time) error
	Spend(key string, until time.Time) (fresh bool, err error)

	AddEnquiry(*Enquiry) error
	AddGrievance(*Grievance) error
	AddConsent(Consent) error
	LastConsents(subject string) (byPurpose map[string]Consent, err error)
	AddLead(*Lead) (fresh bool, err error) // one for an e-mail and event
	Lead(id string) (*Lead, error)
	ForgetLead(eventCode, email string) error

	SaveCodeRequest(*CodeRequest) error // adds or changes
	CodeRequestForUpdate(id string) (*CodeRequest, error)
	LatestCodeRequest(phone string, purpose Purpose, eventCode string) (*CodeRequest, error)

	AddRegistration(*Registration) error
	SaveRegistration(*Registration) error
	Registration(id string) (*Registration, error)
	RegistrationForUpdate(id string) (*Registration, error)
	RegistrationOf(eventCode, phone string) (*Registration, error) // for update; not a refunded one
	PhoneOfEmail(eventCode, email string) (phone string, err error)
	PhoneKnown(phone string) (bool, error)
	AddEntry(Entry) error

	CouponForUpdate(eventCode, code string) (*Coupon, error)
	CouponSpent(couponID, phone string) (CouponSpent, error) // without what this phone itself holds: it has one open attempt
	SaveCouponUse(CouponUse) error
	SetCouponUse(txnID string, state UseState) error
	Referral(code string) (*Referral, error)
	AddReferralCredit(ReferralCredit) error // once for a registration; again changes nothing
	CancelReferralCredit(registrationID string, at time.Time) error

	AddTransaction(*Transaction) error
	SaveTransaction(*Transaction) error
	Transaction(id string) (*Transaction, error)
	TransactionForUpdate(id string) (*Transaction, error)
	TransactionByRef(gateway, ref string) (*Transaction, error)
	OpenTransaction(registrationID string) (*Transaction, error) // created, pending, or in review
	PaidBetween(gateway string, from, to time.Time) (ids []string, err error)
	SaveRefund(*Refund) error // adds or changes
	OpenRefund(txnID string) (*Refund, error)
	AddInboxEvent(*InboxEvent) (fresh bool, err error)
	InboxEvent(id string) (*InboxEvent, error)
	MarkHandled(inboxID, problem string, at time.Time) error

	NextSerial(series, financialYear string) (int64, error)
	AddInvoice(*Invoice) error
	InvoiceOfTransaction(txnID string) (*Invoice, error)
	AddLink(Link) error
	Link(tokenHash string) (*Link, error)

	AddMessage(*Message) error // with the job that delivers it; once for a cause, again changes nothing
	Message(id string) (*Message, error)
	MarkSent(id string, at time.Time) error
	AddJob(Job) error // again: the earlier due time counts
}

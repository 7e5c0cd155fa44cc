package store

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm/schema"

	"hiresure/admission"
)

// A row has the fields of its admission type, in the same order, so that one converts to the other; a field that is
// missing here does not compile. Only rows with a sealed column that is no string are written out.

type sessionRow struct {
	ID         string
	TokenHash  string
	HumanUntil time.Time            `gorm:"serializer:micros"`
	Proven     map[string]time.Time `gorm:"serializer:json"`
	Requests   []string             `gorm:"serializer:json"`
	Registered []string             `gorm:"serializer:json"`
	ExpiresAt  time.Time            `gorm:"serializer:micros"`
}

type grievanceRow struct {
	ID, Ticket, FullName, Email, Phone, Category, Message string

	CreatedAt     time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	AcknowledgeBy time.Time `gorm:"serializer:micros"`
	RedressBy     time.Time `gorm:"serializer:micros"`
}

type consentRow struct {
	ID            string
	Subject       string
	Ref           string
	Purpose       string
	NoticeVersion string
	Language      string
	Given         bool
	At            time.Time `gorm:"serializer:micros"`
	IP, UserAgent string
}

type leadRow struct {
	ID, EventCode, FullName, Email, Phone string

	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

type codeRequestRow struct {
	ID        string
	SessionID string
	Purpose   admission.Purpose
	Phone     string
	Email     string
	EventCode string
	CodeMAC   string
	Code      string // sealed
	Sends     int
	SentAt    time.Time `gorm:"serializer:micros"`
	ExpiresAt time.Time `gorm:"serializer:micros"`
	Tries     int
	UsedAt    time.Time `gorm:"serializer:micros"`
}

type registrationRow struct {
	ID            string
	EventSlug     string
	EventCode     string
	SubeventCode  string
	FullName      string
	Email         string
	Phone         string
	Course        string
	StateCode     string
	College       string
	ReferralCode  string
	CouponCode    string
	Adult         bool
	GuardianName  string
	GuardianPhone string
	Step          admission.Step
	PaidTxnID     string
	TermsVersion  string
	TermsHash     string
	TermsAt       time.Time `gorm:"serializer:micros"`
	Refunded      bool
	CreatedAt     time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	ModifiedAt    time.Time `gorm:"serializer:micros"`
}

type entryRow struct {
	ID, RegistrationID, What, Detail, Who string

	At time.Time `gorm:"serializer:micros"`
}

type couponRow struct {
	ID          string
	Code        string
	EventCode   string
	Terms       admission.CouponTerms `gorm:"embedded"`
	StartsAt    time.Time             `gorm:"serializer:micros"`
	EndsAt      time.Time             `gorm:"serializer:micros"`
	MaxUses     int
	MaxPerPhone int
	BudgetMinor int64
}

type couponUseRow struct {
	ID, CouponID, TxnID, Phone string
	DiscountMinor              int64
	State                      admission.UseState
}

type referralRow struct {
	Code, OwnerName, OwnerPhone string
	CreditMinor                 int64
}

type referralCreditRow struct {
	ID, Code, RegistrationID string
	AmountMinor              int64
	CreatedAt                time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	PaidAt                   time.Time `gorm:"serializer:micros"`
	CancelledAt              time.Time `gorm:"serializer:micros"`
}

type transactionRow struct {
	ID             string
	RegistrationID string
	Gateway        string
	Ref            string
	PaymentID      string
	List           admission.Money `gorm:"embedded;embeddedPrefix:list_"`
	Discount       admission.Money `gorm:"embedded;embeddedPrefix:discount_"`
	Charge         admission.Money `gorm:"embedded;embeddedPrefix:charge_"`
	RefundedMinor  int64
	CouponCode     string
	State          admission.PayState
	StateBefore    admission.PayState
	AttemptFailed  bool
	ReturnURL      string
	Checkout       map[string]any `gorm:"serializer:json"`
	CreatedAt      time.Time      `gorm:"serializer:micros;autoCreateTime:false"`
	ExpiresAt      time.Time      `gorm:"serializer:micros"`
	FetchedAt      time.Time      `gorm:"serializer:micros"`
	SettledAt      time.Time      `gorm:"serializer:micros"`
	ModifiedAt     time.Time      `gorm:"serializer:micros"`
}

type refundRow struct {
	ID, TxnID, ProviderID string
	Amount                admission.Money `gorm:"embedded"`
	State                 admission.RefundState
	CreatedAt             time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

type inboxRow struct {
	ID, Gateway, EventID, Type, TxnID, Ref string

	Body       string    // sealed
	ReceivedAt time.Time `gorm:"serializer:micros"`
	HandledAt  time.Time `gorm:"serializer:micros"`
	Problem    string
}

type invoiceRow struct {
	ID             string
	Number         string
	Series         string
	FinancialYear  string
	Serial         int64
	RegistrationID string
	TxnID          string
	IssuedOn       time.Time       `gorm:"serializer:micros"`
	Seller         admission.Party `gorm:"embedded;embeddedPrefix:seller_"`
	Buyer          admission.Party `gorm:"embedded;embeddedPrefix:buyer_"`
	Description    string
	SAC            string
	RateBP         int
	PlaceOfSupply  string
	PlaceCode      string
	ListMinor      int64
	DiscountMinor  int64
	Tax            admission.TaxSplit `gorm:"embedded;embeddedPrefix:tax_"`
	TotalMinor     int64
	Words          string
	Charged        admission.Money `gorm:"embedded;embeddedPrefix:charged_"`
	CouponCode     string
	PaymentMethod  string
}

type linkRow struct {
	TokenHash      string
	RegistrationID string
	ExpiresAt      time.Time `gorm:"serializer:micros"`
	RevokedAt      time.Time `gorm:"serializer:micros"`
}

type messageRow struct {
	ID        string
	Cause     string
	Channel   admission.Channel
	Recipient string
	Template  string
	Params    string    // sealed JSON
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	SentAt    time.Time `gorm:"serializer:micros"`
}

type jobRow struct {
	Kind      string
	Ref       string
	DueAt     time.Time `gorm:"serializer:micros"`
	Attempts  int
	LastError string
}

type keyRow struct {
	ID          string
	BodyHash    string
	Done        bool
	Status      int
	ContentType string
	Body        string    // sealed
	ClaimedAt   time.Time `gorm:"serializer:micros"`
	Until       time.Time `gorm:"serializer:micros"`
}

type sandboxOrderRow struct {
	ID        string
	Body      string
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

type outboxRow struct {
	ID        string
	Channel   string
	Recipient string
	Subject   string    // sealed
	Body      string    // sealed
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (sessionRow) TableName() string        { return "sessions" }
func (grievanceRow) TableName() string      { return "grievances" }
func (consentRow) TableName() string        { return "consents" }
func (leadRow) TableName() string           { return "leads" }
func (codeRequestRow) TableName() string    { return "code_requests" }
func (registrationRow) TableName() string   { return "registrations" }
func (entryRow) TableName() string          { return "entries" }
func (couponRow) TableName() string         { return "coupons" }
func (couponUseRow) TableName() string      { return "coupon_uses" }
func (referralRow) TableName() string       { return "referrals" }
func (referralCreditRow) TableName() string { return "referral_credits" }
func (transactionRow) TableName() string    { return "transactions" }
func (refundRow) TableName() string         { return "refunds" }
func (inboxRow) TableName() string          { return "inbox" }
func (invoiceRow) TableName() string        { return "invoices" }
func (linkRow) TableName() string           { return "links" }
func (messageRow) TableName() string        { return "messages" }
func (jobRow) TableName() string            { return "jobs" }
func (keyRow) TableName() string            { return "idempotency_keys" }
func (sandboxOrderRow) TableName() string   { return "sandbox_orders" }
func (outboxRow) TableName() string         { return "outbox" }

func init() { schema.RegisterSerializer("micros", micros{}) }

// micros keeps a moment as whole microseconds since 1970, 0 for the zero time: exact and equal on both databases.
type micros struct{}

func (micros) Scan(ctx context.Context, field *schema.Field, row reflect.Value, column any) error {
	n, ok := column.(int64)
	if !ok {
		return fmt.Errorf("%s is %T, not microseconds", field.DBName, column)
	}
	field.ReflectValueOf(ctx, row).Set(reflect.ValueOf(fromMicros(n)))
	return nil
}

func (micros) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	at, ok := value.(time.Time)
	if !ok {
		return nil, fmt.Errorf("%s is %T, not a time", field.DBName, value)
	}
	return toMicros(at), nil
}

func toMicros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

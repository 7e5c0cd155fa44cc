package store

import (
	"context"
	"strings"
	"time"

	"hiresure/admission/enrol"
)

type leadRow struct {
	ID, EventCode, FullName, Email, Phone string

	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (leadRow) TableName() string { return "leads" }

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
	SharedPhone   bool
	Step          enrol.Step
	PaidTxnID     string
	TermsVersion  string
	TermsHash     string
	TermsAt       time.Time `gorm:"serializer:micros"`
	Refunded      bool
	CreatedAt     time.Time         `gorm:"serializer:micros;autoCreateTime:false"`
	ModifiedAt    time.Time         `gorm:"serializer:micros"`
	Answers       map[string]string `gorm:"serializer:json"`
	FormVersion   int
	Ticket        string
	TicketKey     string
	OwnReferral   string
	Source        string
	AccountID     string
	Reminded      int
	ErasedAt      time.Time `gorm:"serializer:micros"`
}

func (registrationRow) TableName() string { return "registrations" }

type entryRow struct {
	ID, RegistrationID string

	Kind        enrol.EntryKind `gorm:"column:what"`
	Detail, Who string
	At          time.Time `gorm:"serializer:micros"`
}

func (entryRow) TableName() string { return "entries" }

type couponRow struct {
	ID          string
	Code        string
	EventCode   string
	Terms       enrol.CouponTerms `gorm:"embedded"`
	StartsAt    time.Time         `gorm:"serializer:micros"`
	EndsAt      time.Time         `gorm:"serializer:micros"`
	MaxUses     int
	MaxPerPhone int
	BudgetMinor int64
}

func (couponRow) TableName() string { return "coupons" }

type couponUseRow struct {
	ID, CouponID, TxnID, Phone string
	DiscountMinor              int64
	State                      enrol.UseState
}

func (couponUseRow) TableName() string { return "coupon_uses" }

type referralRow struct {
	Code, OwnerName, OwnerPhone string
	CreditMinor                 int64
}

func (referralRow) TableName() string { return "referrals" }

type referralCreditRow struct {
	ID, Code, RegistrationID string
	AmountMinor              int64
	CreatedAt                time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	PaidAt                   time.Time `gorm:"serializer:micros"`
	CancelledAt              time.Time `gorm:"serializer:micros"`
}

func (referralCreditRow) TableName() string { return "referral_credits" }

func (t *tx) AddLead(l *enrol.Lead) (fresh bool, err error) {
	// An existing lead is written too, unchanged: otherwise the response time would reveal known e-mail addresses.
	var kept string
	err = t.db.Raw(`INSERT INTO leads (id, event_code, full_name, email, phone, created_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (event_code, lower(email)) DO UPDATE SET full_name = leads.full_name RETURNING id`,
		l.ID, l.EventCode, l.FullName, l.Email, l.Phone, toMicros(l.CreatedAt)).Scan(&kept).Error
	return kept == l.ID, wrap("add lead", err)
}

func (t *tx) Lead(id string) (*enrol.Lead, error) {
	row, err := find[leadRow](t.db, "id = ?", id)
	return (*enrol.Lead)(row), wrap("find lead", err)
}

func (t *tx) DeleteLead(eventCode, email string) error {
	return wrap("forget lead", t.exec("DELETE FROM leads WHERE event_code = ? AND lower(email) = lower(?)", eventCode, email))
}

func (t *tx) AddRegistration(r *enrol.Registration) error {
	t.markChanged(r.ID, r)
	row := registrationRow(*r)
	if err := add(t, &row); err != nil {
		return wrap("add registration", err)
	}
	return t.addTerms(r, termsOf(r))
}

func (t *tx) SaveRegistration(r *enrol.Registration) error {
	t.markChanged(r.ID, r)
	row := registrationRow(*r)
	if err := save(t, &row); err != nil {
		return wrap("save registration", err)
	}
	return t.setTerms(r)
}

func (t *tx) Registration(id string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.db, "id = ?", id)
	return (*enrol.Registration)(row), wrap("find registration", err)
}

func (t *tx) RegistrationForUpdate(id string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.locked(), "id = ?", id)
	return (*enrol.Registration)(row), wrap("lock registration", err)
}

func (t *tx) RegistrationOf(eventCode, phone string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.locked(), "event_code = ? AND phone = ? AND refunded = ?", eventCode, phone, false)
	return (*enrol.Registration)(row), wrap("find registration of phone", err)
}

// PhoneOfEmail returns the phone that holds an e-mail address for an event, by a payment or because its account has verified the
// address. Upper and lower case are the same. An unpaid registration with an address that nobody verified holds none. It locks the
// address until the transaction ends, so that two phones cannot take it at once.
func (t *tx) PhoneOfEmail(eventCode, email string) (string, error) {
	if err := t.lock("e-mail " + eventCode + " " + strings.ToLower(email)); err != nil {
		return "", wrap("find phone of e-mail", err)
	}
	var phone string
	err := t.db.Model(&registrationRow{}).Select("phone").Order("created_at, id").Limit(1).
		Where("event_code = ? AND lower(email) = lower(?) AND refunded = ?", eventCode, email, false).
		Where("(paid_txn_id <> '' OR EXISTS (SELECT 1 FROM accounts a WHERE a.id = registrations.account_id AND a.email_proven_at > 0 AND lower(a.email) = lower(?)))", email).
		Scan(&phone).Error
	return phone, wrap("find phone of e-mail", err)
}

func (t *tx) PhoneKnown(phone string) (bool, error) {
	row, err := find[registrationRow](t.db.Select("id"), "phone = ?", phone)
	return row != nil, wrap("find phone", err)
}

func (t *tx) CountTicket(prefix string) (issued int, err error) {
	err = t.db.Raw(`INSERT INTO ticket_series (prefix, issued) VALUES (?, 1)
		ON CONFLICT (prefix) DO UPDATE SET issued = ticket_series.issued + 1 RETURNING issued`, prefix).Scan(&issued).Error
	return issued, wrap("count ticket", err)
}

// The indexes are partial: without the condition that the column is not empty a query scans the whole table.
const (
	ofTicket        = "ticket = ? AND ticket <> ''"
	ofTicketKey     = "ticket_key = ? AND ticket_key <> ''"
	ofOwnReferral   = "own_referral = ? AND own_referral <> ''"
	withoutReferral = "own_referral = '' AND paid_txn_id <> '' AND event_code <> '" + enrol.ApplicationCode + "' AND erased_at = 0"
)

func (t *tx) TicketTaken(number string) (bool, error) {
	row, err := find[registrationRow](t.db.Select("id"), ofTicket, number)
	return row != nil, wrap("find ticket", err)
}

func (t *tx) RegistrationOfAccount(accountID, eventCode string) (*enrol.Registration, error) {
	latest := t.db.Order("modified_at DESC, id DESC").Where("account_id = ? AND account_id <> ''", accountID)
	if eventCode == "" {
		latest = latest.Where("event_code <> ?", enrol.ApplicationCode)
	} else {
		latest = latest.Where("event_code = ?", eventCode)
	}
	row, err := find[registrationRow](latest, "TRUE")
	return (*enrol.Registration)(row), wrap("find registration of account", err)
}

func (t *tx) RegistrationByTicketKey(key string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.db, ofTicketKey, key)
	return (*enrol.Registration)(row), wrap("find registration of ticket", err)
}

func (t *tx) RegistrationByOwnReferral(code string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.db, ofOwnReferral, code)
	return (*enrol.Registration)(row), wrap("find registration of own referral code", err)
}

func (t *tx) RegistrationsWithoutTicket(limit int) (ids []string, err error) {
	err = t.db.Model(&registrationRow{}).Select("id").Where(withoutReferral).Order("id").Limit(limit).Scan(&ids).Error
	return ids, wrap("find registrations without a ticket", err)
}

func (t *tx) AddEntry(e enrol.Entry) error {
	row := entryRow(e)
	return wrap("add entry", add(t, &row))
}

func (t *tx) CouponForUpdate(eventCode, code string) (*enrol.Coupon, error) {
	row, err := find[couponRow](t.locked(), "event_code = ? AND code = ?", eventCode, code)
	return (*enrol.Coupon)(row), wrap("lock coupon", err)
}

func (t *tx) CouponSpent(couponID, phone string) (enrol.CouponSpent, error) {
	var spent enrol.CouponSpent
	err := t.db.Raw(`SELECT COUNT(*) AS uses, COUNT(CASE WHEN phone = ? THEN 1 END) AS by_phone, CAST(COALESCE(SUM(discount_minor), 0) AS BIGINT) AS discount_minor
		FROM coupon_uses WHERE coupon_id = ? AND (state IN (?, ?) OR state = ? AND phone <> ?)`,
		phone, couponID, enrol.UseTaken, enrol.UseOverLimit, enrol.UseHeld, phone).Scan(&spent).Error
	return spent, wrap("count coupon uses", err)
}

func (t *tx) SaveCouponUse(u enrol.CouponUse) error {
	row := couponUseRow(u)
	return wrap("save coupon use", upsert(t, &row, "id"))
}

func (t *tx) SetCouponUse(txnID string, state enrol.UseState) error {
	return wrap("set coupon use", t.exec("UPDATE coupon_uses SET state = ? WHERE txn_id = ?", state, txnID))
}

func (t *tx) CouponUse(txnID string) (*enrol.CouponUse, error) {
	row, err := find[couponUseRow](t.db, "txn_id = ?", txnID)
	return (*enrol.CouponUse)(row), wrap("find coupon use", err)
}

func (t *tx) Referral(code string) (*enrol.Referral, error) {
	row, err := find[referralRow](t.db, "code = ?", code)
	return (*enrol.Referral)(row), wrap("find referral", err)
}

func (t *tx) AddReferral(r enrol.Referral) error {
	row := referralRow(r)
	return wrap("add referral", add(t, &row))
}

func (t *tx) AddReferralCredit(c enrol.ReferralCredit) error {
	row := referralCreditRow(c)
	return wrap("add referral credit", addIfAbsent(t, &row))
}

func (t *tx) CancelReferralCredit(registrationID string, at time.Time) error {
	credit := t.db.Model(&referralCreditRow{}).Where("registration_id = ?", registrationID)
	if at.IsZero() {
		credit = credit.Where("EXISTS (SELECT 1 FROM referrals f WHERE f.code = referral_credits.code AND f.owner_phone <> '')")
	}
	return wrap("cancel referral credit", credit.Update("cancelled_at", toMicros(at)).Error)
}

// RegistrationIDOf returns the id of a registration without locking it.
func (t *tx) RegistrationIDOf(eventCode, phone string) (id string, err error) {
	err = t.db.Model(&registrationRow{}).Select("id").Where("event_code = ? AND phone = ? AND refunded = ?", eventCode, phone, false).Scan(&id).Error
	return id, wrap("find registration of phone", err)
}

// RegistrationsWithoutAccount returns the ids of a phone's registrations without locking them.
func (t *tx) RegistrationsWithoutAccount(phone string) (ids []string, err error) {
	err = t.db.Model(&registrationRow{}).Where("phone = ? AND account_id = ''", phone).Order("refunded DESC, modified_at, id").Pluck("id", &ids).Error
	return ids, wrap("find registrations of phone", err)
}

// SaveCoupon adds a coupon unless the event has one of that code.
func (s *Store) SaveCoupon(ctx context.Context, c enrol.Coupon) error {
	row := couponRow(c)
	return wrap("save coupon", s.update(ctx, func(t *tx) error { return addIfAbsent(t, &row) }))
}

// SaveReferral adds a referral unless there is one of that code.
func (s *Store) SaveReferral(ctx context.Context, r enrol.Referral) error {
	row := referralRow(r)
	return wrap("save referral", s.update(ctx, func(t *tx) error { return addIfAbsent(t, &row) }))
}

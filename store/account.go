package store

import (
	"strings"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

type accountRow struct {
	ID            string
	FullName      string
	Email         string
	EmailProvenAt time.Time `gorm:"serializer:micros"`
	Phone         string
	PhoneProvenAt time.Time `gorm:"serializer:micros"`
	CreatedAt     time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	ModifiedAt    time.Time `gorm:"serializer:micros"`
}

func (accountRow) TableName() string { return "accounts" }

func (t *tx) AddAccount(a *account.Account) error {
	row := accountRow(*a)
	return wrap("add account", add(t, &row))
}

func (t *tx) SaveAccount(a *account.Account) error {
	row := accountRow(*a)
	return wrap("save account", save(t, &row))
}

func (t *tx) Account(id string) (*account.Account, error) {
	row, err := find[accountRow](t.db, "id = ?", id)
	return (*account.Account)(row), wrap("find account", err)
}

func (t *tx) AccountForUpdate(id string) (*account.Account, error) {
	row, err := find[accountRow](t.locked(), "id = ?", id)
	return (*account.Account)(row), wrap("lock account", err)
}

// AccountOf returns the account with a verified address. It locks the address until the transaction ends, so that two
// sign-ups cannot take it at once.
func (t *tx) AccountOf(address string) (*account.Account, error) {
	if err := t.lock("account " + strings.ToLower(address)); err != nil {
		return nil, wrap("find account of address", err)
	}
	where := "phone = ? AND phone_proven_at > 0"
	if strings.Contains(address, "@") {
		where = "lower(email) = lower(?) AND email_proven_at > 0"
	}
	row, err := find[accountRow](t.locked(), where, address)
	return (*account.Account)(row), wrap("find account of address", err)
}

func (t *tx) AccountIDOf(phone string) (id string, err error) {
	err = t.db.Model(&accountRow{}).Select("id").Limit(1).Where("phone = ? AND phone_proven_at > 0", phone).Scan(&id).Error
	return id, wrap("find account of phone", err)
}

func (t *tx) ClaimRegistrations(accountID, phone string) error {
	return wrap("claim registrations", t.exec("UPDATE registrations SET account_id = ? WHERE phone = ? AND account_id = ''", accountID, phone))
}

func (t *tx) MoveRegistrations(accountID, from, to string, at time.Time) (moved bool, err error) {
	if from == to {
		return true, nil
	}
	var both int64
	if err := t.db.Raw(`SELECT COUNT(*) FROM registrations own JOIN registrations other ON other.event_code = own.event_code
		WHERE own.account_id = ? AND own.phone = ? AND own.refunded = FALSE AND other.phone = ? AND other.refunded = FALSE`,
		accountID, from, to).Scan(&both).Error; err != nil || both > 0 {
		return false, wrap("find registrations of both phones", err)
	}
	var own []string
	if err := t.db.Model(&registrationRow{}).Where("account_id = ? AND phone = ?", accountID, from).Order("id").Pluck("id", &own).Error; err != nil || len(own) == 0 {
		return true, wrap("find registrations to move", err)
	}
	if err := t.exec("UPDATE registrations SET phone = ?, used_at = ? WHERE id IN ?", to, toMicros(at), own); err != nil {
		return false, wrap("move registrations", err)
	}
	if err := t.exec("UPDATE referrals SET owner_phone = ? WHERE code IN (SELECT own_referral FROM registrations WHERE id IN ? AND own_referral <> '')", to, own); err != nil {
		return false, wrap("move referral codes", err)
	}
	if err := t.renewTerms(own); err != nil {
		return false, err
	}
	return true, t.revokeShared(&account.Account{ID: accountID}, own)
}

func (t *tx) SessionsOf(accountID string) ([]access.Session, error) {
	latest := t.db.Where("account_id = ? AND account_id <> ''", accountID).Order("signed_in_at DESC, id").Limit(100)
	return findAll("find sessions of account", latest, func(row sessionRow) access.Session { return access.Session(row) })
}

func (t *tx) RevokeAccess(a *account.Account) error {
	var own []string
	if err := t.db.Model(&registrationRow{}).Where("account_id = ? AND account_id <> ''", a.ID).Pluck("id", &own).Error; err != nil {
		return wrap("find registrations of account", err)
	}
	if err := t.revokeShared(a, own); err != nil {
		return err
	}
	return t.DeleteSessionsOf(a.ID)
}

// revokeShared takes an account's addresses and the registrations from sessions of others.
func (t *tx) revokeShared(a *account.Account, registrations []string) error {
	shared, err := t.findSharedSessions(a, registrations)
	if err != nil {
		return err
	}
	return t.eraseFromSessions(a, mydata.Traces{"registrations": registrations, sharedSessions: shared})
}

func (t *tx) DeleteSessionsOf(accountID string) error {
	return wrap("delete sessions of account", t.exec("DELETE FROM sessions WHERE account_id = ? AND account_id <> ''", accountID))
}

package store

import (
	"time"

	"hiresure/admission/correct"
)

type correctionRow struct {
	ID, RegistrationID string

	Field      correct.Field
	TokenHash  string
	State      correct.State
	Was, Value string
	Receipt    bool
	How        string
	Who        string
	AccountID  string
	CodeMAC    string    `gorm:"column:code_mac"`
	CodeEndsAt time.Time `gorm:"serializer:micros"`
	Tries      int
	Sends      int
	SentAt     time.Time `gorm:"serializer:micros"`
	CreatedAt  time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	ExpiresAt  time.Time `gorm:"serializer:micros"`
	EndedAt    time.Time `gorm:"serializer:micros"`
}

func (correctionRow) TableName() string { return "corrections" }

func (t *tx) AddCorrection(c *correct.Request) error {
	row := correctionRow(*c)
	return wrap("add correction", add(t, &row))
}

func (t *tx) SaveCorrection(c *correct.Request) error {
	row := correctionRow(*c)
	return wrap("save correction", save(t, &row))
}

func (t *tx) CorrectionByToken(tokenHash string) (*correct.Request, error) {
	row, err := find[correctionRow](t.db, "token_hash = ?", tokenHash)
	return (*correct.Request)(row), wrap("find correction", err)
}

func (t *tx) CorrectionForUpdate(id string) (*correct.Request, error) {
	row, err := find[correctionRow](t.locked(), "id = ?", id)
	return (*correct.Request)(row), wrap("lock correction", err)
}

func (t *tx) RenameReferral(code, ownerName string) error {
	return wrap("rename the owner of a referral code", t.exec("UPDATE referrals SET owner_name = ? WHERE code = ? AND code <> ''", ownerName, code))
}

func (t *tx) WaitingCorrections(registrationID string) ([]correct.Request, error) {
	query := t.locked().Order("created_at, id").Where("registration_id = ? AND state = ?", registrationID, correct.Waits)
	return findAll("find corrections", query, func(row correctionRow) correct.Request { return correct.Request(row) })
}

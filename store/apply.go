package store

import (
	"time"

	"hiresure/admission/apply"
	"hiresure/admission/enrol"
)

type draftRow struct {
	RegistrationID string            `gorm:"primaryKey"`
	Step           string            `gorm:"primaryKey"`
	Typed          map[string]string `gorm:"serializer:json"`
	Field          string
	Version        int
	SavedAt        time.Time `gorm:"serializer:micros"`
}

func (draftRow) TableName() string { return "drafts" }

func (t *tx) ApplicationOf(accountID string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.locked(), "account_id = ? AND account_id <> '' AND event_code = ? AND refunded = ?", accountID, enrol.ApplicationCode, false)
	return (*enrol.Registration)(row), wrap("find application of account", err)
}

func (t *tx) Draft(registrationID, step string) (*apply.Draft, error) {
	row, err := find[draftRow](t.db, "registration_id = ? AND step = ?", registrationID, step)
	return (*apply.Draft)(row), wrap("find draft", err)
}

func (t *tx) SaveDraft(d apply.Draft) error {
	row := draftRow(d)
	return wrap("save draft", upsert(t, &row, "registration_id", "step"))
}

func (t *tx) LastDraftAt(registrationID string) (time.Time, error) {
	var last int64
	err := t.db.Model(&draftRow{}).Select("COALESCE(MAX(saved_at), 0)").Where("registration_id = ?", registrationID).Scan(&last).Error
	return fromMicros(last), wrap("find last draft", err)
}

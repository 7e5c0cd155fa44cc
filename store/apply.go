package store

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
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

const ofApplication = "account_id = ? AND account_id <> '' AND event_code = ? AND refunded = ?"

func (t *tx) ApplicationOf(accountID string) (*enrol.Registration, error) {
	row, err := find[registrationRow](t.locked(), ofApplication, accountID, enrol.ApplicationCode, false)
	return (*enrol.Registration)(row), wrap("find application of account", err)
}

func (t *tx) Applicant(sessionID, accountID string) (a apply.Applicant, err error) {
	mine := []any{accountID, enrol.ApplicationCode, false}
	session := ask[sessionRow](t.locked().Where("id = ?", sessionID).Limit(1))
	owner := ask[accountRow](t.db.Where("id = ?", accountID).Limit(1))
	registration := ask[registrationRow](t.locked().Where(ofApplication, mine...).Limit(1))
	drafts := ask[[]draftRow](t.db.Where("registration_id IN (SELECT id FROM registrations WHERE "+ofApplication+")", mine...))
	s, err := session.found()
	if err != nil {
		return a, wrap("lock session", err)
	}
	if sessionID == admission.ViewedSession {
		s = (*sessionRow)(t.viewedSession())
	}
	o, err := owner.found()
	if err != nil {
		return a, wrap("find account", err)
	}
	r, err := registration.found()
	if err != nil {
		return a, wrap("lock application", err)
	}
	a = apply.Applicant{Session: (*access.Session)(s), Account: (*account.Account)(o), Registration: (*enrol.Registration)(r), Drafts: map[string]*apply.Draft{}}
	rows, err := drafts.found()
	if rows != nil {
		for _, row := range *rows {
			draft := apply.Draft(row)
			a.Drafts[row.Step] = &draft
		}
	}
	return a, wrap("find drafts", err)
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

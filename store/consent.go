package store

import (
	"time"

	"hiresure/admission/consent"
)

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

func (consentRow) TableName() string { return "consents" }

func (t *tx) AddConsent(c consent.Consent) error {
	row := consentRow(c)
	row.UserAgent = text(row.UserAgent)
	return wrap("add consent", add(t, &row))
}

// LastConsents returns the last consent of each purpose.
func (t *tx) LastConsents(subject string) (byPurpose map[string]consent.Consent, err error) {
	var lines []consentRow
	err = t.db.Order("at, id").Find(&lines, "subject = ?", subject).Error
	byPurpose = map[string]consent.Consent{}
	for _, line := range lines {
		byPurpose[line.Purpose] = consent.Consent(line)
	}
	return byPurpose, wrap("find consents", err)
}

package store

import (
	"time"

	"gorm.io/gorm"
)

// A use is a row that records a person's activity on a registration outside of the registration's row. It updates
// registrations.used_at, which only retentions reads. A test checks all tables that reference registrations.
type use interface {
	use() (registrationID string, at time.Time)
}

func (r *draftRow) use() (string, time.Time)       { return r.RegistrationID, r.SavedAt }
func (r *uploadRow) use() (string, time.Time)      { return r.RegistrationID, r.BegunAt }
func (r *documentRow) use() (string, time.Time)    { return r.RegistrationID, r.StoredAt }
func (r *transactionRow) use() (string, time.Time) { return r.RegistrationID, r.CreatedAt } // its result changes the registration
func (r *consentRow) use() (string, time.Time)     { return r.Ref, r.At }                   // of a registration, or ""

// writeUse is write for a row, and touch if it is a use.
func (t *tx) writeUse(row any, statement func(*gorm.DB) *gorm.DB) error {
	if err := t.write(statement); err != nil {
		return err
	}
	u, is := row.(use)
	if !is {
		return nil
	}
	registrationID, at := u.use()
	return t.touch(registrationID, at)
}

// touch updates a registration's used_at, at most once a day.
func (t *tx) touch(registrationID string, at time.Time) error {
	moment, before := toMicros(at), toMicros(at.Add(-day))
	return wrap("touch registration", t.exec("UPDATE registrations SET used_at = ? WHERE id = ? AND used_at < ? AND modified_at < ?", moment, registrationID, before, moment))
}

package store

import (
	"time"

	"gorm.io/gorm"
)

// A use is a row by which a person does something with a registration that the registration's own row does not say:
// registrations.used_at has when, for overs alone. A test goes through the tables that name registrations.
type use interface {
	use() (registrationID string, at time.Time)
}

func (r *draftRow) use() (string, time.Time)       { return r.RegistrationID, r.SavedAt }
func (r *uploadRow) use() (string, time.Time)      { return r.RegistrationID, r.BegunAt }
func (r *documentRow) use() (string, time.Time)    { return r.RegistrationID, r.StoredAt }
func (r *transactionRow) use() (string, time.Time) { return r.RegistrationID, r.CreatedAt } // what it comes to moves the registration
func (r *consentRow) use() (string, time.Time)     { return r.Ref, r.At }                   // of a registration, or of none

// writeUse is write for a row that may be a use.
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

// touch keeps when a person last did something with a registration, to a day: who types all evening writes it once.
func (t *tx) touch(registrationID string, at time.Time) error {
	moment, before := toMicros(at), toMicros(at.Add(-day))
	return wrap("touch registration", t.exec("UPDATE registrations SET used_at = ? WHERE id = ? AND used_at < ? AND modified_at < ?", moment, registrationID, before, moment))
}

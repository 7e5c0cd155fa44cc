package store

import (
	"context"
	"iter"
	"time"

	"hiresure/admission/office"
)

var _ office.Books = (*Store)(nil)

func (t *tx) PaymentsBeginning(prefix string, limit int) (ids []string, err error) {
	err = t.db.Raw("SELECT id FROM transactions WHERE id LIKE ? ORDER BY id LIMIT ?", prefix+"%", limit).Scan(&ids).Error
	return ids, wrap("find payments", err)
}

func (t *tx) RevokeLinks(registrationID string, now time.Time) (int64, error) {
	at := toMicros(now)
	n, err := t.execCount("UPDATE links SET revoked_at = ? WHERE registration_id = ? AND revoked_at = 0 AND expires_at > ?", at, registrationID, at)
	return n, wrap("revoke links", err)
}

// StoredFiles returns the files of all rows. It ends with the first error.
func (s *Store) StoredFiles(ctx context.Context) iter.Seq2[office.File, error] {
	return mapRows(s.Files(ctx, ""), func(f FileRow) (office.File, error) { return office.File{ID: f.ID, Object: f.Object}, nil })
}

package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// RevokeLinks ends the mailed links of a registration to its receipt and invoice, and returns how many worked until then. An
// id that no registration has is an error. The registration's own session opens its papers as before.
func (s *Store) RevokeLinks(ctx context.Context, registrationID string, now time.Time) (revoked int64, err error) {
	err = s.update(ctx, func(t *tx) error {
		revoked = 0
		r, err := t.Registration(registrationID)
		if err != nil {
			return err
		}
		if r == nil {
			return fmt.Errorf("there is no registration %s", registrationID)
		}
		at := toMicros(now)
		result := t.db.Exec("UPDATE links SET revoked_at = ? WHERE registration_id = ? AND revoked_at = 0 AND expires_at > ?", at, r.ID, at)
		if revoked = result.RowsAffected; result.Error != nil || revoked == 0 {
			return result.Error
		}
		return t.AddEntry(enrol.Entry{
			ID: admission.NewID(), RegistrationID: r.ID, Kind: enrol.EntryLinksRevoked, Detail: strconv.FormatInt(revoked, 10), Who: "operator", At: now,
		})
	})
	return revoked, wrap("revoke links", err)
}

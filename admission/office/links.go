package office

import (
	"context"
	"strconv"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// RevokeLinks revokes the mailed links of a registration to its receipt and invoice, and returns how many worked until then.
// The session that enrolled still opens the papers. Problems: NotFound.
func (s *Service) RevokeLinks(ctx context.Context, registrationID, actor string) (revoked int64, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		revoked = 0
		r, err := tx.Registration(registrationID)
		if err != nil {
			return err
		}
		if r == nil {
			return notFound("there is no registration " + registrationID)
		}
		now := s.Clock()
		if revoked, err = tx.RevokeLinks(r.ID, now); err != nil || revoked == 0 {
			return err
		}
		return tx.AddEntry(enrol.Entry{
			ID: admission.NewID(), RegistrationID: r.ID, Kind: enrol.EntryLinksRevoked, Detail: strconv.FormatInt(revoked, 10), Who: actor, At: now,
		})
	})
	return revoked, err
}

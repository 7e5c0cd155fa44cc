package office

import (
	"context"
	"strconv"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
)

// RevokeLinks revokes the mailed links of a registration to its receipt and invoice, and returns how many worked until then.
// The session that enrolled still opens the papers. Problems: NotFound.
func (s *Service) RevokeLinks(ctx context.Context, registrationID string, by staff.Actor) (revoked int64, err error) {
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
		kind, count := enrol.EntryLinksRevoked, strconv.FormatInt(revoked, 10)
		if err := tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: r.ID, Kind: kind, Detail: count, Who: by.Name, At: now}); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, string(kind), r.Subject(), count+" open", ""))
	})
	return revoked, err
}

package correct

import (
	"context"

	"hiresure/admission/enrol"
	"hiresure/admission/paper"
	"hiresure/admission/staff"
)

// Rename corrects the name of a registration, and of its account where that has the same. The ticket is printed again; invoices and receipts
// keep the name that they were issued with. It returns a *Stale if the name has changed since. Problems: NotFound, Conflict for what was done
// already, Invalid.
func (s *Service) Rename(ctx context.Context, c Change, by staff.Actor) error {
	c.Field = Name
	return s.Store.Update(ctx, func(tx Tx) error {
		r, err := enrol.FindPerson(tx, c.RegistrationID)
		if err != nil {
			return err
		}
		if r.AccountID != "" { // locked before a registration
			if _, err := tx.AccountForUpdate(r.AccountID); err != nil {
				return err
			}
		}
		j, err := s.judge(tx, c)
		if err != nil {
			return err
		}
		now, was := s.Clock(), j.r.FullName
		follows, err := s.accountFollows(tx, j.r, Name)
		if err != nil {
			return err
		}
		if follows {
			a, err := tx.AccountForUpdate(j.r.AccountID)
			if err != nil {
				return err
			}
			a.FullName, a.ModifiedAt = j.value, now
			if err := tx.SaveAccount(a); err != nil {
				return err
			}
		}
		j.r.FullName, j.r.ModifiedAt = j.value, now
		if err := tx.SaveRegistration(j.r); err != nil {
			return err
		}
		if err := tx.RenameReferral(j.r.OwnReferral, j.value); err != nil {
			return err
		}
		if j.r.Paid() {
			if err := paper.Renew(tx, j.r.PaidTxnID, now, paper.Ticket); err != nil {
				return err
			}
		}
		if err := note(tx, j.r, correctedEntries[Name], enrol.OldNew(was, j.value), by.Name, now); err != nil {
			return err
		}
		act := by.Did(now, "corrected the name", j.r.Subject(), "", "")
		act.Reason = j.how
		return tx.LogAct(act)
	})
}

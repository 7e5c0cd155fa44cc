package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

// overAtATime is how many of overs go in one transaction, each with what hangs on it.
const overAtATime = 50

// purgeOvers deletes what is over of people, some at a time.
func (s *Store) purgeOvers(ctx context.Context, now time.Time) error {
	for _, o := range overs {
		for deleted := overAtATime; deleted == overAtATime; {
			began := time.Now()
			if err := s.patientUpdate(ctx, func(t *tx) (err error) {
				deleted, err = t.eraseOver(o, now)
				return err
			}); err != nil {
				return wrap("purge "+o.holding, err)
			}
			select { // others write meanwhile
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Since(began)):
			}
		}
	}
	return nil
}

// eraseOver deletes some rows that are over, and what belongs to them alone.
func (t *tx) eraseOver(o over, now time.Time) (deleted int, err error) {
	found := mydata.Traces{}
	query := "SELECT id FROM " + o.holding + " WHERE " + o.since + " <= @until"
	if o.only != "" {
		query += " AND " + o.only
	}
	query += " ORDER BY " + o.since + " LIMIT @most"
	if t.db.Name() == "postgres" {
		query += " FOR UPDATE SKIP LOCKED" // what somebody uses is not over
	}
	ids := []string{}
	if err := t.db.Raw(query, map[string]any{"until": toMicros(now.Add(-o.kept)), "most": overAtATime}).Scan(&ids).Error; err != nil || len(ids) == 0 {
		return 0, err
	}
	found[o.holding] = ids
	belongs := map[string]string{"consents": consentsOf(o.holding)}
	if o.holding == "registrations" {
		maps.Copy(belongs, belongings)
	}
	for table, query := range belongs {
		var keys []string
		if err := t.db.Raw(query, map[string]any{"keys": ids}).Scan(&keys).Error; err != nil {
			return 0, err
		}
		found[table] = keys
	}
	if o.holding == "registrations" {
		if found[sharedSessions], err = t.sessionsWith(&account.Account{}, ids); err != nil {
			return 0, err
		}
	}
	return len(ids), t.Erase(&account.Account{}, found, now)
}

// belongings are the queries for the keys of what hangs on registrations, by table. Left out is what nothing asks the keys of:
// what goes by its registration alone (document_views), and what stays (referral_credits, refunds, and the papers of the law).
// So is the inbox, which has a time of its own.
var belongings = func() map[string]string {
	all := map[string]string{"referrals": "SELECT code FROM referrals WHERE code IN (SELECT own_referral FROM registrations WHERE id IN @keys AND own_referral <> '')"}
	for _, h := range holdings {
		if len(h.erase) == 0 && !slices.ContainsFunc(jobsOf, func(of kindsOf) bool { return of.table == h.table }) {
			continue
		}
		if query := "SELECT DISTINCT " + h.key + " FROM " + h.table; h.where == ofRegistration {
			all[h.table] = query + " WHERE registration_id IN @keys"
		} else if h.where == ofPayment {
			all[h.table] = query + " WHERE txn_id IN (SELECT id FROM transactions WHERE registration_id IN @keys)"
		}
	}
	return all
}()

// consentsOf is the query for the lines of the ledger that some rows have caused. A no stays that takes back a yes of
// elsewhere, or that yes would hold again.
func consentsOf(table string) string {
	return "SELECT c.id FROM " + table + " o JOIN consents c ON c.subject IN (o.phone, o.email) AND c.ref = o.id WHERE o.id IN @keys AND NOT (c.given = FALSE" +
		" AND EXISTS (SELECT 1 FROM consents yes WHERE yes.subject = c.subject AND yes.purpose = c.purpose AND yes.given = TRUE AND yes.ref <> c.ref AND yes.at <= c.at))"
}

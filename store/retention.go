package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

// retentionBatch limits the expired rows per transaction, each erased with its dependent rows.
const retentionBatch = 50

// purgeExpired erases expired personal rows in batches.
func (s *Store) purgeExpired(ctx context.Context, now time.Time) error {
	for _, o := range retentions {
		for deleted := retentionBatch; deleted == retentionBatch; {
			began := time.Now()
			if err := s.longUpdate(ctx, func(t *tx) (err error) {
				deleted, err = t.eraseExpired(o, now)
				return err
			}); err != nil {
				return wrap("purge "+o.holding, err)
			}
			if err := pause(ctx, time.Since(began)); err != nil {
				return err
			}
		}
	}
	return nil
}

// eraseExpired erases a batch of expired rows and their dependent rows.
func (t *tx) eraseExpired(o retention, now time.Time) (deleted int, err error) {
	found := mydata.Traces{}
	query := "SELECT id FROM " + o.holding + " WHERE " + o.since + " <= @until"
	if o.condition != "" {
		query += " AND " + o.condition
	}
	query += " ORDER BY " + o.since + " LIMIT @most"
	if t.db.Name() == "postgres" {
		query += " FOR UPDATE SKIP LOCKED" // rows in use are not expired
	}
	ids := []string{}
	if err := t.db.Raw(query, map[string]any{"until": toMicros(now.Add(-o.period)), "most": retentionBatch}).Scan(&ids).Error; err != nil || len(ids) == 0 {
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
		if found[sharedSessions], err = t.findSharedSessions(&account.Account{}, ids); err != nil {
			return 0, err
		}
	}
	return len(ids), t.Erase(&account.Account{}, found, now)
}

// belongings are the queries for the keys of registrations' dependent rows, by table. They omit tables whose keys are not
// needed: those erased by registration (document_views), those kept (referral_credits, refunds, tax documents), and the
// inbox, which has its own purge.
var belongings = func() map[string]string {
	all := map[string]string{"referrals": "SELECT code FROM referrals WHERE code IN (SELECT own_referral FROM registrations WHERE id IN @keys AND own_referral <> '')"}
	for _, h := range holdings {
		if len(h.erase) == 0 && !slices.ContainsFunc(jobsOf, func(of tableJobs) bool { return of.table == h.table }) {
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

// consentsOf returns the query for the consents given with rows of a table. It keeps a withdrawal of a consent that was given
// elsewhere, which would otherwise be valid again.
func consentsOf(table string) string {
	return "SELECT c.id FROM " + table + " o JOIN consents c ON c.subject IN (o.phone, o.email) AND c.ref = o.id WHERE o.id IN @keys AND NOT (c.given = FALSE" +
		" AND EXISTS (SELECT 1 FROM consents yes WHERE yes.subject = c.subject AND yes.purpose = c.purpose AND yes.given = TRUE AND yes.ref <> c.ref AND yes.at <= c.at))"
}

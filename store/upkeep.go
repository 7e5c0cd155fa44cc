package store

import (
	"context"
	"time"

	"hiresure/admission/enrol"
)

const day = 24 * time.Hour

const messagesKept = 365 * day

// purges say how long things stay: content/legal/privacy.yaml gives a visitor the same times. Of what hangs together overs do.
var purges = []purge{
	{"sessions", "expires_at", 0},
	{"hits", "until", 0},
	{"spent", "until", 0},
	{"idempotency_keys", "until", 0},
	{"code_requests", "expires_at", day},
	{"leads", "created_at", 30 * day},
	{"drafts", "saved_at", 90 * day},
	{"messages", "created_at", messagesKept},
	{"export_parts", "expires_at", 0},
	{"exports", "asked_at", 30 * day},
	{"deletions", "closed_at", 365 * day},
	{"inbox", "handled_at", 400 * day}, // a gateway's event: the books of its year are closed by then
}

type purge struct {
	table, column string        // the column holds when a row's time begins; it has an index
	kept          time.Duration // from then on
}

// A purge deletes so many rows in one transaction that it takes about purgeTime, and then rests for as long: others write in
// between, and on SQLite they wait for it. There each row of a flood is on pages of its own: with a fixed batch of 1,000 rows
// a busy machine kept every hundredth write waiting for half a second.
const (
	purgeTime  = 5 * time.Millisecond
	leastPurge = 10 // rows
	firstPurge = 100
	mostPurge  = 1000
)

// nextPurge returns how many rows the next transaction deletes where the last so many took so long.
func nextPurge(rows int64, took time.Duration) int64 {
	return min(max(rows*int64(purgeTime)/max(int64(took), 1), leastPurge), mostPurge)
}

// Purge deletes what is over: sessions, hits, spent keys and idempotency keys at their end, the rest when its time is up.
// What it has deleted when ctx ends stays deleted, and the next call goes on from there. It takes its time.
func (s *Store) Purge(ctx context.Context, now time.Time) error {
	for _, p := range purges {
		if err := s.purge(ctx, p, now); err != nil {
			return wrap("purge "+p.table, err)
		}
	}
	if err := s.purgeOvers(ctx, now); err != nil {
		return err
	}
	return wrap("purge buyers", s.purgeBuyers(ctx, now))
}

// purgeBuyers does what tx.forgetBuyers does of all papers, some at a time.
func (s *Store) purgeBuyers(ctx context.Context, now time.Time) error {
	for {
		var forgotten int
		err := s.update(ctx, func(t *tx) (err error) {
			forgotten, err = t.forgetBuyers(now, leastPurge)
			return err
		})
		if err != nil || forgotten == 0 {
			return err
		}
	}
}

func (s *Store) purge(ctx context.Context, p purge, now time.Time) error {
	for most := int64(firstPurge); ; {
		var deleted int64
		var began time.Time
		if err := s.patientUpdate(ctx, func(t *tx) error {
			began = time.Now() // now it holds up others; before, it has waited for them
			done := t.db.Exec(purgeStatement(t.db.Name(), p), toMicros(now.Add(-p.kept)), most)
			deleted = done.RowsAffected
			return done.Error
		}); err != nil || deleted < most {
			return err
		}
		took := time.Since(began)
		most = nextPurge(most, took)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(took):
		}
	}
}

// purgeStatement deletes some of the rows whose moment is up; 0 is none. hits have no key: so rows are named by their place.
// PostgreSQL leaves a row that somebody uses for the next time.
func purgeStatement(dialect string, p purge) string {
	over := p.table + " WHERE " + p.column + " > 0 AND " + p.column + " <= ? ORDER BY " + p.column + " LIMIT ?"
	if dialect == "postgres" {
		return "DELETE FROM " + p.table + " WHERE ctid = ANY(ARRAY(SELECT ctid FROM " + over + " FOR UPDATE SKIP LOCKED))"
	}
	return "DELETE FROM " + p.table + " WHERE rowid IN (SELECT rowid FROM " + over + ")"
}

// SaveCoupon adds a coupon unless the event has one of that code.
func (s *Store) SaveCoupon(ctx context.Context, c enrol.Coupon) error {
	row := couponRow(c)
	return wrap("save coupon", s.update(ctx, func(t *tx) error { return addUnlessThere(t, &row) }))
}

// SaveReferral adds a referral unless there is one of that code.
func (s *Store) SaveReferral(ctx context.Context, r enrol.Referral) error {
	row := referralRow(r)
	return wrap("save referral", s.update(ctx, func(t *tx) error {
		return addUnlessThere(t, &row)
	}))
}

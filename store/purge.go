package store

import (
	"context"
	"time"

	"hiresure/admission/staff"
)

const messagesKept = 365 * day

// purges limits how long rows are stored, as content/legal/privacy.yaml promises. Rows with dependent rows have retentions.
var purges = []purge{
	{"sessions", "expires_at", 0},
	{"hits", "until", 0},
	{"spent", "until", 0},
	{"idempotency_keys", "until", 0},
	{"code_requests", "expires_at", day},
	{"corrections", "expires_at", day},
	{"leads", "created_at", 30 * day},
	{"drafts", "saved_at", 90 * day},
	{"messages", "created_at", messagesKept},
	{"export_parts", "expires_at", 0},
	{"exports", "asked_at", 30 * day},
	{"deletions", "closed_at", 365 * day},
	{"staff_sessions", "seen_at", staff.SessionLimit},
	{"staff_links", "expires_at", day},
	{"staff_cases", "taken_at", 90 * day},
	{"print_batches", "ordered_at", 8 * year}, // as long as invoices: see papersRetainedFrom
	{"inbox", "handled_at", 400 * day},        // the books of the event's year are closed by then
}

type purge struct {
	table, column string // the indexed column with the time from which kept counts
	kept          time.Duration
}

// A purge sizes its batches so that a transaction takes about purgeTime, and then pauses for as long, so that other writers get
// their turn. With fixed batches of 1,000 rows every hundredth write on SQLite waited for half a second on a busy machine.
const (
	purgeTime  = 5 * time.Millisecond
	minPurge   = 10 // rows
	firstPurge = 100
	maxPurge   = 1000
)

// nextBatch returns the size of the next batch, given the size and duration of the last.
func nextBatch(rows int64, took time.Duration) int64 {
	return min(max(rows*int64(purgeTime)/max(int64(took), 1), minPurge), maxPurge)
}

// Purge deletes expired rows in batches. When ctx ends, the batches so far remain deleted.
func (s *Store) Purge(ctx context.Context, now time.Time) error {
	for _, p := range purges {
		if err := s.purge(ctx, p, now); err != nil {
			return wrap("purge "+p.table, err)
		}
	}
	if err := s.purgeExpired(ctx, now); err != nil {
		return err
	}
	if err := s.purgeBatchFiles(ctx, now); err != nil {
		return wrap("purge files of prints", err)
	}
	return wrap("purge buyers", s.purgeBuyers(ctx, now))
}

// purgeBuyers runs tx.eraseBuyers in batches.
func (s *Store) purgeBuyers(ctx context.Context, now time.Time) error {
	for {
		var forgotten int
		err := s.update(ctx, func(t *tx) (err error) {
			forgotten, err = t.eraseBuyers(now, minPurge)
			return err
		})
		if err != nil || forgotten == 0 {
			return err
		}
	}
}

func (s *Store) purge(ctx context.Context, p purge, now time.Time) error {
	for batch := int64(firstPurge); ; {
		var deleted int64
		var began time.Time
		if err := s.longUpdate(ctx, func(t *tx) (err error) {
			began = time.Now() // without the wait for other writers
			deleted, err = t.execCount(purgeStatement(t.db.Name(), p), toMicros(now.Add(-p.kept)), batch)
			return err
		}); err != nil || deleted < batch {
			return err
		}
		took := time.Since(began)
		batch = nextBatch(batch, took)
		if err := pause(ctx, took); err != nil {
			return err
		}
	}
}

// purgeStatement returns the statement that deletes a batch of expired rows; a time of 0 never expires. It identifies rows by
// their physical position, as hits have no key. PostgreSQL skips locked rows.
func purgeStatement(dialect string, p purge) string {
	over := p.table + " WHERE " + p.column + " > 0 AND " + p.column + " <= ? ORDER BY " + p.column + " LIMIT ?"
	if dialect == "postgres" {
		return "DELETE FROM " + p.table + " WHERE ctid = ANY(ARRAY(SELECT ctid FROM " + over + " FOR UPDATE SKIP LOCKED))"
	}
	return "DELETE FROM " + p.table + " WHERE rowid IN (SELECT rowid FROM " + over + ")"
}

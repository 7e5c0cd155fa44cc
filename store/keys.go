package store

import (
	"context"
	"time"
)

type keyRow struct {
	ID          string
	BodyHash    string
	Done        bool
	Status      int
	ContentType string
	Body        string    // sealed
	ClaimedAt   time.Time `gorm:"serializer:micros"`
	Until       time.Time `gorm:"serializer:micros"`
}

func (keyRow) TableName() string { return "idempotency_keys" }

const keyLife = 24 * time.Hour

// KeyedAnswer is what a POST with an idempotency key was answered, or, while that is worked on, how much longer it may be.
type KeyedAnswer struct {
	Status      int
	ContentType string
	Body        []byte
	Held        time.Duration // after which whoever claimed the key is taken for dead
}

// The states of an idempotency key, as ClaimKey returns them.
const (
	KeyNew      = "new"      // it is the caller's now, who calls FinishKey or AbandonKey
	KeyRunning  = "running"  // another request works under it, for as long as prior says at most
	KeyDone     = "done"     // prior is the answer
	KeyMismatch = "mismatch" // it belongs to a request with another body
)

// ClaimKey claims an idempotency key for a request whose body has this hash, and which takes lasts at most: whoever has claimed
// the key so long ago is taken for dead. Of a claim that is new, now is what FinishKey and AbandonKey know it by.
func (s *Store) ClaimKey(ctx context.Context, key, bodyHash string, now time.Time, lasts time.Duration) (prior *KeyedAnswer, state string, err error) {
	err = s.update(ctx, func(t *tx) error {
		prior, state = nil, KeyNew
		row, err := find[keyRow](t.locked(), "id = ?", key)
		if err != nil {
			return err
		}
		claim := keyRow{ID: key, BodyHash: bodyHash, ClaimedAt: now, Until: now.Add(keyLife)}
		switch {
		case row == nil:
			return add(t, &claim) // another request that was faster makes this a duplicate: then again
		case !now.Before(row.Until):
		case row.BodyHash != bodyHash:
			state = KeyMismatch
			return nil
		case row.Done:
			if body, err := t.sealer.open("idempotency_keys", key, row.Body); err == nil { // else it is forgotten, with the old secret
				prior, state = &KeyedAnswer{Status: row.Status, ContentType: row.ContentType, Body: body}, KeyDone
				return nil
			}
		case now.Before(row.ClaimedAt.Add(lasts)):
			prior, state = &KeyedAnswer{Held: row.ClaimedAt.Add(lasts).Sub(now)}, KeyRunning
			return nil
		}
		return change(t, &claim)
	})
	return prior, state, wrap("claim idempotency key", err)
}

// FinishKey keeps the answer of the request that claimed a key then. Where another has claimed it since, that one's stands.
func (s *Store) FinishKey(ctx context.Context, key string, claimed time.Time, status int, contentType string, body []byte) error {
	return wrap("finish idempotency key", s.update(ctx, func(t *tx) error {
		return t.exec("UPDATE idempotency_keys SET done = ?, status = ?, content_type = ?, body = ? WHERE id = ? AND claimed_at = ?",
			true, status, contentType, t.sealer.seal("idempotency_keys", key, body), key, toMicros(claimed))
	}))
}

// AbandonKey gives a key back that was claimed then, for a request that did nothing.
func (s *Store) AbandonKey(ctx context.Context, key string, claimed time.Time) error {
	return wrap("abandon idempotency key", s.update(ctx, func(t *tx) error {
		return t.exec("DELETE FROM idempotency_keys WHERE id = ? AND claimed_at = ? AND done = ?", key, toMicros(claimed), false)
	}))
}

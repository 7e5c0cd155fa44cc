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

// KeyedAnswer is the response to a POST with an idempotency key, or, while the POST runs, how long it may still take.
type KeyedAnswer struct {
	Status      int
	ContentType string
	Body        []byte
	Held        time.Duration // until the claim expires
}

// The states of an idempotency key, as ClaimKey returns them.
const (
	KeyNew      = "new"      // claimed by the caller, who must call FinishKey or AbandonKey
	KeyRunning  = "running"  // another request holds the claim, for at most prior.Held
	KeyDone     = "done"     // prior is the response
	KeyMismatch = "mismatch" // a request with another body used the key
)

// ClaimKey claims an idempotency key for a request whose body has this hash. A claim expires after lasts. FinishKey and
// AbandonKey identify a new claim by now.
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
			return add(t, &claim) // retried if another request was faster
		case !now.Before(row.Until):
		case row.BodyHash != bodyHash:
			state = KeyMismatch
			return nil
		case row.Done:
			if body, err := t.sealer.open("idempotency_keys", key, row.Body); err == nil { // otherwise sealed with an earlier secret
				prior, state = &KeyedAnswer{Status: row.Status, ContentType: row.ContentType, Body: body}, KeyDone
				return nil
			}
		case now.Before(row.ClaimedAt.Add(lasts)):
			prior, state = &KeyedAnswer{Held: row.ClaimedAt.Add(lasts).Sub(now)}, KeyRunning
			return nil
		}
		return save(t, &claim)
	})
	return prior, state, wrap("claim idempotency key", err)
}

// FinishKey stores the response of the request with this claim, unless the key has been claimed again.
func (s *Store) FinishKey(ctx context.Context, key string, claimed time.Time, status int, contentType string, body []byte) error {
	return wrap("finish idempotency key", s.update(ctx, func(t *tx) error {
		return t.exec("UPDATE idempotency_keys SET done = ?, status = ?, content_type = ?, body = ? WHERE id = ? AND claimed_at = ?",
			true, status, contentType, t.sealer.seal("idempotency_keys", key, body), key, toMicros(claimed))
	}))
}

// AbandonKey releases the claim of a request that changed nothing.
func (s *Store) AbandonKey(ctx context.Context, key string, claimed time.Time) error {
	return wrap("abandon idempotency key", s.update(ctx, func(t *tx) error {
		return t.exec("DELETE FROM idempotency_keys WHERE id = ? AND claimed_at = ? AND done = ?", key, toMicros(claimed), false)
	}))
}

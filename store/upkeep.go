package store

import (
	"context"
	"time"

	"hiresure/admission/enrol"
)

// How long things stay that the privacy notice gives a time to: content/legal/privacy.yaml says the same.
const (
	codesKept    = 24 * time.Hour // after the code's end
	leadsKept    = 30 * 24 * time.Hour
	messagesKept = 365 * 24 * time.Hour
)

// Purge deletes what is over: sessions, hits, spent keys and idempotency keys at their end, the rest when its time is up.
func (s *Store) Purge(ctx context.Context, now time.Time) error {
	for _, over := range []struct {
		table, column string
		before        time.Time
	}{
		{"sessions", "expires_at", now},
		{"hits", "until", now},
		{"spent", "until", now},
		{"idempotency_keys", "until", now},
		{"code_requests", "expires_at", now.Add(-codesKept)},
		{"leads", "created_at", now.Add(-leadsKept)},
		{"messages", "created_at", now.Add(-messagesKept)},
	} {
		if err := s.patientUpdate(ctx, func(t *tx) error {
			return t.db.Exec("DELETE FROM "+over.table+" WHERE "+over.column+" <= ?", toMicros(over.before)).Error
		}); err != nil {
			return wrap("purge "+over.table, err)
		}
	}
	return nil
}

// SaveCoupon adds a coupon unless the event has one of that code.
func (s *Store) SaveCoupon(ctx context.Context, c enrol.Coupon) error {
	row := couponRow(c)
	return wrap("save coupon", s.update(ctx, func(t *tx) error { return once(t.db).Create(&row).Error }))
}

// SaveReferral adds a referral unless there is one of that code.
func (s *Store) SaveReferral(ctx context.Context, r enrol.Referral) error {
	row := referralRow(r)
	return wrap("save referral", s.update(ctx, func(t *tx) error {
		return once(t.db).Create(&row).Error
	}))
}

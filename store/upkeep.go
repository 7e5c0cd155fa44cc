package store

import (
	"context"
	"time"

	"hiresure/admission"
)

// codesKept is how long a code request stays after its code's end.
const codesKept = 24 * time.Hour

// Purge deletes what is over: sessions, hits, spent keys, idempotency keys, and code requests a day later.
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
	} {
		if err := s.update(ctx, func(t *tx) error {
			return t.later.Exec("DELETE FROM "+over.table+" WHERE "+over.column+" <= ?", toMicros(over.before)).Error
		}); err != nil {
			return wrap("purge "+over.table, err)
		}
	}
	return nil
}

// SaveCoupon adds a coupon unless the event has one of that code.
func (s *Store) SaveCoupon(ctx context.Context, c admission.Coupon) error {
	row := couponRow(c)
	return wrap("save coupon", s.update(ctx, func(t *tx) error { return once(t.later).Create(&row).Error }))
}

// SaveReferral adds a referral unless there is one of that code.
func (s *Store) SaveReferral(ctx context.Context, r admission.Referral) error {
	row := referralRow(r)
	return wrap("save referral", s.update(ctx, func(t *tx) error {
		return once(t.later).Create(&row).Error
	}))
}

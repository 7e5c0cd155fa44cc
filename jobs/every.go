package jobs

import (
	"context"
	"time"
)

// Every is a handler that works again `interval` after each success. Periodic work is a row like any other, one for all
// processes: plant it at start with Tx.AddJob, which leaves an earlier due time alone.
func Every(interval time.Duration, work func(context.Context) error) Handler {
	return func(ctx context.Context, _ string) (time.Duration, error) { return interval, work(ctx) }
}

// Daily is Every for a time of the day, told as the time since midnight at a place.
func Daily(at time.Duration, place *time.Location, clock func() time.Time, work func(context.Context) error) Handler {
	return func(ctx context.Context, _ string) (time.Duration, error) {
		if err := work(ctx); err != nil {
			return 0, err
		}
		now := clock()
		return NextDaily(at, place, now).Sub(now), nil
	}
}

// NextDaily is the first such time of the day after now: when to plant a Daily job.
func NextDaily(at time.Duration, place *time.Location, now time.Time) time.Time {
	local := now.In(place)
	next := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, int(at), place)
	if !next.After(now) {
		next = time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, int(at), place)
	}
	return next
}

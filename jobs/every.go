package jobs

import (
	"context"
	"time"

	"hiresure/admission"
)

// Every is a handler that works again `interval` after each success. Periodic work is a row like any other, one for all
// processes: add it at start with Tx.AddJob, which leaves an earlier due time alone.
func Every(interval time.Duration, work func(context.Context) error) Handler {
	return func(ctx context.Context, _ admission.Job) (time.Duration, error) { return interval, work(ctx) }
}

// Daily is Every for a time of the day, given as the time since midnight at a place.
func Daily(at time.Duration, place *time.Location, clock func() time.Time, work func(context.Context) error) Handler {
	return func(ctx context.Context, _ admission.Job) (time.Duration, error) {
		if err := work(ctx); err != nil {
			return 0, err
		}
		now := clock()
		return NextDaily(at, place, now).Sub(now), nil
	}
}

// NextDaily returns the first such time of the day after now: when a Daily job is due first.
func NextDaily(at time.Duration, place *time.Location, now time.Time) time.Time {
	local := now.In(place)
	next := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, int(at), place)
	if !next.After(now) {
		next = time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, int(at), place)
	}
	return next
}

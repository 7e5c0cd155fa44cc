package jobs

import (
	"context"
	"time"

	"hiresure/admission"
)

// Every returns a Handler that runs again `interval` after each success. Periodic work is a row like any other, one for all processes:
// add it at start with Tx.AddJob, which keeps an earlier due time.
func Every(interval time.Duration, work func(context.Context) error) Handler {
	return func(ctx context.Context, _ admission.Job) (time.Duration, error) { return interval, work(ctx) }
}

// Daily is Every for a time of the day, given as time since midnight in place.
func Daily(at time.Duration, place *time.Location, clock func() time.Time, work func(context.Context) error) Handler {
	return func(ctx context.Context, _ admission.Job) (time.Duration, error) {
		if err := work(ctx); err != nil {
			return 0, err
		}
		now := clock()
		return NextDaily(at, place, now).Sub(now), nil
	}
}

// NextDaily returns the first due time of a Daily job after now.
func NextDaily(at time.Duration, place *time.Location, now time.Time) time.Time {
	local := now.In(place)
	next := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, int(at), place)
	if !next.After(now) {
		next = time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, int(at), place)
	}
	return next
}

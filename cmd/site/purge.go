package main

import (
	"context"
	"errors"
	"time"

	"hiresure/admission"
	"hiresure/jobs"
)

const (
	jobPurge   = "purge"
	purgeEvery = time.Hour
	purgeAgain = 10 * time.Second // where a flood was not all gone in time
)

// purge deletes what is over, for so long at a time. A flood takes several: none of them is a failure.
func (s *site) purge(atATime time.Duration) jobs.Handler {
	whole := jobs.Every(purgeEvery, func(ctx context.Context) error { return errors.Join(s.store.Purge(ctx, s.clock()), s.sweep(ctx)) })
	return func(ctx context.Context, job admission.Job) (again time.Duration, err error) {
		within, cancel := context.WithTimeout(ctx, atATime)
		defer cancel()
		again, err = whole(within, job)
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			return purgeAgain, nil
		}
		return again, err
	}
}

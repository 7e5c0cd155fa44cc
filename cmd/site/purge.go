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
	purgeRetry = 10 * time.Second // after a purge that ran out of time
)

// purge deletes expired rows and objects, for at most limit a run. Running out of time is no failure: the job repeats soon.
func (s *site) purge(limit time.Duration) jobs.Handler {
	whole := jobs.Every(purgeEvery, func(ctx context.Context) error { return errors.Join(s.store.Purge(ctx, s.clock()), s.sweep(ctx)) })
	return func(ctx context.Context, job admission.Job) (again time.Duration, err error) {
		within, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		again, err = whole(within, job)
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			return purgeRetry, nil
		}
		return again, err
	}
}

package site

import (
	"context"
	"errors"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/integrations/objects"
	"hiresure/jobs"
)

const (
	jobPurge   = "purge"
	purgeEvery = time.Hour
	purgeRetry = 10 * time.Second // after a purge that ran out of time
)

// purge deletes expired rows and objects, for at most limit a run. Running out of time is no failure: the job repeats soon.
func (p *parts) purge(limit time.Duration) jobs.Handler {
	whole := jobs.Every(purgeEvery, func(ctx context.Context) error { return errors.Join(p.Store.Purge(ctx, p.Clock()), p.sweep(ctx)) })
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

// sweep deletes expired uploads, and objects of the storage that have no row.
func (p *parts) sweep(ctx context.Context) error {
	return p.Business.Document.Sweep(ctx, func(ctx context.Context, batch int, each func(objects []string) error) error {
		before := p.Clock().Add(-document.OrphanAge)
		return inBatches(ctx, p.Files.vault.Bucket, batch, func(o admission.StoredObject) bool { return o.At.Before(before) }, each)
	})
}

// inBatches passes the names of the objects that match counts to each, in batches.
func inBatches(ctx context.Context, bucket objects.Bucket, batch int, counts func(admission.StoredObject) bool, each func(names []string) error) error {
	var names []string
	for object, err := range bucket.All(ctx) {
		if err != nil {
			return err
		}
		if !counts(object) {
			continue
		}
		if names = append(names, object.Name); len(names) == batch {
			if err := each(names); err != nil {
				return err
			}
			names = names[:0]
		}
	}
	if len(names) == 0 {
		return nil
	}
	return each(names)
}

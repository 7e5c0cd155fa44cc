package store

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"hiresure/admission"
)

type jobRow struct {
	Kind      string
	Ref       string
	DueAt     time.Time `gorm:"serializer:micros"`
	Attempts  int
	LastError string
}

func (jobRow) TableName() string { return "jobs" }

func (t *tx) AddJob(j admission.Job) error {
	t.jobs = append(t.jobs, j.Kind)
	return wrap("add job", t.db.Exec(`INSERT INTO jobs (kind, ref, due_at, attempts, last_error) VALUES (?, ?, ?, ?, '')
		ON CONFLICT (kind, ref) DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < jobs.due_at`, j.Kind, j.Ref, toMicros(j.DueAt), j.Attempts).Error)
}

// ClaimJobs leases at most n due jobs of these kinds, those due longest first. A claimed job's DueAt is the end of its
// lease: nobody else gets it before, anybody after, so that the job of a worker that died is done all the same.
// FinishJob and PostponeJob know by that DueAt whether the lease still stands.
func (s *Store) ClaimJobs(ctx context.Context, kinds []string, now time.Time, lease time.Duration, n int) (jobs []admission.Job, err error) {
	err = s.update(ctx, func(t *tx) error {
		jobs = nil
		var due []jobRow
		// Job by job is enough: a claim is of a few.
		free := t.db.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"})
		if err := free.Where("kind IN ? AND due_at <= ?", kinds, toMicros(now)).Order("due_at, ref").Limit(n).Find(&due).Error; err != nil {
			return err
		}
		for _, row := range due {
			job := admission.Job{Kind: row.Kind, Ref: row.Ref, DueAt: fromMicros(toMicros(now.Add(lease))), Attempts: row.Attempts}
			if err := t.db.Exec("UPDATE jobs SET due_at = ? WHERE kind = ? AND ref = ?", toMicros(job.DueAt), job.Kind, job.Ref).Error; err != nil {
				return err
			}
			jobs = append(jobs, job)
		}
		return nil
	})
	return jobs, wrap("claim jobs", err)
}

// FinishJob deletes a claimed job, unless it was added again meanwhile, or its lease ran out and another worker has it.
func (s *Store) FinishJob(ctx context.Context, j admission.Job) error {
	return wrap("finish job", s.update(ctx, func(t *tx) error {
		return t.db.Exec("DELETE FROM jobs WHERE kind = ? AND ref = ? AND due_at = ?", j.Kind, j.Ref, toMicros(j.DueAt)).Error
	}))
}

// PostponeJob makes a claimed job due at another time, unless it was added again meanwhile and is due before, or its
// lease ran out and another worker has it.
func (s *Store) PostponeJob(ctx context.Context, j admission.Job, due time.Time, attempts int, lastError string) error {
	return wrap("postpone job", s.update(ctx, func(t *tx) error {
		return t.db.Exec("UPDATE jobs SET due_at = ?, attempts = ?, last_error = ? WHERE kind = ? AND ref = ? AND due_at = ?",
			toMicros(due), attempts, text(lastError), j.Kind, j.Ref, toMicros(j.DueAt)).Error
	}))
}

package store

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
)

// neverDue is the due time of a dead job, in microseconds. Versions that know no dead jobs claim none of them either.
const neverDue int64 = math.MaxInt64

type jobRow struct {
	Kind      string
	Ref       string
	DueAt     time.Time `gorm:"serializer:micros"`
	Attempts  int
	LastError string
	DeadAt    time.Time `gorm:"serializer:micros"`
	Failures  string    // JSON
	Payload   string
}

func (jobRow) TableName() string { return "jobs" }

func (t *tx) AddJob(j admission.Job) error {
	t.jobs = append(t.jobs, j.Kind)
	return wrap("add job", t.exec(`INSERT INTO jobs (kind, ref, due_at, attempts, last_error, payload) VALUES (?, ?, ?, ?, '', ?)
		ON CONFLICT (kind, ref) DO UPDATE SET due_at = excluded.due_at, payload = excluded.payload, dead_at = 0 WHERE excluded.due_at < jobs.due_at`,
		j.Kind, j.Ref, toMicros(j.DueAt), j.Attempts, text(j.Payload)))
}

// ClaimJobs leases at most n due jobs of these kinds, those due longest first. A claimed job's DueAt is the end of its
// lease: nobody else gets it before, anybody after, so that the job of a worker that died is done all the same.
// FinishJob, PostponeJob and BuryJob know by that DueAt whether the lease still stands.
func (s *Store) ClaimJobs(ctx context.Context, kinds []string, now time.Time, lease time.Duration, n int) (jobs []admission.Job, err error) {
	err = s.update(ctx, func(t *tx) error {
		jobs = nil
		due, err := t.dueJobs(kinds, toMicros(now), n)
		if err != nil || len(due) == 0 {
			return err
		}
		until := toMicros(now.Add(lease))
		values := []any{until}
		for _, row := range due {
			job := row.job()
			job.DueAt = fromMicros(until)
			jobs, values = append(jobs, job), append(values, row.Kind, row.Ref)
		}
		return t.db.Exec("UPDATE jobs SET due_at = ?, dead_at = 0 WHERE (kind, ref) IN (VALUES (?, ?)"+strings.Repeat(", (?, ?)", len(due)-1)+")", values...).Error
	})
	return jobs, wrap("claim jobs", err)
}

// dueJobs asks for each kind by itself, in its index's order: asked for several at once, both databases read and sort all
// that are due, however few are wanted.
func (t *tx) dueJobs(kinds []string, now int64, n int) (due []jobRow, err error) {
	ofKind := "SELECT * FROM (SELECT * FROM jobs WHERE kind = ? AND due_at <= ? ORDER BY due_at, ref LIMIT ?"
	if t.batch != nil {
		ofKind += " FOR UPDATE SKIP LOCKED"
	}
	ofKind += ") AS of_kind"
	var values []any
	for _, kind := range kinds {
		values = append(values, kind, now, n)
	}
	union := strings.Join(slices.Repeat([]string{ofKind}, len(kinds)), " UNION ALL ")
	err = t.db.Raw(union+" ORDER BY due_at, ref LIMIT ?", append(values, n)...).Scan(&due).Error
	return due, err
}

func (r jobRow) job() admission.Job {
	job := admission.Job{Kind: r.Kind, Ref: r.Ref, DueAt: r.DueAt, Attempts: r.Attempts, Payload: r.Payload}
	if r.Failures != "" && json.Unmarshal([]byte(r.Failures), &job.Failures) != nil {
		job.Failures = nil // people read them; no job waits because they cannot
	}
	return job
}

// FinishJob deletes a claimed job, unless it was added again meanwhile, or its lease ran out and another worker has it.
func (s *Store) FinishJob(ctx context.Context, j admission.Job) error {
	return wrap("finish job", s.update(ctx, func(t *tx) error {
		return t.exec("DELETE FROM jobs WHERE kind = ? AND ref = ? AND due_at = ?", j.Kind, j.Ref, toMicros(j.DueAt))
	}))
}

// PostponeJob makes a claimed job due at another time and keeps its Attempts and Failures, unless it was added again
// meanwhile and is due before, or its lease ran out and another worker has it.
func (s *Store) PostponeJob(ctx context.Context, j admission.Job, due time.Time) error {
	return wrap("postpone job", s.endLease(ctx, j, toMicros(due), 0))
}

// BuryJob keeps a claimed job that will never succeed: dead since at, never due, until ReviveJobs. It changes nothing
// where PostponeJob would not.
func (s *Store) BuryJob(ctx context.Context, j admission.Job, at time.Time) error {
	return wrap("bury job", s.endLease(ctx, j, neverDue, toMicros(at)))
}

func (s *Store) endLease(ctx context.Context, j admission.Job, due, dead int64) error {
	failures, lastError := "", ""
	if n := len(j.Failures); n > 0 {
		list, err := json.Marshal(j.Failures)
		if err != nil {
			return err
		}
		failures = text(string(list))
		if j.Attempts > 0 {
			lastError = text(j.Failures[n-1].Error)
		}
	}
	return s.update(ctx, func(t *tx) error {
		return t.exec("UPDATE jobs SET due_at = ?, dead_at = ?, attempts = ?, failures = ?, last_error = ? WHERE kind = ? AND ref = ? AND due_at = ?",
			due, dead, j.Attempts, failures, lastError, j.Kind, j.Ref, toMicros(j.DueAt))
	})
}

// HastenJobs makes due at `due` the live jobs of a kind whose due time lies after `untried`, where they have not failed
// yet or have succeeded since, or after `failed` where they have. It returns how many that were.
func (s *Store) HastenJobs(ctx context.Context, kind string, untried, failed, due time.Time) (n int64, err error) {
	err = s.update(ctx, func(t *tx) error {
		changed := t.db.Exec("UPDATE jobs SET due_at = ? WHERE kind = ? AND dead_at = 0 AND (attempts = 0 AND due_at > ? OR due_at > ?)",
			toMicros(due), kind, toMicros(untried), toMicros(failed))
		n = changed.RowsAffected
		return changed.Error
	})
	return n, wrap("hasten jobs", err)
}

// DeadJobs reads the dead jobs of one kind, or of all where kind is "", as the caller takes them: those dead longest first.
func (s *Store) DeadJobs(ctx context.Context, kind string) iter.Seq2[admission.DeadJob, error] {
	dead := deadJobs.all(ctx, s, func(db *gorm.DB) *gorm.DB {
		return db.Where("dead_at > 0 AND (? = '' OR kind = ?)", kind, kind)
	})
	return each(dead, func(row jobRow) (admission.DeadJob, error) {
		return admission.DeadJob{Job: row.job(), DeadAt: row.DeadAt}, nil
	})
}

var deadJobs = list[jobRow]{
	name: "dead jobs", columns: []string{"dead_at", "kind", "ref"},
	place: func(row *jobRow) []any { return []any{toMicros(row.DeadAt), row.Kind, row.Ref} },
}

// ReviveJobs makes dead jobs due now, as if they had never failed; what failed before stays with them. kind "" means
// any, ref "" each. It returns how many that were.
func (s *Store) ReviveJobs(ctx context.Context, kind, ref string, now time.Time) (n int64, err error) {
	err = s.patientUpdate(ctx, func(t *tx) error {
		revived := t.db.Exec("UPDATE jobs SET due_at = ?, dead_at = 0, attempts = 0 WHERE dead_at > 0 AND (? = '' OR kind = ?) AND (? = '' OR ref = ?)",
			toMicros(now), kind, kind, ref, ref)
		n = revived.RowsAffected
		return revived.Error
	})
	return n, wrap("revive jobs", err)
}

package store

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/staff"
)

// neverDue is the due time of a dead job, in microseconds.
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

// ClaimJobs leases at most n due jobs of these kinds, those due longest first. A claimed job's DueAt is the end of its lease,
// after which another worker may claim it, in case its worker died. FinishJob, PostponeJob and BuryJob compare that DueAt and
// do nothing if the lease is lost.
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

// dueJobs queries each kind separately, in the order of its index: in one query for several kinds both databases would read
// and sort all due jobs. The limit is no parameter: SQLite would prepare the query again at each call.
func (t *tx) dueJobs(kinds []string, now int64, n int) (due []jobRow, err error) {
	limit := " ORDER BY due_at, ref LIMIT " + strconv.Itoa(n)
	ofKind := "SELECT * FROM (SELECT * FROM jobs WHERE kind = ? AND due_at <= ?" + limit
	if t.batch != nil {
		ofKind += " FOR UPDATE SKIP LOCKED"
	}
	ofKind += ") AS of_kind"
	var values []any
	for _, kind := range kinds {
		values = append(values, kind, now)
	}
	union := strings.Join(slices.Repeat([]string{ofKind}, len(kinds)), " UNION ALL ")
	err = t.db.Raw(union+limit, values...).Scan(&due).Error
	return due, err
}

func (r jobRow) job() admission.Job {
	job := admission.Job{Kind: r.Kind, Ref: r.Ref, DueAt: r.DueAt, Attempts: r.Attempts, Payload: r.Payload}
	if r.Failures != "" && json.Unmarshal([]byte(r.Failures), &job.Failures) != nil {
		job.Failures = nil // only shown to operators: no reason to keep the job waiting
	}
	return job
}

// FinishJob deletes a claimed job, unless it was added again meanwhile or its lease is lost.
func (s *Store) FinishJob(ctx context.Context, j admission.Job) error {
	return wrap("finish job", s.update(ctx, func(t *tx) error {
		return t.exec("DELETE FROM jobs WHERE kind = ? AND ref = ? AND due_at = ?", j.Kind, j.Ref, toMicros(j.DueAt))
	}))
}

// PostponeJob sets a claimed job's due time and stores its Attempts and Failures, unless it was added again meanwhile and is
// due earlier, or its lease is lost.
func (s *Store) PostponeJob(ctx context.Context, j admission.Job, due time.Time) error {
	return wrap("postpone job", s.endLease(ctx, j, toMicros(due), 0))
}

// BuryJob marks a claimed job as dead, never due until ReviveJobs, under the conditions of PostponeJob.
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

// RescheduleJobs makes the live jobs of a kind due at due if they are due after untried and have no failed attempts, or after
// failed. It returns their number.
func (s *Store) RescheduleJobs(ctx context.Context, kind string, untried, failed, due time.Time) (n int64, err error) {
	err = s.update(ctx, func(t *tx) (err error) {
		n, err = t.execCount("UPDATE jobs SET due_at = ? WHERE kind = ? AND dead_at = 0 AND (attempts = 0 AND due_at > ? OR due_at > ?)",
			toMicros(due), kind, toMicros(untried), toMicros(failed))
		return err
	})
	return n, wrap("reschedule jobs", err)
}

// DeadJobs returns the dead jobs of a kind, or of all if kind is "", those dead longest first.
func (s *Store) DeadJobs(ctx context.Context, kind string) iter.Seq2[admission.DeadJob, error] {
	dead := deadJobs.all(ctx, s, func(db *gorm.DB) *gorm.DB {
		return db.Where("dead_at > 0 AND (? = '' OR kind = ?)", kind, kind)
	})
	return mapRows(dead, func(row jobRow) (admission.DeadJob, error) {
		return admission.DeadJob{Job: row.job(), DeadAt: row.DeadAt}, nil
	})
}

var deadJobs = list[jobRow]{
	name: "dead jobs", columns: []string{"dead_at", "kind", "ref"},
	position: func(row *jobRow) []any { return []any{toMicros(row.DeadAt), row.Kind, row.Ref} },
}

// ReviveJobs makes dead jobs due now with no attempts; their Failures stay. kind "" means any kind, ref "" any ref. It
// returns their number. did is the row for the staff log, if there are any.
func (s *Store) ReviveJobs(ctx context.Context, kind, ref string, now time.Time, did func(revived int64) staff.Act) (n int64, err error) {
	err = s.longUpdate(ctx, func(t *tx) (err error) {
		n, err = t.execCount("UPDATE jobs SET due_at = ?, dead_at = 0, attempts = 0 WHERE dead_at > 0 AND (? = '' OR kind = ?) AND (? = '' OR ref = ?)",
			toMicros(now), kind, kind, ref, ref)
		if err != nil || n == 0 {
			return err
		}
		return t.LogAct(did(n))
	})
	return n, wrap("revive jobs", err)
}

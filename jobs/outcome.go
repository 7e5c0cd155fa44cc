package jobs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"
	"unicode/utf8"

	"hiresure/admission"
)

const (
	firstRetry   = time.Second
	longestRetry = time.Hour
	alertEvery   = 10  // failures of one job, about a quarter of an hour
	failuresKept = 5   // of a job
	failureText  = 500 // bytes of an error that stays with its job
)

// do runs a job's handler and stores what became of it, even while the worker drains.
func (w *Worker) do(ctx context.Context, job admission.Job) {
	again, err := w.handle(ctx, job)
	save, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveWait)
	defer cancel()
	now := w.Clock()
	result, saveErr := "done", error(nil)
	switch {
	case admission.IsPermanent(err):
		result = "refused"
		job = w.failed(job, now, err)
		w.Log.ErrorContext(ctx, "job refused for good", "kind", job.Kind, "ref", job.Ref, "attempts", job.Attempts, "error", err)
		w.Alert("job refused: " + job.Kind)
		saveErr = w.Queue.BuryJob(save, job, now)
	case err != nil:
		result = "retry"
		wait := retryWait(job, now, err)
		job = w.failed(job, now, err)
		w.Log.WarnContext(ctx, "job failed", "kind", job.Kind, "ref", job.Ref, "attempts", job.Attempts, "again", wait, "error", err)
		if job.Attempts%alertEvery == 0 {
			w.Alert("job keeps failing: " + job.Kind)
		}
		saveErr = w.Queue.PostponeJob(save, job, now.Add(wait))
	case again > 0:
		result = "again"
		job.Attempts = 0
		saveErr = w.Queue.PostponeJob(save, job, now.Add(again))
	default:
		saveErr = w.Queue.FinishJob(save, job)
	}
	w.Done(job.Kind, result)
	if saveErr != nil { // the lease runs out, and the job is done once more
		w.Log.ErrorContext(ctx, "job's result was not stored", "kind", job.Kind, "ref", job.Ref, "result", result, "error", saveErr)
	}
}

func (w *Worker) handle(ctx context.Context, job admission.Job) (again time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	defer func() {
		if fault := recover(); fault != nil {
			w.Log.ErrorContext(ctx, "job panicked", "kind", job.Kind, "ref", job.Ref, "fault", fault, "stack", string(debug.Stack()))
			again, err = 0, fmt.Errorf("panic: %v", fault)
		}
	}()
	return w.Handlers[job.Kind](ctx, job)
}

// failed returns the job with one more failure.
func (w *Worker) failed(job admission.Job, now time.Time, err error) admission.Job {
	job.Attempts++
	last := admission.Failure{At: now.UTC().Truncate(time.Millisecond), Error: cut(w.Mask(err.Error()), failureText)}
	job.Failures = append(slices.Clone(job.Failures), last)
	if over := len(job.Failures) - failuresKept; over > 0 {
		job.Failures = job.Failures[over:]
	}
	return job
}

// cut shortens a text to at most so many bytes, without breaking a letter.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// retryWait returns how long a job that has just failed once more waits. It doubles from a second to an hour; a random
// part of up to a half keeps jobs that failed together apart. Where err has a RetryAfter, it doubles from that.
func retryWait(job admission.Job, now time.Time, err error) time.Duration {
	var patient interface{ RetryAfter() time.Duration }
	if errors.As(err, &patient) && patient.RetryAfter() > 0 {
		return patientWait(job, now, patient.RetryAfter())
	}
	wait := longestRetry
	if job.Attempts < 12 {
		wait = min(firstRetry<<job.Attempts, longestRetry)
	}
	return wait - rand.N(wait/2)
}

// patientWait is at least `first`, and twice the time since the failure before. The random part comes on top.
func patientWait(job admission.Job, now time.Time, first time.Duration) time.Duration {
	wait := first
	if n := len(job.Failures); n > 0 && job.Attempts > 0 {
		wait = max(first, min(2*now.Sub(job.Failures[n-1].At), longestRetry))
	}
	return wait + rand.N(wait/4)
}

// longestWait is the longest that retryWait returns for a RetryAfter of up to an hour.
const longestWait = longestRetry + longestRetry/4

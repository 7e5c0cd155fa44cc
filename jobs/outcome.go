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
	maxRetry     = time.Hour
	alertEvery   = 10  // failures of a job, about a quarter of an hour
	failuresKept = 5   // per job
	failureText  = 500 // bytes of an error stored with its job
)

// do runs a job's handler and stores the result, even while the worker drains.
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
		w.Log.ErrorContext(ctx, "job failed permanently", "kind", job.Kind, "ref", job.Ref, "attempts", job.Attempts, "error", err)
		w.Alert("job failed permanently: " + job.Kind)
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
	if saveErr != nil { // the lease expires, and the job runs again
		w.Log.ErrorContext(ctx, "storing a job's result failed", "kind", job.Kind, "ref", job.Ref, "result", result, "error", saveErr)
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

// cut truncates a text to at most limit bytes of valid UTF-8.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// retryWait returns how long a failed job waits. The wait doubles from a second to an hour, plus a random part of up to a half that spreads
// jobs which failed together. With a RetryAfter the wait doubles from that.
func retryWait(job admission.Job, now time.Time, err error) time.Duration {
	var patient interface{ RetryAfter() time.Duration }
	if errors.As(err, &patient) && patient.RetryAfter() > 0 {
		return patientWait(job, now, patient.RetryAfter())
	}
	wait := maxRetry
	if job.Attempts < 12 {
		wait = min(firstRetry<<job.Attempts, maxRetry)
	}
	return wait - rand.N(wait/2)
}

// patientWait returns at least `first` and twice the time since the previous failure, without the random part.
func patientWait(job admission.Job, now time.Time, first time.Duration) time.Duration {
	wait := first
	if n := len(job.Failures); n > 0 && job.Attempts > 0 {
		wait = max(first, min(2*now.Sub(job.Failures[n-1].At), maxRetry))
	}
	return wait + rand.N(wait/4)
}

// maxWait is the maximum of retryWait for a RetryAfter of up to an hour.
const maxWait = maxRetry + maxRetry/4

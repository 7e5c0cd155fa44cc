package jobs

import (
	"context"
	"fmt"
	"time"
)

// clockStep is how far the clock may go back unnoticed; jobs are late by that.
const clockStep = time.Minute

// checkClock runs RescheduleJobs at the start and whenever the clock has gone back, because jobs stored before are then due too late. A job
// due later than its kind ever is becomes due after that maximum plus a lease, so that a running job is not started twice.
func (w *Worker) checkClock(ctx context.Context, now time.Time) error {
	now = now.Round(0) // drops the monotonic reading, which ignores clock changes
	w.clockMutex.Lock()
	defer w.clockMutex.Unlock()
	back := w.latest.Sub(now)
	if !w.latest.IsZero() && back <= clockStep {
		if back < 0 {
			w.latest = now
		}
		return nil
	}
	for _, kind := range w.kinds {
		longest, known := w.MaxDelay[kind]
		if !known {
			continue
		}
		running := now.Add(w.lease() + clockStep) // running jobs are due before, on every copy
		n, err := w.Queue.RescheduleJobs(ctx, kind, running.Add(longest), running.Add(max(longest, maxWait)), now.Add(longest+w.lease()))
		if err != nil {
			return fmt.Errorf("reschedule jobs: %w", err)
		}
		if n > 0 {
			w.Log.WarnContext(ctx, "jobs were due implausibly late and are moved forward", "kind", kind, "jobs", n)
		}
	}
	if !w.latest.IsZero() {
		w.Log.ErrorContext(ctx, "the clock was set back", "by", back)
		w.Alert("the clock was set back")
	}
	w.latest = now
	return nil
}

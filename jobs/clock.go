package jobs

import (
	"context"
	"fmt"
	"time"
)

// clockStep is how far the clock may go back without notice: by so much a job is late.
const clockStep = time.Minute

// checkClock looks at due times once at the start, and whenever the clock has gone back, for what was stored before lies
// too far ahead then. What is further ahead than its kind ever is comes forward to the longest that its kind is, and a
// lease: a job that runs at this moment is not begun a second time.
func (w *Worker) checkClock(ctx context.Context, now time.Time) error {
	now = now.Round(0) // without its monotonic reading, which no setting of the clock changes
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
		longest, known := w.Longest[kind]
		if !known {
			continue
		}
		running := now.Add(w.lease() + clockStep) // the due time of a job that runs lies before that, on whatever copy
		n, err := w.Queue.HastenJobs(ctx, kind, running.Add(longest), running.Add(max(longest, longestWait)), now.Add(longest+w.lease()))
		if err != nil {
			return fmt.Errorf("hasten jobs: %w", err)
		}
		if n > 0 {
			w.Log.WarnContext(ctx, "jobs lay further ahead than they ever do, and came forward", "kind", kind, "jobs", n)
		}
	}
	if !w.latest.IsZero() {
		w.Log.ErrorContext(ctx, "the clock was set back", "by", back)
		w.Alert("the clock was set back")
	}
	w.latest = now
	return nil
}

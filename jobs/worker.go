// Package jobs runs the jobs of the durable queue.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"hiresure/admission"
)

// Queue stores jobs. A job is live until it is finished or buried. A claimed job's DueAt is the end of its lease. The methods that end a
// lease take the claimed job with that DueAt; they change nothing if the job was added again meanwhile, or if its lease expired and
// another worker claimed it.
type Queue interface {
	// ClaimJobs returns at most n live jobs of these kinds due at now, longest due first, and reserves them for this worker until
	// now+lease.
	ClaimJobs(ctx context.Context, kinds []string, now time.Time, lease time.Duration, n int) ([]admission.Job, error)
	// FinishJob deletes a claimed job.
	FinishJob(ctx context.Context, j admission.Job) error
	// PostponeJob ends the lease of a claimed job, makes it due at due, and stores its Attempts and Failures.
	PostponeJob(ctx context.Context, j admission.Job, due time.Time) error
	// BuryJob ends the lease of a claimed job and keeps it with its Attempts and Failures, for an operator.
	BuryJob(ctx context.Context, j admission.Job, at time.Time) error
	// RescheduleJobs makes the live jobs of a kind due at `due` if they are due after `untried` and Attempts is 0, or after `failed`
	// otherwise. It returns their number.
	RescheduleJobs(ctx context.Context, kind string, untried, failed, due time.Time) (n int64, err error)
}

// Handler runs one job. again > 0 reschedules it after that time. An error postpones it, longer each time; an error with Permanent() true
// buries it; one with RetryAfter() postpones it by at least that. A handler must be idempotent: after a crash or a lost lease it runs
// again.
type Handler func(ctx context.Context, job admission.Job) (again time.Duration, err error)

// ByRef returns a Handler that passes only the job's ref.
func ByRef(work func(ctx context.Context, ref string) (again time.Duration, err error)) Handler {
	return func(ctx context.Context, job admission.Job) (time.Duration, error) { return work(ctx, job.Ref) }
}

// Once is ByRef for work that never reschedules itself.
func Once(work func(ctx context.Context, ref string) error) Handler {
	return func(ctx context.Context, job admission.Job) (time.Duration, error) { return 0, work(ctx, job.Ref) }
}

// Config configures a Worker. A kind with slow jobs should have its own Worker.
type Config struct {
	Queue    Queue
	Handlers map[string]Handler // by kind; jobs of other kinds are ignored
	Clock    func() time.Time
	Log      *slog.Logger
	Alert    func(what string)         // raises an alert for operators
	Done     func(kind, result string) // counts a job: "done", "again", "retry" or "refused"; may be nil
	Mask     func(text string) string  // hides personal data in stored errors; nil hides nothing
	Parallel int                       // concurrent jobs; 0 means 8
	Pace     time.Duration             // Run starts at most Parallel jobs in this time; 0 means no limit
	Timeout  time.Duration             // of one job; 0 means 45 s. The lease is 15 s longer
	Drain    time.Duration             // how long Run waits for running jobs after its context ended; 0 means 20 s

	// MaxDelay is the maximum time until jobs of a kind are due, apart from retries. A job due later was stored while the clock was
	// wrong and is moved to that maximum. Kinds without an entry are not checked.
	MaxDelay map[string]time.Duration
}

const (
	leaseReserve = 15 * time.Second
	saveWait     = 10 * time.Second
	idleShort    = 250 * time.Millisecond
	idleLong     = time.Second
)

// Worker claims due jobs and runs them. Any number of workers and processes may share a queue.
type Worker struct {
	Config
	kinds []string
	wake  chan struct{}

	clockMutex sync.Mutex
	latest     time.Time // latest time seen on the clock; zero at the start
}

// New returns a Worker, or an error that names every missing field.
func New(n Config) (*Worker, error) {
	var errs []error
	for _, need := range []struct {
		name    string
		missing bool
	}{
		{"Queue", n.Queue == nil},
		{"Handlers", len(n.Handlers) == 0},
		{"Clock", n.Clock == nil},
		{"Log", n.Log == nil},
		{"Alert", n.Alert == nil},
	} {
		if need.missing {
			errs = append(errs, errors.New("worker needs "+need.name))
		}
	}
	if n.Done == nil {
		n.Done = func(string, string) {}
	}
	if n.Mask == nil {
		n.Mask = func(text string) string { return text }
	}
	if n.Parallel == 0 {
		n.Parallel = 8
	}
	if n.Timeout == 0 {
		n.Timeout = 45 * time.Second
	}
	if n.Drain == 0 {
		n.Drain = 20 * time.Second
	}
	return &Worker{Config: n, kinds: slices.Sorted(maps.Keys(n.Handlers)), wake: make(chan struct{}, 1)}, errors.Join(errs...)
}

// Wake makes an idle Run poll at once, after a commit that stored a job of this kind. It never blocks.
func (w *Worker) Wake(kind string) {
	if w.Handlers[kind] == nil {
		return
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// RunDue claims and runs at most Parallel due jobs and returns their number.
func (w *Worker) RunDue(ctx context.Context) (int, error) {
	claimed, err := w.claim(ctx, w.Parallel)
	if err != nil {
		return 0, err
	}
	var running sync.WaitGroup
	for _, job := range claimed {
		running.Go(func() { w.do(ctx, job) })
	}
	running.Wait()
	return len(claimed), nil
}

// Run runs jobs until ctx ends, then waits for running ones. After Drain it cancels them, and their leases expire. A slow job delays no
// other while a place is free.
func (w *Worker) Run(ctx context.Context) {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var running sync.WaitGroup
	free := make(chan struct{}, w.Parallel)
	for range w.Parallel {
		free <- struct{}{}
	}
	idle := idleShort
	for takePlace(ctx, free) {
		places := 1
		for places < w.Parallel && len(free) > 0 { // only this goroutine takes places
			<-free
			places++
		}
		claimed, err := w.claim(ctx, places)
		if err != nil && ctx.Err() == nil {
			w.Log.ErrorContext(ctx, "claiming jobs failed", "error", err)
		}
		for range places - len(claimed) {
			free <- struct{}{}
		}
		for _, job := range claimed {
			running.Go(func() {
				defer func() { free <- struct{}{} }()
				w.do(working, job)
			})
		}
		switch {
		case len(claimed) > 0:
			idle = idleShort
			sleep(ctx, w.Pace, nil)
		case sleep(ctx, idle, w.wake):
			idle = idleShort
		default:
			idle = min(2*idle, idleLong)
		}
	}
	cancellation := time.AfterFunc(w.Drain, stop)
	defer cancellation.Stop()
	running.Wait()
}

func takePlace(ctx context.Context, free <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-free:
		return ctx.Err() == nil
	}
}

// sleep reports whether wake ended it; a nil wake never does.
func sleep(ctx context.Context, wait time.Duration, wake <-chan struct{}) (woken bool) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-wake:
		return true
	}
	return false
}

func (w *Worker) lease() time.Duration { return w.Timeout + leaseReserve }

func (w *Worker) claim(ctx context.Context, n int) ([]admission.Job, error) {
	now := w.Clock()
	if err := w.checkClock(ctx, now); err != nil {
		return nil, err
	}
	claimed, err := w.Queue.ClaimJobs(ctx, w.kinds, now, w.lease(), n)
	if err != nil {
		return nil, fmt.Errorf("claim jobs: %w", err)
	}
	return claimed, nil
}

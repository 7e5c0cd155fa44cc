// Package jobs is the worker of the durable queue: it does what other parts stored as rows.
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

// Queue holds the jobs. A job is live until it is done, or buried because no repetition will help. A claimed job's DueAt
// is the end of its lease. What ends a lease is given the claimed job with that DueAt; it changes nothing where the job
// was added again meanwhile, or where its lease ran out and another worker has it.
type Queue interface {
	// ClaimJobs returns at most n live jobs of these kinds that are due at now, those due longest first. Until now+lease
	// no other worker, in whatever process, gets them.
	ClaimJobs(ctx context.Context, kinds []string, now time.Time, lease time.Duration, n int) ([]admission.Job, error)
	// FinishJob deletes a claimed job.
	FinishJob(ctx context.Context, j admission.Job) error
	// PostponeJob ends the lease of a claimed job, makes it due at due, and keeps its Attempts and Failures.
	PostponeJob(ctx context.Context, j admission.Job, due time.Time) error
	// BuryJob ends the lease of a claimed job and keeps it, with its Attempts and Failures, for an operator to look at.
	BuryJob(ctx context.Context, j admission.Job, at time.Time) error
	// HastenJobs makes due at `due` the live jobs of a kind that are due after `untried`, where Attempts is 0, or after
	// `failed` where it is not. It returns how many that were.
	HastenJobs(ctx context.Context, kind string, untried, failed, due time.Time) (n int64, err error)
}

// Handler does one job. again > 0 asks for the job to be done again after that time. An error postpones the job, longer
// each time; one with Permanent() true buries it; one with RetryAfter() postpones it by no less. A handler may run twice
// for one job (a crash, a lost lease), so that it must not mind.
type Handler func(ctx context.Context, job admission.Job) (again time.Duration, err error)

// ByRef makes a Handler of one that needs nothing but what the job is about.
func ByRef(work func(ctx context.Context, ref string) (again time.Duration, err error)) Handler {
	return func(ctx context.Context, job admission.Job) (time.Duration, error) { return work(ctx, job.Ref) }
}

// Once is ByRef for work that is done when it ends without an error.
func Once(work func(ctx context.Context, ref string) error) Handler {
	return func(ctx context.Context, job admission.Job) (time.Duration, error) { return 0, work(ctx, job.Ref) }
}

// Needs is everything that a Worker works with. Where one kind may be slow, give the others a Worker of their own.
type Needs struct {
	Queue    Queue
	Handlers map[string]Handler // by kind; jobs of other kinds are left alone
	Clock    func() time.Time
	Log      *slog.Logger
	Alert    func(what string)         // counts something that a person must look at
	Done     func(kind, result string) // counts a job: "done", "again", "retry" or "refused"; may be nil
	Mask     func(text string) string  // hides personal data in the errors that stay with a job; nil hides nothing
	Parallel int                       // jobs at a time; 0 is 8
	Pace     time.Duration             // Run begins at most Parallel jobs in so much time; 0 is as many as come
	Timeout  time.Duration             // of one job; 0 is 45 s. The lease is longer by 15 s
	Drain    time.Duration             // how long Run lets running jobs go on after its context ended; 0 is 20 s

	// Longest is by kind how far ahead of the clock its jobs are ever due, retries aside. A job further ahead was stored
	// by a clock that has been set back since, and comes forward to that. A kind without an entry is left as it is.
	Longest map[string]time.Duration
}

const (
	leaseReserve = 15 * time.Second
	saveWait     = 10 * time.Second
	idleShort    = 250 * time.Millisecond
	idleLong     = time.Second
)

// Worker claims due jobs and does them. Any number of workers, in any number of processes, share a queue.
type Worker struct {
	Needs
	kinds []string
	wake  chan struct{}

	clockMutex sync.Mutex
	latest     time.Time // that the clock has shown; zero before the first look
}

// New refuses needs that are missing, naming each.
func New(n Needs) (*Worker, error) {
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
	return &Worker{Needs: n, kinds: slices.Sorted(maps.Keys(n.Handlers)), wake: make(chan struct{}, 1)}, errors.Join(errs...)
}

// Wake makes an idle Run look at once, after a commit that stored a job of this kind. It never blocks.
func (w *Worker) Wake(kind string) {
	if w.Handlers[kind] == nil {
		return
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// RunDue claims what is due now, at most Parallel jobs, does them and returns how many.
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

// Run does jobs until ctx ends, then waits for those that run; after Drain it cancels them, and their leases run out.
// A slow job holds up no other as long as there is a free place.
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
		for places < w.Parallel && len(free) > 0 { // only this loop takes places
			<-free
			places++
		}
		claimed, err := w.claim(ctx, places)
		if err != nil && ctx.Err() == nil {
			w.Log.ErrorContext(ctx, "queue does not answer", "error", err)
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

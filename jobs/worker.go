// Package jobs is the worker of the durable queue: it does what other parts wrote down as rows.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"hiresure/admission"
)

// Queue holds the jobs. ClaimJobs answers at most n due jobs of these kinds, earliest first, and leases them: until the
// lease ends no other worker, in whatever process, gets them. FinishJob and PostponeJob end the lease; the job that they
// are given is the claimed one, unchanged, so that a due time that moved meanwhile can be told and kept.
type Queue interface {
	ClaimJobs(ctx context.Context, kinds []string, now time.Time, lease time.Duration, n int) ([]admission.Job, error)
	FinishJob(ctx context.Context, j admission.Job) error
	PostponeJob(ctx context.Context, j admission.Job, due time.Time, attempts int, lastError string) error
}

// Handler does one job. again > 0 asks for the job to be done again after that time. An error postpones the job, longer
// each time; a Permanent one ends it. A handler may run twice for one job (a crash, a lost lease), so it must not mind.
type Handler func(ctx context.Context, ref string) (again time.Duration, err error)

// Needs is everything that a Worker works with. Where one kind may be slow, give the others a Worker of their own.
type Needs struct {
	Queue    Queue
	Handlers map[string]Handler // by kind; jobs of other kinds are left alone
	Clock    func() time.Time
	Log      *slog.Logger
	Alert    func(what string)         // counts something that a person must look at
	Done     func(kind, result string) // counts a job: "done", "again", "retry" or "refused"; may be nil
	Parallel int                       // jobs at a time; 0 is 8
	Pace     time.Duration             // Run begins at most Parallel jobs in so much time; 0 is as many as come
	Timeout  time.Duration             // of one job; 0 is 45 s. The lease is longer by 15 s
	Drain    time.Duration             // how long Run lets running jobs go on after its context ended; 0 is 20 s
}

const (
	leaseReserve = 15 * time.Second
	saveWait     = 10 * time.Second
	idleShort    = 250 * time.Millisecond
	idleLong     = time.Second
	firstRetry   = time.Second
	longestRetry = time.Hour
	alertEvery   = 10 // failures of one job, about a quarter of an hour
)

// Worker claims due jobs and does them. Any number of workers, in any number of processes, share a queue.
type Worker struct {
	Needs
	kinds []string
	wake  chan struct{}
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
	if n.Parallel == 0 {
		n.Parallel = 8
	}
	if n.Timeout == 0 {
		n.Timeout = 45 * time.Second
	}
	if n.Drain == 0 {
		n.Drain = 20 * time.Second
	}
	return &Worker{n, slices.Sorted(maps.Keys(n.Handlers)), make(chan struct{}, 1)}, errors.Join(errs...)
}

// Wake makes an idle Run look at once, after a commit that wrote a job of this kind. It never blocks.
func (w *Worker) Wake(kind string) {
	if w.Handlers[kind] == nil {
		return
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// RunDue claims what is due now, at most Parallel jobs, does them and answers how many.
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
			rest(ctx, w.Pace, nil)
		case rest(ctx, idle, w.wake):
			idle = idleShort
		default:
			idle = min(2*idle, idleLong)
		}
	}
	impatience := time.AfterFunc(w.Drain, stop)
	defer impatience.Stop()
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

// rest waits, and tells whether wake ended that; a nil wake never does.
func rest(ctx context.Context, wait time.Duration, wake <-chan struct{}) (woken bool) {
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

func (w *Worker) claim(ctx context.Context, n int) ([]admission.Job, error) {
	claimed, err := w.Queue.ClaimJobs(ctx, w.kinds, w.Clock(), w.Timeout+leaseReserve, n)
	if err != nil {
		return nil, fmt.Errorf("claim jobs: %w", err)
	}
	return claimed, nil
}

// do runs a job's handler and writes down what became of it; even while the worker is draining.
func (w *Worker) do(ctx context.Context, job admission.Job) {
	again, err := w.handle(ctx, job)
	save, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveWait)
	defer cancel()
	attempts, now := job.Attempts+1, w.Clock()
	result, saveErr := "done", error(nil)
	switch {
	case isPermanent(err):
		result = "refused"
		w.Log.ErrorContext(ctx, "job refused for good", "kind", job.Kind, "ref", job.Ref, "attempts", attempts, "error", err)
		w.Alert("job refused: " + job.Kind)
		saveErr = w.Queue.FinishJob(save, job)
	case err != nil:
		result = "retry"
		wait := backoff(attempts)
		w.Log.WarnContext(ctx, "job failed", "kind", job.Kind, "ref", job.Ref, "attempts", attempts, "again", wait, "error", err)
		if attempts%alertEvery == 0 {
			w.Alert("job keeps failing: " + job.Kind)
		}
		saveErr = w.Queue.PostponeJob(save, job, now.Add(wait), attempts, err.Error())
	case again > 0:
		result = "again"
		saveErr = w.Queue.PostponeJob(save, job, now.Add(again), 0, "")
	default:
		saveErr = w.Queue.FinishJob(save, job)
	}
	w.Done(job.Kind, result)
	if saveErr != nil { // the lease runs out, and the job is done once more
		w.Log.ErrorContext(ctx, "job's end was not kept", "kind", job.Kind, "ref", job.Ref, "result", result, "error", saveErr)
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
	return w.Handlers[job.Kind](ctx, job.Ref)
}

// backoff doubles from a second to an hour; a random part of up to a half keeps jobs that failed together apart.
func backoff(attempts int) time.Duration {
	wait := longestRetry
	if attempts <= 12 {
		wait = min(firstRetry<<(attempts-1), longestRetry)
	}
	return wait - rand.N(wait/2)
}

// permanent is an error that no repetition will mend. Other packages may bring their own type with this method.
type permanent interface{ Permanent() bool }

type refusal struct{ error }

func (r refusal) Unwrap() error   { return r.error }
func (r refusal) Permanent() bool { return true }

// Permanent marks an error that ends its job: no repetition would mend it. A person hears of it through Alert.
func Permanent(err error) error { return refusal{err} }

func isPermanent(err error) bool {
	var p permanent
	return errors.As(err, &p) && p.Permanent()
}

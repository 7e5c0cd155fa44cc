package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiresure/admission"
)

// memoryQueue is an in-memory Queue, for tests of timing.
type memoryQueue struct {
	sync.Mutex
	jobs   map[string]admission.Job // by ref; DueAt is the end of a running job's lease
	claims int
	err    error
}

func newMemoryQueue() *memoryQueue { return &memoryQueue{jobs: map[string]admission.Job{}} }

func (q *memoryQueue) put(kind, ref string, due time.Time) {
	q.Lock()
	defer q.Unlock()
	q.jobs[ref] = admission.Job{Kind: kind, Ref: ref, DueAt: due}
}

func (q *memoryQueue) ClaimJobs(_ context.Context, _ []string, now time.Time, lease time.Duration, n int) (claimed []admission.Job, err error) {
	q.Lock()
	defer q.Unlock()
	q.claims++
	for ref, job := range q.jobs {
		if len(claimed) < n && !job.DueAt.After(now) && q.err == nil {
			job.DueAt = now.Add(lease)
			q.jobs[ref] = job
			claimed = append(claimed, job)
		}
	}
	return claimed, q.err
}

func (q *memoryQueue) FinishJob(_ context.Context, j admission.Job) error {
	q.Lock()
	defer q.Unlock()
	delete(q.jobs, j.Ref)
	return nil
}

func (q *memoryQueue) PostponeJob(_ context.Context, j admission.Job, due time.Time) error {
	q.put(j.Kind, j.Ref, due)
	return nil
}

func (q *memoryQueue) BuryJob(ctx context.Context, j admission.Job, _ time.Time) error {
	return q.FinishJob(ctx, j)
}

func (q *memoryQueue) RescheduleJobs(context.Context, string, time.Time, time.Time, time.Time) (int64, error) {
	return 0, q.err
}

func TestRun(t *testing.T) {
	inBubble := func(t *testing.T, sentence string, parallel int, handler Handler, test func(*testing.T, *harness, *memoryQueue, context.CancelFunc)) {
		t.Run(sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				queue := newMemoryQueue()
				d := newHarness(t, Config{Queue: queue, Clock: time.Now, Parallel: parallel, Handlers: map[string]Handler{"deliver": handler}})
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() { d.Run(ctx); close(ended) }()
				synctest.Wait()
				test(t, d, queue, cancel)
				cancel()
				<-ended
			})
		})
	}
	// tick advances virtual time.
	tick := func(d time.Duration) { <-time.After(d); synctest.Wait() }
	instant := func(context.Context, admission.Job) (time.Duration, error) { return 0, nil }

	inBubble(t, "a job is done at once after Wake", 2, instant, func(t *testing.T, d *harness, queue *memoryQueue, _ context.CancelFunc) {
		tick(10 * time.Second)
		queue.put("deliver", "m", time.Now())
		d.Wake("deliver")
		d.Wake("deliver")
		synctest.Wait()
		d.expect(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "a job of a kind that is not its own does not wake it", 2, instant, func(t *testing.T, d *harness, queue *memoryQueue, _ context.CancelFunc) {
		tick(10 * time.Second)
		before := queue.claims
		d.Wake("poll")
		synctest.Wait()
		if queue.claims != before {
			t.Error("the queue was asked")
		}
	})
	inBubble(t, "a job of another process is found within a second", 2, instant, func(t *testing.T, d *harness, queue *memoryQueue, _ context.CancelFunc) {
		tick(10 * time.Second)
		queue.put("deliver", "m", time.Now())
		tick(time.Second)
		d.expect(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "an idle worker asks once a second", 2, instant, func(t *testing.T, _ *harness, queue *memoryQueue, _ context.CancelFunc) {
		tick(time.Minute)
		if queue.claims > 63 {
			t.Errorf("asked %d times in a minute", queue.claims)
		}
	})
	inBubble(t, "a queue that does not answer is asked on", 2, instant, func(t *testing.T, d *harness, queue *memoryQueue, _ context.CancelFunc) {
		queue.Lock()
		queue.err = errors.New("database is down")
		queue.Unlock()
		tick(30 * time.Second)
		queue.put("deliver", "m", time.Now())
		queue.Lock()
		queue.err = nil
		queue.Unlock()
		tick(time.Second)
		d.expect(t, []string{"deliver done"}, nil)
		if !strings.Contains(d.log.String(), "claiming jobs failed") {
			t.Error("the log does not say so")
		}
	})
	slow := func(ctx context.Context, job admission.Job) (time.Duration, error) {
		if job.Ref != "slow" {
			return 0, nil
		}
		select {
		case <-time.After(30 * time.Second):
			return 0, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	inBubble(t, "a slow job holds up no other", 2, slow, func(t *testing.T, d *harness, queue *memoryQueue, _ context.CancelFunc) {
		queue.put("deliver", "slow", time.Now())
		tick(time.Second)
		for i := range 5 {
			queue.put("deliver", fmt.Sprint(i), time.Now())
		}
		tick(time.Second)
		d.expect(t, slices.Repeat([]string{"deliver done"}, 5), nil)
		tick(30 * time.Second)
		d.expect(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "a worker that ends finishes its job and takes no other", 2, slow, func(t *testing.T, d *harness, queue *memoryQueue, cancel context.CancelFunc) {
		queue.put("deliver", "slow", time.Now())
		tick(15 * time.Second)
		cancel()
		queue.put("deliver", "other", time.Now())
		tick(16 * time.Second)
		d.expect(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "a job that outlasts the drain is cancelled and left for later", 2, slow, func(t *testing.T, d *harness, queue *memoryQueue, cancel context.CancelFunc) {
		queue.put("deliver", "slow", time.Now())
		tick(time.Second)
		cancel()
		tick(20 * time.Second)
		d.expect(t, []string{"deliver retry"}, nil)
		if len(queue.jobs) != 1 {
			t.Error("the job is lost")
		}
	})
	forever := func(ctx context.Context, _ admission.Job) (time.Duration, error) { <-ctx.Done(); return 0, ctx.Err() }
	inBubble(t, "a job that hangs is cancelled before its lease ends", 1, forever, func(t *testing.T, d *harness, queue *memoryQueue, _ context.CancelFunc) {
		queue.put("deliver", "m", time.Now())
		tick(46 * time.Second)
		d.expect(t, []string{"deliver retry"}, nil)
	})
}

func TestPaceLimitsStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := newMemoryQueue()
		for i := range 9 {
			queue.put("deliver", fmt.Sprint(i), time.Now())
		}
		var begun []time.Duration
		started := time.Now()
		d := newHarness(t, Config{Queue: queue, Clock: time.Now, Parallel: 1, Pace: 100 * time.Millisecond, Handlers: map[string]Handler{
			"deliver": func(context.Context, admission.Job) (time.Duration, error) {
				begun = append(begun, time.Since(started))
				return 0, nil
			},
		}})
		ctx, cancel := context.WithTimeout(t.Context(), 450*time.Millisecond)
		defer cancel()
		d.Run(ctx)
		const ms = time.Millisecond
		if want := []time.Duration{0, 100 * ms, 200 * ms, 300 * ms, 400 * ms}; !slices.Equal(begun, want) {
			t.Errorf("jobs began after %v, want %v", begun, want)
		}
	})
}

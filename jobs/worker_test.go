package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiresure/admission"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// watch is a clock that a test sets.
type watch struct {
	sync.Mutex
	now time.Time
}

func (w *watch) time() time.Time {
	w.Lock()
	defer w.Unlock()
	return w.now
}

func (w *watch) pass(d time.Duration) {
	w.Lock()
	defer w.Unlock()
	w.now = w.now.Add(d)
}

// desk is a worker with what it says to people.
type desk struct {
	*Worker
	sync.Mutex
	alerts, results []string
	log             bytes.Buffer
}

func newDesk(t *testing.T, n Needs) *desk {
	t.Helper()
	d := &desk{}
	n.Log = slog.New(slog.NewTextHandler(&d.log, nil))
	n.Alert = func(what string) {
		d.Lock()
		defer d.Unlock()
		d.alerts = append(d.alerts, what)
	}
	n.Done = func(kind, result string) {
		d.Lock()
		defer d.Unlock()
		d.results = append(d.results, kind+" "+result)
	}
	w, err := New(n)
	if err != nil {
		t.Fatal(err)
	}
	d.Worker = w
	return d
}

func (d *desk) run(t *testing.T, want int) {
	t.Helper()
	if n, err := d.RunDue(t.Context()); err != nil || n != want {
		t.Errorf("ran %d jobs, %v; want %d", n, err, want)
	}
}

func (d *desk) said(t *testing.T, results, alerts []string) {
	t.Helper()
	d.Lock()
	defer d.Unlock()
	if !slices.Equal(d.results, results) {
		t.Errorf("results %q, want %q", d.results, results)
	}
	if !slices.Equal(d.alerts, alerts) {
		t.Errorf("alerts %q, want %q", d.alerts, alerts)
	}
	d.results, d.alerts = nil, nil
}

func add(t *testing.T, s *store.Store, jobs ...admission.Job) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx store.Tx) error {
		for _, job := range jobs {
			if err := tx.AddJob(job); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// each runs a test with a store of each database, a clock at noon, and handlers by kind.
func each(t *testing.T, test func(*testing.T, *store.Store, *watch)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { test(t, s, &watch{now: noon}) })
}

func TestJobIsDoneOnceWhenItIsDue(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		var refs []string
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{
			"deliver": func(_ context.Context, ref string) (time.Duration, error) { refs = append(refs, ref); return 0, nil },
		}})
		add(t, s, admission.Job{Kind: "deliver", Ref: "later", DueAt: noon.Add(time.Minute)}, admission.Job{Kind: "deliver", Ref: "now", DueAt: noon},
			admission.Job{Kind: "foreign", Ref: "x", DueAt: noon})
		d.run(t, 1)
		d.run(t, 0)
		clock.pass(time.Minute)
		d.run(t, 1)
		clock.pass(24 * time.Hour)
		d.run(t, 0)
		if !slices.Equal(refs, []string{"now", "later"}) {
			t.Errorf("done: %q", refs)
		}
		d.said(t, []string{"deliver done", "deliver done"}, nil)
		if stats, err := s.QueueStats(t.Context(), clock.time()); err != nil || stats.Waiting != 1 {
			t.Errorf("%d jobs wait, %v; want the one of a kind that is not ours", stats.Waiting, err)
		}
	})
}

func TestFailedJobIsTriedAgainLaterAndLater(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		fails := true
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"deliver": func(context.Context, string) (time.Duration, error) {
				if fails {
					return 0, errors.New("sink is down")
				}
				return 0, nil
			},
		}})
		add(t, s, admission.Job{Kind: "deliver", Ref: "m", DueAt: noon})
		for attempt := 1; attempt <= 20; attempt++ {
			longest := longestRetry
			if attempt < 13 {
				longest = min(time.Second<<(attempt-1), longestRetry)
			}
			d.run(t, 1)
			var alerts []string
			if attempt%10 == 0 {
				alerts = []string{"job keeps failing: deliver"}
			}
			d.said(t, []string{"deliver retry"}, alerts)
			clock.pass(longest/2 - time.Microsecond)
			d.run(t, 0)
			clock.pass(longest/2 + time.Millisecond)
		}
		fails = false
		d.run(t, 1)
		d.said(t, []string{"deliver done"}, nil)
		clock.pass(48 * time.Hour)
		d.run(t, 0)
	})
}

func TestJobThatAsksToComeAgainBeginsAfresh(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		answers := []error{errors.New("no answer"), errors.New("no answer"), nil, errors.New("no answer"), nil}
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"poll": func(context.Context, string) (time.Duration, error) {
				err := answers[0]
				answers = answers[1:]
				return time.Hour, err
			},
		}})
		add(t, s, admission.Job{Kind: "poll", Ref: "t", DueAt: noon})
		for _, wait := range []time.Duration{0, time.Second, 2 * time.Second} {
			clock.pass(wait)
			d.run(t, 1)
		}
		d.said(t, []string{"poll retry", "poll retry", "poll again"}, nil)
		clock.pass(time.Hour - time.Microsecond)
		d.run(t, 0)
		clock.pass(time.Microsecond)
		d.run(t, 1)
		clock.pass(time.Second) // the first failure after a success, not the third
		d.run(t, 1)
		d.said(t, []string{"poll retry", "poll again"}, nil)
	})
}

// stubborn is how another package says that no repetition helps.
type stubborn struct{}

func (stubborn) Error() string   { return "no such recipient" }
func (stubborn) Permanent() bool { return true }

func TestRefusedJobEndsWithAnAlert(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{
			"deliver": func(_ context.Context, ref string) (time.Duration, error) {
				if ref == "a" {
					return 0, Permanent(errors.New("bad template"))
				}
				return 0, fmt.Errorf("send: %w", stubborn{})
			},
		}})
		add(t, s, admission.Job{Kind: "deliver", Ref: "a", DueAt: noon}, admission.Job{Kind: "deliver", Ref: "b", DueAt: noon})
		d.run(t, 1)
		d.run(t, 1)
		d.said(t, []string{"deliver refused", "deliver refused"}, []string{"job refused: deliver", "job refused: deliver"})
		clock.pass(48 * time.Hour)
		d.run(t, 0)
	})
}

func TestPanicIsAFailureOfItsJobAlone(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{
			"poll": func(_ context.Context, ref string) (time.Duration, error) {
				if ref == "a" {
					panic("nil map")
				}
				return 0, nil
			},
		}})
		add(t, s, admission.Job{Kind: "poll", Ref: "a", DueAt: noon}, admission.Job{Kind: "poll", Ref: "b", DueAt: noon})
		d.run(t, 1)
		d.run(t, 1)
		d.said(t, []string{"poll retry", "poll done"}, nil)
		if !strings.Contains(d.log.String(), "nil map") {
			t.Error("the log does not say what panicked")
		}
	})
}

func TestJobThatIsAddedWhileItRunsIsDoneAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		runs := 0
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"poll": func(context.Context, string) (time.Duration, error) {
				if runs++; runs == 1 {
					add(t, s, admission.Job{Kind: "poll", Ref: "t", DueAt: noon})
				}
				return 0, nil
			},
		}})
		add(t, s, admission.Job{Kind: "poll", Ref: "t", DueAt: noon})
		d.run(t, 1)
		d.run(t, 1)
		d.run(t, 0)
	})
}

func TestManyWorkersDoEachJobOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		const jobs = 60
		var mutex sync.Mutex
		done := map[string]int{}
		handlers := map[string]Handler{"deliver": func(_ context.Context, ref string) (time.Duration, error) {
			mutex.Lock()
			defer mutex.Unlock()
			done[ref]++
			return 0, nil
		}}
		for i := range jobs {
			add(t, s, admission.Job{Kind: "deliver", Ref: fmt.Sprint(i), DueAt: noon})
		}
		var workers sync.WaitGroup
		for range 4 {
			d := newDesk(t, Needs{Queue: s, Clock: clock.time, Handlers: handlers})
			workers.Go(func() {
				for n, err := 1, error(nil); n > 0; {
					if n, err = d.RunDue(context.Background()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		workers.Wait()
		for i := range jobs {
			if n := done[fmt.Sprint(i)]; n != 1 {
				t.Errorf("job %d was done %d times", i, n)
			}
		}
	})
}

func TestJobOfAWorkerThatDiedIsDoneAfterItsLease(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"refund": func(context.Context, string) (time.Duration, error) { return 0, nil },
		}})
		add(t, s, admission.Job{Kind: "refund", Ref: "t", DueAt: noon})
		if claimed, err := d.claim(t.Context(), 1); err != nil || len(claimed) != 1 { // and its process is killed
			t.Fatal(claimed, err)
		}
		d.run(t, 0)
		clock.pass(time.Minute - time.Microsecond)
		d.run(t, 0)
		clock.pass(time.Microsecond)
		d.run(t, 1)
		d.run(t, 0)
	})
}

func TestPeriodicWorkIsOneRowForAllProcesses(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *watch) {
		purges, fails := 0, false
		reconciled := []string{}
		const at = 2*time.Hour + 30*time.Minute
		d := newDesk(t, Needs{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"purge": Every(time.Hour, func(context.Context) error {
				purges++
				if fails {
					return errors.New("database is busy")
				}
				return nil
			}),
			"reconcile": Daily(at, admission.IST, clock.time, func(context.Context) error {
				reconciled = append(reconciled, clock.time().In(admission.IST).Format("2 15:04"))
				return nil
			}),
		}})
		for range 2 { // two processes start
			add(t, s, admission.Job{Kind: "purge", Ref: "all", DueAt: noon}, admission.Job{Kind: "reconcile", Ref: "all", DueAt: NextDaily(at, admission.IST, clock.time())})
		}
		for range 3 * 24 * 4 {
			if _, err := d.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			clock.pass(15 * time.Minute)
		}
		if purges != 3*24 {
			t.Errorf("purged %d times in three days, want 72", purges)
		}
		if want := []string{"22 02:30", "23 02:30", "24 02:30"}; !slices.Equal(reconciled, want) {
			t.Errorf("reconciled at %q, want %q", reconciled, want)
		}
		fails, purges = true, 0
		d.run(t, 1)
		clock.pass(time.Second)
		d.run(t, 1)
		if purges != 2 {
			t.Error("failed periodic work waits for its hour")
		}
	})
}

func TestNextDaily(t *testing.T) {
	const at = 2*time.Hour + 30*time.Minute
	for _, c := range []struct{ now, want string }{
		{"2026-11-21T02:29:59+05:30", "2026-11-21T02:30:00+05:30"},
		{"2026-11-21T02:30:00+05:30", "2026-11-22T02:30:00+05:30"},
		{"2026-12-31T23:00:00+05:30", "2027-01-01T02:30:00+05:30"},
		{"2026-11-20T21:30:00Z", "2026-11-22T02:30:00+05:30"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := NextDaily(at, admission.IST, now).Format(time.RFC3339); got != c.want {
			t.Errorf("after %s: %s, want %s", c.now, got, c.want)
		}
	}
}

// shelf is a queue in memory, for what is about time and not about databases.
type shelf struct {
	sync.Mutex
	jobs   map[admission.Job]time.Time // → due, or end of the lease
	claims int
	err    error
}

func (s *shelf) put(kind, ref string, due time.Time) {
	s.Lock()
	defer s.Unlock()
	s.jobs[admission.Job{Kind: kind, Ref: ref}] = due
}

func (s *shelf) ClaimJobs(_ context.Context, _ []string, now time.Time, lease time.Duration, n int) (claimed []admission.Job, err error) {
	s.Lock()
	defer s.Unlock()
	s.claims++
	for job, due := range s.jobs {
		if len(claimed) < n && !due.After(now) && s.err == nil {
			s.jobs[job] = now.Add(lease)
			claimed = append(claimed, job)
		}
	}
	return claimed, s.err
}

func (s *shelf) FinishJob(_ context.Context, j admission.Job) error {
	s.Lock()
	defer s.Unlock()
	delete(s.jobs, j)
	return nil
}

func (s *shelf) PostponeJob(_ context.Context, j admission.Job, due time.Time, _ int, _ string) error {
	s.put(j.Kind, j.Ref, due)
	return nil
}

func TestRun(t *testing.T) {
	inBubble := func(t *testing.T, sentence string, parallel int, handler Handler, test func(*testing.T, *desk, *shelf, context.CancelFunc)) {
		t.Run(sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				queue := &shelf{jobs: map[admission.Job]time.Time{}}
				d := newDesk(t, Needs{Queue: queue, Clock: time.Now, Parallel: parallel, Handlers: map[string]Handler{"deliver": handler}})
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
	// tick lets virtual time pass.
	tick := func(d time.Duration) { <-time.After(d); synctest.Wait() }
	instant := func(context.Context, string) (time.Duration, error) { return 0, nil }

	inBubble(t, "a job is done at once after Wake", 2, instant, func(t *testing.T, d *desk, queue *shelf, _ context.CancelFunc) {
		tick(10 * time.Second)
		queue.put("deliver", "m", time.Now())
		d.Wake("deliver")
		d.Wake("deliver")
		synctest.Wait()
		d.said(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "a job of a kind that is not its own does not wake it", 2, instant, func(t *testing.T, d *desk, queue *shelf, _ context.CancelFunc) {
		tick(10 * time.Second)
		before := queue.claims
		d.Wake("poll")
		synctest.Wait()
		if queue.claims != before {
			t.Error("the queue was asked")
		}
	})
	inBubble(t, "a job of another process is found within a second", 2, instant, func(t *testing.T, d *desk, queue *shelf, _ context.CancelFunc) {
		tick(10 * time.Second)
		queue.put("deliver", "m", time.Now())
		tick(time.Second)
		d.said(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "an idle worker asks once a second", 2, instant, func(t *testing.T, _ *desk, queue *shelf, _ context.CancelFunc) {
		tick(time.Minute)
		if queue.claims > 63 {
			t.Errorf("asked %d times in a minute", queue.claims)
		}
	})
	inBubble(t, "a queue that does not answer is asked on", 2, instant, func(t *testing.T, d *desk, queue *shelf, _ context.CancelFunc) {
		queue.Lock()
		queue.err = errors.New("database is down")
		queue.Unlock()
		tick(30 * time.Second)
		queue.put("deliver", "m", time.Now())
		queue.Lock()
		queue.err = nil
		queue.Unlock()
		tick(time.Second)
		d.said(t, []string{"deliver done"}, nil)
		if !strings.Contains(d.log.String(), "queue does not answer") {
			t.Error("the log does not say so")
		}
	})
	slow := func(ctx context.Context, ref string) (time.Duration, error) {
		if ref != "slow" {
			return 0, nil
		}
		select {
		case <-time.After(30 * time.Second):
			return 0, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	inBubble(t, "a slow job holds up no other", 2, slow, func(t *testing.T, d *desk, queue *shelf, _ context.CancelFunc) {
		queue.put("deliver", "slow", time.Now())
		tick(time.Second)
		for i := range 5 {
			queue.put("deliver", fmt.Sprint(i), time.Now())
		}
		tick(time.Second)
		d.said(t, slices.Repeat([]string{"deliver done"}, 5), nil)
		tick(30 * time.Second)
		d.said(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "a worker that ends finishes its job and takes no other", 2, slow, func(t *testing.T, d *desk, queue *shelf, cancel context.CancelFunc) {
		queue.put("deliver", "slow", time.Now())
		tick(15 * time.Second)
		cancel()
		queue.put("deliver", "other", time.Now())
		tick(16 * time.Second)
		d.said(t, []string{"deliver done"}, nil)
	})
	inBubble(t, "a job that outlasts the drain is cancelled and left for later", 2, slow, func(t *testing.T, d *desk, queue *shelf, cancel context.CancelFunc) {
		queue.put("deliver", "slow", time.Now())
		tick(time.Second)
		cancel()
		tick(20 * time.Second)
		d.said(t, []string{"deliver retry"}, nil)
		if len(queue.jobs) != 1 {
			t.Error("the job is lost")
		}
	})
	forever := func(ctx context.Context, _ string) (time.Duration, error) { <-ctx.Done(); return 0, ctx.Err() }
	inBubble(t, "a job that hangs is cancelled before its lease ends", 1, forever, func(t *testing.T, d *desk, queue *shelf, _ context.CancelFunc) {
		queue.put("deliver", "m", time.Now())
		tick(46 * time.Second)
		d.said(t, []string{"deliver retry"}, nil)
	})
}

func TestJobsBeginAtAPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := &shelf{jobs: map[admission.Job]time.Time{}}
		for i := range 9 {
			queue.put("deliver", fmt.Sprint(i), time.Now())
		}
		var begun []time.Duration
		started := time.Now()
		d := newDesk(t, Needs{Queue: queue, Clock: time.Now, Parallel: 1, Pace: 100 * time.Millisecond, Handlers: map[string]Handler{
			"deliver": func(context.Context, string) (time.Duration, error) {
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

func TestMissingNeedsAreNamed(t *testing.T) {
	_, err := New(Needs{})
	const want = "worker needs Queue\nworker needs Handlers\nworker needs Clock\nworker needs Log\nworker needs Alert"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

package jobs

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store"
)

func TestDueJobRunsOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		var refs []string
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{
			"deliver": func(_ context.Context, job admission.Job) (time.Duration, error) {
				refs = append(refs, job.Ref)
				return 0, nil
			},
		}})
		add(t, s, admission.Job{Kind: "deliver", Ref: "later", DueAt: noon.Add(time.Minute)}, admission.Job{Kind: "deliver", Ref: "now", DueAt: noon},
			admission.Job{Kind: "foreign", Ref: "x", DueAt: noon})
		d.run(t, 1)
		d.run(t, 0)
		clock.advance(time.Minute)
		d.run(t, 1)
		clock.advance(24 * time.Hour)
		d.run(t, 0)
		if !slices.Equal(refs, []string{"now", "later"}) {
			t.Errorf("done: %q", refs)
		}
		d.expect(t, []string{"deliver done", "deliver done"}, nil)
		if stats, err := s.QueueStats(t.Context(), clock.time()); err != nil || stats.Waiting != 1 {
			t.Errorf("%d jobs wait, %v; want the one of a kind that is not ours", stats.Waiting, err)
		}
	})
}

func TestJobAddedWhileRunningRunsAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		runs := 0
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"poll": func(context.Context, admission.Job) (time.Duration, error) {
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

func TestManyWorkersRunEachJobOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		const jobs = 60
		var mutex sync.Mutex
		done := map[string]int{}
		handlers := map[string]Handler{"deliver": func(_ context.Context, job admission.Job) (time.Duration, error) {
			mutex.Lock()
			defer mutex.Unlock()
			done[job.Ref]++
			return 0, nil
		}}
		for i := range jobs {
			add(t, s, admission.Job{Kind: "deliver", Ref: fmt.Sprint(i), DueAt: noon})
		}
		var workers sync.WaitGroup
		for range 4 {
			d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: handlers})
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

func TestJobOfDeadWorkerRunsAfterLease(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"refund": func(context.Context, admission.Job) (time.Duration, error) { return 0, nil },
		}})
		add(t, s, admission.Job{Kind: "refund", Ref: "t", DueAt: noon})
		if claimed, err := d.claim(t.Context(), 1); err != nil || len(claimed) != 1 { // then its process is killed
			t.Fatal(claimed, err)
		}
		d.run(t, 0)
		clock.advance(time.Minute - time.Microsecond)
		d.run(t, 0)
		clock.advance(time.Microsecond)
		d.run(t, 1)
		d.run(t, 0)
	})
}

func TestNewNamesMissingFields(t *testing.T) {
	_, err := New(Config{})
	const want = "worker needs Queue\nworker needs Handlers\nworker needs Clock\nworker needs Log\nworker needs Alert"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

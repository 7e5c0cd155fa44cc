package jobs

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/store"
)

// retried is the row of the staff log for jobs that an operator retried.
func retried(int64) staff.Act { return staff.Act{Who: "operator Ravi"} }

func TestFailedJobBacksOff(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		fails := true
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"deliver": func(context.Context, admission.Job) (time.Duration, error) {
				if fails {
					return 0, errors.New("sink is down")
				}
				return 0, nil
			},
		}})
		add(t, s, admission.Job{Kind: "deliver", Ref: "m", DueAt: noon})
		for attempt := 1; attempt <= 20; attempt++ {
			longest := maxRetry
			if attempt < 13 {
				longest = min(time.Second<<(attempt-1), maxRetry)
			}
			d.run(t, 1)
			var alerts []string
			if attempt%10 == 0 {
				alerts = []string{"job keeps failing: deliver"}
			}
			d.expect(t, []string{"deliver retry"}, alerts)
			clock.advance(longest/2 - time.Microsecond)
			d.run(t, 0)
			clock.advance(longest/2 + time.Millisecond)
		}
		fails = false
		d.run(t, 1)
		d.expect(t, []string{"deliver done"}, nil)
		clock.advance(48 * time.Hour)
		d.run(t, 0)
	})
}

func TestRescheduledJobResetsFailures(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		answers := []error{errors.New("no answer"), errors.New("no answer"), nil, errors.New("no answer"), nil}
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"poll": func(context.Context, admission.Job) (time.Duration, error) {
				err := answers[0]
				answers = answers[1:]
				return time.Hour, err
			},
		}})
		add(t, s, admission.Job{Kind: "poll", Ref: "t", DueAt: noon})
		for _, wait := range []time.Duration{0, time.Second, 2 * time.Second} {
			clock.advance(wait)
			d.run(t, 1)
		}
		d.expect(t, []string{"poll retry", "poll retry", "poll again"}, nil)
		clock.advance(time.Hour - time.Microsecond)
		d.run(t, 0)
		clock.advance(time.Microsecond)
		d.run(t, 1)
		clock.advance(time.Second) // as after a first failure
		d.run(t, 1)
		d.expect(t, []string{"poll retry", "poll again"}, nil)
	})
}

// unknownRecipient is an error with Permanent.
type unknownRecipient struct{}

func (unknownRecipient) Error() string   { return "no such recipient" }
func (unknownRecipient) Permanent() bool { return true }

// refusal makes any error permanent.
type refusal struct{ error }

func (refusal) Permanent() bool { return true }

func TestPermanentFailureBuriesJob(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		var refused error
		var failures []admission.Failure
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{
			"deliver": func(_ context.Context, job admission.Job) (time.Duration, error) {
				failures = job.Failures
				return 0, refused
			},
		}})
		add(t, s, admission.Job{Kind: "deliver", Ref: "a", DueAt: noon}, admission.Job{Kind: "deliver", Ref: "b", DueAt: noon})
		refused = refusal{errors.New("bad address")}
		d.run(t, 1)
		refused = fmt.Errorf("send: %w", unknownRecipient{})
		d.run(t, 1)
		d.expect(t, []string{"deliver refused", "deliver refused"}, []string{"job failed permanently: deliver", "job failed permanently: deliver"})
		clock.advance(48 * time.Hour)
		d.run(t, 0)
		var dead []admission.DeadJob
		for job, err := range s.DeadJobs(t.Context(), "deliver") {
			if err != nil {
				t.Fatal(err)
			}
			dead = append(dead, job)
		}
		if len(dead) != 2 {
			t.Fatalf("dead: %+v", dead)
		}
		for i, want := range []string{"bad address", "send: no such recipient"} {
			if got := dead[i]; !got.DeadAt.Equal(noon) || got.Attempts != 1 || !reflect.DeepEqual(got.Failures, []admission.Failure{{At: noon, Error: want}}) {
				t.Errorf("dead: %+v, want %s", got, want)
			}
		}
		refused = nil
		if n, err := s.ReviveJobs(t.Context(), "deliver", "b", clock.time(), retried); n != 1 || err != nil {
			t.Fatalf("revived %d, %v", n, err)
		}
		d.run(t, 1)
		d.expect(t, []string{"deliver done"}, nil)
		if len(failures) != 1 {
			t.Errorf("the revived job has forgotten why it died: %+v", failures)
		}
		if stats, err := s.QueueStats(t.Context(), clock.time()); err != nil || stats.Dead != 1 {
			t.Errorf("%d are dead, %v; want the other one", stats.Dead, err)
		}
	})
}

func TestJobKeepsLastFiveFailures(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		var failures []admission.Failure
		attempt := 0
		d := newHarness(t, Config{
			Queue: s, Clock: clock.time, Mask: func(text string) string { return strings.ReplaceAll(text, "asha@example.com", "a***") },
			Handlers: map[string]Handler{"deliver": func(_ context.Context, job admission.Job) (time.Duration, error) {
				failures = job.Failures
				attempt++
				return 0, fmt.Errorf("try %d for asha@example.com%s", attempt, strings.Repeat(" ₹", 300))
			}},
		})
		add(t, s, admission.Job{Kind: "deliver", Ref: "m", DueAt: noon})
		for range 8 {
			d.run(t, 1)
			clock.advance(time.Hour)
		}
		if len(failures) != 5 {
			t.Fatalf("%d failures: %+v", len(failures), failures)
		}
		for i, failure := range failures {
			want := fmt.Sprintf("try %d for a***", i+3)
			if !strings.HasPrefix(failure.Error, want+" ₹") || len(failure.Error) > 500 || !utf8.ValidString(failure.Error) || !failure.At.Equal(noon.Add(time.Duration(i+2)*time.Hour)) {
				t.Errorf("failure %d: %s, %q; want %q", i, failure.At, failure.Error, want)
			}
		}
	})
}

// mayBeDone is an error with RetryAfter.
type mayBeDone struct{}

func (mayBeDone) Error() string             { return "connection lost" }
func (mayBeDone) RetryAfter() time.Duration { return 5 * time.Minute }

func TestRetryAfterBacksOff(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		fault := error(fmt.Errorf("send: %w", mayBeDone{}))
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
			"deliver": func(context.Context, admission.Job) (time.Duration, error) { return 0, fault },
		}})
		// waits advances the clock to the minimum wait, when the job must not run, and to the maximum, when it must.
		waits := func(least time.Duration) {
			t.Helper()
			d.run(t, 1)
			clock.advance(least - time.Millisecond)
			d.run(t, 0)
			clock.advance(least/4 + time.Millisecond)
		}
		add(t, s, admission.Job{Kind: "deliver", Ref: "m", DueAt: noon})
		fault = errors.New("connection refused")
		for range 6 { // earlier failures of another kind don't lengthen the first wait
			d.run(t, 1)
			clock.advance(40 * time.Second)
		}
		fault = mayBeDone{}
		waits(5 * time.Minute)
		waits(2 * (5*time.Minute + 75*time.Second))
		waits(4 * (5*time.Minute + 75*time.Second) * 5 / 4)
		for range 3 {
			waits(time.Hour)
		}
		fault = refusal{errors.New("refused")}
		d.run(t, 1)
		clock.advance(time.Hour)
		if n, err := s.ReviveJobs(t.Context(), "", "m", clock.time(), retried); n != 1 || err != nil {
			t.Fatalf("revived %d, %v", n, err)
		}
		fault = mayBeDone{}
		waits(5 * time.Minute) // a revived job has failed once
		d.run(t, 1)
	})
}

func TestPanicFailsOnlyItsJob(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{
			"poll": func(_ context.Context, job admission.Job) (time.Duration, error) {
				if job.Ref == "a" {
					panic("nil map")
				}
				return 0, nil
			},
		}})
		add(t, s, admission.Job{Kind: "poll", Ref: "a", DueAt: noon}, admission.Job{Kind: "poll", Ref: "b", DueAt: noon})
		d.run(t, 1)
		d.run(t, 1)
		d.expect(t, []string{"poll retry", "poll done"}, nil)
		if !strings.Contains(d.log.String(), "nil map") {
			t.Error("the log does not say what panicked")
		}
	})
}

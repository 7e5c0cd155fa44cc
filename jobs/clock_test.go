package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store"
)

// clockQueue is a store that counts repairs and can fail them.
type clockQueue struct {
	*store.Store
	repairs int
	err     error
}

func (q *clockQueue) RescheduleJobs(ctx context.Context, kind string, untried, failed, due time.Time) (int64, error) {
	q.repairs++
	if q.err != nil {
		return 0, q.err
	}
	return q.Store.RescheduleJobs(ctx, kind, untried, failed, due)
}

// clockHarness handles mails (due at once), reminders (due in a day), and polls (without a known maximum).
func clockHarness(t *testing.T, s *store.Store, clock *fakeClock) (d *harness, q *clockQueue, done func() []string) {
	t.Helper()
	var refs []string
	fails := errors.New("relay is down")
	handler := func(_ context.Context, job admission.Job) (time.Duration, error) {
		if strings.HasPrefix(job.Ref, "failing") {
			return 0, fails
		}
		refs = append(refs, job.Ref)
		return 0, nil
	}
	q = &clockQueue{Store: s}
	d = newHarness(t, Config{
		Queue: q, Clock: clock.time, Parallel: 1, Handlers: map[string]Handler{"mail": handler, "remind": handler, "poll": handler},
		MaxDelay: map[string]time.Duration{"mail": 0, "remind": 24 * time.Hour},
	})
	return d, q, func() []string {
		for n, err := 1, error(nil); n > 0; {
			if n, err = d.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		list := slices.Sorted(slices.Values(refs))
		refs = nil
		return list
	}
}

func addDue(t *testing.T, s *store.Store, kind, ref string, due time.Time) {
	t.Helper()
	add(t, s, admission.Job{Kind: kind, Ref: ref, DueAt: due})
}

func TestClockSetBackDelaysMailsByAMinute(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		d, _, done := clockHarness(t, s, clock)
		done()
		addDue(t, s, "mail", "mail", noon)
		addDue(t, s, "remind", "remind", noon.Add(24*time.Hour))
		addDue(t, s, "poll", "poll", noon)
		clock.advance(-2 * time.Hour)
		if got := done(); got != nil {
			t.Errorf("at once: %q; what runs just now must not begin twice", got)
		}
		d.expect(t, nil, []string{"the clock was set back"})
		if stats, err := s.QueueStats(t.Context(), clock.time().Add(time.Minute)); err != nil || stats.Waiting != 1 {
			t.Errorf("%d wait in a minute, %v; want the mail", stats.Waiting, err)
		}
		clock.advance(time.Minute)
		if got := done(); !slices.Equal(got, []string{"mail"}) {
			t.Errorf("after a minute: %q", got)
		}
		clock.advance(2 * time.Hour)
		if got := done(); !slices.Equal(got, []string{"poll"}) {
			t.Errorf("after two hours: %q", got)
		}
		clock.advance(22 * time.Hour)
		if got := done(); !slices.Equal(got, []string{"remind"}) {
			t.Errorf("after a day: %q", got)
		}
	})
}

func TestClockSetBackDelaysRetryByItsMaximum(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		d, _, done := clockHarness(t, s, clock)
		addDue(t, s, "mail", "failing mail", noon)
		done()
		d.expect(t, []string{"mail retry"}, nil)
		clock.advance(-70 * time.Minute) // its retry is due within the longest wait
		done()
		clock.advance(time.Minute)
		done()
		d.expect(t, nil, []string{"the clock was set back"})
		clock.advance(-24 * time.Hour)
		done()
		clock.advance(time.Minute)
		done()
		d.expect(t, []string{"mail retry"}, []string{"the clock was set back"})
	})
}

func TestSmallClockStepIsIgnored(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		d, q, done := clockHarness(t, s, clock)
		done()
		clock.advance(-time.Minute)
		done()
		clock.advance(time.Hour)
		done()
		if q.repairs != 2 { // one for each kind, at the start
			t.Errorf("repaired %d times", q.repairs)
		}
		d.expect(t, nil, nil)
		for range 2 { // small steps accumulate
			clock.advance(-40 * time.Second)
			done()
		}
		d.expect(t, nil, []string{"the clock was set back"})
	})
}

func TestStartMovesImplausiblyLateJobs(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		addDue(t, s, "mail", "of a clock a year ahead", noon.AddDate(1, 0, 0))
		addDue(t, s, "mail", "of a copy that runs it now", noon.Add(2*time.Minute)) // that copy's clock is a minute ahead
		d, q, done := clockHarness(t, s, clock)
		q.err = errors.New("database is busy")
		if _, err := d.RunDue(t.Context()); err == nil || err.Error() != "reschedule jobs: database is busy" {
			t.Errorf("repair fails: %v", err)
		}
		q.err = nil
		done()
		clock.advance(time.Minute)
		if got := done(); !slices.Equal(got, []string{"of a clock a year ahead"}) {
			t.Errorf("after a minute: %q", got)
		}
		d.expect(t, []string{"mail done"}, nil)
	})
}

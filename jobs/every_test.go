package jobs

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store"
)

func TestPeriodicWorkIsOneRow(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, clock *fakeClock) {
		purges, fails := 0, false
		reconciled := []string{}
		const at = 2*time.Hour + 30*time.Minute
		d := newHarness(t, Config{Queue: s, Clock: clock.time, Handlers: map[string]Handler{
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
		for range 2 { // as two processes at start
			add(t, s, admission.Job{Kind: "purge", Ref: "all", DueAt: noon}, admission.Job{Kind: "reconcile", Ref: "all", DueAt: NextDaily(at, admission.IST, clock.time())})
		}
		for range 3 * 24 * 4 {
			if _, err := d.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			clock.advance(15 * time.Minute)
		}
		if purges != 3*24 {
			t.Errorf("purged %d times in three days, want 72", purges)
		}
		if want := []string{"22 02:30", "23 02:30", "24 02:30"}; !slices.Equal(reconciled, want) {
			t.Errorf("reconciled at %q, want %q", reconciled, want)
		}
		fails, purges = true, 0
		d.run(t, 1)
		clock.advance(time.Second)
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

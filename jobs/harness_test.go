package jobs

import (
	"bytes"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// fakeClock is a settable clock.
type fakeClock struct {
	sync.Mutex
	now time.Time
}

func (w *fakeClock) time() time.Time {
	w.Lock()
	defer w.Unlock()
	return w.now
}

func (w *fakeClock) advance(d time.Duration) {
	w.Lock()
	defer w.Unlock()
	w.now = w.now.Add(d)
}

// harness is a worker with its log, alerts and results.
type harness struct {
	*Worker
	sync.Mutex
	alerts, results []string
	log             bytes.Buffer
}

func newHarness(t *testing.T, n Config) *harness {
	t.Helper()
	d := &harness{}
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

func (d *harness) run(t *testing.T, want int) {
	t.Helper()
	if n, err := d.RunDue(t.Context()); err != nil || n != want {
		t.Errorf("ran %d jobs, %v; want %d", n, err, want)
	}
}

func (d *harness) expect(t *testing.T, results, alerts []string) {
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

// each runs a test on each database, with a clock at noon and handlers by kind.
func each(t *testing.T, test func(*testing.T, *store.Store, *fakeClock)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { test(t, s, &fakeClock{now: noon}) })
}

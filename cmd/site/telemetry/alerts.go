package telemetry

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Alerts are the open alerts of all copies. They are in the database, so that a restart does not end them. What this copy raised stays in memory
// until Renew has stored it: an alert may be raised inside a transaction, and while the database does not answer.
type Alerts struct {
	renew  func(ctx context.Context, raised map[string]int64, ended []string) (open map[string]int64, err error)
	log    *slog.Logger
	wake   chan struct{}
	scrape *Probe[struct{}]

	renewing sync.Mutex

	mutex  sync.Mutex
	raised map[string]int64 // how often since the last Renew; 0: its trouble goes on
	ended  map[string]bool
	open   map[string]int64 // as of the last Renew; nil before the first
}

// NewAlerts returns alerts that renew stores.
func NewAlerts(renew func(ctx context.Context, raised map[string]int64, ended []string) (map[string]int64, error), clock func() time.Time, log *slog.Logger) *Alerts {
	a := &Alerts{renew: renew, log: log, wake: make(chan struct{}, 1), raised: map[string]int64{}, ended: map[string]bool{}}
	a.scrape = NewProbe(clock, func(ctx context.Context) (struct{}, error) { return struct{}{}, a.Renew(ctx) })
	return a
}

// Alert opens an alert, or counts it again.
func (a *Alerts) Alert(what string) { a.add(what, 1) }

// Continue keeps an open alert open: its trouble goes on.
func (a *Alerts) Continue(what string) { a.add(what, 0) }

func (a *Alerts) add(what string, times int64) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.raised[what] += times
	delete(a.ended, what)
	if times > 0 {
		a.wakeUp()
	}
}

// End closes an alert, if it is open.
func (a *Alerts) End(what string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.raised[what] == 0 && a.open != nil && a.open[what] == 0 {
		return
	}
	delete(a.raised, what)
	a.ended[what] = true
	a.wakeUp()
}

func (a *Alerts) wakeUp() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Changed receives when Renew has something to store.
func (a *Alerts) Changed() <-chan struct{} { return a.wake }

// Renew stores what changed and logs which alerts are over.
func (a *Alerts) Renew(ctx context.Context) error {
	a.renewing.Lock()
	defer a.renewing.Unlock()
	a.mutex.Lock()
	raised, ended := a.raised, a.ended
	a.raised, a.ended = map[string]int64{}, map[string]bool{}
	a.mutex.Unlock()
	open, err := a.renew(ctx, raised, slices.Sorted(maps.Keys(ended)))
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if err != nil { // the next time
		for what, times := range raised {
			if !a.ended[what] {
				a.raised[what] += times
			}
		}
		for what := range ended {
			if _, again := a.raised[what]; !again {
				a.ended[what] = true
			}
		}
		return err
	}
	for _, what := range slices.Sorted(maps.Keys(a.open)) {
		if open[what] == 0 {
			a.log.Info("an alert is over", "alert", what)
		}
	}
	a.open = open
	return nil
}

// Close stores what has changed since the last Renew.
func (a *Alerts) Close(ctx context.Context) error {
	a.mutex.Lock()
	changes := len(a.raised) + len(a.ended)
	a.mutex.Unlock()
	if changes == 0 {
		return nil
	}
	return a.Renew(ctx)
}

var alertsOpen = describe("alerts_open", "How often an open alert was raised. One that is over is absent.", "what")

// Describe implements prometheus.Collector.
func (a *Alerts) Describe(to chan<- *prometheus.Desc) { to <- alertsOpen }

// Collect implements prometheus.Collector. Without the database it knows what this copy has raised or read.
func (a *Alerts) Collect(to chan<- prometheus.Metric) {
	_, _ = a.scrape.Get() // database_up is 0 then
	a.mutex.Lock()
	defer a.mutex.Unlock()
	all := maps.Clone(a.raised)
	for what, times := range a.open {
		if !a.ended[what] {
			all[what] += times
		}
	}
	for what, times := range all {
		if times > 0 {
			to <- prometheus.MustNewConstMetric(alertsOpen, prometheus.GaugeValue, float64(times), what)
		}
	}
}

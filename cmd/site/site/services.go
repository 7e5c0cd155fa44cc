package site

import (
	"context"
	"time"

	"hiresure/admission/paper"
)

// service is something outside of this program that the site needs. Copies may share it.
type service struct {
	name string
	err  error // nil: it answers
}

// askTime is how long the database may take to answer; the others have their own limit.
const askTime = 2 * time.Second

// services asks those that this site uses, in the order of /readyz.
func (p *parts) services(ctx context.Context) []service {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, storage := p.Files.storage.Get()
	list := []service{{"database", p.Store.Ping(ctx)}, {"storage", storage}}
	if p.Files.scanner != nil {
		_, err := p.Files.scanner.Get()
		list = append(list, service{"clamd", err})
	}
	if p.Papers != nil {
		var err error
		if p.Papers.Unavailable() {
			err = paper.ErrNoPrinter
		}
		list = append(list, service{"papers", err})
	}
	return list
}

// serviceUp returns 1 by name for each service that answers, else 0.
func (p *parts) serviceUp() map[string]float64 {
	up := map[string]float64{}
	for _, s := range p.services(context.Background()) {
		up[s.name] = 0
		if s.err == nil {
			up[s.name] = 1
		}
	}
	return up
}

const (
	watchEvery = 10 * time.Second
	awayAlert  = time.Minute // how long a service may be away without an alert
)

// watcher logs the services that do not answer, at the start and at each change, and raises an alert for those away for a minute.
type watcher struct {
	*parts
	since   map[string]time.Time // of what is away
	alerted map[string]bool
}

func newWatcher(p *parts) *watcher {
	return &watcher{p, map[string]time.Time{}, map[string]bool{}}
}

// run watches until ctx ends.
func (w *watcher) run(ctx context.Context) {
	w.look(ctx)
	ticks := time.NewTicker(watchEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			w.look(ctx)
		case <-w.Alerts.Changed():
		}
		_ = w.Alerts.Renew(ctx) // without the database they wait, and look reports that
	}
}

func (w *watcher) look(ctx context.Context) {
	_ = w.Store.TryWrite(ctx) // Ping returns its error
	services, now := w.services(ctx), w.Clock()
	if ctx.Err() != nil {
		return
	}
	for _, s := range services {
		began, known := w.since[s.name]
		switch {
		case s.err == nil && known:
			w.Log.Info("a service answers again", "service", s.name, "away", now.Sub(began).Round(time.Second))
			delete(w.since, s.name)
			delete(w.alerted, s.name)
		case s.err != nil && !known:
			w.Log.Warn("a service does not answer", "service", s.name, "error", s.err)
			w.since[s.name] = now
		case s.err != nil && now.Sub(began) >= awayAlert:
			if w.Alerts.Continue("a service does not answer: " + s.name); !w.alerted[s.name] {
				w.alerted[s.name] = true
				w.alert("a service does not answer: " + s.name)
			}
		}
	}
}

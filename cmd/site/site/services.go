package site

import (
	"context"
	"errors"
	"time"
)

// service is what the site needs beside itself. Copies may share it.
type service struct {
	name string
	ask  func(ctx context.Context) error // nil: it answers
}

var errNoBrowserNow = errors.New("no browser")

// services returns those that this site uses, in the order of /readyz.
func (p *parts) services() []service {
	list := []service{
		{"database", p.Store.Ping},
		{"storage", func(context.Context) error { _, err := p.Files.storage.Get(); return err }},
	}
	if p.Files.scanner != nil {
		list = append(list, service{"clamd", func(context.Context) error { _, err := p.Files.scanner.Get(); return err }})
	}
	if p.Papers != nil {
		list = append(list, service{"papers", func(context.Context) error {
			if p.Papers.Unavailable() {
				return errNoBrowserNow
			}
			return nil
		}})
	}
	return list
}

// askTime is how long a service may take to answer.
const askTime = 2 * time.Second

// unavailable returns the errors of the services that do not answer, by name.
func (p *parts) unavailable(ctx context.Context) map[string]error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	away := map[string]error{}
	for _, s := range p.services() {
		if err := s.ask(ctx); err != nil {
			away[s.name] = err
		}
	}
	return away
}

// serviceUp returns 1 by name for each service that answers, else 0.
func (p *parts) serviceUp() map[string]float64 {
	away := p.unavailable(context.Background())
	up := map[string]float64{}
	for _, s := range p.services() {
		up[s.name] = 1
		if away[s.name] != nil {
			up[s.name] = 0
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
		}
	}
}

func (w *watcher) look(ctx context.Context) {
	away, now := w.unavailable(ctx), w.Clock()
	if ctx.Err() != nil {
		return
	}
	for _, s := range w.services() {
		began, known := w.since[s.name]
		switch err := away[s.name]; {
		case err == nil && known:
			w.Log.Info("a service answers again", "service", s.name, "away", now.Sub(began).Round(time.Second))
			delete(w.since, s.name)
			delete(w.alerted, s.name)
		case err != nil && !known:
			w.Log.Warn("a service does not answer", "service", s.name, "error", err)
			w.since[s.name] = now
		case err != nil && now.Sub(began) >= awayAlert && !w.alerted[s.name]:
			w.alerted[s.name] = true
			w.alert("a service does not answer: " + s.name)
		}
	}
}

package telemetry

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	probeTTL     = 5 * time.Second // how long a result is reused
	probeTimeout = 2 * time.Second
)

// A Probe caches the result of a slow query: one runs at a time, and at most one per probeTTL.
type Probe[T any] struct {
	query func(context.Context) (T, error)
	clock func() time.Time

	mutex   sync.Mutex
	answer  T
	err     error
	at      time.Time     // when the answer arrived; zero: none yet
	running chan struct{} // closed when the running query ends; nil if none runs
}

// NewProbe returns a probe of query.
func NewProbe[T any](clock func() time.Time, query func(context.Context) (T, error)) *Probe[T] {
	return &Probe[T]{clock: clock, query: query}
}

var errNoAnswer = errors.New("no answer in time")

// Get returns the cached result or queries a new one. It waits at most probeTimeout, even if query ignores its context; the next
// call then waits for the same query.
func (p *Probe[T]) Get() (T, error) {
	p.mutex.Lock()
	if age := p.clock().Sub(p.at); !p.at.IsZero() && age >= 0 && age < probeTTL {
		defer p.mutex.Unlock()
		return p.answer, p.err
	}
	if p.running == nil {
		p.running = make(chan struct{})
		go p.run(p.running)
	}
	asking := p.running
	p.mutex.Unlock()

	timer := time.NewTimer(probeTimeout)
	defer timer.Stop()
	select {
	case <-asking:
		p.mutex.Lock()
		defer p.mutex.Unlock()
		return p.answer, p.err
	case <-timer.C:
		var none T
		return none, errNoAnswer
	}
}

func (p *Probe[T]) run(asking chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	answer, err := p.query(ctx)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.answer, p.err, p.at, p.running = answer, err, p.clock(), nil
	close(asking)
}

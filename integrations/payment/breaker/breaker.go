// Package breaker notices that a payment provider does not answer, so that nobody new is sent to it meanwhile.
package breaker

import (
	"context"
	"errors"
	"sync"
	"time"

	"hiresure/admission/payment/method"
)

const (
	most   = 3               // starts in a row without an answer
	within = 5 * time.Minute // from the first of them to the last
	rest   = time.Minute     // for which it is not offered; then one more without an answer is enough
)

// Breaker is a gateway whose starts are watched. What has begun goes on: everything else is asked as before.
type Breaker struct {
	method.Gateway
	clock func() time.Time
	alert func() // once, until it answers again

	mutex  sync.Mutex
	first  time.Time // without an answer, since the last with one
	failed int       // in a row
	away   time.Time // until when it is not offered
	told   bool
}

// New watches a gateway. alert tells a person that it does not answer.
func New(gateway method.Gateway, clock func() time.Time, alert func()) *Breaker {
	return &Breaker{Gateway: gateway, clock: clock, alert: alert}
}

// Start starts at the gateway. A caller who has left says nothing about it, and neither does what it refuses.
func (b *Breaker) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	session, err := b.Gateway.Start(ctx, in)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
	case errors.Is(err, method.ErrUnknown), errors.Is(err, context.DeadlineExceeded):
		b.silent()
	default:
		b.answered()
	}
	return session, err
}

// Answers reports whether the gateway may be offered.
func (b *Breaker) Answers() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	now := b.clock()
	return now.Before(b.away.Add(-rest)) || !now.Before(b.away) // the former: the clock was set back
}

func (b *Breaker) answered() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.failed, b.away, b.told = 0, time.Time{}, false
}

func (b *Breaker) silent() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	now := b.clock()
	if since := now.Sub(b.first); b.failed == 0 || b.away.IsZero() && (since > within || since < 0) {
		b.failed, b.first = 0, now
	}
	if b.failed++; b.failed < most {
		return
	}
	b.away = now.Add(rest)
	if !b.told {
		b.told = true
		b.alert()
	}
}

// Package breaker is a circuit breaker: it stops offering a payment gateway that does not respond.
package breaker

import (
	"context"
	"errors"
	"sync"
	"time"

	"hiresure/admission/payment/method"
)

const (
	most   = 3               // consecutive starts without a response
	within = 5 * time.Minute // in which they happen
	rest   = time.Minute     // pause; after it, one more start without a response begins the next pause
)

// Breaker is a gateway that counts starts without a response. All other calls pass through, so open payments continue.
type Breaker struct {
	method.Gateway
	clock func() time.Time
	alert func() // called once a day of an outage
	end   func() // called at each response

	mutex   sync.Mutex
	first   time.Time // first start without a response since the last response
	failed  int       // consecutive starts without a response
	away    time.Time // end of the pause
	alerted time.Time
}

// New wraps a gateway. It calls alert when the gateway stops responding, and daily until it responds. It calls end at each response,
// since an earlier process may have called alert.
func New(gateway method.Gateway, clock func() time.Time, alert, end func()) *Breaker {
	return &Breaker{Gateway: gateway, clock: clock, alert: alert, end: end}
}

// Start starts a payment at the gateway. A start that its caller cancelled does not count; a refusal counts as a response.
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

// Answers reports whether the gateway may be offered to payers.
func (b *Breaker) Answers() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	now := b.clock()
	return now.Before(b.away.Add(-rest)) || !now.Before(b.away) // the first: the clock was set back
}

func (b *Breaker) answered() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.failed, b.away, b.alerted = 0, time.Time{}, time.Time{}
	b.end()
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
	if now.Sub(b.alerted).Abs() >= 24*time.Hour {
		b.alerted = now
		b.alert()
	}
}

package businesstest

import (
	"sync"
	"time"
)

// Noon is 21 Nov 2026, 12:00 in India.
var Noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// Clock only moves when a test moves it. It is safe for concurrent use.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// NewClock returns a clock set to a time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Pass advances the clock; a negative duration sets it back.
func (c *Clock) Pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

func (c *Clock) Set(to time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = to
}

package captcha

import (
	"sync"
	"time"

	"hiresure/admission"
)

// Each invalid token costs a call to another company, so their number per session (or address, without a session) is limited
// within a window. The counts live in the process; they only save calls.
const (
	junkMost    = 20
	junkUnasked = 100 // limit on concurrent checks: a campus may start at the same time
	junkWindow  = 10 * time.Minute
	junkSenders = 10_000 // maximum number of counts
	// WaryBits is the difficulty of the work that replaces a service's token: eight times the usual.
	WaryBits = usualBits + 3
)

type junk struct {
	clock  func() time.Time
	mutex  sync.Mutex
	counts map[string]*junkCount
}

type junkCount struct {
	bad, underWay int
	until         time.Time
}

func newJunk(clock func() time.Time) *junk {
	return &junk{clock: clock, counts: map[string]*junkCount{}}
}

// sender returns the key of a visitor's count. A session is counted by itself, so that others at its address don't block it.
func sender(from admission.Visitor) string {
	if from.SessionID != "" && from.Offered == nil {
		return "session " + from.SessionID
	}
	return "address " + from.IP
}

// mayAsk reports whether the service may be called for this sender's token. If so, the caller must call answered.
func (j *junk) mayAsk(sender string) bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	c := j.live(sender)
	if c == nil {
		if len(j.counts) >= junkSenders {
			j.sweep()
		}
		c = &junkCount{until: j.clock().Add(junkWindow)}
		j.counts[sender] = c
	}
	if c.bad >= junkMost || c.bad+c.underWay >= junkMost+junkUnasked {
		return false
	}
	c.underWay++
	return true
}

// answered records the service's result.
func (j *junk) answered(sender string, bad bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	c := j.live(sender)
	if c == nil {
		return
	}
	c.underWay = max(0, c.underWay-1)
	if bad {
		c.bad++
	}
}

func (j *junk) isFull(sender string) bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	c := j.live(sender)
	return c != nil && c.bad >= junkMost
}

// live returns a sender's count if its window is open, else nil.
func (j *junk) live(sender string) *junkCount {
	c := j.counts[sender]
	if c != nil && !j.clock().Before(c.until) {
		delete(j.counts, sender)
		return nil
	}
	return c
}

// sweep deletes expired counts, or a tenth of all if few have expired, so that a flood does not search for each sender.
func (j *junk) sweep() {
	for sender := range j.counts {
		j.live(sender)
	}
	for sender := range j.counts {
		if len(j.counts) <= junkSenders-junkSenders/10 {
			return
		}
		delete(j.counts, sender)
	}
}

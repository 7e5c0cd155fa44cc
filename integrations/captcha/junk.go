package captcha

import (
	"sync"
	"time"

	"hiresure/admission"
)

// Each token that is not good costs a call to another company. So many of them are asked about in a window, of a session
// or, where there is none yet, of an address. The counts live in the process: they save calls, and tell nobody apart.
const (
	junkMost    = 20
	junkUnasked = 100 // more may be under way at once, from a campus that all goes in at nine
	junkWindow  = 10 * time.Minute
	junkSenders = 10_000 // counted at a time
	// WaryBits is the difficulty of the work in place of a service's token: eight times the usual one.
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

// sender is whom a bad token is counted against. Who has a session is not held up by others at his address.
func sender(from admission.Visitor) string {
	if from.SessionID != "" && from.Opens == nil {
		return "session " + from.SessionID
	}
	return "address " + from.IP
}

// mayAsk reports whether the service is asked about a token of this sender. Then answered must be called.
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

// answered takes what the service said of a token: bad, or good, or nothing.
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

// live returns the count of a sender whose window is open, or nil.
func (j *junk) live(sender string) *junkCount {
	c := j.counts[sender]
	if c != nil && !j.clock().Before(c.until) {
		delete(j.counts, sender)
		return nil
	}
	return c
}

// sweep makes room: what is over goes, and where that is little, others, a tenth at once, so that not each flood's sender
// pays for the search.
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

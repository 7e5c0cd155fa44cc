package inspect

import (
	"context"
	"math"
	"sync"
	"time"
)

const (
	mostWaiting = 4                // files of one person: the documents of one application
	halfLife    = 10 * time.Minute // after which half of what somebody has used is forgotten
	refusedCost = 2 * time.Second  // counted on top for a file that is refused: a bomb may end quickly, and an applicant's four documents use half a second
)

// queue lets files in: whoever has used least time lately goes first, and among equals who came first. So people who keep
// sending what takes long wait for each other, and nobody else waits for more than the one that is being looked at.
type queue struct {
	now func() time.Time

	mu      sync.Mutex
	free    int // places
	running map[string]bool
	used    map[string]use
	waiting []*waiter // in the order in which they came
}

// use is the time that somebody had used at a moment.
type use struct {
	time time.Duration
	at   time.Time
}

// lately is what of it counts now.
func (u use) lately(now time.Time) time.Duration {
	return time.Duration(float64(u.time) * math.Exp2(-float64(now.Sub(u.at))/float64(halfLife)))
}

type waiter struct {
	who   string
	comes chan struct{} // closed when it does
}

func newQueue(places int, now func() time.Time) *queue {
	return &queue{now: now, free: places, running: map[string]bool{}, used: map[string]use{}}
}

// enter waits for who's turn. Whoever has had it calls leave, with what counts beside the time.
func (q *queue) enter(ctx context.Context, who string) (leave func(cost time.Duration), err error) {
	mine, err := q.join(who)
	if err != nil {
		return nil, err
	}
	select {
	case <-mine.comes:
	case <-ctx.Done():
		if q.giveUp(mine) {
			return nil, ctx.Err()
		}
		// The turn came at the same moment: it is had, and what is started ends at once.
	}
	began := q.now()
	return func(cost time.Duration) { q.leave(who, q.now().Sub(began)+cost) }, nil
}

func (q *queue) join(who string) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := 0
	for _, other := range q.waiting {
		if other.who == who {
			waiting++
		}
	}
	if waiting >= mostWaiting {
		return nil, ErrTooMany
	}
	mine := &waiter{who: who, comes: make(chan struct{})}
	q.waiting = append(q.waiting, mine)
	q.letIn()
	return mine, nil
}

// giveUp tells whether the turn was still to come.
func (q *queue) giveUp(mine *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.waiting {
		if other == mine {
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			return true
		}
	}
	return false
}

func (q *queue) leave(who string, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	q.used[who] = use{q.used[who].lately(now) + took, now}
	for other, u := range q.used { // forgotten, so that the map holds who came lately
		if u.lately(now) < time.Millisecond {
			delete(q.used, other)
		}
	}
	delete(q.running, who)
	q.free++
	q.letIn()
}

// letIn fills the free places. Nobody has two.
func (q *queue) letIn() {
	now := q.now()
	for q.free > 0 {
		next := -1
		var least time.Duration
		for i, candidate := range q.waiting {
			if q.running[candidate.who] {
				continue
			}
			if used := q.used[candidate.who].lately(now); next < 0 || used < least {
				next, least = i, used
			}
		}
		if next < 0 {
			return
		}
		chosen := q.waiting[next]
		q.waiting = append(q.waiting[:next], q.waiting[next+1:]...)
		q.running[chosen.who] = true
		q.free--
		close(chosen.comes)
	}
}

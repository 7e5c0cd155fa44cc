package inspect

import (
	"context"
	"math"
	"sync"
	"time"
)

const (
	maxWaiting  = 4                // files per person: the documents of one application
	halfLife    = 10 * time.Minute // of the used time
	refusedCost = 2 * time.Second  // added for a refused file: a bomb may end quickly, while an applicant's four documents take half a second
)

// queue admits files by fair share: first whoever used the least time lately, then by arrival. People who keep sending slow files wait for
// each other; everybody else waits for at most the current file.
type queue struct {
	now func() time.Time

	mu      sync.Mutex
	free    int // places
	running map[string]bool
	used    map[string]use
	waiting []*waiter // in order of arrival
}

// use is a person's used time as of a moment.
type use struct {
	time time.Duration
	at   time.Time
}

// decayed returns the decayed value.
func (u use) decayed(now time.Time) time.Duration {
	return time.Duration(float64(u.time) * math.Exp2(-float64(now.Sub(u.at))/float64(halfLife)))
}

type waiter struct {
	who  string
	turn chan struct{} // closed at the turn
}

func newQueue(places int, now func() time.Time) *queue {
	return &queue{now: now, free: places, running: map[string]bool{}, used: map[string]use{}}
}

// enter waits for who's turn. After it, the caller must call leave with a cost to add to the time.
func (q *queue) enter(ctx context.Context, who string) (leave func(cost time.Duration), err error) {
	mine, err := q.join(who)
	if err != nil {
		return nil, err
	}
	select {
	case <-mine.turn:
	case <-ctx.Done():
		if q.cancel(mine) {
			return nil, ctx.Err()
		}
		// The turn came at the same moment: take it, and let the work fail at once.
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
	if waiting >= maxWaiting {
		return nil, ErrTooMany
	}
	mine := &waiter{who: who, turn: make(chan struct{})}
	q.waiting = append(q.waiting, mine)
	q.admit()
	return mine, nil
}

// cancel reports whether the turn had not come yet.
func (q *queue) cancel(mine *waiter) bool {
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
	q.used[who] = use{q.used[who].decayed(now) + took, now}
	for other, u := range q.used { // forget old entries
		if u.decayed(now) < time.Millisecond {
			delete(q.used, other)
		}
	}
	delete(q.running, who)
	q.free++
	q.admit()
}

// admit fills the free places, at most one per person.
func (q *queue) admit() {
	now := q.now()
	for q.free > 0 {
		next := -1
		var least time.Duration
		for i, candidate := range q.waiting {
			if q.running[candidate.who] {
				continue
			}
			if used := q.used[candidate.who].decayed(now); next < 0 || used < least {
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
		close(chosen.turn)
	}
}

package inspect

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// clock is a settable clock.
type clock struct{ at time.Time }

func (c *clock) now() time.Time           { return c.at }
func (c *clock) advance(by time.Duration) { c.at = c.at.Add(by) }

func newClock() *clock { return &clock{time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)} }

func joins(t *testing.T, q *queue, who string) *waiter {
	t.Helper()
	w, err := q.join(who)
	if err != nil {
		t.Fatalf("%s: %v", who, err)
	}
	return w
}

// came returns the waiters whose turn has come.
func came(list ...*waiter) (names string) {
	for _, w := range list {
		select {
		case <-w.turn:
			names += w.who + " "
		default:
		}
	}
	return names
}

func expect(t *testing.T, sentence, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", sentence, got, want)
	}
}

func TestLeastUsedGoesFirst(t *testing.T) {
	c := newClock()
	q := newQueue(1, c.now)
	a, b, d := joins(t, q, "a"), joins(t, q, "b"), joins(t, q, "d")
	expect(t, "one at a time", came(a, b, d), "a ")
	q.leave("a", 2*time.Second)
	a = joins(t, q, "a")
	q.leave("b", time.Second)
	b = joins(t, q, "b")
	expect(t, "among equals, who came first", came(d, a, b), "d ")
	q.leave("d", 3*time.Second)
	expect(t, "the least used, although last", came(a, b), "b ")
	newcomer := joins(t, q, "e")
	q.leave("b", 0)
	expect(t, "a person without use", came(a, newcomer), "e ")
	q.leave("e", 0)
	expect(t, "and in the end everybody", came(a), "a ")
}

func TestUsedTimeDecays(t *testing.T) {
	c := newClock()
	q := newQueue(1, c.now)
	joins(t, q, "long ago")
	q.leave("long ago", 2*time.Second)
	c.advance(2 * halfLife)
	joins(t, q, "lately")
	q.leave("lately", time.Second)
	joins(t, q, "who runs")
	lately, before := joins(t, q, "lately"), joins(t, q, "long ago")
	q.leave("who runs", time.Second)
	expect(t, "half a second of then is less than one of now", came(lately, before), "long ago ")
	q.leave("long ago", 0)
	c.advance(40 * halfLife)
	q.leave("lately", 0)
	if len(q.used) != 0 {
		t.Errorf("%v is remembered", q.used)
	}
}

func TestOnePlacePerPerson(t *testing.T) {
	c := newClock()
	q := newQueue(2, c.now)
	first, second, other := joins(t, q, "a"), joins(t, q, "a"), joins(t, q, "b")
	expect(t, "a second place is another's", came(first, second, other), "a b ")
	third, fourth, fifth := joins(t, q, "a"), joins(t, q, "a"), joins(t, q, "a")
	if _, err := q.join("a"); !errors.Is(err, ErrTooMany) {
		t.Errorf("a sixth file: %v", err)
	}
	joins(t, q, "c")
	q.leave("b", time.Second)
	expect(t, "who runs does not run twice", came(second, third, fourth, fifth), "")
	q.leave("a", time.Second)
	expect(t, "and then once", came(second, third, fourth, fifth), "a ")
	joins(t, q, "a")
}

func TestCancelledWaiterIsSkipped(t *testing.T) {
	c := newClock()
	q := newQueue(1, c.now)
	leave, err := q.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.enter(gone, "b"); !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up: %v", err)
	}
	next := joins(t, q, "c")
	c.advance(time.Second)
	leave(2 * time.Second)
	expect(t, "after the first", came(next), "c ")
	if q.used["a"].time != 3*time.Second || q.used["b"].time != 0 || q.free != 0 || len(q.waiting) != 0 {
		t.Errorf("used %v, %d free, %d waiting", q.used, q.free, len(q.waiting))
	}
}

// Twenty people keep sending as many bombs as they may; each takes the whole time limit. Others send four documents each.
func TestQueueSharesTimeWithBombSenders(t *testing.T) {
	const bomb, document = defaultTime + 200*time.Millisecond, 300 * time.Millisecond // including the child's start
	c := newClock()
	q := newQueue(1, c.now)
	var waiting []*waiter
	send := func() {
		for i := range 20 {
			for {
				w, err := q.join(fmt.Sprint("bomber ", i))
				if errors.Is(err, ErrTooMany) {
					break
				}
				waiting = append(waiting, w)
			}
		}
	}
	running := func() (who string) {
		for name := range q.running {
			who = name
		}
		return who
	}
	send()
	judged := map[string]int{}
	var longest time.Duration
	for n := range 500 {
		who := running()
		c.advance(bomb / 3)
		var honest *waiter
		if n > 20 && n%3 == 0 { // after each bomber's first file
			honest = joins(t, q, fmt.Sprint("applicant ", n/12))
		}
		c.advance(bomb - bomb/3)
		q.leave(who, bomb)
		judged[who]++
		if honest != nil {
			if came(honest) == "" {
				t.Fatalf("%s waits for %s after %s", honest.who, running(), who)
			}
			longest = max(longest, bomb-bomb/3)
			c.advance(document)
			q.leave(honest.who, document)
		}
		send()
	}
	if longest == 0 || longest >= 2*time.Second {
		t.Errorf("somebody waited for %v", longest)
	}
	for who, n := range judged { // the bombers are served equally
		if n < 24 || n > 26 {
			t.Errorf("%s was judged %d times", who, n)
		}
	}
}

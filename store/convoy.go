package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A commit costs PostgreSQL more than the rows in it. So transactions that waited for no answer until their end travel in
// convoys: who comes while one is under way shares the next one's round trip and commit, on the connection of the first.
// They are short ones: new sessions, ends of jobs, and an enquiry where no limit has to be counted first.
// Where PostgreSQL refuses a convoy, or it never left, nothing of it is kept, and each of its transactions goes again by
// itself. Where the connection breaks, all of them meet that error, as each would have by itself.
type convoy struct {
	sync.Mutex
	underWay bool
	waiting  []*traveller
}

type traveller struct {
	statements []statement
	deadline   time.Time
	told       chan news
}

// news is that a traveller leads a convoy, or how its convoy went.
type news struct {
	together []*traveller
	err      error
}

var errAlone = errors.New("go by yourself")

// transact sends statements as one transaction, over one connection.
type transact func(context.Context, []statement) error

// travel answers when statements are kept. Who leads sends with its own transact.
func (c *convoy) travel(ctx context.Context, statements []statement, send transact) error {
	t := &traveller{statements: statements, told: make(chan news, 1)}
	t.deadline, _ = ctx.Deadline()
	c.join(t)
	var heard news
	select {
	case heard = <-t.told:
	case <-ctx.Done():
		if c.leave(t) {
			return ctx.Err()
		}
		heard = <-t.told
	}
	if heard.together != nil {
		heard.err = c.lead(ctx, heard.together, send)
	}
	if heard.err == errAlone {
		return send(ctx, statements)
	}
	return heard.err
}

func (c *convoy) join(t *traveller) {
	c.Lock()
	defer c.Unlock()
	if c.underWay {
		c.waiting = append(c.waiting, t)
		return
	}
	c.underWay = true
	t.told <- news{together: []*traveller{t}}
}

// leave tells whether t was still waiting.
func (c *convoy) leave(t *traveller) bool {
	c.Lock()
	defer c.Unlock()
	before := len(c.waiting)
	c.waiting = slices.DeleteFunc(c.waiting, func(other *traveller) bool { return other == t })
	return len(c.waiting) < before
}

// lead sends everything of a convoy, for as long as any of them would wait, and tells the others how it went.
func (c *convoy) lead(ctx context.Context, together []*traveller, send transact) error {
	var everything []statement
	var latest time.Time
	for _, t := range together {
		everything = append(everything, t.statements...)
		if t.deadline.After(latest) {
			latest = t.deadline
		}
	}
	ctx = context.WithoutCancel(ctx) // it is not the first one's alone
	if !latest.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, latest)
		defer cancel()
	}
	err := send(ctx, everything)
	if _, refused := errors.AsType[*pgconn.PgError](err); (refused || pgconn.SafeToRetry(err)) && len(together) > 1 {
		err = errAlone
	}
	for _, t := range together[1:] {
		t.told <- news{err: err}
	}
	c.setOff()
	runtime.Gosched() // the next convoy leaves before those of this one go on
	return err
}

// setOff makes those who wait the next convoy.
func (c *convoy) setOff() {
	c.Lock()
	defer c.Unlock()
	if len(c.waiting) == 0 {
		c.underWay = false
		return
	}
	next := c.waiting
	c.waiting = nil
	next[0].told <- news{together: next}
}

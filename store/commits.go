package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A transaction that never asked for an answer is no more than a list of statements when it commits. Those that come
// while others are on their way share the next transaction, and so its commit, as writers share one on SQLite. Where
// one of them is refused, each goes alone, and its answer is its own.

const (
	commitsAtOnce = 2 // shared transactions under way
	commitMost    = 32
	commitLongest = 30 * time.Second
)

type commits struct {
	mutex   sync.Mutex
	sending int
	queue   []*share
}

// A share is one transaction's statements on their way to a commit.
type share struct {
	statements []statement
	lead       chan []*share // its goroutine is to send these, itself the first
	done       chan error
}

// share commits statements, together with those of others, over t's connection or another's.
func (c *commits) share(t *pipelineTx, statements []statement) error {
	own := &share{statements, make(chan []*share, 1), make(chan error, 1)}
	c.mutex.Lock()
	if c.sending < commitsAtOnce {
		c.sending++
		own.lead <- []*share{own}
	} else {
		c.queue = append(c.queue, own)
	}
	c.mutex.Unlock()
	select {
	case err := <-own.done:
		return err
	case shares := <-own.lead:
		// The others' statements do not end with the context of this one.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), commitLongest)
		defer cancel()
		(&pipelineTx{t.pipeline, ctx}).sendShares(shares)
		c.next()
		return <-own.done
	}
}

// next hands the queue to the first who waits in it.
func (c *commits) next() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.queue) == 0 {
		c.sending--
		return
	}
	shares := c.queue[:min(len(c.queue), commitMost)]
	c.queue = c.queue[len(shares):]
	shares[0].lead <- shares
}

func (t *pipelineTx) sendShares(shares []*share) {
	t.wait("begin")
	for _, s := range shares {
		t.waiting = append(t.waiting, s.statements...)
	}
	err := t.commit()
	_, refused := errors.AsType[*pgconn.PgError](err)
	if len(shares) > 1 && refused && !t.Conn.Conn().IsClosed() { // without an answer, nobody knows what was committed
		if err = t.Rollback(); err == nil {
			for _, s := range shares {
				t.sendShares([]*share{s})
			}
			return
		}
	}
	if undo := t.Rollback(); undo != nil {
		err = errors.Join(err, undo)
	}
	for _, s := range shares {
		s.done <- err
	}
}

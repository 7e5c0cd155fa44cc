package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A road is a PostgreSQL that keeps what is sent, once the test opens it.
type road struct {
	sync.Mutex
	open  chan struct{}
	sent  []string // each transaction's statements
	wrong map[string]error
	ended []error // of the context, while a transaction was on its way
}

func (r *road) send(ctx context.Context, statements []statement) error {
	var all string
	var err error
	for _, s := range statements {
		all += s.query
		err = errors.Join(err, r.wrong[s.query])
	}
	<-r.open
	r.Lock()
	defer r.Unlock()
	r.sent, r.ended = append(r.sent, all), append(r.ended, ctx.Err())
	if refusal, refused := errors.AsType[*pgconn.PgError](err); refused {
		return refusal
	}
	return err
}

func TestConvoys(t *testing.T) {
	refusal, broken := &pgconn.PgError{Code: "23505"}, errors.New("connection reset by peer")
	for _, c := range []struct {
		sentence string
		wrong    map[string]error
		sent     []string
		refused  map[string]error
	}{
		{"who comes while one is under way goes with the next", nil, []string{"a", "bcd"}, nil},
		{"where one is refused, each goes by itself", map[string]error{"c": refusal}, []string{"a", "b", "bcd", "c", "d"}, map[string]error{"c": refusal}},
		{"one that is refused alone goes once", map[string]error{"a": refusal}, []string{"a", "bcd"}, map[string]error{"a": refusal}},
		{
			"what was lost on the way may have arrived: nobody goes again", map[string]error{"c": broken}, []string{"a", "bcd"},
			map[string]error{"b": broken, "c": broken, "d": broken},
		},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, way := &road{open: make(chan struct{}), wrong: c.wrong}, &convoy{}
				heard := map[string]error{}
				var running sync.WaitGroup
				for _, query := range []string{"a", "b", "c", "d"} {
					running.Go(func() {
						err := way.travel(t.Context(), []statement{{query: query}}, r.send)
						r.Lock()
						defer r.Unlock()
						heard[query] = err
					})
					synctest.Wait() // it waits, or is on its way
				}
				close(r.open)
				running.Wait()
				slices.Sort(r.sent)
				if !slices.Equal(r.sent, c.sent) {
					t.Errorf("sent %q, want %q", r.sent, c.sent)
				}
				for query, err := range heard {
					if !errors.Is(err, c.refused[query]) || c.refused[query] == nil && err != nil {
						t.Errorf("%s heard %v, want %v", query, err, c.refused[query])
					}
				}
				if way.underWay || len(way.waiting) > 0 {
					t.Error("somebody is on the way still")
				}
			})
		})
	}
}

func TestWhoGivesUp(t *testing.T) {
	travel := func(ctx context.Context, way *convoy, r *road, query string, heard chan error) {
		go func() { heard <- way.travel(ctx, []statement{{query: query}}, r.send) }()
		synctest.Wait()
	}
	synctest.Test(t, func(t *testing.T) {
		r, way := &road{open: make(chan struct{})}, &convoy{}
		leader, waiter, other := make(chan error, 1), make(chan error, 1), make(chan error, 1)
		leading, leave := context.WithTimeout(t.Context(), time.Minute)
		waiting, giveUp := context.WithCancel(t.Context())
		travel(leading, way, r, "a", leader)
		travel(waiting, way, r, "b", waiter)
		travel(t.Context(), way, r, "c", other)
		giveUp()
		if err := <-waiter; !errors.Is(err, context.Canceled) {
			t.Errorf("who waits still hears %v", err)
		}
		leave()
		synctest.Wait()
		close(r.open)
		if err := errors.Join(<-leader, <-other); err != nil {
			t.Errorf("who is on the way hears %v", err)
		}
		if want := []string{"a", "c"}; !slices.Equal(r.sent, want) {
			t.Errorf("sent %q, want %q", r.sent, want)
		}
		if err := errors.Join(r.ended...); err != nil {
			t.Errorf("a convoy was called back: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r, way := &road{open: make(chan struct{})}, &convoy{}
		heard := make(chan error, 2)
		long, done := context.WithTimeout(t.Context(), time.Minute)
		defer done()
		travel(t.Context(), way, r, "a", make(chan error, 1))
		short, soon := context.WithTimeout(t.Context(), 30*time.Second)
		defer soon()
		travel(short, way, r, "b", heard)
		travel(long, way, r, "c", heard)
		r.open <- struct{}{} // "a" arrives, and "b" leads
		synctest.Wait()
		time.Sleep(59 * time.Second)
		r.open <- struct{}{}
		if err := errors.Join(<-heard, <-heard, r.ended[1]); err != nil {
			t.Errorf("a convoy lasts as long as its most patient traveller: %v", err)
		}
	})
}

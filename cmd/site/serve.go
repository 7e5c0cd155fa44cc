package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"hiresure/web"
)

const (
	headerWait  = 5 * time.Second
	headerBytes = 16 << 10
	bodyWait    = 20 * time.Second // for a body that no policy gives longer
)

// A stopBudget says how long each part of a stop may take. Whoever stops us waits 30 s before the kill.
type stopBudget struct {
	notice  time.Duration // load balancers see /readyz fail, and clients are told to connect elsewhere, before we stop listening
	body    time.Duration // for the rest of a request that is still being sent
	answers time.Duration // for requests, after the notice; beside them, jobs
	jobs    time.Duration // after which a running job is broken off; the worker takes up to 10 s more to write that down
	cut     time.Duration // for handlers whose connection was cut, when answers is over
}

// Notice, answers, cut, and twice closeWait for what is left are 28 s.
var usualBudget = stopBudget{notice: time.Second, body: 10 * time.Second, answers: 22 * time.Second, jobs: 12 * time.Second, cut: time.Second}

const closeWait = 2 * time.Second

// serve answers requests and does jobs until ctx ends, then drains: what has begun is finished. Its error is nil where
// every handler and every job has ended in time, even if a client was cut off that had stopped sending or reading.
// ready receives the address for visitors, then that for metrics where it is another.
func (s *site) serve(ctx context.Context, ready func([]net.Addr)) error {
	endpoints, err := s.listen(ctx)
	if err != nil {
		return err
	}
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	var ended sync.WaitGroup
	for _, worker := range s.workers {
		ended.Go(func() { worker.Run(working) })
	}
	failed := make(chan error, len(endpoints))
	var addresses []net.Addr
	for _, e := range endpoints {
		go func() { failed <- e.server.Serve(e.listener) }()
		addresses = append(addresses, e.listener.Addr())
	}
	ready(addresses)

	var fault error
	select {
	case <-ctx.Done():
	case fault = <-failed:
	}
	s.draining.Store(true)
	for _, e := range endpoints {
		e.requests.limitBodies()
	}
	if fault == nil && (s.config.Production() || s.config.DrainNotice) {
		time.Sleep(s.budget.notice)
	}
	stopWorking() // a job that a last request adds waits in its row for the next start
	faults := make(chan error, len(endpoints))
	for _, e := range endpoints {
		ended.Go(func() { faults <- e.close(context.WithoutCancel(ctx), s.budget, s.log) })
	}
	ended.Wait()
	for range endpoints {
		fault = errors.Join(fault, <-faults)
	}
	return fault
}

// An endpoint is an address that is listened on, with its server.
type endpoint struct {
	listener net.Listener
	server   *http.Server
	requests *requests
}

// takePort opens Addr before the site is built if its port is 0, which takes any free port: BaseURL contains the port.
func (c *Config) takePort(ctx context.Context) (err error) {
	if _, port, _ := net.SplitHostPort(c.Addr); port != "0" {
		return nil
	}
	if c.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", c.Addr); err != nil {
		return fmt.Errorf("ADDR: %w", err)
	}
	c.Addr = c.listener.Addr().String()
	if !c.givenBase {
		c.BaseURL = "http://" + c.Addr
	}
	return nil
}

// listen opens the addresses: first for visitors, then for the metrics where they have an address of their own.
func (s *site) listen(ctx context.Context) (endpoints []*endpoint, err error) {
	open := func(name, addr string, handler http.Handler) error {
		listener := s.config.listener
		if addr != s.config.Addr || listener == nil {
			if listener, err = new(net.ListenConfig).Listen(ctx, "tcp", addr); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		r := &requests{handler: handler, closing: &s.draining, patience: s.budget.body, sent: map[*body]struct{}{}}
		endpoints = append(endpoints, &endpoint{listener, &http.Server{
			Handler: r, ReadHeaderTimeout: headerWait, ReadTimeout: bodyWait, WriteTimeout: web.ServerWait, IdleTimeout: 120 * time.Second,
			MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		}, r})
		return nil
	}
	if err := open("ADDR", s.config.Addr, s.handler); err != nil {
		return nil, err
	}
	if s.config.MetricsAddr != "" {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.metrics.handler(s.config.MetricsToken))
		if err := open("METRICS_ADDR", s.config.MetricsAddr, mux); err != nil {
			return nil, errors.Join(err, endpoints[0].listener.Close())
		}
	}
	return endpoints, nil
}

// close stops listening, closes idle connections and waits for the requests that run. A client that takes its answer too
// slowly is cut off in the end; it is an error only where a handler goes on after that.
func (e *endpoint) close(ctx context.Context, budget stopBudget, log *slog.Logger) error {
	waiting, cancel := context.WithTimeout(ctx, budget.answers)
	defer cancel()
	err := e.server.Shutdown(waiting)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	log.WarnContext(ctx, "connections are cut: requests or their answers did not get through in time", "requests", e.requests.running.Load())
	if err := e.server.Close(); err != nil {
		return err
	}
	for deadline := time.Now().Add(budget.cut); e.requests.running.Load() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d requests have not ended", e.requests.running.Load())
		}
	}
	return nil
}

// requests counts those that run, and sees to it that a closing server need not wait for a client: each answer then tells
// the client that the connection ends with it, and what is still being sent must have come after patience.
type requests struct {
	handler  http.Handler
	closing  *atomic.Bool
	patience time.Duration
	running  atomic.Int64

	mutex sync.Mutex
	sent  map[*body]struct{} // those of which the end has not come yet
}

func (q *requests) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q.running.Add(1)
	defer q.running.Add(-1)
	if q.closing.Load() {
		w.Header()["Connection"] = []string{"close"}
	}
	if r.Body == nil || r.Body == http.NoBody {
		q.handler.ServeHTTP(w, r)
		return
	}
	b := &body{ReadCloser: r.Body, connection: http.NewResponseController(w), of: q}
	q.begin(b)
	defer q.leave(b)
	r = r.WithContext(r.Context()) // a copy: net/http looks at the type of its own request's Body
	r.Body = b
	q.handler.ServeHTTP(w, r)
}

// limitBodies gives the bodies that are being sent a last date; closing is true by now, so that later ones get theirs by begin.
func (q *requests) limitBodies() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for b := range q.sent {
		b.comeWithin(q.patience)
	}
}

func (q *requests) begin(b *body) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.sent[b] = struct{}{}
	if q.closing.Load() {
		b.comeWithin(q.patience)
	}
}

// end is called when all of a body has come: net/http goes on reading, without a deadline, to notice a client that leaves.
// A deadline that limitBodies set after net/http had begun with that is taken back.
func (q *requests) end(b *body) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	delete(q.sent, b)
	if q.closing.Load() {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
}

// leave is called when the handler has ended. What it has not read net/http reads now, up to a limit, to keep the
// connection; not for as long as the client likes.
func (q *requests) leave(b *body) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if _, open := q.sent[b]; open {
		delete(q.sent, b)
		b.comeWithin(min(q.patience, headerWait))
	}
}

// A body tells its requests when its end has come.
type body struct {
	io.ReadCloser
	connection *http.ResponseController
	of         *requests
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.of.end(b)
	}
	return n, err
}

// comeWithin sets the connection's deadline for reading.
func (b *body) comeWithin(d time.Duration) {
	_ = b.connection.SetReadDeadline(time.Now().Add(d)) // a connection that is gone needs none
}

// Package server serves the site and runs its jobs until it is stopped, and then drains.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hiresure/jobs"
	"hiresure/web"
)

const (
	headerTimeout = 5 * time.Second
	headerBytes   = 16 << 10
	bodyTimeout   = 20 * time.Second // for a body, unless the route's policy allows longer
)

// A budget limits each part of a shutdown. A supervisor kills the process after 30 s.
type budget struct {
	notice  time.Duration // between failing /readyz and closing the listeners
	body    time.Duration // for the rest of a request body
	answers time.Duration // for running requests, after notice; jobs end in parallel
	cut     time.Duration // for handlers whose connection was closed after answers
}

// The sum of notice, answers, cut and twice CloseTimeout is 28 s.
var defaultBudget = budget{notice: time.Second, body: 10 * time.Second, answers: 22 * time.Second, cut: time.Second}

const (
	// JobsTimeout limits running jobs during a shutdown; a worker takes up to 10 s more to store their end.
	JobsTimeout = 12 * time.Second
	// CloseTimeout limits what is closed after the server.
	CloseTimeout = 2 * time.Second
)

// Config contains what a Server needs.
type Config struct {
	Addr        string
	Handler     http.Handler
	MetricsAddr string // "": Handler serves the metrics
	Metrics     http.Handler
	Workers     []*jobs.Worker
	Notice      bool // wait after Draining is true before connections are refused
	Log         *slog.Logger
}

// Server serves HTTP and runs jobs.
type Server struct {
	config   Config
	budget   budget
	draining atomic.Bool
}

// New returns a server, which Serve starts.
func New(c Config) *Server { return &Server{config: c, budget: defaultBudget} }

// Draining reports whether the server is about to stop.
func (s *Server) Draining() bool { return s.draining.Load() }

// Serve serves requests and runs jobs until ctx ends, then drains. It returns nil if every handler and job ended in time,
// even if slow clients were disconnected. listener is on Addr; if it is nil, Serve opens one. ready receives the public address,
// then that of the metrics if it differs.
func (s *Server) Serve(ctx context.Context, listener net.Listener, ready func([]net.Addr)) error {
	endpoints, err := s.listen(ctx, listener)
	if err != nil {
		return err
	}
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	var ended sync.WaitGroup
	for _, worker := range s.config.Workers {
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
	if fault == nil && s.config.Notice {
		time.Sleep(s.budget.notice)
	}
	stopWorking() // a job that the last requests add waits in the database for the next start
	faults := make(chan error, len(endpoints))
	for _, e := range endpoints {
		ended.Go(func() { faults <- e.close(context.WithoutCancel(ctx), s.budget, s.config.Log) })
	}
	ended.Wait()
	for range endpoints {
		fault = errors.Join(fault, <-faults)
	}
	return fault
}

// An endpoint is a listener with its server.
type endpoint struct {
	listener net.Listener
	server   *http.Server
	requests *requests
}

// listen opens the public address, then that of the metrics if it is separate.
func (s *Server) listen(ctx context.Context, public net.Listener) (endpoints []*endpoint, err error) {
	open := func(name, addr string, handler http.Handler) error {
		listener := public
		if addr != s.config.Addr || listener == nil {
			if listener, err = new(net.ListenConfig).Listen(ctx, "tcp", addr); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		r := &requests{handler: handler, closing: &s.draining, bodyTimeout: s.budget.body, bodies: map[*body]struct{}{}}
		endpoints = append(endpoints, &endpoint{listener, &http.Server{
			Handler: r, ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout, WriteTimeout: web.ServerWait, IdleTimeout: 120 * time.Second,
			MaxHeaderBytes: headerBytes, ErrorLog: log.New(serverLog{s.config.Log}, "", 0),
		}, r})
		return nil
	}
	if err := open("ADDR", s.config.Addr, s.config.Handler); err != nil {
		return nil, err
	}
	if s.config.MetricsAddr != "" {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.config.Metrics)
		if err := open("METRICS_ADDR", s.config.MetricsAddr, mux); err != nil {
			return nil, errors.Join(err, endpoints[0].listener.Close())
		}
	}
	return endpoints, nil
}

// close stops listening, closes idle connections and waits for running requests. In the end it disconnects slow clients; a
// handler that still runs then is an error.
func (e *endpoint) close(ctx context.Context, budget budget, log *slog.Logger) error {
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

// requests counts running requests. While the server closes, responses close their connections and request bodies must
// arrive within bodyTimeout.
type requests struct {
	handler     http.Handler
	closing     *atomic.Bool
	bodyTimeout time.Duration
	running     atomic.Int64

	mutex  sync.Mutex
	bodies map[*body]struct{} // incomplete bodies
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
	b := &body{ReadCloser: r.Body, connection: http.NewResponseController(w), requests: q}
	q.add(b)
	defer q.abandon(b)
	r = r.WithContext(r.Context()) // a copy: net/http checks the type of its own request's Body
	r.Body = b
	q.handler.ServeHTTP(w, r)
}

// limitBodies sets a deadline for incomplete bodies. closing is true already, so that add sets it for later ones.
func (q *requests) limitBodies() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for b := range q.bodies {
		b.setDeadline(q.bodyTimeout)
	}
}

func (q *requests) add(b *body) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.bodies[b] = struct{}{}
	if q.closing.Load() {
		b.setDeadline(q.bodyTimeout)
	}
}

// finish is called when a body is complete. net/http keeps reading without a deadline, to notice a disconnect, so that finish
// removes the deadline that limitBodies may have set.
func (q *requests) finish(b *body) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	delete(q.bodies, b)
	if q.closing.Load() {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
}

// abandon is called when the handler has ended. net/http then reads the rest of the body, up to a limit, to reuse the
// connection; abandon limits the time too.
func (q *requests) abandon(b *body) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if _, open := q.bodies[b]; open {
		delete(q.bodies, b)
		b.setDeadline(min(q.bodyTimeout, headerTimeout))
	}
}

// A body notifies its requests at its end.
type body struct {
	io.ReadCloser
	connection *http.ResponseController
	requests   *requests
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.requests.finish(b)
	}
	return n, err
}

// setDeadline sets the connection's deadline for reading.
func (b *body) setDeadline(d time.Duration) {
	_ = b.connection.SetReadDeadline(time.Now().Add(d)) // fails only on a closed connection
}

// serverLog logs what net/http says: that it cannot accept connections, as without file descriptors, as an error; what one connection did
// wrong, for debugging.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	if strings.Contains(text, "Accept error") {
		l.log.Error("no new connections", "error", text)
	} else {
		l.log.Debug(text)
	}
	return len(line), nil
}

package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/jobs"
	"hiresure/store"
	"hiresure/store/storetest"
)

// A stopping is a server with a test handler that is stopped during its requests.
type stopping struct {
	server *Server
	addr   string
	stop   func()     // as SIGTERM does
	done   chan error // what serve returns
	log    *bytes.Buffer
}

// serving starts a server with a budget.
func serving(t *testing.T, b budget, handler http.HandlerFunc) *stopping {
	t.Helper()
	log := &bytes.Buffer{}
	s := New(Config{Addr: "127.0.0.1:0", Handler: handler, Notice: true, Log: slog.New(slog.NewTextHandler(log, nil))})
	s.budget = b
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() { done <- s.Serve(ctx, nil, func(addresses []net.Addr) { ready <- addresses[0] }) }()
	return &stopping{s, (<-ready).String(), stop, done, log}
}

func (s *stopping) dial(t *testing.T) *caller {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &caller{c, bufio.NewReader(c)}
}

// A caller is one connection.
type caller struct {
	net.Conn
	reader *bufio.Reader
}

const plainGet = "GET / HTTP/1.1\r\nHost: test\r\n\r\n"

func (c *caller) ask(request string) (*http.Response, string, error) {
	if _, err := io.WriteString(c, request); err != nil {
		return nil, "", err
	}
	return c.answer()
}

func (c *caller) answer() (*http.Response, string, error) {
	answer, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer, string(body), err
}

// ended returns how the connection ended: nil for EOF, not a reset.
func (c *caller) ended() error {
	if rest, err := io.ReadAll(c.reader); err != nil || len(rest) > 0 {
		return errors.Join(err, errors.New("after the last answer came "+string(rest)))
	}
	return nil
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func TestConnectionsCloseDuringTheNotice(t *testing.T) {
	s := serving(t, budget{notice: time.Second, answers: 10 * time.Second, body: time.Second}, hello)
	const busy, idle = 16, 16
	working, ends := make(chan bool, busy), make(chan error, busy)
	for range busy {
		c := s.dial(t)
		go func() {
			for n := 0; ; n++ {
				answer, text, err := c.ask(plainGet)
				if err != nil || text != "hello" {
					ends <- errors.Join(errors.New("a request on an open connection failed"), err)
					return
				}
				if n == 3 {
					working <- true
				}
				if answer.Close {
					ends <- c.ended()
					return
				}
			}
		}()
	}
	var idlers []*caller
	for range idle {
		c := s.dial(t)
		if answer, _, err := c.ask(plainGet); err != nil || answer.Close {
			t.Fatalf("before the end: %v, %v", answer, err)
		}
		idlers = append(idlers, c)
	}
	for range busy {
		<-working
	}
	s.stop()
	for range busy {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	// Within the notice the site still serves old and new connections.
	for _, c := range []*caller{idlers[0], s.dial(t)} {
		if answer, _, err := c.ask(plainGet); err != nil || !answer.Close {
			t.Errorf("within the notice: %v, %v; want an answer that says close", answer, err)
		}
	}
	for _, c := range idlers {
		if err := c.ended(); err != nil {
			t.Errorf("an idle connection: %v", err)
		}
	}
	if err := <-s.done; err != nil {
		t.Errorf("serving ended with %v", err)
	}
	if c, err := net.Dial("tcp", s.addr); err == nil {
		_ = c.Close()
		t.Error("a listener is still open")
	}
}

func TestEndlessBodyDoesNotDelayTheStop(t *testing.T) {
	patient := budget{notice: 10 * time.Millisecond, answers: 20 * time.Second, body: 200 * time.Millisecond}
	reads := func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	}
	started := make(chan bool, 1)
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		late    bool // the request is sent after the signal
		status  int
	}{
		{"begun before the signal", reads, false, http.StatusBadRequest},
		{"begun within the notice", reads, true, http.StatusBadRequest},
		{"that nobody reads", hello, false, http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			begun := patient
			if test.late {
				begun.notice = time.Second
			}
			s := serving(t, begun, func(w http.ResponseWriter, r *http.Request) {
				started <- true
				test.handler(w, r)
			})
			c := s.dial(t)
			if test.late {
				s.stop()
				for !s.server.Draining() {
					runtime.Gosched()
				}
			}
			// net/http would read a body of this length to the end, to reuse the connection.
			if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\nand so on"); err != nil {
				t.Fatal(err)
			}
			select {
			case <-started:
			case err := <-s.done:
				t.Fatalf("the request did not reach the handler; serving ended with %v", err)
			}
			s.stop()
			asked := time.Now()
			answer, _, err := c.answer()
			if err != nil || answer.StatusCode != test.status {
				t.Errorf("got %v, %v; want %d", answer, err, test.status)
			}
			if err := <-s.done; err != nil {
				t.Errorf("serving ended with %v", err)
			}
			if took := time.Since(asked); took > 10*time.Second {
				t.Errorf("the end took %v", took)
			}
		})
	}
}

func TestCompleteBodyHasNoDeadline(t *testing.T) {
	const patience = 200 * time.Millisecond
	for _, test := range []struct{ name, before, after string }{
		{"that ends after the signal", "half", "half"},
		{"that has ended before", "halfhalf", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			begun, read := make(chan bool), make(chan bool, 1)
			s := serving(t, budget{notice: 10 * time.Millisecond, answers: 20 * time.Second, body: patience}, func(w http.ResponseWriter, r *http.Request) {
				close(begun)
				text, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				read <- true
				select { // much longer than the body's timeout
				case <-r.Context().Done():
					t.Errorf("the request was cancelled: %v", context.Cause(r.Context()))
				case <-time.After(5 * patience):
				}
				_, _ = w.Write(text)
			})
			c := s.dial(t)
			if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 8\r\n\r\n"+test.before); err != nil {
				t.Fatal(err)
			}
			<-begun
			if test.after == "" {
				<-read
			}
			s.stop()
			if _, text, err := c.ask(test.after); err != nil || text != "halfhalf" {
				t.Errorf("got %q, %v", text, err)
			}
			if err := <-s.done; err != nil {
				t.Errorf("serving ended with %v", err)
			}
		})
	}
}

// A lastPiece is the end of a body, whose Read sends the signal while net/http already watches for a disconnect.
type lastPiece struct{ signal func() }

func (p lastPiece) Read([]byte) (int, error) { p.signal(); return 0, io.EOF }
func (lastPiece) Close() error               { return nil }

// A deadlines is a response whose connection records the read deadlines.
type deadlines struct {
	http.ResponseWriter
	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error { d.set = append(d.set, at); return nil }

func TestStopDuringABodysLastRead(t *testing.T) {
	closing := new(atomic.Bool)
	q := &requests{closing: closing, bodyTimeout: time.Minute, bodies: map[*body]struct{}{}, handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
	})}
	connection := &deadlines{ResponseWriter: httptest.NewRecorder()}
	r := httptest.NewRequest(http.MethodPost, "/", lastPiece{func() { closing.Store(true); q.limitBodies() }})
	q.ServeHTTP(connection, r)
	if set := connection.set; len(set) != 2 || set[0].IsZero() || !set[1].IsZero() {
		t.Errorf("deadlines %v; want one, and that it is taken back", set)
	}
}

func TestSlowReaderIsDisconnected(t *testing.T) {
	s := serving(t, budget{notice: time.Millisecond, answers: 300 * time.Millisecond, cut: 10 * time.Second, body: time.Second}, func(w http.ResponseWriter, _ *http.Request) {
		for piece := make([]byte, 1<<20); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	c := s.dial(t)
	if _, err := io.WriteString(c, plainGet); err != nil {
		t.Fatal(err)
	}
	if _, err := c.reader.Peek(1); err != nil {
		t.Fatal(err)
	}
	s.stop()
	if err := <-s.done; err != nil {
		t.Errorf("serving ended with %v", err)
	}
	if logged := s.log.String(); !strings.Contains(logged, "connections are cut") || !strings.Contains(logged, "requests=1") {
		t.Errorf("log %q", logged)
	}
}

func TestEndlessHandlerIsAnError(t *testing.T) {
	started, never := make(chan bool), make(chan bool)
	defer close(never)
	s := serving(t, budget{notice: time.Millisecond, answers: 50 * time.Millisecond, cut: 50 * time.Millisecond, body: time.Second}, func(http.ResponseWriter, *http.Request) {
		close(started)
		<-never
	})
	if _, err := io.WriteString(s.dial(t), plainGet); err != nil {
		t.Fatal(err)
	}
	<-started
	s.stop()
	if err := <-s.done; err == nil || err.Error() != "1 requests have not ended" {
		t.Errorf("serving ended with %v", err)
	}
}

func TestStopBudgetFitsTheSupervisor(t *testing.T) {
	b := defaultBudget
	if all := b.notice + b.answers + b.cut + 2*CloseTimeout; all > 29*time.Second {
		t.Errorf("a stop may take %v, and supervisors kill after 30 s", all)
	}
	if b.notice == 0 || b.body >= b.answers || JobsTimeout+10*time.Second > b.answers {
		t.Errorf("the parts do not fit into each other: %+v", b)
	}
}

func TestRequestsAndJobsEndTogether(t *testing.T) {
	books := storetest.Open(t, storetest.SQLite(t))
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		return tx.AddJob(admission.Job{Kind: "slow", Ref: "1", DueAt: time.Now()})
	}); err != nil {
		t.Fatal(err)
	}
	atWork, asked, brokenOff := make(chan bool), make(chan bool), make(chan bool)
	worker, err := jobs.New(jobs.Config{
		Queue: books, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Alert: func(string) {}, Drain: time.Millisecond,
		Handlers: map[string]jobs.Handler{"slow": func(ctx context.Context, _ admission.Job) (time.Duration, error) {
			close(atWork)
			<-ctx.Done()
			close(brokenOff)
			return 0, ctx.Err()
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Addr: "127.0.0.1:0", Workers: []*jobs.Worker{worker}, Log: slog.New(slog.DiscardHandler), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // ends after the job
		close(asked)
		<-brokenOff
		_, _ = io.WriteString(w, "finished")
	})})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ready, served, answered := make(chan net.Addr, 1), make(chan error, 1), make(chan string, 1)
	go func() { served <- s.Serve(ctx, nil, func(addresses []net.Addr) { ready <- addresses[0] }) }()
	address := "http://" + (<-ready).String()
	go func() {
		response, err := http.Get(address)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answered <- string(body)
	}()
	<-atWork
	<-asked
	stop()
	if err := <-served; err != nil {
		t.Errorf("serving ended with %v", err)
	}
	if got := <-answered; got != "finished" {
		t.Errorf("the request got %q", got)
	}
}

func TestRefusedConnectionsAreErrors(t *testing.T) {
	var out bytes.Buffer
	logger := log.New(serverLog{slog.New(slog.NewTextHandler(&out, nil))}, "", 0)
	logger.Print("http: TLS handshake error from 203.0.113.7:1: EOF")
	logger.Print("http: Accept error: accept tcp 127.0.0.1:1: accept4: too many open files; retrying in 5ms")
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `level=ERROR msg="no new connections" error="http: Accept error: accept tcp 127.0.0.1:1: accept4: too many open files; retrying in 5ms"`) {
		t.Errorf("%q", got)
	}
}

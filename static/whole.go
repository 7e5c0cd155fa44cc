package static

import (
	"context"
	"net"
	"net/http"
)

// Whole lets Serve, on this server with the listener that is answered, send an answer in one system call. net/http has a
// buffer of 4 KB, which cuts headers and a page in two; the second call costs as much as everything else together.
func Whole(server *http.Server, listener net.Listener) net.Listener {
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	return wholeListener{listener}
}

type connectionKey struct{}

type wholeListener struct{ net.Listener }

func (l wholeListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if tcp, ok := accepted.(*net.TCPConn); ok {
		return &connection{TCPConn: tcp}, err
	}
	return accepted, err
}

// A connection that is holding keeps the first write, to send it with the second. Only the goroutine that serves its
// request writes to it.
type connection struct {
	*net.TCPConn
	holding bool
	held    []byte
}

func (c *connection) Write(p []byte) (int, error) {
	switch {
	case !c.holding:
		return c.TCPConn.Write(p)
	case len(c.held) == 0:
		c.held = append(c.held, p...) // net/http writes into p again
		return len(p), nil
	}
	before, both := len(c.held), net.Buffers{c.held, p}
	c.holding, c.held = false, c.held[:0]
	sent, err := both.WriteTo(c.TCPConn)
	return max(0, int(sent)-before), err
}

// connectionOf answers nil where the server was not made Whole.
func connectionOf(r *http.Request) *connection {
	c, _ := r.Context().Value(connectionKey{}).(*connection)
	return c
}

func (c *connection) hold() {
	if c != nil {
		c.holding = true
	}
}

// release sends what is held, together with the end that net/http keeps back of an answer.
func (c *connection) release(w http.ResponseWriter) {
	if c == nil {
		return
	}
	_ = http.NewResponseController(w).Flush() // what cannot flush sends later
	c.holding = false
	if len(c.held) > 0 {
		_, _ = c.TCPConn.Write(c.held) // the next write meets the same error
		c.held = c.held[:0]
	}
}

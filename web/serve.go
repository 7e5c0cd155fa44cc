package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v5"
)

type requestIDKey struct{}

// RequestID returns the id of the request that a context belongs to; "" outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// serve wraps every request: an id, the security headers, recovery from panics, the access log and the metrics. It
// answers errors itself, so that the log has the status that went out.
func (m *Manager) serve(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		started := time.Now()
		id := rand.Text()[:16] // 80 bits, ours: an id that a client sends would forge the log
		r := c.Request()
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
		h := c.Response().Header()
		h["X-Request-Id"] = []string{id}
		policy := m.policyOf(c)
		for _, line := range m.headers.of(policy.Class) {
			h[line.name] = line.value
		}
		err := m.recovering(func(c *echo.Context) error { return m.enforce(c, policy, next) }, c)
		if err != nil {
			m.refuseError(c, err)
		}
		m.record(c, started, time.Now())
		if breaksOff(err) {
			panic(http.ErrAbortHandler) // the client must not take what it has got for all
		}
		return nil
	}
}

// recovering turns a panic into an error that carries its stack, for the log only.
func (m *Manager) recovering(next echo.HandlerFunc, c *echo.Context) (err error) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler: // how net/http says that an answer ends here
			panic(cause)
		default:
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return next(c)
}

func (m *Manager) record(c *echo.Context, started, ended time.Time) {
	r, took := c.Request(), ended.Sub(started)
	status, size := http.StatusOK, int64(0)
	if response, _ := echo.UnwrapResponse(c.Response()); response != nil {
		status, size = response.Status, response.Size
	}
	m.Watch.Served(r.Method, c.Path(), status, took)
	level := slog.LevelInfo
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics": // asked every few seconds, by machines
		level = slog.LevelDebug
	}
	ctx, log := r.Context(), unmasked(m.Log.Handler()) // no value below needs it
	if !log.Enabled(ctx, level) {
		return
	}
	line := slog.NewRecord(ended, level, "request", 0) // Logger would look for the caller, which is here
	line.AddAttrs(
		slog.String("request", RequestID(ctx)), slog.String("method", short(r.Method, 20)), slog.String("path", short(MaskPath(r.URL.Path), 300)), slog.Int("status", status),
		slog.Int64("bytes", size), slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("address", MaskAddress(clientAddress(r, m.TrustedProxies))))
	_ = log.Handle(ctx, line) // as Logger does: there is nowhere to report it to
}

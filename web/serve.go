package web

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/labstack/echo/v5"
)

type requestIDKey struct{}

// RequestID returns the request id of a context; "" outside a request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// serve wraps every request with an id, security headers, panic recovery, access log and metrics. It handles errors itself,
// so that the log has the status that was sent.
func (m *Manager) serve(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		started := time.Now()
		id := strconv.FormatUint(rand.Uint64()|1<<63, 32) // 13 characters; a client-supplied id could forge log entries
		r := c.Request()
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
		h := c.Response().Header()
		h["X-Request-Id"] = []string{id}
		policy := m.policyOf(c)
		for _, line := range m.headers.of(policy.Class) {
			h[line.name] = line.value
		}
		err := m.recovering(c, policy, next)
		if err != nil {
			m.refuseError(c, err)
		}
		m.record(c, started, time.Now())
		if breaksOff(err) {
			panic(http.ErrAbortHandler) // abort, so that the client does not take a partial response for a complete one
		}
		return nil
	}
}

// recovering is enforce, but converts a panic to an error with its stack, for the log.
func (m *Manager) recovering(c *echo.Context, policy *Policy, next echo.HandlerFunc) (err error) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler: // net/http's own signal to abort the response
			panic(cause)
		default:
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return m.enforce(c, policy, next)
}

func (m *Manager) record(c *echo.Context, started, ended time.Time) {
	r, took := c.Request(), ended.Sub(started)
	status, size := http.StatusOK, int64(0)
	if response, _ := echo.UnwrapResponse(c.Response()); response != nil {
		status, size = response.Status, response.Size
	}
	m.Watch.Served(r.Method, c.Path(), status, took)
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics": // polled every few seconds
		return
	}
	lines := requestLines(m.Log.Handler())
	lines.Log().Str("time", ended.Format(time.RFC3339Nano)).Str("level", slog.LevelInfo.String()).Str("msg", "request").
		Str("request", RequestID(r.Context())).Str("method", clip(r.Method, 20)).Str("path", clip(MaskPath(r.URL.Path), 300)).
		Int("status", status).Int64("bytes", size).Float64("ms", float64(took.Microseconds())/1000).
		Str("address", MaskAddress(clientAddress(r, m.TrustedProxies))).Send()
}

// clip is short with a fast path for plain ASCII.
func clip(text string, most int) string {
	text = text[:min(len(text), most)]
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return short(text, most)
		}
	}
	return text
}

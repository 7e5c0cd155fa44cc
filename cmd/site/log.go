package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"hiresure/web"
)

// newLog writes JSON in production and plain lines for people in development, without personal data or secrets. flush
// writes down what is still held back.
func newLog(production bool, out io.Writer) (log *slog.Logger, flush func()) {
	late := &lateWriter{out: out}
	var lines slog.Handler = slog.NewTextHandler(late, nil)
	if production {
		lines = slog.NewJSONHandler(late, nil)
	}
	return slog.New(web.NewLogHandler(promptHandler{lines, late})), late.flush
}

const (
	logWait = 100 * time.Millisecond
	logMost = 32 << 10 // bytes held back
)

// A lateWriter holds lines back for a tenth of a second at most, so that those of many requests are one system call.
type lateWriter struct {
	out     io.Writer
	mutex   sync.Mutex
	held    []byte
	waiting bool // for the end of logWait
}

func (w *lateWriter) Write(line []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.held = append(w.held, line...)
	switch {
	case len(w.held) >= logMost:
		w.empty()
	case !w.waiting:
		w.waiting = true
		time.AfterFunc(logWait, w.flush)
	}
	return len(line), nil
}

func (w *lateWriter) flush() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.waiting = false
	w.empty()
}

func (w *lateWriter) empty() {
	if len(w.held) > 0 {
		_, _ = w.out.Write(w.held) // there is nowhere to report it to
		w.held = w.held[:0]
	}
}

// A promptHandler holds back no warning and no error.
type promptHandler struct {
	slog.Handler
	late *lateWriter
}

func (h promptHandler) Handle(ctx context.Context, record slog.Record) error {
	err := h.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		h.late.flush()
	}
	return err
}

func (h promptHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptHandler{h.Handler.WithAttrs(attrs), h.late}
}

func (h promptHandler) WithGroup(name string) slog.Handler {
	return promptHandler{h.Handler.WithGroup(name), h.late}
}

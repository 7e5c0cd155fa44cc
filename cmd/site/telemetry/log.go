package telemetry

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"hiresure/web"
)

// NewLog returns a log that masks personal data and secrets: JSON lines, or readable ones on a terminal. flush writes
// buffered lines.
func NewLog(terminal bool, out io.Writer) (log *slog.Logger, flush func()) {
	late := &bufferedWriter{out: out}
	var lines io.Writer = late
	if terminal {
		lines = zerolog.ConsoleWriter{Out: late, TimeFormat: time.TimeOnly, NoColor: true, FormatPrepare: renameMessage}
	}
	return slog.New(web.NewLogHandler(flushHandler{slog.NewJSONHandler(lines, nil), late}, lines)), late.flush
}

// renameMessage moves slog's message to zerolog's key.
func renameMessage(line map[string]any) error {
	line[zerolog.MessageFieldName] = line[slog.MessageKey]
	delete(line, slog.MessageKey)
	return nil
}

// IsTerminal reports whether f is a terminal. os.ModeCharDevice is not enough: /dev/null is a character device too.
func IsTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }

const (
	logDelay     = 100 * time.Millisecond
	maxLogBuffer = 32 << 10 // bytes
)

// A bufferedWriter buffers lines for at most logDelay, so that many requests share one system call.
type bufferedWriter struct {
	out       io.Writer
	mutex     sync.Mutex
	buffer    []byte
	scheduled bool // a flush is scheduled
}

func (w *bufferedWriter) Write(line []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.buffer = append(w.buffer, line...)
	switch {
	case len(w.buffer) >= maxLogBuffer:
		w.write()
	case !w.scheduled:
		w.scheduled = true
		time.AfterFunc(logDelay, w.flush)
	}
	return len(line), nil
}

func (w *bufferedWriter) flush() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.scheduled = false
	w.write()
}

func (w *bufferedWriter) write() {
	if len(w.buffer) > 0 {
		_, _ = w.out.Write(w.buffer) // an error of the log has nowhere to go
		w.buffer = w.buffer[:0]
	}
}

// A flushHandler flushes warnings and errors at once.
type flushHandler struct {
	slog.Handler
	writer *bufferedWriter
}

func (h flushHandler) Handle(ctx context.Context, record slog.Record) error {
	err := h.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		h.writer.flush()
	}
	return err
}

func (h flushHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return flushHandler{h.Handler.WithAttrs(attrs), h.writer}
}

func (h flushHandler) WithGroup(name string) slog.Handler {
	return flushHandler{h.Handler.WithGroup(name), h.writer}
}

package main

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

// newLog writes JSON lines, or lines for people where a terminal shows them, without personal data or secrets. flush
// writes down what is still held back.
func newLog(terminal bool, out io.Writer) (log *slog.Logger, flush func()) {
	late := &lateWriter{out: out}
	var lines io.Writer = late
	if terminal {
		lines = zerolog.ConsoleWriter{Out: late, TimeFormat: time.TimeOnly, NoColor: true, FormatPrepare: messageOfSlog}
	}
	return slog.New(web.NewLogHandler(promptHandler{slog.NewJSONHandler(lines, nil), late}, lines)), late.flush
}

// messageOfSlog puts the message of a line of slog where zerolog looks for it.
func messageOfSlog(line map[string]any) error {
	line[zerolog.MessageFieldName] = line[slog.MessageKey]
	delete(line, slog.MessageKey)
	return nil
}

// isTerminal asks for a terminal's own settings: /dev/null is a device of characters too, and JSON costs least where
// nobody reads it.
func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }

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
